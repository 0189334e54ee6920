// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,canonicalize,cse))" | FileCheck %s

!acc = !fragment.tile<128x16xf32, #fragment.mma<accumulator, warps = 8>>
!out = !fragment.tile<128x96xf32, #fragment.mma<accumulator, warps = 8>>
!weights = !fragment.tile<128x32xf16, #fragment.mma<operand, warps = 8>>
!row = !fragment.tile<128xf32, #fragment.mma<row, warps = 8>>
!q = memref<2x128x64xbf16, #gpu.address_space<workgroup>>
!k = memref<2x16x64xbf16, #gpu.address_space<workgroup>>
!v = memref<2x32x64xf16, #gpu.address_space<workgroup>>
!p = memref<128x32xf16, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // Rows are summed over. In units of 16 bytes: groups of 8 rows are 64 apart,
  // steps of 16 columns 2 within a TMA tile, TMA tiles 1024 and 128; a group's queries
  // begin 8192 bytes after those of the one before. Bit 62 is the swizzle of 128
  // bytes.
  // CHECK-LABEL: gpu.func @scores(
  // CHECK-DAG:     %[[ROWS:.*]] = arith.constant 8192 : index
  // CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : i64
  // CHECK-DAG:     %[[QBOX:.*]] = arith.constant 1024 : i64
  // CHECK-DAG:     %[[KBOX:.*]] = arith.constant 128 : i64
  // 1 << 62 | 64 << 32 | 1 << 16
  // CHECK-DAG:     %[[BITS:.*]] = arith.constant 4611686293305360384 : i64
  // Both are the same for all of a warp.
  // CHECK:         memref.extract_aligned_pointer_as_index %arg1
  // CHECK:         %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK:         %[[WARP:.*]] = arith.divui %[[THREAD]], %{{.*}}
  // CHECK:         %[[SUM:.*]] = arith.addi %{{.*}}, %[[WARP]]
  // CHECK:         %[[SHARED:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[SUM]],
  // CHECK:         %[[SAME:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[WARP]],
  // CHECK:         arith.subi %[[SHARED]], %[[SAME]]
  // CHECK:         %[[K:.*]] = arith.ori %{{.*}}, %[[BITS]]
  // CHECK:         %[[AT:.*]] = memref.extract_aligned_pointer_as_index %arg0
  // CHECK:         %[[SKIP:.*]] = arith.muli %{{.*}}, %[[ROWS]]
  // CHECK:         arith.addi %[[AT]], %[[SKIP]]
  // CHECK-COUNT-2: nvvm.shfl.sync idx
  // CHECK:         %[[Q:.*]] = arith.ori %{{.*}}, %[[BITS]]
  // CHECK:         nvvm.wgmma.fence.aligned
  // Without an accumulator the first step takes none.
  // CHECK:         llvm.inline_asm has_side_effects
  // CHECK-SAME:      "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,l,l" %[[Q]], %[[K]] :
  // CHECK:         %[[Q1:.*]] = arith.addi %[[Q]], %[[TWO]]
  // CHECK:         %[[K1:.*]] = arith.addi %[[K]], %[[TWO]]
  // CHECK:         setp.ne.b32 p, 1, 0;
  // CHECK-SAME:      $8, $9, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,=f,=f,=f,=f,l,l,0,1,2,3,4,5,6,7" %[[Q1]], %[[K1]],
  // CHECK-COUNT-2: wgmma.mma_async
  // CHECK:         %[[Q4:.*]] = arith.addi %[[Q]], %[[QBOX]]
  // CHECK:         %[[K4:.*]] = arith.addi %[[K]], %[[KBOX]]
  // CHECK:         wgmma.mma_async{{.*}} %[[Q4]], %[[K4]],
  // CHECK-NOT:     wgmma.mma_async
  // CHECK:         nvvm.wgmma.commit.group.sync.aligned
  // CHECK:         "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"
  gpu.func @scores(%q: !q, %k: !k, %o: memref<128x16xf32>) kernel {
    %0 = fragment.warpgroup_multiply %q, %k {inner = 80, transposed} : !q, !k -> !acc
    %1 = fragment.warpgroup_wait %0 {pending = 0} : !acc
    fragment.store %1, %o : !acc, memref<128x16xf32>
    gpu.return
  }

  // Columns are not: TMA tiles are 256 apart (bits 16 to 29), steps of 16 rows 128.
  // 1 << 62 | 64 << 32 | 256 << 16
  // CHECK-LABEL: gpu.func @output(
  // CHECK-DAG:     %[[STEP:.*]] = arith.constant 128 : i64
  // CHECK-DAG:     %[[BITS:.*]] = arith.constant 4611686293322072064 : i64
  // CHECK:         %[[V:.*]] = arith.ori %{{.*}}, %[[BITS]]
  // CHECK:         nvvm.wgmma.fence.aligned
  // Weights are registers, values turned.
  // CHECK:         setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 {$0,
  // CHECK-SAME:      $47}, {$48, $49, $50, $51}, $52, p, 1, 1, 1; }"
  // CHECK-SAME:      r,r,r,r,l,0,1,
  // CHECK-SAME:      %[[V]],
  // CHECK:         %[[V1:.*]] = arith.addi %[[V]], %[[STEP]]
  // CHECK:         wgmma.mma_async{{.*}} %[[V1]],
  // CHECK-NOT:     wgmma.mma_async
  // CHECK:         nvvm.wgmma.commit.group.sync.aligned
  // All that the machine holds goes through the wait: weights, too.
  // CHECK:         "wgmma.wait_group.sync.aligned 1;", "=f,
  // CHECK-SAME:      =f,=r,=r,=r,=r,=r,=r,=r,=r,0,1,
  // CHECK-SAME:      ,55"
  gpu.func @output(%weights: !p, %v: !v, %o: memref<128x96xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %acc = fragment.splat %zero : f32 -> !out
    %p = fragment.load %weights : !p -> !weights
    %0 = fragment.warpgroup_multiply %p, %v, %acc {inner = 32} : !weights, !v, !out -> !out
    %1:2 = fragment.warpgroup_wait %0, %p {pending = 1} : !out, !weights
    fragment.store %1#0, %o : !out, memref<128x96xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @settle(
  // CHECK-SAME:    %[[X:.*]]: f32
  // CHECK:         %[[SUM:.*]] = arith.addf %[[X]], %[[X]]
  // CHECK:         %[[NEVER:.*]] = arith.cmpf olt, %[[SUM]], %{{.*}}
  // CHECK:         scf.if %[[NEVER]] {
  // CHECK-NEXT:      llvm.inline_asm has_side_effects asm_dialect = att "nanosleep.u32 1;"
  gpu.func @settle(%x: f32) kernel {
    %sum = fragment.splat %x : f32 -> !row
    fragment.settle %sum : !row
    gpu.return
  }

  // The first group waits at barrier 2 and lets the second one, at barrier 3, go
  // on.
  // CHECK-LABEL: gpu.func @ping_pong(
  // CHECK-DAG:     %[[FIRST:.*]] = arith.constant 2 : i32
  // CHECK-DAG:     %[[SECOND:.*]] = arith.constant 3 : i32
  // CHECK-DAG:     %[[BOTH:.*]] = arith.constant 256 : i32
  // CHECK:         %[[IS_FIRST:.*]] = arith.cmpi ult, %{{.*}}, %c128
  // CHECK:         scf.if %[[IS_FIRST]] {
  // CHECK-NEXT:      nvvm.barrier id = %[[FIRST]] number_of_threads = %[[BOTH]]
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      nvvm.barrier id = %[[SECOND]] number_of_threads = %[[BOTH]]
  // CHECK:         scf.if %[[IS_FIRST]] {
  // CHECK-NEXT:      nvvm.barrier.arrive id = %[[SECOND]] number_of_threads = %[[BOTH]]
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      nvvm.barrier.arrive id = %[[FIRST]] number_of_threads = %[[BOTH]]
  gpu.func @ping_pong() kernel {
    fragment.ping_pong_wait {groups = 2}
    fragment.ping_pong_arrive {groups = 2}
    gpu.return
  }

  // Chunks of eight columns change places by the row's number.
  // CHECK-LABEL: gpu.func @tma_tiles(
  // CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
  // CHECK-DAG:     %[[EIGHT:.*]] = arith.constant 8 : index
  // CHECK-DAG:     %[[GROUP:.*]] = arith.divui %{{.*}}, %c4
  // CHECK-DAG:     %[[QUARTER:.*]] = arith.remui %{{.*}}, %c4
  // CHECK-DAG:     %[[PLACE:.*]] = arith.muli %[[QUARTER]], %c2
  // CHECK:         %[[CHUNK:.*]] = arith.xori %[[GROUP]], %[[ONE]]
  // CHECK:         %[[START:.*]] = arith.muli %[[CHUNK]], %[[EIGHT]]
  // CHECK:         %[[COLUMN:.*]] = arith.addi %[[START]], %[[PLACE]]
  // CHECK:         vector.store %{{.*}}, %arg1[%c0, %{{.*}}, %[[COLUMN]]]{{.*}} : memref<1x128x64xbf16, #gpu.address_space<workgroup>>, vector<2xbf16>
  gpu.func @tma_tiles(%x: f32, %tiles: memref<1x128x64xbf16, #gpu.address_space<workgroup>>) kernel {
    %tile = fragment.splat %x : f32 -> !acc
    fragment.store_tma_tiles %tile, %tiles : !acc, memref<1x128x64xbf16, #gpu.address_space<workgroup>>
    gpu.return
  }

  // The last four of twelve warps copy.
  // CHECK-LABEL: gpu.func @roles(
  // CHECK-DAG:     %[[THREAD:.*]] = gpu.thread_id x
  // CHECK:         %[[COPIES:.*]] = arith.cmpi uge, %[[THREAD]], %c256
  // CHECK:         scf.if %[[COPIES]] {
  // CHECK-NEXT:      nvvm.setmaxregister decrease 24
  // CHECK-NEXT:      gpu.barrier
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      nvvm.setmaxregister increase 240
  // CHECK-NEXT:    }
  gpu.func @roles() kernel {
    fragment.warp_specialize warps(8, registers = 240) {
    } warps(4, registers = 24) {
      gpu.barrier
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @three_roles(
  // CHECK:         %[[LAST:.*]] = arith.cmpi uge, %{{.*}}, %c384
  // CHECK:         scf.if %[[LAST]] {
  // CHECK-NEXT:      nvvm.setmaxregister decrease 24
  // CHECK-NEXT:    } else {
  // CHECK:           %[[SECOND:.*]] = arith.cmpi uge, %{{.*}}, %c256
  // CHECK:           scf.if %[[SECOND]] {
  // CHECK-NEXT:        nvvm.setmaxregister decrease 24
  // CHECK-NEXT:        gpu.barrier
  // CHECK-NEXT:      } else {
  // CHECK-NEXT:        nvvm.setmaxregister increase 216
  gpu.func @three_roles() kernel {
    fragment.warp_specialize warps(8, registers = 216) {
    } warps(4, registers = 24) {
      gpu.barrier
    } warps(4, registers = 24) {
    }
    gpu.return
  }

  // The threads of a role wait at a barrier of their own.
  // CHECK-LABEL: gpu.func @role_barrier(
  // CHECK-DAG:     %[[BARRIER:.*]] = arith.constant 1 : i32
  // CHECK-DAG:     %[[THREADS:.*]] = arith.constant 256 : i32
  // CHECK:         llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.aligned.count"(%[[BARRIER]], %[[THREADS]], %{{.*}})
  gpu.func @role_barrier(%x: f32, %o: memref<128xf32>) kernel {
    fragment.warp_specialize warps(8) {
      %0 = fragment.splat %x : f32 -> !row
      %nan = fragment.any_nan %0 : !row
      scf.if %nan {
        fragment.store %0, %o : !row, memref<128xf32>
      }
    } warps(4) {
    }
    gpu.return
  }
}
