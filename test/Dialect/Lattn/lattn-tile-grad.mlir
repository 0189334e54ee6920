// RUN: lattn-opt %s --lattn-tile-grad --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-tile-grad="query-tile=32 key-tile=48" --canonicalize --cse | FileCheck %s --check-prefix=SIZES
// RUN: lattn-opt %s --lattn-tile-grad=whole-keys --canonicalize --cse | FileCheck %s --check-prefix=WHOLE

// A step in parallel for each batch, key head and chunk of queries carries the gradients
// of its keys through the query heads that share them and the tiles of their queries.

!q = tensor<2x8x?x64xf32>
!kv = tensor<2x2x?x64xf32>
!l = tensor<2x8x?xf32>

// CHECK-DAG: #[[TILES:.*]] = affine_map<()[s0] -> (s0 ceildiv 16)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<()[s0, s1] -> (16, s0 - s1 * 16)>
// CHECK-DAG: #[[LEFT:.*]] = affine_map<()[s0, s1, s2] -> (s0 + ((-s0 + s1) ceildiv 64) * 64, s2)>
// CHECK-DAG: #[[RIGHT:.*]] = affine_map<()[s0, s1] -> (s0 + ((-s0 + s1) floordiv 64) * 64, s0)>

// CHECK-LABEL: func.func @grouped_heads(
// CHECK-SAME: %[[Q:.*]]: tensor<2x8x?x64xf32>, %[[K:.*]]: tensor<2x2x?x64xf32>, %[[V:.*]]: tensor<2x2x?x64xf32>, %[[O:.*]]: tensor<2x8x?x64xf32>, %[[L:.*]]: tensor<2x8x?xf32>, %[[DO:.*]]: tensor<2x8x?x64xf32>)
// CHECK:      %[[R:.*]]:5 = scf.forall (%[[B:.*]], %[[H:.*]], %[[C:.*]]) in (2, 2, %[[CHUNKS:.*]]) shared_outs(%[[DQ:.*]] = %[[Q]], %[[DK:.*]] = %[[K]], %[[DV:.*]] = %[[V]], %[[SK:.*]] = %{{.*}}, %[[SV:.*]] = %{{.*}})
// CHECK:        %[[FIRST:.*]] = arith.muli %[[H]], %c4
// CHECK:        %[[END:.*]] = arith.addi %[[FIRST]], %c4
// CHECK:        linalg.fill {{.*}} -> tensor<?x64xf32>
// CHECK:        %[[SUMS:.*]]:3 = scf.for %[[HEAD:.*]] = %[[FIRST]] to %[[END]] step %c1
// CHECK:          scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK-DAG:        %[[Q0:.*]] = affine.apply #{{.*}}()[%[[I]]]
// CHECK-DAG:        %[[N:.*]] = affine.min #[[ROWS]]()[%{{.*}}, %[[I]]]
// CHECK:            %[[QUERY:.*]] = tensor.extract_slice %[[Q]][%[[B]], %[[HEAD]], %[[Q0]], 0] [1, 1, %[[N]], 64]
// CHECK:            %[[OUTPUT:.*]] = tensor.extract_slice %[[O]][%[[B]], %[[HEAD]], %[[Q0]], 0]
// CHECK:            %[[GIVEN:.*]] = tensor.extract_slice %[[DO]][%[[B]], %[[HEAD]], %[[Q0]], 0]

// A lse of -inf becomes +inf, as in padding; row sums are of output and d_output.
// CHECK:            tensor.extract_slice %[[L]][%[[B]], %[[HEAD]], %[[Q0]]]
// CHECK:            arith.cmpf oeq, %{{.*}}, %[[LEAST:.*]] : f32
// CHECK:            %[[LSE:.*]] = tensor.insert_slice {{.*}} into tensor<16xf32>
// CHECK:            linalg.generic {{.*}} ins(%[[OUTPUT]], %[[GIVEN]] :
// CHECK:            %[[RS:.*]] = tensor.insert_slice {{.*}} into tensor<16xf32>
// CHECK:            %[[QT:.*]] = lattn.pack_query ins(%[[QUERY]] : {{.*}} {scale = 1.000000e+00 : f64}
// CHECK:            %[[GT:.*]] = lattn.pack_query ins(%[[GIVEN]] : {{.*}} {scale = 1.000000e+00 : f64}

