// RUN: lattn-opt %s --lattn-promote-scratch | FileCheck %s
// RUN: lattn-opt %s --lattn-promote-scratch="max-bytes=64" | FileCheck %s --check-prefix=SMALL

// Static buffers in a parallel loop go to the stack, once for all iterations of
// loops inside.

func.func private @use(memref<16xf32>)
func.func private @use_more(memref<?xf32>)
func.func private @use_many(memref<1048576xf32>)

// CHECK-LABEL: @parallel
// CHECK:       memref.alloc() : memref<16xf32>
// CHECK:       scf.forall
// CHECK-DAG:     memref.alloca() {alignment = 64 : i64} : memref<32xf32>
// CHECK-DAG:     memref.alloca() : memref<16xf32>
// CHECK-DAG:     memref.alloc() : memref<1048576xf32>
// CHECK-DAG:     memref.alloc(%{{.*}}) : memref<?xf32>
// SMALL-LABEL: @parallel
// SMALL:       scf.forall
// SMALL-DAG:     memref.alloc() {alignment = 64 : i64} : memref<32xf32>
// SMALL-DAG:     memref.alloca() : memref<16xf32>
func.func @parallel(%n: index) {
  %outside = memref.alloc() : memref<16xf32>
  call @use(%outside) : (memref<16xf32>) -> ()
  scf.forall (%i) in (%n) {
    %0 = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    %1 = memref.alloc() : memref<16xf32>
    %2 = memref.alloc() : memref<1048576xf32>
    %3 = memref.alloc(%n) : memref<?xf32>
    %4 = memref.cast %0 : memref<32xf32> to memref<?xf32>
    func.call @use_more(%4) : (memref<?xf32>) -> ()
    func.call @use(%1) : (memref<16xf32>) -> ()
    func.call @use_many(%2) : (memref<1048576xf32>) -> ()
    func.call @use_more(%3) : (memref<?xf32>) -> ()
  }
  return
}

// A buffer on the stack is not freed; one that is freed by another name stays.
// CHECK-LABEL: @freed
// CHECK:       %[[S:.*]] = memref.alloca() : memref<16xf32>
// CHECK:       %[[H:.*]] = memref.alloc() : memref<16xf32>
// CHECK:       call @use(%[[S]])
// CHECK-NOT:   memref.dealloc
// CHECK:       %[[C:.*]] = memref.cast %[[H]]
// CHECK-NEXT:  memref.dealloc %[[C]]
func.func @freed(%n: index) {
  scf.forall (%i) in (%n) {
    %0 = memref.alloc() : memref<16xf32>
    %1 = memref.alloc() : memref<16xf32>
    func.call @use(%0) : (memref<16xf32>) -> ()
    memref.dealloc %0 : memref<16xf32>
    %2 = memref.cast %1 : memref<16xf32> to memref<?xf32>
    memref.dealloc %2 : memref<?xf32>
  }
  return
}

// A buffer of a loop inside becomes the outermost forall's, unless an iteration
// passes it on. Sequential loops outside keep theirs.

// CHECK-LABEL: @sequential
// CHECK:       scf.for
// CHECK-NEXT:    memref.alloc()
// CHECK:       scf.forall
// CHECK-DAG:     %[[S:.*]] = memref.alloca() : memref<16xf32>
// CHECK-DAG:     %[[T:.*]] = memref.alloca() : memref<16xi8>
// CHECK:         scf.for
// CHECK-NEXT:      func.call @use_bytes(%[[T]])
// CHECK-NOT:       memref.dealloc
// CHECK:         scf.for {{.*}} iter_args
// CHECK-NEXT:      memref.alloc() : memref<16xf32>
// CHECK:         scf.forall
// CHECK-NEXT:      func.call @use(%[[S]])
// CHECK:       return
func.func private @use_bytes(memref<16xi8>)
func.func @sequential(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.alloc() : memref<16xf32>
    func.call @use(%0) : (memref<16xf32>) -> ()
  }
  scf.forall (%i) in (%n) {
    scf.for %j = %c0 to %n step %c1 {
      %0 = memref.alloc() : memref<16xi8>
      func.call @use_bytes(%0) : (memref<16xi8>) -> ()
      memref.dealloc %0 : memref<16xi8>
    }
    %first = memref.alloc(%n) : memref<?xf32>
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%before = %first) -> memref<?xf32> {
      %0 = memref.alloc() : memref<16xf32>
      %1 = memref.cast %0 : memref<16xf32> to memref<?xf32>
      func.call @use_more(%before) : (memref<?xf32>) -> ()
      scf.yield %1 : memref<?xf32>
    }
    func.call @use_more(%last) : (memref<?xf32>) -> ()
    scf.forall (%j) in (%n) {
      %0 = memref.alloc() : memref<16xf32>
      func.call @use(%0) : (memref<16xf32>) -> ()
    }
  }
  return
}

// 2^62 elements of four bytes are not none.
// CHECK-LABEL: @huge
// CHECK-NOT:   memref.alloca
func.func private @use_huge(memref<4611686018427387904xf32>)
func.func @huge(%n: index) {
  scf.forall (%i) in (%n) {
    %0 = memref.alloc() : memref<4611686018427387904xf32>
    func.call @use_huge(%0) : (memref<4611686018427387904xf32>) -> ()
  }
  return
}

// Those of loops inside share the bytes that one buffer may have.
// CHECK-LABEL: @share
// CHECK-COUNT-2: memref.alloca()
// SMALL-LABEL: @share
// SMALL:         memref.alloca()
// SMALL-NOT:     memref.alloca()
// SMALL:         scf.for
// SMALL-NEXT:      memref.alloc()
func.func @share(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    scf.for %j = %c0 to %n step %c1 {
      %0 = memref.alloc() : memref<16xf32>
      %1 = memref.alloc() : memref<16xf32>
      func.call @use(%0) : (memref<16xf32>) -> ()
      func.call @use(%1) : (memref<16xf32>) -> ()
    }
  }
  return
}
