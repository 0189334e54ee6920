// RUN: lattn-opt %s --split-input-file --verify-diagnostics

func.func @multihead_attention_c7_rank(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %key_padding_mask: tensor<5xi1>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected key_padding_mask of rank 2 (batch, key), got rank 1}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      key_padding_mask(%key_padding_mask : tensor<5xi1>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c7_keys(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %key_padding_mask: tensor<1x4xi1>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of key_padding_mask to be the number of keys = 5, got 4}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      key_padding_mask(%key_padding_mask : tensor<1x4xi1>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c7_state(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %prev_key: tensor<1x2x3x4xf32>, %prev_value: tensor<1x2x3x4xf32>, %key_padding_mask: tensor<1x5xi1>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x8x4xf32>, %next_value: tensor<1x2x8x4xf32>) {
  // expected-error @below {{expected axis 1 of key_padding_mask to be the number of keys = 8, got 5}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      prev_key(%prev_key : tensor<1x2x3x4xf32>) prev_value(%prev_value : tensor<1x2x3x4xf32>) key_padding_mask(%key_padding_mask : tensor<1x5xi1>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x8x4xf32>) next_value(%next_value : tensor<1x2x8x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c8_rank(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %rel_pos: tensor<1x1x1x4x5xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected rel_pos broadcastable to (batch, head, query, key), got rank 5}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      rel_pos(%rel_pos : tensor<1x1x1x4x5xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c8_axis(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %attn_mask: tensor<5x5xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of attn_mask to be 1 or the extent of query = 4, got 5}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      attn_mask(%attn_mask : tensor<5x5xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c8_heads(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %rel_pos: tensor<4x4x5xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 0 of rel_pos to be 1 or the extent of head = 2, got 4}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      rel_pos(%rel_pos : tensor<4x4x5xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c8_type(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %attn_mask: tensor<4x5xf64>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected attn_mask of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      attn_mask(%attn_mask : tensor<4x5xf64>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c9(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %p: f32, %s: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64)}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      dropout(%p, %s : f32, i64)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c10_rank(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %weights: tensor<2x4x5xf32>) {
  // expected-error @below {{expected weights of rank 4 (head, batch, query, key), got rank 3}}
  %0:2 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) weights(%weights : tensor<2x4x5xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c10_heads(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %weights: tensor<1x2x4x5xf32>) {
  // expected-error @below {{expected axis 0 of weights to be heads = 2, got 1}}
  %0:2 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) weights(%weights : tensor<1x2x4x5xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c10_type(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %weights: tensor<2x1x4x5xf64>) {
  // expected-error @below {{expected weights of element type f16, bf16 or f32, got 'f64'}}
  %0:2 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) weights(%weights : tensor<2x1x4x5xf64>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c11_scale(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected a finite scale}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64, scale = 0x7FF0000000000000 : f64}
  return
}

// -----

func.func @multihead_attention_c11_base(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected a finite xpos_scale_base}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64, xpos_scale_base = 0x7FF8000000000000 : f64}
  return
}

// -----

func.func @multihead_attention_c11_odd(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<6x6xf32>, %w_k: tensor<6x6xf32>, %w_v: tensor<6x6xf32>, %w_out: tensor<6x6xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected an even head size for xpos, got 3}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<6x6xf32>) w_k(%w_k : tensor<6x6xf32>) w_v(%w_v : tensor<6x6xf32>) w_out(%w_out : tensor<6x6xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64, use_xpos}
  return
}

// -----

func.func @multihead_attention_c11_window(%x: tensor<1x4x6xf32>, %w: tensor<6x6xf32>) {
  %0 = lattn.multihead_attention query(%x : tensor<1x4x6xf32>) key(%x : tensor<1x4x6xf32>) value(%x : tensor<1x4x6xf32>)
      w_q(%w : tensor<6x6xf32>) w_k(%w : tensor<6x6xf32>) w_v(%w : tensor<6x6xf32>) w_out(%w : tensor<6x6xf32>)
      // expected-error @below {{attribute 'window' failed to satisfy constraint}}
      outs(%x : tensor<1x4x6xf32>) {heads = 2 : i64, window = 3 : i64}
  return
}
