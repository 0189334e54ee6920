// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_c13_map_without_bias(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{has a bias_map but no bias}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {bias_map = affine_map<(b, h, q, k) -> (q, k)>}
  return
}

// -----

func.func @attention_c13_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4x4xf64>) {
  // expected-error @below {{expected bias of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<4x4xf64>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c13_integer(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4x4xi32>) {
  // expected-error @below {{operand #3 must be}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<4x4xi32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c13_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<1x1x1x4x4xf32>) {
  // expected-error @below {{expected bias broadcastable to (batch, head, query, key) or a bias_map, got rank 5}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<1x1x1x4x4xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c13_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<3x4x4xf32>) {
  // expected-error @below {{expected axis 0 of bias to be 1 or the extent of head = 2, got 3}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<3x4x4xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c13_keys(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expected axis 0 of bias to be 1 or the extent of key = 6, got 4}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      bias(%b : tensor<4xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c13_map_results(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4x4xf32>) {
  // expected-error @below {{expected bias_map from (batch, head, query, key) to the 2 axes of bias, got affine_map<(d0, d1, d2, d3) -> (d3)>}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<4x4xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {bias_map = affine_map<(b, h, q, k) -> (k)>}
  return
}

// -----

func.func @attention_c13_map_dims(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expected bias_map from (batch, head, query, key)}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<4xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {bias_map = affine_map<(q, k) -> (k)>}
  return
}

// -----

func.func @attention_c13_map_symbols(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expected bias_map from (batch, head, query, key)}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<4xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {bias_map = affine_map<(b, h, q, k)[s] -> (k + s)>}
  return
}

// -----

func.func @attention_c13_map_divisor(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{expected bias_map to divide by positive constants only}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<4xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {bias_map = affine_map<(b, h, q, k) -> (k floordiv -2)>}
  return
}

// -----

func.func @attention_c13_map_kind(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4xf32>) {
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%b : tensor<4xf32>)
      // expected-error @below {{attribute 'bias_map' failed to satisfy constraint: AffineMap attribute}}
      outs(%o : tensor<1x2x4x8xf32>) {bias_map = 3}
  return
}
