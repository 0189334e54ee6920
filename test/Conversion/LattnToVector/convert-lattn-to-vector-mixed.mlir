// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s

// Queries on the lanes for scores, then features: blocks of four queries read the
// values of those keys only that they see.

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<64x16xf32>
!k = memref<?x64xf32, strided<[64, 1], offset: ?>>
!a = memref<16x64xf32>
!r = memref<16xf32>

// CHECK-LABEL: func.func @step(
// CHECK:       call @lattn_online_attention(
// CHECK-LABEL: func.func private @lattn_online_attention(
// The first blocks of scores ask for values and outputs.
// CHECK:       memref.prefetch %{{.*}}, read, locality<2>, data
// CHECK:       memref.prefetch %{{.*}}, write, locality<2>, data
// CHECK:       arith.cmpi sge
// Then the blocks of the first half of the queries ask for queries, the others
// for keys.
// CHECK:       scf.for %[[ROW:.*]] = %c0{{.*}} to %c16{{.*}} step %c4
// CHECK:         arith.divui %[[ROW]], %c4
// CHECK:         %[[LAST:.*]] = arith.addi %[[ROW]], %c3
// CHECK:         scf.for {{.*}} iter_args(
// CHECK:           scf.if
// CHECK-NEXT:        scf.if
// CHECK:               memref.prefetch %{{.*}} : memref<?x64xf32>
// CHECK:             } else {
// CHECK:               memref.prefetch %{{.*}} : memref<?x64xf32, strided<[64, 1], offset: ?>>
// CHECK-COUNT-64:  vector.fma
// CHECK:         arith.cmpf uno
func.func @step(%q: !q, %rows: memref<?x64xf32>, %out: memref<?x64xf32>, %kv: memref<?x64xf32>, %first: index, %end: index, %offset: i64, %acc: !a, %max: !r, %sum: !r) {
  %size = affine.min affine_map<()[s0, s1] -> (80, s1 - s0)>()[%first, %end]
  %keys = memref.subview %kv[%first, 0] [%size, 64] [1, 1] : memref<?x64xf32> to !k
  lattn.online_attention query(%q : !q) key(%keys : !k) value(%keys : !k) offset(%offset : i64)
      ahead(%rows, %out : memref<?x64xf32>, memref<?x64xf32>) outs(%acc, %max, %sum : !a, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0, window = #lattn.window<left = 64, right = 0>,
       schedule = #lattn.schedule<query_tile = 16, key_tile = 80, lanes = mixed>}
  return
}

// Blocks of queries that a tile lacks are left out. Where no window bounds the
// keys, scores ask for the next tile's keys, and sums of values for its values.
// CHECK:       func.func private @lattn_online_attention_{{.*}}(%{{.*}}, %[[K:.*]]: memref<64x64xf32>, %[[V:.*]]: memref<64x64xf32>, %[[ROWS:[a-z0-9]+]]: index
// CHECK:       memref.prefetch %[[K]][%{{.*}}], read
// CHECK:       %[[LEFT:.*]] = arith.subi %[[ROWS]]
// CHECK:       %[[END:.*]] = arith.minsi %{{.*}}, %[[LEFT]]
// CHECK:       scf.for %{{.*}} = %c0{{.*}} to %[[END]] step %c4
// CHECK:         memref.prefetch %[[V]][%{{.*}}], read
func.func @few(%q: !q, %keys: memref<64x64xf32>, %rows: index, %acc: !a, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !q) key(%keys : memref<64x64xf32>) value(%keys : memref<64x64xf32>)
      query_rows(%rows) outs(%acc, %max, %sum : !a, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0,
       schedule = #lattn.schedule<query_tile = 16, key_tile = 64, lanes = mixed>}
  return
}
