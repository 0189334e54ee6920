// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,canonicalize,cse))" | FileCheck %s

!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
!a = !fragment.tile<64x16xbf16, #fragment.mma<operand, warps = 4>>
!half = !fragment.tile<64x16xf16, #fragment.mma<operand, warps = 4>>
!wide = !fragment.tile<64x32xf32, #fragment.mma<accumulator, warps = 4>>
!row = !fragment.tile<64xf32, #fragment.mma<row, warps = 4>>
!column = !fragment.tile<8xf32, #fragment.mma<column, warps = 4>>
!narrow = !fragment.tile<64x8xf32, #fragment.mma<accumulator, warps = 4>>
!s = memref<16x16xbf16, #gpu.address_space<workgroup>>
!q = memref<64x16xbf16, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // A block of 16x16: one ldmatrix each, two products.
  // CHECK-LABEL: gpu.func @product(
  // CHECK:         %[[A:.*]] = nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = false} : {{.*}} -> vector<4x2xbf16>
  // CHECK:         %[[B:.*]] = nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = false}
  // CHECK-COUNT-2: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>
  // CHECK-NOT:     nvvm.mma.sync
  // CHECK:         memref.store
  gpu.func @product(%q: !q, %k: !s, %o: memref<64x16xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %0 = fragment.splat %zero : f32 -> !acc
    %1 = fragment.load %q : !q -> !a
    %2 = fragment.multiply %1, %k, %0 {transposed} : !a, !s -> !acc
    fragment.store %2, %o : !acc, memref<64x16xf32>
    gpu.return
  }

  // Values are transposed on the way; what is 0 takes nothing of special ones,
  // which have products of their own. Code is for 16 columns: registers take
  // turns.
  // CHECK-LABEL: gpu.func @skip(
  // CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (f32
  // CHECK:           nvgpu.ldmatrix {{.*}} transpose = true
  // CHECK-COUNT-4:   nvvm.mma.sync
  // CHECK-NOT:       nvvm.mma.sync
  // CHECK:           scf.yield {{.*}} : f32
  // CHECK-NEXT:    } {llvm.loop_annotation = #{{.*}}}
  gpu.func @skip(%q: !q, %v: memref<16x32xbf16, #gpu.address_space<workgroup>>, %o: memref<64x32xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %0 = fragment.splat %zero : f32 -> !wide
    %1 = fragment.load %q : !q -> !a
    %2 = fragment.multiply %1, %v, %0 {skip_zeros} : !a, memref<16x32xbf16, #gpu.address_space<workgroup>> -> !wide
    fragment.store %2, %o : !wide, memref<64x32xf32>
    gpu.return
  }

  // Sums of a thread: of four blocks of 8 columns, four elements each.
  // CHECK-LABEL: gpu.func @fold(
  // CHECK-COUNT-12: arith.addf
  // CHECK-NOT:     arith.addf
  // CHECK-NOT:     gpu.shuffle
  // CHECK:         memref.store
  gpu.func @fold(%o: memref<64x32xf32>, %s: memref<64x8xf32>) kernel {
    %0 = fragment.map -> !wide {
    ^bb0(%i: index, %j: index):
      %x = memref.load %o[%i, %j] : memref<64x32xf32>
      fragment.yield %x : f32
    }
    %1 = fragment.fold %0 : !wide -> !fragment.tile<64x8xf32, #fragment.mma<accumulator, warps = 4>>
    fragment.store %1, %s : !fragment.tile<64x8xf32, #fragment.mma<accumulator, warps = 4>>, memref<64x8xf32>
    gpu.return
  }

  // Four threads change chunks, so that each writes 16 bytes; else one by one.
  // CHECK-LABEL: gpu.func @store(
  // CHECK:         scf.if
  // CHECK-COUNT-8:   gpu.shuffle{{ +}}xor
  // CHECK-NOT:       gpu.shuffle
  // CHECK:           vector.store %{{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xbf16>
  // CHECK:         } else {
  // CHECK-COUNT-16: memref.store
  gpu.func @store(%a: memref<64x32xf32>, %o: memref<?x32xbf16, strided<[?, ?], offset: ?>>) kernel {
    %0 = fragment.map -> !wide {
    ^bb0(%i: index, %j: index):
      %x = memref.load %a[%i, %j] : memref<64x32xf32>
      fragment.yield %x : f32
    }
    fragment.store %0, %o : !wide, memref<?x32xbf16, strided<[?, ?], offset: ?>>
    gpu.return
  }

  // Two rows of four elements a thread, joined with three other threads.
  // CHECK-LABEL: gpu.func @softmax(
  // CHECK:         gpu.shuffle{{ +}}xor
  // CHECK:         llvm.call_intrinsic "llvm.maxnum"
  // CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
  // CHECK:         nvvm.barrier {{.*}}or
  gpu.func @softmax(%x: f32, %o: memref<64xf32>) kernel {
    %0 = fragment.splat %x : f32 -> !acc
    %1 = fragment.reduce max %0 : !acc -> !row
    %2 = fragment.map ins(%1 : !row) -> !row {
    ^bb0(%i: index, %j: index, %m: f32):
      %e = math.exp2 %m fastmath<afn> : f32
      fragment.yield %e : f32
    }
    %nan = fragment.any_nan %2 : !row
    scf.if %nan {
      fragment.store %2, %o : !row, memref<64xf32>
    }
    gpu.return
  }

  // The region's tiles where any thread of the block holds a NaN in an accumulator.
  // CHECK-LABEL: gpu.func @repeat(
  // CHECK:         %[[VOTE:.*]] = nvvm.barrier {{.*}}or
  // CHECK:         %[[ANY:.*]] = arith.cmpi ne, %[[VOTE]],
  // CHECK:         %[[VOTE:.*]] = nvvm.barrier {{.*}}or
  // CHECK:         %[[SECOND:.*]] = arith.cmpi ne, %[[VOTE]],
  // CHECK:         %[[EITHER:.*]] = arith.ori %[[ANY]], %[[SECOND]]
  // CHECK:         arith.select %[[EITHER]], %{{.*}}, %arg1
  gpu.func @repeat(%acc: f32, %x: f32, %o: memref<64xf32>) kernel {
    %0 = fragment.splat %x : f32 -> !row
    %a = fragment.splat %acc : f32 -> !acc
    %1:3 = fragment.repeat_if_nan %a, %0, %a : !acc, !row, !acc {
      %zero = arith.constant 0.0 : f32
      %2 = fragment.splat %zero : f32 -> !row
      fragment.yield %a, %2, %a : !acc, !row, !acc
    }
    fragment.store %1#1, %o : !row, memref<64xf32>
    gpu.return
  }

  // A number for each column, in all rows; zero beyond the edge, behind which nothing is
  // read. From shared memory all are there.
  // CHECK-LABEL: gpu.func @columns(
  // CHECK:         %[[SIZE:.*]] = memref.dim %arg0
  // CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %[[COLUMN:.*]], %[[SIZE]]
  // CHECK:         %[[FIRST:.*]] = scf.if %[[INSIDE]] -> (f32) {
  // CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[COLUMN]]]
  // CHECK-NEXT:      scf.yield %[[X]]
  // CHECK-NEXT:    } else {
  // CHECK-NEXT:      scf.yield %cst
  // CHECK:         %[[Y:.*]] = memref.load %arg1[%[[COLUMN]]]
  // CHECK:         %[[SUM:.*]] = arith.addf %[[FIRST]], %[[Y]]
  // The first and third of four elements share a column.
  // CHECK:         vector.from_elements %[[SUM]], %[[OTHER:.*]] :
  // CHECK:         vector.from_elements %[[SUM]], %[[OTHER]] :
  gpu.func @columns(%x: memref<?xf32>, %y: memref<8xf32, #gpu.address_space<workgroup>>, %o: memref<64x8xf32>) kernel {
    %0 = fragment.load %x : memref<?xf32> -> !column
    %1 = fragment.load %y : memref<8xf32, #gpu.address_space<workgroup>> -> !column
    %2 = fragment.map ins(%0, %1 : !column, !column) -> !narrow {
    ^bb0(%i: index, %j: index, %a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      fragment.yield %s : f32
    }
    fragment.store %2, %o : !narrow, memref<64x8xf32>
    gpu.return
  }

  // A vector, by one thread for each element; elements that do not exist become 0.
  // CHECK-LABEL: gpu.func @copy_vector(
  // CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c32 step %c128
  // CHECK:           %[[FROM:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [1], strides: [1]
  // CHECK:           %[[IN:.*]] = arith.cmpi slt, %[[I]],
  // CHECK:           %[[N:.*]] = arith.select %[[IN]], %c1, %c0
  // CHECK:           nvgpu.device_async_copy %[[FROM]][%c0], %arg1[%[[I]]], 1, %[[N]] :
  gpu.func @copy_vector(%x: memref<?xf32, strided<[?], offset: ?>>, %y: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    fragment.copy %x, %y {threads = 128 : i64} : memref<?xf32, strided<[?], offset: ?>>, memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // The last axis first.
  // CHECK-LABEL: gpu.func @work_tile(
  // CHECK:         %[[TILE:.*]] = arith.remui %arg0, %arg2
  // CHECK:         %[[REST:.*]] = arith.divui %arg0, %arg2
  // CHECK:         %[[HEAD:.*]] = arith.remui %[[REST]], %arg1
  // CHECK:         %[[BATCH:.*]] = arith.divui %[[REST]], %arg1
  // CHECK:         memref.store %{{.*}}, %arg3[%[[BATCH]], %[[HEAD]], %[[TILE]]]
  gpu.func @work_tile(%number: index, %heads: index, %tiles: index, %o: memref<?x?x?xf32>) kernel {
    %zero = arith.constant 0.0 : f32
    %batch, %head, %tile = fragment.work_tile %number in (%heads, %heads, %tiles)
    memref.store %zero, %o[%batch, %head, %tile] : memref<?x?x?xf32>
    gpu.return
  }

  // What may be approximate has an instruction, of base 2.
  // CHECK-LABEL: gpu.func @approximate(
  // CHECK-DAG:     %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK-DAG:     %[[LN2:.*]] = arith.constant 0.693147182 : f32
  // CHECK:         %[[X:.*]] = arith.mulf %{{.*}}, %[[LOG2E]]
  // CHECK:         %[[E:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[X]])
  // CHECK:         %[[L:.*]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%[[E]])
  // CHECK:         arith.mulf %[[L]], %[[LN2]]
  // CHECK:         gpu.return
  gpu.func @approximate(%x: f32, %o: memref<f32>) kernel {
    %0 = math.exp %x fastmath<afn> : f32
    %1 = math.log %0 fastmath<afn> : f32
    memref.store %1, %o[] : memref<f32>
    gpu.return
  }

  // By 16 bytes where rows are aligned, else one by one.
  // CHECK-LABEL: gpu.func @copy(
  // CHECK:         scf.if
  // CHECK:           nvgpu.device_async_copy %{{.*}}, %{{.*}}, 8, %{{.*}} {bypassL1}
  // CHECK:         } else {
  // CHECK:           scf.for
  // CHECK:             memref.load
  // CHECK:             memref.store
  gpu.func @copy(%k: memref<?x16xbf16, strided<[?, ?], offset: ?>>, %s: !q) kernel {
    fragment.copy %k, %s {threads = 128 : i64} : memref<?x16xbf16, strided<[?, ?], offset: ?>>, !q
    gpu.return
  }
}
