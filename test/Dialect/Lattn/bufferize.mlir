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

// Staged rows are the input's or the scratch's: neither is copied before.
// CHECK-LABEL: @stage
// CHECK-SAME: (%[[K:[^:]+]]: memref<?x8xbf16, {{.*}}>)
// CHECK:      %[[E:.*]] = memref.alloc() {{.*}} : memref<16x8xf32>
// CHECK-NOT:  memref.copy
// CHECK:      %[[R:.*]] = lattn.stage_rows ins(%[[K]] : {{.*}}) scratch(%[[E]] : {{.*}} -> memref<?x8xf32, strided<[?, ?], offset: ?>>
// CHECK-NOT:  memref.copy
// CHECK:      return %[[R]]
func.func @stage(%k: tensor<?x8xbf16> {bufferization.writable = false}) -> tensor<?x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %0 = lattn.stage_rows ins(%k : tensor<?x8xbf16>) scratch(%e : tensor<16x8xf32>)
      {position_axis = 0} -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// Two ops do not share scratch that both results may lie in.
// CHECK-LABEL: @stage_twice
// CHECK-COUNT-2: memref.alloc() {{.*}} : memref<16x8xf32>
func.func @stage_twice(%k: tensor<?x8xf32> {bufferization.writable = false}, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %0 = lattn.stage_rows ins(%k : tensor<?x8xf32>) scratch(%e : tensor<16x8xf32>)
      {position_axis = 0} -> tensor<?x8xf32>
  %1 = lattn.stage_rows ins(%k : tensor<?x8xf32>) scratch(%e : tensor<16x8xf32>)
      {position_axis = 0} -> tensor<?x8xf32>
  %2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%0, %1 : tensor<?x8xf32>, tensor<?x8xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
