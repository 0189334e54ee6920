// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// CHECK-LABEL: func.func @products(
// CHECK: lattn.attention_scores query(%{{[^ ,)]+}} : tensor<2x4x8x16xf32>) key(%{{[^ ,)]+}} : tensor<2x2x12x16xf32>) outs(%{{[^ ,)]+}} : tensor<2x4x8x12xf32>) {stage = #lattn.stage<products>}{{$}}
func.func @products(%q: tensor<2x4x8x16xf32>, %k: tensor<2x2x12x16xf32>,
    %e: tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32> {
  %0 = lattn.attention_scores query(%q : tensor<2x4x8x16xf32>)
      key(%k : tensor<2x2x12x16xf32>) outs(%e : tensor<2x4x8x12xf32>)
      {stage = #lattn.stage<products>}
  return %0 : tensor<2x4x8x12xf32>
}

// Every optional operand at once; scores are wider than query.
// CHECK-LABEL: func.func @all(
// CHECK: lattn.attention_scores query(
// CHECK-SAME: key(%{{[^ ,)]+}} : tensor<2x?x2x8xf16>)
// CHECK-SAME: bias(%{{[^ ,)]+}} : tensor<4x1x?xf32>)
// CHECK-SAME: key_mask(%{{[^ ,)]+}} : tensor<2x?xi1>)
// CHECK-SAME: kv_lens(%{{[^ ,)]+}} : tensor<2xi32>)
// CHECK-SAME: offset(%{{[^ ,)]+}} : tensor<2xi64>)
// CHECK-SAME: sink(%{{[^ ,)]+}} : tensor<4xf32>)
// CHECK-SAME: origin(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}})
// CHECK-SAME: captures(%{{[^ ,)]+}} : tensor<?xf32>)
// CHECK-SAME: outs(%{{[^ ,)]+}} : tensor<2x4x?x?xf32>)
// CHECK-SAME: {layout = #lattn.layout<bnhd>, scale = 5.000000e-01 : f64, stage = #lattn.stage<weights>, window = #lattn.window<bucket = 64, back = 1>}
// CHECK-SAME: score {
// CHECK: lattn.yield %{{[^ ,)]+}} : f32
func.func @all(%q: tensor<2x?x4x8xf16>, %k: tensor<2x?x2x8xf16>,
    %bias: tensor<4x1x?xf32>, %mask: tensor<2x?xi1>, %lens: tensor<2xi32>,
    %offset: tensor<2xi64>, %sink: tensor<4xf32>, %i: index,
    %slopes: tensor<?xf32>, %e: tensor<2x4x?x?xf32>) -> tensor<2x4x?x?xf32> {
  %0 = lattn.attention_scores query(%q : tensor<2x?x4x8xf16>)
      key(%k : tensor<2x?x2x8xf16>) bias(%bias : tensor<4x1x?xf32>)
      key_mask(%mask : tensor<2x?xi1>) kv_lens(%lens : tensor<2xi32>)
      offset(%offset : tensor<2xi64>) sink(%sink : tensor<4xf32>)
      origin(%i, %i, %i, %i) captures(%slopes : tensor<?xf32>)
      outs(%e : tensor<2x4x?x?xf32>)
      {layout = #lattn.layout<bnhd>, scale = 0.5 : f64,
       stage = #lattn.stage<weights>,
       window = #lattn.window<bucket = 64, back = 1>} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %qi: i32, %ki: i32, %slope: tensor<?xf32>):
      %hi = arith.index_cast %h : i32 to index
      %x = tensor.extract %slope[%hi] : tensor<?xf32>
      %r = arith.mulf %s, %x : f32
      lattn.yield %r : f32
    }
  return %0 : tensor<2x4x?x?xf32>
}

// CHECK-LABEL: func.func @memref(
// CHECK: lattn.attention_scores
// CHECK-SAME: outs(%{{[^ ,)]+}} : memref<1x2x4x4xf16, strided<[?, ?, 8, 1], offset: ?>>) {bias_map = #{{.*}}, causal, stage = #lattn.stage<masked>}{{$}}
// CHECK-NEXT: return{{$}}
func.func @memref(%q: memref<1x2x4x8xf16>, %bias: memref<2x7xf32>,
    %e: memref<1x2x4x4xf16, strided<[?, ?, 8, 1], offset: ?>>) {
  lattn.attention_scores query(%q : memref<1x2x4x8xf16>)
      key(%q : memref<1x2x4x8xf16>) bias(%bias : memref<2x7xf32>)
      outs(%e : memref<1x2x4x4xf16, strided<[?, ?, 8, 1], offset: ?>>)
      {causal, bias_map = affine_map<(b, h, q, k) -> (h, (q - k) mod 7)>,
       stage = #lattn.stage<masked>}
  return
}
