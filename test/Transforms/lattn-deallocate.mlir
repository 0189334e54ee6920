// RUN: lattn-opt %s --lattn-deallocate | FileCheck %s

// Buffers are freed in the functions that own them. Other functions stay as they are,
// even what a canonicalization would remove.

// CHECK-LABEL: func.func @allocates
// CHECK:       %[[B:.*]] = memref.alloc
// CHECK:       call @fill(%[[B]])
// CHECK:       memref.dealloc %[[B]]
func.func @allocates() {
  %0 = memref.alloc() : memref<4xf32>
  call @fill(%0) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @gets
// CHECK:       %[[B:.*]] = call @gives
// CHECK:       memref.dealloc
func.func @gets() {
  %0 = call @gives() : () -> memref<4xf32>
  call @fill(%0) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @gives
func.func private @gives() -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  return %0 : memref<4xf32>
}

// The caller frees what it gets, so it cannot get the argument itself.
// CHECK-LABEL: func.func @returns
// CHECK-SAME:  %[[A:.*]]: memref<4xf32>
// CHECK:       %[[C:.*]] = bufferization.clone %[[A]]
// CHECK:       return %[[C]]
func.func @returns(%arg: memref<4xf32>) -> memref<4xf32> {
  return %arg : memref<4xf32>
}

// CHECK-LABEL: func.func private @fill
// CHECK:       memref.alloca()
// CHECK:       arith.addi
// CHECK-NOT:   dealloc
func.func private @fill(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %scratch = memref.alloca() : memref<f32>
  %x = memref.load %scratch[] : memref<f32>
  %i = arith.addi %c0, %c0 : index
  memref.store %x, %m[%i] : memref<4xf32>
  return
}
