// RUN: lattn-opt %s --lattn-tile --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-tile="query-tile=32 key-tile=48" --canonicalize --cse | FileCheck %s --check-prefix=SIZES

// A tile of queries runs over the keys that its window touches, in three runs:
// left edge, interior, right edge. Only the edges carry the window.

!q = tensor<2x8x?x64xf32>
!kv = tensor<2x2x?x64xf32>

// CHECK-DAG: #[[TILES:.*]] = affine_map<()[s0] -> (s0 ceildiv 16)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<()[s0, s1] -> (16, s0 - s1 * 16)>
// CHECK-DAG: #[[LEFT:.*]] = affine_map<()[s0, s1, s2] -> (s0 + ((-s0 + s1) ceildiv 64) * 64, s2)>
// CHECK-DAG: #[[PART:.*]] = affine_map<()[s0, s1] -> (64, s0 - s1)>
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
// CHECK:        %[[S1:.*]]:3 = scf.for %[[J:.*]] = %[[BEGIN]] to %[[L]] step %c64
// CHECK:          %[[NK:.*]] = affine.min #[[PART]]()[%[[L]], %[[J]]]
// CHECK:          tensor.extract_slice %[[KEYS]][%[[J]], 0] [%[[NK]], 64]
// CHECK:          lattn.online_attention query(%[[PACKED]] :
// CHECK-SAME:       offset(%[[OFFSET]] : i64) origin(%[[B]], %[[H]], %[[Q0]], %[[J]]) query_rows(%[[NQ]])
// CHECK-SAME:       window = #lattn.window<left = 256, right = 0>
// CHECK:        %[[R:.*]] = affine.max #[[RIGHT]]()[%[[L]], %[[OUTER]]]
// CHECK:        %[[S2:.*]]:3 = scf.for %[[J:.*]] = %[[L]] to %[[R]] step %c64 iter_args({{.*}} = %[[S1]]#0, {{.*}} = %[[S1]]#1, {{.*}} = %[[S1]]#2)
// CHECK:          tensor.extract_slice %[[KEYS]][%[[J]], 0] [64, 64]
// CHECK:          lattn.online_attention
// CHECK-NOT:        offset
// CHECK-NOT:        window
// CHECK:          scf.yield
// CHECK:        %[[S3:.*]]:3 = scf.for %[[J:.*]] = %[[R]] to %[[END]] step %c64 iter_args({{.*}} = %[[S2]]#0,
// CHECK:          lattn.online_attention {{.*}} offset(%[[OFFSET]] : i64){{.*}} window = #lattn.window<left = 256, right = 0>
// CHECK:        lattn.finalize ins(%[[S3]]#0, %[[S3]]#1, %[[S3]]#2 :
// CHECK:        tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[B]], %[[H]], %[[Q0]], 0] [1, 1, %[[NQ]], 64]

// SIZES-DAG: affine_map<()[s0] -> (s0 ceildiv 32)>
// SIZES-DAG: affine_map<()[s0, s1, s2] -> (s0 + ((-s0 + s1) ceildiv 48) * 48, s2)>
// SIZES:     lattn.pack_query {{.*}} tensor<64x32xf32>
// SIZES-COUNT-3: scf.for {{.*}} step %c48
func.func @three_runs(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !q
}
