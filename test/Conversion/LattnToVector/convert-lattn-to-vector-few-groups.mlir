// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,W512
// RUN: lattn-opt %s --convert-lattn-to-vector | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=128" | FileCheck %s --check-prefix=W128

// Several queries share a vector for scores: each has a unit of 128 bits. A key's
// features are loaded once for all units.

#q = affine_map<(b, h, q, k, d, v) -> (q, d)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<7x32xf32>
!k = memref<64x32xf32, strided<[?, 1], offset: ?>>
!r = memref<7xf32>
func.func @step(%q: !q, %k: !k, %v: !k, %rows: index, %acc: !q, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      query_rows(%rows) outs(%acc, %max, %sum : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0}
  return
}

// CHECK-LABEL: func.func private @lattn_online_attention_rows(
// Two groups of 8 units; four of 8.
// W512-DAG:    memref.alloca() {{.*}} : memref<16x16xf32>
// W256-DAG:    memref.alloca() {{.*}} : memref<32x8xf32>
// A group of four may lack one row, one of two none.
// W512:        arith.addi %{{.*}}, %c1{{.*}} : index
// CHECK:       arith.remsi
// CHECK:       %[[GROUPED:.*]] = arith.subi
// CHECK:       %[[END:.*]] = arith.minsi %{{.*}}, %[[GROUPED]]

// Rows of keys without gaps are 32 elements apart, and the code knows it.
// W512:        memref.reinterpret_cast {{.*}} strides: [32, 1]
// CHECK:       scf.for %{{.*}} = %c0{{.*}} to %[[GROUPED]] step
// W512:        %[[UNIT:.*]] = vector.load %{{.*}} : memref<64x32xf32, strided<[32, 1], offset: ?>>, vector<4xf32>
// W256:        %[[UNIT:.*]] = vector.load %{{.*}} : memref<64x32xf32, {{.*}}>, vector<4xf32>
// W512:        vector.shuffle %[[UNIT]], %[[UNIT]] [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
// W256:        vector.shuffle %[[UNIT]], %[[UNIT]] [0, 1, 2, 3, 0, 1, 2, 3]
// CHECK:       vector.fma
// The lanes of a unit are summed, then units become rows.
// W512:        vector.shuffle {{.*}} [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30]
// W512:        vector.shuffle {{.*}} [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23]
// W256:        vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// The other rows are alone.
// CHECK:       scf.for %{{.*}} = %[[END]] to %{{.*}} step

// A vector of 128 bits is one unit.
// W128-NOT:    vector.shuffle {{.*}} [0, 1, 2, 3, 0, 1, 2, 3
// W128:        return
