// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(lattn-finish-kernels))" | FileCheck %s

// A loop over items computes what depends on the thread for each, by a number
// that is read anew; nothing else moves. The annotation becomes the branch's own.
#items = #llvm.loop_annotation<licm = <disable = true>>
// CHECK: #[[LICM:.*]] = #llvm.loop_licm<disable = true>
// CHECK: #[[ITEMS:.*]] = #llvm.loop_annotation<licm = #[[LICM]]>

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @items(
  // CHECK-SAME:    %[[P:.*]]: !llvm.ptr, %[[N:.*]]: i32
  // CHECK:         %[[OUTER:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK:         %[[ROW:.*]] = llvm.mul %[[OUTER]], %{{.*}}
  // CHECK:         %[[OTHER:.*]] = llvm.mul %[[N]], %{{.*}}
  // CHECK:         llvm.store %[[ROW]], %[[P]]
  // CHECK:       ^bb1(%[[I:.*]]: i32):
  // CHECK:         %[[THREAD:.*]] = llvm.inline_asm has_side_effects {{.*}} "mov.u32 $0, %tid.x;", "=r"
  // CHECK:         %[[AGAIN:.*]] = llvm.mul %[[THREAD]], %{{.*}}
  // CHECK:       ^bb2:
  // CHECK:         llvm.store %[[AGAIN]], %[[P]]
  // CHECK:         llvm.store %[[OTHER]], %[[P]]
  // CHECK:         llvm.br ^bb1(%{{.*}}) {loop_annotation = #[[ITEMS]]}
  // CHECK:       ^bb3:
  // CHECK:         llvm.store %[[ROW]], %[[P]]
  llvm.func @items(%p: !llvm.ptr, %n: i32) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %row = llvm.mul %tid, %n : i32
    %other = llvm.mul %n, %n : i32
    llvm.store %row, %p : i32, !llvm.ptr
    llvm.br ^bb1(%zero : i32)
  ^bb1(%i: i32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^bb2, ^bb3
  ^bb2:
    llvm.store %row, %p : i32, !llvm.ptr
    llvm.store %other, %p : i32, !llvm.ptr
    %next = llvm.add %i, %one : i32
    llvm.br ^bb1(%next : i32) {llvm.loop_annotation = #items}
  ^bb3:
    llvm.store %row, %p : i32, !llvm.ptr
    llvm.return
  }

  // A loop of another kind stays as it is.
  // CHECK-LABEL: llvm.func @others(
  // CHECK-NOT:     inline_asm
  // CHECK:         llvm.return
  llvm.func @others(%p: !llvm.ptr, %n: i32) {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    llvm.br ^bb1(%zero : i32)
  ^bb1(%i: i32):
    %more = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %more, ^bb2, ^bb3
  ^bb2:
    llvm.store %tid, %p : i32, !llvm.ptr
    %next = llvm.add %i, %one : i32
    llvm.br ^bb1(%next : i32)
  ^bb3:
    llvm.return
  }
}
