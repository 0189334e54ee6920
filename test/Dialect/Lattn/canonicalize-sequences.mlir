// RUN: lattn-opt %s --canonicalize | FileCheck %s

// Sizes do not need the padded rows.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME: %{{.+}}: tensor<1x?x2x8xf32>, %[[CU:.+]]: tensor<?xi32>, %[[MOST:.+]]: index
// CHECK-NOT: pad_sequences
// CHECK: %[[ENTRIES:.+]] = tensor.dim %[[CU]], %c0
// CHECK: %[[SOME:.+]] = arith.maxsi %[[ENTRIES]], %c1
// CHECK: %[[COUNT:.+]] = arith.subi %[[SOME]], %c1
// CHECK: return %[[COUNT]], %[[MOST]], %{{.+}} : index, index, index
func.func @sizes(%packed: tensor<1x?x2x8xf32>, %cu: tensor<?xi32>, %most: index) -> (index, index, index) {
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x?x2x8xf32>, tensor<?xi32>)
      max_seqlen(%most) {layout = #lattn.layout<bnhd>} -> tensor<?x?x2x8xf32>, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %batches = tensor.dim %0, %c0 : tensor<?x?x2x8xf32>
  %rows = tensor.dim %0, %c1 : tensor<?x?x2x8xf32>
  %lengths = tensor.dim %n, %c0 : tensor<?xi64>
  return %batches, %rows, %lengths : index, index, index
}
