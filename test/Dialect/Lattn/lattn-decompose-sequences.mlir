// RUN: lattn-opt %s --lattn-decompose --canonicalize | FileCheck %s

// The rows of one sequence after the other go to their place. No border is trusted.

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[PACKED:[^:]+]]: tensor<1x2x?x8xf32>, %[[CU:[^:]+]]: tensor<?xi32>
// CHECK: %[[ZEROS:.+]] = linalg.fill
// CHECK: scf.for %[[S:.+]] = %c0 to %{{.+}} step %c1 iter_args(%[[ALL:.+]] = %[[ZEROS]])
// CHECK: tensor.extract %[[CU]][%[[S]]]
// CHECK: arith.maxsi
// CHECK: %[[BEGIN:.+]] = arith.minsi
// CHECK: arith.maxsi %{{.+}}, %[[BEGIN]]
// CHECK: arith.subi
// CHECK: %[[LENGTH:.+]] = arith.minsi %{{.+}}, %{{.+}} : index
// CHECK-NEXT: %[[ROWS:.+]] = tensor.extract_slice %[[PACKED]][0, 0, %[[BEGIN]], 0] [1, 2, %[[LENGTH]], 8]
// CHECK-NEXT: tensor.insert_slice %[[ROWS]] into %[[ALL]][%[[S]], 0, 0, 0] [1, 2, %[[LENGTH]], 8]
// CHECK: tensor.generate
// CHECK: arith.index_cast %{{.+}} : index to i64
func.func @pad(%packed: tensor<1x2x?x8xf32>, %cu: tensor<?xi32>, %most: index) -> (tensor<?x2x?x8xf32>, tensor<?xi64>) {
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x2x?x8xf32>, tensor<?xi32>)
      max_seqlen(%most) -> tensor<?x2x?x8xf32>, tensor<?xi64>
  return %0, %n : tensor<?x2x?x8xf32>, tensor<?xi64>
}

// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %[[PADDED:[^:]+]]: tensor<?x?x2x8xf32>, %{{[^:]+}}: tensor<?xi64>, %[[OUT:[^:]+]]: tensor<1x?x2x8xf32>
// CHECK: scf.for %[[S:.+]] = %c0 to %{{.+}} step %c1 iter_args(%[[ALL:.+]] = %[[OUT]])
// CHECK: %[[BEGIN:.+]] = arith.minsi
// CHECK: arith.subi
// CHECK: %[[LENGTH:.+]] = arith.minsi %{{.+}}, %{{.+}} : index
// CHECK-NEXT: %[[ROWS:.+]] = tensor.extract_slice %[[PADDED]][%[[S]], 0, 0, 0] [1, %[[LENGTH]], 2, 8]
// CHECK-NEXT: tensor.insert_slice %[[ROWS]] into %[[ALL]][0, %[[BEGIN]], 0, 0] [1, %[[LENGTH]], 2, 8]
func.func @pack(%padded: tensor<?x?x2x8xf32>, %cu: tensor<?xi64>, %out: tensor<1x?x2x8xf32>) -> tensor<1x?x2x8xf32> {
  %0 = lattn.pack_sequences ins(%padded, %cu : tensor<?x?x2x8xf32>, tensor<?xi64>) outs(%out : tensor<1x?x2x8xf32>)
      {layout = #lattn.layout<bnhd>}
  return %0 : tensor<1x?x2x8xf32>
}
