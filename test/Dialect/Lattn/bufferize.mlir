// RUN: lattn-opt %s --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | FileCheck %s

// Results live in their destinations; reading copies nothing; a destination
// that is read later is copied first.

!t = tensor<1x2x8x16xf32>

// CHECK-LABEL: @in_place
// CHECK-SAME: (%[[Q:[^:]+]]: memref<1x2x8x16xf32, {{.*}}>, %[[C:[^:]+]]: memref<?xf32, {{.*}}>, %[[O:[^:]+]]: memref<1x2x8x16xf32
// CHECK-NOT:  memref.alloc
// CHECK-NOT:  memref.copy
// CHECK:      lattn.attention query(%[[Q]] : {{.*}}) key(%[[Q]] : {{.*}} captures(%[[C]] : {{.*}} outs(%[[O]] :
// CHECK:      ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %[[A:.*]]: memref<?xf32
// CHECK:        memref.load %[[A]]
// CHECK-NOT:  memref.copy
// CHECK:      return %[[O]]
func.func @in_place(%q: !t {bufferization.writable = false}, %c: tensor<?xf32>, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      captures(%c : tensor<?xf32>) outs(%o : !t) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %t: tensor<?xf32>):
    %at = arith.index_cast %j : i32 to index
    %x = tensor.extract %t[%at] : tensor<?xf32>
    %y = arith.addf %s, %x : f32
    lattn.yield %y : f32
  }
  return %0 : !t
}

// The query is also the destination: it is read while results are written. The
// old contents of the destination are not copied.
// CHECK-LABEL: @aliased
// CHECK-SAME: %[[Q:[^:]+]]: memref
// CHECK:      %[[NEW:.*]] = memref.alloc
// CHECK-NOT:  memref.copy
// CHECK:      lattn.attention query(%[[Q]] : {{.*}} outs(%[[NEW]] :
func.func @aliased(%q: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
  return %0 : !t
}

// A state is read and written: its old value, still needed, is copied.
// CHECK-LABEL: @state_kept
// CHECK-SAME: %[[ACC:[^:]+]]: memref<16x64xf32, {{.*}}>, %[[MAX:[^:]+]]: memref<16xf32, {{.*}}>
// CHECK:      %[[NEW:.*]] = memref.alloc() {{.*}} : memref<16x64xf32>
// CHECK-NEXT: memref.copy %[[ACC]], %[[NEW]]
// CHECK:      lattn.merge {{.*}} outs(%[[NEW]], %{{.*}}, %{{.*}} :
!a = tensor<16x64xf32>
!r = tensor<16xf32>
func.func @state_kept(%acc: !a, %max: !r, %sum: !r, %as: tensor<4x16x64xf32>,
    %ms: tensor<4x16xf32>) -> (!a, !a) {
  %0:3 = lattn.merge ins(%as, %ms, %ms : tensor<4x16x64xf32>, tensor<4x16xf32>, tensor<4x16xf32>)
      outs(%acc, %max, %sum : !a, !r, !r) {value_axis = 1}
  return %0#0, %acc : !a, !a
}
