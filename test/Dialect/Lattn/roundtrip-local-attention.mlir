// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// look_backward = 1, theta = 10000 and bhnd are what is not printed.
// CHECK-LABEL: func.func @defaults(
// CHECK: lattn.local_attention query(%{{[^ ,)]+}} : tensor<2x4x?x8xf16>) key(%{{[^ ,)]+}} : tensor<2x2x?x8xf16>) value(%{{[^ ,)]+}} : tensor<2x2x?x6xf16>) outs(%{{[^ ,)]+}} : tensor<2x4x?x6xf32>) {window_size = 16 : i64}{{$}}
func.func @defaults(%q: tensor<2x4x?x8xf16>, %k: tensor<2x2x?x8xf16>,
    %v: tensor<2x2x?x6xf16>, %e: tensor<2x4x?x6xf32>) -> tensor<2x4x?x6xf32> {
  %0 = lattn.local_attention query(%q : tensor<2x4x?x8xf16>)
      key(%k : tensor<2x2x?x8xf16>) value(%v : tensor<2x2x?x6xf16>)
      outs(%e : tensor<2x4x?x6xf32>)
      {window_size = 16 : i64, look_backward = 1 : i64, theta = 1.0e4 : f64,
       layout = #lattn.layout<bhnd>}
  return %0 : tensor<2x4x?x6xf32>
}

// Every option and operand at once, but `causal`, which forbids look_forward.
// CHECK-LABEL: func.func @all(
// CHECK: lattn.local_attention query(%{{[^ ,)]+}} : tensor<2x?x4x8xbf16>)
// CHECK-SAME: key(%{{[^ ,)]+}} : tensor<2x?x2x8xbf16>)
// CHECK-SAME: value(%{{[^ ,)]+}} : tensor<2x?x2x8xbf16>)
// CHECK-SAME: bias(%{{[^ ,)]+}} : tensor<4x1x24xf32>)
// CHECK-SAME: key_mask(%{{[^ ,)]+}} : tensor<2x?xi1>)
// CHECK-SAME: dropout(%[[P:[^ ,)]+]], %[[SEED:[^ ,)]+]], %[[SEED]] : f32, i64, i64)
// CHECK-SAME: outs(%{{[^ ,)]+}} : tensor<2x?x4x8xbf16>)
// CHECK-SAME: {autopad, call_window_size = 4 : i64, dim = 7 : i64, exact_windowsize, layout = #lattn.layout<bnhd>, look_backward = 2 : i64, look_forward = 3 : i64, scale = -5.000000e-01 : f64, shared_qk, theta = 5.000000e+02 : f64, use_xpos, window_size = 8 : i64, xpos_scale_base = 3.000000e+00 : f64}{{$}}
func.func @all(%q: tensor<2x?x4x8xbf16>, %k: tensor<2x?x2x8xbf16>,
    %bias: tensor<4x1x24xf32>, %mask: tensor<2x?xi1>, %p: f32, %seed: i64)
    -> tensor<2x?x4x8xbf16> {
  %0 = lattn.local_attention query(%q : tensor<2x?x4x8xbf16>)
      key(%k : tensor<2x?x2x8xbf16>) value(%k : tensor<2x?x2x8xbf16>)
      bias(%bias : tensor<4x1x24xf32>) key_mask(%mask : tensor<2x?xi1>)
      dropout(%p, %seed, %seed : f32, i64, i64)
      outs(%q : tensor<2x?x4x8xbf16>)
      {window_size = 8 : i64, look_backward = 2 : i64, look_forward = 3 : i64,
       exact_windowsize, autopad, shared_qk, dim = 7 : i64, theta = 500.0 : f64,
       use_xpos, xpos_scale_base = 3.0 : f64, scale = -0.5 : f64,
       call_window_size = 4 : i64, layout = #lattn.layout<bnhd>}
  return %0 : tensor<2x?x4x8xbf16>
}

// Of the two optional operands either may stand alone.
// CHECK-LABEL: func.func @memref(
// CHECK: lattn.local_attention {{.*}} bias(%{{[^ ,)]+}} : memref<?x4x8xf64>) outs(%{{[^ ,)]+}} : memref<1x2x8x4xf64, strided<[?, ?, 8, 2], offset: ?>>) {causal, window_size = 4 : i64}{{$}}
// CHECK-NEXT: lattn.local_attention {{.*}} key_mask(%{{[^ ,)]+}} : memref<1x8xi1>) outs(
// CHECK-NEXT: return{{$}}
!q = memref<1x2x8x4xf64>
!o = memref<1x2x8x4xf64, strided<[?, ?, 8, 2], offset: ?>>
func.func @memref(%q: !q, %bias: memref<?x4x8xf64>, %mask: memref<1x8xi1>, %o: !o) {
  lattn.local_attention query(%q : !q) key(%q : !q) value(%q : !q)
      bias(%bias : memref<?x4x8xf64>) outs(%o : !o) {window_size = 4 : i64, causal}
  lattn.local_attention query(%q : !q) key(%q : !q) value(%q : !q)
      key_mask(%mask : memref<1x8xi1>) outs(%o : !o) {window_size = 4 : i64, causal}
  return
}
