// RUN: lattn-opt %s -split-input-file -verify-diagnostics

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c1_length(%q: !q, %k: !k, %v: tensor<1x2x7x8xf32>, %l: !r) {
  // expected-error @below {{expected axis 2 of value to be key's length = 6, got 7}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%v : tensor<1x2x7x8xf32>) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c1_origin(%q: !q, %k: !k, %l: !r, %c: index) {
  // expected-error @below {{expected an offset beside an origin: the default offset needs the whole lengths}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) origin(%c, %c, %c, %c) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c1_region(%q: !q, %k: !k, %l: !r) {
  // expected-error @below {{has captures but no score region to read them}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) captures(%l : !r) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c2_none(%q: !q, %k: !k, %l: !r) {
  // expected-error @below {{expected a tangent, got none}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c2_shape(%q: !q, %k: !k, %l: !r) {
  // expected-error @below {{expected axis 1 of d_key to be the extent of key = 2, got 4}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) d_key(%q : !q)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c3_lse(%q: !q, %k: !k, %l: !r, %m: tensor<1x4x6xf32>) {
  // expected-error @below {{expected axis 2 of d_lse to be the extent of query's (batch, head, position) = 5, got 6}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) d_query(%q : !q)
      outs(%q, %l, %q, %m : !q, !r, !q, tensor<1x4x6xf32>)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c3_shape(%q: !q, %k: !k, %l: !r, %o: tensor<1x4x4x8xf32>) {
  // expected-error @below {{expected axis 2 of d_output to be the extent of output = 5, got 4}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) d_query(%q : !q)
      outs(%q, %l, %o, %l : !q, !r, tensor<1x4x4x8xf32>, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c4_mixed(%q: !q, %k: !k, %l: !r, %m: memref<1x4x5xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) d_query(%q : !q)
      outs(%q, %l, %q, %m : !q, !r, !q, memref<1x4x5xf32>)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c1_sink(%q: !q, %k: !k, %l: !r, %s: tensor<3xf32>) {
  // expected-error @below {{expected axis 0 of sink to be query's heads = 4, got 3}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) sink(%s : tensor<3xf32>) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c1_dropout(%q: !q, %k: !k, %l: !r, %p: f32) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64) or, with heads : i64 behind, of a larger op}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) dropout(%p : f32) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c5_no_sink(%q: !q, %k: !k, %l: !r, %s: tensor<4xf32>) {
  // expected-error @below {{has d_sink but no sink}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) d_sink(%s : tensor<4xf32>)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c5_shape(%q: !q, %k: !k, %l: !r, %b: tensor<6xf32>, %d: tensor<5x6xf32>) {
  // expected-error @below {{expected d_bias of rank 1 like bias, got rank 2}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) bias(%b : tensor<6xf32>) d_bias(%d : tensor<5x6xf32>)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c6_count(%q: !q, %k: !k, %l: !r, %c: tensor<3xf32>) {
  // expected-error @below {{expected d_captures of the 1 captured arrays of floats, got 2}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) captures(%c : tensor<3xf32>) d_captures(%c, %c : tensor<3xf32>, tensor<3xf32>)
      outs(%q, %l, %q, %l : !q, !r, !q, !r) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32, %t: tensor<3xf32>):
      lattn.yield %x : f32
    }
  return
}

// -----

!q = tensor<1x4x5x8xf32>
!k = tensor<1x2x6x8xf32>
!r = tensor<1x4x5xf32>

func.func @attention_jvp_c6_type(%q: !q, %k: !k, %l: !r, %c: tensor<3xf32>, %d: tensor<3xf16>) {
  // expected-error @below {{expected d_captures of element type 'f32', got 'f16'}}
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) captures(%c : tensor<3xf32>) d_captures(%d : tensor<3xf16>)
      outs(%q, %l, %q, %l : !q, !r, !q, !r) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32, %t: tensor<3xf32>):
      lattn.yield %x : f32
    }
  return
}

// -----

!p = tensor<8x16xf32>
!k = tensor<6x8xf32>
!a = tensor<16x8xf32>
!r = tensor<16xf32>

func.func @attention_jvp_step_c1_keys(%p: !p, %k: !k, %v: tensor<7x8xf32>, %a: !a, %r: !r, %n: index) {
  // expected-error @below {{expected axis 0 of value to be the number of keys = 6, got 7}}
  lattn.attention_jvp_step query(%p : !p) key(%k : !k) value(%v : tensor<7x8xf32>) query_rows(%n) d_query(%p : !p)
      outs(%a, %r, %r, %a, %r : !a, !r, !r, !a, !r)
  return
}

// -----

!p = tensor<8x16xf32>
!k = tensor<6x8xf32>
!a = tensor<16x8xf32>
!r = tensor<16xf32>

func.func @attention_jvp_step_c2_state(%p: !p, %k: !k, %a: !a, %r: !r, %s: tensor<8xf32>, %n: index) {
  // expected-error @below {{expected axis 0 of d_sum to be the extent of (query, value) = 16, got 8}}
  lattn.attention_jvp_step query(%p : !p) key(%k : !k) value(%k : !k) query_rows(%n) d_query(%p : !p)
      outs(%a, %r, %r, %a, %s : !a, !r, !r, !a, tensor<8xf32>)
  return
}

// -----

!p = tensor<8x16xf32>
!k = tensor<6x8xf32>
!a = tensor<16x8xf32>
!r = tensor<16xf32>

func.func @attention_jvp_step_c3_offset(%p: !p, %k: !k, %a: !a, %r: !r, %n: index) {
  // expected-error @below {{expected an offset beside a window: the default of lattn.attention needs the whole key length}}
  lattn.attention_jvp_step query(%p : !p) key(%k : !k) value(%k : !k) query_rows(%n) d_query(%p : !p)
      outs(%a, %r, %r, %a, %r : !a, !r, !r, !a, !r) {causal}
  return
}

// -----

!p = tensor<8x16xf32>
!k = tensor<6x8xf32>
!a = tensor<16x8xf32>
!r = tensor<16xf32>

func.func @attention_jvp_step_c3_dropout(%p: !p, %k: !k, %a: !a, %r: !r, %n: index, %x: f32) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64, heads : i64)}}
  lattn.attention_jvp_step query(%p : !p) key(%k : !k) value(%k : !k) dropout(%x : f32) query_rows(%n) d_query(%p : !p)
      outs(%a, %r, %r, %a, %r : !a, !r, !r, !a, !r)
  return
}

// -----

!p = tensor<8x16xf32>
!k = tensor<6x8xf32>
!a = tensor<16x8xf32>
!r = tensor<16xf32>

func.func @attention_jvp_step_c4_results(%p: !p, %k: !k, %a: !a, %r: !r, %n: index) {
  // expected-error @below {{expected the score region to yield 'f32', 'f32', 'f32', got 'f32'}}
  lattn.attention_jvp_step query(%p : !p) key(%k : !k) value(%k : !k) query_rows(%n) d_query(%p : !p)
      outs(%a, %r, %r, %a, %r : !a, !r, !r, !a, !r) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32):
      lattn.yield %x : f32
    }
  return
}
