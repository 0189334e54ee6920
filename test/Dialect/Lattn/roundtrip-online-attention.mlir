// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK: lattn.online_attention query(%{{[^ ,)]+}} : tensor<1x4x16x64xf32>)
// CHECK-SAME: key(%{{[^ ,)]+}} : tensor<1x2x32x64xf32>) value(%{{[^ ,)]+}} : tensor<1x2x32x24xf32>)
// CHECK-SAME: outs(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<1x4x16x24xf32>, tensor<1x4x16xf32>, tensor<1x4x16xf32>){{$}}
func.func @plain(%q: tensor<1x4x16x64xf32>, %k: tensor<1x2x32x64xf32>,
    %v: tensor<1x2x32x24xf32>, %acc: tensor<1x4x16x24xf32>,
    %m: tensor<1x4x16xf32>) -> tensor<1x4x16x24xf32> {
  %0:3 = lattn.online_attention query(%q : tensor<1x4x16x64xf32>)
      key(%k : tensor<1x2x32x64xf32>) value(%v : tensor<1x2x32x24xf32>)
      outs(%acc, %m, %m : tensor<1x4x16x24xf32>, tensor<1x4x16xf32>,
           tensor<1x4x16xf32>)
  return %0#0 : tensor<1x4x16x24xf32>
}

// One head of one batch: queries on the last axis, packed wider than the keys.
#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>

// CHECK-LABEL: func.func @all(
// CHECK: lattn.online_attention query(%{{[^ ,)]+}} : tensor<64x16xf32>)
// CHECK-SAME: bias(%{{[^ ,)]+}} : tensor<4x1x?xbf16>) key_mask(%{{[^ ,)]+}} : tensor<2x?xi1>)
// CHECK-SAME: kv_lens(%{{[^ ,)]+}} : tensor<2xi64>) offset(%{{[^ ,)]+}} : i64)
// CHECK-SAME: origin(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}}) query_rows(%{{[^ ,)]+}})
// CHECK-SAME: dropout(%{{[^ ,)]+}}, %[[SEED:[^ ,)]+]], %[[SEED]], %[[SEED]] : f32, i64, i64, i64)
// CHECK-SAME: captures(%{{[^ ,)]+}} : tensor<?xf32>)
// CHECK-SAME: indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}, #{{.*}}, #[[ROW:.*]], #[[ROW]]]
// CHECK-SAME: window = #lattn.window<left = 8, right = 0>} score {
func.func @all(%q: tensor<64x16xf32>, %k: tensor<?x64xbf16>,
    %bias: tensor<4x1x?xbf16>, %mask: tensor<2x?xi1>, %lens: tensor<2xi64>,
    %offset: i64, %i: index, %c: tensor<?xf32>, %acc: tensor<64x16xf32>,
    %m: tensor<16xf32>, %p: f32, %seed: i64) -> tensor<64x16xf32> {
  %0:3 = lattn.online_attention query(%q : tensor<64x16xf32>)
      key(%k : tensor<?x64xbf16>) value(%k : tensor<?x64xbf16>)
      bias(%bias : tensor<4x1x?xbf16>) key_mask(%mask : tensor<2x?xi1>)
      kv_lens(%lens : tensor<2xi64>) offset(%offset : i64)
      origin(%i, %i, %i, %i) query_rows(%i)
      dropout(%p, %seed, %seed, %seed : f32, i64, i64, i64)
      captures(%c : tensor<?xf32>)
      outs(%acc, %m, %m : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0 : f64,
       window = #lattn.window<left = 8, right = 0>}
      score {
    ^bb0(%s: f32, %b: i32, %h: i32, %qi: i32, %ki: i32, %t: tensor<?xf32>):
      %r = math.tanh %s : f32
      lattn.yield %r : f32
    }
  return %0#0 : tensor<64x16xf32>
}

// CHECK-LABEL: func.func @memref(
// CHECK: lattn.online_attention
// CHECK-SAME: outs(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : memref<1x1x?x8xf64>, memref<1x1x?xf64>, memref<1x1x?xf64>)
func.func @memref(%q: memref<1x1x?x8xf64>, %m: memref<1x1x?xf64>) {
  lattn.online_attention query(%q : memref<1x1x?x8xf64>)
      key(%q : memref<1x1x?x8xf64>) value(%q : memref<1x1x?x8xf64>)
      outs(%q, %m, %m : memref<1x1x?x8xf64>, memref<1x1x?xf64>, memref<1x1x?xf64>)
  return
}

#qd = affine_map<(b, h, q, k, d, v) -> (q, d)>
#qv = affine_map<(b, h, q, k, d, v) -> (q, v)>

// CHECK-LABEL: func.func @pages(
// CHECK: lattn.online_attention
// CHECK-SAME: key(%{{[^ ,)]+}} : tensor<?x16x64xbf16>) value(%{{[^ ,)]+}} : tensor<?x16x24xbf16>)
// CHECK-SAME: pages(%{{[^ ,)]+}}[%[[FIRST:[^ ,)]+]], %[[COUNT:[^ ,)]+]]] : tensor<?xi32>) outs(
func.func @pages(%q: tensor<4x64xbf16>, %k: tensor<?x16x64xbf16>, %v: tensor<?x16x24xbf16>, %pages: tensor<?xi32>,
    %first: index, %count: index, %acc: tensor<4x24xf32>, %m: tensor<4xf32>) -> tensor<4x24xf32> {
  %0:3 = lattn.online_attention query(%q : tensor<4x64xbf16>) key(%k : tensor<?x16x64xbf16>)
      value(%v : tensor<?x16x24xbf16>) pages(%pages[%first, %count] : tensor<?xi32>)
      outs(%acc, %m, %m : tensor<4x24xf32>, tensor<4xf32>, tensor<4xf32>)
      {indexing_maps = [#qd, #k, #v, #qv, #row, #row]}
  return %0#0 : tensor<4x24xf32>
}
