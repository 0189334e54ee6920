// RUN: lattn-opt %s --convert-lattn-to-vector | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=128 registers=32" | FileCheck %s --check-prefixes=CHECK,W128
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,W512

// A marked matrix product is a call of a function that all shapes and layouts
// of its element types share. Others are loops over vectors of a row.
// CHECK-LABEL: func.func @shapes(
// CHECK:       call @lattn_matmul_f32_f32_f32(
// CHECK:       call @lattn_matmul_f32_f32_f32(
// CHECK-NOT:   call
// CHECK:       vector.load
// CHECK:       return
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
!s = memref<?x8xf32, strided<[?, 2], offset: ?>>
func.func @shapes(%x: memref<4x8xf32>, %y: memref<8x16xf32>, %z: memref<4x16xf32>, %s: !s, %t: memref<16x8xf32>, %u: memref<?x16xf32>) {
  linalg.matmul {lattn.matmul_tile} ins(%x, %y : memref<4x8xf32>, memref<8x16xf32>) outs(%z : memref<4x16xf32>)
  linalg.matmul indexing_maps = [#a, #b, #c] {lattn.matmul_tile} ins(%s, %t : !s, memref<16x8xf32>) outs(%u : memref<?x16xf32>)
  linalg.matmul ins(%x, %y : memref<4x8xf32>, memref<8x16xf32>) outs(%z : memref<4x16xf32>)
  return
}

// CHECK-LABEL: func.func @batches(
// CHECK:       scf.for
// CHECK:         call @lattn_matmul_bf16_bf16_f32(
func.func @batches(%x: memref<3x4x8xbf16>, %y: memref<3x8x16xbf16>, %z: memref<3x4x16xf32>) {
  linalg.batch_matmul {lattn.matmul_tile} ins(%x, %y : memref<3x4x8xbf16>, memref<3x8x16xbf16>) outs(%z : memref<3x4x16xf32>)
  return
}

// The register block by the number and width of registers, two products an
// iteration; a tile of C and A, and one panel of B.
// CHECK:      func.func private @lattn_matmul_f32_f32_f32({{.*}} passthrough = ["noinline"]
// W128-DAG:   memref.alloca() {{.*}} : memref<96x256xf32>
// W128-DAG:   memref.alloca() {{.*}} : memref<256x16xf32>
// W128-COUNT-48: vector.fma {{.*}} : vector<4xf32>
// W128-NEXT:  scf.yield
// W256-DAG:   memref.alloca() {{.*}} : memref<96x256xf32>
// W256-DAG:   memref.alloca() {{.*}} : memref<256x16xf32>
// A panel that lies as if packed is read as it is, and the next one asked for.
// W256:       scf.if {{.*}} -> (memref<?x16xf32, strided<[16, 1], offset: ?>>, index)
// W256-COUNT-16: memref.prefetch {{.*}} read, locality<2>
// W256-COUNT-24: vector.fma {{.*}} : vector<8xf32>
// W256-NEXT:  scf.yield
// W512-DAG:   memref.alloca() {{.*}} : memref<96x256xf32>
// W512-DAG:   memref.alloca() {{.*}} : memref<256x64xf32>
// W512-COUNT-48: vector.fma {{.*}} : vector<16xf32>
// W512-NEXT:  scf.yield
// One product of what is left, then half the vectors where a panel lacks half.
// W512-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// W512-NEXT:  scf.yield
// W512:       else
// W512-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// W512-NEXT:  scf.yield

// Narrow types widen where they are packed, once a function for all kernels.
// CHECK:      func.func private @lattn_copy_tile_bf16_f32_
// CHECK:      arith.extf {{.*}} vector<
// CHECK:      vector.shuffle
