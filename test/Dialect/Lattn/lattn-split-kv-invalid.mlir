// RUN: lattn-opt %s --lattn-split-kv="parts=2" -verify-diagnostics | FileCheck %s
// RUN: not lattn-opt %s --lattn-split-kv="parts=-1" 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not lattn-opt %s --lattn-split-kv="key-tile=0" 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not lattn-opt %s --lattn-split-kv="parts=9223372036854775807 key-tile=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not lattn-opt %s --lattn-split-kv="parts=65537" 2>&1 | FileCheck %s --check-prefix=MANY

// PARTS: error: lattn-split-kv: expected 0 to 65536 parts, no negative number of slots, and tiles of 1 to 512 queries and 1 to 4096 keys, got parts=-1 slots=0 query-tile=16 key-tile=64
// TILE: error: lattn-split-kv: {{.*}} got parts=0 slots=0 query-tile=16 key-tile=0
// HUGE: error: lattn-split-kv: {{.*}} got parts=9223372036854775807 slots=0 query-tile=16 key-tile=9223372036854775807
// MANY: error: lattn-split-kv: {{.*}} got parts=65537 slots=0 query-tile=16 key-tile=64

// CHECK-LABEL: @head_size
// CHECK: lattn.attention
!d = tensor<1x8x1x?xf32>
func.func @head_size(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  // expected-warning @+1 {{is not split along keys: the head size is not known at compile time}}
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
  return %0 : !d
}
