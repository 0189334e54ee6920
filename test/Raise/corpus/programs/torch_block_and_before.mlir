#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<1x2x48x48xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant 0.59460355750136051 : f64
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant dense<16> : tensor<i64>
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %43 = linalg.index 0 : index
      %44 = arith.index_cast %43 : index to i64
      linalg.yield %44 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %expanded_7 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %2 = tensor.empty() : tensor<48x1xi64>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %cst_6 : tensor<48x1xi64>, tensor<i64>) outs(%2 : tensor<48x1xi64>) {
    ^bb0(%in: i64, %in_14: i64, %out: i64):
      %43 = arith.sitofp %in : i64 to f64
      %44 = arith.sitofp %in_14 : i64 to f64
      %45 = arith.divf %43, %44 : f64
      %46 = math.floor %45 : f64
      %47 = arith.fptosi %46 : f64 to i64
      linalg.yield %47 : i64
    } -> tensor<48x1xi64>
    %4 = tensor.empty() : tensor<1x48xi64>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_7, %cst_6 : tensor<1x48xi64>, tensor<i64>) outs(%4 : tensor<1x48xi64>) {
    ^bb0(%in: i64, %in_14: i64, %out: i64):
      %43 = arith.sitofp %in : i64 to f64
      %44 = arith.sitofp %in_14 : i64 to f64
      %45 = arith.divf %43, %44 : f64
      %46 = math.floor %45 : f64
      %47 = arith.fptosi %46 : f64 to i64
      linalg.yield %47 : i64
    } -> tensor<1x48xi64>
    %6 = tensor.empty() : tensor<48x48xi64>
    %7 = linalg.generic {indexing_maps = [#map3, #map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<48x1xi64>, tensor<1x48xi64>) outs(%6 : tensor<48x48xi64>) {
    ^bb0(%in: i64, %in_14: i64, %out: i64):
      %43 = arith.subi %in, %in_14 : i64
      linalg.yield %43 : i64
    } -> tensor<48x48xi64>
    %8 = tensor.empty() : tensor<48x48xi1>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<48x48xi64>) outs(%8 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %43 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %43 : i1
    } -> tensor<48x48xi1>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<48x48xi64>) outs(%8 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %43 = arith.cmpi sle, %in, %c1_i64 : i64
      linalg.yield %43 : i1
    } -> tensor<48x48xi1>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<48x48xi1>, tensor<48x48xi1>) outs(%8 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_14: i1, %out: i1):
      %43 = arith.andi %in, %in_14 : i1
      linalg.yield %43 : i1
    } -> tensor<48x48xi1>
    %12 = tensor.empty() : tensor<48x48xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %cst_2, %cst_3 : tensor<48x48xi1>, tensor<f32>, tensor<f32>) outs(%12 : tensor<48x48xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %43 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %43 : f32
    } -> tensor<48x48xf32>
    %14 = tensor.empty() : tensor<1x2x48x8xf32>
    %15 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x48x8xf32>) outs(%14 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_4 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x48x8xf32>
    %16 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf32>) outs(%16 : tensor<1x2x8x48xf32>) permutation = [0, 1, 3, 2] 
    %17 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x8x48xf32>) outs(%16 : tensor<1x2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_4 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x8x48xf32>
    %collapsed = tensor.collapse_shape %15 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_8 = tensor.collapse_shape %17 [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %18 = tensor.empty() : tensor<2x48x48xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %20 = linalg.batch_matmul ins(%collapsed, %collapsed_8 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%19 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_9 = tensor.expand_shape %20 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %21 = tensor.empty() : tensor<1x2x48x48xf32>
    %22 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9, %13 : tensor<1x2x48x48xf32>, tensor<48x48xf32>) outs(%21 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %43 = arith.addf %in, %in_14 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %23 = tensor.empty() : tensor<1x2x48xi64>
    %24 = linalg.fill ins(%c0_i64 : i64) outs(%23 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %25 = tensor.empty() : tensor<1x2x48xf32>
    %26 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %27:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x48x48xf32>) outs(%26, %24 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_14: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_14 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_10 = tensor.expand_shape %27#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %expanded_10 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%21 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %43 = arith.subf %in, %in_14 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x48x48xf32>) outs(%21 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %30 = tensor.empty() : tensor<1x2x48x1xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<1x2x48x48xf32>) outs(%31 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x1xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%21 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %43 = arith.divf %in, %in_14 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %34 = tensor.empty() : tensor<1x2x48x48xi1>
    %35 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x48x48xf32>) outs(%34 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: f32, %out: i1):
      %43 = arith.extf %in : f32 to f64
      %44 = arith.cmpf oeq, %43, %cst_5 : f64
      linalg.yield %44 : i1
    } -> tensor<1x2x48x48xi1>
    %36 = tensor.empty() : tensor<1x2x48x1xi1>
    %37 = linalg.fill ins(%true : i1) outs(%36 : tensor<1x2x48x1xi1>) -> tensor<1x2x48x1xi1>
    %38 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x2x48x48xi1>) outs(%37 : tensor<1x2x48x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %43 = arith.andi %in, %out : i1
      linalg.yield %43 : i1
    } -> tensor<1x2x48x1xi1>
    %39 = linalg.generic {indexing_maps = [#map8, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %cst_1, %33 : tensor<1x2x48x1xi1>, tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%21 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_14: f32, %in_15: f32, %out: f32):
      %43 = arith.select %in, %in_14, %in_15 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %collapsed_11 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_12 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %40 = tensor.empty() : tensor<2x48x8xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %42 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%41 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_13 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_13 : tensor<1x2x48x8xf32>
  }
}
