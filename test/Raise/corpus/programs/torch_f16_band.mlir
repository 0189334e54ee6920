#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf16>, %arg1: tensor<1x2x48x8xf16>, %arg2: tensor<1x2x48x8xf16>) -> tensor<1x2x48x8xf16> {
    %c9_i64 = arith.constant 9 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %36 = linalg.index 0 : index
      %37 = arith.index_cast %36 : index to i64
      linalg.yield %37 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %expanded_3 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %2 = tensor.empty() : tensor<1x2x8x48xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf16>) outs(%2 : tensor<1x2x8x48xf16>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x48x8xf16> into tensor<2x48x8xf16>
    %collapsed_4 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x48xf16> into tensor<2x8x48xf16>
    %3 = tensor.empty() : tensor<2x48x48xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %5 = linalg.batch_matmul ins(%collapsed, %collapsed_4 : tensor<2x48x8xf16>, tensor<2x8x48xf16>) outs(%4 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %6 = tensor.empty() : tensor<2x48x48xf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x48x48xf32>) outs(%6 : tensor<2x48x48xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x48x48xf16>
    %expanded_5 = tensor.expand_shape %7 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf16> into tensor<1x2x48x48xf16>
    %8 = tensor.empty() : tensor<1x2x48x48xf16>
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5 : tensor<1x2x48x48xf16>) outs(%8 : tensor<1x2x48x48xf16>) {
    ^bb0(%in: f16, %out: f16):
      %36 = arith.truncf %cst_2 : f64 to f16
      %37 = arith.mulf %in, %36 : f16
      linalg.yield %37 : f16
    } -> tensor<1x2x48x48xf16>
    %10 = tensor.empty() : tensor<1x2x48x48xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x48x48xf16>) outs(%10 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f16, %out: f32):
      %36 = arith.extf %in : f16 to f32
      linalg.yield %36 : f32
    } -> tensor<1x2x48x48xf32>
    %12 = tensor.empty() : tensor<48x48xi1>
    %13 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded_3, %expanded : tensor<1x48xi64>, tensor<48x1xi64>) outs(%12 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %in_10: i64, %out: i1):
      %36 = arith.cmpi sgt, %in, %in_10 : i64
      linalg.yield %36 : i1
    } -> tensor<48x48xi1>
    %14 = tensor.empty() : tensor<48x48xi64>
    %15 = linalg.generic {indexing_maps = [#map4, #map3, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_3 : tensor<48x1xi64>, tensor<1x48xi64>) outs(%14 : tensor<48x48xi64>) {
    ^bb0(%in: i64, %in_10: i64, %out: i64):
      %36 = arith.subi %in, %in_10 : i64
      linalg.yield %36 : i64
    } -> tensor<48x48xi64>
    %16 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<48x48xi64>) outs(%12 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %out: i1):
      %36 = arith.cmpi sgt, %in, %c9_i64 : i64
      linalg.yield %36 : i1
    } -> tensor<48x48xi1>
    %17 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%13, %16 : tensor<48x48xi1>, tensor<48x48xi1>) outs(%12 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_10: i1, %out: i1):
      %36 = arith.ori %in, %in_10 : i1
      linalg.yield %36 : i1
    } -> tensor<48x48xi1>
    %18 = linalg.generic {indexing_maps = [#map6, #map7, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %cst_1, %11 : tensor<48x48xi1>, tensor<f32>, tensor<1x2x48x48xf32>) outs(%10 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %36 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x48x48xf32>
    %19 = tensor.empty() : tensor<1x2x48xi64>
    %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %21 = tensor.empty() : tensor<1x2x48xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %23:2 = linalg.generic {indexing_maps = [#map2, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<1x2x48x48xf32>) outs(%22, %20 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %36 = linalg.index 3 : index
      %37 = arith.index_cast %36 : index to i64
      %38 = arith.maximumf %in, %out : f32
      %39 = arith.cmpf ogt, %in, %out : f32
      %40 = arith.select %39, %37, %out_10 : i64
      linalg.yield %38, %40 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_6 = tensor.expand_shape %23#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %expanded_6 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%10 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %36 = arith.subf %in, %in_10 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x48x48xf32>
    %25 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x48x48xf32>) outs(%10 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = math.exp %in : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x48x48xf32>
    %26 = tensor.empty() : tensor<1x2x48x1xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x48x48xf32>) outs(%27 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %36 = arith.addf %in, %out : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x48x1xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%10 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %36 = arith.divf %in, %in_10 : f32
      linalg.yield %36 : f32
    } -> tensor<1x2x48x48xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x48x48xf32>) outs(%8 : tensor<1x2x48x48xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<1x2x48x48xf16>
    %collapsed_7 = tensor.collapse_shape %30 [[0, 1], [2], [3]] : tensor<1x2x48x48xf16> into tensor<2x48x48xf16>
    %collapsed_8 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf16> into tensor<2x48x8xf16>
    %31 = tensor.empty() : tensor<2x48x8xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %33 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<2x48x48xf16>, tensor<2x48x8xf16>) outs(%32 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %34 = tensor.empty() : tensor<2x48x8xf16>
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<2x48x8xf32>) outs(%34 : tensor<2x48x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %36 = arith.truncf %in : f32 to f16
      linalg.yield %36 : f16
    } -> tensor<2x48x8xf16>
    %expanded_9 = tensor.expand_shape %35 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf16> into tensor<1x2x48x8xf16>
    return %expanded_9 : tensor<1x2x48x8xf16>
  }
}
