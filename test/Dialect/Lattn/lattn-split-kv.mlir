// RUN: lattn-opt %s --lattn-split-kv="parts=3" --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-split-kv | FileCheck %s --check-prefix=SHAPE
// RUN: lattn-opt %s --lattn-split-kv="parts=1" | FileCheck %s --check-prefix=ONE
// RUN: lattn-opt %s --lattn-split-kv="parts=2 query-tile=8 key-tile=32" --canonicalize | FileCheck %s --check-prefix=SIZES

// Parts of whole key tiles, an online softmax each. The second loop merges their
// states (acc, max, sum) in order and finalizes.

!q = tensor<1x2x1x64xf32>
!kv = tensor<1x2x8192x64xf32>

// CHECK-LABEL: @decode
// CHECK-SAME: %[[SINK:[^:]+]]: tensor<2xf32>
// CHECK:      %[[PARTS:.*]]:3 = scf.forall (%[[P:.*]], %[[H:.*]]) in (3, 2) shared_outs(%[[ACC:.*]] = %{{.*}}, %[[MAX:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (tensor<3x1x2x1x64xf32>, tensor<3x1x2x1xf32>, tensor<3x1x2x1xf32>)
// The sink enters once, not with every part.
// CHECK-NOT:    tensor.extract %[[SINK]]
// Keys 3191 to 8191 in three parts of 27 key tiles.
// CHECK:        %[[AT:.*]] = arith.muli %[[P]], %c1728
// CHECK:        %[[AT1:.*]] = arith.addi %[[AT]], %c3191
// CHECK:        %[[BEGIN:.*]] = arith.minsi %[[AT1]], %c8192
// CHECK:        %[[P1:.*]] = arith.addi %[[P]], %c1
// CHECK:        %[[TO:.*]] = arith.muli %[[P1]], %c1728
// CHECK:        %[[TO1:.*]] = arith.addi %[[TO]], %c3191
// CHECK:        %[[END:.*]] = arith.minsi %[[TO1]], %c8192
// CHECK:        lattn.sweep_keys {{.*}} in (%[[BEGIN]] interior %{{.*}} edge %[[END]]) by 64
// CHECK:        %[[F:.*]]:3 = lattn.finalize
// CHECK:        tensor.parallel_insert_slice %[[F]]#0 into %[[ACC]][%[[P]], 0, %[[H]], 0, 0] [1, 1, 1, 1, 64]
// CHECK:        tensor.parallel_insert_slice %[[F]]#1 into %[[MAX]][%[[P]], 0, %[[H]], 0] [1, 1, 1, 1]
// CHECK:        tensor.parallel_insert_slice %[[F]]#2 into %[[SUM]][%[[P]], 0, %[[H]], 0] [1, 1, 1, 1]
// CHECK:      scf.forall (%[[H:.*]]) in (2)
// CHECK:        %[[X:.*]] = tensor.extract %[[SINK]][%[[H]]]
// CHECK:        linalg.fill ins(%[[X]]
// CHECK:        %[[A:.*]] = tensor.extract_slice %[[PARTS]]#0[0, 0, %[[H]], 0, 0] [3, 1, 1, 1, 64]
// CHECK:        %[[B:.*]] = tensor.extract_slice %[[PARTS]]#1[0, 0, %[[H]], 0] [3, 1, 1, 1]
// CHECK:        %[[C:.*]] = tensor.extract_slice %[[PARTS]]#2[0, 0, %[[H]], 0] [3, 1, 1, 1]
// CHECK:        %[[M:.*]]:3 = lattn.merge ins(%[[A]], %[[B]], %[[C]] : {{.*}} {value_axis = 1 : i64}
// CHECK:        lattn.finalize ins(%[[M]]#0, %[[M]]#1, %[[M]]#2

// One query of two heads: room for a part per 1024 keys that it sees.
// SHAPE-LABEL: @decode
// SHAPE:       scf.forall {{.*}} in (4, 1, 2, 1)
// SIZES-LABEL: @decode
// SIZES:       tensor.empty() : tensor<2x1x2x1x64xf32>
// SIZES:       tensor.empty() : tensor<64x8xf32>
// SIZES:       lattn.sweep_keys {{.*}} by 32
// ONE-LABEL:   @decode
// ONE-NOT:     scf.forall
func.func @decode(%q: !q, %k: !kv, %v: !kv, %sink: tensor<2xf32>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) sink(%sink : tensor<2xf32>)
      outs(%o : !q) {window = #lattn.window<left = 5000, right = 0>}
  return %0 : !q
}

// Enough work without: many queries; few keys in the window; an unknown extent.
!many = tensor<1x8x8192x64xf32>
!d = tensor<1x2x?x64xf32>
// SHAPE-LABEL: @not_worth_it
// SHAPE-NOT:   scf.forall
// SHAPE-COUNT-3: lattn.attention
func.func @not_worth_it(%q: !q, %k: !kv, %m: !many, %d: !d) -> (!q, !many, !q) {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%k : !kv) outs(%q : !q)
      {window = #lattn.window<left = 500, right = 0>}
  %1 = lattn.attention query(%m : !many) key(%m : !many) value(%m : !many) outs(%m : !many)
  %2 = lattn.attention query(%q : !q) key(%d : !d) value(%d : !d) outs(%q : !q)
  return %0, %1, %2 : !q, !many, !q
}

// Tiles of few queries: as many parts as the run-time extent is worth, and no
// second loop where that is one.
// SHAPE-LABEL: @unknown_keys
// SHAPE:       %[[PARTS:.*]] = arith.maxsi
// SHAPE:       %[[SINGLE:.*]] = arith.cmpi eq, %[[PARTS]], %c1
// SHAPE:       scf.if %[[SINGLE]]
// SHAPE-NEXT:    lattn.attention
// SHAPE:       } else {
// SHAPE:         scf.forall {{.*}} in (%[[PARTS]], 1, 2, 1)
// SHAPE:           lattn.online_attention {{.*}} lanes = features
// SHAPE:         lattn.merge
func.func @unknown_keys(%q: !q, %d: !d) -> !q {
  %0 = lattn.attention query(%q : !q) key(%d : !d) value(%d : !d) outs(%q : !q)
      {schedule = #lattn.schedule<query_tile = 1, lanes = features>}
  return %0 : !q
}
