// RUN: lattn-opt %s --lattn-tile -verify-diagnostics | FileCheck %s
// RUN: not lattn-opt %s --lattn-tile="query-tile=0" 2>&1 | FileCheck %s --check-prefix=QUERY
// RUN: not lattn-opt %s --lattn-tile="key-tile=-1" 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not lattn-opt %s --lattn-tile="query-tile=1099511627776" 2>&1 | FileCheck %s --check-prefix=LARGE

// What cannot be tiled stays, with a reason.

// QUERY: error: lattn-tile: expected tiles of 1 to 512 queries and 1 to 4096 keys, got query-tile=0 key-tile=64
// KEY: error: lattn-tile: expected tiles of 1 to 512 queries and 1 to 4096 keys, got query-tile=16 key-tile=-1
// LARGE: error: lattn-tile: expected tiles of 1 to 512 queries and 1 to 4096 keys, got query-tile=1099511627776

// CHECK-LABEL: @head_size
// CHECK-NOT: scf.forall
// CHECK: lattn.attention
!d = tensor<1x8x128x?xf32>
func.func @head_size(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  // expected-warning @+1 {{stays untiled and will run as slow loops: the head size is not known at compile time}}
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
  return %0 : !d
}

// CHECK-LABEL: @large_head
// CHECK-NOT: scf.forall
!h = tensor<1x1x4x1099511627776xf32>
func.func @large_head(%q: !h, %o: !h) -> !h {
  // expected-warning @+1 {{the head size 1099511627776 is larger than 8192}}
  %0 = lattn.attention query(%q : !h) key(%q : !h) value(%q : !h) outs(%o : !h)
  return %0 : !h
}

// CHECK-LABEL: @buffers
// CHECK: lattn.attention
!m = memref<1x8x128x64xf32>
func.func @buffers(%q: !m, %k: !m, %v: !m, %o: !m) {
  // expected-warning @+1 {{stays untiled and will run as slow loops: is not on tensors}}
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m) outs(%o : !m)
  return
}

!t = tensor<1x8x128x64xf32>

// The others of the same function are tiled all the same.
// CHECK-LABEL: @one_of_two
// CHECK: lattn.attention
// CHECK: scf.forall
func.func @one_of_two(%a: !d, %b: !t) -> (!d, !t) {
  // expected-warning @+1 {{stays untiled}}
  %0 = lattn.attention query(%a : !d) key(%a : !d) value(%a : !d) outs(%a : !d)
  %1 = lattn.attention query(%b : !t) key(%b : !t) value(%b : !t) outs(%b : !t)
  return %0, %1 : !d, !t
}

// Values of no elements: the log-sum-exp is there all the same.
// CHECK-LABEL: @no_values
// CHECK: lattn.attention
!n = tensor<1x8x128x0xf32>
func.func @no_values(%q: !t, %k: !t, %v: !n, %o: !n, %l: tensor<1x8x128xf32>) -> tensor<1x8x128xf32> {
  // expected-warning @+1 {{stays untiled and will run as slow loops: its values have no elements}}
  %0:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !n)
      outs(%o : !n, %l : tensor<1x8x128xf32>)
  return %0#1 : tensor<1x8x128xf32>
}
