// RUN: lattn-opt %s | lattn-opt | FileCheck %s

!acc = !fragment.tile<128x64xf32, #fragment.mma<accumulator, warps = 8>>
!weights = !fragment.tile<128x64xbf16, #fragment.mma<operand, warps = 8>>
!tiles = memref<2x128x64xbf16, #gpu.address_space<workgroup>>
!row = !fragment.tile<128xf32, #fragment.mma<row, warps = 8>>

// CHECK-LABEL: func.func @products(
// CHECK:         fragment.warpgroup_multiply %{{.*}}, %{{.*}} {inner = 80 : i64, transposed} : memref<2x128x64xbf16, #gpu.address_space<workgroup>>, memref<2x128x64xbf16, #gpu.address_space<workgroup>> ->
// CHECK:         fragment.warpgroup_multiply %{{.*}}, %{{.*}}, %{{.*}} {inner = 64 : i64}
// CHECK:         fragment.warpgroup_wait %{{.*}}, %{{.*}} {pending = 1 : i64}
// CHECK:         fragment.settle %{{.*}} : <128xf32
// CHECK:         fragment.has_nan %{{.*}} : <128x64xf32
// CHECK:         fragment.store_tma_tiles %{{.*}}, %{{.*}} : <128x64xf32{{.*}}, memref<2x128x64xbf16
// CHECK:         fragment.ping_pong_wait {groups = 2 : i64}
// CHECK:         fragment.ping_pong_arrive {groups = 2 : i64}
func.func @products(%q: !tiles, %k: !tiles, %p: !weights, %acc: !acc, %sum: !row) -> (!acc, !acc, i1) {
  %0 = fragment.warpgroup_multiply %q, %k {inner = 80, transposed} : !tiles, !tiles -> !acc
  %1 = fragment.warpgroup_multiply %p, %k, %acc {inner = 64} : !weights, !tiles, !acc -> !acc
  %2:2 = fragment.warpgroup_wait %0, %1 {pending = 1} : !acc, !acc
  fragment.settle %sum : !row
  %3 = fragment.has_nan %2#1 : !acc
  fragment.store_tma_tiles %2#1, %q : !acc, !tiles
  fragment.ping_pong_wait {groups = 2}
  fragment.ping_pong_arrive {groups = 2}
  return %2#0, %2#1, %3 : !acc, !acc, i1
}

// CHECK-LABEL: gpu.func @parameter(
// CHECK-SAME:    %[[MAP:.*]]: !llvm.ptr
// CHECK:         fragment.tensor_map_parameter %[[MAP]] : !llvm.ptr
gpu.module @kernels {
  gpu.func @parameter(%map: !llvm.ptr) kernel {
    %0 = fragment.tensor_map_parameter %map : !llvm.ptr
    gpu.return
  }
}

// CHECK-LABEL: func.func @reachable(
// CHECK:         %[[FITS:.*]] = fragment.reachable
// CHECK:         scf.if %[[FITS]]
func.func private @launch()
func.func @reachable() {
  %0 = fragment.reachable
  scf.if %0 {
    func.call @launch() : () -> ()
  }
  return
}

// CHECK-LABEL: func.func @roles(
// CHECK:         fragment.warp_specialize persistent warps(8, registers = 240) {
// CHECK-NEXT:      func.call @launch
// CHECK-NEXT:    } warps(4, registers = 24) {
// CHECK-NEXT:      func.call @launch
// CHECK-NEXT:    }
// CHECK-NEXT:    fragment.warp_specialize warps(8) {
// CHECK-NEXT:    } warps(4) {
// CHECK-NEXT:    } warps(4) {
// CHECK-NEXT:    }
func.func @roles() {
  fragment.warp_specialize persistent warps(8, registers = 240) {
    func.call @launch() : () -> ()
  } warps(4, registers = 24) {
    func.call @launch() : () -> ()
  }
  fragment.warp_specialize warps(8) {
  } warps(4) {
  } warps(4) {
  }
  return
}
