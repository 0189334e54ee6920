#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %c40_i64 = arith.constant 40 : i64
    %c3_i64 = arith.constant 3 : i64
    %c9_i64 = arith.constant 9 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x48x48xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<48xi1>
    %cst_5 = arith.constant 0.59460355750136051 : f64
    %cst_6 = arith.constant 0xFFF0000000000000 : f64
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %45 = linalg.index 0 : index
      %46 = arith.index_cast %45 : index to i64
      linalg.yield %46 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %expanded_7 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %2 = tensor.empty() : tensor<48x48xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_7 : tensor<48x1xi64>, tensor<1x48xi64>) outs(%2 : tensor<48x48xi64>) {
    ^bb0(%in: i64, %in_15: i64, %out: i64):
      %45 = arith.subi %in, %in_15 : i64
      linalg.yield %45 : i64
    } -> tensor<48x48xi64>
    %4 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<48x48xi64>) outs(%2 : tensor<48x48xi64>) {
    ^bb0(%in: i64, %out: i64):
      %45 = math.absi %in : i64
      linalg.yield %45 : i64
    } -> tensor<48x48xi64>
    %5 = tensor.empty() : tensor<48x48xi1>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<48x48xi64>) outs(%5 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %45 = arith.cmpi sle, %in, %c9_i64 : i64
      linalg.yield %45 : i1
    } -> tensor<48x48xi1>
    %extracted_slice = tensor.extract_slice %6[3, 0] [1, 48] [1, 1] : tensor<48x48xi1> to tensor<1x48xi1>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x48xi1> into tensor<48xi1>
    %7 = tensor.empty() : tensor<48xi1>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<48xi64>) outs(%7 : tensor<48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %45 = arith.cmpi eq, %in, %c40_i64 : i64
      linalg.yield %45 : i1
    } -> tensor<48xi1>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%8, %cst_4, %collapsed : tensor<48xi1>, tensor<48xi1>, tensor<48xi1>) outs(%7 : tensor<48xi1>) {
    ^bb0(%in: i1, %in_15: i1, %in_16: i1, %out: i1):
      %45 = arith.select %in, %in_15, %in_16 : i1
      linalg.yield %45 : i1
    } -> tensor<48xi1>
    %10 = tensor.empty() : tensor<48x1xi1>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<48x1xi64>) outs(%10 : tensor<48x1xi1>) {
    ^bb0(%in: i64, %out: i1):
      %45 = arith.cmpi eq, %in, %c3_i64 : i64
      linalg.yield %45 : i1
    } -> tensor<48x1xi1>
    %12 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<48xi1>) outs(%5 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<48x48xi1>
    %13 = linalg.generic {indexing_maps = [#map1, #map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%11, %12, %6 : tensor<48x1xi1>, tensor<48x48xi1>, tensor<48x48xi1>) outs(%5 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_15: i1, %in_16: i1, %out: i1):
      %45 = arith.select %in, %in_15, %in_16 : i1
      linalg.yield %45 : i1
    } -> tensor<48x48xi1>
    %14 = tensor.empty() : tensor<48x48xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map5, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%13, %cst_2, %cst_3 : tensor<48x48xi1>, tensor<f32>, tensor<f32>) outs(%14 : tensor<48x48xf32>) {
    ^bb0(%in: i1, %in_15: f32, %in_16: f32, %out: f32):
      %45 = arith.select %in, %in_15, %in_16 : f32
      linalg.yield %45 : f32
    } -> tensor<48x48xf32>
    %16 = tensor.empty() : tensor<1x2x48x8xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x48x8xf32>) outs(%16 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.truncf %cst_5 : f64 to f32
      %46 = arith.mulf %in, %45 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x48x8xf32>
    %18 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf32>) outs(%18 : tensor<1x2x8x48xf32>) permutation = [0, 1, 3, 2] 
    %19 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x8x48xf32>) outs(%18 : tensor<1x2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.truncf %cst_5 : f64 to f32
      %46 = arith.mulf %in, %45 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x8x48xf32>
    %collapsed_8 = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_9 = tensor.collapse_shape %19 [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %20 = tensor.empty() : tensor<2x48x48xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %22 = linalg.batch_matmul ins(%collapsed_8, %collapsed_9 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%21 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_10 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %23 = tensor.empty() : tensor<1x2x48x48xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %15 : tensor<1x2x48x48xf32>, tensor<48x48xf32>) outs(%23 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %45 = arith.addf %in, %in_15 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %25 = tensor.empty() : tensor<1x2x48xi64>
    %26 = linalg.fill ins(%c0_i64 : i64) outs(%25 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %27 = tensor.empty() : tensor<1x2x48xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %29:2 = linalg.generic {indexing_maps = [#map6, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x2x48x48xf32>) outs(%28, %26 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_15: i64):
      %45 = linalg.index 3 : index
      %46 = arith.index_cast %45 : index to i64
      %47 = arith.maximumf %in, %out : f32
      %48 = arith.cmpf ogt, %in, %out : f32
      %49 = arith.select %48, %46, %out_15 : i64
      linalg.yield %47, %49 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_11 = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %expanded_11 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%23 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %45 = arith.subf %in, %in_15 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %31 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x48x48xf32>) outs(%23 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = math.exp %in : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %32 = tensor.empty() : tensor<1x2x48x1xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x48x48xf32>) outs(%33 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.addf %in, %out : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x1xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%23 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %45 = arith.divf %in, %in_15 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %36 = tensor.empty() : tensor<1x2x48x48xi1>
    %37 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x48x48xf32>) outs(%36 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: f32, %out: i1):
      %45 = arith.extf %in : f32 to f64
      %46 = arith.cmpf oeq, %45, %cst_6 : f64
      linalg.yield %46 : i1
    } -> tensor<1x2x48x48xi1>
    %38 = tensor.empty() : tensor<1x2x48x1xi1>
    %39 = linalg.fill ins(%true : i1) outs(%38 : tensor<1x2x48x1xi1>) -> tensor<1x2x48x1xi1>
    %40 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%37 : tensor<1x2x48x48xi1>) outs(%39 : tensor<1x2x48x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %45 = arith.andi %in, %out : i1
      linalg.yield %45 : i1
    } -> tensor<1x2x48x1xi1>
    %41 = linalg.generic {indexing_maps = [#map9, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %cst_1, %35 : tensor<1x2x48x1xi1>, tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%23 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_15: f32, %in_16: f32, %out: f32):
      %45 = arith.select %in, %in_15, %in_16 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %collapsed_12 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_13 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %42 = tensor.empty() : tensor<2x48x8xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %44 = linalg.batch_matmul ins(%collapsed_12, %collapsed_13 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%43 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_14 = tensor.expand_shape %44 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_14 : tensor<1x2x48x8xf32>
  }
}
