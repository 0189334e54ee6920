// RUN: lattn-opt %s --lattn-raise | FileCheck %s
// RUN: lattn-opt %s --lattn-raise -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>

// A band of 3 keys before the query, and none after it.
// CHECK-LABEL: func @band
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<left = 3, right = 0>
// CHECK-NOT: linalg.softmax
func.func @band(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %i, %j : index
    %near = arith.cmpi sle, %d, %c3 : index
    %past = arith.cmpi sge, %d, %c0 : index
    %seen = arith.andi %near, %past : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// Along the queries, softmax is no attention.
// CHECK-LABEL: func @other_axis
// CHECK-NOT: lattn.attention
// REMARK: remark: not raised to lattn.attention: the softmax is not along the keys
func.func @other_axis(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %w = linalg.softmax dimension(1) ins(%s : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
