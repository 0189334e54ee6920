// RUN: lattn-opt %s --gpu-kernel-outlining --lattn-gather-kernels | FileCheck %s

// The first kernel reads no constant array. Those of later kernels come along,
// each once.
// CHECK:      gpu.module @table_kernel
// CHECK-NEXT:   gpu.func @table_kernel(
// CHECK:        gpu.func @table_kernel_0(
// CHECK:          memref.get_global @numbers
// CHECK:        memref.global "private" constant @numbers : memref<2xf64>
// CHECK:        gpu.func @table_kernel_1(
// CHECK:          memref.get_global @numbers
// CHECK-NOT:    memref.global
// CHECK-NOT:  gpu.module

memref.global "private" constant @numbers : memref<2xf64> = dense<[1.0, 2.0]>

func.func @table(%out: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f64
    memref.store %zero, %out[%c0] : memref<2xf64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %table = memref.get_global @numbers : memref<2xf64>
    %number = memref.load %table[%c1] : memref<2xf64>
    memref.store %number, %out[%c0] : memref<2xf64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %table = memref.get_global @numbers : memref<2xf64>
    %number = memref.load %table[%c0] : memref<2xf64>
    memref.store %number, %out[%c1] : memref<2xf64>
    gpu.terminator
  }
  return
}
