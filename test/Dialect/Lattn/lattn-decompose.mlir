// RUN: lattn-opt %s --lattn-decompose -split-input-file -verify-diagnostics | FileCheck %s
// RUN: lattn-opt %s --lattn-decompose="ops=merge" -split-input-file | FileCheck %s --check-prefix=MERGE
// RUN: lattn-opt %s --lattn-decompose="ops=attention,pack_query" -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=TWO
// RUN: not lattn-opt %s --lattn-decompose="ops=merge,softmax" -split-input-file 2>&1 | FileCheck %s --check-prefix=NAME

// NAME: error: lattn-decompose: there is no op lattn.softmax

// Every op in its dull linalg form, or only those named, with what they become.

!t = tensor<1x2x8x16xf16>
!s = tensor<16x64xf32>
!r = tensor<16xf32>

// CHECK-NOT:   lattn.
// CHECK-LABEL: @attention
// CHECK-NOT:   lattn.
// CHECK:       tensor<1x2x8x8xf32>
// CHECK:       linalg.generic {{.*}} ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK:       math.exp
// CHECK:       arith.divf
// CHECK:       arith.truncf
// CHECK-NOT:   lattn.

// MERGE-LABEL: @attention
// MERGE:       lattn.attention
// TWO-LABEL:   @attention
// TWO-NOT:     lattn.
// TWO:         arith.divf
func.func @attention(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {causal}
  return %0 : !t
}

// The greatest score first, then one weight of each part and row.
// CHECK-LABEL: @merge(
// CHECK:       scf.for
// CHECK:         arith.maximumf
// CHECK:       math.exp
// CHECK:       scf.for
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
// CHECK:         tensor.extract_slice %{{.*}} [1, 16, 64] [1, 1, 1]
// CHECK-COUNT-2: arith.addf
// CHECK-NOT:   lattn.
// MERGE-LABEL: @merge(
// MERGE-NOT:   lattn.
// TWO-LABEL:   @merge(
// TWO:         lattn.merge
func.func @merge(%as: tensor<4x16x64xf32>, %ms: tensor<4x16xf32>, %a: !s, %m: !r) -> (!s, !r, !r) {
  %0:3 = lattn.merge ins(%as, %ms, %ms : tensor<4x16x64xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
      outs(%a, %m, %m : !s, !r, !r) {value_axis = 1}
  return %0#0, %0#1, %0#2 : !s, !r, !r
}

// A merged state is finalized with it.
// MERGE-LABEL: @merge_finalize(
// MERGE:       scf.for %[[P:.*]] = %c0{{.*}} to %{{.*}} step
// MERGE:       arith.divf
// MERGE-NOT:   lattn.
func.func @merge_finalize(%as: tensor<?x1x8xf32>, %ms: tensor<?x1xf32>, %a: tensor<1x8xf32>, %m: tensor<1xf32>) -> tensor<1x8xf32> {
  %0:3 = lattn.merge ins(%as, %ms, %ms : tensor<?x1x8xf32>, tensor<?x1xf32>, tensor<?x1xf32>)
      outs(%a, %m, %m : tensor<1x8xf32>, tensor<1xf32>, tensor<1xf32>) {value_axis = 1}
  %1 = lattn.finalize ins(%0#0, %0#1, %0#2 : tensor<1x8xf32>, tensor<1xf32>, tensor<1xf32>)
      outs(%a : tensor<1x8xf32>) {value_axis = 1}
  return %1 : tensor<1x8xf32>
}

// CHECK-LABEL: @pack
// CHECK:       arith.mulf
// CHECK-NOT:   lattn.
// MERGE-LABEL: @pack
// MERGE:       lattn.pack_query
// TWO-LABEL:   @pack
// TWO-NOT:     lattn.
func.func @pack(%q: tensor<?x64xbf16>, %e: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %0 = lattn.pack_query ins(%q : tensor<?x64xbf16>) outs(%e : tensor<64x16xf32>) {scale = 0.125 : f64}
  return %0 : tensor<64x16xf32>
}

// CHECK-LABEL: @finalize
// CHECK:       math.log
// CHECK-NOT:   lattn.
// MERGE-LABEL: @finalize
// MERGE:       lattn.finalize
// TWO-LABEL:   @finalize
// TWO:         lattn.finalize
func.func @finalize(%a: !s, %m: !r, %o: !s) -> (!s, !r) {
  %0:2 = lattn.finalize ins(%a, %m, %m : !s, !r, !r) outs(%o : !s, %m : !r) {value_axis = 1}
  return %0#0, %0#1 : !s, !r
}

// The state as it is, transposed.
// CHECK-LABEL: @store_state
// CHECK-NOT:   math.log
// CHECK-NOT:   arith.divf
// CHECK-NOT:   lattn.
// CHECK:       return
func.func @store_state(%a: tensor<64x16xf32>, %m: !r, %o: !s) -> (!s, !r, !r) {
  %0:3 = lattn.finalize ins(%a, %m, %m : tensor<64x16xf32>, !r, !r) outs(%o : !s, %m, %m : !r, !r) {value_axis = 0}
  return %0#0, %0#1, %0#2 : !s, !r, !r
}
