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
// CHECK:       scf.for %[[AT:.*]] = %[[BEGIN]] to %[[COUNT]] step %c64{{.*}} iter_args(%[[ENTRY:.*]] = %[[FROM]])
// CHECK:         %[[KEY:.*]] = arith.maxsi %[[AT]], %c0
// CHECK:         %[[END:.*]] = arith.minsi %{{.*}}, %[[COUNT]]
// CHECK:         %[[KEYS:.*]] = arith.subi %[[END]], %[[KEY]]
// CHECK:         %[[ROW:.*]] = arith.subi %[[KEY]], %[[AT]]
// CHECK:         %[[READ:.*]] = memref.load %[[TABLE]][%[[ENTRY]]]
// CHECK:         %[[AS_INDEX:.*]] = arith.index_cast %[[READ]]
// CHECK:         %[[PAGES:.*]] = memref.dim %[[K]], %c0
// CHECK:         %[[LAST:.*]] = arith.addi %[[PAGES]], %c-1
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[AS_INDEX]], %[[LAST]]
// CHECK:         %[[PAGE:.*]] = arith.maxsi %[[LEAST]], %c0
// CHECK:         memref.subview %[[K]][%[[PAGE]], %[[ROW]], 0] [1, %[[KEYS]], 32]
// A whole page has loops of known length. 64 rows ahead, 8 KiB, lie in the next page.
// CHECK:         arith.cmpi eq, %[[KEYS]], %c64
// CHECK:           %[[NEXT:.*]] = arith.addi %[[ENTRY]], %c1
// CHECK:           %[[THERE:.*]] = arith.minsi %[[NEXT]], %{{.*}}
// CHECK:           memref.load %[[TABLE]][%[[THERE]]]
// CHECK:           scf.for {{.*}} = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK-NOT:         memref.load %[[TABLE]]
// CHECK:             memref.reinterpret_cast {{.*}} sizes: [64, 32]
// CHECK:             memref.prefetch
// CHECK:             vector.fma
// Beyond the last score:
// CHECK:       vector.store %{{.*}}, %{{.*}}[%c0{{.*}}, %[[COUNT]]] : memref<8x272xf32>
// CHECK:       scf.for {{.*}} = %{{.*}} to %[[COUNT]] step %c64
// CHECK:         memref.load %[[TABLE]]
// CHECK:         memref.subview %[[V]][
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
