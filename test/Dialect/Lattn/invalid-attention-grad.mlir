// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_grad_c1_key_batch(%q: tensor<1x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<2x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{expected axis 0 of key to be query's batch = 1, got 2}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<2x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<2x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c1_dropout(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>, %p: f32) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64) or, with heads : i64 behind, of a larger op}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>) dropout(%p : f32)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c1_origin(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>, %c: index) {
  // expected-error @below {{expected an offset beside an origin: the default offset needs the whole lengths}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>) origin(%c, %c, %c, %c)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c1_sink(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{expected axis 0 of sink to be query's heads = 4, got 3}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>) sink(%s : tensor<3xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c1_length(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x7x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x7x8xf32>) {
  // expected-error @below {{expected axis 2 of value to be key's length = 6, got 7}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x7x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x7x8xf32>)
  return
}

// -----

func.func @attention_grad_c2_shape(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x6x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{expected axis 2 of d_output to be the extent of output = 5, got 6}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x6x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c2_rank(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{expected d_output of rank 4 like output, got rank 3}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c2_type(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf64>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{got 'f64'}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf64>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c3_lse_rank(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{expected lse of rank 3 (batch, head, query), got rank 2}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c3_lse_type(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf64>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{expected lse of element type 'f32', got 'f64'}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf64>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c3_d_lse(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>, %dl: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 2 of d_lse to be query's length = 5, got 6}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>) d_lse(%dl : tensor<1x4x6xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c4_query(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x9xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{expected axis 3 of d_query to be the extent of query = 8, got 9}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x9xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c4_value(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x4x6x8xf32>) {
  // expected-error @below {{expected axis 1 of d_value to be the extent of value = 2, got 4}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x4x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c4_type(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf64>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{got 'f64'}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf64>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_c5_no_sink(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>, %s: tensor<4xf32>) {
  // expected-error @below {{has d_sink but no sink}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>, %s : tensor<4xf32>)
  return
}

// -----

func.func @attention_grad_c5_shape(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>, %s: tensor<4xf32>, %ds: tensor<5xf32>) {
  // expected-error @below {{expected axis 0 of d_sink to be the extent of sink = 4, got 5}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>) sink(%s : tensor<4xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>, %ds : tensor<5xf32>)
  return
}

// -----

func.func @attention_grad_c6_mixed(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x4x5x8xf32>, %l: memref<1x4x5xf32>, %do: tensor<1x4x5x8xf32>, %dq: tensor<1x4x5x8xf32>, %dk: tensor<1x2x6x8xf32>, %dv: tensor<1x2x6x8xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      output(%o : tensor<1x4x5x8xf32>) lse(%l : memref<1x4x5xf32>) d_output(%do : tensor<1x4x5x8xf32>)
      outs(%dq, %dk, %dv : tensor<1x4x5x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
  return
}

// -----

func.func @attention_grad_step_c1_rank(%q: tensor<4x8xf32>, %k: tensor<1x6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected key of rank 2 (row, feature), got rank 3}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<1x6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c1_extent(%q: tensor<4x8xf32>, %k: tensor<6x9xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x9xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected axis 1 of key to be the extent seen before = 8, got 9}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x9xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x9xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c1_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf64>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{got 'f64'}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf64>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c1_head_size(%q: tensor<4x0xf32>, %k: tensor<6x0xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x0xf32>, %dk: tensor<6x0xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected a head size of at least 1, got 0}}
  lattn.attention_grad_step query(%q : tensor<4x0xf32>) key(%k : tensor<6x0xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x0xf32>, tensor<6x0xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c2_length(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<4xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected axis 0 of row_sums to be d_query's rows = 16, got 4}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<4xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c2_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf64>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected lse of element type 'f32', got 'f64'}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf64>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c2_rows(%q: tensor<17x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<17x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected at most 16 queries, d_query's rows, got 17}}
  lattn.attention_grad_step query(%q : tensor<17x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<17x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c3_count(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>, %p: tensor<8x16xf32>) {
  // expected-error @below {{expected packed (query, d_output), got 1 values}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>) packed(%p : tensor<8x16xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c3_type(%q: tensor<4x8xbf16>, %k: tensor<6x8xbf16>, %v: tensor<6x7xbf16>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xbf16>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>, %p: tensor<8x16xf32>, %pdo: tensor<7x16xf32>) {
  // expected-error @below {{expected packed query of element type 'bf16', got 'f32'}}
  lattn.attention_grad_step query(%q : tensor<4x8xbf16>) key(%k : tensor<6x8xbf16>) value(%v : tensor<6x7xbf16>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xbf16>) packed(%p, %pdo : tensor<8x16xf32>, tensor<7x16xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>) {schedule = #lattn.schedule<products = dot>}
  return
}

// -----

func.func @attention_grad_step_c5(%q: tensor<4x8xbf16>, %k: tensor<6x8xbf16>, %v: tensor<6x7xbf16>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected d_output of bf16 for the schedule's products = dot, got 'f32'}}
  lattn.attention_grad_step query(%q : tensor<4x8xbf16>) key(%k : tensor<6x8xbf16>) value(%v : tensor<6x7xbf16>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>) {schedule = #lattn.schedule<products = dot>}
  return
}

// -----

func.func @attention_grad_step_c3_shape(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>, %p: tensor<8x16xf32>) {
  // expected-error @below {{expected axis 0 of packed d_output to be the number of features = 7, got 8}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>) packed(%p, %p : tensor<8x16xf32>, tensor<8x16xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c4_offset(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected an offset beside a window: the default of lattn.attention needs the whole key length}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>) {causal}
  return
}

// -----

func.func @attention_grad_step_c4_dropout(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>, %p: f32, %s: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64, heads : i64)}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>) dropout(%p, %s, %s : f32, i64, i64)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>)
  return
}

// -----

func.func @attention_grad_step_c5_products(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x7xf32>, %l: tensor<16xf32>, %r: tensor<16xf32>, %do: tensor<4x7xf32>, %dq: tensor<16x8xf32>, %dk: tensor<6x8xf32>, %dv: tensor<6x7xf32>) {
  // expected-error @below {{expected value of bf16 for the schedule's products = dot, got 'f32'}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%v : tensor<6x7xf32>)
      lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%do : tensor<4x7xf32>)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x7xf32>) {schedule = #lattn.schedule<products = dot>}
  return
}

// -----

func.func @attention_grad_step_c6_one_value(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %l: tensor<16xf32>, %dq: tensor<16x8xf32>) {
  // expected-error @below {{expected the score region to yield 'f32', 'f32', got 'f32'}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%k : tensor<6x8xf32>)
      lse(%l : tensor<16xf32>) row_sums(%l : tensor<16xf32>) d_output(%q : tensor<4x8xf32>)
      outs(%dq, %k, %k : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    lattn.yield %s : f32
  }
  return
}

// -----

func.func @attention_grad_c5_no_bias(%q: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>) {
  // expected-error @below {{has d_bias but no bias}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%q : tensor<1x4x5x8xf32>) value(%q : tensor<1x4x5x8xf32>)
      output(%q : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%q : tensor<1x4x5x8xf32>)
      outs(%q, %q, %q : tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32>) d_bias(%l : tensor<1x4x5xf32>)
  return
}

// -----

func.func @attention_grad_c7_count(%q: tensor<1x4x5x8xf32>, %l: tensor<1x4x5xf32>) {
  // expected-error @below {{expected d_captures of the 0 captured arrays of floats, got 1}}
  lattn.attention_grad query(%q : tensor<1x4x5x8xf32>) key(%q : tensor<1x4x5x8xf32>) value(%q : tensor<1x4x5x8xf32>)
      output(%q : tensor<1x4x5x8xf32>) lse(%l : tensor<1x4x5xf32>) d_output(%q : tensor<1x4x5x8xf32>)
      outs(%q, %q, %q : tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32>) d_captures(%l : tensor<1x4x5xf32>)
  return
}

// -----

func.func @attention_grad_step_c7_rows(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %l: tensor<16xf32>, %dq: tensor<16x8xf32>, %p: tensor<5x16xf32>) {
  // expected-error @below {{expected pairs with at least 6 rows, one per key, got 5}}
  lattn.attention_grad_step query(%q : tensor<4x8xf32>) key(%k : tensor<6x8xf32>) value(%k : tensor<6x8xf32>)
      lse(%l : tensor<16xf32>) row_sums(%l : tensor<16xf32>) d_output(%q : tensor<4x8xf32>)
      outs(%dq, %k, %k : tensor<16x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) pairs(%p, %p : tensor<5x16xf32>, tensor<5x16xf32>)
  return
}
