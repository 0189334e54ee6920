// RUN: lattn-opt %s --lattn-split-kv="gpu slots=216 query-tile=64" --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-split-kv="gpu parts=3" | FileCheck %s --check-prefix=THREE
// RUN: lattn-opt %s --lattn-split-kv="gpu parts=1" | FileCheck %s --check-prefix=WHOLE
// RUN: not lattn-opt %s --lattn-split-kv="gpu parts=65" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not lattn-opt %s --lattn-split-kv="gpu slots=-1" 2>&1 | FileCheck %s --check-prefix=SLOTS
// RUN: not lattn-opt %s --lattn-split-kv=gpu 2>&1 | FileCheck %s --check-prefix=NONE
// MANY: error: lattn-split-kv: expected 0 to 64 parts, no negative number of slots, and tiles {{.*}} got parts=65 slots=0
// SLOTS: error: lattn-split-kv: {{.*}} got parts=0 slots=-1
// NONE: error: lattn-split-kv: expected slots, the tiles that the GPU runs at once, to choose the number of parts
// WHOLE-NOT: scf.forall

// 216 slots for 2 * 8 blocks, 256 keys a part at least: the slots decide.
// CHECK-LABEL: @decode
// CHECK:       %[[P:.*]]:3 = scf.forall (%[[PART:[^,]*]], %[[B:[^,]*]], %[[H:[^,]*]], %{{.*}}) in (13, 2, 8, 1) shared_outs(%[[O:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}) -> (tensor<13x2x8x1x64xf32>, tensor<13x2x8x1xf32>, tensor<13x2x8x1xf32>)
// CHECK:         %[[LENGTH:.*]] = arith.constant 640 : index
// CHECK:         arith.muli %[[PART]], %[[LENGTH]]
// CHECK:         lattn.finalize
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[PART]], %[[B]], %{{.*}}, %{{.*}}, 0] [1, 1, %{{.*}}, 1, 64]
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[L]][%[[PART]], %[[B]], %{{.*}}, %{{.*}}] [1, 1, %{{.*}}, 1]
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[S]][%[[PART]], %[[B]], %{{.*}}, %{{.*}}] [1, 1, %{{.*}}, 1]
// CHECK:       } {lattn.grid = #lattn.grid<kernel = "split", blocks = per_tile>, mapping = [#gpu.block<linear_dim_0>
// One element of the output a thread.
// CHECK:       scf.forall (%[[B1:[^,]*]], %[[H1:[^,]*]], %[[Q:[^,]*]], %[[E:[^,]*]]) in (2, 8, 1, 64)
// CHECK:         %[[A:.*]] = tensor.extract_slice %[[P]]#0[0, %[[B1]], %[[H1]], %[[Q]], %[[E]]] [13, 1, 1, 1, 1]
// CHECK:         %[[MAX:.*]] = tensor.extract_slice %[[P]]#1[0, %[[B1]], %[[H1]], %[[Q]]] [13, 1, 1, 1]
// CHECK:         %[[SUM:.*]] = tensor.extract_slice %[[P]]#2[0, %[[B1]], %[[H1]], %[[Q]]] [13, 1, 1, 1]
// CHECK:         lattn.merge ins(%[[A]], %[[MAX]], %[[SUM]] : tensor<13x1x1xf32>, tensor<13x1xf32>, tensor<13x1xf32>)
// CHECK:         lattn.finalize
// CHECK:       } {lattn.grid = #lattn.grid<kernel = "merge">, mapping = [#gpu.thread<linear_dim_0>
// THREE-LABEL: @decode
// THREE:       scf.forall {{.*}} in (3, 2, 8, 1)
!q = tensor<2x8x1x64xbf16>
!k = tensor<2x8x8192x64xbf16>
func.func @decode(%q: !q, %k: !k, %v: !k, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q)
  return %0 : !q
}

// No block would be idle, and no window of 256 keys is worth two parts.
// CHECK-LABEL: @many_queries
// CHECK-NOT:   scf.forall
// CHECK-LABEL: @narrow
// CHECK-NOT:   scf.forall
!n = tensor<2x8x8192x64xbf16>
func.func @many_queries(%q: !n, %k: !k, %v: !k, %o: !n) -> !n {
  %0 = lattn.attention query(%q : !n) key(%k : !k) value(%v : !k) outs(%o : !n)
  return %0 : !n
}
!d = tensor<?x?x?x64xbf16>
func.func @narrow(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !d
}

// Sizes that are not known: parts are counted at the launch, and one needs no
// workspace.
// CHECK-LABEL: @unknown
// CHECK:       %[[BATCHES:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK:       %[[FREE:.*]] = arith.divui %c216, %[[BATCHES]] : index
// CHECK:       %[[FREE1:.*]] = arith.divui %[[FREE]], %{{.*}} : index
// CHECK:       %[[FREE2:.*]] = arith.divui %[[FREE1]], %{{.*}} : index
// CHECK:       %[[WANTED:.*]] = arith.divui %{{.*}}, %c256 : index
// CHECK:       arith.minsi %[[FREE2]], %[[WANTED]]
// CHECK:       %[[ONE:.*]] = arith.cmpi eq, %[[PARTS:[^,]*]], %c1
// CHECK:       scf.if %[[ONE]]
// CHECK:         lattn.attention
// CHECK:       } else {
// CHECK:         scf.forall {{.*}} in (%[[PARTS]],
func.func @unknown(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
  return %0 : !d
}
