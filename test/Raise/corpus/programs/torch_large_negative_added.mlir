#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %c9_i64 = arith.constant 9 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant -1.000000e+09 : f32
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %33 = linalg.index 0 : index
      %34 = arith.index_cast %33 : index to i64
      linalg.yield %34 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %expanded_4 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %2 = tensor.empty() : tensor<48x48xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_4, %expanded : tensor<1x48xi64>, tensor<48x1xi64>) outs(%2 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %in_11: i64, %out: i1):
      %33 = arith.cmpi sle, %in, %in_11 : i64
      linalg.yield %33 : i1
    } -> tensor<48x48xi1>
    %4 = tensor.empty() : tensor<48x48xi64>
    %5 = linalg.generic {indexing_maps = [#map2, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_4 : tensor<48x1xi64>, tensor<1x48xi64>) outs(%4 : tensor<48x48xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %33 = arith.subi %in, %in_11 : i64
      linalg.yield %33 : i64
    } -> tensor<48x48xi64>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<48x48xi64>) outs(%2 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %33 = arith.cmpi sle, %in, %c9_i64 : i64
      linalg.yield %33 : i1
    } -> tensor<48x48xi1>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<48x48xi1>, tensor<48x48xi1>) outs(%2 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_11: i1, %out: i1):
      %33 = arith.andi %in, %in_11 : i1
      linalg.yield %33 : i1
    } -> tensor<48x48xi1>
    %8 = tensor.empty() : tensor<48x48xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<48x48xi1>) outs(%8 : tensor<48x48xf32>) {
    ^bb0(%in: i1, %out: f32):
      %33 = arith.uitofp %in : i1 to f32
      linalg.yield %33 : f32
    } -> tensor<48x48xf32>
    %10 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf32>) outs(%10 : tensor<1x2x8x48xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_5 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %11 = tensor.empty() : tensor<2x48x48xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %13 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%12 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_6 = tensor.expand_shape %13 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %14 = tensor.empty() : tensor<1x2x48x48xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<1x2x48x48xf32>) outs(%14 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.truncf %cst_2 : f64 to f32
      %34 = arith.mulf %in, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<1x2x48x48xf32>
    %16 = linalg.generic {indexing_maps = [#map5, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_1, %9 : tensor<f32>, tensor<48x48xf32>) outs(%8 : tensor<48x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %33 = arith.subf %in, %in_11 : f32
      linalg.yield %33 : f32
    } -> tensor<48x48xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<48x48xf32>) outs(%8 : tensor<48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.mulf %in, %cst_3 : f32
      linalg.yield %33 : f32
    } -> tensor<48x48xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %17 : tensor<1x2x48x48xf32>, tensor<48x48xf32>) outs(%14 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %33 = arith.addf %in, %in_11 : f32
      linalg.yield %33 : f32
    } -> tensor<1x2x48x48xf32>
    %19 = tensor.empty() : tensor<1x2x48xi64>
    %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %21 = tensor.empty() : tensor<1x2x48xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %23:2 = linalg.generic {indexing_maps = [#map4, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x2x48x48xf32>) outs(%22, %20 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %33 = linalg.index 3 : index
      %34 = arith.index_cast %33 : index to i64
      %35 = arith.maximumf %in, %out : f32
      %36 = arith.cmpf ogt, %in, %out : f32
      %37 = arith.select %36, %34, %out_11 : i64
      linalg.yield %35, %37 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_7 = tensor.expand_shape %23#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_7 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%14 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %33 = arith.subf %in, %in_11 : f32
      linalg.yield %33 : f32
    } -> tensor<1x2x48x48xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x48x48xf32>) outs(%14 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = math.exp %in : f32
      linalg.yield %33 : f32
    } -> tensor<1x2x48x48xf32>
    %26 = tensor.empty() : tensor<1x2x48x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x48x48xf32>) outs(%27 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.addf %in, %out : f32
      linalg.yield %33 : f32
    } -> tensor<1x2x48x1xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%14 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %33 = arith.divf %in, %in_11 : f32
      linalg.yield %33 : f32
    } -> tensor<1x2x48x48xf32>
    %collapsed_8 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %30 = tensor.empty() : tensor<2x48x8xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %32 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%31 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_10 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_10 : tensor<1x2x48x8xf32>
  }
}
