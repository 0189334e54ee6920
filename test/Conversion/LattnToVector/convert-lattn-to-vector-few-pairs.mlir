// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32 bf16=dot" | FileCheck %s

// Few queries of bf16 by dot products of pairs: neither keys nor values are
// widened. Values of two keys become pairs, once for all queries.

#q = affine_map<(b, h, q, k, d, v) -> (q, d)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (q, v)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<4x32xbf16>
!k = memref<64x32xbf16, strided<[?, 1], offset: ?>>
!a = memref<4x32xf32>
!r = memref<4xf32>
func.func @step(%q: !q, %k: !k, %v: !k, %rows: index, %acc: !a, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      query_rows(%rows) outs(%acc, %max, %sum : !a, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0,
       schedule = #lattn.schedule<products = dot, lanes = features>}
  return
}

// CHECK-LABEL: func.func private @lattn_online_attention_rows(
// A unit has eight features of a query; 32 are four units.
// CHECK-DAG:   memref.alloca() {{.*}} : memref<4x32xbf16>
// CHECK:       %[[UNIT:.*]] = vector.load %{{.*}} : memref<64x32xbf16, {{.*}}>, vector<8xbf16>
// CHECK:       %[[WORDS:.*]] = vector.bitcast %[[UNIT]] : vector<8xbf16> to vector<2xi64>
// CHECK:       vector.shuffle %[[WORDS]], %[[WORDS]] [0, 1, 0, 1, 0, 1, 0, 1]
// CHECK:       x86vector.avx512.dot
// Weights in bf16.
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK:       vector.interleave
// CHECK:       x86vector.avx512.dot
