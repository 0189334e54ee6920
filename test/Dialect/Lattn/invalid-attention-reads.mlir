// RUN: lattn-opt %s --split-input-file --verify-diagnostics

!t = tensor<1x2x4x8xf32>
func.func @attention_c23_bias(%q: !t, %b: tensor<2x7xf32>) -> !t {
  // expected-error @below {{expected every index of axis 1 of bias to be at least 0 and below 7, got 12 to 18}}
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) bias(%b : tensor<2x7xf32>)
      outs(%q : !t) {bias_map = affine_map<(b, h, i, j) -> (h, i - j + 15)>}
  return %0 : !t
}

// -----

// A remainder that skips numbers, 0 or 2, and a dimension that an index has twice.
!t = tensor<1x2x4x8xf32>
func.func @attention_c23_exact(%q: !t, %b: tensor<2xf32>, %c: tensor<3xf32>) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) bias(%c : tensor<3xf32>)
      outs(%q : !t) {bias_map = affine_map<(b, h, i, j) -> ((2 * i) mod 4)>}
  // expected-error @below {{expected every index of axis 0 of bias to be at least 0 and below 2, got 0 to 2}}
  %1 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) bias(%b : tensor<2xf32>)
      outs(%q : !t) {bias_map = affine_map<(b, h, i, j) -> (i - i floordiv 3)>}
  return %1 : !t
}

// -----

// Without pairs nothing is read; a size that is not known is checked at each call.
!t = tensor<1x2x4x8xf32>
!none = tensor<1x2x0x8xf32>
!any = tensor<1x2x?x8xf32>
func.func @attention_c23_no_pairs(%q: !t, %k: !none, %r: !any, %b: tensor<7xf32>) -> (!t, !any) {
  %0 = lattn.attention query(%q : !t) key(%k : !none) value(%k : !none) bias(%b : tensor<7xf32>)
      outs(%q : !t) {bias_map = affine_map<(b, h, i, j) -> (i + 15)>}
  %1 = lattn.attention query(%r : !any) key(%q : !t) value(%q : !t) bias(%b : tensor<7xf32>)
      outs(%r : !any) {bias_map = affine_map<(b, h, i, j) -> (j + 15)>}
  return %0, %1 : !t, !any
}

// -----

!t = tensor<1x2x4x8xf32>
func.func @attention_c23_capture(%q: !t, %table: tensor<4x3xf32>) -> !t {
  // expected-error @below {{expected every index of axis 1 of captured array 0 to be at least 0 and below 3, got -1 to 1}}
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) captures(%table : tensor<4x3xf32>)
      outs(%q : !t) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %t: tensor<4x3xf32>):
    %c1 = arith.constant 1 : i32
    %n = arith.shrsi %i, %c1 : i32
    %m = arith.subi %n, %h : i32
    %near = arith.minsi %m, %j : i32
    %row = arith.index_cast %j : i32 to index
    %column = arith.index_cast %m : i32 to index
    %unknown = arith.index_cast %near : i32 to index
    %x = tensor.extract %t[%unknown, %unknown] : tensor<4x3xf32>
    %y = tensor.extract %t[%row, %column] : tensor<4x3xf32>
    %r = arith.addf %x, %y : f32
    lattn.yield %r : f32
  }
  return %0 : !t
}

// -----

!t = memref<1x2x4x8xf32>
!r = memref<1x2x4xf32>
func.func @attention_grad_c1_reads(%q: !t, %l: !r, %b: memref<3xf32>) {
  // expected-error @below {{expected every index of axis 0 of bias to be at least 0 and below 3, got 0 to 3}}
  lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) bias(%b : memref<3xf32>)
      output(%q : !t) lse(%l : !r) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
      {bias_map = affine_map<(b, h, i, j) -> (j)>}
  return
}

// -----

!t = tensor<1x2x4x8xf32>
func.func @attention_scores_c6_reads(%q: !t, %e: tensor<1x2x4x4xf32>, %b: tensor<3xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @below {{expected every index of axis 0 of bias to be at least 0 and below 3, got -3 to 0}}
  %0 = lattn.attention_scores query(%q : !t) key(%q : !t) bias(%b : tensor<3xf32>) outs(%e : tensor<1x2x4x4xf32>)
      {bias_map = affine_map<(b, h, i, j) -> (-i)>, stage = #lattn.stage<masked>}
  return %0 : tensor<1x2x4x4xf32>
}

// -----

!t = memref<1x2x4x8xf32>
!r = memref<1x2x4xf32>
func.func @attention_jvp_c1_reads(%q: !t, %l: !r, %b: memref<3xf32>) {
  // expected-error @below {{expected every index of axis 0 of bias to be at least 0 and below 3, got 0 to 4}}
  lattn.attention_jvp query(%q : !t) key(%q : !t) value(%q : !t) bias(%b : memref<3xf32>) d_query(%q : !t)
      outs(%q, %l, %q, %l : !t, !r, !t, !r) {bias_map = affine_map<(b, h, i, j) -> (i + h)>}
  return
}
