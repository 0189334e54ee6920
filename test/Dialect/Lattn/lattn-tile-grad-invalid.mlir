// RUN: lattn-opt %s --lattn-tile-grad -split-input-file -verify-diagnostics
// RUN: not lattn-opt %s --lattn-tile-grad="query-tile=0" 2>&1 | FileCheck %s --check-prefix=QUERY
// RUN: not lattn-opt %s --lattn-tile-grad="key-tile=-1" 2>&1 | FileCheck %s --check-prefix=KEY
// RUN: not lattn-opt %s --lattn-tile-grad="query-tile=513 key-tile=4097" 2>&1 | FileCheck %s --check-prefix=LARGE

// QUERY: error: lattn-tile-grad: expected tiles of 1 to 512 queries and 1 to 4096 keys, got query-tile=0 key-tile=64
// KEY: error: lattn-tile-grad: expected tiles of 1 to 512 queries and 1 to 4096 keys, got query-tile=16 key-tile=-1
// LARGE: error: lattn-tile-grad: expected tiles of 1 to 512 queries and 1 to 4096 keys, got query-tile=513 key-tile=4097

!m = memref<1x8x128x64xf32>
func.func @buffers(%q: !m, %l: memref<1x8x128xf32>) {
  // expected-error @+1 {{cannot be lowered: is not on tensors}}
  lattn.attention_grad query(%q : !m) key(%q : !m) value(%q : !m) output(%q : !m)
      lse(%l : memref<1x8x128xf32>) d_output(%q : !m) outs(%q, %q, %q : !m, !m, !m)
  return
}

// -----

// Without head sizes there is no kernel.
!d = tensor<1x2x?x?xf32>
!l = tensor<1x2x?xf32>
func.func @head_size(%q: !d, %l: !l) -> (!d, !d, !d) {
  // expected-warning @+1 {{gradients of attention run as slow loops: the head sizes are not known, or 0}}
  %0:3 = lattn.attention_grad query(%q : !d) key(%q : !d) value(%q : !d) output(%q : !d)
      lse(%l : !l) d_output(%q : !d) outs(%q, %q, %q : !d, !d, !d)
  return %0#0, %0#1, %0#2 : !d, !d, !d
}

// -----

!t = tensor<1x2x?x?xf32>
!u = tensor<1x2x?xf32>
func.func @tangents_of_head_size(%q: !t, %l: !u) -> !t {
  // expected-error @+1 {{cannot be lowered: its tangents need head sizes that are known, and not 0}}
  %0:4 = lattn.attention_jvp query(%q : !t) key(%q : !t) value(%q : !t) d_query(%q : !t)
      outs(%q, %l, %q, %l : !t, !u, !t, !u)
  return %0#2 : !t
}
