// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32 bf16=amx" --canonicalize --cse | FileCheck %s
// RUN: not lattn-opt %s --convert-lattn-to-vector="bf16=amx" 2>&1 | FileCheck %s --check-prefix=BITS

// BITS: error: convert-lattn-to-vector: expected vector-bits=512 with bf16=amx, got vector-bits=256

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<33x32xbf16>
!k = memref<64x33xbf16, strided<[100, 1]>>
!acc = memref<33x32xf32>
!r = memref<32xf32>

// CHECK-LABEL: func.func @step
// CHECK-NEXT:  call @lattn_request_tile_data() : () -> ()
// CHECK-NEXT:  call @lattn_online_attention(
// CHECK-NEXT:  call @lattn_online_attention(
// CHECK-NEXT:  return
// Where the cost model prefers pairs.
// CHECK-LABEL: func.func @pairs
// CHECK-NEXT:  call @[[PAIRS:lattn_online_attention.*]](%

// Sizes are padded to whole tiles: 33 to 64 along d, to 48 values.
// CHECK:       func.func private @lattn_online_attention(
// CHECK-DAG:   %[[SCORES:.*]] = memref.alloca() {{.*}} : memref<64x32xf32>
// CHECK-DAG:   %[[QUERY:.*]] = memref.alloca() {{.*}} : memref<32x64xbf16>
// CHECK-DAG:   %[[WEIGHTS:.*]] = memref.alloca() {{.*}} : memref<32x64xbf16>
// CHECK-DAG:   %[[VALUES:.*]] = memref.alloca() {{.*}} : memref<48x64xbf16>
// CHECK-DAG:   %[[PRODUCTS:.*]] = memref.alloca() {{.*}} : memref<32x32xf32>
// CHECK-DAG:   %[[KEYS:.*]] = memref.alloca() {{.*}} : memref<64x64xbf16>
// CHECK:       call @lattn_copy_rows_bf16_bf16_33

// Four sums take two tiles of each side, over both halves of d.
// CHECK:       scf.for %{{.*}} = %c0 to %c64 step %c32
// CHECK-COUNT-4: amx.tile_zero : !amx.tile<16x16xf32>
// CHECK-COUNT-2: amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
// CHECK:         amx.tile_load %{{.*}}[%c0, %c0] : memref<32x64xbf16>
// CHECK-COUNT-2: amx.tile_mulf
// CHECK:         amx.tile_load %{{.*}}[%c0, %c32] : memref<32x64xbf16>
// CHECK-COUNT-2: amx.tile_mulf
// CHECK:         amx.tile_load %{{.*}}[%c16, %c0] : memref<32x64xbf16>
// CHECK-COUNT-4: amx.tile_mulf
// CHECK-COUNT-4: amx.tile_store %[[SCORES]]
// No mask: the scale waits for exp, one multiplication for all.
// CHECK-NOT:   arith.mulf {{.*}} : vector<16xf32>
// CHECK:       arith.cmpf ogt
// Weights are rounded to pairs; what they add goes through memory.
// CHECK:       x86vector.avx512.cvt.packed.f32_to_bf16
// CHECK:       scf.for {{.*}} -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>)
// CHECK:         amx.tile_load %[[VALUES]]
// CHECK:       amx.tile_store %[[PRODUCTS]]
// CHECK:       vector.load %[[PRODUCTS]]
// CHECK:       vector.fma
func.func @step(%q: !q, %k: !k, %v: !k, %acc: !acc, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%acc, %max, %sum : !acc, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 0.125, schedule = #lattn.schedule<products = amx>}
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%acc, %max, %sum : !acc, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 0.125, schedule = #lattn.schedule<products = amx>}
  return
}

// CHECK:       func.func private @[[PAIRS]]
// CHECK-NOT:   amx.
// CHECK:       x86vector.avx512.dot
// CHECK-NOT:   amx.
func.func @pairs(%q: !q, %k: !k, %v: !k, %acc: !acc, %max: !r, %sum: !r) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%acc, %max, %sum : !acc, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 0.125, schedule = #lattn.schedule<products = dot>}
  return
}
