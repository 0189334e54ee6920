// A thread takes its first column from the bound of a row once; each of its
// columns is then compared as a constant.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,canonicalize,cse))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @bound(
  // CHECK-SAME:    %[[BOUND:.*]]: i32,
  // CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG:   %[[EIGHT:.*]] = arith.constant 8 : i32
  // CHECK:       %[[THREAD:.*]] = gpu.thread_id {{ *}}x
  // CHECK:       %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} : index
  // CHECK:       %[[MOST:.*]] = arith.maxsi %[[BOUND]], %[[ZERO]] : i32
  // CHECK:       %[[NARROW:.*]] = arith.index_cast %[[FIRST]] : index to i32
  // CHECK:       %[[LEFT:.*]] = arith.subi %[[MOST]], %[[NARROW]] : i32
  // CHECK:       arith.cmpi sgt, %[[LEFT]], %[[ZERO]] : i32
  // CHECK-NOT:   arith.subi
  // CHECK:       arith.cmpi sle, %[[LEFT]], %[[EIGHT]] : i32
  gpu.func @bound(%bound: i32, %o: memref<2xi1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %column = fragment.thread_column
    %narrow = arith.index_cast %column : index to i32
    %visible = arith.cmpi slt, %narrow, %bound : i32
    memref.store %visible, %o[%c0] : memref<2xi1>
    %next = arith.addi %column, %c8 : index
    %narrow_next = arith.index_cast %next : index to i32
    %hidden = arith.cmpi sge, %narrow_next, %bound : i32
    memref.store %hidden, %o[%c1] : memref<2xi1>
    gpu.return
  }

  // Another column than a thread's stays as it is.
  // CHECK-LABEL: gpu.func @other(
  // CHECK-NOT:   arith.maxsi
  // CHECK:       arith.cmpi slt
  gpu.func @other(%column: index, %bound: i32, %o: memref<i1>) kernel {
    %narrow = arith.index_cast %column : index to i32
    %visible = arith.cmpi slt, %narrow, %bound : i32
    memref.store %visible, %o[] : memref<i1>
    gpu.return
  }
}
