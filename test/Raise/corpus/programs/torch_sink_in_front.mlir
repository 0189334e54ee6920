#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>, %arg3: tensor<2xf32>) -> tensor<1x2x48x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<true> : tensor<48x48xi1>
    %cst_3 = arith.constant 0.35355339059327379 : f64
    %0 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf32>) outs(%0 : tensor<1x2x8x48xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %1 = tensor.empty() : tensor<2x48x48xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %3 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%2 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %4 = tensor.empty() : tensor<1x2x48x48xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x48x48xf32>) outs(%4 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.truncf %cst_3 : f64 to f32
      %32 = arith.mulf %in, %31 : f32
      linalg.yield %32 : f32
    } -> tensor<1x2x48x48xf32>
    %6 = tensor.empty() : tensor<48xi64>
    %7 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%6 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %31 = linalg.index 0 : index
      %32 = arith.index_cast %31 : index to i64
      linalg.yield %32 : i64
    } -> tensor<48xi64>
    %expanded_5 = tensor.expand_shape %7 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %expanded_6 = tensor.expand_shape %7 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %8 = tensor.empty() : tensor<48x48xi64>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<1x48xi64>, tensor<48x1xi64>) outs(%8 : tensor<48x48xi64>) {
    ^bb0(%in: i64, %in_12: i64, %out: i64):
      %31 = arith.subi %in, %in_12 : i64
      linalg.yield %31 : i64
    } -> tensor<48x48xi64>
    %10 = tensor.empty() : tensor<48x48xi1>
    %11 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<48x48xi64>) outs(%10 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %31 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %31 : i1
    } -> tensor<48x48xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_2 : tensor<48x48xi1>, tensor<48x48xi1>) outs(%10 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_12: i1, %out: i1):
      %31 = arith.andi %in, %in_12 : i1
      linalg.yield %31 : i1
    } -> tensor<48x48xi1>
    %13 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<48x48xi1>) outs(%10 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      %31 = arith.xori %in, %true : i1
      linalg.yield %31 : i1
    } -> tensor<48x48xi1>
    %14 = linalg.generic {indexing_maps = [#map5, #map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %cst_1, %5 : tensor<48x48xi1>, tensor<f32>, tensor<1x2x48x48xf32>) outs(%4 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %31 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x48x48xf32>
    %15 = tensor.empty() : tensor<1x2x48x1xf32>
    %expanded_7 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [1, 2, 1] : tensor<2xf32> into tensor<1x2x1xf32>
    %16 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x2x1xf32>) outs(%15 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %concat = tensor.concat dim(3) %16, %14 : (tensor<1x2x48x1xf32>, tensor<1x2x48x48xf32>) -> tensor<1x2x48x49xf32>
    %17 = tensor.empty() : tensor<1x2x48xi64>
    %18 = linalg.fill ins(%c0_i64 : i64) outs(%17 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %19 = tensor.empty() : tensor<1x2x48xf32>
    %20 = linalg.fill ins(%cst_0 : f32) outs(%19 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %21:2 = linalg.generic {indexing_maps = [#map, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat : tensor<1x2x48x49xf32>) outs(%20, %18 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_12: i64):
      %31 = linalg.index 3 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.maximumf %in, %out : f32
      %34 = arith.cmpf ogt, %in, %out : f32
      %35 = arith.select %34, %32, %out_12 : i64
      linalg.yield %33, %35 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_8 = tensor.expand_shape %21#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %22 = tensor.empty() : tensor<1x2x48x49xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_8 : tensor<1x2x48x49xf32>, tensor<1x2x48x1xf32>) outs(%22 : tensor<1x2x48x49xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %31 = arith.subf %in, %in_12 : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x48x49xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x48x49xf32>) outs(%22 : tensor<1x2x48x49xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.exp %in : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x48x49xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%15 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x2x48x49xf32>) outs(%25 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x48x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<1x2x48x49xf32>, tensor<1x2x48x1xf32>) outs(%22 : tensor<1x2x48x49xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %31 = arith.divf %in, %in_12 : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x48x49xf32>
    %extracted_slice = tensor.extract_slice %27[0, 0, 0, 1] [1, 2, 48, 48] [1, 1, 1, 1] : tensor<1x2x48x49xf32> to tensor<1x2x48x48xf32>
    %collapsed_9 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_10 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %28 = tensor.empty() : tensor<2x48x8xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %30 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%29 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_11 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_11 : tensor<1x2x48x8xf32>
  }
}
