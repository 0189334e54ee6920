// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_c1_query_rank(%q: tensor<2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<2x4x8xf32>) {
  // expected-error @below {{expected query of rank 4 (batch, head, position, size), got rank 3}}
  %0 = lattn.attention query(%q : tensor<2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_c1_key_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x1x2x4x8xf32>, %v: tensor<1x1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected key of rank 4 (batch, head, position, size), got rank 5}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x1x2x4x8xf32>) value(%v : tensor<1x1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c1_value_rank_bnhd(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected value of rank 4 (batch, position, head, size), got rank 3}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {layout = #lattn.layout<bnhd>}
  return
}

// -----

func.func @attention_c1_output_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<4x8xf32>) {
  // expected-error @below {{expected output of rank 4 (batch, head, position, size), got rank 2}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<4x8xf32>)
  return
}

// -----

func.func @attention_c2_query_type(%q: tensor<1x2x4x8xi8>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xi8>) {
  // expected-error @below {{operand #0 must be}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xi8>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xi8>)
  return
}

// -----

func.func @attention_c2_key_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf64>, %v: tensor<1x2x4x8xf64>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected key of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf64>) value(%v : tensor<1x2x4x8xf64>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c2_value_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf64>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected value of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf64>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c2_output_type(%q: tensor<1x2x4x8xf16>, %k: tensor<1x2x4x8xf16>, %v: tensor<1x2x4x8xf16>, %o: tensor<1x2x4x8xf64>) {
  // expected-error @below {{expected output of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf16>) key(%k : tensor<1x2x4x8xf16>) value(%v : tensor<1x2x4x8xf16>)
      outs(%o : tensor<1x2x4x8xf64>)
  return
}

// -----

func.func @attention_c3_key_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<3x2x4x8xf32>, %v: tensor<3x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 0 of key to be query's batch = 1, got 3}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<3x2x4x8xf32>) value(%v : tensor<3x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c3_output_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<2x2x4x8xf32>) {
  // expected-error @below {{expected axis 0 of output to be query's batch = 1, got 2}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<2x2x4x8xf32>)
  return
}

// -----

func.func @attention_c4_heads(%q: tensor<1x6x4x8xf32>, %k: tensor<1x4x4x8xf32>, %v: tensor<1x4x4x8xf32>, %o: tensor<1x6x4x8xf32>) {
  // expected-error @below {{expected query heads to be a multiple of key heads, got 6 and 4}}
  %0 = lattn.attention query(%q : tensor<1x6x4x8xf32>) key(%k : tensor<1x4x4x8xf32>) value(%v : tensor<1x4x4x8xf32>)
      outs(%o : tensor<1x6x4x8xf32>)
  return
}

// -----

func.func @attention_c4_no_key_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x0x4x8xf32>, %v: tensor<1x0x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected query heads to be a multiple of key heads, got 2 and 0}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x0x4x8xf32>) value(%v : tensor<1x0x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c4_value_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x1x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 1 of value to be key's heads = 2, got 1}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x1x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c4_output_heads_bnhd(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x2x8xf32>) {
  // expected-error @below {{expected axis 2 of output to be query's heads = 4, got 2}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x2x8xf32>) {layout = #lattn.layout<bnhd>}
  return
}

// -----

func.func @attention_c5_value_length(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x5x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 2 of value to be key's length = 4, got 5}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x5x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c5_output_length(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x7x8xf32>) {
  // expected-error @below {{expected axis 2 of output to be query's length = 4, got 7}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x7x8xf32>)
  return
}

// -----

func.func @attention_c6_no_head_size(%q: tensor<1x2x4x0xf32>, %k: tensor<1x2x4x0xf32>, %v: tensor<1x2x4x0xf32>, %o: tensor<1x2x4x0xf32>) {
  // expected-error @below {{expected a head size of at least 1, got 0}}
  %0 = lattn.attention query(%q : tensor<1x2x4x0xf32>) key(%k : tensor<1x2x4x0xf32>) value(%v : tensor<1x2x4x0xf32>)
      outs(%o : tensor<1x2x4x0xf32>)
  return
}

// -----

func.func @attention_c6_no_key_head_size(%q: tensor<1x2x4x?xf32>, %k: tensor<1x2x4x0xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a head size of at least 1, got 0}}
  %0 = lattn.attention query(%q : tensor<1x2x4x?xf32>) key(%k : tensor<1x2x4x0xf32>)
      value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c6_key_head_size(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x16xf32>, %v: tensor<1x2x4x16xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 3 of key to be query's head size = 8, got 16}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x16xf32>) value(%v : tensor<1x2x4x16xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c7_output_size(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x3xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 3 of output to be value's head size = 3, got 8}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x3xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}
