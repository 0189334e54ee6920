// RUN: lattn-opt %s --lattn-expand-library-calls | FileCheck %s
// What the narrowing gives: halves to even, large to infinity, NaN stays NaN.
// RUN: lattn-run %s --entry=numbers --target=loops

// CHECK-LABEL: @copy
// CHECK-NOT: memref.copy
// CHECK: linalg.copy ins(%arg0 : memref<?xf32, strided<[?]>>) outs(%arg1 : memref<?xf32>)
func.func @copy(%from: memref<?xf32, strided<[?]>>, %to: memref<?xf32>) {
  memref.copy %from, %to : memref<?xf32, strided<[?]>> to memref<?xf32>
  return
}

// CHECK-LABEL: @narrow
// CHECK-NOT: arith.truncf
// CHECK: arith.select {{.*}} : vector<8xi1>, vector<8xi32>
// CHECK: arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// CHECK: arith.bitcast {{.*}} : vector<8xi16> to vector<8xbf16>
func.func @narrow(%x: vector<8xf32>) -> vector<8xbf16> {
  %0 = arith.truncf %x : vector<8xf32> to vector<8xbf16>
  return %0 : vector<8xbf16>
}

// Others are upstream's.
// CHECK-LABEL: @other
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @other(%x: f32) -> f16 {
  %0 = arith.truncf %x : f32 to f16
  return %0 : f16
}

// 0x3F808000 lies halfway between 0x3F80 and 0x3F81; 0x3F818000 between 0x3F81
// and 0x3F82; 0x7F7FFFFF is the largest f32; 0x7F800001 a signalling NaN.
func.func @numbers() {
  %bits = arith.constant dense<[0x3F808000, 0x3F818000, 0x3F80FFFF, 0x7F7FFFFF, 0x7F800001, 0xFFC00001, 0x80000001, 0x00000000]> : tensor<8xi32>
  %want = arith.constant dense<[0x3F80, 0x3F82, 0x3F81, 0x7F80, 0x7FC0, 0xFFC0, 0x8000, 0x0000]> : tensor<8xi16>
  %x = arith.bitcast %bits : tensor<8xi32> to tensor<8xf32>
  %y = arith.truncf %x : tensor<8xf32> to tensor<8xbf16>
  %got = arith.bitcast %y : tensor<8xbf16> to tensor<8xi16>
  check.expect_eq %got, %want : tensor<8xi16>, tensor<8xi16>
  return
}