// The keys that the window touches: left edge, interior, right edge.
// CHECK:            arith.addi %{{.*}}, %c-256
// CHECK:            arith.addi %{{.*}}, %c-257
// CHECK-DAG:        %[[L1:.*]] = affine.min #[[LEFT]]()[%[[BEGIN:.*]], %{{.*}}, %[[LAST:.*]]]
// CHECK-DAG:        %[[R1:.*]] = affine.max #[[RIGHT]]()[%[[L1]], %{{.*}}]
// CHECK:            lattn.sweep_keys (%[[J:.*]], %[[M:.*]], %{{.*}}) in (%[[BEGIN]] edge %[[L1]] interior %[[R1]] edge %[[LAST]]) by 64
// CHECK-DAG:          %[[KEY:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[H]], %[[J]], 0] [1, 1, %[[M]], 64]
// CHECK-DAG:          %[[VALUE:.*]] = tensor.extract_slice %[[V]][%[[B]], %[[H]], %[[J]], 0] [1, 1, %[[M]], 64]
// CHECK:              %[[STEP:.*]]:3 = lattn.attention_grad_step query(%[[QUERY]] : {{.*}} key(%[[KEY]] : {{.*}} value(%[[VALUE]] :
// CHECK-SAME:           origin(%[[B]], %[[HEAD]], %[[Q0]], %[[J]]) lse(%[[LSE]] : {{.*}} row_sums(%[[RS]] : {{.*}} d_output(%[[GIVEN]] : {{.*}} packed(%[[QT]], %[[GT]] :
// CHECK-SAME:           {scale = 1.250000e-01 : f64, window = #lattn.window<left = 256, right = 0>}
// CHECK-DAG:          tensor.insert_slice %[[STEP]]#1 into %{{.*}}[%[[ROW:.*]], 0] [%[[M]], 64]
// CHECK-DAG:          tensor.insert_slice %[[STEP]]#2 into %{{.*}}[%[[ROW]], 0] [%[[M]], 64]

// Keys of which no other chunk knows are done; of those at both ends the sums are kept.
// CHECK:        tensor.insert_slice %{{.*}} into %[[DK]][%[[B]], %[[H]], %[[OWN:.*]], 0]
// CHECK:        tensor.insert_slice %{{.*}} into %[[SK]][%[[B]], %[[H]], %[[N:.*]], 0, 0, 0]
// CHECK:        tensor.insert_slice %{{.*}} into %{{.*}}[%[[B]], %[[H]], %[[N]], 1, 0, 0]
// CHECK:        scf.forall.in_parallel
// CHECK:          tensor.parallel_insert_slice %{{.*}} into %[[DQ]][%[[B]], %[[FIRST]], %{{.*}}, 0] [1, 4,
// CHECK:          tensor.parallel_insert_slice %{{.*}} into %[[DK]][%[[B]], %[[H]], %[[OWN]], 0]
// CHECK:          tensor.parallel_insert_slice %{{.*}} into %[[DV]][%[[B]], %[[H]], %[[OWN]], 0]

// The keys in front of a chunk but the first: backs of those before it, and its front.
// CHECK:      %[[OTHERS:.*]] = arith.subi %[[CHUNKS]], %c1
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %{{.*}}, %{{.*}}) in (2, 2, %[[OTHERS]], %{{.*}}) shared_outs(%[[DK:.*]] = %[[R]]#1, %[[DV:.*]] = %[[R]]#2)
// CHECK:        scf.for %[[I:.*]] = %c0 to %[[N:.*]] step %c1
// CHECK:          tensor.extract_slice %[[R]]#3[%[[B]], %[[H]], %[[I]], 1,
// CHECK:          arith.addf
// CHECK:        tensor.extract_slice %[[R]]#3[%[[B]], %[[H]], %[[N]], 0,
// CHECK:        arith.addf
// CHECK:        tensor.parallel_insert_slice %{{.*}} into %[[DK]]
// CHECK:        tensor.parallel_insert_slice %{{.*}} into %[[DV]]

// SIZES-LABEL: func.func @grouped_heads(
// SIZES:         lattn.pack_query {{.*}} outs(%{{.*}} : tensor<64x32xf32>)
// SIZES:         lattn.sweep_keys {{.*}} by 48

// WHOLE-LABEL: func.func @grouped_heads(
// WHOLE-NOT:     scf.forall
// WHOLE-NOT:     lattn.
// WHOLE:         math.exp
// WHOLE-NOT:     scf.forall
// WHOLE-NOT:     lattn.
// WHOLE:         return
func.func @grouped_heads(%q: !q, %k: !kv, %v: !kv, %o: !q, %l: !l, %do: !q) -> (!q, !kv, !kv) {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !kv) value(%v : !kv) output(%o : !q) lse(%l : !l)
      d_output(%do : !q) outs(%q, %k, %v : !q, !kv, !kv) {window = #lattn.window<left = 256, right = 0>}
  return %0#0, %0#1, %0#2 : !q, !kv, !kv
}
