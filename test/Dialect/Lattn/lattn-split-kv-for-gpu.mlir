// RUN: lattn-opt %s --lattn-split-kv-for-gpu=slots=216 --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-split-kv-for-gpu="parts=3" | FileCheck %s --check-prefix=THREE
// RUN: lattn-opt %s --lattn-split-kv-for-gpu="parts=1" | FileCheck %s --check-prefix=WHOLE
// RUN: not lattn-opt %s --lattn-split-kv-for-gpu="parts=65" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not lattn-opt %s --lattn-split-kv-for-gpu="slots=0" 2>&1 | FileCheck %s --check-prefix=SLOTS
// MANY: error: lattn-split-kv-for-gpu: expected 0 to 64 parts and at least one slot, got parts=65 slots=216
// SLOTS: error: lattn-split-kv-for-gpu: {{.*}} got parts=0 slots=0
// WHOLE-NOT: scf.forall

// 216 slots for 2 * 8 blocks, 256 keys a part at least: the slots decide.
// CHECK-LABEL: @decode
// CHECK:       %[[P:.*]]:2 = scf.forall (%[[PART:[^,]*]], %[[B:[^,]*]], %[[H:[^,]*]], %{{.*}}) in (13, 2, 8, 1) shared_outs(%[[O:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}}) -> (tensor<13x2x8x1x64xf32>, tensor<13x2x8x1xf32>)
// CHECK:         %[[LENGTH:.*]] = arith.constant 640 : index
// CHECK:         arith.muli %[[PART]], %[[LENGTH]]
// CHECK:         lattn.finalize
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[O]][%[[PART]], %[[B]], %{{.*}}, %{{.*}}, 0] [1, 1, %{{.*}}, 1, 64]
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[L]][%[[PART]], %[[B]], %{{.*}}, %{{.*}}] [1, 1, %{{.*}}, 1]
// CHECK:       } {lattn.kernel = "split", mapping = [#gpu.block<linear_dim_0>
// One element of the output a thread: the greatest lse, then the sum in the
// order of the parts.
// CHECK:       scf.forall (%[[B1:[^,]*]], %[[H1:[^,]*]], %[[Q:[^,]*]], %[[E:[^,]*]]) in (2, 8, 1, 64)
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c13 step %{{.*}} iter_args(
// CHECK:           tensor.extract %[[P]]#1[%[[I]], %[[B1]], %[[H1]], %[[Q]]]
// CHECK:           arith.maxnumf
// CHECK:         scf.for %[[J:.*]] = %{{.*}} to %c13 step %{{.*}} iter_args(
// CHECK:           tensor.extract %[[P]]#0[%[[J]], %[[B1]], %[[H1]], %[[Q]], %[[E]]]
// CHECK:           math.fma
// CHECK:       } {lattn.kernel = "merge", mapping = [#gpu.thread<linear_dim_0>
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
// CHECK:       %[[FREE:.*]] = arith.divui %c216, %{{.*}} : index
// CHECK:       %[[WANTED:.*]] = arith.divui %{{.*}}, %c256 : index
// CHECK:       arith.minsi %[[FREE]], %[[WANTED]]
// CHECK:       %[[ONE:.*]] = arith.cmpi eq, %[[PARTS:[^,]*]], %c1
// CHECK:       scf.if %[[ONE]]
// CHECK:         lattn.attention
// CHECK:       } else {
// CHECK:         scf.forall {{.*}} in (%[[PARTS]],
func.func @unknown(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
  return %0 : !d
}
