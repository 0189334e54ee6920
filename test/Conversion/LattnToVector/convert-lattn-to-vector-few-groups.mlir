// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,W512
// RUN: lattn-opt %s --convert-lattn-to-vector | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=128" | FileCheck %s --check-prefix=W128

// Several queries share a vector for scores: each has a unit of 128 bits, or of 64
// where that leaves room for all of them. A key's features are loaded once for all
// units.

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
// One group of 16 units of 64 bits; four of 8 units of 128 bits.
// W512-DAG:    memref.alloca() {{.*}} : memref<16x16xf32>
// W256-DAG:    memref.alloca() {{.*}} : memref<32x8xf32>
// 5 to 7 rows are a group of eight units.
// W512:        %[[LAST:.*]] = arith.remui %{{.*}}, %c8
// W512:        %[[MANY:.*]] = arith.cmpi uge, %[[LAST]], %c4
// W512:        scf.if %[[MANY]] {
// A group of eight may lack three rows, one of four one, one of two none.
// W512:        arith.addi %{{.*}}, %c3{{.*}} : index
// CHECK:       arith.remsi
// CHECK:       %[[GROUPED:.*]] = arith.subi
// CHECK:       %[[END:.*]] = arith.minsi %{{.*}}, %[[GROUPED]]

// Rows of keys without gaps are 32 elements apart, and the code knows it.
// W512:        memref.reinterpret_cast {{.*}} strides: [32, 1]
// CHECK:       scf.for %{{.*}} = %c0{{.*}} to %[[GROUPED]] step
// Rows ahead are asked for between the products.
// W512:        memref.prefetch
// W512:        %[[UNIT:.*]] = vector.load %{{.*}} : memref<64x32xf32, strided<[32, 1], offset: ?>>, vector<2xf32>
// W512:        %[[WORD:.*]] = vector.bitcast %[[UNIT]] : vector<2xf32> to vector<1xi64>
// W512:        vector.shuffle %[[WORD]], %[[WORD]] [0, 0, 0, 0, 0, 0, 0, 0]
// W256:        %[[UNIT:.*]] = vector.load %{{.*}} : memref<64x32xf32, {{.*}}>, vector<4xf32>
// W256:        %[[WORDS:.*]] = vector.bitcast %[[UNIT]] : vector<4xf32> to vector<2xi64>
// W256:        vector.shuffle %[[WORDS]], %[[WORDS]] [0, 1, 0, 1]
// CHECK:       vector.fma
// The lanes of a unit are summed, then units become rows.
// W512:        vector.shuffle {{.*}} [0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30]
// W512:        vector.shuffle {{.*}} [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23]
// W256:        vector.shuffle {{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
// The other rows are alone.
// CHECK:       scf.for %{{.*}} = %[[END]] to %{{.*}} step
// Fewer rows are groups of four, which may lack one row.
// W512:        } else {
// W512:        arith.addi %{{.*}}, %c1{{.*}} : index
// W512:        vector.load %{{.*}} : memref<64x32xf32, {{.*}}>, vector<4xf32>

// A vector of 128 bits is one unit.
// W128-NOT:    vector.shuffle {{.*}} [0, 1, 0, 1]
// W128:        return
