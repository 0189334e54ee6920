// RUN: lattn-opt %s --lattn-to-loops -split-input-file -verify-diagnostics | FileCheck %s
// RUN: sed '/^.. ---/,$d' %s | lattn-opt --lattn-to-loops="generic-alloc" | FileCheck %s --check-prefix=GENERIC

// The oracle inside: no kernels, no vectors, no threads, no tiles of keys.

// CHECK-NOT: vector<
// CHECK-NOT: lattn_
// CHECK:     llvm.call @malloc
// CHECK-NOT: vector<
// CHECK-NOT: lattn_

// GENERIC-NOT: @malloc
// GENERIC: llvm.call @_mlir_memref_to_llvm_alloc
!t = tensor<1x4x?x?xf32>
func.func @local(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 20, right = 0>}
  return %0 : !t
}
