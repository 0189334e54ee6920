// RUN: lattn-opt %s --lattn-tile-grad="query-tile=8 key-tile=8" --canonicalize --cse | FileCheck %s

// Queries that fit one tile: parts of keys in parallel, and tiles of the heads that
// share keys, which at one position see all keys of a step.

!q = tensor<2x24x1x8xf32>
!k = tensor<2x2x?x8xf32>
!l = tensor<2x24x1xf32>

// CHECK-DAG:   #[[PARTS:.*]] = affine_map<()[s0] -> (s0 ceildiv 256)>
// CHECK-DAG:   #[[BEGIN:.*]] = affine_map<()[s0] -> (s0 * 256)>
// CHECK-DAG:   #[[END:.*]] = affine_map<()[s0, s1] -> (s1, s0 * 256 + 256)>
// CHECK-DAG:   #[[TILE:.*]] = affine_map<()[s0] -> (s0 * 8)>
// CHECK-DAG:   #[[HEADS:.*]] = affine_map<()[s0] -> (s0 * -8 + 12, 8)>
// CHECK-DAG:   #[[NUMBER:.*]] = affine_map<()[s0] -> (s0 floordiv 8)>
// CHECK-DAG:   #[[ROW:.*]] = affine_map<()[s0] -> (s0 mod 8)>
// CHECK-LABEL: @groups
// CHECK-SAME:    %[[Q:[^:]*]]: tensor<2x24x1x8xf32>, %[[K:[^:]*]]: tensor<2x2x?x8xf32>, %[[V:[^:]*]]: tensor<2x2x?x8xf32>
// CHECK-DAG:     %[[P:.*]] = affine.apply #[[PARTS]]()
// CHECK:         %[[R:.*]]:3 = scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 2, %[[P]]) shared_outs(%[[S:.*]] = %{{.*}}, %[[DK:.*]] = %[[K]], %[[DV:.*]] = %[[V]]) -> (tensor<2x2x?x2x8x8xf32>,
// CHECK-DAG:       %[[FIRST:.*]] = affine.apply #[[BEGIN]]()[%[[I]]]
// CHECK-DAG:       affine.min #[[END]]()[%[[I]],
// CHECK-DAG:       %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<256x8xf32>
// CHECK:           %[[SUMS:.*]]:3 = scf.for %[[T:.*]] = %c0 to %c2 step %c1 iter_args(%{{.*}} = %[[S]], %{{.*}} = %[[ZEROS]], %{{.*}} = %[[ZEROS]])
// CHECK-DAG:         %[[BEFORE:.*]] = affine.apply #[[TILE]]()[%[[T]]]
// CHECK-DAG:         %[[N:.*]] = affine.min #[[HEADS]]()[%[[T]]]
// CHECK-DAG:         %[[BASE:.*]] = arith.muli %[[H]], %c12
// CHECK:             %[[HEAD:.*]] = arith.addi %[[BASE]], %[[BEFORE]]
// CHECK:             tensor.extract_slice %[[Q]][%[[B]], %[[HEAD]], 0, 0] [1, %[[N]], 1, 8] {{.*}} to tensor<?x8xf32>
// CHECK:             lattn.sweep_keys
// CHECK:               lattn.attention_grad_step
// CHECK-NOT:           window
// CHECK:             tensor.insert_slice {{.*}}[%[[B]], %[[H]], %[[I]], %[[T]], 0, 0] [1, 1, 1, 1, %[[N]], 8]
// CHECK:           scf.forall.in_parallel
// CHECK:             tensor.parallel_insert_slice {{.*}} into %[[S]][%[[B]], %[[H]], %[[I]], 0, 0, 0]
// CHECK:             tensor.parallel_insert_slice {{.*}} into %[[DK]][%[[B]], %[[H]], %[[FIRST]], 0]
// CHECK:             tensor.parallel_insert_slice {{.*}} into %[[DV]][%[[B]], %[[H]], %[[FIRST]], 0]

