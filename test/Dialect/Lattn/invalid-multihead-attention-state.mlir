// RUN: lattn-opt %s --split-input-file --verify-diagnostics

func.func @multihead_attention_c6_prev(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %prev_value: tensor<1x2x3x4xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected prev_key and prev_value together, got prev_value alone}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      prev_value(%prev_value : tensor<1x2x3x4xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_next(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x5x4xf32>) {
  // expected-error @below {{expected next_key and next_value together, got next_key alone}}
  %0:2 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x5x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_without(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %prev_key: tensor<1x2x3x4xf32>, %prev_value: tensor<1x2x3x4xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected next_key beside prev_key}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      prev_key(%prev_key : tensor<1x2x3x4xf32>) prev_value(%prev_value : tensor<1x2x3x4xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_first(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>) {
  // expected-error @below {{expected next_key beside is_first_step}}
  %0 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) {heads = 2 : i64, is_first_step}
  return
}

// -----

func.func @multihead_attention_c6_rank(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %prev_key: tensor<2x3x4xf32>, %prev_value: tensor<1x2x3x4xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x8x4xf32>, %next_value: tensor<1x2x8x4xf32>) {
  // expected-error @below {{expected prev_key of rank 4 (batch, head, position, size), got rank 3}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      prev_key(%prev_key : tensor<2x3x4xf32>) prev_value(%prev_value : tensor<1x2x3x4xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x8x4xf32>) next_value(%next_value : tensor<1x2x8x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_next_rank(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<2x5x4xf32>, %next_value: tensor<1x2x5x4xf32>) {
  // expected-error @below {{expected next_key of rank 4 (batch, head, position, size), got rank 3}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<2x5x4xf32>) next_value(%next_value : tensor<1x2x5x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_lengths(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %prev_key: tensor<1x2x3x4xf32>, %prev_value: tensor<1x2x2x4xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x8x4xf32>, %next_value: tensor<1x2x8x4xf32>) {
  // expected-error @below {{expected axis 2 of prev_value to be prev_key's length = 3, got 2}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      prev_key(%prev_key : tensor<1x2x3x4xf32>) prev_value(%prev_value : tensor<1x2x2x4xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x8x4xf32>) next_value(%next_value : tensor<1x2x8x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_sum(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %prev_key: tensor<1x2x3x4xf32>, %prev_value: tensor<1x2x3x4xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x5x4xf32>, %next_value: tensor<1x2x5x4xf32>) {
  // expected-error @below {{expected axis 2 of next_key to be prev_key's and key's length = 8, got 5}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      prev_key(%prev_key : tensor<1x2x3x4xf32>) prev_value(%prev_value : tensor<1x2x3x4xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x5x4xf32>) next_value(%next_value : tensor<1x2x5x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_first_sum(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x5x4xf32>, %next_value: tensor<1x2x6x4xf32>) {
  // expected-error @below {{expected axis 2 of next_value to be next_key's length = 5, got 6}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x5x4xf32>) next_value(%next_value : tensor<1x2x6x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_heads(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x1x5x4xf32>, %next_value: tensor<1x2x5x4xf32>) {
  // expected-error @below {{expected axis 1 of next_key to be heads = 2, got 1}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x1x5x4xf32>) next_value(%next_value : tensor<1x2x5x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_size(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x5x8xf32>, %next_value: tensor<1x2x5x4xf32>) {
  // expected-error @below {{expected axis 3 of next_key to be the head size = 4, got 8}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x5x8xf32>) next_value(%next_value : tensor<1x2x5x4xf32>) {heads = 2 : i64}
  return
}

// -----

func.func @multihead_attention_c6_type(%query: tensor<1x4x6xf32>, %key: tensor<1x5x6xf32>, %value: tensor<1x5x6xf32>, %w_q: tensor<8x6xf32>, %w_k: tensor<8x6xf32>, %w_v: tensor<8x6xf32>, %w_out: tensor<6x8xf32>, %prev_key: tensor<1x2x3x4xf32>, %prev_value: tensor<1x2x3x4xf16>, %output: tensor<1x4x6xf32>, %next_key: tensor<1x2x8x4xf32>, %next_value: tensor<1x2x8x4xf32>) {
  // expected-error @below {{expected next_value of element type 'f16', got 'f32'}}
  %0:3 = lattn.multihead_attention query(%query : tensor<1x4x6xf32>) key(%key : tensor<1x5x6xf32>) value(%value : tensor<1x5x6xf32>)
      w_q(%w_q : tensor<8x6xf32>) w_k(%w_k : tensor<8x6xf32>) w_v(%w_v : tensor<8x6xf32>) w_out(%w_out : tensor<6x8xf32>)
      prev_key(%prev_key : tensor<1x2x3x4xf32>) prev_value(%prev_value : tensor<1x2x3x4xf16>)
      outs(%output : tensor<1x4x6xf32>) next_key(%next_key : tensor<1x2x8x4xf32>) next_value(%next_value : tensor<1x2x8x4xf32>) {heads = 2 : i64}
  return
}
