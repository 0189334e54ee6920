// RUN: lattn-opt %s | lattn-opt | FileCheck %s

!acc = !fragment.tile<128x64xf32, #fragment.mma<accumulator, warps = 8>>
!weights = !fragment.tile<128x64xbf16, #fragment.mma<operand, warps = 8>>
!boxes = memref<2x128x64xbf16, #gpu.address_space<workgroup>>
!row = !fragment.tile<128xf32, #fragment.mma<row, warps = 8>>

// CHECK-LABEL: func.func @products(
// CHECK:         fragment.warpgroup_multiply %{{.*}}, %{{.*}} {inner = 80 : i64, transposed} : memref<2x128x64xbf16, #gpu.address_space<workgroup>>, memref<2x128x64xbf16, #gpu.address_space<workgroup>> ->
// CHECK:         fragment.warpgroup_multiply %{{.*}}, %{{.*}}, %{{.*}} {inner = 64 : i64}
// CHECK:         fragment.warpgroup_wait %{{.*}}, %{{.*}} {pending = 1 : i64}
// CHECK:         fragment.settle %{{.*}} : <128xf32
// CHECK:         fragment.has_nan %{{.*}} : <128x64xf32
// CHECK:         fragment.store_boxes %{{.*}}, %{{.*}} : <128x64xf32{{.*}}, memref<2x128x64xbf16
// CHECK:         fragment.take_turn {groups = 2 : i64}
// CHECK:         fragment.pass_turn {groups = 2 : i64}
func.func @products(%q: !boxes, %k: !boxes, %p: !weights, %acc: !acc, %sum: !row) -> (!acc, !acc, i1) {
  %0 = fragment.warpgroup_multiply %q, %k {inner = 80, transposed} : !boxes, !boxes -> !acc
  %1 = fragment.warpgroup_multiply %p, %k, %acc {inner = 64} : !weights, !boxes, !acc -> !acc
  %2:2 = fragment.warpgroup_wait %0, %1 {pending = 1} : !acc, !acc
  fragment.settle %sum : !row
  %3 = fragment.has_nan %2#1 : !acc
  fragment.store_boxes %2#1, %q : !acc, !boxes
  fragment.take_turn {groups = 2}
  fragment.pass_turn {groups = 2}
  return %2#0, %2#1, %3 : !acc, !acc, i1
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
