// Tile sizes are measured for kernels by name: what makes another kernel is in it,
// and nothing else.
// RUN: lattn-opt %s --lattn-choose-tiles --remark-format=emitRemark --remarks-filter-missed="lattn.*" -o /dev/null 2>&1 | FileCheck %s

// CHECK: Kernel=f32.bhnd.d64.v64.window-left-256-right-0,
// CHECK: Kernel=f32.bhnd.d64.v64.window-left-256-right-0,
!t = tensor<?x?x?x64xf32>
!u = tensor<2x6x?x64xf32>
func.func @window(%q: !t, %k: !t, %v: !t, %o: !t, %offset: i64, %q1: !u) -> (!t, !u) {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 256, right = 0>}
  %1 = lattn.attention query(%q1 : !u) key(%q1 : !u) value(%q1 : !u) offset(%offset : i64)
      outs(%q1 : !u) {scale = 2.0 : f64, window = #lattn.window<left = 256, right = 0>}
  return %0, %1 : !t, !u
}

// CHECK: Kernel=bf16.bnhd.d80.v64.n100.m300.window-bucket-128-back-1.key_mask,
!q = tensor<1x100x8x80xbf16>
!k = tensor<1x300x8x80xbf16>
!v = tensor<1x300x8x64xbf16>
!w = tensor<1x100x8x64xbf16>
func.func @layout(%q: !q, %k: !k, %v: !v, %o: !w, %m: tensor<1x300xi1>) -> !w {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !v)
      key_mask(%m : tensor<1x300xi1>) outs(%o : !w)
      {layout = #lattn.layout<bnhd>, window = #lattn.window<bucket = 128, back = 1>}
  return %0 : !w
}

// CHECK: Kernel=f32.bhnd.d64.v64.bias_f32_d0-d1-d2-d3-0-d1-d2-d3,
func.func @bias(%q: !t, %k: !t, %v: !t, %o: !t, %b: tensor<1x?x?x?xf32>) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      bias(%b : tensor<1x?x?x?xf32>) outs(%o : !t)
  return %0 : !t
}

// The same score under other names, and another one.
// CHECK: Kernel=f32.bhnd.d64.v64.score_[[SCORE:[0-9a-f]+]],
// CHECK: Kernel=f32.bhnd.d64.v64.score_[[SCORE]],
// CHECK-NOT: [[SCORE]]
// CHECK: Kernel=f32.bhnd.d64.v64.score_{{[0-9a-f]+}},
func.func @scores(%q: !t, %k: !t, %v: !t, %o: !t) -> (!t, !t, !t) {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %1 = arith.addf %s, %s : f32
    lattn.yield %1 : f32
  }
  %2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) score {
  ^bb0(%x: f32, %y: i32, %z: i32, %i: i32, %j: i32):
    %sum = arith.addf %x, %x : f32
    lattn.yield %sum : f32
  }
  %3 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %1 = arith.mulf %s, %s : f32
    lattn.yield %1 : f32
  }
  return %0, %2, %3 : !t, !t, !t
}

// Whose head size is not known, has no kernel.
// CHECK: Kernel=, Remark=
func.func @unknown(%q: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = lattn.attention query(%q : tensor<?x?x?x?xf32>) key(%q : tensor<?x?x?x?xf32>)
      value(%q : tensor<?x?x?x?xf32>) outs(%q : tensor<?x?x?x?xf32>)
  return %0 : tensor<?x?x?x?xf32>
}
