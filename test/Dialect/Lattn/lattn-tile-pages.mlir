// RUN: lattn-opt %s -split-input-file --canonicalize --lattn-tile=key-tile=48 --canonicalize | FileCheck %s

// The key tile divides the page: each step reads a part of one page in place.
// CHECK-DAG: #[[$ENTRY:.+]] = affine_map<()[s0] -> (s0 floordiv 64)>
// CHECK-DAG: #[[$ROW:.+]] = affine_map<()[s0] -> (s0 mod 64)>
// CHECK-LABEL: func.func @paged(
// CHECK-SAME: %{{.+}}: tensor<2x4x?x32xf32>, %[[K:.+]]: tensor<?x2x64x32xf32>, %[[PAGES:[^:]+]]:
// CHECK-NOT: gather_pages
// CHECK: lattn.sweep_keys (%[[KEY:.+]], %[[SIZE:.+]], %{{.+}}) in {{.*}} by 32
// CHECK-DAG: %[[E:.+]] = affine.apply #[[$ENTRY]]()[%[[KEY]]]
// CHECK-DAG: %[[R:.+]] = affine.apply #[[$ROW]]()[%[[KEY]]]
// CHECK: tensor.extract %[[PAGES]][%{{.+}}, %[[E]]]
// CHECK: arith.minsi
// CHECK: %[[P:.+]] = arith.maxsi
// CHECK: tensor.extract_slice %[[K]][%[[P]], %{{.+}}, %[[R]], 0] [1, 1, %[[SIZE]], 32]
// CHECK: lattn.online_attention
func.func @paged(%q: tensor<2x4x?x32xf32>, %k: tensor<?x2x64x32xf32>, %pages: tensor<2x?xi32>, %lens: tensor<2xi32>, %e: tensor<2x4x?x32xf32>) -> tensor<2x4x?x32xf32> {
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x64x32xf32>, tensor<2x?xi32>) -> tensor<2x2x?x32xf32>
  %1 = lattn.attention query(%q : tensor<2x4x?x32xf32>) key(%0 : tensor<2x2x?x32xf32>) value(%0 : tensor<2x2x?x32xf32>)
      kv_lens(%lens : tensor<2xi32>) outs(%e : tensor<2x4x?x32xf32>) {window = #lattn.window<left = 100, right = 0>}
  return %1 : tensor<2x4x?x32xf32>
}

// -----

// Small pages: a step gathers the rows of its tile.
// CHECK-LABEL: func.func @paged(
// CHECK-SAME: %{{.+}}: tensor<2x4x?x32xf32>, %[[K:.+]]: tensor<?x2x8x32xf32>,
// CHECK-NOT: gather_pages
// CHECK: lattn.sweep_keys (%[[KEY:.+]], %[[SIZE:.+]], %{{.+}}) in {{.*}} by 48
// CHECK: %[[SCRATCH:.+]] = tensor.empty() : tensor<48x32xf32>
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[SIZE]] {{.*}} iter_args(%{{.+}} = %[[SCRATCH]])
// CHECK: tensor.extract_slice %[[K]][%{{.+}}, %{{.+}}, %{{.+}}, 0] [1, 1, 1, 32]
// CHECK: linalg.copy
func.func @paged(%q: tensor<2x4x?x32xf32>, %k: tensor<?x2x8x32xf32>, %pages: tensor<2x?xi32>, %lens: tensor<2xi32>, %e: tensor<2x4x?x32xf32>) -> tensor<2x4x?x32xf32> {
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x8x32xf32>, tensor<2x?xi32>) -> tensor<2x2x?x32xf32>
  %1 = lattn.attention query(%q : tensor<2x4x?x32xf32>) key(%0 : tensor<2x2x?x32xf32>) value(%0 : tensor<2x2x?x32xf32>)
      kv_lens(%lens : tensor<2xi32>) outs(%e : tensor<2x4x?x32xf32>) {window = #lattn.window<left = 100, right = 0>}
  return %1 : tensor<2x4x?x32xf32>
}