// Each head's queries add up in the order of the parts.
// CHECK:         scf.forall (%[[B:.*]], %[[HEAD:.*]]) in (2, 24) shared_outs(%[[DQ:.*]] = %[[Q]])
// CHECK-DAG:       %[[H:.*]] = arith.divui %[[HEAD]], %c12
// CHECK-DAG:       %[[OTHERS:.*]] = arith.remui %[[HEAD]], %c12
// CHECK-DAG:       %[[T:.*]] = affine.apply #[[NUMBER]]()[%[[OTHERS]]]
// CHECK-DAG:       %[[ROWS:.*]] = affine.apply #[[ROW]]()[%[[OTHERS]]]
// CHECK:           scf.for %[[I:.*]] = %c0 to %[[P]]
// CHECK:             tensor.extract_slice %[[R]]#0[%[[B]], %[[H]], %[[I]], %[[T]], %[[ROWS]], 0] [1, 1, 1, 1, 1, 8] [1, 1, 1, 1, %{{.*}}, 1]
// CHECK:           tensor.parallel_insert_slice {{.*}} into %[[DQ]][%[[B]], %[[HEAD]], 0, 0]
func.func @groups(%q: !q, %k: !k, %v: !k, %o: !q, %l: !l, %do: !q) -> (!q, !k, !k) {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !k) value(%v : !k) output(%o : !q) lse(%l : !l)
      d_output(%do : !q) outs(%q, %k, %v : !q, !k, !k) {window = #lattn.window<left = 20, right = 0>}
  return %0#0, %0#1, %0#2 : !q, !k, !k
}

// Three queries of each of two heads: those of all heads at one position, then of the
// next one. A bias that differs by head keeps a tile for each head, as dropout does.

!three = tensor<1x3x4x8xf32>
!keys = tensor<1x?x2x8xf32>
!rows = tensor<1x4x3xf32>

// CHECK-LABEL: @positions
// CHECK:         scf.forall
// CHECK:           scf.for %[[POSITION:.*]] = %c0 to %c3
// CHECK:             %[[QUERY:.*]] = tensor.extract_slice %{{.*}}[0, %[[POSITION]], %{{.*}}, 0] [1, 1, 2, 8] {{.*}} to tensor<2x8xf32>
// CHECK:             %[[AT:.*]] = arith.muli %[[POSITION]], %c2
// CHECK:             tensor.insert_slice %[[QUERY]] into %{{.*}}[%[[AT]], 0] [2, 8]
// CHECK:           lattn.attention_grad_step query(%{{.*}} : tensor<6x8xf32>)
// CHECK:         scf.forall (%{{.*}}) in (4)
// CHECK:             tensor.extract_slice {{.*}} [1, 1, 1, 1, 3, 8] [1, 1, 1, 1, 2, 1]
// CHECK:         scf.forall
// CHECK:           lattn.attention_grad_step query(%{{.*}} : tensor<3x8xf32>) {{.*}} bias(
// CHECK:         scf.forall (%{{.*}}) in (4)
// CHECK:             tensor.extract_slice {{.*}} [1, 1, 1, 1, 3, 8] [1, 1, 1, 1, 1, 1]
func.func @positions(%q: !three, %k: !keys, %v: !keys, %o: !three, %l: !rows, %do: !three,
    %bias: tensor<4x1x?xf32>) -> (!three, !three) {
  %0:3 = lattn.attention_grad query(%q : !three) key(%k : !keys) value(%v : !keys)
      output(%o : !three) lse(%l : !rows) d_output(%do : !three)
      outs(%q, %k, %v : !three, !keys, !keys) {layout = #lattn.layout<bnhd>}
  %1:3 = lattn.attention_grad query(%q : !three) key(%k : !keys) value(%v : !keys)
      bias(%bias : tensor<4x1x?xf32>) output(%o : !three) lse(%l : !rows) d_output(%do : !three)
      outs(%q, %k, %v : !three, !keys, !keys) {layout = #lattn.layout<bnhd>}
  return %0#0, %1#0 : !three, !three
}

// Kernels with features on the lanes take rows.
// CHECK-LABEL: @features
// CHECK-NOT:     lattn.pack_query
// CHECK:         lattn.attention_grad_step {{.*}} lse(%{{.*}} : tensor<12xf32>)
// CHECK-NOT:     packed
func.func @features(%q: !q, %k: !k, %v: !k, %o: !q, %l: !l, %do: !q) -> !q {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !k) value(%v : !k) output(%o : !q) lse(%l : !l)
      d_output(%do : !q) outs(%q, %k, %v : !q, !k, !k)
      {schedule = #lattn.schedule<query_tile = 12, key_tile = 8, lanes = features>}
  return %0#0 : !q
}
