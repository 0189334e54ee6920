#map = affine_map<(d0, d1, d2, d3) -> (d1, (d2 - d3) mod 7)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d2)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d5)>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d5, d2)>
#map5 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2)>
#map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d5)>
module {
  func.func @p108_grad(%arg0: tensor<1x4x?x8xf32>, %arg1: tensor<1x2x?x8xf32>, %arg2: tensor<1x2x?x8xf32>, %arg3: tensor<1x4x?x8xf32>, %arg4: tensor<1x4x?xf32>, %arg5: tensor<1x4x?x8xf32>) -> (tensor<1x4x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) {
    %0:3 = lattn.attention_grad query(%arg0 : tensor<1x4x?x8xf32>) key(%arg1 : tensor<1x2x?x8xf32>) value(%arg2 : tensor<1x2x?x8xf32>) output(%arg3 : tensor<1x4x?x8xf32>) lse(%arg4 : tensor<1x4x?xf32>) d_output(%arg5 : tensor<1x4x?x8xf32>) outs(%arg0, %arg1, %arg2 : tensor<1x4x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) {causal}
    return %0#0, %0#1, %0#2 : tensor<1x4x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>
  }
  func.func @p108_all(%arg0: tensor<1x4x?x8xf32>, %arg1: tensor<1x2x?x8xf32>, %arg2: tensor<1x2x?x8xf32>, %arg3: tensor<1x4x?x8xf32>, %arg4: tensor<1x4x?xf32>, %arg5: tensor<1x4x?x8xf32>, %arg6: tensor<1x1x?x?xf32>, %arg7: tensor<1x?xi1>, %arg8: tensor<1xi32>, %arg9: i64, %arg10: tensor<4xf32>, %arg11: f32, %arg12: i64, %arg13: tensor<4xf32>) {
    %0:4 = lattn.attention_grad query(%arg0 : tensor<1x4x?x8xf32>) key(%arg1 : tensor<1x2x?x8xf32>) value(%arg2 : tensor<1x2x?x8xf32>) bias(%arg6 : tensor<1x1x?x?xf32>) key_mask(%arg7 : tensor<1x?xi1>) kv_lens(%arg8 : tensor<1xi32>) offset(%arg9 : i64) sink(%arg10 : tensor<4xf32>) dropout(%arg11, %arg12, %arg12 : f32, i64, i64) captures(%arg13 : tensor<4xf32>) output(%arg3 : tensor<1x4x?x8xf32>) lse(%arg4 : tensor<1x4x?xf32>) d_output(%arg5 : tensor<1x4x?x8xf32>) d_lse(%arg4 : tensor<1x4x?xf32>) outs(%arg0, %arg1, %arg2 : tensor<1x4x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, %arg10 : tensor<4xf32>) {schedule = #lattn.schedule<query_tile = 16, key_tile = 64>} score {
    ^bb0(%arg14: f32, %arg15: i32, %arg16: i32, %arg17: i32, %arg18: i32, %arg19: tensor<4xf32>):
      lattn.yield %arg14 : f32
    }
    return
  }
  func.func @p108_step(%arg0: tensor<?x8xf32>, %arg1: tensor<?x8xf32>, %arg2: tensor<16xf32>, %arg3: tensor<8x16xf32>, %arg4: i1, %arg5: tensor<16x8xf32>) {
    %0:3 = lattn.attention_grad_step query(%arg0 : tensor<?x8xf32>) key(%arg1 : tensor<?x8xf32>) value(%arg1 : tensor<?x8xf32>) lse(%arg2 : tensor<16xf32>) row_sums(%arg2 : tensor<16xf32>) d_output(%arg0 : tensor<?x8xf32>) packed(%arg3, %arg3 : tensor<8x16xf32>, tensor<8x16xf32>) edge(%arg4) outs(%arg5, %arg1, %arg1 : tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
    return
  }
  func.func @p108_buffers(%arg0: memref<1x2x4x8xf32>, %arg1: memref<1x2x4xf32>) {
    lattn.attention_grad query(%arg0 : memref<1x2x4x8xf32>) key(%arg0 : memref<1x2x4x8xf32>) value(%arg0 : memref<1x2x4x8xf32>) output(%arg0 : memref<1x2x4x8xf32>) lse(%arg1 : memref<1x2x4xf32>) d_output(%arg0 : memref<1x2x4x8xf32>) outs(%arg0, %arg0, %arg0 : memref<1x2x4x8xf32>, memref<1x2x4x8xf32>, memref<1x2x4x8xf32>)
    return
  }
  func.func @p109_whole(%arg0: tensor<1x4x?x8xf32>, %arg1: tensor<1x2x?x8xbf16>, %arg2: tensor<1x?xi1>, %arg3: i64, %arg4: tensor<1x4x?xf32>) -> (tensor<1x4x?x8xf32>, tensor<1x4x?xf32>, tensor<1x4x?x8xf32>, tensor<1x4x?xf32>) {
    %0:4 = lattn.attention_jvp query(%arg0 : tensor<1x4x?x8xf32>) key(%arg1 : tensor<1x2x?x8xbf16>) value(%arg1 : tensor<1x2x?x8xbf16>) key_mask(%arg2 : tensor<1x?xi1>) offset(%arg3 : i64) d_query(%arg0 : tensor<1x4x?x8xf32>) d_key(%arg1 : tensor<1x2x?x8xbf16>) d_value(%arg1 : tensor<1x2x?x8xbf16>) outs(%arg0, %arg4, %arg0, %arg4 : tensor<1x4x?x8xf32>, tensor<1x4x?xf32>, tensor<1x4x?x8xf32>, tensor<1x4x?xf32>) {causal, scale = 5.000000e-01 : f64}
    return %0#0, %0#1, %0#2, %0#3 : tensor<1x4x?x8xf32>, tensor<1x4x?xf32>, tensor<1x4x?x8xf32>, tensor<1x4x?xf32>
  }
  func.func @p109_options(%arg0: tensor<1x4x?x8xf32>, %arg1: tensor<1x2x?x8xbf16>, %arg2: tensor<?xf32>, %arg3: tensor<4xf32>, %arg4: f32, %arg5: i64, %arg6: tensor<4xbf16>, %arg7: tensor<1x4x?xf32>) -> (tensor<1x4x?x8xf32>, tensor<1x4x?xf32>, tensor<1x4x?x8xf32>, tensor<1x4x?xf32>) {
    %0:4 = lattn.attention_jvp query(%arg0 : tensor<1x4x?x8xf32>) key(%arg1 : tensor<1x2x?x8xbf16>) value(%arg1 : tensor<1x2x?x8xbf16>) bias(%arg2 : tensor<?xf32>) sink(%arg3 : tensor<4xf32>) dropout(%arg4, %arg5, %arg5 : f32, i64, i64) captures(%arg6 : tensor<4xbf16>) d_sink(%arg3 : tensor<4xf32>) d_bias(%arg2 : tensor<?xf32>) d_captures(%arg6 : tensor<4xbf16>) outs(%arg0, %arg7, %arg0, %arg7 : tensor<1x4x?x8xf32>, tensor<1x4x?xf32>, tensor<1x4x?x8xf32>, tensor<1x4x?xf32>) score {
    ^bb0(%arg8: f32, %arg9: i32, %arg10: i32, %arg11: i32, %arg12: i32, %arg13: tensor<4xbf16>):
      lattn.yield %arg8 : f32
    }
    return %0#0, %0#1, %0#2, %0#3 : tensor<1x4x?x8xf32>, tensor<1x4x?xf32>, tensor<1x4x?x8xf32>, tensor<1x4x?xf32>
  }
  func.func @p109_step(%arg0: memref<8x16xf32>, %arg1: memref<6x8xf32>, %arg2: index, %arg3: memref<16x8xf32>, %arg4: memref<16xf32>) {
    lattn.attention_jvp_step query(%arg0 : memref<8x16xf32>) key(%arg1 : memref<6x8xf32>) value(%arg1 : memref<6x8xf32>) query_rows(%arg2) d_value(%arg1 : memref<6x8xf32>) outs(%arg3, %arg4, %arg4, %arg3, %arg4 : memref<16x8xf32>, memref<16xf32>, memref<16xf32>, memref<16x8xf32>, memref<16xf32>)
    return
  }
  func.func @p109_step_with_options(%arg0: memref<8x16xf32>, %arg1: memref<6x8xf32>, %arg2: index, %arg3: f32, %arg4: i64, %arg5: memref<16x8xf32>, %arg6: memref<16xf32>) {
    lattn.attention_jvp_step query(%arg0 : memref<8x16xf32>) key(%arg1 : memref<6x8xf32>) value(%arg1 : memref<6x8xf32>) dropout(%arg3, %arg4, %arg4, %arg4 : f32, i64, i64, i64) query_rows(%arg2) outs(%arg5, %arg6, %arg6, %arg5, %arg6 : memref<16x8xf32>, memref<16xf32>, memref<16xf32>, memref<16x8xf32>, memref<16xf32>) score {
    ^bb0(%arg7: f32, %arg8: i32, %arg9: i32, %arg10: i32, %arg11: i32):
      lattn.yield %arg7, %arg7, %arg7 : f32, f32, f32
    }
    return
  }
  func.func @p110_all(%arg0: tensor<2x4x?x8xf16>, %arg1: tensor<2x2x?x8xf16>, %arg2: tensor<4x1x?xf32>, %arg3: tensor<2x?xi1>, %arg4: tensor<2xi32>, %arg5: tensor<2xi64>, %arg6: tensor<4xf32>, %arg7: f32, %arg8: i64, %arg9: index, %arg10: tensor<?xf32>, %arg11: tensor<2x?xi32>, %arg12: tensor<2x4x?xf32>) -> tensor<2x4x?x8xf16> {
    %0:2 = lattn.attention query(%arg0 : tensor<2x4x?x8xf16>) key(%arg1 : tensor<2x2x?x8xf16>) value(%arg1 : tensor<2x2x?x8xf16>) bias(%arg2 : tensor<4x1x?xf32>) key_mask(%arg3 : tensor<2x?xi1>) kv_lens(%arg4 : tensor<2xi32>) offset(%arg5 : tensor<2xi64>) sink(%arg6 : tensor<4xf32>) dropout(%arg7, %arg8, %arg8, %arg8 : f32, i64, i64, i64) origin(%arg9, %arg9, %arg9, %arg9) captures(%arg10, %arg11 : tensor<?xf32>, tensor<2x?xi32>) outs(%arg0 : tensor<2x4x?x8xf16>, %arg12 : tensor<2x4x?xf32>) {window = #lattn.window<bucket = 64, back = 1>} score {
    ^bb0(%arg13: f32, %arg14: i32, %arg15: i32, %arg16: i32, %arg17: i32, %arg18: tensor<?xf32>, %arg19: tensor<2x?xi32>):
      %1 = arith.index_cast %arg15 : i32 to index
      %extracted = tensor.extract %arg18[%1] : tensor<?xf32>
      %2 = arith.subi %arg17, %arg16 : i32
      %3 = arith.sitofp %2 : i32 to f32
      %4 = math.fma %3, %extracted, %arg13 : f32
      lattn.yield %4 : f32
    }
    return %0#0 : tensor<2x4x?x8xf16>
  }
  func.func @p110_memref(%arg0: memref<2x4x3x8xf64>, %arg1: memref<4x7xf64>, %arg2: memref<2xi64>, %arg3: i64, %arg4: memref<?xf64>) {
    lattn.attention query(%arg0 : memref<2x4x3x8xf64>) key(%arg0 : memref<2x4x3x8xf64>) value(%arg0 : memref<2x4x3x8xf64>) bias(%arg1 : memref<4x7xf64>) kv_lens(%arg2 : memref<2xi64>) offset(%arg3 : i64) captures(%arg4 : memref<?xf64>) outs(%arg0 : memref<2x4x3x8xf64>) {bias_map = #map} score {
    ^bb0(%arg5: f64, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32, %arg10: memref<?xf64>):
      %0 = arith.index_cast %arg9 : i32 to index
      %1 = memref.load %arg10[%0] : memref<?xf64>
      %2 = arith.mulf %arg5, %1 : f64
      lattn.yield %2 : f64
    }
    return
  }
  func.func @p111_products(%arg0: tensor<2x4x8x16xf32>, %arg1: tensor<2x2x12x16xf32>, %arg2: tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32> {
    %0 = lattn.attention_scores query(%arg0 : tensor<2x4x8x16xf32>) key(%arg1 : tensor<2x2x12x16xf32>) outs(%arg2 : tensor<2x4x8x12xf32>) {stage = #lattn.stage<products>}
    return %0 : tensor<2x4x8x12xf32>
  }
  func.func @p111_all(%arg0: tensor<2x?x4x8xf16>, %arg1: tensor<2x?x2x8xf16>, %arg2: tensor<4x1x?xf32>, %arg3: tensor<2x?xi1>, %arg4: tensor<2xi32>, %arg5: tensor<2xi64>, %arg6: tensor<4xf32>, %arg7: index, %arg8: tensor<?xf32>, %arg9: tensor<2x4x?x?xf32>) -> tensor<2x4x?x?xf32> {
    %0 = lattn.attention_scores query(%arg0 : tensor<2x?x4x8xf16>) key(%arg1 : tensor<2x?x2x8xf16>) bias(%arg2 : tensor<4x1x?xf32>) key_mask(%arg3 : tensor<2x?xi1>) kv_lens(%arg4 : tensor<2xi32>) offset(%arg5 : tensor<2xi64>) sink(%arg6 : tensor<4xf32>) origin(%arg7, %arg7, %arg7, %arg7) captures(%arg8 : tensor<?xf32>) outs(%arg9 : tensor<2x4x?x?xf32>) {layout = #lattn.layout<bnhd>, scale = 5.000000e-01 : f64, stage = #lattn.stage<weights>, window = #lattn.window<bucket = 64, back = 1>} score {
    ^bb0(%arg10: f32, %arg11: i32, %arg12: i32, %arg13: i32, %arg14: i32, %arg15: tensor<?xf32>):
      %1 = arith.index_cast %arg12 : i32 to index
      %extracted = tensor.extract %arg15[%1] : tensor<?xf32>
      %2 = arith.mulf %arg10, %extracted : f32
      lattn.yield %2 : f32
    }
    return %0 : tensor<2x4x?x?xf32>
  }
  func.func @p111_memref(%arg0: memref<1x2x4x8xf16>, %arg1: memref<2x7xf32>, %arg2: memref<1x2x4x4xf16, strided<[?, ?, 8, 1], offset: ?>>) {
    lattn.attention_scores query(%arg0 : memref<1x2x4x8xf16>) key(%arg0 : memref<1x2x4x8xf16>) bias(%arg1 : memref<2x7xf32>) outs(%arg2 : memref<1x2x4x4xf16, strided<[?, ?, 8, 1], offset: ?>>) {bias_map = #map, causal, stage = #lattn.stage<masked>}
    return
  }
  func.func @p112_plain(%arg0: tensor<2x4x8x16xf32>, %arg1: tensor<2x2x12x16xf32>, %arg2: tensor<2x2x12x24xf32>, %arg3: tensor<2x4x8x24xf32>) -> tensor<2x4x8x24xf32> {
    %0 = lattn.attention query(%arg0 : tensor<2x4x8x16xf32>) key(%arg1 : tensor<2x2x12x16xf32>) value(%arg2 : tensor<2x2x12x24xf32>) outs(%arg3 : tensor<2x4x8x24xf32>)
    return %0 : tensor<2x4x8x24xf32>
  }
  func.func @p112_dynamic_lse(%arg0: tensor<?x?x?x?xbf16>, %arg1: tensor<?x?x?xf32>) -> (tensor<?x?x?x?xbf16>, tensor<?x?x?xf32>) {
    %0:2 = lattn.attention query(%arg0 : tensor<?x?x?x?xbf16>) key(%arg0 : tensor<?x?x?x?xbf16>) value(%arg0 : tensor<?x?x?x?xbf16>) outs(%arg0 : tensor<?x?x?x?xbf16>, %arg1 : tensor<?x?x?xf32>) {causal, scale = 5.000000e-01 : f64}
    return %0#0, %0#1 : tensor<?x?x?x?xbf16>, tensor<?x?x?xf32>
  }
  func.func @p112_bnhd(%arg0: tensor<1x?x4x8xf64>, %arg1: tensor<1x?x2x8xf64>, %arg2: tensor<1x4x?xf64>) -> (tensor<1x?x4x8xf64>, tensor<1x4x?xf64>) {
    %0:2 = lattn.attention query(%arg0 : tensor<1x?x4x8xf64>) key(%arg1 : tensor<1x?x2x8xf64>) value(%arg1 : tensor<1x?x2x8xf64>) outs(%arg0 : tensor<1x?x4x8xf64>, %arg2 : tensor<1x4x?xf64>) {layout = #lattn.layout<bnhd>, window = #lattn.window<left = 2, right = 0>}
    return %0#0, %0#1 : tensor<1x?x4x8xf64>, tensor<1x4x?xf64>
  }
  func.func @p112_memref(%arg0: memref<1x2x4x8xf16>, %arg1: memref<1x2x4xf32>, %arg2: memref<1x2x4x8xf16, strided<[?, ?, 8, 1], offset: ?>>) {
    lattn.attention query(%arg0 : memref<1x2x4x8xf16>) key(%arg0 : memref<1x2x4x8xf16>) value(%arg0 : memref<1x2x4x8xf16>) outs(%arg2 : memref<1x2x4x8xf16, strided<[?, ?, 8, 1], offset: ?>>, %arg1 : memref<1x2x4xf32>)
    return
  }
  func.func @p113_gather_pages(%arg0: tensor<?x2x64x128xf32>, %arg1: tensor<?x?xi32>) -> tensor<?x2x?x128xf32> {
    %0 = lattn.gather_pages ins(%arg0, %arg1 : tensor<?x2x64x128xf32>, tensor<?x?xi32>) -> tensor<?x2x?x128xf32>
    return %0 : tensor<?x2x?x128xf32>
  }
  func.func @p113_gather_pages_bnhd(%arg0: tensor<9x16x2x8xbf16>, %arg1: tensor<3x4xi64>) -> tensor<3x64x2x8xbf16> {
    %0 = lattn.gather_pages ins(%arg0, %arg1 : tensor<9x16x2x8xbf16>, tensor<3x4xi64>) {layout = #lattn.layout<bnhd>} -> tensor<3x64x2x8xbf16>
    return %0 : tensor<3x64x2x8xbf16>
  }
  func.func @p114_defaults(%arg0: tensor<2x4x?x8xf16>, %arg1: tensor<2x2x?x8xf16>, %arg2: tensor<2x2x?x6xf16>, %arg3: tensor<2x4x?x6xf32>) -> tensor<2x4x?x6xf32> {
    %0 = lattn.local_attention query(%arg0 : tensor<2x4x?x8xf16>) key(%arg1 : tensor<2x2x?x8xf16>) value(%arg2 : tensor<2x2x?x6xf16>) outs(%arg3 : tensor<2x4x?x6xf32>) {window_size = 16 : i64}
    return %0 : tensor<2x4x?x6xf32>
  }
  func.func @p114_all(%arg0: tensor<2x?x4x8xbf16>, %arg1: tensor<2x?x2x8xbf16>, %arg2: tensor<4x1x24xf32>, %arg3: tensor<2x?xi1>, %arg4: f32, %arg5: i64) -> tensor<2x?x4x8xbf16> {
    %0 = lattn.local_attention query(%arg0 : tensor<2x?x4x8xbf16>) key(%arg1 : tensor<2x?x2x8xbf16>) value(%arg1 : tensor<2x?x2x8xbf16>) bias(%arg2 : tensor<4x1x24xf32>) key_mask(%arg3 : tensor<2x?xi1>) dropout(%arg4, %arg5, %arg5 : f32, i64, i64) outs(%arg0 : tensor<2x?x4x8xbf16>) {autopad, call_window_size = 4 : i64, dim = 7 : i64, exact_windowsize, layout = #lattn.layout<bnhd>, look_backward = 2 : i64, look_forward = 3 : i64, scale = -5.000000e-01 : f64, shared_qk, theta = 5.000000e+02 : f64, use_xpos, window_size = 8 : i64, xpos_scale_base = 3.000000e+00 : f64}
    return %0 : tensor<2x?x4x8xbf16>
  }
  func.func @p114_memref(%arg0: memref<1x2x8x4xf64>, %arg1: memref<?x4x8xf64>, %arg2: memref<1x8xi1>, %arg3: memref<1x2x8x4xf64, strided<[?, ?, 8, 2], offset: ?>>) {
    lattn.local_attention query(%arg0 : memref<1x2x8x4xf64>) key(%arg0 : memref<1x2x8x4xf64>) value(%arg0 : memref<1x2x8x4xf64>) bias(%arg1 : memref<?x4x8xf64>) outs(%arg3 : memref<1x2x8x4xf64, strided<[?, ?, 8, 2], offset: ?>>) {causal, window_size = 4 : i64}
    lattn.local_attention query(%arg0 : memref<1x2x8x4xf64>) key(%arg0 : memref<1x2x8x4xf64>) value(%arg0 : memref<1x2x8x4xf64>) key_mask(%arg2 : memref<1x8xi1>) outs(%arg3 : memref<1x2x8x4xf64, strided<[?, ?, 8, 2], offset: ?>>) {causal, window_size = 4 : i64}
    return
  }
  func.func @p115_defaults(%arg0: tensor<2x?x6xf16>, %arg1: tensor<24x6xf16>, %arg2: tensor<6x8xf32>, %arg3: tensor<2x?x6xf32>) -> tensor<2x?x6xf32> {
    %0 = lattn.local_mha input(%arg0 : tensor<2x?x6xf16>) w_qkv(%arg1 : tensor<24x6xf16>) w_out(%arg2 : tensor<6x8xf32>) outs(%arg3 : tensor<2x?x6xf32>) {heads = 2 : i64, window_size = 4 : i64}
    return %0 : tensor<2x?x6xf32>
  }
  func.func @p115_all(%arg0: memref<2x?x6xbf16>, %arg1: memref<24x6xbf16>, %arg2: memref<6x8xbf16>, %arg3: memref<6xbf16>, %arg4: memref<4xbf16>, %arg5: memref<2x6xbf16>, %arg6: memref<2xf32>, %arg7: memref<2x1x24xf32>, %arg8: memref<2x?xi1>) {
    lattn.local_mha input(%arg0 : memref<2x?x6xbf16>) w_qkv(%arg1 : memref<24x6xbf16>) w_out(%arg2 : memref<6x8xbf16>) norm_gain(%arg3 : memref<6xbf16>) norm_bias(%arg3 : memref<6xbf16>) q_scale(%arg4 : memref<4xbf16>) k_scale(%arg4 : memref<4xbf16>) w_gate(%arg5 : memref<2x6xbf16>) gate_bias(%arg6 : memref<2xf32>) bias(%arg7 : memref<2x1x24xf32>) key_mask(%arg8 : memref<2x?xi1>) outs(%arg0 : memref<2x?x6xbf16>) {autopad, dim = 3 : i64, exact_windowsize, heads = 2 : i64, look_backward = 2 : i64, look_forward = 3 : i64, norm_eps = 1.000000e-03 : f64, scale = 8.000000e+00 : f64, shared_qk, theta = 5.000000e+02 : f64, use_xpos, window_size = 4 : i64, xpos_scale_base = 3.000000e+00 : f64}
    return
  }
  func.func @p115_alone(%arg0: tensor<1x4x6xf64>, %arg1: tensor<24x6xf64>, %arg2: tensor<6x8xf64>, %arg3: tensor<6xf64>, %arg4: tensor<2x6xf64>) {
    %0 = lattn.local_mha input(%arg0 : tensor<1x4x6xf64>) w_qkv(%arg1 : tensor<24x6xf64>) w_out(%arg2 : tensor<6x8xf64>) norm_gain(%arg3 : tensor<6xf64>) outs(%arg0 : tensor<1x4x6xf64>) {heads = 2 : i64, window_size = 4 : i64}
    %1 = lattn.local_mha input(%arg0 : tensor<1x4x6xf64>) w_qkv(%arg1 : tensor<24x6xf64>) w_out(%arg2 : tensor<6x8xf64>) w_gate(%arg4 : tensor<2x6xf64>) outs(%arg0 : tensor<1x4x6xf64>) {heads = 2 : i64, window_size = 4 : i64}
    return
  }
  func.func @p116_defaults(%arg0: tensor<2x?x6xf16>, %arg1: tensor<2x?x5xf16>, %arg2: tensor<2x?x3xf16>, %arg3: tensor<8x6xf16>, %arg4: tensor<8x5xf16>, %arg5: tensor<8x3xf16>, %arg6: tensor<7x8xf32>, %arg7: tensor<2x?x7xf32>) -> tensor<2x?x7xf32> {
    %0 = lattn.multihead_attention query(%arg0 : tensor<2x?x6xf16>) key(%arg1 : tensor<2x?x5xf16>) value(%arg2 : tensor<2x?x3xf16>) w_q(%arg3 : tensor<8x6xf16>) w_k(%arg4 : tensor<8x5xf16>) w_v(%arg5 : tensor<8x3xf16>) w_out(%arg6 : tensor<7x8xf32>) outs(%arg7 : tensor<2x?x7xf32>) {heads = 2 : i64}
    return %0 : tensor<2x?x7xf32>
  }
  func.func @p116_all(%arg0: memref<2x?x8xbf16>, %arg1: memref<8x8xbf16>, %arg2: memref<8xf32>, %arg3: memref<2x2x?x4xbf16>, %arg4: memref<2x?xi1>, %arg5: memref<?x?xf32>, %arg6: memref<2x2x?x?xf32>, %arg7: f32, %arg8: i64, %arg9: memref<2x2x?x4xbf16>, %arg10: memref<2x2x?x?xf32>) {
    lattn.multihead_attention query(%arg0 : memref<2x?x8xbf16>) key(%arg0 : memref<2x?x8xbf16>) value(%arg0 : memref<2x?x8xbf16>) w_q(%arg1 : memref<8x8xbf16>) w_k(%arg1 : memref<8x8xbf16>) w_v(%arg1 : memref<8x8xbf16>) w_out(%arg1 : memref<8x8xbf16>) b_q(%arg2 : memref<8xf32>) b_k(%arg2 : memref<8xf32>) b_v(%arg2 : memref<8xf32>) b_out(%arg2 : memref<8xf32>) subln_gain(%arg2 : memref<8xf32>) subln_bias(%arg2 : memref<8xf32>) prev_key(%arg3 : memref<2x2x?x4xbf16>) prev_value(%arg3 : memref<2x2x?x4xbf16>) key_padding_mask(%arg4 : memref<2x?xi1>) attn_mask(%arg5 : memref<?x?xf32>) rel_pos(%arg6 : memref<2x2x?x?xf32>) dropout(%arg7, %arg8, %arg8 : f32, i64, i64) outs(%arg0 : memref<2x?x8xbf16>) weights(%arg10 : memref<2x2x?x?xf32>) next_key(%arg9 : memref<2x2x?x4xbf16>) next_value(%arg9 : memref<2x2x?x4xbf16>) {causal, heads = 2 : i64, is_first_step, scale = 5.000000e-01 : f64, subln_eps = 1.000000e-03 : f64, use_xpos, window = #lattn.window<left = 3>, xpos_scale_base = 8.000000e+00 : f64}
    return
  }
  func.func @p116_results(%arg0: tensor<1x4x6xf64>, %arg1: tensor<6x6xf64>, %arg2: tensor<2x1x4x4xf64>, %arg3: tensor<1x2x4x3xf64>) {
    %0:2 = lattn.multihead_attention query(%arg0 : tensor<1x4x6xf64>) key(%arg0 : tensor<1x4x6xf64>) value(%arg0 : tensor<1x4x6xf64>) w_q(%arg1 : tensor<6x6xf64>) w_k(%arg1 : tensor<6x6xf64>) w_v(%arg1 : tensor<6x6xf64>) w_out(%arg1 : tensor<6x6xf64>) outs(%arg0 : tensor<1x4x6xf64>) weights(%arg2 : tensor<2x1x4x4xf64>) {heads = 2 : i64}
    %1:3 = lattn.multihead_attention query(%arg0 : tensor<1x4x6xf64>) key(%arg0 : tensor<1x4x6xf64>) value(%arg0 : tensor<1x4x6xf64>) w_q(%arg1 : tensor<6x6xf64>) w_k(%arg1 : tensor<6x6xf64>) w_v(%arg1 : tensor<6x6xf64>) w_out(%arg1 : tensor<6x6xf64>) outs(%arg0 : tensor<1x4x6xf64>) next_key(%arg3 : tensor<1x2x4x3xf64>) next_value(%arg3 : tensor<1x2x4x3xf64>) {heads = 2 : i64}
    return
  }
  func.func @p117_plain(%arg0: tensor<1x4x16x64xf32>, %arg1: tensor<1x2x32x64xf32>, %arg2: tensor<1x2x32x24xf32>, %arg3: tensor<1x4x16x24xf32>, %arg4: tensor<1x4x16xf32>) -> tensor<1x4x16x24xf32> {
    %0:3 = lattn.online_attention query(%arg0 : tensor<1x4x16x64xf32>) key(%arg1 : tensor<1x2x32x64xf32>) value(%arg2 : tensor<1x2x32x24xf32>) outs(%arg3, %arg4, %arg4 : tensor<1x4x16x24xf32>, tensor<1x4x16xf32>, tensor<1x4x16xf32>)
    return %0#0 : tensor<1x4x16x24xf32>
  }
  func.func @p117_all(%arg0: tensor<64x16xf32>, %arg1: tensor<?x64xbf16>, %arg2: tensor<4x1x?xbf16>, %arg3: tensor<2x?xi1>, %arg4: tensor<2xi64>, %arg5: i64, %arg6: index, %arg7: tensor<?xf32>, %arg8: tensor<64x16xf32>, %arg9: tensor<16xf32>, %arg10: f32, %arg11: i64) -> tensor<64x16xf32> {
    %0:3 = lattn.online_attention query(%arg0 : tensor<64x16xf32>) key(%arg1 : tensor<?x64xbf16>) value(%arg1 : tensor<?x64xbf16>) bias(%arg2 : tensor<4x1x?xbf16>) key_mask(%arg3 : tensor<2x?xi1>) kv_lens(%arg4 : tensor<2xi64>) offset(%arg5 : i64) origin(%arg6, %arg6, %arg6, %arg6) query_rows(%arg6) dropout(%arg10, %arg11, %arg11, %arg11 : f32, i64, i64, i64) captures(%arg7 : tensor<?xf32>) outs(%arg8, %arg9, %arg9 : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>) {indexing_maps = [#map1, #map2, #map3, #map4, #map5, #map5], scale = 1.000000e+00 : f64, window = #lattn.window<left = 8, right = 0>} score {
    ^bb0(%arg12: f32, %arg13: i32, %arg14: i32, %arg15: i32, %arg16: i32, %arg17: tensor<?xf32>):
      %1 = math.tanh %arg12 : f32
      lattn.yield %1 : f32
    }
    return %0#0 : tensor<64x16xf32>
  }
  func.func @p117_memref(%arg0: memref<1x1x?x8xf64>, %arg1: memref<1x1x?xf64>) {
    lattn.online_attention query(%arg0 : memref<1x1x?x8xf64>) key(%arg0 : memref<1x1x?x8xf64>) value(%arg0 : memref<1x1x?x8xf64>) outs(%arg0, %arg1, %arg1 : memref<1x1x?x8xf64>, memref<1x1x?xf64>, memref<1x1x?xf64>)
    return
  }
  func.func @p117_pages(%arg0: tensor<4x64xbf16>, %arg1: tensor<?x16x64xbf16>, %arg2: tensor<?x16x24xbf16>, %arg3: tensor<?xi32>, %arg4: index, %arg5: index, %arg6: tensor<4x24xf32>, %arg7: tensor<4xf32>) -> tensor<4x24xf32> {
    %0:3 = lattn.online_attention query(%arg0 : tensor<4x64xbf16>) key(%arg1 : tensor<?x16x64xbf16>) value(%arg2 : tensor<?x16x24xbf16>) pages(%arg3[%arg4, %arg5] : tensor<?xi32>) outs(%arg6, %arg7, %arg7 : tensor<4x24xf32>, tensor<4xf32>, tensor<4xf32>) {indexing_maps = [#map6, #map2, #map3, #map7, #map5, #map5]}
    return %0#0 : tensor<4x24xf32>
  }
  func.func @p118_rotary(%arg0: tensor<?x64xbf16>, %arg1: tensor<?x64xf32>) -> tensor<?x64xf32> {
    %0 = lattn.rotary ins(%arg0 : tensor<?x64xbf16>) outs(%arg1 : tensor<?x64xf32>) {dim = 64 : i64}
    return %0 : tensor<?x64xf32>
  }
  func.func @p118_rotary_all(%arg0: tensor<2x?x4x8xf64>, %arg1: index, %arg2: index) -> tensor<2x?x4x8xf64> {
    %0 = lattn.rotary ins(%arg0 : tensor<2x?x4x8xf64>) start(%arg1) center(%arg2) outs(%arg0 : tensor<2x?x4x8xf64>) {dim = 7 : i64, downscale, interleaved, position_axis = 1 : i64, theta = 5.000000e+05 : f64, xpos_scale_base = 5.120000e+02 : f64}
    return %0 : tensor<2x?x4x8xf64>
  }
  func.func @p118_rotary_memref(%arg0: memref<4x8xf16, strided<[?, ?], offset: ?>>, %arg1: index, %arg2: memref<4x8xf32>) {
    lattn.rotary ins(%arg0 : memref<4x8xf16, strided<[?, ?], offset: ?>>) center(%arg1) outs(%arg2 : memref<4x8xf32>) {dim = 8 : i64, xpos_scale_base = 0.000000e+00 : f64}
    lattn.rotary ins(%arg0 : memref<4x8xf16, strided<[?, ?], offset: ?>>) start(%arg1) outs(%arg2 : memref<4x8xf32>) {dim = 8 : i64}
    return
  }
  func.func @p118_rotate_pairs(%arg0: tensor<1x?x8xf16>, %arg1: tensor<?x2x4xf32>, %arg2: index) -> tensor<1x?x8xf16> {
    %0 = lattn.rotate_pairs ins(%arg0, %arg1 : tensor<1x?x8xf16>, tensor<?x2x4xf32>) start(%arg2) outs(%arg0 : tensor<1x?x8xf16>) {interleaved, position_axis = 1 : i64}
    %1 = lattn.rotate_pairs ins(%0, %arg1 : tensor<1x?x8xf16>, tensor<?x2x4xf32>) start(%arg2) outs(%arg0 : tensor<1x?x8xf16>) {position_axis = 0 : i64}
    return %1 : tensor<1x?x8xf16>
  }
  func.func @p118_rotate_pairs_memref(%arg0: memref<?x8xf64>, %arg1: memref<6x2x4xf64>, %arg2: index) {
    lattn.rotate_pairs ins(%arg0, %arg1 : memref<?x8xf64>, memref<6x2x4xf64>) start(%arg2) outs(%arg0 : memref<?x8xf64>) {position_axis = 0 : i64}
    return
  }
  func.func @p118_l2_normalize(%arg0: tensor<?x7xbf16>, %arg1: tensor<?x7xf32>) -> tensor<?x7xf32> {
    %0 = lattn.l2_normalize ins(%arg0 : tensor<?x7xbf16>) outs(%arg1 : tensor<?x7xf32>)
    %1 = lattn.l2_normalize ins(%0 : tensor<?x7xf32>) outs(%arg1 : tensor<?x7xf32>) {eps = 2.500000e-01 : f64}
    return %1 : tensor<?x7xf32>
  }
  func.func @p118_l2_normalize_memref(%arg0: memref<3x?xf64>) {
    lattn.l2_normalize ins(%arg0 : memref<3x?xf64>) outs(%arg0 : memref<3x?xf64>)
    return
  }
  func.func private @p119_empty() attributes {s = #lattn.schedule<>}
  func.func private @p119_queries() attributes {s = #lattn.schedule<query_tile = 512>}
  func.func private @p119_keys() attributes {s = #lattn.schedule<key_tile = 4096>}
  func.func private @p119_all() attributes {s = #lattn.schedule<query_tile = 16, key_tile = 72, products = amx, fallback = <query_tile = 64, key_tile = 32>>}
  func.func private @p119_lanes() attributes {a = #lattn.schedule<query_tile = 4, lanes = features>, b = #lattn.schedule<products = dot, lanes = queries>, c = #lattn.schedule<lanes = mixed>}
  func.func private @p119_products() attributes {a = #lattn.schedule<products = widened>, b = #lattn.schedule<products = dot>, c = #lattn.schedule<products = dot_values>}
  func.func @p119_ops(%arg0: tensor<1x2x16x8xbf16>, %arg1: tensor<1x2x16x8xf32>, %arg2: tensor<1x2x16xf32>) -> (tensor<1x2x16x8xbf16>, tensor<1x2x16x8xf32>) {
    %0 = lattn.attention query(%arg0 : tensor<1x2x16x8xbf16>) key(%arg0 : tensor<1x2x16x8xbf16>) value(%arg0 : tensor<1x2x16x8xbf16>) outs(%arg0 : tensor<1x2x16x8xbf16>) {schedule = #lattn.schedule<query_tile = 8>}
    %1:3 = lattn.online_attention query(%arg0 : tensor<1x2x16x8xbf16>) key(%arg0 : tensor<1x2x16x8xbf16>) value(%arg0 : tensor<1x2x16x8xbf16>) outs(%arg1, %arg2, %arg2 : tensor<1x2x16x8xf32>, tensor<1x2x16xf32>, tensor<1x2x16xf32>) {schedule = #lattn.schedule<query_tile = 16, key_tile = 16, products = dot>}
    return %0, %1#0 : tensor<1x2x16x8xbf16>, tensor<1x2x16x8xf32>
  }
  func.func @p120_pad_sequences(%arg0: tensor<1x8x?x64xf32>, %arg1: tensor<?xi32>, %arg2: index) -> (tensor<?x8x?x64xf32>, tensor<?xi64>) {
    %padded, %lengths = lattn.pad_sequences ins(%arg0, %arg1 : tensor<1x8x?x64xf32>, tensor<?xi32>) max_seqlen(%arg2) -> tensor<?x8x?x64xf32>, tensor<?xi64>
    return %padded, %lengths : tensor<?x8x?x64xf32>, tensor<?xi64>
  }
  func.func @p120_pad_sequences_bnhd(%arg0: tensor<1x9x2x8xbf16>, %arg1: tensor<4xi64>) -> tensor<3x5x2x8xbf16> {
    %c5 = arith.constant 5 : index
    %padded, %lengths = lattn.pad_sequences ins(%arg0, %arg1 : tensor<1x9x2x8xbf16>, tensor<4xi64>) max_seqlen(%c5) {layout = #lattn.layout<bnhd>} -> tensor<3x5x2x8xbf16>, tensor<3xi64>
    return %padded : tensor<3x5x2x8xbf16>
  }
  func.func @p120_pack_sequences(%arg0: tensor<?x8x?xf32>, %arg1: tensor<?xi32>, %arg2: tensor<1x8x?xf32>) -> tensor<1x8x?xf32> {
    %0 = lattn.pack_sequences ins(%arg0, %arg1 : tensor<?x8x?xf32>, tensor<?xi32>) outs(%arg2 : tensor<1x8x?xf32>)
    return %0 : tensor<1x8x?xf32>
  }
  func.func @p120_pack_sequences_bnhd(%arg0: tensor<3x5x2x8xf16>, %arg1: tensor<4xi64>, %arg2: tensor<1x9x2x8xf16>) -> tensor<1x9x2x8xf16> {
    %0 = lattn.pack_sequences ins(%arg0, %arg1 : tensor<3x5x2x8xf16>, tensor<4xi64>) outs(%arg2 : tensor<1x9x2x8xf16>) {layout = #lattn.layout<bnhd>}
    return %0 : tensor<1x9x2x8xf16>
  }
  func.func @p121_merge(%arg0: tensor<?x16x64xf32>, %arg1: tensor<?x16xf32>, %arg2: tensor<16x64xf32>, %arg3: tensor<16xf32>) -> tensor<16xf32> {
    %0:3 = lattn.merge ins(%arg0, %arg1, %arg1 : tensor<?x16x64xf32>, tensor<?x16xf32>, tensor<?x16xf32>) outs(%arg2, %arg3, %arg3 : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>) {value_axis = 1 : i64}
    return %0#2 : tensor<16xf32>
  }
  func.func @p121_merge_memref(%arg0: memref<3x8x?xf64>, %arg1: memref<3x?xf64>, %arg2: memref<8x?xf64>, %arg3: memref<?xf64>) {
    lattn.merge ins(%arg0, %arg1, %arg1 : memref<3x8x?xf64>, memref<3x?xf64>, memref<3x?xf64>) outs(%arg2, %arg3, %arg3 : memref<8x?xf64>, memref<?xf64>, memref<?xf64>) {value_axis = 0 : i64}
    return
  }
  func.func @p121_finalize(%arg0: tensor<64x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<?x64xbf16>, %arg3: tensor<?xf32>) -> (tensor<?x64xbf16>, tensor<?xf32>) {
    %0 = lattn.finalize ins(%arg0, %arg1, %arg1 : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%arg2 : tensor<?x64xbf16>) {value_axis = 0 : i64}
    %1:2 = lattn.finalize ins(%arg0, %arg1, %arg1 : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%0 : tensor<?x64xbf16>, %arg3 : tensor<?xf32>) {value_axis = 0 : i64}
    return %1#0, %1#1 : tensor<?x64xbf16>, tensor<?xf32>
  }
  func.func @p121_store_state(%arg0: tensor<64x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<?x64xf32>, %arg3: tensor<?xf32>) -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>) {
    %0:3 = lattn.finalize ins(%arg0, %arg1, %arg1 : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%arg2 : tensor<?x64xf32>, %arg3, %arg3 : tensor<?xf32>, tensor<?xf32>) {value_axis = 0 : i64}
    return %0#0, %0#1, %0#2 : tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>
  }
  func.func @p121_finalize_memref(%arg0: memref<1x2x16x8xf64>, %arg1: memref<1x2x16xf64>) {
    lattn.finalize ins(%arg0, %arg1, %arg1 : memref<1x2x16x8xf64>, memref<1x2x16xf64>, memref<1x2x16xf64>) outs(%arg0 : memref<1x2x16x8xf64>) {value_axis = 3 : i64}
    return
  }
  func.func @p121_pack_query(%arg0: tensor<?x64xbf16>, %arg1: tensor<64x16xf32>) -> tensor<64x16xf32> {
    %0 = lattn.pack_query ins(%arg0 : tensor<?x64xbf16>) outs(%arg1 : tensor<64x16xf32>) {scale = 1.250000e-01 : f64}
    return %0 : tensor<64x16xf32>
  }
  func.func @p121_pack_query_memref(%arg0: memref<16x64xf64>, %arg1: memref<64x16xf64>) {
    lattn.pack_query ins(%arg0 : memref<16x64xf64>) outs(%arg1 : memref<64x16xf64>) {scale = 1.000000e+00 : f64}
    return
  }
  func.func @p121_stage_rows(%arg0: tensor<1x?x1x64xbf16>, %arg1: tensor<1x512x1x64xf32>) -> tensor<1x?x1x64xf32> {
    %0 = lattn.stage_rows ins(%arg0 : tensor<1x?x1x64xbf16>) scratch(%arg1 : tensor<1x512x1x64xf32>) {position_axis = 1 : i64} -> tensor<1x?x1x64xf32>
    return %0 : tensor<1x?x1x64xf32>
  }
  func.func @p121_stage_rows_memref(%arg0: memref<?x64xf64>, %arg1: memref<8x64xf64>) {
    %0 = lattn.stage_rows ins(%arg0 : memref<?x64xf64>) scratch(%arg1 : memref<8x64xf64>) {position_axis = 0 : i64} -> memref<?x64xf64, strided<[?, ?], offset: ?>>
    return
  }
  func.func @p122_three_runs(%arg0: index, %arg1: index, %arg2: index, %arg3: index, %arg4: tensor<4xf32>) -> (tensor<4xf32>, index) {
    %0:2 = lattn.sweep_keys (%key, %size, %edge) in (%arg0 edge %arg1 interior %arg2 edge %arg3) by 64 iter_args(%arg5 = %arg4, %arg6 = %arg0) -> (tensor<4xf32>, index) {
      %1 = arith.addi %key, %size : index
      lattn.yield %arg5, %1 : tensor<4xf32>, index
    }
    return %0#0, %0#1 : tensor<4xf32>, index
  }
  func.func @p122_no_state(%arg0: index, %arg1: index, %arg2: memref<?xindex>) {
    lattn.sweep_keys (%key, %size, %edge) in (%arg0 interior %arg1) by 1 attributes {foo.bar} {
      memref.store %size, %arg2[%key] : memref<?xindex>
      lattn.yield
    }
    return
  }
  func.func private @p123_full() attributes {w = #lattn.window<>}
  func.func private @p123_left() attributes {w = #lattn.window<left = 0>}
  func.func private @p123_right() attributes {w = #lattn.window<right = 1099511627776>}
  func.func private @p123_bucket() attributes {w = #lattn.window<bucket = 1>}
  func.func private @p123_widest() attributes {w = #lattn.window<bucket = 549755813888, back = 1, forward = 1>}
  func.func private @p123_all() attributes {w = #lattn.window<left = 3, right = 2, bucket = 128, back = 1, forward = 4>}
  func.func private @p123_layout() attributes {a = #lattn.layout<bhnd>, b = #lattn.layout<bnhd>}
}

