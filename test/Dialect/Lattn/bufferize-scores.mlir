// RUN: lattn-opt %s --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | FileCheck %s
// RUN: lattn-opt %s --lattn-decompose --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | FileCheck %s --check-prefix=LINALG

// Scores live in their destination; its old contents are not read. All steps of
// the decomposition but its rows work there too.

!q = tensor<1x2x8x16xf32>
!s = tensor<1x2x8x8xf32>

// CHECK-LABEL: @in_place
// CHECK-SAME: (%[[Q:[^:]+]]: memref<1x2x8x16xf32, {{.*}}>, %[[O:[^:]+]]: memref<1x2x8x8xf32
// CHECK-NOT:  memref.alloc
// CHECK-NOT:  memref.copy
// CHECK:      lattn.attention_scores query(%[[Q]] : {{.*}}) key(%[[Q]] : {{.*}} outs(%[[O]] :
// CHECK-NOT:  memref.copy
// CHECK:      return %[[O]]
// LINALG-LABEL: @in_place
// LINALG-NOT:   memref.alloc{{.*}} : memref<1x2x8x8xf32>
// LINALG-NOT:   memref.copy
func.func @in_place(%q: !q, %o: !s) -> !s {
  %0 = lattn.attention_scores query(%q : !q) key(%q : !q) outs(%o : !s)
      {causal, stage = #lattn.stage<weights>}
  return %0 : !s
}
