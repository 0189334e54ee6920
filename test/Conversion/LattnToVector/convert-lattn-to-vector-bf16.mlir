// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32 bf16=dot" --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --convert-lattn-to-vector="bf16=emulated-dot" --canonicalize --cse | FileCheck %s --check-prefix=EMULATED
// RUN: not lattn-opt %s --convert-lattn-to-vector 2>&1 | FileCheck %s --check-prefix=WIDENED
// RUN: not lattn-opt %s --convert-lattn-to-vector="bf16=fast" 2>&1 | FileCheck %s --check-prefix=NAME

// Products of pairs of bf16: two elements of query and key, two keys' weights and
// values. What an odd size leaves is paired with 0.

// WIDENED: error: {{.*}} cannot become a vector kernel: the target does not have the products of its schedule
// NAME: error: convert-lattn-to-vector: expected bf16 to be widened, dot, emulated-dot or amx, got fast

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<33x16xbf16>
!k = memref<48x33xbf16, strided<[100, 1]>>
!acc = memref<33x16xf32>
!r = memref<16xf32>

// CHECK-LABEL: func.func private @lattn_online_attention
// CHECK-DAG:   %[[VALUES:.*]] = memref.alloca() {{.*}} : memref<24x66xbf16>
// CHECK-DAG:   %[[WEIGHTS:.*]] = memref.alloca() {{.*}} : memref<24x32xbf16>
// CHECK-DAG:   %[[SCORES:.*]] = memref.alloca() {{.*}} : memref<48x16xf32>
// CHECK-DAG:   %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<16xbf16>
// Values of two keys become neighbours.
// CHECK:       vector.interleave %{{.*}}, %{{.*}} : vector<16xbf16>
// CHECK-NEXT:  vector.store %{{.*}}, %[[VALUES]]
// CHECK:       memref.store %{{.*}}, %[[VALUES]]
// Pairs of a query's elements times the same of a key, in all lanes.
// CHECK:       %[[PAIR:.*]] = vector.load %{{.*}} : memref<48x33xbf16{{.*}}>, vector<2xbf16>
// CHECK-NEXT:  %[[WORD:.*]] = vector.bitcast %[[PAIR]] : vector<2xbf16> to vector<1xi32>
// CHECK:       vector.broadcast {{.*}} : i32 to vector<16xi32>
// CHECK:       x86vector.avx512.dot %{{.*}}, %{{.*}}, %{{.*}} : vector<32xbf16> -> vector<16xf32>
// The last of 33 alone.
// CHECK:       vector.interleave %{{.*}}, %[[ZEROS]]
// CHECK:       arith.extui %{{.*}} : i16 to i32
// The packed query is not scaled, scores are.
// CHECK:       arith.mulf %{{.*}}, %cst{{.*}} : vector<16xf32>
// CHECK:       vector.store %{{.*}}, %[[SCORES]]
// Weights of two keys become neighbours, rounded.
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK:       vector.store %{{.*}}, %[[WEIGHTS]]
// CHECK:       scf.for %{{.*}} = %c0 to %c24
// CHECK:         vector.load %[[WEIGHTS]]
// CHECK:         vector.load %[[VALUES]]
// CHECK:         x86vector.avx512.dot

// EMULATED-NOT: x86vector
// EMULATED:     vector.deinterleave
// EMULATED:     arith.extf {{.*}} : vector<8xbf16> to vector<8xf32>
// EMULATED:     vector.fma
// EMULATED:     arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
// EMULATED-NOT: x86vector
func.func @step(%q: !q, %k: !k, %v: !k, %acc: !acc, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%acc, %max, %sum : !acc, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 0.125, schedule = #lattn.schedule<products = dot>}
  return
}

// The query is packed as it is.
// CHECK-LABEL: func.func private @lattn_pack_query
// CHECK:       vector.store %{{.*}}, %{{.*}} : memref<64x16xbf16>, vector<16xbf16>
func.func @pack(%q: memref<?x64xbf16>, %p: memref<64x16xbf16>) {
  lattn.pack_query ins(%q : memref<?x64xbf16>) outs(%p : memref<64x16xbf16>) {scale = 1.0}
  return
}

// Turned rows are wide: scores are sums of FMAs in f32, values go by pairs.
// CHECK-LABEL: func.func private @lattn_online_attention_0
// CHECK-NOT:   x86vector.avx512.dot
// CHECK:       vector.fma
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK:       x86vector.avx512.dot
!wide = memref<33x16xf32>
!keys = memref<48x33xf32, strided<[100, 1]>>
func.func @turned(%q: !wide, %k: !keys, %v: !k, %acc: !acc, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !wide) key(%k : !keys) value(%v : !k)
      outs(%acc, %max, %sum : !acc, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 0.125, schedule = #lattn.schedule<products = dot_values>}
  return
}
