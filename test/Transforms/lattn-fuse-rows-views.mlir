// RUN: lattn-opt %s --lattn-fuse-rows -canonicalize -cse -verify-diagnostics | FileCheck %s

#batch = affine_map<(b, n, d) -> (b, n, d)>
#feature = affine_map<(b, n, d) -> (d)>
!x = tensor<500x64xf32>
!h = tensor<500x32xf32>
!s = tensor<500x4x8xf32>

// Halves of a product, and heads that are split and merged, are views of rows.
// CHECK-LABEL: func.func @views(
// CHECK:       scf.forall
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK-DAG:     %[[V:.*]] = tensor.extract_slice %[[P]][0, 0] [%[[N:.*]], 32]
// CHECK-DAG:     %[[G:.*]] = tensor.extract_slice %[[P]][0, 32] [%[[N]], 32]
// CHECK:         %[[M:.*]] = linalg.mul ins(%[[V]], %[[G]] :
// CHECK:         %[[S:.*]] = tensor.expand_shape %[[M]] {{\[\[}}0], [1, 2]] output_shape [%[[N]], 4, 8]
// CHECK:         %[[E:.*]] = linalg.exp ins(%[[S]] :
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[E]]
// CHECK:         linalg.matmul ins(%[[F]],
// CHECK-NOT:   linalg
func.func @views(%x: !x, %w: tensor<64x64xf32>, %down: tensor<32x64xf32>, %y: !x, %z: !h, %s: !s) -> !x {
  %p = linalg.matmul ins(%x, %w : !x, tensor<64x64xf32>) outs(%y : !x) -> !x
  %v = tensor.extract_slice %p[0, 0] [500, 32] [1, 1] : !x to !h
  %g = tensor.extract_slice %p[0, 32] [500, 32] [1, 1] : !x to !h
  %m = linalg.mul ins(%v, %g : !h, !h) outs(%z : !h) -> !h
  %heads = tensor.expand_shape %m [[0], [1, 2]] output_shape [500, 4, 8] : !h into !s
  %exp = linalg.exp ins(%heads : !s) outs(%s : !s) -> !s
  %merged = tensor.collapse_shape %exp [[0], [1, 2]] : !s into !h
  %0 = linalg.matmul ins(%merged, %down : !h, tensor<32x64xf32>) outs(%y : !x) -> !x
  return %0 : !x
}

// Work on batches goes over the rows of the products beside it.
// CHECK-LABEL: func.func @batches(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<2x?x64xf32>
// CHECK:       %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK:       scf.forall
// CHECK:         tensor.extract_slice %[[ROWS]]
// CHECK:         linalg.generic
// CHECK:         linalg.matmul
// CHECK:         linalg.generic
// CHECK:       } else {
func.func @batches(%x: tensor<2x?x64xf32>, %w: tensor<64x64xf32>, %bias: tensor<64xf32>, %y: tensor<?x64xf32>) -> tensor<2x?x64xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?x64xf32>
  %e = tensor.empty(%n) : tensor<2x?x64xf32>
  %square = linalg.generic {indexing_maps = [#batch, #batch], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x?x64xf32>) outs(%e : tensor<2x?x64xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.mulf %v, %v : f32
    linalg.yield %0 : f32
  } -> tensor<2x?x64xf32>
  %rows = tensor.collapse_shape %square [[0, 1], [2]] : tensor<2x?x64xf32> into tensor<?x64xf32>
  %p = linalg.matmul ins(%rows, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%y : tensor<?x64xf32>) -> tensor<?x64xf32>
  %split = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, %n, 64] : tensor<?x64xf32> into tensor<2x?x64xf32>
  %1 = linalg.generic {indexing_maps = [#batch, #feature, #batch], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%split, %bias : tensor<2x?x64xf32>, tensor<64xf32>) outs(%e : tensor<2x?x64xf32>) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %0 = arith.addf %v, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x?x64xf32>
  return %1 : tensor<2x?x64xf32>
}

// Rows that a slice shifts are others: a block would read all.
// CHECK-LABEL: func.func @shifted(
// CHECK:       linalg.matmul ins(%arg
// CHECK:       scf.forall
func.func @shifted(%x: !x, %w: tensor<64x64xf32>, %y: !x, %z: tensor<499x64xf32>) -> tensor<499x64xf32> {
  %p = linalg.matmul ins(%x, %w : !x, tensor<64x64xf32>) outs(%y : !x) -> !x
  %0 = tensor.extract_slice %p[1, 0] [499, 64] [1, 1] : !x to tensor<499x64xf32>
  %1 = linalg.exp ins(%0 : tensor<499x64xf32>) outs(%z : tensor<499x64xf32>) -> tensor<499x64xf32>
  return %1 : tensor<499x64xf32>
}
