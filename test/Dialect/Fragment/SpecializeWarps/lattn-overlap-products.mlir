// RUN: lattn-opt %s --lattn-overlap-products --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-overlap-products=ping-pong=false --cse | FileCheck %s --check-prefix=NO-PING-PONG

!acc = !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
!weights = !fragment.tile<64x64xbf16, #fragment.mma<operand, warps = 4>>
!row = !fragment.tile<64xf32, #fragment.mma<row, warps = 4>>
!tiles = memref<1x64x64xbf16, #gpu.address_space<workgroup>>
!ring = memref<2x1x64x64xbf16, #gpu.address_space<workgroup>>
!stage = memref<1x64x64xbf16, strided<[4096, 64, 1], offset: ?>, #gpu.address_space<workgroup>>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>

// The first tile's scores and weights.
// CHECK-LABEL: func.func @step(
// CHECK:         scf.if
// CHECK:           nvgpu.mbarrier.try_wait.parity
// CHECK:           %[[S:.*]] = fragment.warpgroup_multiply {{.*}} transposed
// CHECK:           fragment.warpgroup_wait %[[S]] {pending = 0 : i64}
// CHECK:           %[[W:.*]] = fragment.narrow
// Scores of a tile and the output of the one before are under way at once.
// CHECK:           scf.for %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[WEIGHTS:.*]] = %[[W]], %{{.*}} = %{{.*}})
// CHECK:             %[[S1:.*]] = fragment.warpgroup_multiply {{.*}} transposed
// CHECK:             %[[O:.*]] = fragment.warpgroup_multiply %[[WEIGHTS]], %{{.*}}, %[[ACC]]
// CHECK:             fragment.warpgroup_wait %[[S1]] {pending = 1 : i64}
// CHECK:             nvgpu.mbarrier.arrive
// CHECK:             math.exp2
// CHECK:             fragment.settle
// CHECK:             %[[DONE:.*]]:2 = fragment.warpgroup_wait %[[O]], %[[WEIGHTS]] {pending = 0 : i64}
// CHECK:             nvgpu.mbarrier.arrive
// CHECK:             fragment.map ins(%[[DONE]]#0
// CHECK:             scf.yield
// The last tile's output.
// CHECK:           %[[LAST:.*]] = fragment.warpgroup_multiply
// CHECK-NOT:       transposed
// CHECK:           fragment.warpgroup_wait %[[LAST]]
// CHECK:         } else {
func.func @step(%q: !tiles, %k: !tiles, %v: !tiles, %full: !bars, %empty: !bars,
                %a: !acc, %m: !row, %l: !row, %n: index) -> (!acc, !row, !row) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %ticks = arith.constant 1000 : index
  %no = arith.constant false
  %r:3 = lattn.sweep_keys (%key, %size, %at_edge) in (%c0 interior %n) by 64
      iter_args(%acc = %a, %max = %m, %sum = %l) -> (!acc, !row, !row) {
    %stage = arith.remui %key, %c2 : index
    nvgpu.mbarrier.try_wait.parity %full[%stage], %no, %ticks : !bars
    %s0 = fragment.warpgroup_multiply %q, %k {inner = 64, transposed} : !tiles, !tiles -> !acc
    %s = fragment.warpgroup_wait %s0 {pending = 0} : !acc
    %t0 = nvgpu.mbarrier.arrive %empty[%stage] : !bars -> !nvgpu.mbarrier.token
    %rm = fragment.reduce max %s : !acc -> !row
    %w = fragment.map ins(%s, %rm : !acc, !row) -> !acc {
    ^bb0(%i: index, %j: index, %x: f32, %y: f32):
      %d = arith.subf %x, %y : f32
      %e = math.exp2 %d : f32
      fragment.yield %e : f32
    }
    %rs = fragment.reduce add %w : !acc -> !row
    %scaled = fragment.map ins(%acc, %rm : !acc, !row) -> !acc {
    ^bb0(%i: index, %j: index, %x: f32, %y: f32):
      %d = arith.mulf %x, %y : f32
      fragment.yield %d : f32
    }
    %p = fragment.narrow %w : !acc -> !weights
    nvgpu.mbarrier.try_wait.parity %full[%stage], %no, %ticks : !bars
    %o0 = fragment.warpgroup_multiply %p, %v, %scaled {inner = 64} : !weights, !tiles, !acc -> !acc
    %o:2 = fragment.warpgroup_wait %o0, %p {pending = 0} : !acc, !weights
    %t1 = nvgpu.mbarrier.arrive %empty[%stage] : !bars -> !nvgpu.mbarrier.token
    lattn.yield %o#0, %rm, %rs : !acc, !row, !row
  }
  return %r#0, %r#1, %r#2 : !acc, !row, !row
}

