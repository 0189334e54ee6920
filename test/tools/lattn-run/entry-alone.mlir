// RUN: lattn-run %s --entry=attend --random=1 --shape=0:1x1x9x8 --cache=off 2>&1 | FileCheck %s
// RUN: lattn-run %s --entry=slow --random=1 --shape=0:1x1x9x8 --cache=off 2>&1 | FileCheck %s --check-prefix=SLOW

// Only the entry, and what it calls, is compiled: nothing is said about the others.

// CHECK-NOT: warning
// CHECK:     entry attend
// CHECK-NOT: warning
// SLOW:      warning: attention stays untiled
// SLOW:      entry slow

!t = tensor<1x1x?x8xf32>
!u = tensor<1x1x?x?xf32>
func.func private @call(%q: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
  return %0 : !t
}
func.func @attend(%q: !t) -> !t {
  %0 = func.call @call(%q) : (!t) -> !t
  return %0 : !t
}
func.func @slow(%q: !u) -> !u {
  %0 = lattn.attention query(%q : !u) key(%q : !u) value(%q : !u) outs(%q : !u)
  return %0 : !u
}
