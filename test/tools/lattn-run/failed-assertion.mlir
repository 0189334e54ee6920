// A length that is no multiple of the window, without autopad: the program says
// so when it runs, and nothing is written.

// REQUIRES: slow
// RUN: rm -f %t.npz
// RUN: not lattn-run %s --cache=off --random=1 --shape=0:1x1x10x8 \
// RUN:   --shape=1:1x1x10x8 --shape=2:1x1x10x8 --output %t.npz 2>&1 \
// RUN:   | FileCheck %s
// RUN: not ls %t.npz
// RUN: lattn-run %s --cache=off --random=1 --shape=0:1x1x12x8 \
// RUN:   --shape=1:1x1x12x8 --shape=2:1x1x12x8 --verify-loops \
// RUN:   | FileCheck %s --check-prefix=GOOD

// CHECK: error: failed-assertion.mlir:{{.*}} 'lattn.local_attention' op expected a sequence length divisible by the window's 4 without autopad, got 10
// GOOD: out0 agrees with lattn-to-loops

!t = tensor<1x1x?x8xf32>
func.func @main(%q: !t, %k: !t, %v: !t) -> !t {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%n) : !t
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) {window_size = 4 : i64, causal, dim = 8 : i64}
  return %0 : !t
}
