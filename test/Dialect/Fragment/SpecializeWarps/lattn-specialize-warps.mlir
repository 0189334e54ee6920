// RUN: lattn-opt %s --lattn-specialize-warps="stages=3 multiprocessors=7" --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-specialize-warps 2>&1 >%t | FileCheck %s --check-prefix=REMARK
// RUN: not lattn-opt %s --lattn-specialize-warps="stages=1 multiprocessors=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: lattn-specialize-warps: expected 2 to 256 stages and 0 to 65536 multiprocessors, got stages=1 multiprocessors=9223372036854775807

// Where tiles have a block each it is not persistent, whatever it is called.
// RUN: sed 's/work_tile .*/& {block_per_tile}/' %s | lattn-opt - --lattn-specialize-warps=multiprocessors=7 2>%t | FileCheck %s --check-prefix=BLOCK
// RUN: sed 's/z = .c1) {$/z = %%c1) function(@attention_split) {/' %s | lattn-opt - --lattn-specialize-warps=multiprocessors=7 2>%t | FileCheck %s --check-prefix=NAME
// BLOCK-LABEL: func.func @attention(
// BLOCK:         fragment.warp_specialize warps(
// NAME-LABEL:  func.func @attention(
// NAME:          gpu.launch {{.*}} function(@attention_split)
// NAME:          fragment.warp_specialize persistent warps(

// REMARK: remark: tensor maps do not support its arrays, so it uses the kernel of earlier GPUs: argument 1: a stride of 68 elements is no multiple of 16 bytes
// REMARK-NOT: remark

!acc = !fragment.tile<128x128xf32, #fragment.mma<accumulator, warps = 8>>
!scores = !fragment.tile<128x64xf32, #fragment.mma<accumulator, warps = 8>>
!q = !fragment.tile<128x80xbf16, #fragment.mma<operand, warps = 8>>
!weights = !fragment.tile<128x64xbf16, #fragment.mma<operand, warps = 8>>
!array = memref<?x?x80xbf16, strided<[?, ?, 1], offset: ?>>
!matrix = memref<?x80xbf16, strided<[?, 1], offset: ?>>
!values = memref<?x?x128xbf16>
!value = memref<?x128xbf16, strided<[128, 1], offset: ?>>

