// RUN: lattn-opt %s -split-input-file --canonicalize --lattn-tile=key-tile=256 --canonicalize | FileCheck %s

// A step of few queries takes keys from several pages by the table. The group of
// heads is a tile: no step knows the window, and the first one ends with a page.
// CHECK-DAG: #[[$FIRST_END:.+]] = affine_map<()[s0, s1] -> (((s0 + 192) ceildiv 64) * 64, s1)>
// CHECK-LABEL: func.func @one_query(
// CHECK-SAME: %{{.+}}: tensor<2x4x1x32xf32>, %[[K:.+]]: tensor<?x2x64x32xf32>, %[[PAGES:[^:]+]]:
// CHECK-NOT: gather_pages
// CHECK: scf.forall (%[[B:.+]], %[[H:.+]]) in (2, 2)
// CHECK-DAG: %[[TABLE:.+]] = tensor.extract_slice %[[PAGES]][%[[B]], 0] [1, %{{.+}}] [1, 1] : tensor<2x?xi32> to tensor<?xi32>
// CHECK-DAG: %[[POOL:.+]] = tensor.extract_slice %[[K]][0, %[[H]], 0, 0] [%{{.+}}, 1, 64, 32] {{.*}} to tensor<?x64x32xf32>
// CHECK: affine.min #[[$FIRST_END]]()
// CHECK: lattn.sweep_keys (%[[KEY:.+]], %[[SIZE:.+]], %{{.+}}) in {{.*}} by 256
// CHECK-NEXT: lattn.online_attention
// CHECK-SAME: key(%[[POOL]] : {{.*}}) value(
// CHECK-SAME: pages(%[[TABLE]][%[[KEY]], %[[SIZE]]] : tensor<?xi32>)
func.func @one_query(%q: tensor<2x4x1x32xf32>, %k: tensor<?x2x64x32xf32>, %pages: tensor<2x?xi32>, %lens: tensor<2xi32>, %e: tensor<2x4x1x32xf32>) -> tensor<2x4x1x32xf32> {
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x64x32xf32>, tensor<2x?xi32>) -> tensor<2x2x?x32xf32>
  %1 = lattn.attention query(%q : tensor<2x4x1x32xf32>) key(%0 : tensor<2x2x?x32xf32>) value(%0 : tensor<2x2x?x32xf32>)
      kv_lens(%lens : tensor<2xi32>) outs(%e : tensor<2x4x1x32xf32>)
      {window = #lattn.window<left = 100, right = 0>, schedule = #lattn.schedule<query_tile = 2, lanes = features>}
  return %1 : tensor<2x4x1x32xf32>
}

// -----

// Queries at several positions: the first step begins with a page. Tiles are whole
// pages, of 48 keys.
// CHECK-DAG: #[[$BEGIN:.+]] = affine_map<()[s0] -> ((s0 floordiv 48) * 48)>
// CHECK-LABEL: func.func @few_queries(
// CHECK: affine.apply #[[$BEGIN]]
// CHECK: lattn.sweep_keys {{.*}} by 240
// CHECK: lattn.online_attention {{.*}} pages(
func.func @few_queries(%q: tensor<2x4x5x32xf32>, %k: tensor<?x2x48x32xf32>, %pages: tensor<2x?xi32>, %e: tensor<2x4x5x32xf32>) -> tensor<2x4x5x32xf32> {
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x48x32xf32>, tensor<2x?xi32>) -> tensor<2x2x?x32xf32>
  %1 = lattn.attention query(%q : tensor<2x4x5x32xf32>) key(%0 : tensor<2x2x?x32xf32>) value(%0 : tensor<2x2x?x32xf32>)
      outs(%e : tensor<2x4x5x32xf32>)
      {window = #lattn.window<left = 100, right = 0>, schedule = #lattn.schedule<query_tile = 5, lanes = features>}
  return %1 : tensor<2x4x5x32xf32>
}

// -----

// Two tables: a step reads a part of one page of each.
// CHECK-LABEL: func.func @two_tables(
// CHECK: lattn.sweep_keys {{.*}} by 64
// CHECK-NOT: pages(
// CHECK: return
func.func @two_tables(%q: tensor<2x4x1x32xf32>, %k: tensor<?x2x64x32xf32>, %pages: tensor<2x?xi32>, %others: tensor<2x?xi32>, %e: tensor<2x4x1x32xf32>) -> tensor<2x4x1x32xf32> {
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x64x32xf32>, tensor<2x?xi32>) -> tensor<2x2x?x32xf32>
  %1 = lattn.gather_pages ins(%k, %others : tensor<?x2x64x32xf32>, tensor<2x?xi32>) -> tensor<2x2x?x32xf32>
  %2 = lattn.attention query(%q : tensor<2x4x1x32xf32>) key(%0 : tensor<2x2x?x32xf32>) value(%1 : tensor<2x2x?x32xf32>)
      outs(%e : tensor<2x4x1x32xf32>) {schedule = #lattn.schedule<query_tile = 2, lanes = features>}
  return %2 : tensor<2x4x1x32xf32>
}
