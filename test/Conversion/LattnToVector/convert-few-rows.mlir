// RUN: lattn-opt %s --convert-lattn-to-vector -cse | FileCheck %s --check-prefixes=CHECK,W256
// RUN: lattn-opt %s --convert-lattn-to-vector="vector-bits=512 registers=32" -cse | FileCheck %s --check-prefixes=CHECK,W512

// A product of at most 8 rows reads the weight where it lies, by dot products
// where its rows lie along the products.
// CHECK-LABEL: func.func @dots(
// CHECK-NOT:   linalg.fill
// CHECK:       call @lattn_few_dots_f32_f32_f32({{.*}}, %true
// CHECK-NOT:   call
// CHECK:       return
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @dots(%x: memref<8x?xf32>, %w: memref<?x?xf32>, %y: memref<8x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8x?xf32>)
  linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %w : memref<8x?xf32>, memref<?x?xf32>) outs(%y : memref<8x?xf32>)
  return
}

// CHECK-LABEL: func.func @sums(
// CHECK:       call @lattn_few_sums_f16_f16_f32({{.*}}, %false
// CHECK-NOT:   call
// CHECK:       return
func.func @sums(%x: memref<1x?xf16, strided<[?, 2]>>, %w: memref<?x?xf16>, %y: memref<1x?xf32>) {
  linalg.matmul ins(%x, %w : memref<1x?xf16, strided<[?, 2]>>, memref<?x?xf16>) outs(%y : memref<1x?xf32>)
  return
}

// A number of rows or strides that are not known are looked at.
// CHECK-LABEL: func.func @unknown(
// CHECK:       %[[FEW:.*]] = arith.cmpi ule, %{{.*}}, %c8
// CHECK:       %[[UNIT:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK:       %[[BOTH:.*]] = arith.andi %[[FEW]], %[[UNIT]]
// CHECK:       scf.if %[[BOTH]] {
// CHECK:         call @lattn_few_sums_f32_f32_f32(
// CHECK:       } else {
// CHECK:         call @lattn_matmul_f32_f32_f32(
func.func @unknown(%x: memref<?x?xf32>, %w: memref<?x?xf32, strided<[?, ?]>>, %y: memref<?x?xf32>) {
  linalg.matmul indexing_maps = [#a, affine_map<(m, n, k) -> (k, n)>, #c]
      ins(%x, %w : memref<?x?xf32>, memref<?x?xf32, strided<[?, ?]>>) outs(%y : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func.func @others(
// CHECK:       call @lattn_matmul_f32_f32_f32(
// CHECK:       call @lattn_matmul_f32_f32_f32(
func.func @others(%x: memref<9x?xf32>, %s: memref<1x?xf32>, %w: memref<?x?xf32>, %t: memref<?x?xf32, strided<[?, 2]>>, %y: memref<9x?xf32>, %z: memref<1x?xf32>) {
  linalg.matmul ins(%x, %w : memref<9x?xf32>, memref<?x?xf32>) outs(%y : memref<9x?xf32>)
  linalg.matmul indexing_maps = [#a, #b, #c] ins(%s, %t : memref<1x?xf32>, memref<?x?xf32, strided<[?, 2]>>) outs(%z : memref<1x?xf32>)
  return
}

// A single row: as many rows of the weight at a time as a line has vectors. The
// rows of the next 16 KiB (4096 elements) are on their way.
// CHECK:      func.func private @lattn_few_dots_f32_f32_f32({{.*}} passthrough = ["noinline"]
// CHECK:      %[[AHEAD:.*]] = arith.ceildivui %c4096, %
// CHECK:      scf.if
// CHECK:      scf.for %[[COLUMN:.*]] = %c0 to
// CHECK:      %[[NEXT:.*]] = arith.addi %[[COLUMN]], %[[AHEAD]]
// CHECK:      memref.prefetch %{{.*}}[%[[NEXT]], %{{.*}}], read, locality<3>
// W256:       memref.prefetch {{.*}} locality<3>
// W256-COUNT-4: vector.fma {{.*}} : vector<8xf32>
// W512:       vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT:  vector.fma
// CHECK:      scf.yield

// Several rows: four rows of the weight and up to four rows at a time.
// CHECK:      } else {
// CHECK-COUNT-4: memref.prefetch {{.*}} locality<3>
// W256-COUNT-32: vector.fma {{.*}} : vector<8xf32>
// W512-COUNT-16: vector.fma {{.*}} : vector<16xf32>
// CHECK:      scf.yield
// CHECK:      vector.create_mask
// CHECK:      vector.maskedload
// CHECK:      vector.reduction <add>

// Weights along the columns: four rows of the weight at a time, of which the next
// lines are on their way, for wide blocks of columns.
// CHECK:      func.func private @lattn_few_sums_f16_f16_f32(
// CHECK:      scf.for {{.*}} step %c1024
// CHECK-COUNT-4: memref.prefetch {{.*}} locality<3>
// W256-COUNT-16: arith.extf {{.*}} vector<8xf16> to vector<8xf32>
// W512-COUNT-8: arith.extf {{.*}} vector<16xf16> to vector<16xf32>
// CHECK:      vector.maskedload
