// RUN: lattn-opt %s --loop-invariant-code-motion | FileCheck %s

!t = tensor<1x2x4x8xf32>

// Attention of tensors leaves a loop that does not change them.
// CHECK-LABEL: func.func @hoisted(
// CHECK:         lattn.attention
// CHECK:         scf.for
func.func @hoisted(%q: !t, %from: index, %to: index, %step: index) -> !t {
  %r = scf.for %i = %from to %to step %step iter_args(%sum = %q) -> !t {
    %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
    %1 = arith.addf %sum, %0 : !t
    scf.yield %1 : !t
  }
  return %r : !t
}

// One that writes to memory stays.
// CHECK-LABEL: func.func @stays(
// CHECK:         scf.for
// CHECK:         lattn.attention
func.func @stays(%q: memref<1x2x4x8xf32>, %o: memref<1x2x4x8xf32>, %from: index,
                 %to: index, %step: index) {
  scf.for %i = %from to %to step %step {
    lattn.attention query(%q : memref<1x2x4x8xf32>) key(%q : memref<1x2x4x8xf32>)
        value(%q : memref<1x2x4x8xf32>) outs(%o : memref<1x2x4x8xf32>)
  }
  return
}
