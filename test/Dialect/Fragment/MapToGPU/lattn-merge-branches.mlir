// RUN: lattn-opt %s --lattn-merge-branches | FileCheck %s

!t = memref<?xf32>
!s = memref<8xf32>

// Both sides fill the same buffer.
// CHECK-LABEL: @two_buffers
// CHECK:       %[[BUFFER:.*]] = memref.alloc
// CHECK-NOT:   memref.alloc
// CHECK:       scf.if
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT:  } else {
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT:  }
// CHECK-NEXT:  return %[[BUFFER]]
func.func @two_buffers(%yes: i1, %n: index, %x: f32, %y: f32) -> !t {
  %0 = scf.if %yes -> !t {
    %a = memref.alloc(%n) : !t
    linalg.fill ins(%x : f32) outs(%a : !t)
    scf.yield %a : !t
  } else {
    %b = memref.alloc(%n) : !t
    linalg.fill ins(%y : f32) outs(%b : !t)
    scf.yield %b : !t
  }
  return %0 : !t
}

// An array from elsewhere is copied.
// CHECK-LABEL: @passed_on
// CHECK-SAME:  %{{.*}}: i1, %{{.*}}: index, %[[X:.*]]: f32, %[[ARRAY:.*]]: memref<8xf32>
// CHECK:       %[[BUFFER:.*]] = memref.alloc()
// CHECK:       scf.if
// CHECK-NEXT:    linalg.fill ins(%[[X]] : f32) outs(%[[BUFFER]] :
// CHECK-NEXT:  } else {
// CHECK-NEXT:    memref.copy %[[ARRAY]], %[[BUFFER]]
// CHECK:       return %[[BUFFER]]
func.func @passed_on(%yes: i1, %n: index, %x: f32, %array: !s) -> !s {
  %0 = scf.if %yes -> !s {
    %a = memref.alloc() : !s
    linalg.fill ins(%x : f32) outs(%a : !s)
    scf.yield %a : !s
  } else {
    scf.yield %array : !s
  }
  return %0 : !s
}

// Neither may be written: others read both.
// CHECK-LABEL: @chosen
// CHECK-SAME:  %{{.*}}: i1, %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>
// CHECK:       %[[BUFFER:.*]] = memref.alloc
// CHECK:       scf.if
// CHECK-NEXT:    memref.copy %[[X]], %[[BUFFER]]
// CHECK-NEXT:  } else {
// CHECK-NEXT:    memref.copy %[[Y]], %[[BUFFER]]
// CHECK:       return %[[BUFFER]], %[[X]], %[[Y]]
func.func @chosen(%yes: i1, %x: !s, %y: !s) -> (!s, !s, !s) {
  %0 = scf.if %yes -> !s {
    scf.yield %x : !s
  } else {
    scf.yield %y : !s
  }
  return %0, %x, %y : !s, !s, !s
}

// Two results of one buffer are two arrays.
// CHECK-LABEL: @twice
// CHECK:       scf.if
// CHECK:         memref.copy
// CHECK:       return %[[A:[^,]+]], %[[B:[^ ]+]] :
func.func @twice(%yes: i1, %n: index, %x: f32, %u: !s, %v: !s) -> (!s, !s) {
  %0:2 = scf.if %yes -> (!s, !s) {
    %a = memref.alloc() : !s
    linalg.fill ins(%x : f32) outs(%a : !s)
    scf.yield %a, %a : !s, !s
  } else {
    scf.yield %u, %v : !s, !s
  }
  return %0#0, %0#1 : !s, !s
}

// What is copied to an array next is written there.
// CHECK-LABEL: @copied_next
// CHECK-SAME:  %{{.*}}: i1, %{{.*}}: index, %{{.*}}: f32, %[[ARRAY:.*]]: memref<?xf32>
// CHECK:       scf.if
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[ARRAY]] :
// CHECK-NEXT:  } else {
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[ARRAY]] :
// CHECK-NEXT:  }
// CHECK-NEXT:  return
func.func @copied_next(%yes: i1, %n: index, %x: f32, %array: !t) {
  %0 = scf.if %yes -> !t {
    %a = memref.alloc(%n) : !t
    linalg.fill ins(%x : f32) outs(%a : !t)
    scf.yield %a : !t
  } else {
    linalg.fill ins(%x : f32) outs(%array : !t)
    scf.yield %array : !t
  }
  memref.copy %0, %array : !t to !t
  return
}

