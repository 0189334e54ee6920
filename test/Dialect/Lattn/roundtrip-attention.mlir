// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @plain(
// CHECK: lattn.attention query(%{{[^ ,)]+}} : tensor<2x4x8x16xf32>) key(%{{[^ ,)]+}} : tensor<2x2x12x16xf32>) value(%{{[^ ,)]+}} : tensor<2x2x12x24xf32>) outs(%{{[^ ,)]+}} : tensor<2x4x8x24xf32>){{$}}
// GENERIC-LABEL: sym_name = "plain"
// GENERIC: "lattn.attention"(%{{.*}}) <{layout = #lattn.layout<bhnd>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0>}> ({
// GENERIC-NEXT: }) : (tensor<2x4x8x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x24xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32>
func.func @plain(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x12x16xf32>,
    %v: tensor<2x2x12x24xf32>, %e: tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32> {
  %0 = lattn.attention query(%q : tensor<2x4x8x16xf32>)
      key(%k : tensor<2x2x12x16xf32>) value(%v : tensor<2x2x12x24xf32>)
      outs(%e : tensor<2x4x8x24xf32>)
  return %0 : tensor<2x4x8x24xf32>
}

// CHECK-LABEL: func.func @dynamic_lse(
// CHECK: lattn.attention
// CHECK-SAME: outs(%{{[^ ,)]+}} : tensor<?x?x?x?xbf16>, %{{[^ ,)]+}} : tensor<?x?x?xf32>) {causal, scale = 5.000000e-01 : f64}
// CHECK-NEXT: return %{{[^ ,)]+}}#0, %{{[^ ,)]+}}#1
func.func @dynamic_lse(%q: tensor<?x?x?x?xbf16>, %l: tensor<?x?x?xf32>)
    -> (tensor<?x?x?x?xbf16>, tensor<?x?x?xf32>) {
  %0:2 = lattn.attention query(%q : tensor<?x?x?x?xbf16>)
      key(%q : tensor<?x?x?x?xbf16>) value(%q : tensor<?x?x?x?xbf16>)
      outs(%q : tensor<?x?x?x?xbf16>, %l : tensor<?x?x?xf32>)
      {causal, scale = 0.5 : f64}
  return %0#0, %0#1 : tensor<?x?x?x?xbf16>, tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @bnhd(
// CHECK: {layout = #lattn.layout<bnhd>, window = #lattn.window<left = 2, right = 0>}
func.func @bnhd(%q: tensor<1x?x4x8xf64>, %k: tensor<1x?x2x8xf64>,
    %l: tensor<1x4x?xf64>) -> (tensor<1x?x4x8xf64>, tensor<1x4x?xf64>) {
  %0:2 = lattn.attention query(%q : tensor<1x?x4x8xf64>)
      key(%k : tensor<1x?x2x8xf64>) value(%k : tensor<1x?x2x8xf64>)
      outs(%q : tensor<1x?x4x8xf64>, %l : tensor<1x4x?xf64>)
      {layout = #lattn.layout<bnhd>, window = #lattn.window<right = 0, left = 2>}
  return %0#0, %0#1 : tensor<1x?x4x8xf64>, tensor<1x4x?xf64>
}

// CHECK-LABEL: func.func @memref(
// CHECK: lattn.attention
// CHECK-SAME: outs(%{{[^ ,)]+}} : memref<1x2x4x8xf16, strided<[?, ?, 8, 1], offset: ?>>, %{{[^ ,)]+}} : memref<1x2x4xf32>){{$}}
// CHECK-NEXT: return{{$}}
func.func @memref(%q: memref<1x2x4x8xf16>, %l: memref<1x2x4xf32>,
    %o: memref<1x2x4x8xf16, strided<[?, ?, 8, 1], offset: ?>>) {
  lattn.attention query(%q : memref<1x2x4x8xf16>) key(%q : memref<1x2x4x8xf16>)
      value(%q : memref<1x2x4x8xf16>)
      outs(%o : memref<1x2x4x8xf16, strided<[?, ?, 8, 1], offset: ?>>,
           %l : memref<1x2x4xf32>)
  return
}
