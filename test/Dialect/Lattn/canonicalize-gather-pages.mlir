// RUN: lattn-opt %s --canonicalize | FileCheck %s

// Sizes do not need the keys.
// CHECK: #[[KEYS:.+]] = affine_map<()[s0] -> (s0 * 64)>
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME: %{{.+}}: tensor<?x2x64x8xf32>, %[[PAGES:.+]]: tensor<?x?xi32>
// CHECK-NOT: gather_pages
// CHECK-DAG: %[[BATCH:.+]] = tensor.dim %[[PAGES]], %c0
// CHECK-DAG: %[[ENTRIES:.+]] = tensor.dim %[[PAGES]], %c1
// CHECK-DAG: %[[M:.+]] = affine.apply #[[KEYS]]()[%[[ENTRIES]]]
// CHECK: return %[[BATCH]], %[[M]]
func.func @sizes(%pool: tensor<?x2x64x8xf32>, %pages: tensor<?x?xi32>) -> (index, index) {
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<?x2x64x8xf32>, tensor<?x?xi32>) -> tensor<?x2x?x8xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %batch = tensor.dim %0, %c0 : tensor<?x2x?x8xf32>
  %keys = tensor.dim %0, %c2 : tensor<?x2x?x8xf32>
  return %batch, %keys : index, index
}
