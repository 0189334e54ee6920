// RUN: lattn-opt %s --lattn-map-to-gpu | FileCheck %s
// RUN: lattn-opt %s --lattn-map-to-gpu --lattn-sink-into-launch | FileCheck %s --check-prefix=SINK
// RUN: lattn-opt %s --lattn-map-to-gpu --lattn-sink-into-launch --gpu-kernel-outlining --lattn-gather-kernels | FileCheck %s --check-prefix=GATHER

// A grid in one dimension, none where there are no blocks; the last axis runs
// first.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[BLOCKS:.*]] = arith.muli %{{.*}}, %[[TILES:.*]] : index
// CHECK:         %[[ANY:.*]] = arith.cmpi sgt, %[[BLOCKS]], %{{.*}} : index
// CHECK:         scf.if %[[ANY]] {
// CHECK:           gpu.launch blocks(%[[X:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[BLOCKS]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) threads(%{{.*}}) in (%{{.*}} = %c64
// CHECK:             %[[AT:.*]]:2 = fragment.work_tile %[[X]] in(%{{.*}}, %[[TILES]]){{$}}
// CHECK:             memref.subview %{{.*}}[%[[AT]]#0, %[[AT]]#1]

// What a kernel needs of the host it computes itself.
// SINK-LABEL: func.func @two(
// SINK:         gpu.launch
// SINK-DAG:       memref.dim %arg1
// SINK-DAG:       affine.apply

// Kernels take all arguments of their function, in order, and stand together.
// GATHER:       gpu.launch_func @two_kernel::@two_kernel {{.*}} args(%arg0 : memref<?xf32>, %arg1 : memref<?x?xf32>, %arg2 : f32) {fragment.kernel = #fragment.kernel<query_tile = 32>}
// GATHER:       gpu.launch_func @two_kernel::@two_kernel_0 {{.*}} args(%arg0 : memref<?xf32>, %arg1 : memref<?x?xf32>, %arg2 : f32)
// GATHER:       gpu.module @two_kernel
// GATHER:         gpu.func @two_kernel(%arg0: memref<?xf32>, %arg1: memref<?x?xf32>, %arg2: f32)
// GATHER:         gpu.func @two_kernel_0(%arg0: memref<?xf32>, %arg1: memref<?x?xf32>, %arg2: f32)
// GATHER-NOT:   gpu.module

func.func @two(%unused: memref<?xf32>, %a: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %heads = memref.dim %a, %c0 : memref<?x?xf32>
  %columns = memref.dim %a, %c1 : memref<?x?xf32>
  %tiles = affine.apply affine_map<()[s0] -> (s0 ceildiv 32)>()[%columns]
  scf.forall (%h, %t) in (%heads, %tiles) {
    %tile = fragment.splat %x : f32 -> !fragment.tile<32xf32, #fragment.mma<row, warps = 2>>
    %rows = memref.subview %a[%h, %t] [1, 32] [1, 1] : memref<?x?xf32> to memref<32xf32, strided<[1], offset: ?>>
    fragment.store %tile, %rows : !fragment.tile<32xf32, #fragment.mma<row, warps = 2>>, memref<32xf32, strided<[1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  scf.forall (%h) in (%heads) {
    %tile = fragment.splat %x : f32 -> !fragment.tile<32xf32, #fragment.mma<row, warps = 2>>
    %rows = memref.subview %a[%h, 0] [1, 32] [1, 1] : memref<?x?xf32> to memref<32xf32, strided<[1], offset: ?>>
    fragment.store %tile, %rows : !fragment.tile<32xf32, #fragment.mma<row, warps = 2>>, memref<32xf32, strided<[1], offset: ?>>
  } {mapping = [#gpu.block<x>]}
  return
}

// Scratch of a thread comes first, where LLVM makes registers of it. Work tiles
// have a block each if the loop says so.
// GATHER-LABEL: func.func @threads(
// GATHER:         gpu.launch_func @two_kernel::@threads_kernel
// GATHER-NOT:     fragment.kernel
// GATHER:         gpu.launch_func
// GATHER-SAME:    fragment.kernel
// CHECK-LABEL: func.func @threads(
// CHECK:         gpu.launch
// CHECK:           memref.alloca() : memref<1xf32>
// CHECK:           scf.if
// CHECK:             %[[ELEMENT:.*]] = fragment.work_tile %{{.*}} in(%arg1){{$}}
// CHECK:             memref.store
// CHECK:             memref.store %{{.*}}, %arg0[%[[ELEMENT]]]
// CHECK:         gpu.launch {{.*}} function(@threads_split)
// CHECK:           fragment.work_tile %{{.*}} in(%arg1) {block_per_tile}
// CHECK:           fragment.store
func.func @threads(%a: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (%n) {
    %scratch = memref.alloca() : memref<1xf32>
    memref.store %x, %scratch[%c0] : memref<1xf32>
    %y = memref.load %scratch[%c0] : memref<1xf32>
    memref.store %y, %a[%i] : memref<?xf32>
  } {mapping = [#gpu.thread<linear_dim_0>]}
  scf.forall (%i) in (%n) {
    %tile = fragment.splat %x : f32 -> !fragment.tile<32xf32, #fragment.mma<row, warps = 2>>
    %rows = memref.subview %a[%i] [32] [1] : memref<?xf32> to memref<32xf32, strided<[1], offset: ?>>
    fragment.store %tile, %rows : !fragment.tile<32xf32, #fragment.mma<row, warps = 2>>, memref<32xf32, strided<[1], offset: ?>>
  } {lattn.grid = #lattn.grid<kernel = "split", blocks = per_tile>, mapping = [#gpu.block<linear_dim_0>]}
  return
}
