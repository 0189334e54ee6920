// Four neighbours are computed once, by one of the threads that hold them.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,canonicalize,cse))" | FileCheck %s

!acc = !fragment.tile<16x16xf32, #fragment.mma<accumulator, warps = 1>>
!flags = !fragment.tile<16x16xi1, #fragment.mma<accumulator, warps = 1>>

gpu.module @kernels {
  // In rows: a thread has two fours of 16 columns, and pairs of threads exchange them.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK-SAME:    %[[NUMBER:[^:]*]]: i32,
  // CHECK-DAG:   %[[OWN:.*]] = arith.constant 858993459 : i32
  // CHECK-DAG:   %[[TWO:.*]] = arith.constant 2 : i32
  // CHECK:       %[[HERE:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=r,r" %[[NUMBER]]
  // CHECK-COUNT-2: arith.remui %{{.*}}, %[[HERE]] : i32
  // CHECK-NOT:   arith.remui {{.*}} : i32
  // CHECK-COUNT-2: gpu.shuffle {{ *}}idx
  // CHECK-NOT:   gpu.shuffle
  // CHECK:       %[[THEIRS:.*]] = arith.andi %{{.*}}, %[[OWN]] : i32
  // CHECK:       arith.shli %[[THEIRS]], %[[TWO]] : i32
  // CHECK:       %[[WORD:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;"
  // CHECK-COUNT-8: arith.andi %[[WORD]],
  gpu.func @rows(%number: i32, %o: memref<16x16xf32>) kernel {
    %kept = fragment.map_fours -> !flags {
    ^bb0(%i: index, %j: index):
      %c2 = arith.constant 2 : i32
      %c0 = arith.constant 0 : i32
      %column = arith.index_cast %j : index to i32
      %row = arith.index_cast %i : index to i32
      %at = arith.addi %column, %row : i32
      %x = arith.remui %at, %number : i32
      %a = arith.cmpi eq, %x, %c0 : i32
      %b = arith.cmpi eq, %x, %c2 : i32
      fragment.yield %a, %b, %a, %b : i1, i1, i1, i1
    }
    %0 = fragment.map ins(%kept : !flags) -> !acc {
    ^bb0(%i: index, %j: index, %flag: i1):
      %x = arith.uitofp %flag : i1 to f32
      fragment.yield %x : f32
    }
    fragment.store %0, %o : !acc, memref<16x16xf32>
    gpu.return
  }

  // In columns: four threads exchange them.
  // CHECK-LABEL: gpu.func @columns(
  // CHECK-DAG:   %[[OWN:.*]] = arith.constant 286331153 : i32
  // CHECK-COUNT-4: gpu.shuffle {{ *}}idx
  // CHECK-NOT:   gpu.shuffle
  // CHECK:       arith.andi %{{.*}}, %[[OWN]] : i32
  gpu.func @columns(%flag: i1, %o: memref<16x16xf32>) kernel {
    %kept = fragment.map_fours in_column -> !flags {
    ^bb0(%i: index, %j: index):
      %a = arith.cmpi eq, %i, %j : index
      fragment.yield %a, %flag, %a, %flag : i1, i1, i1, i1
    }
    %0 = fragment.map ins(%kept : !flags) -> !acc {
    ^bb0(%i: index, %j: index, %x: i1):
      %y = arith.uitofp %x : i1 to f32
      fragment.yield %y : f32
    }
    fragment.store %0, %o : !acc, memref<16x16xf32>
    gpu.return
  }
}
