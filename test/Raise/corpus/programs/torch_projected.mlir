#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x48x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<16x16xf32>) -> tensor<1x48x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x48x48xf32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.59460355750136051 : f64
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x48x16xf32> into tensor<48x16xf32>
    %0 = tensor.empty() : tensor<48x16xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %2 = linalg.matmul ins(%collapsed, %arg1 : tensor<48x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %expanded = tensor.expand_shape %2 [[0, 1], [2, 3]] output_shape [1, 48, 2, 8] : tensor<48x16xf32> into tensor<1x48x2x8xf32>
    %3 = tensor.empty() : tensor<1x2x48x8xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x48x2x8xf32>) outs(%3 : tensor<1x2x48x8xf32>) permutation = [0, 2, 1, 3] 
    %4 = linalg.matmul ins(%collapsed, %arg2 : tensor<48x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %expanded_4 = tensor.expand_shape %4 [[0, 1], [2, 3]] output_shape [1, 48, 2, 8] : tensor<48x16xf32> into tensor<1x48x2x8xf32>
    %5 = linalg.matmul ins(%collapsed, %arg3 : tensor<48x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %expanded_5 = tensor.expand_shape %5 [[0, 1], [2, 3]] output_shape [1, 48, 2, 8] : tensor<48x16xf32> into tensor<1x48x2x8xf32>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<1x48x2x8xf32>) outs(%3 : tensor<1x2x48x8xf32>) permutation = [0, 2, 1, 3] 
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x48x8xf32>) outs(%3 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_3 : f64 to f32
      %36 = arith.mulf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x48x8xf32>
    %7 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed_7 = linalg.transpose ins(%expanded_4 : tensor<1x48x2x8xf32>) outs(%7 : tensor<1x2x8x48xf32>) permutation = [0, 2, 3, 1] 
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_7 : tensor<1x2x8x48xf32>) outs(%7 : tensor<1x2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.truncf %cst_3 : f64 to f32
      %36 = arith.mulf %in, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x8x48xf32>
    %collapsed_8 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_9 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %9 = tensor.empty() : tensor<2x48x48xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %11 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%10 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_10 = tensor.expand_shape %11 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %12 = tensor.empty() : tensor<1x2x48xi64>
    %13 = linalg.fill ins(%c0_i64 : i64) outs(%12 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %14 = tensor.empty() : tensor<1x2x48xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %16:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_10 : tensor<1x2x48x48xf32>) outs(%15, %13 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_18: i64):
      %35 = linalg.index 3 : index
      %36 = arith.index_cast %35 : index to i64
      %37 = arith.maximumf %in, %out : f32
      %38 = arith.cmpf ogt, %in, %out : f32
      %39 = arith.select %38, %36, %out_18 : i64
      linalg.yield %37, %39 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_11 = tensor.expand_shape %16#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %17 = tensor.empty() : tensor<1x2x48x48xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %expanded_11 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%17 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %35 = arith.subf %in, %in_18 : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x48x48xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x48x48xf32>) outs(%17 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = math.exp %in : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x48x48xf32>
    %20 = tensor.empty() : tensor<1x2x48x1xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x2x48x48xf32>) outs(%21 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %35 = arith.addf %in, %out : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x48x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%17 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %35 = arith.divf %in, %in_18 : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x48x48xf32>
    %24 = tensor.empty() : tensor<1x2x48x48xi1>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x2x48x48xf32>) outs(%24 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: f32, %out: i1):
      %35 = arith.extf %in : f32 to f64
      %36 = arith.cmpf oeq, %35, %cst_2 : f64
      linalg.yield %36 : i1
    } -> tensor<1x2x48x48xi1>
    %26 = tensor.empty() : tensor<1x2x48x1xi1>
    %27 = linalg.fill ins(%true : i1) outs(%26 : tensor<1x2x48x1xi1>) -> tensor<1x2x48x1xi1>
    %28 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x48x48xi1>) outs(%27 : tensor<1x2x48x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %35 = arith.andi %in, %out : i1
      linalg.yield %35 : i1
    } -> tensor<1x2x48x1xi1>
    %29 = linalg.generic {indexing_maps = [#map2, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %cst_1, %23 : tensor<1x2x48x1xi1>, tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%17 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_18: f32, %in_19: f32, %out: f32):
      %35 = arith.select %in, %in_18, %in_19 : f32
      linalg.yield %35 : f32
    } -> tensor<1x2x48x48xf32>
    %collapsed_12 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_13 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %30 = tensor.empty() : tensor<2x48x8xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %32 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%31 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_14 = tensor.expand_shape %32 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    %33 = tensor.empty() : tensor<1x48x2x8xf32>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<1x2x48x8xf32>) outs(%33 : tensor<1x48x2x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_16 = tensor.collapse_shape %transposed_15 [[0, 1], [2, 3]] : tensor<1x48x2x8xf32> into tensor<48x16xf32>
    %34 = linalg.matmul ins(%collapsed_16, %arg4 : tensor<48x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<48x16xf32>) -> tensor<48x16xf32>
    %expanded_17 = tensor.expand_shape %34 [[0, 1], [2]] output_shape [1, 48, 16] : tensor<48x16xf32> into tensor<1x48x16xf32>
    return %expanded_17 : tensor<1x48x16xf32>
  }
}
