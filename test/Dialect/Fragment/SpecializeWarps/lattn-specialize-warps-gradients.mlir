// RUN: lattn-opt %s --lattn-specialize-warps="stages=2 multiprocessors=7" --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-specialize-warps="stages=2 multiprocessors=7" --lattn-overlap-products | FileCheck %s --check-prefix=OVERLAP

// As in gradients: two residents, two streams of matrices and one of a vector, and
// two results. Rows of the streams depend on the step in another way than by an
// offset.

!sum = !fragment.tile<128x64xf32, #fragment.mma<accumulator, warps = 8>>
!rows = !fragment.tile<128x64xbf16, #fragment.mma<operand, warps = 8>>
!column = !fragment.tile<64xf32, #fragment.mma<column, warps = 8>>
!array = memref<?x?x64xbf16>
!tile = memref<128x64xbf16, strided<[64, 1], offset: ?>>
!step = memref<64x64xbf16, strided<[64, 1], offset: ?>>
!numbers = memref<64xf32, strided<[1], offset: ?>>

// CHECK-LABEL: func.func @gradients(
// CHECK:           nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x128x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK:           nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x128x64xbf16,
// CHECK:           %[[QMAP:.*]] = nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x64x64xbf16,
// CHECK:           %[[DOMAP:.*]] = nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x64x64xbf16,
// CHECK:           %[[LMAP:.*]] = nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x64xf32, #gpu.address_space<workgroup>>, swizzle = none
// CHECK:           gpu.launch
// Barriers of two residents, and of all streams together: their first products need
// nothing of each other.
// CHECK-COUNT-4:     nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
// CHECK:             %[[FULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
// CHECK:             %[[EMPTY:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
// CHECK-NOT:         nvgpu.mbarrier.create
// CHECK:             fragment.warp_specialize persistent warps(8, registers = 232) {
// The vector is waited for before anything reads it, and what a product starts from
// is in its registers before products start.
// CHECK:               lattn.sweep_keys
// CHECK:                 nvgpu.mbarrier.try_wait.parity %[[FULL]]
// CHECK-NOT:             nvgpu.mbarrier.try_wait
// CHECK:                 %[[L:.*]] = fragment.load %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>> -> <64xf32
// CHECK:                 %[[FROM:.*]] = fragment.map ins(%[[L]]
// CHECK:                 %[[START:.*]] = fragment.warpgroup_wait %[[FROM]] {pending = 0 : i64}
// CHECK:                 %[[S:.*]] = fragment.warpgroup_multiply %{{.*}}, %{{.*}} {inner = 64 : i64, transposed} : memref
// CHECK:                 %[[DP:.*]] = fragment.warpgroup_multiply %{{.*}}, %{{.*}}, %[[START]] {inner = 64 : i64, transposed} : memref
// The first product is waited for alone. The second one runs on, and so does the
// one of weights.
// CHECK:                 %[[W:.*]] = fragment.warpgroup_wait %[[S]] {pending = 1 : i64}
// CHECK:                 %[[P:.*]] = fragment.narrow %[[W]]
// CHECK:                 %[[DV:.*]] = fragment.warpgroup_multiply %[[P]], %{{.*}}, %{{.*}} {inner = 64 : i64} : !fragment.tile
// CHECK:                 %[[G:.*]] = fragment.warpgroup_wait %[[DP]] {pending = 1 : i64}
// CHECK:                 %[[DS:.*]] = fragment.narrow %[[G]]
// CHECK:                 %[[DK:.*]] = fragment.warpgroup_multiply %[[DS]], %{{.*}}, %{{.*}} {inner = 64 : i64} : !fragment.tile
// CHECK:                 fragment.warpgroup_wait %[[DV]], %[[P]] {pending = 1 : i64}
// CHECK:                 fragment.warpgroup_wait %[[DK]], %[[DS]] {pending = 0 : i64}
// CHECK:                 nvgpu.mbarrier.arrive %[[EMPTY]]
// CHECK-NOT:             nvgpu.mbarrier.arrive %[[EMPTY]]
// CHECK:             } warps(4, registers = 40) {
// CHECK:               scf.for
// CHECK:                 scf.for
// The step's row of the arrays.
// CHECK:                   arith.remui
// CHECK:                   nvgpu.mbarrier.try_wait.parity %[[EMPTY]]
// CHECK:                   nvgpu.mbarrier.arrive.expect_tx %[[FULL]]{{.*}}, %c16640
// CHECK:                   nvgpu.tma.async.load %[[QMAP]]
// CHECK:                   nvgpu.tma.async.load %[[DOMAP]]
// CHECK:                   nvgpu.tma.async.load %[[LMAP]]

// Products that hold the stages of others do not run beside the next step.
// OVERLAP-LABEL: func.func @gradients(
// OVERLAP-NOT:     ping_pong
// OVERLAP-NOT:     fragment.settle
// OVERLAP:         return
func.func @gradients(%k: !array, %v: !array, %q: !array, %do: !array, %lse: memref<?x?xf32>,
                     %dk: memref<128x64xf32>, %dv: memref<128x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %fits = fragment.reachable
  scf.if %fits {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
      %head = fragment.work_tile %bx in (%n)
      %keys = memref.subview %k[%head, 0, 0] [1, 128, 64] [1, 1, 1] : !array to !tile
      %values = memref.subview %v[%head, 0, 0] [1, 128, 64] [1, 1, 1] : !array to !tile
      %none = fragment.splat %zero : f32 -> !sum
      %a = fragment.load %keys : !tile -> !rows
      %c = fragment.load %values : !tile -> !rows
      %sums:2 = lattn.sweep_keys (%at, %size, %edge) in (%c0 interior %n) by 64
          iter_args(%dk0 = %none, %dv0 = %none) -> (!sum, !sum) {
        %row = arith.remui %at, %c128 : index
        %queries = memref.subview %q[%head, %row, 0] [1, 64, 64] [1, 1, 1] : !array to !step
        %given = memref.subview %do[%head, %row, 0] [1, 64, 64] [1, 1, 1] : !array to !step
        %numbers = memref.subview %lse[%head, %row] [1, 64] [1, 1] : memref<?x?xf32> to !numbers
        %l = fragment.load %numbers : !numbers -> !column
        %from = fragment.map ins(%l : !column) -> !sum {
        ^bb0(%i: index, %j: index, %x: f32):
          %negative = arith.negf %x : f32
          fragment.yield %negative : f32
        }
        %s = fragment.multiply %a, %queries, %none {transposed} : !rows, !step -> !sum
        %dp = fragment.multiply %c, %given, %from {transposed} : !rows, !step -> !sum
        %p = fragment.narrow %s : !sum -> !rows
        %dv1 = fragment.multiply %p, %given, %dv0 : !rows, !step -> !sum
        %ds = fragment.narrow %dp : !sum -> !rows
        %dk1 = fragment.multiply %ds, %queries, %dk0 : !rows, !step -> !sum
        lattn.yield %dk1, %dv1 : !sum, !sum
      }
      fragment.store %sums#0, %dk : !sum, memref<128x64xf32>
      fragment.store %sums#1, %dv : !sum, memref<128x64xf32>
      gpu.terminator
    }
  }
  return
}