// Maps in TMA tiles of 64 columns, before the launch, where pointers and strides
// allow it; else what stands in.
// CHECK-LABEL: func.func @attention(
// CHECK:         %[[ALIGNED:.*]] = arith.cmpi eq
// CHECK:         scf.if %{{.*}} {
// CHECK:           %[[QMAP:.*]] = nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x128x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b
// CHECK:           %[[KMAP:.*]] = nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x64x64xbf16,
// CHECK:           %[[VMAP:.*]] = nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x64x64xbf16,
// Queries 2 TMA tiles of 16384 bytes, stages of 2 TMA tiles of 8192 each, and 8 words.
// CHECK-DAG:       %[[BYTES:.*]] = arith.constant 131104 : i32
// CHECK-DAG:       %[[THREADS:.*]] = arith.constant 384 : index
// CHECK:           gpu.launch blocks({{.*}} = %[[GRID:.*]], %{{.*}} = %[[THREADS]]{{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK:             %[[QFULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
// CHECK:             %[[QEMPTY:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
// CHECK:             %[[KFULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
// CHECK:             nvvm.fence.mbarrier.init
// CHECK:             gpu.barrier
// Eight warps multiply.
// CHECK:             fragment.warp_specialize persistent warps(8, registers = 240) {
// CHECK:               scf.for
// CHECK:                 nvgpu.mbarrier.try_wait.parity %[[QFULL]]
// CHECK:                 lattn.sweep_keys
// CHECK:                   nvgpu.mbarrier.try_wait.parity %[[KFULL]]
// CHECK:                   %[[S:.*]] = fragment.warpgroup_multiply %{{.*}}, %{{.*}} {inner = 80 : i64, transposed}
// CHECK:                   fragment.warpgroup_wait %[[S]] {pending = 0 : i64}
// CHECK:                   nvgpu.mbarrier.arrive
// CHECK:                   %[[W:.*]] = fragment.narrow
// CHECK:                   %[[O:.*]] = fragment.warpgroup_multiply %[[W]], %{{.*}}, %{{.*}} {inner = 64 : i64}
// CHECK:                   fragment.warpgroup_wait %[[O]], %[[W]] {pending = 0 : i64}
// CHECK:                   nvgpu.mbarrier.arrive
// CHECK:                 nvgpu.mbarrier.arrive %[[QEMPTY]]
// CHECK:                 fragment.store
// The last four warps: one thread copies. The number of tiles goes from item to
// item, and queries come after the first keys.
// CHECK:             } warps(4, registers = 24) {
// CHECK:               scf.if
// CHECK:                 scf.for {{.*}} iter_args(%[[TILES:.*]] = %{{.*}}, %{{.*}}) -> (i32, i1)
// CHECK:                   scf.for {{.*}} iter_args(%{{.*}} = %[[TILES]])
// CHECK:                     nvgpu.mbarrier.try_wait.parity
// CHECK:                     nvgpu.mbarrier.arrive.expect_tx %[[KFULL]]
// CHECK-COUNT-2:             nvgpu.tma.async.load %[[KMAP]]
// CHECK:                     scf.if
// CHECK:                       nvgpu.mbarrier.try_wait.parity %[[QEMPTY]]
// CHECK:                       nvgpu.mbarrier.arrive.expect_tx %[[QFULL]]
// CHECK-COUNT-2:               nvgpu.tma.async.load %[[QMAP]]
// CHECK-COUNT-2:             nvgpu.tma.async.load %[[VMAP]]
// CHECK:         } else {
// CHECK-NEXT:      func.call @stand_in
func.func private @stand_in()
func.func @attention(%q: !array, %k: !array, %v: !values, %o: memref<128x128xf32>, %n: index) {
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
    %queries = memref.subview %q[%head, 0, 0] [1, 128, 80] [1, 1, 1] : !array to memref<128x80xbf16, strided<[?, 1], offset: ?>>
    %keys = memref.subview %k[%head, 0, 0] [1, %n, 80] [1, 1, 1] : !array to !matrix
    %values = memref.subview %v[%head, 0, 0] [1, %n, 128] [1, 1, 1] : !values to !value
    %acc0 = fragment.splat %zero : f32 -> !acc
    %s0 = fragment.splat %zero : f32 -> !scores
    %a = fragment.load %queries : memref<128x80xbf16, strided<[?, 1], offset: ?>> -> !q
    %acc = lattn.sweep_keys (%key, %size, %edge) in (%c0 interior %n) by 64
        iter_args(%sum = %acc0) -> (!acc) {
      %kt = memref.subview %keys[%key, 0] [64, 80] [1, 1] : !matrix to memref<64x80xbf16, strided<[?, 1], offset: ?>>
      %vt = memref.subview %values[%key, 0] [64, 128] [1, 1] : !value to memref<64x128xbf16, strided<[128, 1], offset: ?>>
      %s = fragment.multiply %a, %kt, %s0 {transposed} : !q, memref<64x80xbf16, strided<[?, 1], offset: ?>> -> !scores
      %w = fragment.narrow %s : !scores -> !weights
      %next = fragment.multiply %w, %vt, %sum : !weights, memref<64x128xbf16, strided<[128, 1], offset: ?>> -> !acc
      lattn.yield %next : !acc
    }
    fragment.store %acc, %o : !acc, memref<128x128xf32>
    gpu.terminator
  }
  } else {
    func.call @stand_in() : () -> ()
  }
  return
}

