// RUN: lattn-opt %s --lattn-split-kv="parts=2" -verify-diagnostics | FileCheck %s
// RUN: not lattn-opt %s --lattn-split-kv="parts=-1" 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not lattn-opt %s --lattn-split-kv="key-tile=0" 2>&1 | FileCheck %s --check-prefix=TILE

// PARTS: error: lattn-split-kv: expected parts of at least 0 and tiles of at least 1, got parts=-1 query-tile=16 key-tile=64
// TILE: error: lattn-split-kv: {{.*}} got parts=0 query-tile=16 key-tile=0

// CHECK-LABEL: @head_size
// CHECK: lattn.attention
!d = tensor<1x8x1x?xf32>
func.func @head_size(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  // expected-warning @+1 {{is not split along keys: the head size is not known at compile time}}
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
  return %0 : !d
}

// CHECK-LABEL: @dropout
// CHECK: lattn.attention
!t = tensor<1x8x1x64xf32>
func.func @dropout(%q: !t, %k: !t, %v: !t, %p: f32, %seed: i64, %o: !t) -> !t {
  // expected-warning @+1 {{is not split along keys: dropout is not lowered yet}}
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      dropout(%p, %seed, %seed : f32, i64, i64) outs(%o : !t)
  return %0 : !t
}
