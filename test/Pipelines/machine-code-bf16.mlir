// With AVX512-BF16 the products of bf16 are dot products of pairs: the pair of a key
// or value is an operand broadcast from memory, sums stay in registers, weights are
// rounded by an instruction.

// REQUIRES: slow
// DEFINE: %{cpu} =
// DEFINE: %{assembly} = lattn-opt %s --lattn-to-llvm="mtriple=x86_64-linux-gnu mcpu=%{cpu} parallel=false bf16=dot" \
// DEFINE:   | %llvm_bin/mlir-translate --mlir-to-llvmir \
// DEFINE:   | %llvm_bin/opt -O3 -disable-loop-unrolling -mtriple=x86_64-linux-gnu -mcpu=%{cpu} \
// DEFINE:   | %llvm_bin/llc -O3 -mtriple=x86_64-linux-gnu -mcpu=%{cpu} -o %t
// DEFINE: %{check} = %python %S/Inputs/inner_loops.py bf16 < %t | FileCheck %s

// REDEFINE: %{cpu} = znver4
// RUN: %{assembly} && %{check} && FileCheck %s --check-prefix=CODE --input-file=%t
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %{assembly} && %{check} && FileCheck %s --check-prefix=CODE --input-file=%t

// Of a pair times 16 keys, and of a pair of weights times 16 values.
// CHECK-COUNT-4: loop of 16 FMAs, 0 spills
// CHECK-NOT:     {{[1-9][0-9]*}} spills
// CHECK:         calls: malloc memset{{$}}
// CODE-NOT:      vfmadd{{.*}}{1to16}, %zmm
// CODE:          vdpbf16ps {{.*}}{1to16}, %zmm
// CODE:          vcvtne{{2?}}ps2bf16

!t = tensor<?x?x?x64xbf16>
func.func @attention(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !t
}
