// RUN: lattn-opt %s --lattn-stage-shared --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-stage-shared="stages=3" --canonicalize --cse | FileCheck %s --check-prefix=THREE
// RUN: not lattn-opt %s --lattn-stage-shared="stages=1" 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not lattn-opt %s --lattn-stage-shared="stages=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: lattn-stage-shared: expected 2 to 256 stages, got 9223372036854775807
// ONE: error: lattn-stage-shared: expected 2 to 256 stages, got 1

!acc = !fragment.tile<64x32xf32, #fragment.mma<accumulator, warps = 4>>
!q = !fragment.tile<64x64xbf16, #fragment.mma<operand, warps = 4>>
!m = memref<?x64xbf16>
!rows = memref<?x64xbf16, strided<[64, 1], offset: ?>>

// Queries first: 8192 bytes. Then two stages of 32 keys, of 4096 bytes each; the
// two runs share them.
// CHECK-LABEL: func.func @two_runs(
// CHECK-DAG:     %[[BYTES:.*]] = arith.constant 16384 : i32
// CHECK:         gpu.launch {{.*}} dynamic_shared_memory_size %[[BYTES]]
// CHECK:           %[[MEMORY:.*]] = gpu.dynamic_shared_memory
// CHECK:           %[[Q:.*]] = memref.view %[[MEMORY]][%c0][]
// CHECK:           fragment.copy %{{.*}}, %[[Q]] {threads = 128 : i64}
// CHECK:           nvvm.cp.async.commit.group
// The first tile, on its way while queries are waited for.
// CHECK:           scf.if
// CHECK:             fragment.copy
// CHECK:           nvvm.cp.async.commit.group
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK:           gpu.barrier
// CHECK:           fragment.load %[[Q]]
// CHECK:           lattn.sweep_keys (%[[KEY:[^,]*]],
// CHECK:             fragment.multiply %{{.*}}, %{{.*}}, %{{.*}} {transposed} : {{.*}}, memref<32x64xbf16, #gpu.address_space<workgroup>>
// CHECK:         gpu.terminator

// One more is under way.
// THREE-LABEL: func.func @two_runs(
// THREE-DAG:     arith.constant 20480 : i32
// THREE-COUNT-3: nvvm.cp.async.commit.group
// THREE:         nvvm.cp.async.wait.group 2
// THREE:         lattn.sweep_keys
// THREE:           nvvm.cp.async.wait.group 1
// THREE:           gpu.barrier
// THREE:           scf.if
// THREE:             fragment.copy
// THREE:           nvvm.cp.async.commit.group
// THREE:           fragment.multiply

func.func @two_runs(%query: memref<64x64xbf16>, %keys: !m, %from: index, %to: index, %end: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %0 = fragment.splat %zero : f32 -> !acc
    %q = fragment.load %query : memref<64x64xbf16> -> !q
    %1 = lattn.sweep_keys (%i, %size, %edge) in (%from interior %to edge %end) by 32
        iter_args(%acc = %0) -> (!acc) {
      %rows = memref.subview %keys[%i, 0] [%size, 64] [1, 1] : !m to !rows
      %s = fragment.multiply %q, %rows, %acc {transposed} : !q, !rows -> !acc
      lattn.yield %s : !acc
    }
    %out = memref.subview %query[0, 0] [64, 32] [1, 1] : memref<64x64xbf16> to memref<64x32xbf16, strided<[64, 1]>>
    fragment.store %1, %out : !acc, memref<64x32xbf16, strided<[64, 1]>>
    gpu.terminator
  }
  return
}

!column = !fragment.tile<32xf32, #fragment.mma<column, warps = 4>>

// A vector with a number for each position has a ring as well: 8192 bytes of queries,
// and two stages of 4096 + 128 bytes. Products that share rows share their stage.
// CHECK-LABEL: func.func @vectors(
// CHECK-DAG:     arith.constant 16640 : i32
// CHECK:         scf.if
// CHECK:           fragment.copy {{.*}} memref<32x64xbf16, #gpu.address_space<workgroup>>
// CHECK:           fragment.copy {{.*}} : memref<?xf32, strided<[1], offset: ?>>, memref<32xf32, #gpu.address_space<workgroup>>
// CHECK:         lattn.sweep_keys
// CHECK:           scf.if
// CHECK:           }
// CHECK:           %[[ROWS:.*]] = memref.view {{.*}} to memref<32x64xbf16, #gpu.address_space<workgroup>>
// CHECK:           %[[VECTOR:.*]] = memref.view {{.*}} to memref<32xf32, #gpu.address_space<workgroup>>
// CHECK:           fragment.multiply %{{.*}}, %[[ROWS]], {{.*}} {transposed}
// CHECK:           fragment.load %[[VECTOR]]
// CHECK:           fragment.multiply %{{.*}}, %[[ROWS]],
func.func @vectors(%query: memref<64x64xbf16>, %keys: !m, %lse: memref<?xf32>, %from: index, %to: index) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %0 = fragment.splat %zero : f32 -> !acc
    %sums = fragment.splat %zero : f32 -> !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
    %q = fragment.load %query : memref<64x64xbf16> -> !q
    %1 = lattn.sweep_keys (%i, %size, %edge) in (%from edge %to) by 32
        iter_args(%acc = %sums) -> (!fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>) {
      %rows = memref.subview %keys[%i, 0] [%size, 64] [1, 1] : !m to !rows
      %part = memref.subview %lse[%i] [%size] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      %s = fragment.multiply %q, %rows, %0 {transposed} : !q, !rows -> !acc
      %l = fragment.load %part : memref<?xf32, strided<[1], offset: ?>> -> !column
      %x = fragment.map ins(%s, %l : !acc, !column) -> !acc {
      ^bb0(%r: index, %c: index, %a: f32, %b: f32):
        %y = arith.subf %a, %b : f32
        fragment.yield %y : f32
      }
      %n = fragment.narrow %x : !acc -> !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>
      %d = fragment.multiply %n, %rows, %acc : !fragment.tile<64x32xbf16, #fragment.mma<operand, warps = 4>>, !rows -> !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
      lattn.yield %d : !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
    }
    fragment.store %1, %query : !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>, memref<64x64xbf16>
    gpu.terminator
  }
  return
}
