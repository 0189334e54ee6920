// RUN: lattn-opt %s --lattn-raise-memrefs | FileCheck %s
// RUN: lattn-opt %s --lattn-raise-memrefs --lattn-tile --canonicalize --cse --one-shot-bufferize --canonicalize --cse --canonicalize | FileCheck %s --check-prefix=BACK
// RUN: lattn-opt %s --lattn-raise-memrefs --lattn-raise-memrefs -o %t && lattn-opt %s --lattn-raise-memrefs | diff - %t

// Ops on buffers become ops on tensors, and bufferization gives the same buffers
// back: no copies, and no memory but the tiles' states.

!m = memref<2x8x?x64xf32, strided<[?, ?, ?, 1], offset: ?>>
!l = memref<2x8x?xf32>

// CHECK-LABEL: @attention
// CHECK-SAME: (%[[Q:[^:]+]]: memref{{.*}}, %[[K:[^:]+]]: memref{{.*}}, %[[V:[^:]+]]: memref{{.*}}, %[[C:[^:]+]]: memref<8xf32>, %[[O:[^:]+]]: memref{{.*}}, %[[L:[^:]+]]: memref<2x8x?xf32>)
// CHECK:      %[[TQ:.*]] = bufferization.to_tensor %[[Q]] restrict : {{.*}} to tensor<2x8x?x64xf32>
// CHECK:      %[[TC:.*]] = bufferization.to_tensor %[[C]] restrict :
// CHECK:      %[[TO:.*]] = bufferization.to_tensor %[[O]] restrict writable
// CHECK:      %[[TL:.*]] = bufferization.to_tensor %[[L]] restrict writable
// CHECK:      %[[R:.*]]:2 = lattn.attention query(%[[TQ]] : {{.*}} captures(%[[TC]] : tensor<8xf32>) outs(%[[TO]] : {{.*}}, %[[TL]] :
// CHECK-SAME:   window = #lattn.window<left = 256, right = 0>
// CHECK:        tensor.extract
// CHECK-NOT:    memref.load
// CHECK:      bufferization.materialize_in_destination %[[R]]#0 in restrict writable %[[O]]
// CHECK:      bufferization.materialize_in_destination %[[R]]#1 in restrict writable %[[L]]

// BACK-LABEL: @attention
// BACK-SAME: %[[O:[^:]+]]: memref{{[^%]*}}, %[[L:[^:]+]]: memref<2x8x?xf32>)
// BACK-NOT:  memref.alloc
// BACK:      scf.forall
// BACK-DAG:    memref.alloc() {alignment = 64 : i64} : memref<64x16xf32>
// BACK-DAG:    memref.alloc() {alignment = 64 : i64} : memref<64x16xf32>
// BACK-DAG:    memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// BACK-DAG:    memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// BACK-NOT:    memref.alloc
// BACK-NOT:    memref.copy
// BACK:        lattn.online_attention
// BACK-NOT:    memref.alloc
// BACK-NOT:    memref.copy
// BACK:          memref.load
// BACK-NOT:    memref.alloc
// BACK-NOT:    memref.copy
// BACK:        %[[OT:.*]] = memref.subview %[[O]]
// BACK:        %[[LT:.*]] = memref.subview %[[L]]
// BACK:        lattn.finalize {{.*}} outs(%[[OT]] : {{.*}}, %[[LT]] :
// BACK-NOT:  memref.copy
// BACK:      return
func.func @attention(%q: !m, %k: !m, %v: !m, %c: memref<8xf32>, %o: !m, %l: !l) {
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m) captures(%c : memref<8xf32>)
      outs(%o : !m, %l : !l) {window = #lattn.window<left = 256, right = 0>} score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %slopes: memref<8xf32>):
    %head = arith.index_cast %h : i32 to index
    %slope = memref.load %slopes[%head] : memref<8xf32>
    %r = arith.mulf %s, %slope : f32
    lattn.yield %r : f32
  }
  return
}

// CHECK-LABEL: @finalize
// CHECK:      lattn.finalize ins({{.*}} : tensor<64x16xf32>
// CHECK:      bufferization.materialize_in_destination
func.func @finalize(%a: memref<64x16xf32>, %m: memref<16xf32>, %o: memref<16x64xf16>) {
  lattn.finalize ins(%a, %m, %m : memref<64x16xf32>, memref<16xf32>, memref<16xf32>)
      outs(%o : memref<16x64xf16>) {value_axis = 0}
  return
}

// Scratch memory beside the arrays is in the default memory space.
// CHECK-LABEL: @spaces
// CHECK-SAME: (%[[Q:[^:]+]]: memref{{.*}}, 1>, %[[O:[^:]+]]: memref<1x2x3x8xf32>)
// CHECK:      %[[CAST:.*]] = memref.memory_space_cast %[[Q]] : memref<1x2x3x8xf32, 1> to memref<1x2x3x8xf32>
// CHECK:      bufferization.to_tensor %[[CAST]]
// CHECK:      linalg.exp ins(%{{.*}} : memref<1x2x3x8xf32>)
func.func @spaces(%q: memref<1x2x3x8xf32, 1>, %o: memref<1x2x3x8xf32>) {
  lattn.attention query(%q : memref<1x2x3x8xf32, 1>) key(%o : memref<1x2x3x8xf32>)
      value(%o : memref<1x2x3x8xf32>) outs(%o : memref<1x2x3x8xf32>)
  linalg.exp ins(%q : memref<1x2x3x8xf32, 1>) outs(%o : memref<1x2x3x8xf32>)
  return
}
