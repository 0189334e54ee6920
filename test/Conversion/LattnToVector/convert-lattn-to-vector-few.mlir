// RUN: lattn-opt %s --split-input-file --convert-lattn-to-vector | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --split-input-file --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,W512

// Tiles of rows, (query, feature): features lie on the lanes.

#q = affine_map<(b, h, q, k, d, v) -> (q, d)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<1x32xf32>
!k = memref<64x32xf32>
!a = memref<1x32xf32>
!r = memref<1xf32>

// CHECK-LABEL: func.func @step
// CHECK:       call @lattn_online_attention_rows(
// CHECK:       call @lattn_finalize_rows(
func.func @step(%q: !q, %k: !k, %v: !k, %acc: !a, %max: !r, %sum: !r, %out: !a) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%acc, %max, %sum : !a, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0}
  lattn.finalize ins(%acc, %max, %sum : !a, !r, !r) outs(%out : !a) {value_axis = 1 : i64}
  return
}

// As many keys as lanes at a time, whose sums are transposed; nothing is clamped
// where tiles are whole. Rows are asked for 8 KiB ahead.
// CHECK-LABEL: func.func private @lattn_online_attention_rows(
// W256:        scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %c8
// W512:        scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %c16
// CHECK-NOT:   arith.minsi
// CHECK:       %[[FIRST:.*]] = arith.addi %{{.*}}, %c64
// CHECK:       scf.for %[[I:.*]] = %c0{{.*}} to
// CHECK:       %[[AHEAD:.*]] = arith.addi %[[FIRST]], %[[I]]
// CHECK:       memref.prefetch %{{.*}}[%[[AHEAD]], %c0{{.*}}], read, locality<3>
// W256:        vector.fma {{.*}} : vector<8xf32>
// W512:        vector.fma {{.*}} : vector<16xf32>
// W256:        vector.shuffle {{.*}} [0, 2, 8, 10, 4, 6, 12, 14]
// W256-NEXT:   vector.shuffle {{.*}} [1, 3, 9, 11, 5, 7, 13, 15]
// W256:        vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// W256-NEXT:   vector.shuffle {{.*}} [4, 5, 6, 7, 12, 13, 14, 15]
// W512:        vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
// Nothing is hidden: no weight of 0 meets NaN.
// CHECK-NOT:   arith.cmpf uno
// CHECK:       return

// -----

// Several queries; keys that the window may hide, an unknown number of them, of
// bf16: rows are clamped, and narrow values widened once for all queries.
#q = affine_map<(b, h, q, k, d, v) -> (q, d)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q4 = memref<?x20xbf16, strided<[?, ?], offset: ?>>
!kn = memref<?x20xbf16, strided<[?, ?], offset: ?>>
!a4 = memref<4x20xf32>
!r4 = memref<4xf32>
// CHECK-LABEL: func.func @window
// CHECK:       call @[[STEP:.*rows]](
func.func @window(%q: !q4, %k: !kn, %v: !kn, %rows: index, %first: index, %end: index, %offset: i64, %acc: !a4, %max: !r4, %sum: !r4) {
  %size = affine.min affine_map<()[s0, s1] -> (64, s1 - s0)>()[%first, %end]
  %keys = memref.subview %k[%first, 0] [%size, 20] [1, 1] : !kn to !kn
  %values = memref.subview %v[%first, 0] [%size, 20] [1, 1] : !kn to !kn
  lattn.online_attention query(%q : !q4) key(%keys : !kn) value(%values : !kn)
      offset(%offset : i64) query_rows(%rows) outs(%acc, %max, %sum : !a4, !r4, !r4)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 0.5, window = #lattn.window<left = 9>}
  return
}
// CHECK:       func.func private @[[STEP]](
// CHECK-DAG:   memref.alloca() {{.*}} : memref<4x{{24|32}}xf32>
// CHECK-DAG:   memref.alloca() {{.*}} : memref<16x{{24|32}}xf32>
// CHECK:       arith.minsi
// CHECK:       arith.extf {{.*}} : vector<4xbf16> to vector<4xf32>
// CHECK:       vector.insert_strided_slice
// CHECK:       arith.cmpf uno
// CHECK:       return
