// RUN: lattn-opt %s --lattn-branch-in-kernels | FileCheck %s

// Each kernel reads the condition, which may be another one for each side. Loops and
// branches by sizes stay on the host.
// CHECK-LABEL: @both
// CHECK-SAME:  %[[FLAG:[^:]+]]: memref<i1>
// CHECK-NOT:   memref.load
// CHECK:       %[[BUFFER:.*]] = memref.alloc
// CHECK:       scf.for
// CHECK:         gpu.launch
// CHECK-NEXT:      %[[YES:.*]] = memref.load %[[FLAG]][]
// CHECK-NEXT:      scf.if %[[YES]] {
// CHECK-NEXT:        memref.store %{{.*}}, %[[BUFFER]]
// CHECK:           gpu.terminator
// CHECK:       gpu.launch
// CHECK-NEXT:    %[[FLAG_NOW:.*]] = memref.load %[[FLAG]][]
// CHECK:         %[[NO:.*]] = arith.xori %[[FLAG_NOW]], %{{.*}}
// CHECK-NEXT:    scf.if %[[NO]] {
// CHECK:       return
func.func @both(%flag: memref<i1>, %n: index, %x: f32, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = memref.load %flag[] : memref<i1>
  scf.if %yes {
    %buffer = memref.alloc(%n) : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
          threads(%g, %h, %j) in (%k = %c1, %l = %c1, %m = %c1) {
        memref.store %x, %buffer[%i] : memref<?xf32>
        gpu.terminator
      }
    }
  } else {
    gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
        threads(%g, %h, %j) in (%k = %c1, %l = %c1, %m = %c1) {
      memref.store %x, %out[%c0] : memref<?xf32>
      gpu.terminator
    }
  }
  return
}

// The host would divide by zero, so the branch stays.
// CHECK-LABEL: @division
// CHECK:       memref.load
// CHECK:       scf.if
// CHECK:         arith.divsi
func.func @division(%flag: memref<i1>, %n: index, %x: f32, %out: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %yes = memref.load %flag[] : memref<i1>
  scf.if %yes {
    %i = arith.divsi %c1, %n : index
    gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
        threads(%g, %h, %j) in (%k = %c1, %l = %c1, %m = %c1) {
      memref.store %x, %out[%i] : memref<?xf32>
      gpu.terminator
    }
  }
  return
}

// A kernel of the branch changes the condition, so the branch stays.
// CHECK-LABEL: @changed
// CHECK:       memref.load
// CHECK:       scf.if
func.func @changed(%flag: memref<i1>, %no: i1) {
  %c1 = arith.constant 1 : index
  %yes = memref.load %flag[] : memref<i1>
  scf.if %yes {
    gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
        threads(%g, %h, %j) in (%k = %c1, %l = %c1, %m = %c1) {
      memref.store %no, %flag[] : memref<i1>
      gpu.terminator
    }
  }
  return
}
