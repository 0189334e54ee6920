// RUN: lattn-opt %s --split-input-file --verify-diagnostics

func.func @multihead_attention_c1_rank(%query: tensor<4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected query of rank 3 (batch, position, element), got rank 2}}
  %0 = lattn.multihead_attention query(%query : tensor<4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c1_batch(%query: tensor<1x4x6xf32>, %key: tensor<2x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of key to be query's batch = 1, got 2}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<2x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c1_value(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x4x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of value to be key's length = 5, got 4}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x4x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c1_output(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x5x6xf32>) {
  // expected-error @below {{expected axis 1 of output to be query's length = 4, got 5}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x5x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c1_type(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf64>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected value of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf64>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c1_width(%query: tensor<1x4x6xf32>, %key: tensor<1x5x0xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x0xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected key of width 1 at least, got 0}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x0xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x0xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c1_weight(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf64>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected w_v of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf64>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c2_heads(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected heads in [1, 1048576], got 0}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 0 : i64}
  return
}

// -----

func.func @multihead_attention_c2_many(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected heads in [1, 1048576], got 1048577}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 1048577 : i64}
  return
}

// -----

func.func @multihead_attention_c2_rows(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<9x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_q to be a known, positive multiple of heads = 2, got 9}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<9x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c2_unknown(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<?x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_q to be a known, positive multiple of heads = 2, got ?}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<?x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c2_none(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<0x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_q to be a known, positive multiple of heads = 2, got 0}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<0x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c2_width(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x5xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of w_q to be query's width = 6, got 5}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x5xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c3_rows(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<6x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_k to be w_q's rows = 8, got 6}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<6x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c3_width(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x5xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of w_v to be value's width = 6, got 5}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x5xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c3_output(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<5x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of w_out to be output's width = 6, got 5}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<5x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c3_columns(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x6xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of w_out to be w_q's rows = 8, got 6}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x6xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c4_inner(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %b_k: tensor<6xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of b_k to be w_q's rows = 8, got 6}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      b_k(%b_k : tensor<6xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c4_rank(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %b_q: tensor<1x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected b_q of rank 1 (heads * size), got rank 2}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      b_q(%b_q : tensor<1x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c4_output(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %b_out: tensor<8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of b_out to be output's width = 6, got 8}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      b_out(%b_out : tensor<8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c5_gain(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %subln_gain: tensor<6xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of subln_gain to be w_q's rows = 8, got 6}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      subln_gain(%subln_gain : tensor<6xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c5_alone(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %subln_bias: tensor<8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected subln_gain beside subln_bias}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      subln_bias(%subln_bias : tensor<8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c5_eps(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %subln_gain: tensor<8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected subln_eps of at least 0 and finite}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      subln_gain(%subln_gain : tensor<8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64, subln_eps = -1.0 : f64}
  return
}

// -----

func.func @multihead_attention_c5_infinite(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected subln_eps of at least 0 and finite}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64, subln_eps = 0x7FF0000000000000 : f64}
  return
}

// -----

func.func @multihead_attention_c1_mixed(%x: tensor<1x4x6xf32>, %w: tensor<6x6xf32>, %o: memref<1x4x6xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.multihead_attention query(%x : tensor<1x4x6xf32>) key(%x : tensor<1x4x6xf32>) value(%x : tensor<1x4x6xf32>)
      w_q(%w : tensor<6x6xf32>) w_k(%w : tensor<6x6xf32>) w_v(%w : tensor<6x6xf32>) w_out(%w : tensor<6x6xf32>)
      outs(%o : memref<1x4x6xf32>) {heads = 2 : i64}
  return
}
