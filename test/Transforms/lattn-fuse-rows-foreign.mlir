// RUN: lattn-opt %s --lattn-fuse-rows -canonicalize -cse -verify-diagnostics | FileCheck %s

// Forms that other front ends write.

#row = affine_map<(n, d) -> (n, d)>
#kept = affine_map<(n, d) -> (n, 0)>
#batch = affine_map<(b, n, d) -> (b, n, d)>
#batch_kept = affine_map<(b, n, d) -> (b, n, 0)>
!x = tensor<500x64xf32>
!b = tensor<1x500x64xf32>

// CHECK-DAG: #[[RIGHT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>

// Sums keep their axis as one of extent 1: they are fused, too.
// CHECK-LABEL: func.func @kept_axis(
// CHECK:       scf.forall
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK:         linalg.matmul
// CHECK-NOT:   linalg
func.func @kept_axis(%x: !x, %w: tensor<64x64xf32>, %y: !x) -> !x {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<500x1xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%s : tensor<500x1xf32>) -> tensor<500x1xf32>
  %sum = linalg.generic {indexing_maps = [#row, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : !x) outs(%fill : tensor<500x1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.addf %v, %o : f32
    linalg.yield %0 : f32
  } -> tensor<500x1xf32>
  %less = linalg.generic {indexing_maps = [#row, #kept, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : !x, tensor<500x1xf32>) outs(%y : !x) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %0 = arith.subf %v, %m : f32
    linalg.yield %0 : f32
  } -> !x
  %p = linalg.matmul ins(%less, %w : !x, tensor<64x64xf32>) outs(%y : !x) -> !x
  return %p : !x
}

// The same with a batch.
// CHECK-LABEL: func.func @kept_axis_of_batch(
// CHECK:       scf.forall
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK:         linalg.matmul
// CHECK-NOT:   linalg
func.func @kept_axis_of_batch(%x: !b, %w: tensor<64x64xf32>, %y: !b, %z: !x) -> !x {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x500x1xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%s : tensor<1x500x1xf32>) -> tensor<1x500x1xf32>
  %sum = linalg.generic {indexing_maps = [#batch, #batch_kept], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !b) outs(%fill : tensor<1x500x1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.addf %v, %o : f32
    linalg.yield %0 : f32
  } -> tensor<1x500x1xf32>
  %less = linalg.generic {indexing_maps = [#batch, #batch_kept, #batch], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !b, tensor<1x500x1xf32>) outs(%y : !b) {
  ^bb0(%v: f32, %m: f32, %o: f32):
    %0 = arith.subf %v, %m : f32
    linalg.yield %0 : f32
  } -> !b
  %rows = tensor.collapse_shape %less [[0, 1], [2]] : !b into !x
  %p = linalg.matmul ins(%rows, %w : !x, tensor<64x64xf32>) outs(%z : !x) -> !x
  return %p : !x
}

// A product reads transposed weights as they lie.
// CHECK-LABEL: func.func @transposed_weights(
// CHECK-SAME:    %[[W:[^:]+]]: tensor<32x64xf32>
// CHECK-NOT:   linalg.transpose
// CHECK:       linalg.matmul indexing_maps = [#{{.*}}, #[[RIGHT]], #{{.*}}] ins(%{{.*}}, %[[W]] : tensor<8x64xf32>, tensor<32x64xf32>)
func.func @transposed_weights(%w: tensor<32x64xf32>, %x: tensor<8x64xf32>, %y: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<64x32xf32>
  %t = linalg.transpose ins(%w : tensor<32x64xf32>) outs(%e : tensor<64x32xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%x, %t : tensor<8x64xf32>, tensor<64x32xf32>) outs(%y : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %p : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @transposed_batch(
// CHECK-SAME:    %[[W:[^:]+]]: tensor<3x32x64xf32>
// CHECK-NOT:   linalg.transpose
// CHECK:       linalg.batch_matmul indexing_maps = [{{.*}}] ins(%{{.*}}, %[[W]] :
func.func @transposed_batch(%w: tensor<3x32x64xf32>, %x: tensor<3x8x64xf32>, %y: tensor<3x8x32xf32>) -> tensor<3x8x32xf32> {
  %e = tensor.empty() : tensor<3x64x32xf32>
  %t = linalg.transpose ins(%w : tensor<3x32x64xf32>) outs(%e : tensor<3x64x32xf32>) permutation = [0, 2, 1]
  %p = linalg.batch_matmul ins(%x, %t : tensor<3x8x64xf32>, tensor<3x64x32xf32>) outs(%y : tensor<3x8x32xf32>) -> tensor<3x8x32xf32>
  return %p : tensor<3x8x32xf32>
}

// Batches that move stay transposed.
// CHECK-LABEL: func.func @moved_batch(
// CHECK:       linalg.transpose
// CHECK:       linalg.batch_matmul ins(
func.func @moved_batch(%w: tensor<64x3x32xf32>, %x: tensor<3x8x64xf32>, %y: tensor<3x8x32xf32>) -> tensor<3x8x32xf32> {
  %e = tensor.empty() : tensor<3x64x32xf32>
  %t = linalg.transpose ins(%w : tensor<64x3x32xf32>) outs(%e : tensor<3x64x32xf32>) permutation = [1, 0, 2]
  %p = linalg.batch_matmul ins(%x, %t : tensor<3x8x64xf32>, tensor<3x64x32xf32>) outs(%y : tensor<3x8x32xf32>) -> tensor<3x8x32xf32>
  return %p : tensor<3x8x32xf32>
}
