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

// So does a step over keys in pages, from its first key on.
// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[POOL:.+]]: tensor<?x64x8xf32>, %[[PAGES:.+]]: tensor<?xi32>, %[[FIRST:.+]]: index, %[[COUNT:.+]]: index
// CHECK: tensor.empty(%[[COUNT]]) : tensor<4x?xf32>
// CHECK: linalg.generic
// CHECK: %[[K:.+]] = linalg.index 1
// CHECK: %[[D:.+]] = linalg.index 2
// CHECK: %[[T:.+]] = arith.addi %[[FIRST]], %[[K]]
// CHECK-DAG: %[[E:.+]] = affine.apply #[[ENTRY]]()[%[[T]]]
// CHECK-DAG: %[[R:.+]] = affine.apply #[[ROW]]()[%[[T]]]
// CHECK: tensor.extract %[[PAGES]][%[[E]]]
// CHECK: %[[P:.+]] = arith.maxsi
// CHECK: tensor.extract %[[POOL]][%[[P]], %[[R]], %[[D]]]
#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @step(%pool: tensor<?x64x8xf32>, %pages: tensor<?xi32>, %first: index, %count: index,
                %q: tensor<4x8xf32>, %row: tensor<4xf32>) -> tensor<4x8xf32> {
  %0:3 = lattn.online_attention query(%q : tensor<4x8xf32>) key(%pool : tensor<?x64x8xf32>) value(%pool : tensor<?x64x8xf32>)
      pages(%pages[%first, %count] : tensor<?xi32>) outs(%q, %row, %row : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = #maps, scale = 1.0}
  return %0#0 : tensor<4x8xf32>
}
