// Gradients of bf16 with AVX512-BF16: dot products of pairs in all five products, whose
// sums stay in registers.

// REQUIRES: slow
// DEFINE: %{cpu} =
// DEFINE: %{assembly} = lattn-opt %s --lattn-to-llvm="mtriple=x86_64-linux-gnu mcpu=%{cpu} parallel=false bf16=dot" \
// DEFINE:   | %llvm_bin/mlir-translate --mlir-to-llvmir \
// DEFINE:   | %llvm_bin/opt -O3 -mtriple=x86_64-linux-gnu -mcpu=%{cpu} \
// DEFINE:   | %llvm_bin/llc -O3 -mtriple=x86_64-linux-gnu -mcpu=%{cpu} -o %t
// DEFINE: %{check} = %python %S/Inputs/inner_loops.py bf16 < %t | FileCheck %s

// REDEFINE: %{cpu} = znver4
// RUN: %{assembly} && %{check} && FileCheck %s --check-prefix=CODE --input-file=%t
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %{assembly} && %{check} && FileCheck %s --check-prefix=CODE --input-file=%t

// Four pairs of features times 16 keys, and four pairs of queries or keys times 4 rows
// of 4 vectors.
// CHECK-DAG:     loop of 64 FMAs, 0 spills
// CHECK-NOT:     {{[1-9][0-9]*}} spills
// CODE-NOT:      vfmadd{{.*}}{1to16}, %zmm
// CODE:          vdpbf16ps {{.*}}{1to16}, %zmm

!t = tensor<?x?x?x64xbf16>
!l = tensor<?x?x?xf32>
func.func @gradients(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %do: !t, %dq: !t, %dk: !t, %dv: !t) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t) output(%o : !t) lse(%l : !l)
      d_output(%do : !t) outs(%dq, %dk, %dv : !t, !t, !t) {window = #lattn.window<left = 256, right = 0>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}
