// RUN: lattn-opt %s --lattn-decompose --canonicalize | FileCheck %s

// Naive loops read an element where its page is.
// CHECK-DAG: #[[ENTRY:.+]] = affine_map<()[s0] -> (s0 floordiv 64)>
// CHECK-DAG: #[[ROW:.+]] = affine_map<()[s0] -> (s0 mod 64)>
// CHECK-LABEL: func.func @gather_pages(
// CHECK-SAME: %[[POOL:.+]]: tensor<?x64x2x8xf32>, %[[PAGES:.+]]: tensor<3x?xi32>
// CHECK: linalg.generic
// CHECK: %[[B:.+]] = linalg.index 0
// CHECK: %[[T:.+]] = linalg.index 1
// CHECK: %[[H:.+]] = linalg.index 2
// CHECK: %[[D:.+]] = linalg.index 3
// CHECK-DAG: %[[E:.+]] = affine.apply #[[ENTRY]]()[%[[T]]]
// CHECK-DAG: %[[R:.+]] = affine.apply #[[ROW]]()[%[[T]]]
// CHECK: tensor.extract %[[PAGES]][%[[B]], %[[E]]]
// CHECK: %[[P:.+]] = arith.maxsi
// CHECK: tensor.extract %[[POOL]][%[[P]], %[[R]], %[[H]], %[[D]]]
func.func @gather_pages(%pool: tensor<?x64x2x8xf32>, %pages: tensor<3x?xi32>) -> tensor<3x?x2x8xf32> {
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<?x64x2x8xf32>, tensor<3x?xi32>)
      {layout = #lattn.layout<bnhd>} -> tensor<3x?x2x8xf32>
  return %0 : tensor<3x?x2x8xf32>
}
