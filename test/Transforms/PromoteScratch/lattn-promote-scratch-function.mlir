// RUN: lattn-opt %s --lattn-promote-scratch="function-bytes=192" | FileCheck %s
// RUN: lattn-opt %s --lattn-promote-scratch | FileCheck %s --check-prefix=NONE

// With function-bytes, buffers in the entry block of a function go to the stack
// until so many bytes are there.

// NONE-NOT: memref.alloca

func.func private @use(memref<16xf32>)
func.func private @use_more(memref<32xf32>)
func.func private @pass(memref<16xf32>) -> memref<16xf32>

// CHECK-LABEL: @fits
// CHECK:       memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK:       memref.alloca() : memref<32xf32>
// CHECK:       memref.alloc() : memref<16xf32>
// CHECK:       scf.for
// CHECK-NEXT:    memref.alloc()
func.func @fits(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @use(%0) : (memref<16xf32>) -> ()
  %1 = memref.alloc() : memref<32xf32>
  %2 = memref.subview %1[16] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 16>>
  linalg.fill ins(%x : f32) outs(%2 : memref<16xf32, strided<[1], offset: 16>>)
  call @use_more(%1) : (memref<32xf32>) -> ()
  %3 = memref.alloc() : memref<16xf32>
  call @use(%3) : (memref<16xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %4 = memref.alloc() : memref<16xf32>
    func.call @use(%4) : (memref<16xf32>) -> ()
  }
  return
}

// What a return, a branch, a call or a store passes on may outlive the call.
// CHECK-LABEL: @escapes
// CHECK-NOT:   memref.alloca
func.func @escapes(%c: i1, %held: memref<memref<16xf32>>, %other: memref<16xf32>) -> memref<?xf32> {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  %2 = memref.alloc() : memref<16xf32>
  %3 = memref.alloc() : memref<16xf32>
  %4 = memref.alloc() : memref<16xf32>
  %chosen = scf.if %c -> memref<16xf32> {
    scf.yield %0 : memref<16xf32>
  } else {
    scf.yield %other : memref<16xf32>
  }
  %passed = call @pass(%1) : (memref<16xf32>) -> memref<16xf32>
  %either = arith.select %c, %2, %other : memref<16xf32>
  memref.store %3, %held[] : memref<memref<16xf32>>
  %result = memref.cast %4 : memref<16xf32> to memref<?xf32>
  return %result : memref<?xf32>
}
