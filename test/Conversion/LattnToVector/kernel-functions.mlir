// RUN: lattn-opt %s --lattn-tile --canonicalize --cse --one-shot-bufferize="bufferize-function-boundaries" --lattn-decompose=ops=sweep_keys --canonicalize --cse --convert-lattn-to-vector -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: grep -c "func.func private @lattn_online_attention" %t | FileCheck %s --check-prefix=FUNCTIONS
// RUN: grep -c "func.func private @lattn_pack_query" %t | FileCheck %s --check-prefix=ONE
// RUN: grep -c "func.func private @lattn_finalize" %t | FileCheck %s --check-prefix=ONE

// Equal tile ops share a function: the left and the right edge, in one attention
// and in another of the same shape. Masked and unmasked are two; so is another
// window.

// FUNCTIONS: 3
// ONE: 1

!t = tensor<1x2x?x32xf32>

// CHECK-LABEL: @two
// CHECK:      scf.forall
// CHECK:        call @lattn_pack_query
// CHECK:        call @[[EDGE:[^(]+]](
// CHECK:        call @[[INTERIOR:[^(]+]](
// CHECK:        call @[[EDGE]](
// CHECK:        call @lattn_finalize
// CHECK:      scf.forall
// CHECK:        call @[[EDGE]](
// CHECK:        call @[[INTERIOR]](
// CHECK:        call @[[EDGE]](
func.func @two(%q: !t, %k: !t, %v: !t, %o: !t, %p: !t) -> (!t, !t) {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 256, right = 0>}
  %1 = lattn.attention query(%k : !t) key(%k : !t) value(%q : !t) outs(%p : !t)
      {window = #lattn.window<left = 256, right = 0>}
  return %0, %1 : !t, !t
}

// CHECK-LABEL: @other_window
// CHECK-NOT:    call @[[EDGE]](
// CHECK:        call @[[OTHER:lattn_online[^(]+]](
// CHECK-NOT:    call @[[EDGE]](
// CHECK:        call @[[INTERIOR]](
// CHECK:        call @[[OTHER]](
func.func @other_window(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 257, right = 0>}
  return %0 : !t
}

// CHECK:      func.func private @[[EDGE]]({{.*}}) attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
