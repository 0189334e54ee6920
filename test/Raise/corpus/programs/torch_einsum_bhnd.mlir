#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327379 : f64
    %0 = tensor.empty() : tensor<1x2x48x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x48x8xf32>) outs(%0 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.truncf %cst_1 : f64 to f32
      %27 = arith.mulf %in, %26 : f32
      linalg.yield %27 : f32
    } -> tensor<1x2x48x8xf32>
    %expanded = tensor.expand_shape %1 [[0], [1], [2], [3, 4]] output_shape [1, 2, 48, 8, 1] : tensor<1x2x48x8xf32> into tensor<1x2x48x8x1xf32>
    %expanded_2 = tensor.expand_shape %arg1 [[0], [1], [2], [3, 4]] output_shape [1, 2, 48, 8, 1] : tensor<1x2x48x8xf32> into tensor<1x2x48x8x1xf32>
    %2 = tensor.empty() : tensor<2x48x8x1x1xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x2x48x8x1xf32>) outs(%2 : tensor<2x48x8x1x1xf32>) permutation = [1, 2, 3, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1], [2, 3, 4]] : tensor<2x48x8x1x1xf32> into tensor<2x48x8xf32>
    %3 = tensor.empty() : tensor<2x8x1x48x1xf32>
    %transposed_3 = linalg.transpose ins(%expanded_2 : tensor<1x2x48x8x1xf32>) outs(%3 : tensor<2x8x1x48x1xf32>) permutation = [1, 3, 0, 2, 4] 
    %collapsed_4 = tensor.collapse_shape %transposed_3 [[0], [1], [2, 3, 4]] : tensor<2x8x1x48x1xf32> into tensor<2x8x48xf32>
    %4 = tensor.empty() : tensor<2x48x48xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %6 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%5 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_5 = tensor.expand_shape %6 [[0], [1], [2, 3, 4]] output_shape [2, 48, 1, 1, 48] : tensor<2x48x48xf32> into tensor<2x48x1x1x48xf32>
    %7 = tensor.empty() : tensor<1x2x48x48x1xf32>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<2x48x1x1x48xf32>) outs(%7 : tensor<1x2x48x48x1xf32>) permutation = [3, 0, 1, 4, 2] 
    %collapsed_7 = tensor.collapse_shape %transposed_6 [[0], [1], [2], [3, 4]] : tensor<1x2x48x48x1xf32> into tensor<1x2x48x48xf32>
    %8 = tensor.empty() : tensor<1x2x48xi64>
    %9 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %10 = tensor.empty() : tensor<1x2x48xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %12:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_7 : tensor<1x2x48x48xf32>) outs(%11, %9 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_18: i64):
      %26 = linalg.index 3 : index
      %27 = arith.index_cast %26 : index to i64
      %28 = arith.maximumf %in, %out : f32
      %29 = arith.cmpf ogt, %in, %out : f32
      %30 = arith.select %29, %27, %out_18 : i64
      linalg.yield %28, %30 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_8 = tensor.expand_shape %12#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %13 = tensor.empty() : tensor<1x2x48x48xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_7, %expanded_8 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%13 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %26 = arith.subf %in, %in_18 : f32
      linalg.yield %26 : f32
    } -> tensor<1x2x48x48xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x2x48x48xf32>) outs(%13 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.exp %in : f32
      linalg.yield %26 : f32
    } -> tensor<1x2x48x48xf32>
    %16 = tensor.empty() : tensor<1x2x48x1xf32>
    %17 = linalg.fill ins(%cst : f32) outs(%16 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x48x48xf32>) outs(%17 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.addf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<1x2x48x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %18 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%13 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %26 = arith.divf %in, %in_18 : f32
      linalg.yield %26 : f32
    } -> tensor<1x2x48x48xf32>
    %expanded_9 = tensor.expand_shape %19 [[0], [1], [2], [3, 4]] output_shape [1, 2, 48, 48, 1] : tensor<1x2x48x48xf32> into tensor<1x2x48x48x1xf32>
    %expanded_10 = tensor.expand_shape %arg2 [[0], [1], [2], [3, 4]] output_shape [1, 2, 48, 8, 1] : tensor<1x2x48x8xf32> into tensor<1x2x48x8x1xf32>
    %20 = tensor.empty() : tensor<2x48x48x1x1xf32>
    %transposed_11 = linalg.transpose ins(%expanded_9 : tensor<1x2x48x48x1xf32>) outs(%20 : tensor<2x48x48x1x1xf32>) permutation = [1, 2, 3, 0, 4] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1], [2, 3, 4]] : tensor<2x48x48x1x1xf32> into tensor<2x48x48xf32>
    %21 = tensor.empty() : tensor<2x48x1x8x1xf32>
    %transposed_13 = linalg.transpose ins(%expanded_10 : tensor<1x2x48x8x1xf32>) outs(%21 : tensor<2x48x1x8x1xf32>) permutation = [1, 2, 0, 3, 4] 
    %collapsed_14 = tensor.collapse_shape %transposed_13 [[0], [1], [2, 3, 4]] : tensor<2x48x1x8x1xf32> into tensor<2x48x8xf32>
    %22 = tensor.empty() : tensor<2x48x8xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %24 = linalg.batch_matmul ins(%collapsed_12, %collapsed_14 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%23 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_15 = tensor.expand_shape %24 [[0], [1], [2, 3, 4]] output_shape [2, 48, 1, 1, 8] : tensor<2x48x8xf32> into tensor<2x48x1x1x8xf32>
    %25 = tensor.empty() : tensor<1x2x48x8x1xf32>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<2x48x1x1x8xf32>) outs(%25 : tensor<1x2x48x8x1xf32>) permutation = [3, 0, 1, 4, 2] 
    %collapsed_17 = tensor.collapse_shape %transposed_16 [[0], [1], [2], [3, 4]] : tensor<1x2x48x8x1xf32> into tensor<1x2x48x8xf32>
    return %collapsed_17 : tensor<1x2x48x8xf32>
  }
}
