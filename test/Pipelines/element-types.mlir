// REQUIRES: slow
// RUN: sed s/ELEMENT/f32/g %s | lattn-opt --lattn-to-llvm | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: sed s/ELEMENT/f64/g %s | lattn-opt --lattn-to-llvm | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: sed s/ELEMENT/f16/g %s | lattn-opt --lattn-to-llvm | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: sed s/ELEMENT/bf16/g %s | lattn-opt --lattn-to-llvm | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: sed s/ELEMENT/f32/g %s | lattn-opt --lattn-to-loops | FileCheck %s --check-prefixes=CHECK,LOOPS
// RUN: sed s/ELEMENT/f64/g %s | lattn-opt --lattn-to-loops | FileCheck %s --check-prefixes=CHECK,LOOPS
// RUN: sed s/ELEMENT/f16/g %s | lattn-opt --lattn-to-loops | FileCheck %s --check-prefixes=CHECK,LOOPS
// RUN: sed s/ELEMENT/bf16/g %s | lattn-opt --lattn-to-loops | FileCheck %s --check-prefixes=CHECK,LOOPS

// Both pipelines end in the LLVM dialect alone, for every element type.

// CHECK-NOT: {{^ *(%.* = )?"?(lattn|arith|math|func|scf|cf|vector|memref|affine|linalg|tensor|bufferization|builtin)\.}}
// FAST-DAG: llvm.func @lattn_parallel_for
// FAST-DAG: llvm.func internal @lattn_online_attention
// LOOPS-NOT: lattn_parallel_for
// LOOPS: llvm.func @tensors
// LOOPS: llvm.func @_mlir_ciface_tensors

!t = tensor<1x4x?x32xELEMENT>
!kv = tensor<1x2x?x32xELEMENT>
func.func @tensors(%q: !t, %k: !kv, %v: !kv, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !kv) value(%v : !kv) outs(%o : !t)
      {window = #lattn.window<left = 20, right = 0>}
  return %0 : !t
}

!m = memref<1x4x?x32xELEMENT>
func.func @buffers(%q: !m, %k: !m, %v: !m, %o: !m) {
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m) outs(%o : !m) {causal}
  return
}
