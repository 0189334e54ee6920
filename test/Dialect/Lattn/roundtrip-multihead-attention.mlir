// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// subln_eps = 1e-5 and xpos_scale_base = 512 are what is not printed; widths may
// differ.
// CHECK-LABEL: func.func @defaults(
// CHECK: lattn.multihead_attention query(%{{[^ ,)]+}} : tensor<2x?x6xf16>) key(%{{[^ ,)]+}} : tensor<2x?x5xf16>) value(%{{[^ ,)]+}} : tensor<2x?x3xf16>)
// CHECK-SAME: w_q(%{{[^ ,)]+}} : tensor<8x6xf16>) w_k(%{{[^ ,)]+}} : tensor<8x5xf16>) w_v(%{{[^ ,)]+}} : tensor<8x3xf16>) w_out(%{{[^ ,)]+}} : tensor<7x8xf32>)
// CHECK-SAME: outs(%{{[^ ,)]+}} : tensor<2x?x7xf32>) {heads = 2 : i64}{{$}}
func.func @defaults(%x: tensor<2x?x6xf16>, %y: tensor<2x?x5xf16>,
    %z: tensor<2x?x3xf16>, %q: tensor<8x6xf16>, %k: tensor<8x5xf16>,
    %v: tensor<8x3xf16>, %w: tensor<7x8xf32>, %e: tensor<2x?x7xf32>)
    -> tensor<2x?x7xf32> {
  %0 = lattn.multihead_attention query(%x : tensor<2x?x6xf16>)
      key(%y : tensor<2x?x5xf16>) value(%z : tensor<2x?x3xf16>)
      w_q(%q : tensor<8x6xf16>) w_k(%k : tensor<8x5xf16>)
      w_v(%v : tensor<8x3xf16>) w_out(%w : tensor<7x8xf32>)
      outs(%e : tensor<2x?x7xf32>)
      {heads = 2 : i64, subln_eps = 1.0e-5 : f64, xpos_scale_base = 512.0 : f64}
  return %0 : tensor<2x?x7xf32>
}

