// RUN: lattn-opt %s --lattn-expand-local-mha --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-expand-local-mha | FileCheck %s --check-prefix=NOT

// NOT-NOT: transpose

!x = tensor<2x?x6xf32>
!h = tensor<2x?x6xbf16>

// Weights are read as they lie; query, key and value are views of one product.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[WEIGHT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: @plain
// CHECK-SAME:  (%[[X:[^:]+]]: {{[^,]+}}, %[[QKV:[^:]+]]: {{[^,]+}}, %[[OUT:[^:]+]]: {{[^,]+}}, %[[MASK:[^:]+]]: {{[^,]+}}, %[[BIAS:[^:]+]]:
// CHECK:       %[[R:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<2x?x6xf32> into tensor<?x6xf32>
// CHECK:       %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<?x24xf32>)
// CHECK:       %[[P:.*]] = linalg.matmul indexing_maps = [#[[ROWS]], #[[WEIGHT]], #{{.*}}] ins(%[[R]], %[[QKV]] : tensor<?x6xf32>, tensor<24x6xf32>) outs(%[[ZERO]] :
// CHECK:       %[[P3:.*]] = tensor.expand_shape %[[P]] {{\[}}[0, 1], [2]] output_shape [2, %{{.*}}, 24]
// CHECK:       %[[Q3:.*]] = tensor.extract_slice %[[P3]][0, 0, 0] [2, %{{.*}}, 8] [1, 1, 1]
// CHECK:       %[[Q:.*]] = tensor.expand_shape %[[Q3]] {{\[}}[0], [1], [2, 3]] output_shape [2, %{{.*}}, 2, 4]
// CHECK:       %[[K3:.*]] = tensor.extract_slice %[[P3]][0, 0, 8] [2, %{{.*}}, 8] [1, 1, 1]
// CHECK:       %[[K:.*]] = tensor.expand_shape %[[K3]]
// CHECK:       %[[V3:.*]] = tensor.extract_slice %[[P3]][0, 0, 16] [2, %{{.*}}, 8] [1, 1, 1]
// CHECK:       %[[V:.*]] = tensor.expand_shape %[[V3]]
// CHECK:       %[[A:.*]] = lattn.local_attention query(%[[Q]] : {{.*}}) key(%[[K]] : {{.*}}) value(%[[V]] : {{.*}}) bias(%[[BIAS]] : {{.*}}) key_mask(%[[MASK]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x?x2x4xf32>)
// CHECK-SAME:    {autopad, dim = 3 : i64, exact_windowsize, layout = #lattn.layout<bnhd>, look_backward = 2 : i64, look_forward = 3 : i64, scale = 8.000000e+00 : f64, shared_qk, theta = 5.000000e+02 : f64, use_xpos, window_size = 4 : i64, xpos_scale_base = 3.000000e+00 : f64}
// CHECK:       %[[M:.*]] = tensor.collapse_shape %[[A]] {{\[}}[0, 1], [2, 3]] : tensor<2x?x2x4xf32> into tensor<?x8xf32>
// CHECK:       %[[Y:.*]] = linalg.matmul indexing_maps = [#[[ROWS]], #[[WEIGHT]], #{{.*}}] ins(%[[M]], %[[OUT]] : tensor<?x8xf32>, tensor<6x8xf32>)
// CHECK:       %[[E:.*]] = tensor.expand_shape %[[Y]] {{\[}}[0, 1], [2]] output_shape [2, %{{.*}}, 6]
// CHECK-NEXT:  return %[[E]]
func.func @plain(%x: !x, %qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>,
    %mask: tensor<2x?xi1>, %bias: tensor<2x1x24xf32>) -> !x {
  %0 = lattn.local_mha input(%x : !x) w_qkv(%qkv : tensor<24x6xf32>)
      w_out(%w : tensor<6x8xf32>) bias(%bias : tensor<2x1x24xf32>)
      key_mask(%mask : tensor<2x?xi1>) outs(%x : !x)
      {heads = 2 : i64, window_size = 4 : i64, look_backward = 2 : i64,
       look_forward = 3 : i64, exact_windowsize, autopad, shared_qk,
       dim = 3 : i64, theta = 500.0 : f64, use_xpos,
       xpos_scale_base = 3.0 : f64, scale = 8.0 : f64}
  return %0 : !x
}

