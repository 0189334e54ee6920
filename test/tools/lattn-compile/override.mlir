// A program's own loops, memory and failing instead of what objects bring.

// UNSUPPORTED: sanitizer
// REQUIRES: slow
// RUN: lattn-compile %s -o %t.o
// RUN: %cc -std=c99 -Wall -Wextra -Werror %S/Inputs/override.c %t.o -lm -o %t.exe
// RUN: %t.exe | FileCheck %s
// CHECK: failed: override.mlir:{{.*}} 'lattn.local_attention' op expected a sequence length divisible by the window's 4 without autopad, got 10
// CHECK: loops: yes, blocks alive: 1

// Without them a failure ends the program.
// RUN: %cc -std=c99 -Wall -Wextra -Werror -DPLAIN %S/Inputs/override.c %t.o -lm -o %t.exe
// RUN: not --crash %t.exe 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: lattn: error: override.mlir:{{.*}} 'lattn.local_attention' op expected a sequence length divisible

!t = tensor<1x1x?x8xf32>
func.func @local(%q: !t) -> !t {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%n) : !t
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      outs(%e : !t) {window_size = 4 : i64, causal, dim = 8 : i64}
  return %0 : !t
}
