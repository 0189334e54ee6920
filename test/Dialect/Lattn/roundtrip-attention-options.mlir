// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// Every optional operand at once, on tensors.
// CHECK-LABEL: func.func @all(
// CHECK: lattn.attention query(%{{[^ ,)]+}} : tensor<2x4x?x8xf16>)
// CHECK-SAME: key(%{{[^ ,)]+}} : tensor<2x2x?x8xf16>) value(%{{[^ ,)]+}} : tensor<2x2x?x8xf16>)
// CHECK-SAME: bias(%{{[^ ,)]+}} : tensor<4x1x?xf32>)
// CHECK-SAME: key_mask(%{{[^ ,)]+}} : tensor<2x?xi1>)
// CHECK-SAME: kv_lens(%{{[^ ,)]+}} : tensor<2xi32>)
// CHECK-SAME: offset(%{{[^ ,)]+}} : tensor<2xi64>)
// CHECK-SAME: sink(%{{[^ ,)]+}} : tensor<4xf32>)
// CHECK-SAME: dropout(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32, i64, i64, i64)
// CHECK-SAME: origin(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}})
// CHECK-SAME: captures(%{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?xf32>, tensor<2x?xi32>)
// CHECK-SAME: outs(%{{[^ ,)]+}} : tensor<2x4x?x8xf16>, %{{[^ ,)]+}} : tensor<2x4x?xf32>)
// CHECK-SAME: {window = #lattn.window<bucket = 64, back = 1>}
// CHECK-SAME: score {
// CHECK-NEXT: ^bb0(%{{[^ ,)]+}}: f32, %{{[^ ,)]+}}: i32, %{{[^ ,)]+}}: i32, %{{[^ ,)]+}}: i32, %{{[^ ,)]+}}: i32, %[[SLOPES:.*]]: tensor<?xf32>, %{{[^ ,)]+}}: tensor<2x?xi32>):
// CHECK: tensor.extract %[[SLOPES]]
// CHECK: lattn.yield %{{[^ ,)]+}} : f32
func.func @all(%q: tensor<2x4x?x8xf16>, %k: tensor<2x2x?x8xf16>,
    %bias: tensor<4x1x?xf32>, %mask: tensor<2x?xi1>, %lens: tensor<2xi32>,
    %offset: tensor<2xi64>, %sink: tensor<4xf32>, %p: f32, %seed: i64,
    %i: index, %slopes: tensor<?xf32>, %ids: tensor<2x?xi32>,
    %lse: tensor<2x4x?xf32>) -> tensor<2x4x?x8xf16> {
  %0:2 = lattn.attention query(%q : tensor<2x4x?x8xf16>)
      key(%k : tensor<2x2x?x8xf16>) value(%k : tensor<2x2x?x8xf16>)
      bias(%bias : tensor<4x1x?xf32>) key_mask(%mask : tensor<2x?xi1>)
      kv_lens(%lens : tensor<2xi32>) offset(%offset : tensor<2xi64>)
      sink(%sink : tensor<4xf32>)
      dropout(%p, %seed, %seed, %seed : f32, i64, i64, i64)
      origin(%i, %i, %i, %i)
      captures(%slopes, %ids : tensor<?xf32>, tensor<2x?xi32>)
      outs(%q : tensor<2x4x?x8xf16>, %lse : tensor<2x4x?xf32>)
      {window = #lattn.window<bucket = 64, back = 1>}
      score {
    ^bb0(%s: f32, %b: i32, %h: i32, %qi: i32, %ki: i32, %slope: tensor<?xf32>,
         %doc: tensor<2x?xi32>):
      %hi = arith.index_cast %h : i32 to index
      %factor = tensor.extract %slope[%hi] : tensor<?xf32>
      %distance = arith.subi %ki, %qi : i32
      %d = arith.sitofp %distance : i32 to f32
      %r = math.fma %d, %factor, %s : f32
      lattn.yield %r : f32
    }
  return %0#0 : tensor<2x4x?x8xf16>
}

// The same kinds of operand as memrefs, a scalar offset and a bias map.
// CHECK-LABEL: func.func @memref(
// CHECK: lattn.attention
// CHECK-SAME: bias(%{{[^ ,)]+}} : memref<4x7xf64>)
// CHECK-SAME: kv_lens(%{{[^ ,)]+}} : memref<2xi64>) offset(%{{[^ ,)]+}} : i64)
// CHECK-SAME: captures(%{{[^ ,)]+}} : memref<?xf64>)
// CHECK-SAME: bias_map = #[[MAP:.*]]}
// CHECK: memref.load
func.func @memref(%q: memref<2x4x3x8xf64>, %bias: memref<4x7xf64>,
    %lens: memref<2xi64>, %offset: i64, %table: memref<?xf64>) {
  lattn.attention query(%q : memref<2x4x3x8xf64>) key(%q : memref<2x4x3x8xf64>)
      value(%q : memref<2x4x3x8xf64>) bias(%bias : memref<4x7xf64>)
      kv_lens(%lens : memref<2xi64>) offset(%offset : i64)
      captures(%table : memref<?xf64>) outs(%q : memref<2x4x3x8xf64>)
      {bias_map = affine_map<(b, h, q, k) -> (h, (q - k) mod 7)>}
      score {
    ^bb0(%s: f64, %b: i32, %h: i32, %qi: i32, %ki: i32, %t: memref<?xf64>):
      %i = arith.index_cast %ki : i32 to index
      %x = memref.load %t[%i] : memref<?xf64>
      %r = arith.mulf %s, %x : f64
      lattn.yield %r : f64
    }
  return
}
