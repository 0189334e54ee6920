// Whatever the target, inner loops are FMAs on whole vectors, their sums stay in
// registers, and exp is no call: with queries on the lanes.

// REQUIRES: slow
// DEFINE: %{target} =
// DEFINE: %{cpu} =
// DEFINE: %{vectors} =
// DEFINE: %{compile} = lattn-opt %s --lattn-to-llvm="mtriple=%{target} mcpu=%{cpu} parallel=false" \
// DEFINE:   | %llvm_bin/mlir-translate --mlir-to-llvmir \
// DEFINE:   | %llvm_bin/opt -O3 -disable-loop-unrolling -mtriple=%{target} -mcpu=%{cpu} \
// DEFINE:   | %llvm_bin/llc -O3 -mtriple=%{target} -mcpu=%{cpu} \
// DEFINE:   | %python %S/Inputs/inner_loops.py %{vectors} | FileCheck %s

// REDEFINE: %{target} = aarch64-linux-gnu
// REDEFINE: %{vectors} = neon
// REDEFINE: %{cpu} = generic
// RUN: %{compile} --check-prefixes=CHECK,NEON
// REDEFINE: %{cpu} = neoverse-v2
// RUN: %{compile} --check-prefixes=CHECK,NEON
// REDEFINE: %{target} = x86_64-linux-gnu
// REDEFINE: %{vectors} = ymm
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %{compile} --check-prefixes=CHECK,AVX2
// REDEFINE: %{vectors} = zmm
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{compile} --check-prefixes=CHECK,AVX512
// REDEFINE: %{cpu} = znver4
// RUN: %{compile} --check-prefixes=CHECK,AVX512
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %{compile} --check-prefixes=CHECK,AVX512

// NEON-COUNT-4:   loop of 64 FMAs, 0 spills
// NEON-NOT:       {{[1-9][0-9]*}} spills
// AVX2-COUNT-4:   loop of 48 FMAs, 0 spills
// AVX2-NOT:       loop of 48 FMAs, {{[1-9]}}
// AVX512-COUNT-12: loop of {{16|64}} FMAs, 0 spills
// AVX512-NOT:     loop of {{[0-9]+}} FMAs, {{[1-9]}}
// CHECK:          calls: malloc memset{{$}}

!q = tensor<?x?x?x64xf32>
func.func @attention(%q: !q, %k: !q, %v: !q, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q) outs(%o : !q)
      {window = #lattn.window<left = 256, right = 0>, schedule = #lattn.schedule<lanes = queries>}
  return %0 : !q
}
// With 32 registers of 512 bits, lanes are mixed.
!s = tensor<1x8x4096x64xf32>
func.func @short_window(%q: !s, %k: !s, %v: !s, %o: !s) -> !s {
  %0 = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s) outs(%o : !s)
      {window = #lattn.window<left = 64, right = 0>}
  return %0 : !s
}
!h = tensor<?x?x?x80xf16>
func.func @narrow(%q: !h, %k: !h, %v: !h, %o: !h) -> !h {
  %0 = lattn.attention query(%q : !h) key(%k : !h) value(%v : !h) outs(%o : !h)
      {schedule = #lattn.schedule<lanes = queries>}
  return %0 : !h
}
