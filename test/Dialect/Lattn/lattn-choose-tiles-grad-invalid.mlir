// RUN: lattn-opt %s --split-input-file --verify-diagnostics --lattn-choose-tiles=bf16-dot
// RUN: not lattn-opt %s --split-input-file --lattn-tile-grad 2>&1 | FileCheck %s

// Derivatives have no kernels with all lanes.

!q = tensor<1x8x?x64xf32>
!l = tensor<1x8x?xf32>
// CHECK: 'lattn.attention_grad' op cannot be lowered: expected lanes = queries or features in its schedule, got mixed
func.func @mixed(%q: !q, %l: !l) -> !q {
  // expected-error @below {{'lattn.attention_grad' op expected lanes = queries or features in its schedule, got mixed}}
  %0:3 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q) {schedule = #lattn.schedule<lanes = mixed>}
  return %0#0 : !q
}

// -----

!q = tensor<1x8x?x64xf32>
!l = tensor<1x8x?xf32>
// CHECK: 'lattn.attention_grad' op cannot be lowered: expected lanes = queries in its schedule with dropout, got features
func.func @dropout(%q: !q, %l: !l, %p: f32, %n: i64) -> !q {
  // expected-error @below {{expected lanes = queries in its schedule with dropout, got features}}
  %0:3 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) dropout(%p, %n, %n : f32, i64, i64)
      output(%q : !q) lse(%l : !l) d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q)
      {schedule = #lattn.schedule<lanes = features>}
  return %0#0 : !q
}

// -----

!q = tensor<1x8x?x64xf32>
!l = tensor<1x8x?xf32>
!b = tensor<8x1x1xf32>
func.func @bias(%q: !q, %l: !l, %b: !b) -> !q {
  // expected-error @below {{expected lanes = queries in its schedule with d_bias, got features}}
  %0:4 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) bias(%b : !b) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q) d_bias(%b : !b)
      {bias_map = affine_map<(b, h, q, k) -> (h, 0, 0)>, schedule = #lattn.schedule<lanes = features>}
  return %0#0 : !q
}

// -----

!q = tensor<1x8x?x64xf32>
!l = tensor<1x8x?xf32>
!c = tensor<8xf32>
func.func @captures(%q: !q, %l: !l, %c: !c) -> !q {
  // expected-error @below {{expected lanes = queries in its schedule with d_captures, got features}}
  %0:4 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) captures(%c : !c) output(%q : !q)
      lse(%l : !l) d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q) d_captures(%c : !c)
      {schedule = #lattn.schedule<lanes = features>} score {
    ^bb0(%s: f32, %bi: i32, %hi: i32, %qi: i32, %ki: i32, %t: !c):
      %head = arith.index_cast %hi : i32 to index
      %x = tensor.extract %t[%head] : !c
      %y = arith.addf %s, %x : f32
      lattn.yield %y : f32
    }
  return %0#0 : !q
}

// -----

!q = tensor<1x8x?x64xbf16>
!l = tensor<1x8x?xf32>
func.func @products(%q: !q, %l: !l) -> !q {
  // expected-error @below {{expected lanes = queries in its schedule with products that are not widened, got features}}
  %0:3 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q) {schedule = #lattn.schedule<products = dot, lanes = features>}
  return %0#0 : !q
}

// -----

!q = tensor<1x8x?x64xf32>
!l = tensor<1x8x?xf32>
// CHECK: 'lattn.attention_jvp' op cannot be lowered: expected lanes = mixed in its schedule, got features
func.func @tangents(%q: !q, %l: !l) -> !q {
  // expected-error @below {{'lattn.attention_jvp' op expected lanes = mixed in its schedule, got features}}
  %0:4 = lattn.attention_jvp query(%q : !q) key(%q : !q) value(%q : !q) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !l, !q, !l) {schedule = #lattn.schedule<lanes = features>}
  return %0#2 : !q
}
