// RUN: lattn-opt %s --convert-lattn-to-vector | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=128 registers=32" | FileCheck %s --check-prefixes=CHECK,W128
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,W512
// RUN: lattn-opt %s --convert-lattn-to-vector="l2-bytes=2097152" | FileCheck %s --check-prefixes=CHECK,LARGE
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32 bf16=dot" | FileCheck %s --check-prefix=DOT
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32 bf16=amx" | FileCheck %s --check-prefix=AMX

// A matrix product of floats is a call of a function that all shapes and layouts
// of its element types share.
// CHECK-LABEL: func.func @shapes(
// CHECK:       call @lattn_matmul_f32_f32_f32({{.*}}, %false
// CHECK:       call @lattn_matmul_f32_f32_f32({{.*}}, %false
// CHECK:       return
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
!s = memref<12x8xf32, strided<[?, 2], offset: ?>>
func.func @shapes(%x: memref<12x8xf32>, %y: memref<8x16xf32>, %z: memref<12x16xf32>, %s: !s, %t: memref<16x8xf32>, %u: memref<12x16xf32>) {
  linalg.matmul ins(%x, %y : memref<12x8xf32>, memref<8x16xf32>) outs(%z : memref<12x16xf32>)
  linalg.matmul indexing_maps = [#a, #b, #c] ins(%s, %t : !s, memref<16x8xf32>) outs(%u : memref<12x16xf32>)
  return
}

// Zeros that a destination is filled with right before are what sums start with.
// CHECK-LABEL: func.func @fresh(
// CHECK-NOT:   linalg.fill
// CHECK:       call @lattn_matmul_f32_f32_f32({{.*}}, %true
// CHECK:       linalg.fill
// CHECK:       call @lattn_matmul_f32_f32_f32({{.*}}, %false
// CHECK:       linalg.fill
// CHECK-NEXT:  memref.store
// CHECK:       call @lattn_matmul_f32_f32_f32({{.*}}, %false
func.func @fresh(%x: memref<12x8xf32>, %y: memref<8x16xf32>, %z: memref<12x16xf32>) {
  %i = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<12x16xf32>)
  linalg.matmul ins(%x, %y : memref<12x8xf32>, memref<8x16xf32>) outs(%z : memref<12x16xf32>)
  linalg.fill ins(%one : f32) outs(%z : memref<12x16xf32>)
  linalg.matmul ins(%x, %y : memref<12x8xf32>, memref<8x16xf32>) outs(%z : memref<12x16xf32>)
  linalg.fill ins(%zero : f32) outs(%z : memref<12x16xf32>)
  memref.store %one, %z[%i, %i] : memref<12x16xf32>
  linalg.matmul ins(%x, %y : memref<12x8xf32>, memref<8x16xf32>) outs(%z : memref<12x16xf32>)
  return
}

// Others are no kernels: integers, what would be narrowed, and what is no matrix
// product.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:   call
// CHECK:       return
func.func @others(%i: memref<4x4xi32>, %w: memref<4x4xf64>, %z: memref<4x4xf32>, %v: memref<4xf32>) {
  linalg.matmul ins(%i, %i : memref<4x4xi32>, memref<4x4xi32>) outs(%i : memref<4x4xi32>)
  linalg.matmul ins(%w, %w : memref<4x4xf64>, memref<4x4xf64>) outs(%z : memref<4x4xf32>)
  linalg.matvec ins(%z, %v : memref<4x4xf32>, memref<4xf32>) outs(%v : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @batches(
// CHECK:       scf.for
// CHECK:         call @lattn_matmul_bf16_bf16_f32(
func.func @batches(%x: memref<3x12x8xbf16>, %y: memref<3x8x16xbf16>, %z: memref<3x12x16xf32>) {
  linalg.batch_matmul ins(%x, %y : memref<3x12x8xbf16>, memref<3x8x16xbf16>) outs(%z : memref<3x12x16xf32>)
  return
}

// The register block by the number and width of registers: panels of B, two KiB
// (four with a large L2) apart from the next multiple of a page, and room for rows
// of one block of A. Two products are an iteration, or as many as a vector has
// elements where an FMA takes one of them. The places of the sums are asked for
// meanwhile, and read where sums are added to them.
// CHECK:      func.func private @lattn_matmul_f32_f32_f32({{.*}} passthrough = ["noinline"]
// W128-DAG:   memref.alloca() {{.*}} : memref<5x272xf32>
// W128-DAG:   memref.alloca() {{.*}} : memref<4128x16xf32>
// W128:       vector.extract {{.*}}[0] : f32 from vector<4xf32>
// W128-COUNT-80: vector.fma {{.*}} : vector<4xf32>
// W128-NEXT:  scf.yield
// LARGE-DAG:  memref.alloca() {{.*}} : memref<6x528xf32>
// LARGE-DAG:  memref.alloca() {{.*}} : memref<16448x16xf32>
// W256-DAG:   memref.alloca() {{.*}} : memref<6x272xf32>
// W256-DAG:   memref.alloca() {{.*}} : memref<4128x16xf32>
// A panel that lies as if packed and a whole block of rows of unit stride are read
// as they are.
// W256:       scf.if {{.*}} -> (memref<?x16xf32, strided<[16, 1], offset: ?>>)
// W256:       scf.if {{.*}} -> (memref<?x?xf32, strided<[?, 1], offset: ?>>)
// W256:       scf.for {{.*}} iter_args
// W256-COUNT-1: memref.prefetch {{.*}} read, locality<3>
// W256-COUNT-24: vector.fma {{.*}} : vector<8xf32>
// W256-NEXT:  scf.yield
// W256:       scf.if
// W256-NOT:   vector.load
// W256-COUNT-12: vector.store
// W256:       else
// W256-COUNT-12: arith.addf
// W512-DAG:   memref.alloca() {{.*}} : memref<6x272xf32>
// W512-DAG:   memref.alloca() {{.*}} : memref<1032x64xf32>
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

// Pairs of bf16, of A as they lie, of B packed, with the same register blocks.
// DOT:        func.func private @lattn_matmul_bf16_bf16_f32(
// DOT-DAG:    memref.alloca() {{.*}} : memref<6x544xbf16>
// DOT-DAG:    memref.alloca() {{.*}} : memref<1032x128xbf16>
// DOT:        vector.interleave
// DOT:        scf.if {{.*}} -> (memref<?x?xbf16, strided<[?, 1], offset: ?>>)
// DOT-COUNT-48: x86vector.avx512.dot
// DOT-NEXT:   scf.yield
// AMX:        func.func private @lattn_matmul_bf16_bf16_f32(
// AMX-NOT:    x86vector.avx512.dot
