// RUN: lattn-opt %s --split-input-file --verify-diagnostics

func.func @local_attention_c1_rank(%q: tensor<2x4x8xf32>, %k: tensor<2x4x8xf32>, %v: tensor<2x4x8xf32>, %o: tensor<2x4x8xf32>) {
  // expected-error @below {{expected query of rank 4 (batch, head, position, size), got rank 3}}
  %0 = lattn.local_attention query(%q : tensor<2x4x8xf32>) key(%k : tensor<2x4x8xf32>) value(%v : tensor<2x4x8xf32>) outs(%o : tensor<2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c1_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf64>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected value of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf64>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c1_mixed(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: memref<1x2x4x8xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : memref<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c2_length(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x8x8xf32>, %v: tensor<1x2x8x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 2 of key to be query's length = 4, got 8}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x8x8xf32>) value(%v : tensor<1x2x8x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c2_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 0 of key to be query's batch = 1, got 2}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<2x2x4x8xf32>) value(%v : tensor<2x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c2_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x3x4x8xf32>, %v: tensor<1x3x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected query heads to be a multiple of key heads, got 2 and 3}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x3x4x8xf32>) value(%v : tensor<1x3x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c2_value_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x1x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 1 of value to be key's heads = 2, got 1}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x1x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c3_size(%q: tensor<1x2x4x0xf32>, %k: tensor<1x2x4x0xf32>, %v: tensor<1x2x4x0xf32>, %o: tensor<1x2x4x0xf32>) {
  // expected-error @below {{expected a head size of at least 1, got 0}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x0xf32>) key(%k : tensor<1x2x4x0xf32>) value(%v : tensor<1x2x4x0xf32>) outs(%o : tensor<1x2x4x0xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c3_key(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x6xf32>, %v: tensor<1x2x4x6xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 3 of key to be query's head size = 8, got 6}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x6xf32>) value(%v : tensor<1x2x4x6xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c3_output(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected axis 3 of output to be value's head size = 8, got 6}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x6xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c4_window(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected window_size in [1, 1073741824], got 0}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 0 : i64}
  return
}

// -----

func.func @local_attention_c4_back(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected look_backward in [0, 256], got -1}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, look_backward = -1 : i64}
  return
}

// -----

func.func @local_attention_c4_forward(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected look_forward in [0, 256], got 257}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, look_forward = 257 : i64}
  return
}

// -----

func.func @local_attention_c4_call(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected call_window_size in [1, 1073741824], got 0}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, use_xpos, call_window_size = 0 : i64}
  return
}

// -----

func.func @local_attention_c5(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{cannot look forward if causal, got look_forward = 1}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, causal, look_forward = 1 : i64}
  return
}

// -----

func.func @local_attention_c6(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a sequence length divisible by the window's 3, got 4}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 3 : i64}
  return
}

// -----

func.func @local_attention_c6_padded(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a sequence length divisible by the window's 4, got 6 after padding}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 3 : i64, autopad, use_xpos, call_window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c7_odd(%q: tensor<1x2x4x7xf32>, %k: tensor<1x2x4x7xf32>, %v: tensor<1x2x4x7xf32>, %o: tensor<1x2x4x7xf32>) {
  // expected-error @below {{expected a known, even head size for rotary, got 7}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x7xf32>) key(%k : tensor<1x2x4x7xf32>) value(%v : tensor<1x2x4x7xf32>) outs(%o : tensor<1x2x4x7xf32>) {window_size = 4 : i64, dim = 7 : i64}
  return
}

// -----

func.func @local_attention_c7_dim(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected dim to be the head size = 8 or one less, got 4}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, dim = 4 : i64}
  return
}

// -----

func.func @local_attention_c7_theta(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected theta to be positive and finite}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, dim = 8 : i64, theta = -1.0 : f64}
  return
}

// -----

func.func @local_attention_c7_base(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a finite xpos_scale_base}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, dim = 8 : i64, use_xpos, xpos_scale_base = 0x7FF8000000000000 : f64}
  return
}

// -----

func.func @local_attention_c8(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a finite scale}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, scale = 0x7FF0000000000000 : f64}
  return
}

// -----

func.func @local_attention_c9_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<4x12xf32>) {
  // expected-error @below {{expected bias of rank 3 (head, row, slot), got rank 2}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) bias(%b : tensor<4x12xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c9_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<3x4x12xf32>) {
  // expected-error @below {{expected query heads to be a multiple of bias heads, got 2 and 3}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) bias(%b : tensor<3x4x12xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c9_slots(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<2x4x8xf32>) {
  // expected-error @below {{expected axis 2 of bias to be 1 or the slots of a block = 12, got 8}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) bias(%b : tensor<2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c9_rows(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %b: tensor<2x?x12xf32>) {
  // expected-error @below {{expected axis 1 of bias to be 1 or the rows of a block = 4, got ?}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) bias(%b : tensor<2x?x12xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c10_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %m: tensor<2x4xi1>) {
  // expected-error @below {{expected axis 0 of key_mask to be query's batch = 1, got 2}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) key_mask(%m : tensor<2x4xi1>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c10_length(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %m: tensor<1x5xi1>) {
  // expected-error @below {{expected axis 1 of key_mask to be query's length = 4, got 5}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) key_mask(%m : tensor<1x5xi1>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c11(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected use_xpos beside call_window_size}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64, call_window_size = 2 : i64}
  return
}

// -----

func.func @local_attention_c12_count(%q: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: f32, %s: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64)}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) dropout(%p, %s, %s, %s : f32, i64, i64, i64) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}

// -----

func.func @local_attention_c12_type(%q: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: f64, %s: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64)}}
  %0 = lattn.local_attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) dropout(%p, %s, %s : f64, i64, i64) outs(%o : tensor<1x2x4x8xf32>) {window_size = 4 : i64}
  return
}
