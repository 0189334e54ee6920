#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant -1.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_4 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_5 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %35 = linalg.index 0 : index
      %36 = arith.index_cast %35 : index to i64
      linalg.yield %36 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1, 2]] output_shape [1, 3, 16] : tensor<48xi64> into tensor<1x3x16xi64>
    %expanded_6 = tensor.expand_shape %collapsed [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %expanded_7 = tensor.expand_shape %collapsed_4 [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %expanded_8 = tensor.expand_shape %collapsed_5 [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %2 = tensor.empty() : tensor<2x3x16x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x3x16x8xf32>) outs(%2 : tensor<2x3x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_2 : f64 to f32
      %36 = arith.mulf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<2x3x16x8xf32>
    %padded = tensor.pad %expanded_7 low[0, 1, 0, 0] high[0, 1, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_3 : f32
    } : tensor<2x3x16x8xf32> to tensor<2x5x16x8xf32>
    %4 = tensor.empty() : tensor<2x3x16x8x3xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<2x5x16x8xf32>) outs(%4 : tensor<2x3x16x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x16x8x3xf32>
    %6 = tensor.empty() : tensor<2x3x3x16x8xf32>
    %transposed = linalg.transpose ins(%5 : tensor<2x3x16x8x3xf32>) outs(%6 : tensor<2x3x3x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %collapsed_9 = tensor.collapse_shape %transposed [[0], [1], [2, 3], [4]] : tensor<2x3x3x16x8xf32> into tensor<2x3x48x8xf32>
    %padded_10 = tensor.pad %expanded_8 low[0, 1, 0, 0] high[0, 1, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_3 : f32
    } : tensor<2x3x16x8xf32> to tensor<2x5x16x8xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_10 : tensor<2x5x16x8xf32>) outs(%4 : tensor<2x3x16x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x16x8x3xf32>
    %transposed_11 = linalg.transpose ins(%7 : tensor<2x3x16x8x3xf32>) outs(%6 : tensor<2x3x3x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %padded_12 = tensor.pad %expanded low[0, 1, 0] high[0, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index):
      tensor.yield %c-1_i64 : i64
    } : tensor<1x3x16xi64> to tensor<1x5x16xi64>
    %8 = tensor.empty() : tensor<1x3x16x3xi64>
    %9 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded_12 : tensor<1x5x16xi64>) outs(%8 : tensor<1x3x16x3xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<1x3x16x3xi64>
    %10 = tensor.empty() : tensor<1x3x3x16xi64>
    %transposed_13 = linalg.transpose ins(%9 : tensor<1x3x16x3xi64>) outs(%10 : tensor<1x3x3x16xi64>) permutation = [0, 1, 3, 2] 
    %collapsed_14 = tensor.collapse_shape %transposed_13 [[0], [1], [2, 3]] : tensor<1x3x3x16xi64> into tensor<1x3x48xi64>
    %expanded_15 = tensor.expand_shape %collapsed_14 [[0], [1], [2, 3]] output_shape [1, 3, 1, 48] : tensor<1x3x48xi64> into tensor<1x3x1x48xi64>
    %11 = tensor.empty() : tensor<1x3x1x48xi1>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<1x3x1x48xi64>) outs(%11 : tensor<1x3x1x48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %35 = arith.cmpi eq, %in, %c-1_i64 : i64
      linalg.yield %35 : i1
    } -> tensor<1x3x1x48xi1>
    %expanded_16 = tensor.expand_shape %collapsed_9 [[0], [1], [2], [3, 4]] output_shape [2, 3, 48, 8, 1] : tensor<2x3x48x8xf32> into tensor<2x3x48x8x1xf32>
    %collapsed_17 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<2x3x16x8xf32> into tensor<6x16x8xf32>
    %13 = tensor.empty() : tensor<2x3x8x48x1xf32>
    %transposed_18 = linalg.transpose ins(%expanded_16 : tensor<2x3x48x8x1xf32>) outs(%13 : tensor<2x3x8x48x1xf32>) permutation = [0, 1, 3, 2, 4] 
    %collapsed_19 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3, 4]] : tensor<2x3x8x48x1xf32> into tensor<6x8x48xf32>
    %14 = tensor.empty() : tensor<6x16x48xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<6x16x48xf32>) -> tensor<6x16x48xf32>
    %16 = linalg.batch_matmul ins(%collapsed_17, %collapsed_19 : tensor<6x16x8xf32>, tensor<6x8x48xf32>) outs(%15 : tensor<6x16x48xf32>) -> tensor<6x16x48xf32>
    %expanded_20 = tensor.expand_shape %16 [[0, 1], [2], [3, 4]] output_shape [2, 3, 16, 1, 48] : tensor<6x16x48xf32> into tensor<2x3x16x1x48xf32>
    %17 = tensor.empty() : tensor<2x3x16x48x1xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x3x16x1x48xf32>) outs(%17 : tensor<2x3x16x48x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0], [1], [2], [3, 4]] : tensor<2x3x16x48x1xf32> into tensor<2x3x16x48xf32>
    %18 = tensor.empty() : tensor<2x3x16x48xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_1, %collapsed_22 : tensor<1x3x1x48xi1>, tensor<f32>, tensor<2x3x16x48xf32>) outs(%18 : tensor<2x3x16x48xf32>) {
    ^bb0(%in: i1, %in_30: f32, %in_31: f32, %out: f32):
      %35 = arith.select %in, %in_30, %in_31 : f32
      linalg.yield %35 : f32
    } -> tensor<2x3x16x48xf32>
    %20 = tensor.empty() : tensor<2x3x16xi64>
    %21 = linalg.fill ins(%c0_i64 : i64) outs(%20 : tensor<2x3x16xi64>) -> tensor<2x3x16xi64>
    %22 = tensor.empty() : tensor<2x3x16xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
    %24:2 = linalg.generic {indexing_maps = [#map1, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<2x3x16x48xf32>) outs(%23, %21 : tensor<2x3x16xf32>, tensor<2x3x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_30: i64):
      %35 = linalg.index 3 : index
      %36 = arith.index_cast %35 : index to i64
      %37 = arith.maximumf %in, %out : f32
      %38 = arith.cmpf ogt, %in, %out : f32
      %39 = arith.select %38, %36, %out_30 : i64
      linalg.yield %37, %39 : f32, i64
    } -> (tensor<2x3x16xf32>, tensor<2x3x16xi64>)
    %expanded_23 = tensor.expand_shape %24#0 [[0], [1], [2, 3]] output_shape [2, 3, 16, 1] : tensor<2x3x16xf32> into tensor<2x3x16x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_23 : tensor<2x3x16x48xf32>, tensor<2x3x16x1xf32>) outs(%18 : tensor<2x3x16x48xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.subf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<2x3x16x48xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x3x16x48xf32>) outs(%18 : tensor<2x3x16x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.exp %in : f32
      linalg.yield %35 : f32
    } -> tensor<2x3x16x48xf32>
    %27 = tensor.empty() : tensor<2x3x16x1xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<2x3x16x1xf32>) -> tensor<2x3x16x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<2x3x16x48xf32>) outs(%28 : tensor<2x3x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %out : f32
      linalg.yield %35 : f32
    } -> tensor<2x3x16x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %29 : tensor<2x3x16x48xf32>, tensor<2x3x16x1xf32>) outs(%18 : tensor<2x3x16x48xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %35 = arith.divf %in, %in_30 : f32
      linalg.yield %35 : f32
    } -> tensor<2x3x16x48xf32>
    %collapsed_24 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<2x3x16x48xf32> into tensor<6x16x48xf32>
    %collapsed_25 = tensor.collapse_shape %transposed_11 [[0, 1], [2, 3], [4]] : tensor<2x3x3x16x8xf32> into tensor<6x48x8xf32>
    %31 = tensor.empty() : tensor<6x16x8xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<6x16x8xf32>) -> tensor<6x16x8xf32>
    %33 = linalg.batch_matmul ins(%collapsed_24, %collapsed_25 : tensor<6x16x48xf32>, tensor<6x48x8xf32>) outs(%32 : tensor<6x16x8xf32>) -> tensor<6x16x8xf32>
    %expanded_26 = tensor.expand_shape %33 [[0, 1], [2], [3, 4]] output_shape [2, 3, 16, 1, 8] : tensor<6x16x8xf32> into tensor<2x3x16x1x8xf32>
    %34 = tensor.empty() : tensor<2x3x16x8x1xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<2x3x16x1x8xf32>) outs(%34 : tensor<2x3x16x8x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_28 = tensor.collapse_shape %transposed_27 [[0], [1, 2], [3, 4]] : tensor<2x3x16x8x1xf32> into tensor<2x48x8xf32>
    %expanded_29 = tensor.expand_shape %collapsed_28 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_29 : tensor<1x2x48x8xf32>
  }
}