// The branch reads the array, so the result has a buffer of its own.
// CHECK-LABEL: @read_before
// CHECK-SAME:  %{{.*}}: i1, %{{.*}}: index, %[[ARRAY:.*]]: memref<8xf32>
// CHECK:       %[[BUFFER:.*]] = memref.alloc
// CHECK:       scf.if
// CHECK-NEXT:    linalg.exp ins(%[[ARRAY]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT:  } else {
// CHECK-NEXT:    memref.copy %[[ARRAY]], %[[BUFFER]]
// CHECK:       memref.copy %[[BUFFER]], %[[ARRAY]]
func.func @read_before(%yes: i1, %n: index, %array: !s) {
  %0 = scf.if %yes -> !s {
    %a = memref.alloc() : !s
    linalg.exp ins(%array : !s) outs(%a : !s)
    scf.yield %a : !s
  } else {
    scf.yield %array : !s
  }
  memref.copy %0, %array : !s to !s
  return
}

// The host knows the condition, and the sides may have other sizes.
// CHECK-LABEL: @other_sizes
// CHECK:       %[[R:.*]] = scf.if
// CHECK:       return %[[R]]
func.func @other_sizes(%yes: i1, %n: index, %m: index, %x: f32) -> !t {
  %0 = scf.if %yes -> !t {
    %a = memref.alloc(%n) : !t
    linalg.fill ins(%x : f32) outs(%a : !t)
    scf.yield %a : !t
  } else {
    %b = memref.alloc(%m) : !t
    linalg.fill ins(%x : f32) outs(%b : !t)
    scf.yield %b : !t
  }
  return %0 : !t
}

// The GPU decides, so the sizes must be the same.
// CHECK-LABEL: @gpu_decides
// CHECK-SAME:  %[[FLAG:[^:]+]]: memref<i1>, %[[N:.*]]: index, %{{.*}}: f32, %[[ARRAY:.*]]: memref<?xf32>
// CHECK:       %[[BUFFER:.*]] = memref.alloc(%[[N]])
// CHECK:       %[[SIZE:.*]] = memref.dim %[[BUFFER]]
// CHECK:       %[[OTHER:.*]] = memref.dim %[[ARRAY]]
// CHECK:       %[[SAME:.*]] = arith.cmpi eq, %[[SIZE]], %[[OTHER]]
// CHECK:       cf.assert %[[SAME]], "expected results of the same sizes from both sides of a branch by what the GPU computes"
// CHECK:       scf.if
// CHECK:         memref.copy %[[ARRAY]], %[[BUFFER]]
func.func @gpu_decides(%flag: memref<i1>, %n: index, %x: f32, %array: !t) -> !t {
  %yes = memref.load %flag[] : memref<i1>
  %0 = scf.if %yes -> !t {
    %a = memref.alloc(%n) : !t
    linalg.fill ins(%x : f32) outs(%a : !t)
    scf.yield %a : !t
  } else {
    scf.yield %array : !t
  }
  return %0 : !t
}

// Both sides end with one array, which is one of them already.
// CHECK-LABEL: @same_array
// CHECK-SAME:  %{{.*}}: i1, %[[ARRAY:.*]]: memref<8xf32>, %[[X:.*]]: f32
// CHECK:       %[[OPEN:.*]] = memref.cast %[[ARRAY]]
// CHECK:       scf.if
// CHECK-NEXT:    linalg.fill ins(%[[X]] : f32) outs(%[[ARRAY]] :
// CHECK-NEXT:  } else {
// CHECK-NEXT:  }
// CHECK-NEXT:  return %[[OPEN]]
func.func @same_array(%yes: i1, %array: !s, %x: f32) -> !t {
  %open = memref.cast %array : !s to !t
  %0 = scf.if %yes -> !t {
    linalg.fill ins(%x : f32) outs(%array : !s)
    scf.yield %open : !t
  } else {
    %also = memref.cast %array : !s to !t
    scf.yield %also : !t
  }
  return %0 : !t
}
