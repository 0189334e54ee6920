// A program that gets no memory ends with a message.

// UNSUPPORTED: sanitizer
// RUN: lattn-compile %s --emit=header -o %t.h
// RUN: lattn-compile %s -o %t.o
// RUN: %cc -std=c99 -Wall -Wextra -Werror -include %t.h %S/Inputs/memory.c %t.o \
// RUN:   -lm -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s

// CHECK: {{^}}size 64
// CHECK-NEXT: lattn: error: out of memory: compiled code asked for 18014398509
// CHECK-NOT: a result
func.func @ones(%n: index) -> tensor<?xf32> {
  %c = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
