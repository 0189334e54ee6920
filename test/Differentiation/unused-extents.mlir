// RUN: lattn-opt %s --lattn-differentiate=mode=forward | FileCheck %s

// Only an input that the body does not use tells the extent of the loop j.
// CHECK-LABEL: func.func @sum_reads_jvp(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?xf32>, %[[E:[^:]+]]: tensor<8xi1>, %{{[^:]+}}: tensor<4xf32>, %[[DX:[^:]+]]: tensor<?xf32>
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[E]] : tensor<8xi1>)
// CHECK:         tensor.extract %[[DX]]
func.func @sum_reads(%x: tensor<?xf32>, %extent: tensor<8xi1>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%extent : tensor<8xi1>) outs(%y : tensor<4xf32>) {
  ^bb0(%in: i1, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = arith.addi %i, %j : index
    %e = tensor.extract %x[%at] : tensor<?xf32>
    %s = arith.addf %out, %e : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
