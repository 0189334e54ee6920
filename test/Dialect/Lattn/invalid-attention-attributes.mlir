// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_c17_count(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: f32, %s: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64)}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      dropout(%p, %s : f32, i64)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c17_p_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: f64, %s: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64)}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      dropout(%p, %s, %s : f64, i64, i64)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c17_seed_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: f32, %s: i32, %o2: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64)}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      dropout(%p, %s, %o2 : f32, i32, i64)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c18_count(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: i64, %i: index) {
  // expected-error @below {{expected origin (batch, head, query, key), got 3 values}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      offset(%p : i64) origin(%i, %i, %i)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c18_no_offset(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %i: index) {
  // expected-error @below {{expected an offset beside an origin: the default offset needs the whole lengths}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      origin(%i, %i, %i, %i)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c19_infinite(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a finite scale, got 0x7FF0000000000000 : f64}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {scale = 0x7FF0000000000000 : f64}
  return
}

// -----

func.func @attention_c19_nan(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a finite scale, got 0x7FF8000000000000 : f64}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) {scale = 0x7FF8000000000000 : f64}
  return
}

// -----

func.func @attention_c19_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      // expected-error @below {{attribute 'scale' failed to satisfy constraint: 64-bit float attribute}}
      outs(%o : tensor<1x2x4x8xf32>) {scale = 0.5 : f32}
  return
}

// -----

func.func @attention_c21_window_kind(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      // expected-error @below {{attribute 'window' failed to satisfy constraint}}
      outs(%o : tensor<1x2x4x8xf32>) {window = 256 : i64}
  return
}

// -----

func.func @attention_c21_causal_kind(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      // expected-error @below {{attribute 'causal' failed to satisfy constraint: unit attribute}}
      outs(%o : tensor<1x2x4x8xf32>) {causal = true}
  return
}

// -----

func.func @attention_c21_layout_kind(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      // expected-error @below {{attribute 'layout' failed to satisfy constraint}}
      outs(%o : tensor<1x2x4x8xf32>) {layout = "bnhd"}
  return
}
