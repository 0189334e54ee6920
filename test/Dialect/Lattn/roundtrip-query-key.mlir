// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// theta = 10000, position_axis, start and center are not printed where absent.
// CHECK-LABEL: func.func @rotary(
// CHECK: lattn.rotary ins(%{{[^ ,)]+}} : tensor<?x64xbf16>) outs(%{{[^ ,)]+}} : tensor<?x64xf32>) {dim = 64 : i64}{{$}}
func.func @rotary(%x: tensor<?x64xbf16>, %e: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = lattn.rotary ins(%x : tensor<?x64xbf16>) outs(%e : tensor<?x64xf32>)
      {dim = 64 : i64, theta = 1.0e4 : f64}
  return %0 : tensor<?x64xf32>
}

// Every option and operand at once; dim is one less than the row.
// CHECK-LABEL: func.func @rotary_all(
// CHECK-SAME: %[[P:[^ ,)]+]]: index, %[[C:[^ ,)]+]]: index
// CHECK: lattn.rotary ins(%{{[^ ,)]+}} : tensor<2x?x4x8xf64>) start(%[[P]]) center(%[[C]]) outs(%{{[^ ,)]+}} : tensor<2x?x4x8xf64>)
// CHECK-SAME: {dim = 7 : i64, downscale, interleaved, position_axis = 1 : i64, theta = 5.000000e+05 : f64, xpos_scale_base = 5.120000e+02 : f64}{{$}}
func.func @rotary_all(%x: tensor<2x?x4x8xf64>, %p: index, %c: index) -> tensor<2x?x4x8xf64> {
  %0 = lattn.rotary ins(%x : tensor<2x?x4x8xf64>) start(%p) center(%c)
      outs(%x : tensor<2x?x4x8xf64>)
      {dim = 7 : i64, theta = 5.0e5 : f64, interleaved, downscale,
       xpos_scale_base = 512.0 : f64, position_axis = 1 : i64}
  return %0 : tensor<2x?x4x8xf64>
}

// One of the two optional indices alone is still the right one.
// CHECK-LABEL: func.func @rotary_memref(
// CHECK: lattn.rotary ins(%{{[^ ,)]+}} : memref<4x8xf16, strided<[?, ?], offset: ?>>) center(%{{[^ ,)]+}}) outs(%{{[^ ,)]+}} : memref<4x8xf32>) {dim = 8 : i64, xpos_scale_base = 0.000000e+00 : f64}{{$}}
// CHECK-NEXT: lattn.rotary ins({{.*}}) start(%{{[^ ,)]+}}) outs(
// CHECK-NEXT: return{{$}}
func.func @rotary_memref(%x: memref<4x8xf16, strided<[?, ?], offset: ?>>,
    %c: index, %o: memref<4x8xf32>) {
  lattn.rotary ins(%x : memref<4x8xf16, strided<[?, ?], offset: ?>>) center(%c)
      outs(%o : memref<4x8xf32>) {dim = 8 : i64, xpos_scale_base = 0.0 : f64}
  lattn.rotary ins(%x : memref<4x8xf16, strided<[?, ?], offset: ?>>) start(%c)
      outs(%o : memref<4x8xf32>) {dim = 8 : i64}
  return
}

// CHECK-LABEL: func.func @rotate_pairs(
// CHECK: lattn.rotate_pairs ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<1x?x8xf16>, tensor<?x2x4xf32>) start(%{{[^ ,)]+}}) outs(%{{[^ ,)]+}} : tensor<1x?x8xf16>) {interleaved, position_axis = 1 : i64}{{$}}
// CHECK: lattn.rotate_pairs {{.*}} {position_axis = 0 : i64}{{$}}
func.func @rotate_pairs(%x: tensor<1x?x8xf16>, %t: tensor<?x2x4xf32>, %p: index)
    -> tensor<1x?x8xf16> {
  %0 = lattn.rotate_pairs ins(%x, %t : tensor<1x?x8xf16>, tensor<?x2x4xf32>)
      start(%p) outs(%x : tensor<1x?x8xf16>) {interleaved, position_axis = 1 : i64}
  %1 = lattn.rotate_pairs ins(%0, %t : tensor<1x?x8xf16>, tensor<?x2x4xf32>)
      start(%p) outs(%x : tensor<1x?x8xf16>) {position_axis = 0 : i64}
  return %1 : tensor<1x?x8xf16>
}

// CHECK-LABEL: func.func @rotate_pairs_memref(
// CHECK: lattn.rotate_pairs ins(%{{[^ ,)]+}}, %{{[^ ,)]+}} : memref<?x8xf64>, memref<6x2x4xf64>) start(%{{[^ ,)]+}}) outs(%{{[^ ,)]+}} : memref<?x8xf64>) {position_axis = 0 : i64}{{$}}
// CHECK-NEXT: return{{$}}
func.func @rotate_pairs_memref(%x: memref<?x8xf64>, %t: memref<6x2x4xf64>, %p: index) {
  lattn.rotate_pairs ins(%x, %t : memref<?x8xf64>, memref<6x2x4xf64>)
      start(%p) outs(%x : memref<?x8xf64>) {position_axis = 0 : i64}
  return
}

// CHECK-LABEL: func.func @l2_normalize(
// CHECK: lattn.l2_normalize ins(%{{[^ ,)]+}} : tensor<?x7xbf16>) outs(%{{[^ ,)]+}} : tensor<?x7xf32>){{$}}
// CHECK: lattn.l2_normalize ins({{.*}}) outs(%{{[^ ,)]+}} : tensor<?x7xf32>) {eps = 2.500000e-01 : f64}{{$}}
func.func @l2_normalize(%x: tensor<?x7xbf16>, %e: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %0 = lattn.l2_normalize ins(%x : tensor<?x7xbf16>) outs(%e : tensor<?x7xf32>)
      {eps = 1.0e-12 : f64}
  %1 = lattn.l2_normalize ins(%0 : tensor<?x7xf32>) outs(%e : tensor<?x7xf32>)
      {eps = 0.25 : f64}
  return %1 : tensor<?x7xf32>
}

// CHECK-LABEL: func.func @l2_normalize_memref(
// CHECK: lattn.l2_normalize ins(%{{[^ ,)]+}} : memref<3x?xf64>) outs(%{{[^ ,)]+}} : memref<3x?xf64>){{$}}
// CHECK-NEXT: return{{$}}
func.func @l2_normalize_memref(%x: memref<3x?xf64>) {
  lattn.l2_normalize ins(%x : memref<3x?xf64>) outs(%x : memref<3x?xf64>)
  return
}