// Sums are f32. What enters a product is bf16: of the norm, of the gate; the
// gate is of the normed rows.
// CHECK-LABEL: @pieces
// CHECK-SAME:  (%[[X:[^:]+]]: {{[^,]+}}, %[[QKV:[^:]+]]: {{[^,]+}}, %[[OUT:[^:]+]]: {{[^,]+}}, %[[E:[^:]+]]: {{[^,]+}}, %[[D:[^:]+]]: {{[^,]+}}, %[[G:[^:]+]]: {{[^,]+}}, %[[H:[^:]+]]:
// CHECK:       %[[NORMED:.*]] = linalg.generic {{.*}} ins(%[[X]], %{{[^ ,]+}}, %{{[^ ,]+}}, %[[E]], %[[E]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x?x6xbf16>)
// CHECK:       %[[R:.*]] = tensor.collapse_shape %[[NORMED]]
// CHECK:       linalg.matmul {{.*}} ins(%[[R]], %[[QKV]] : tensor<?x6xbf16>, tensor<24x6xbf16>) outs(%{{[^ ,)]+}} : tensor<?x24xf32>)
// CHECK:       %[[Q1:.*]] = lattn.l2_normalize ins(%{{[^ ,)]+}} : tensor<2x?x2x4xf32>)
// CHECK:       %[[Q:.*]] = linalg.generic {{.*}} ins(%[[Q1]], %[[D]] :
// CHECK:       %[[K1:.*]] = lattn.l2_normalize
// CHECK:       %[[K:.*]] = linalg.generic {{.*}} ins(%[[K1]], %[[D]] :
// CHECK:       %[[A:.*]] = lattn.local_attention query(%[[Q]] : {{.*}}) key(%[[K]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x?x2x4xf32>)
// CHECK:       linalg.matmul {{.*}} ins(%[[R]], %[[G]] : tensor<?x6xbf16>, tensor<2x6xbf16>) outs(%{{[^ ,)]+}} : tensor<?x2xf32>)
// CHECK:       %[[Z:.*]] = linalg.generic {{.*}} ins(%{{[^ ,]+}}, %[[H]] : tensor<2x?x2xf32>, tensor<2xf32>)
// CHECK:       arith.negf
// CHECK:       math.exp
// CHECK:       arith.divf
// CHECK:       %[[GATED:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[Z]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x?x2x4xbf16>)
// CHECK:       %[[M:.*]] = tensor.collapse_shape %[[GATED]] {{\[}}[0, 1], [2, 3]]
// CHECK:       linalg.matmul {{.*}} ins(%[[M]], %[[OUT]] : tensor<?x8xbf16>, tensor<6x8xbf16>) outs(%{{[^ ,)]+}} : tensor<?x6xf32>)
// CHECK:       linalg.generic {{.*}} outs(%[[X]] : tensor<2x?x6xbf16>)
// CHECK:       arith.truncf
func.func @pieces(%x: !h, %qkv: tensor<24x6xbf16>, %w: tensor<6x8xbf16>,
    %e: tensor<6xbf16>, %d: tensor<4xbf16>, %g: tensor<2x6xbf16>,
    %h: tensor<2xf32>) -> !h {
  %0 = lattn.local_mha input(%x : !h) w_qkv(%qkv : tensor<24x6xbf16>)
      w_out(%w : tensor<6x8xbf16>) norm_gain(%e : tensor<6xbf16>)
      norm_bias(%e : tensor<6xbf16>) q_scale(%d : tensor<4xbf16>)
      k_scale(%d : tensor<4xbf16>) w_gate(%g : tensor<2x6xbf16>)
      gate_bias(%h : tensor<2xf32>) outs(%x : !h)
      {heads = 2 : i64, window_size = 4 : i64, causal, autopad}
  return %0 : !h
}

// Without a gate what attention gives is rounded once; types may tell less of
// input than of output.
// CHECK-LABEL: @rounded
// CHECK:       lattn.local_attention {{.*}} outs(%{{[^ ,)]+}} : tensor<?x?x2x4xf16>)
// CHECK:       %[[E:.*]] = tensor.reshape {{.*}} -> tensor<?x?x6xf32>
// CHECK:       %[[C:.*]] = tensor.cast %[[E]] : tensor<?x?x6xf32> to tensor<2x4x6xf32>
// CHECK:       return %[[C]]
func.func @rounded(%x: tensor<?x?x?xf16>, %qkv: tensor<24x?xf16>,
    %w: tensor<6x?xf16>, %o: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %0 = lattn.local_mha input(%x : tensor<?x?x?xf16>) w_qkv(%qkv : tensor<24x?xf16>)
      w_out(%w : tensor<6x?xf16>) outs(%o : tensor<2x4x6xf32>)
      {heads = 2 : i64, window_size = 4 : i64, causal, autopad}
  return %0 : tensor<2x4x6xf32>
}

// CHECK-LABEL: @empty
// CHECK-SAME:  %[[O:[^:]+]]: tensor<0x?x6xf32>)
// CHECK-NEXT:  return %[[O]]
func.func @empty(%qkv: tensor<24x6xf32>, %w: tensor<6x8xf32>,
    %x: tensor<0x?x6xf32>) -> tensor<0x?x6xf32> {
  %0 = lattn.local_mha input(%x : tensor<0x?x6xf32>) w_qkv(%qkv : tensor<24x6xf32>)
      w_out(%w : tensor<6x8xf32>) outs(%x : tensor<0x?x6xf32>)
      {heads = 2 : i64, window_size = 4 : i64, causal, autopad}
  return %0 : tensor<0x?x6xf32>
}
