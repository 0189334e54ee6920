// RUN: lattn-opt %s --split-input-file --verify-diagnostics

func.func @local_mha_c1_rank(%x: tensor<4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<4x6xf32>) {
  // expected-error @below {{expected input of rank 3 (batch, position, element), got rank 2}}
  %0 = lattn.local_mha input(%x : tensor<4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c1_output(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x8x6xf32>) {
  // expected-error @below {{expected axis 1 of output to be input's length = 4, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x8x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c1_type(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf64>) {
  // expected-error @below {{expected output of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf64>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c1_width(%x: tensor<1x4x0xf32>, %qkv: tensor<24x0xf32>, %w: tensor<0x8xf32>, %o: tensor<1x4x0xf32>) {
  // expected-error @below {{expected an input of width 1 at least, got 0}}
  %0 = lattn.local_mha input(%x : tensor<1x4x0xf32>) w_qkv(%qkv : tensor<24x0xf32>) w_out(%w : tensor<0x8xf32>) outs(%o : tensor<1x4x0xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c1_mixed(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: memref<1x4x6xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : memref<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c1_weight(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf64>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected w_out of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf64>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c2_heads(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected heads in [1, 1048576], got 0}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 0 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c2_rank(%x: tensor<1x4x6xf32>, %qkv: tensor<24xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected w_qkv of rank 2 (3 * heads * size, width), got rank 1}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c2_width(%x: tensor<1x4x6xf32>, %qkv: tensor<24x5xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of w_qkv to be input's width = 6, got 5}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x5xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c2_rows(%x: tensor<1x4x6xf32>, %qkv: tensor<20x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_qkv to be a known, positive multiple of 3 * heads = 6, got 20}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<20x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c2_unknown(%x: tensor<1x4x6xf32>, %qkv: tensor<?x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_qkv to be a known, positive multiple of 3 * heads = 6, got ?}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<?x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c2_none(%x: tensor<1x4x6xf32>, %qkv: tensor<0x6xf32>, %w: tensor<6x0xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_qkv to be a known, positive multiple of 3 * heads = 6, got 0}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<0x6xf32>) w_out(%w : tensor<6x0xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c3_width(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<8x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_out to be input's width = 6, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<8x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c3_columns(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x6xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of w_out to be a third of w_qkv's rows = 8, got 6}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x6xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c4_gain(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %norm_gain: tensor<8xf32>) {
  // expected-error @below {{expected axis 0 of norm_gain to be input's width = 6, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) norm_gain(%norm_gain : tensor<8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c4_bias(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %norm_gain: tensor<6xf32>, %norm_bias: tensor<8xf32>) {
  // expected-error @below {{expected axis 0 of norm_bias to be input's width = 6, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) norm_gain(%norm_gain : tensor<6xf32>) norm_bias(%norm_bias : tensor<8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c4_alone(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %norm_bias: tensor<6xf32>) {
  // expected-error @below {{expected norm_gain beside norm_bias}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) norm_bias(%norm_bias : tensor<6xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c4_eps(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected norm_eps of at least 0 and finite}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, norm_eps = -1.0 : f64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c5_query(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %q_scale: tensor<8xf32>, %k_scale: tensor<4xf32>) {
  // expected-error @below {{expected axis 0 of q_scale to be the head size = 4, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) q_scale(%q_scale : tensor<8xf32>) k_scale(%k_scale : tensor<4xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c5_key(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %q_scale: tensor<4xf32>, %k_scale: tensor<8xf32>) {
  // expected-error @below {{expected axis 0 of k_scale to be the head size = 4, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) q_scale(%q_scale : tensor<4xf32>) k_scale(%k_scale : tensor<8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c5_alone(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %k_scale: tensor<4xf32>) {
  // expected-error @below {{expected q_scale and k_scale together, got k_scale alone}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) k_scale(%k_scale : tensor<4xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c6_heads(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %w_gate: tensor<3x6xf32>) {
  // expected-error @below {{expected axis 0 of w_gate to be heads = 2, got 3}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) w_gate(%w_gate : tensor<3x6xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c6_width(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %w_gate: tensor<2x8xf32>) {
  // expected-error @below {{expected axis 1 of w_gate to be input's width = 6, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) w_gate(%w_gate : tensor<2x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c6_bias(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %w_gate: tensor<2x6xf32>, %gate_bias: tensor<6xf32>) {
  // expected-error @below {{expected axis 0 of gate_bias to be heads = 2, got 6}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) w_gate(%w_gate : tensor<2x6xf32>) gate_bias(%gate_bias : tensor<6xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c6_alone(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %gate_bias: tensor<2xf32>) {
  // expected-error @below {{expected w_gate beside gate_bias}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) gate_bias(%gate_bias : tensor<2xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c7_window(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected window_size in [1, 1073741824], got 0}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 0 : i64}
  return
}

// -----

func.func @local_mha_c7_forward(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{cannot look forward if causal, got look_forward = 1}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64, causal, look_forward = 1 : i64}
  return
}

// -----

func.func @local_mha_c7_length(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected a sequence length divisible by the window's 3, got 4}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 3 : i64}
  return
}

// -----

func.func @local_mha_c7_dim(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected dim to be the head size = 4 or one less, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64, dim = 8 : i64}
  return
}

// -----

func.func @local_mha_c7_scale(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>) {
  // expected-error @below {{expected a finite scale}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64, scale = 0x7FF0000000000000 : f64}
  return
}

// -----

func.func @local_mha_c8_heads(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %bias: tensor<3x4x12xf32>) {
  // expected-error @below {{expected query heads to be a multiple of bias heads, got 2 and 3}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) bias(%bias : tensor<3x4x12xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c8_slots(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %bias: tensor<2x4x8xf32>) {
  // expected-error @below {{expected axis 2 of bias to be 1 or the slots of a block = 12, got 8}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) bias(%bias : tensor<2x4x8xf32>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}

// -----

func.func @local_mha_c8_mask(%x: tensor<1x4x6xf32>, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>, %o: tensor<1x4x6xf32>, %key_mask: tensor<1x5xi1>) {
  // expected-error @below {{expected axis 1 of key_mask to be input's length = 4, got 5}}
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf32>) w_qkv(%qkv : tensor<24x6xf32>) w_out(%w : tensor<6x8xf32>) key_mask(%key_mask : tensor<1x5xi1>) outs(%o : tensor<1x4x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
  return
}