// An output of the queries' element type goes by way of their shared memory: each
// group of warps has a box of 64 rows for 64 columns. Where rows of others follow
// in the array threads store it. Then the queries' memory is free.
// CHECK-LABEL: func.func @output(
// CHECK-COUNT-3:   nvgpu.tma.create.descriptor
// CHECK:           %[[MAP:.*]] = nvgpu.tma.create.descriptor %{{.*}} -> <tensor = memref<1x64x64xbf16,
// CHECK:           gpu.launch
// CHECK:             %[[QFULL:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
// CHECK:             %[[QEMPTY:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
// CHECK:             fragment.warp_specialize{{.*}} warps(8
// CHECK:               %[[OUT:.*]] = memref.subview %arg3
// CHECK:               %[[FULL:.*]] = arith.cmpi eq, %{{.*}}, %c128
// CHECK:               %[[LAST:.*]] = arith.cmpi eq
// CHECK:               %[[WHOLE:.*]] = arith.ori %[[FULL]], %[[LAST]]
// CHECK:               %[[BOXES:.*]] = arith.andi %[[WHOLE]], %{{.*}}
// CHECK:               scf.if %[[BOXES]] {
// CHECK:                 fragment.store_tma_tiles
// CHECK:                 nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK:                 nvvm.barrier id = %{{.*}} number_of_threads = %c128_i32
// CHECK:                 scf.if
// CHECK-COUNT-2:           nvgpu.tma.async.store %{{.*}} to %[[MAP]]
// CHECK:                   nvvm.cp.async.bulk.commit.group
// CHECK:                   nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK:               } else {
// CHECK-NEXT:            fragment.store %{{.*}}, %[[OUT]]
// CHECK:               nvgpu.mbarrier.arrive %[[QEMPTY]]
func.func @output(%q: !array, %k: !array, %v: !values, %o: !values, %n: index) {
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
    %queries = memref.subview %q[%head, 0, 0] [1, 128, 80] [1, 1, 1] : !array to memref<128x80xbf16, strided<[?, 1], offset: ?>>
    %keys = memref.subview %k[%head, 0, 0] [1, %n, 80] [1, 1, 1] : !array to !matrix
    %values = memref.subview %v[%head, 0, 0] [1, %n, 128] [1, 1, 1] : !values to !value
    %acc0 = fragment.splat %zero : f32 -> !acc
    %s0 = fragment.splat %zero : f32 -> !scores
    %a = fragment.load %queries : memref<128x80xbf16, strided<[?, 1], offset: ?>> -> !q
    %acc = lattn.sweep_keys (%key, %size, %edge) in (%c0 interior %n) by 64
        iter_args(%sum = %acc0) -> (!acc) {
      %kt = memref.subview %keys[%key, 0] [64, 80] [1, 1] : !matrix to memref<64x80xbf16, strided<[?, 1], offset: ?>>
      %vt = memref.subview %values[%key, 0] [64, 128] [1, 1] : !value to memref<64x128xbf16, strided<[128, 1], offset: ?>>
      %s = fragment.multiply %a, %kt, %s0 {transposed} : !q, memref<64x80xbf16, strided<[?, 1], offset: ?>> -> !scores
      %w = fragment.narrow %s : !scores -> !weights
      %next = fragment.multiply %w, %vt, %sum : !weights, memref<64x128xbf16, strided<[128, 1], offset: ?>> -> !acc
      lattn.yield %next : !acc
    }
    %rows = affine.min affine_map<()[s0] -> (128, s0)>()[%n]
    %out = memref.subview %o[%head, 0, 0] [1, %rows, 128] [1, 1, 1] : !values to !value
    fragment.store %acc, %out : !acc, !value
    gpu.terminator
  }
  } else {
    func.call @stand_in() : () -> ()
  }
  return
}

// Known strides that no tensor map takes: a remark.
// CHECK-LABEL: func.func @unaligned(
// CHECK:         scf.if %false
// CHECK-NOT:     nvgpu
// CHECK:         return
!odd = memref<?x68xbf16>
func.func @unaligned(%q: memref<128x64xbf16>, %k: !odd, %v: memref<?x128xbf16>, %o: memref<128x128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %fits = fragment.reachable
  scf.if %fits {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %head = fragment.work_tile %bx in (%n)
    %acc0 = fragment.splat %zero : f32 -> !acc
    %s0 = fragment.splat %zero : f32 -> !scores
    %a = fragment.load %q : memref<128x64xbf16> -> !fragment.tile<128x64xbf16, #fragment.mma<operand, warps = 8>>
    %acc = lattn.sweep_keys (%key, %size, %edge) in (%c0 interior %n) by 64
        iter_args(%sum = %acc0) -> (!acc) {
      %kt = memref.subview %k[%key, 0] [64, 64] [1, 1] : !odd to memref<64x64xbf16, strided<[68, 1], offset: ?>>
      %vt = memref.subview %v[%key, 0] [64, 128] [1, 1] : memref<?x128xbf16> to memref<64x128xbf16, strided<[128, 1], offset: ?>>
      %s = fragment.multiply %a, %kt, %s0 {transposed} : !fragment.tile<128x64xbf16, #fragment.mma<operand, warps = 8>>, memref<64x64xbf16, strided<[68, 1], offset: ?>> -> !scores
      %w = fragment.narrow %s : !scores -> !weights
      %next = fragment.multiply %w, %vt, %sum : !weights, memref<64x128xbf16, strided<[128, 1], offset: ?>> -> !acc
      lattn.yield %next : !acc
    }
    fragment.store %acc, %o : !acc, memref<128x128xf32>
    gpu.terminator
  }
  } else {
    func.call @stand_in() : () -> ()
  }
  return
}
