// RUN: lattn-opt %s --lattn-raise -o %t 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t

// As in buckets.mlir, but the keys of each row are multiplied by numbers of their
// places in it, as by a rotary embedding. The buckets stay. In the coordinates of
// a row, query i stands at i + 16: it sees the keys from i + 4 to i + 16, and the
// first bucket has no keys before its own.

!t = tensor<48x4xf32>
!p = tensor<64x4xf32>
!q = tensor<3x16x4xf32>
!k = tensor<3x32x4xf32>
!s = tensor<3x16x32xf32>
#row = affine_map<(w, j, d) -> (w * 16 + j, d)>
#place = affine_map<(w, j, d) -> (j, d)>
#all = affine_map<(a, b, c) -> (a, b, c)>

// WHY: remark: raised with an axis of buckets: the keys of the rows are not those of one array
// WHY: note: at this operation
// WHY-NEXT: %s = linalg.batch_matmul
// CHECK-LABEL: func @turned_keys
// CHECK: lattn.attention query(%{{.*}} : tensor<1x3x16x4xf32>) key(%{{.*}} : tensor<1x3x32x4xf32>)
// CHECK-SAME: window = #lattn.window<left = 12, right = 0>} score {
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %{{.*}}: i32, %[[BUCKET:.*]]: i32, %{{.*}}: i32, %[[KEY:.*]]: i32):
// CHECK: %[[FIRST:.*]] = arith.muli %[[BUCKET]], %{{.*}} : i32
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[KEY]] : i32
// CHECK: %[[MORE:.*]] = arith.addi %[[ROW]], %{{.*}} : i32
// CHECK: %[[SEEN:.*]] = arith.cmpi sge, %[[MORE]], %{{.*}} : i32
// CHECK: arith.select %[[SEEN]], %[[S]], %{{.*}} : f32
// CHECK-NEXT: lattn.yield
func.func @turned_keys(%q: !t, %k: !t, %v: !t, %t: tensor<32x4xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ke = tensor.empty() : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !p) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %kt = linalg.generic {indexing_maps = [#all, #place, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ku, %t : !k, tensor<32x4xf32>) outs(%ke : !k) {
  ^bb0(%i: f32, %turn: f32, %o: f32):
    %0 = arith.mulf %i, %turn : f32
    linalg.yield %0 : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ve = tensor.empty() : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !p) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %kt : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %w = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %w, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %c12 = arith.constant 12 : index
    %d = arith.subi %query, %place : index
    %near = arith.cmpi sle, %d, %c12 : index
    %both = arith.andi %past, %near : i1
    %seen = arith.andi %both, %inside : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}
