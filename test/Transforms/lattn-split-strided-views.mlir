// RUN: lattn-opt %s --lattn-split-strided-views | FileCheck %s
// RUN: lattn-opt %s --lattn-to-llvm -o /dev/null
// RUN: lattn-opt %s --lattn-check-sizes -o /dev/null

// An axis of extent 1 stays, and the types alone do not tell which axes go.
// CHECK-LABEL: func.func @every_second(
// CHECK-SAME:    %[[X:[^:]+]]: memref<?x8x1xf32>, %[[I:[^:]+]]: index
// CHECK:       %[[WHOLE:.*]] = memref.subview %[[X]][%[[I]], 0, 0] [1, 4, 1] [1, 2, 1]
// CHECK-SAME:    to memref<1x4x1xf32, strided<[8, 2, 1], offset: ?>>
// CHECK:       memref.subview %[[WHOLE]][0, 0, 0] [1, 4, 1] [1, 1, 1]
// CHECK-SAME:    to memref<4x1xf32, strided<[2, 1], offset: ?>>
func.func @every_second(%x: memref<?x8x1xf32>, %i: index, %to: memref<4x1xf32>) {
  %0 = memref.subview %x[%i, 0, 0] [1, 4, 1] [1, 2, 1]
      : memref<?x8x1xf32> to memref<4x1xf32, strided<[2, 1], offset: ?>>
  linalg.copy ins(%0 : memref<4x1xf32, strided<[2, 1], offset: ?>>) outs(%to : memref<4x1xf32>)
  return
}

// Others stay one view: without strides, or of the same rank.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: memref.subview
// CHECK-NOT:   memref.subview
func.func @others(%x: memref<?x8x1xf32>, %to: memref<8x1xf32>, %all: memref<1x4x1xf32>) {
  %0 = memref.subview %x[0, 0, 0] [1, 8, 1] [1, 1, 1] : memref<?x8x1xf32> to memref<8x1xf32>
  linalg.copy ins(%0 : memref<8x1xf32>) outs(%to : memref<8x1xf32>)
  %1 = memref.subview %x[0, 0, 0] [1, 4, 1] [1, 2, 1]
      : memref<?x8x1xf32> to memref<1x4x1xf32, strided<[8, 2, 1]>>
  linalg.copy ins(%1 : memref<1x4x1xf32, strided<[8, 2, 1]>>) outs(%all : memref<1x4x1xf32>)
  return
}
