#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>, %arg3: tensor<1xi64>) -> tensor<1x2x48x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %27 = linalg.index 0 : index
      %28 = arith.index_cast %27 : index to i64
      linalg.yield %28 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %expanded_3 = tensor.expand_shape %arg3 [[0, 1]] output_shape [1, 1] : tensor<1xi64> into tensor<1x1xi64>
    %2 = tensor.empty() : tensor<1x48xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_3 : tensor<1x48xi64>, tensor<1x1xi64>) outs(%2 : tensor<1x48xi1>) {
    ^bb0(%in: i64, %in_11: i64, %out: i1):
      %27 = arith.cmpi slt, %in, %in_11 : i64
      linalg.yield %27 : i1
    } -> tensor<1x48xi1>
    %4 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf32>) outs(%4 : tensor<1x2x8x48xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %5 = tensor.empty() : tensor<2x48x48xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %7 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%6 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_5 = tensor.expand_shape %7 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %8 = tensor.empty() : tensor<1x2x48x48xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x48x48xf32>) outs(%8 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.truncf %cst_2 : f64 to f32
      %28 = arith.mulf %in, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<1x2x48x48xf32>
    %expanded_6 = tensor.expand_shape %3 [[0], [1, 2, 3]] output_shape [1, 1, 1, 48] : tensor<1x48xi1> into tensor<1x1x1x48xi1>
    %10 = tensor.empty() : tensor<1x1x1x48xi1>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x1x1x48xi1>) outs(%10 : tensor<1x1x1x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      %27 = arith.xori %in, %true : i1
      linalg.yield %27 : i1
    } -> tensor<1x1x1x48xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map5, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11, %cst_1, %9 : tensor<1x1x1x48xi1>, tensor<f32>, tensor<1x2x48x48xf32>) outs(%8 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %27 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %27 : f32
    } -> tensor<1x2x48x48xf32>
    %13 = tensor.empty() : tensor<1x2x48xi64>
    %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %15 = tensor.empty() : tensor<1x2x48xf32>
    %16 = linalg.fill ins(%cst_0 : f32) outs(%15 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %17:2 = linalg.generic {indexing_maps = [#map3, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x2x48x48xf32>) outs(%16, %14 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %27 = linalg.index 3 : index
      %28 = arith.index_cast %27 : index to i64
      %29 = arith.maximumf %in, %out : f32
      %30 = arith.cmpf ogt, %in, %out : f32
      %31 = arith.select %30, %28, %out_11 : i64
      linalg.yield %29, %31 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_7 = tensor.expand_shape %17#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_7 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%8 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %27 = arith.subf %in, %in_11 : f32
      linalg.yield %27 : f32
    } -> tensor<1x2x48x48xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x48x48xf32>) outs(%8 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = math.exp %in : f32
      linalg.yield %27 : f32
    } -> tensor<1x2x48x48xf32>
    %20 = tensor.empty() : tensor<1x2x48x1xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x2x48x48xf32>) outs(%21 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.addf %in, %out : f32
      linalg.yield %27 : f32
    } -> tensor<1x2x48x1xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%8 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %27 = arith.divf %in, %in_11 : f32
      linalg.yield %27 : f32
    } -> tensor<1x2x48x48xf32>
    %collapsed_8 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %24 = tensor.empty() : tensor<2x48x8xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %26 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%25 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_10 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_10 : tensor<1x2x48x8xf32>
  }
}
