// RUN: lattn-opt %s --lattn-merge-branches | FileCheck %s

!t = memref<?xf32>

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
// CHECK-SAME:  %{{.*}}: i1, %[[N:.*]]: index, %[[X:.*]]: f32, %[[ARRAY:.*]]: memref<?xf32>
// CHECK:       %[[BUFFER:.*]] = memref.alloc(%[[N]])
// CHECK:       scf.if
// CHECK-NEXT:    linalg.fill ins(%[[X]] : f32) outs(%[[BUFFER]] :
// CHECK-NEXT:  } else {
// CHECK-NEXT:    memref.copy %[[ARRAY]], %[[BUFFER]]
// CHECK:       return %[[BUFFER]]
func.func @passed_on(%yes: i1, %n: index, %x: f32, %array: !t) -> !t {
  %0 = scf.if %yes -> !t {
    %a = memref.alloc(%n) : !t
    linalg.fill ins(%x : f32) outs(%a : !t)
    scf.yield %a : !t
  } else {
    scf.yield %array : !t
  }
  return %0 : !t
}

// Neither may be written: others read both.
// CHECK-LABEL: @chosen
// CHECK-SAME:  %{{.*}}: i1, %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>
// CHECK:       %[[BUFFER:.*]] = memref.alloc
// CHECK:       scf.if
// CHECK-NEXT:    memref.copy %[[X]], %[[BUFFER]]
// CHECK-NEXT:  } else {
// CHECK-NEXT:    memref.copy %[[Y]], %[[BUFFER]]
// CHECK:       return %[[BUFFER]], %[[X]], %[[Y]]
func.func @chosen(%yes: i1, %x: !t, %y: !t) -> (!t, !t, !t) {
  %0 = scf.if %yes -> !t {
    scf.yield %x : !t
  } else {
    scf.yield %y : !t
  }
  return %0, %x, %y : !t, !t, !t
}

// Two results of one buffer are two arrays.
// CHECK-LABEL: @twice
// CHECK:       scf.if
// CHECK:         memref.copy
// CHECK:       return %[[A:[^,]+]], %[[B:[^ ]+]] :
func.func @twice(%yes: i1, %n: index, %x: f32, %u: !t, %v: !t) -> (!t, !t) {
  %0:2 = scf.if %yes -> (!t, !t) {
    %a = memref.alloc(%n) : !t
    linalg.fill ins(%x : f32) outs(%a : !t)
    scf.yield %a, %a : !t, !t
  } else {
    scf.yield %u, %v : !t, !t
  }
  return %0#0, %0#1 : !t, !t
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
// CHECK-SAME:  %{{.*}}: i1, %{{.*}}: index, %[[ARRAY:.*]]: memref<?xf32>
// CHECK:       %[[BUFFER:.*]] = memref.alloc
// CHECK:       scf.if
// CHECK-NEXT:    linalg.exp ins(%[[ARRAY]] : {{.*}}) outs(%[[BUFFER]] :
// CHECK-NEXT:  } else {
// CHECK-NEXT:    memref.copy %[[ARRAY]], %[[BUFFER]]
// CHECK:       memref.copy %[[BUFFER]], %[[ARRAY]]
func.func @read_before(%yes: i1, %n: index, %array: !t) {
  %0 = scf.if %yes -> !t {
    %a = memref.alloc(%n) : !t
    linalg.exp ins(%array : !t) outs(%a : !t)
    scf.yield %a : !t
  } else {
    scf.yield %array : !t
  }
  memref.copy %0, %array : !t to !t
  return
}
