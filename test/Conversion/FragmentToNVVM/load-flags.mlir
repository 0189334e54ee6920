// Each thread reads one of 32 flags, and takes its own columns' byte of each vote.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,canonicalize,cse))" | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @votes(
  // CHECK-SAME:    %[[MASK:[^:]*]]: memref<?xi1>
  // CHECK:       %[[SIZE:.*]] = memref.dim %[[MASK]]
  // CHECK:       %[[INSIDE:.*]] = arith.cmpi slt, %[[AT:.*]], %[[SIZE]]
  // CHECK:       %[[FLAG:.*]] = scf.if %[[INSIDE]] -> (i1)
  // CHECK-NEXT:    memref.load %[[MASK]][%[[AT]]]
  // CHECK:       nvvm.vote.sync ballot %{{.*}}, %[[FLAG]] -> i32
  // CHECK-COUNT-4: nvvm.vote.sync ballot
  // CHECK-NOT:   nvvm.vote
  // Of 160 columns four votes make a register, and the fifth one another.
  // CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.prmt"
  // CHECK-NOT:   prmt
  // CHECK:       %[[WORD:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;"
  // CHECK-COUNT-32: arith.andi %[[WORD]],
  // CHECK-NOT:   arith.andi %[[WORD]],
  gpu.func @votes(%mask: memref<?xi1>, %o: memref<16x160xf32>) kernel {
    %flags = fragment.load_flags %mask : memref<?xi1> -> !fragment.tile<160xi1, #fragment.mma<column, warps = 1>>
    %0 = fragment.map ins(%flags : !fragment.tile<160xi1, #fragment.mma<column, warps = 1>>) -> !fragment.tile<16x160xf32, #fragment.mma<accumulator, warps = 1>> {
    ^bb0(%i: index, %j: index, %flag: i1):
      %x = arith.uitofp %flag : i1 to f32
      fragment.yield %x : f32
    }
    fragment.store %0, %o : !fragment.tile<16x160xf32, #fragment.mma<accumulator, warps = 1>>, memref<16x160xf32>
    gpu.return
  }
}
