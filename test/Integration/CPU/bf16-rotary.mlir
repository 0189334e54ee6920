// Turned rows of bf16: their scores are in f32, their values by products of pairs.

// REQUIRES: slow
// RUN: lattn-run %s --entry=causal --random=1 --shape=0:1x2x333x64 --shape=1:1x2x333x64 --shape=2:1x2x333x64 --bf16=emulated-dot --verify-loops --explain | FileCheck %s --check-prefix=EXPLAIN
// RUN: lattn-run %s --entry=scaled --random=1 --shape=0:1x2x150x32 --shape=1:1x2x150x32 --shape=2:1x2x150x32 --bf16=emulated-dot --verify-loops
// RUN: not lattn-run %s --entry=causal --random=1 --shape=0:1x2x8x64 --shape=1:1x2x8x64 --shape=2:1x2x8x64 --bf16=fast 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not lattn-run %s --entry=causal --random=1 --shape=0:1x2x8x64 --shape=1:1x2x8x64 --shape=2:1x2x8x64 --mcpu=x86-64 --bf16=amx 2>&1 | FileCheck %s --check-prefix=LACKS

// EXPLAIN: products{{ +}}scores in f32, since rows were turned or normalised; values by dot products of bf16
// KIND: error: bf16: expected widened, dot, emulated-dot or amx, got 'fast'
// LACKS: error: bf16: amx: CPU 'x86-64' lacks amx-bf16, amx-tile or avx512bf16

!t = tensor<1x2x?x64xbf16>
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%n) : !t
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) {window_size = 32 : i64, causal, dim = 64 : i64, autopad, exact_windowsize}
  return %0 : !t
}

!x = tensor<1x2x?x32xbf16>
func.func @scaled(%q: !x, %k: !x, %v: !x) -> !x {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !x
  %e = tensor.empty(%n) : !x
  %0 = lattn.local_attention query(%q : !x) key(%k : !x) value(%v : !x)
      outs(%e : !x) {window_size = 16 : i64, causal, dim = 32 : i64, autopad, use_xpos}
  return %0 : !x
}
