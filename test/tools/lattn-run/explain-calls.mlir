// Attention in a function that the entry calls counts with it.
// RUN: lattn-run %s --entry=main --random=1 --shape=0:1x4x20x32 --explain | FileCheck %s
// CHECK: rate
// CHECK: attention 0
// CHECK: shape                B 1, H 4 over 4, N 20, M 20, D 32
// CHECK: attention 1
// CHECK: tiles                16 queries, 24 keys
// CHECK-NOT: attention 2
// CHECK: memory
!t = tensor<1x4x?x32xf32>
func.func @main(%x: !t) -> (!t, !t) {
  %0 = func.call @helper(%x) : (!t) -> !t
  %1 = lattn.attention query(%x : !t) key(%x : !t) value(%0 : !t) outs(%x : !t)
      {schedule = #lattn.schedule<query_tile = 16, key_tile = 24>}
  return %0, %1 : !t, !t
}
func.func private @helper(%x: !t) -> !t {
  %0 = lattn.attention query(%x : !t) key(%x : !t) value(%x : !t) outs(%x : !t)
  return %0 : !t
}
