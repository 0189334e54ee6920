// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// norm_eps = 1e-5, look_backward = 1 and theta = 10000 are what is not printed.
// CHECK-LABEL: func.func @defaults(
// CHECK: lattn.local_mha input(%{{[^ ,)]+}} : tensor<2x?x6xf16>) w_qkv(%{{[^ ,)]+}} : tensor<24x6xf16>) w_out(%{{[^ ,)]+}} : tensor<6x8xf32>) outs(%{{[^ ,)]+}} : tensor<2x?x6xf32>) {heads = 2 : i64, window_size = 4 : i64}{{$}}
func.func @defaults(%x: tensor<2x?x6xf16>, %qkv: tensor<24x6xf16>,
    %w: tensor<6x8xf32>, %e: tensor<2x?x6xf32>) -> tensor<2x?x6xf32> {
  %0 = lattn.local_mha input(%x : tensor<2x?x6xf16>)
      w_qkv(%qkv : tensor<24x6xf16>) w_out(%w : tensor<6x8xf32>)
      outs(%e : tensor<2x?x6xf32>)
      {heads = 2 : i64, window_size = 4 : i64, norm_eps = 1.0e-5 : f64,
       look_backward = 1 : i64, theta = 1.0e4 : f64}
  return %0 : tensor<2x?x6xf32>
}

// Every option and operand at once, but `causal`, which forbids look_forward.
// CHECK-LABEL: func.func @all(
// CHECK: lattn.local_mha input(%{{[^ ,)]+}} : memref<2x?x6xbf16>)
// CHECK-SAME: w_qkv(%{{[^ ,)]+}} : memref<24x6xbf16>)
// CHECK-SAME: w_out(%{{[^ ,)]+}} : memref<6x8xbf16>)
// CHECK-SAME: norm_gain(%[[E:[^ ,)]+]] : memref<6xbf16>)
// CHECK-SAME: norm_bias(%[[E]] : memref<6xbf16>)
// CHECK-SAME: q_scale(%[[D:[^ ,)]+]] : memref<4xbf16>)
// CHECK-SAME: k_scale(%[[D]] : memref<4xbf16>)
// CHECK-SAME: w_gate(%{{[^ ,)]+}} : memref<2x6xbf16>)
// CHECK-SAME: gate_bias(%{{[^ ,)]+}} : memref<2xf32>)
// CHECK-SAME: bias(%{{[^ ,)]+}} : memref<2x1x24xf32>)
// CHECK-SAME: key_mask(%{{[^ ,)]+}} : memref<2x?xi1>)
// CHECK-SAME: outs(%{{[^ ,)]+}} : memref<2x?x6xbf16>)
// CHECK-SAME: {autopad, dim = 3 : i64, exact_windowsize, heads = 2 : i64, look_backward = 2 : i64, look_forward = 3 : i64, norm_eps = 1.000000e-03 : f64, scale = 8.000000e+00 : f64, shared_qk, theta = 5.000000e+02 : f64, use_xpos, window_size = 4 : i64, xpos_scale_base = 3.000000e+00 : f64}{{$}}
func.func @all(%x: memref<2x?x6xbf16>, %qkv: memref<24x6xbf16>,
    %w: memref<6x8xbf16>, %e: memref<6xbf16>, %d: memref<4xbf16>,
    %g: memref<2x6xbf16>, %h: memref<2xf32>, %bias: memref<2x1x24xf32>,
    %mask: memref<2x?xi1>) {
  lattn.local_mha input(%x : memref<2x?x6xbf16>) w_qkv(%qkv : memref<24x6xbf16>)
      w_out(%w : memref<6x8xbf16>) norm_gain(%e : memref<6xbf16>)
      norm_bias(%e : memref<6xbf16>) q_scale(%d : memref<4xbf16>)
      k_scale(%d : memref<4xbf16>) w_gate(%g : memref<2x6xbf16>)
      gate_bias(%h : memref<2xf32>) bias(%bias : memref<2x1x24xf32>)
      key_mask(%mask : memref<2x?xi1>) outs(%x : memref<2x?x6xbf16>)
      {heads = 2 : i64, norm_eps = 1.0e-3 : f64, window_size = 4 : i64,
       look_backward = 2 : i64, look_forward = 3 : i64, exact_windowsize,
       autopad, shared_qk, dim = 3 : i64, theta = 500.0 : f64, use_xpos,
       xpos_scale_base = 3.0 : f64, scale = 8.0 : f64}
  return
}

// Each optional operand that may stand alone.
// CHECK-LABEL: func.func @alone(
// CHECK: lattn.local_mha {{.*}} norm_gain(%{{[^ ,)]+}} : tensor<6xf64>) outs(
// CHECK: lattn.local_mha {{.*}} w_gate(%{{[^ ,)]+}} : tensor<2x6xf64>) outs(
func.func @alone(%x: tensor<1x4x6xf64>, %qkv: tensor<24x6xf64>,
    %w: tensor<6x8xf64>, %n: tensor<6xf64>, %g: tensor<2x6xf64>) {
  %0 = lattn.local_mha input(%x : tensor<1x4x6xf64>) w_qkv(%qkv : tensor<24x6xf64>)
      w_out(%w : tensor<6x8xf64>) norm_gain(%n : tensor<6xf64>)
      outs(%x : tensor<1x4x6xf64>) {heads = 2 : i64, window_size = 4 : i64}
  %1 = lattn.local_mha input(%x : tensor<1x4x6xf64>) w_qkv(%qkv : tensor<24x6xf64>)
      w_out(%w : tensor<6x8xf64>) w_gate(%g : tensor<2x6xf64>)
      outs(%x : tensor<1x4x6xf64>) {heads = 2 : i64, window_size = 4 : i64}
  return
}