// Two groups of warps start products by ping-pong, the first one first.
// CHECK-LABEL: func.func @ping_pong(
// NO-PING-PONG-LABEL: func.func @ping_pong(
// NO-PING-PONG-NOT:  ping_pong
// NO-PING-PONG:      gpu.terminator
// CHECK:         warps(8, registers = 240)
// CHECK:         %[[IS_LAST:.*]] = arith.cmpi uge, %{{.*}}, %c128
// CHECK:         scf.if %[[IS_LAST]] {
// CHECK-NEXT:      fragment.ping_pong_arrive {groups = 2 : i64}
// CHECK:         scf.for
// CHECK:           nvgpu.mbarrier.try_wait.parity
// CHECK-NEXT:      fragment.ping_pong_wait {groups = 2 : i64}
// CHECK-NEXT:      fragment.warpgroup_multiply {{.*}} transposed
// CHECK:           fragment.warpgroup_multiply
// CHECK-NEXT:      fragment.ping_pong_arrive {groups = 2 : i64}
// CHECK:           scf.yield
// CHECK:         %[[IS_FIRST:.*]] = arith.cmpi ult, %{{.*}}, %c128
// CHECK:         scf.if %[[IS_FIRST]] {
// CHECK-NEXT:      fragment.ping_pong_wait {groups = 2 : i64}
// CHECK:         gpu.terminator
!acc2 = !fragment.tile<128x64xf32, #fragment.mma<accumulator, warps = 8>>
!weights2 = !fragment.tile<128x64xbf16, #fragment.mma<operand, warps = 8>>
!row2 = !fragment.tile<128xf32, #fragment.mma<row, warps = 8>>
!queries2 = memref<1x128x64xbf16, #gpu.address_space<workgroup>>
func.func @ping_pong(%q: !queries2, %k: !tiles, %v: !tiles, %full: !bars, %empty: !bars,
                 %out: memref<128x64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c384 = arith.constant 384 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c384, %sy = %c1, %sz = %c1) {
    fragment.warp_specialize warps(8, registers = 240) {
    %zero = arith.constant 0.0 : f32
    %a = fragment.splat %zero : f32 -> !acc2
    %m = fragment.splat %zero : f32 -> !row2
    %l = fragment.splat %zero : f32 -> !row2
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %ticks = arith.constant 1000 : index
  %no = arith.constant false
  %r:3 = lattn.sweep_keys (%key, %size, %at_edge) in (%c0 interior %n) by 64
      iter_args(%acc = %a, %max = %m, %sum = %l) -> (!acc2, !row2, !row2) {
    %stage = arith.remui %key, %c2 : index
    nvgpu.mbarrier.try_wait.parity %full[%stage], %no, %ticks : !bars
    %s0 = fragment.warpgroup_multiply %q, %k {inner = 64, transposed} : !queries2, !tiles -> !acc2
    %s = fragment.warpgroup_wait %s0 {pending = 0} : !acc2
    %t0 = nvgpu.mbarrier.arrive %empty[%stage] : !bars -> !nvgpu.mbarrier.token
    %rm = fragment.reduce max %s : !acc2 -> !row2
    %w = fragment.map ins(%s, %rm : !acc2, !row2) -> !acc2 {
    ^bb0(%i: index, %j: index, %x: f32, %y: f32):
      %d = arith.subf %x, %y : f32
      %e = math.exp2 %d : f32
      fragment.yield %e : f32
    }
    %rs = fragment.reduce add %w : !acc2 -> !row2
    %scaled = fragment.map ins(%acc, %rm : !acc2, !row2) -> !acc2 {
    ^bb0(%i: index, %j: index, %x: f32, %y: f32):
      %d = arith.mulf %x, %y : f32
      fragment.yield %d : f32
    }
    %p = fragment.narrow %w : !acc2 -> !weights2
    nvgpu.mbarrier.try_wait.parity %full[%stage], %no, %ticks : !bars
    %o0 = fragment.warpgroup_multiply %p, %v, %scaled {inner = 64} : !weights2, !tiles, !acc2 -> !acc2
    %o:2 = fragment.warpgroup_wait %o0, %p {pending = 0} : !acc2, !weights2
    %t1 = nvgpu.mbarrier.arrive %empty[%stage] : !bars -> !nvgpu.mbarrier.token
    lattn.yield %o#0, %rm, %rs : !acc2, !row2, !row2
  }
    fragment.store %r#0, %out : !acc2, memref<128x64xf32>
    } warps(4, registers = 24) {
    }
    gpu.terminator
  }
  return
}

// Steps at an edge are few, and their masks need many registers: they stay as
// they are.
// CHECK-LABEL: func.func @edge(
// CHECK-NOT:     scf.if
// CHECK-NOT:     settle
// CHECK:         scf.for
// CHECK-NOT:     lattn.
func.func @edge(%q: !tiles, %k: !tiles, %v: !tiles, %a: !acc, %n: index) -> !acc {
  %c0 = arith.constant 0 : index
  %r = lattn.sweep_keys (%key, %size, %at_edge) in (%c0 edge %n) by 64
      iter_args(%acc = %a) -> (!acc) {
    %s0 = fragment.warpgroup_multiply %q, %k {inner = 64, transposed} : !tiles, !tiles -> !acc
    %s = fragment.warpgroup_wait %s0 {pending = 0} : !acc
    %p = fragment.narrow %s : !acc -> !weights
    %o0 = fragment.warpgroup_multiply %p, %v, %acc {inner = 64} : !weights, !tiles, !acc -> !acc
    %o:2 = fragment.warpgroup_wait %o0, %p {pending = 0} : !acc, !weights
    lattn.yield %o#0 : !acc
  }
  return %r : !acc
}
