// Which arguments of a kernel are tensor maps is known by an operation, wherever
// upstream's conversion moves them.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm))" | FileCheck %s
// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,convert-nvgpu-to-nvvm,convert-gpu-to-nvvm,reconcile-unrealized-casts,lattn-finish-kernels))" | FileCheck %s --check-prefix=LLVM
// RUN: not lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,lattn-finish-kernels))" 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: 'fragment.tensor_map_parameter' op expected an argument of an 'llvm.func', which convert-gpu-to-nvvm makes

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xbf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-SAME:    %{{.*}}: memref<?xf32>, %[[MAP:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64})
  // CHECK:         %[[PARAMETER:.*]] = fragment.tensor_map_parameter %[[MAP]] : !llvm.ptr
  // CHECK:         builtin.unrealized_conversion_cast %[[PARAMETER]] : !llvm.ptr to !nvgpu.tensormap.descriptor

  // A memref is five arguments; a pointer that is aligned alike is no tensor map.
  // LLVM-LABEL: llvm.func @kernel(
  // LLVM-SAME:    %arg4: i64, %[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64})
  // LLVM-NOT:     fragment
  // LLVM:         nvvm.prefetch tensormap, %[[MAP]]
  gpu.func @kernel(%a: memref<?xf32>, %map: !map, %p: !llvm.ptr {llvm.align = 64 : i64}) kernel {
    nvgpu.tma.prefetch.descriptor %map : !map
    gpu.return
  }
}
