// RUN: lattn-opt %s --lattn-tile --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-tile="query-tile=32 key-tile=48" --canonicalize --cse | FileCheck %s --check-prefix=SIZES

// A tile of queries sweeps over the keys that its window touches, in three runs:
// left edge, interior, right edge. One body does the steps of all.

!q = tensor<2x8x?x64xf32>
!kv = tensor<2x2x?x64xf32>

// CHECK-DAG: #[[TILES:.*]] = affine_map<()[s0] -> (s0 ceildiv 16)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<()[s0, s1] -> (16, s0 - s1 * 16)>
// CHECK-DAG: #[[LEFT:.*]] = affine_map<()[s0, s1, s2] -> (s0 + ((-s0 + s1) ceildiv 64) * 64, s2)>
// CHECK-DAG: #[[RIGHT:.*]] = affine_map<()[s0, s1] -> (s0 + ((-s0 + s1) floordiv 64) * 64, s0)>

// CHECK-LABEL: @three_runs
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<2x8x?x64xf32>, %[[K:[^:]+]]: tensor<2x2x?x64xf32>, %[[V:[^:]+]]:
// CHECK-DAG:  %[[N:.*]] = tensor.dim %[[Q]], %c2
// CHECK-DAG:  %[[M:.*]] = tensor.dim %[[K]], %c2
// CHECK-DAG:  %[[T:.*]] = affine.apply #[[TILES]]()[%[[N]]]
// CHECK:      %[[OFFSET:.*]] = arith.subi %{{.*}}, %{{.*}} : i64
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 8, %[[T]]) shared_outs(%[[OUT:.*]] =
// CHECK-DAG:    %[[Q0:.*]] = affine.apply #{{.*}}()[%[[I]]]
// CHECK-DAG:    %[[NQ:.*]] = affine.min #[[ROWS]]()[%[[N]], %[[I]]]
// CHECK:        %[[GROUP:.*]] = arith.divsi %[[H]], %c4
// CHECK:        tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[Q0]], 0] [1, 1, %[[NQ]], 64]
// CHECK:        %[[PACKED:.*]] = lattn.pack_query {{.*}} outs(%{{.*}} : tensor<64x16xf32>) {scale = 1.250000e-01 : f64}
// CHECK:        %[[KEYS:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[GROUP]], 0, 0] [1, 1, %[[M]], 64]
// CHECK:        tensor.extract_slice %[[V]][%[[B]], %[[GROUP]], 0, 0]

// Bounds: lower(p) = p - 256 and upper(p) = p + 1 at the first and last query.
// CHECK:        %[[P0:.*]] = arith.addi %{{.*}}, %[[Q0]]
// CHECK:        %[[P1:.*]] = arith.addi %[[P0]], %[[NQ]]
// CHECK:        %[[LOWER0:.*]] = arith.addi %[[P0]], %c-256
// CHECK:        %[[BEGIN:.*]] = arith.minsi %{{.*}}, %[[M]]
// CHECK:        arith.maxsi %[[P1]], %[[BEGIN]]
// CHECK:        %[[END:.*]] = arith.minsi %{{.*}}, %[[M]]
// CHECK:        arith.addi %[[P1]], %c-257
// CHECK:        %[[INNER:.*]] = arith.minsi %{{.*}}, %[[END]]
// CHECK:        arith.addi %[[P0]], %c1
// CHECK:        %[[OUTER:.*]] = arith.minsi %{{.*}}, %[[END]]

// CHECK:        %[[L:.*]] = affine.min #[[LEFT]]()[%[[BEGIN]], %[[INNER]], %[[END]]]
// CHECK:        %[[R:.*]] = affine.max #[[RIGHT]]()[%[[L]], %[[OUTER]]]
// CHECK:        %[[S:.*]]:3 = lattn.sweep_keys (%[[J:.*]], %[[NK:.*]], %{{.*}}) in (%[[BEGIN]] edge %[[L]] interior %[[R]] edge %[[END]]) by 64
// CHECK-SAME:     iter_args(%[[ACC:[^ ]*]] = %{{.*}}, %[[MAX:[^ ]*]] = %{{.*}}, %[[SUM:[^ ]*]] = %{{.*}}) -> (tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>)
// CHECK:          tensor.extract_slice %[[KEYS]][%[[J]], 0] [%[[NK]], 64]
// CHECK:          %[[NEXT:.*]]:3 = lattn.online_attention query(%[[PACKED]] :
// CHECK-SAME:       offset(%[[OFFSET]] : i64) origin(%[[B]], %[[H]], %[[Q0]], %[[J]]) query_rows(%[[NQ]])
// CHECK-SAME:       outs(%[[ACC]], %[[MAX]], %[[SUM]] :
// CHECK-SAME:       window = #lattn.window<left = 256, right = 0>
// CHECK:          lattn.yield %[[NEXT]]#0, %[[NEXT]]#1, %[[NEXT]]#2
// CHECK:        lattn.finalize ins(%[[S]]#0, %[[S]]#1, %[[S]]#2 :
// CHECK:        tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[B]], %[[H]], %[[Q0]], 0] [1, 1, %[[NQ]], 64]

// SIZES-DAG: affine_map<()[s0] -> (s0 ceildiv 32)>
// SIZES-DAG: affine_map<()[s0, s1, s2] -> (s0 + ((-s0 + s1) ceildiv 48) * 48, s2)>
// SIZES:     lattn.pack_query {{.*}} tensor<64x32xf32>
// SIZES:     lattn.sweep_keys {{.*}} by 48
func.func @three_runs(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !q
}

// No query sees a whole tile of keys: one run does for both edges.
// CHECK-LABEL: @one_run
// CHECK:       lattn.sweep_keys {{.*}} in (%{{[^ ]*}} edge %{{[^ ]*}}) by 64
// SIZES-LABEL: @one_run
// SIZES:       lattn.sweep_keys {{.*}} in (%{{[^ ]*}} edge %{{[^ ]*}} interior %{{[^ ]*}} edge %{{[^ ]*}}) by 48
func.func @one_run(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {window = #lattn.window<left = 50, right = 0>}
  return %0 : !q
}
