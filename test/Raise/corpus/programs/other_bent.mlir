#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c48_i64 = arith.constant 48 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x48x48xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant 0.59460355750136051 : f64
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %40 = linalg.index 0 : index
      %41 = arith.index_cast %40 : index to i64
      linalg.yield %41 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %expanded_6 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %2 = tensor.empty() : tensor<48x48xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_6, %expanded : tensor<1x48xi64>, tensor<48x1xi64>) outs(%2 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %in_13: i64, %out: i1):
      %40 = arith.cmpi sle, %in, %in_13 : i64
      linalg.yield %40 : i1
    } -> tensor<48x48xi1>
    %4 = tensor.empty() : tensor<48x1xi64>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<48x1xi64>) outs(%4 : tensor<48x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.muli %in, %c2_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<48x1xi64>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<48x1xi64>) outs(%4 : tensor<48x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %40 = arith.subi %in, %c48_i64 : i64
      linalg.yield %40 : i64
    } -> tensor<48x1xi64>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_6, %6 : tensor<1x48xi64>, tensor<48x1xi64>) outs(%2 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %in_13: i64, %out: i1):
      %40 = arith.cmpi sge, %in, %in_13 : i64
      linalg.yield %40 : i1
    } -> tensor<48x48xi1>
    %8 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %7 : tensor<48x48xi1>, tensor<48x48xi1>) outs(%2 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_13: i1, %out: i1):
      %40 = arith.andi %in, %in_13 : i1
      linalg.yield %40 : i1
    } -> tensor<48x48xi1>
    %9 = tensor.empty() : tensor<48x48xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%8, %cst_2, %cst_3 : tensor<48x48xi1>, tensor<f32>, tensor<f32>) outs(%9 : tensor<48x48xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %40 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %40 : f32
    } -> tensor<48x48xf32>
    %11 = tensor.empty() : tensor<1x2x48x8xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x48x8xf32>) outs(%11 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_4 : f64 to f32
      %41 = arith.mulf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x48x8xf32>
    %13 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf32>) outs(%13 : tensor<1x2x8x48xf32>) permutation = [0, 1, 3, 2] 
    %14 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x8x48xf32>) outs(%13 : tensor<1x2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_4 : f64 to f32
      %41 = arith.mulf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<1x2x8x48xf32>
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_7 = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %15 = tensor.empty() : tensor<2x48x48xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %17 = linalg.batch_matmul ins(%collapsed, %collapsed_7 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%16 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_8 = tensor.expand_shape %17 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %18 = tensor.empty() : tensor<1x2x48x48xf32>
    %19 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8, %10 : tensor<1x2x48x48xf32>, tensor<48x48xf32>) outs(%18 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %40 = arith.addf %in, %in_13 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x48xf32>
    %20 = tensor.empty() : tensor<1x2x48xi64>
    %21 = linalg.fill ins(%c0_i64 : i64) outs(%20 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %22 = tensor.empty() : tensor<1x2x48xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %24:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x2x48x48xf32>) outs(%23, %21 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_13: i64):
      %40 = linalg.index 3 : index
      %41 = arith.index_cast %40 : index to i64
      %42 = arith.maximumf %in, %out : f32
      %43 = arith.cmpf ogt, %in, %out : f32
      %44 = arith.select %43, %41, %out_13 : i64
      linalg.yield %42, %44 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_9 = tensor.expand_shape %24#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_9 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%18 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %40 = arith.subf %in, %in_13 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x48xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x48x48xf32>) outs(%18 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x48xf32>
    %27 = tensor.empty() : tensor<1x2x48x1xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x2x48x48xf32>) outs(%28 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x1xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %29 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%18 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %40 = arith.divf %in, %in_13 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x48xf32>
    %31 = tensor.empty() : tensor<1x2x48x48xi1>
    %32 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x48x48xf32>) outs(%31 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: f32, %out: i1):
      %40 = arith.extf %in : f32 to f64
      %41 = arith.cmpf oeq, %40, %cst_5 : f64
      linalg.yield %41 : i1
    } -> tensor<1x2x48x48xi1>
    %33 = tensor.empty() : tensor<1x2x48x1xi1>
    %34 = linalg.fill ins(%true : i1) outs(%33 : tensor<1x2x48x1xi1>) -> tensor<1x2x48x1xi1>
    %35 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<1x2x48x48xi1>) outs(%34 : tensor<1x2x48x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %40 = arith.andi %in, %out : i1
      linalg.yield %40 : i1
    } -> tensor<1x2x48x1xi1>
    %36 = linalg.generic {indexing_maps = [#map8, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %cst_1, %30 : tensor<1x2x48x1xi1>, tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%18 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_13: f32, %in_14: f32, %out: f32):
      %40 = arith.select %in, %in_13, %in_14 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x48xf32>
    %collapsed_10 = tensor.collapse_shape %36 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_11 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %37 = tensor.empty() : tensor<2x48x8xf32>
    %38 = linalg.fill ins(%cst : f32) outs(%37 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %39 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%38 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_12 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_12 : tensor<1x2x48x8xf32>
  }
}
