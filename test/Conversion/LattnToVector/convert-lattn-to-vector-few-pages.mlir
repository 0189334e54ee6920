// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s

// Few queries over keys in pages: one kernel for the whole and the last, partial
// steps. It goes through the pages for the scores, then once through all scores,
// then through the pages for the values.

#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
!pool = memref<?x64x32xf32, strided<[?, ?, 1], offset: ?>>

// CHECK-LABEL: func.func @steps
// CHECK-COUNT-2: call @[[STEP:.*rows]](
// CHECK:       return
// CHECK:       func.func private @[[STEP]](
// CHECK-SAME:      %[[K:[^:]+]]: memref<?x64x32xf32{{[^%]+}}, %[[V:[^:]+]]: memref<?x64x32xf32{{[^%]+}}, %[[TABLE:[^:]+]]: memref<?xi32>, %[[FIRST:[^:]+]]: index, %[[COUNT:[^:]+]]: index,
// A block of keys may begin anywhere.
// CHECK:       memref.alloca() {{.*}} : memref<8x272xf32>
// A page begins before the step's first key, or at it, or behind it.
// CHECK:       %[[FROM:.*]] = arith.divui %[[FIRST]], %c64
// CHECK:       %[[BEGIN:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK-COUNT-2: memref.load %[[TABLE]]
// CHECK:       %[[LARGE:.*]] = arith.cmpi sge, %{{.*}}, %c2097152
// CHECK:       scf.for %[[AT:.*]] = %[[BEGIN]] to %[[COUNT]] step %c64{{.*}} iter_args(%[[ENTRY:.*]] = %[[FROM]], %[[HERE:.*]] = %{{.*}}, %[[NEXT:.*]] = %{{.*}})
// Each page is looked up once, never outside of the table and the pool.
// CHECK:         %[[LATER:.*]] = arith.addi %[[ENTRY]], %c2
// CHECK:         %[[LISTED:.*]] = arith.minsi %[[LATER]], %
// CHECK:         %[[READ:.*]] = memref.load %[[TABLE]][%[[LISTED]]]
// CHECK:         %[[AS_INDEX:.*]] = arith.index_cast %[[READ]]
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[AS_INDEX]], %
// CHECK:         arith.maxsi %[[LEAST]], %c0
// CHECK:         scf.if %[[LARGE]] {
// CHECK-COUNT-2:   memref.prefetch {{.*}} locality<2>
// CHECK-NOT:     memref.load %[[TABLE]]
// A whole page has loops of known length. 64 rows ahead, 8 KiB, are those of the next page.
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [%[[HERE]]], sizes: [64, 32]
// CHECK:         %[[AHEAD:.*]] = arith.addi %[[NEXT]], %
// CHECK:         scf.for {{.*}} = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK:           memref.reinterpret_cast %{{.*}} to offset: [%[[AHEAD]]], sizes: [64, 32]
// CHECK:           memref.prefetch {{.*}} locality<3>
// CHECK:           vector.fma
// Beyond the last score:
// CHECK:       vector.store %{{.*}}, %{{.*}}[%c0{{.*}}, %[[COUNT]]] : memref<8x272xf32>
// CHECK:       scf.for {{.*}} = %{{.*}} to %[[COUNT]] step %c64
// CHECK:         memref.load %[[TABLE]]
// CHECK:         memref.dim %[[V]], %c0
func.func @steps(%q: memref<1x32xf32>, %k: !pool, %v: !pool, %pages: memref<?xi32>, %begin: index, %end: index,
                 %acc: memref<1x32xf32>, %max: memref<1xf32>, %sum: memref<1xf32>) {
  %whole = arith.constant 256 : index
  lattn.online_attention query(%q : memref<1x32xf32>) key(%k : !pool) value(%v : !pool)
      pages(%pages[%begin, %whole] : memref<?xi32>) outs(%acc, %max, %sum : memref<1x32xf32>, memref<1xf32>, memref<1xf32>)
      {indexing_maps = #maps, scale = 1.0}
  %size = affine.min affine_map<()[s0, s1] -> (256, s1 - s0)>()[%begin, %end]
  lattn.online_attention query(%q : memref<1x32xf32>) key(%k : !pool) value(%v : !pool)
      pages(%pages[%begin, %size] : memref<?xi32>) outs(%acc, %max, %sum : memref<1x32xf32>, memref<1xf32>, memref<1xf32>)
      {indexing_maps = #maps, scale = 1.0}
  return
}