// Every option and operand at once.
// CHECK-LABEL: func.func @all(
// CHECK: lattn.multihead_attention query(%[[X:[^ ,)]+]] : memref<2x?x8xbf16>) key(%[[X]] : memref<2x?x8xbf16>) value(%[[X]] : memref<2x?x8xbf16>)
// CHECK-SAME: w_q(%[[W:[^ ,)]+]] : memref<8x8xbf16>) w_k(%[[W]] : memref<8x8xbf16>) w_v(%[[W]] : memref<8x8xbf16>) w_out(%[[W]] : memref<8x8xbf16>)
// CHECK-SAME: b_q(%[[B:[^ ,)]+]] : memref<8xf32>) b_k(%[[B]] : memref<8xf32>) b_v(%[[B]] : memref<8xf32>) b_out(%[[B]] : memref<8xf32>)
// CHECK-SAME: subln_gain(%[[B]] : memref<8xf32>) subln_bias(%[[B]] : memref<8xf32>)
// CHECK-SAME: prev_key(%[[P:[^ ,)]+]] : memref<2x2x?x4xbf16>) prev_value(%[[P]] : memref<2x2x?x4xbf16>)
// CHECK-SAME: key_padding_mask(%{{[^ ,)]+}} : memref<2x?xi1>) attn_mask(%{{[^ ,)]+}} : memref<?x?xf32>) rel_pos(%{{[^ ,)]+}} : memref<2x2x?x?xf32>)
// CHECK-SAME: dropout(%{{[^ ,)]+}}, %[[SEED:[^ ,)]+]], %[[SEED]] : f32, i64, i64)
// CHECK-SAME: outs(%[[X]] : memref<2x?x8xbf16>) weights(%{{[^ ,)]+}} : memref<2x2x?x?xf32>) next_key(%[[N:[^ ,)]+]] : memref<2x2x?x4xbf16>) next_value(%[[N]] : memref<2x2x?x4xbf16>)
// CHECK-SAME: {causal, heads = 2 : i64, is_first_step, scale = 5.000000e-01 : f64, subln_eps = 1.000000e-03 : f64, use_xpos, window = #lattn.window<left = 3>, xpos_scale_base = 8.000000e+00 : f64}{{$}}
func.func @all(%x: memref<2x?x8xbf16>, %w: memref<8x8xbf16>, %b: memref<8xf32>,
    %prev: memref<2x2x?x4xbf16>, %mask: memref<2x?xi1>, %add: memref<?x?xf32>,
    %rel: memref<2x2x?x?xf32>, %p: f32, %seed: i64,
    %next: memref<2x2x?x4xbf16>, %weights: memref<2x2x?x?xf32>) {
  lattn.multihead_attention query(%x : memref<2x?x8xbf16>)
      key(%x : memref<2x?x8xbf16>) value(%x : memref<2x?x8xbf16>)
      w_q(%w : memref<8x8xbf16>) w_k(%w : memref<8x8xbf16>)
      w_v(%w : memref<8x8xbf16>) w_out(%w : memref<8x8xbf16>)
      b_q(%b : memref<8xf32>) b_k(%b : memref<8xf32>) b_v(%b : memref<8xf32>)
      b_out(%b : memref<8xf32>) subln_gain(%b : memref<8xf32>)
      subln_bias(%b : memref<8xf32>) prev_key(%prev : memref<2x2x?x4xbf16>)
      prev_value(%prev : memref<2x2x?x4xbf16>) key_padding_mask(%mask : memref<2x?xi1>)
      attn_mask(%add : memref<?x?xf32>) rel_pos(%rel : memref<2x2x?x?xf32>)
      dropout(%p, %seed, %seed : f32, i64, i64)
      outs(%x : memref<2x?x8xbf16>) weights(%weights : memref<2x2x?x?xf32>)
      next_key(%next : memref<2x2x?x4xbf16>) next_value(%next : memref<2x2x?x4xbf16>)
      {heads = 2 : i64, scale = 0.5 : f64, subln_eps = 1.0e-3 : f64, use_xpos,
       xpos_scale_base = 8.0 : f64, is_first_step,
       window = #lattn.window<left = 3>, causal}
  return
}

// Destinations that are there are results, in their order.
// CHECK-LABEL: func.func @results(
// CHECK: %{{[^ ,)]+}}:2 = lattn.multihead_attention {{.*}} outs(%{{[^ ,)]+}} : tensor<1x4x6xf64>) weights(%{{[^ ,)]+}} : tensor<2x1x4x4xf64>) {
// CHECK: %{{[^ ,)]+}}:3 = lattn.multihead_attention {{.*}} outs(%{{[^ ,)]+}} : tensor<1x4x6xf64>) next_key(%[[N:[^ ,)]+]] : tensor<1x2x4x3xf64>) next_value(%[[N]] : tensor<1x2x4x3xf64>) {
func.func @results(%x: tensor<1x4x6xf64>, %w: tensor<6x6xf64>,
    %weights: tensor<2x1x4x4xf64>, %next: tensor<1x2x4x3xf64>) {
  %0:2 = lattn.multihead_attention query(%x : tensor<1x4x6xf64>)
      key(%x : tensor<1x4x6xf64>) value(%x : tensor<1x4x6xf64>)
      w_q(%w : tensor<6x6xf64>) w_k(%w : tensor<6x6xf64>)
      w_v(%w : tensor<6x6xf64>) w_out(%w : tensor<6x6xf64>)
      outs(%x : tensor<1x4x6xf64>) weights(%weights : tensor<2x1x4x4xf64>)
      {heads = 2 : i64}
  %1:3 = lattn.multihead_attention query(%x : tensor<1x4x6xf64>)
      key(%x : tensor<1x4x6xf64>) value(%x : tensor<1x4x6xf64>)
      w_q(%w : tensor<6x6xf64>) w_k(%w : tensor<6x6xf64>)
      w_v(%w : tensor<6x6xf64>) w_out(%w : tensor<6x6xf64>)
      outs(%x : tensor<1x4x6xf64>) next_key(%next : tensor<1x2x4x3xf64>)
      next_value(%next : tensor<1x2x4x3xf64>) {heads = 2 : i64}
  return
}
