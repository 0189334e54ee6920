// A program with AMX asks the system for it, and ends with a message where that
// refuses.

// REQUIRES: host-x86, slow
// UNSUPPORTED: sanitizer
// RUN: lattn-compile %s --mcpu=sapphirerapids -o %t.o
// RUN: %cc -std=c99 -Wall -Wextra -Werror %S/Inputs/refused.c %t.o -lm -o %t.exe
// RUN: not --crash %t.exe 2>&1 | FileCheck %s
// CHECK: lattn: error: AMX: the operating system does not let this program use it

!t = tensor<1x8x?x64xbf16>
func.func @attention(%q: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%o : !t)
  return %0 : !t
}
