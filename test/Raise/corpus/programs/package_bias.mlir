#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>, %arg3: tensor<2x16x32xf32>) -> tensor<1x2x48x8xf32> {
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
      %39 = linalg.index 0 : index
      %40 = arith.index_cast %39 : index to i64
      linalg.yield %40 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1, 2]] output_shape [1, 3, 16] : tensor<48xi64> into tensor<1x3x16xi64>
    %expanded_6 = tensor.expand_shape %collapsed [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %expanded_7 = tensor.expand_shape %collapsed_4 [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %expanded_8 = tensor.expand_shape %collapsed_5 [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %2 = tensor.empty() : tensor<2x3x16x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6 : tensor<2x3x16x8xf32>) outs(%2 : tensor<2x3x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.truncf %cst_2 : f64 to f32
      %40 = arith.mulf %in, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<2x3x16x8xf32>
    %padded = tensor.pad %expanded_7 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
      tensor.yield %cst_3 : f32
    } : tensor<2x3x16x8xf32> to tensor<2x4x16x8xf32>
    %4 = tensor.empty() : tensor<2x3x16x8x2xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<2x4x16x8xf32>) outs(%4 : tensor<2x3x16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x16x8x2xf32>
    %6 = tensor.empty() : tensor<2x3x2x16x8xf32>
    %transposed = linalg.transpose ins(%5 : tensor<2x3x16x8x2xf32>) outs(%6 : tensor<2x3x2x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %collapsed_9 = tensor.collapse_shape %transposed [[0], [1], [2, 3], [4]] : tensor<2x3x2x16x8xf32> into tensor<2x3x32x8xf32>
    %padded_10 = tensor.pad %expanded_8 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
      tensor.yield %cst_3 : f32
    } : tensor<2x3x16x8xf32> to tensor<2x4x16x8xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_10 : tensor<2x4x16x8xf32>) outs(%4 : tensor<2x3x16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x16x8x2xf32>
    %transposed_11 = linalg.transpose ins(%7 : tensor<2x3x16x8x2xf32>) outs(%6 : tensor<2x3x2x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %padded_12 = tensor.pad %expanded low[0, 1, 0] high[0, 0, 0] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index):
      tensor.yield %c-1_i64 : i64
    } : tensor<1x3x16xi64> to tensor<1x4x16xi64>
    %8 = tensor.empty() : tensor<1x3x16x2xi64>
    %9 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded_12 : tensor<1x4x16xi64>) outs(%8 : tensor<1x3x16x2xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<1x3x16x2xi64>
    %10 = tensor.empty() : tensor<1x3x2x16xi64>
    %transposed_13 = linalg.transpose ins(%9 : tensor<1x3x16x2xi64>) outs(%10 : tensor<1x3x2x16xi64>) permutation = [0, 1, 3, 2] 
    %collapsed_14 = tensor.collapse_shape %transposed_13 [[0], [1], [2, 3]] : tensor<1x3x2x16xi64> into tensor<1x3x32xi64>
    %expanded_15 = tensor.expand_shape %1 [[0, 1, 2, 3]] output_shape [1, 3, 16, 1] : tensor<48xi64> into tensor<1x3x16x1xi64>
    %expanded_16 = tensor.expand_shape %collapsed_14 [[0], [1], [2, 3]] output_shape [1, 3, 1, 32] : tensor<1x3x32xi64> into tensor<1x3x1x32xi64>
    %11 = tensor.empty() : tensor<1x3x1x32xi1>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x3x1x32xi64>) outs(%11 : tensor<1x3x1x32xi1>) {
    ^bb0(%in: i64, %out: i1):
      %39 = arith.cmpi eq, %in, %c-1_i64 : i64
      linalg.yield %39 : i1
    } -> tensor<1x3x1x32xi1>
    %expanded_17 = tensor.expand_shape %collapsed_9 [[0], [1], [2], [3, 4]] output_shape [2, 3, 32, 8, 1] : tensor<2x3x32x8xf32> into tensor<2x3x32x8x1xf32>
    %collapsed_18 = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<2x3x16x8xf32> into tensor<6x16x8xf32>
    %13 = tensor.empty() : tensor<2x3x8x32x1xf32>
    %transposed_19 = linalg.transpose ins(%expanded_17 : tensor<2x3x32x8x1xf32>) outs(%13 : tensor<2x3x8x32x1xf32>) permutation = [0, 1, 3, 2, 4] 
    %collapsed_20 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3, 4]] : tensor<2x3x8x32x1xf32> into tensor<6x8x32xf32>
    %14 = tensor.empty() : tensor<6x16x32xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<6x16x32xf32>) -> tensor<6x16x32xf32>
    %16 = linalg.batch_matmul ins(%collapsed_18, %collapsed_20 : tensor<6x16x8xf32>, tensor<6x8x32xf32>) outs(%15 : tensor<6x16x32xf32>) -> tensor<6x16x32xf32>
    %expanded_21 = tensor.expand_shape %16 [[0, 1], [2], [3, 4]] output_shape [2, 3, 16, 1, 32] : tensor<6x16x32xf32> into tensor<2x3x16x1x32xf32>
    %17 = tensor.empty() : tensor<2x3x16x32x1xf32>
    %transposed_22 = linalg.transpose ins(%expanded_21 : tensor<2x3x16x1x32xf32>) outs(%17 : tensor<2x3x16x32x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_23 = tensor.collapse_shape %transposed_22 [[0], [1], [2], [3, 4]] : tensor<2x3x16x32x1xf32> into tensor<2x3x16x32xf32>
    %expanded_24 = tensor.expand_shape %arg3 [[0], [1, 2], [3]] output_shape [2, 1, 16, 32] : tensor<2x16x32xf32> into tensor<2x1x16x32xf32>
    %18 = tensor.empty() : tensor<2x3x16x32xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_23, %expanded_24 : tensor<2x3x16x32xf32>, tensor<2x1x16x32xf32>) outs(%18 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %39 = arith.addf %in, %in_32 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3x16x32xf32>
    %20 = tensor.empty() : tensor<1x3x16x32xi1>
    %21 = linalg.generic {indexing_maps = [#map6, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %expanded_16 : tensor<1x3x16x1xi64>, tensor<1x3x1x32xi64>) outs(%20 : tensor<1x3x16x32xi1>) {
    ^bb0(%in: i64, %in_32: i64, %out: i1):
      %39 = arith.cmpi slt, %in, %in_32 : i64
      linalg.yield %39 : i1
    } -> tensor<1x3x16x32xi1>
    %22 = linalg.generic {indexing_maps = [#map8, #map9, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %cst_1, %19 : tensor<1x3x16x32xi1>, tensor<f32>, tensor<2x3x16x32xf32>) outs(%18 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: i1, %in_32: f32, %in_33: f32, %out: f32):
      %39 = arith.select %in, %in_32, %in_33 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3x16x32xf32>
    %23 = linalg.generic {indexing_maps = [#map10, #map9, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %cst_1, %22 : tensor<1x3x1x32xi1>, tensor<f32>, tensor<2x3x16x32xf32>) outs(%18 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: i1, %in_32: f32, %in_33: f32, %out: f32):
      %39 = arith.select %in, %in_32, %in_33 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3x16x32xf32>
    %24 = tensor.empty() : tensor<2x3x16xi64>
    %25 = linalg.fill ins(%c0_i64 : i64) outs(%24 : tensor<2x3x16xi64>) -> tensor<2x3x16xi64>
    %26 = tensor.empty() : tensor<2x3x16xf32>
    %27 = linalg.fill ins(%cst_0 : f32) outs(%26 : tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
    %28:2 = linalg.generic {indexing_maps = [#map1, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x3x16x32xf32>) outs(%27, %25 : tensor<2x3x16xf32>, tensor<2x3x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_32: i64):
      %39 = linalg.index 3 : index
      %40 = arith.index_cast %39 : index to i64
      %41 = arith.maximumf %in, %out : f32
      %42 = arith.cmpf ogt, %in, %out : f32
      %43 = arith.select %42, %40, %out_32 : i64
      linalg.yield %41, %43 : f32, i64
    } -> (tensor<2x3x16xf32>, tensor<2x3x16xi64>)
    %expanded_25 = tensor.expand_shape %28#0 [[0], [1], [2, 3]] output_shape [2, 3, 16, 1] : tensor<2x3x16xf32> into tensor<2x3x16x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %expanded_25 : tensor<2x3x16x32xf32>, tensor<2x3x16x1xf32>) outs(%18 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %39 = arith.subf %in, %in_32 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3x16x32xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<2x3x16x32xf32>) outs(%18 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.exp %in : f32
      linalg.yield %39 : f32
    } -> tensor<2x3x16x32xf32>
    %31 = tensor.empty() : tensor<2x3x16x1xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<2x3x16x1xf32>) -> tensor<2x3x16x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<2x3x16x32xf32>) outs(%32 : tensor<2x3x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %in, %out : f32
      linalg.yield %39 : f32
    } -> tensor<2x3x16x1xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<2x3x16x32xf32>, tensor<2x3x16x1xf32>) outs(%18 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %39 = arith.divf %in, %in_32 : f32
      linalg.yield %39 : f32
    } -> tensor<2x3x16x32xf32>
    %collapsed_26 = tensor.collapse_shape %34 [[0, 1], [2], [3]] : tensor<2x3x16x32xf32> into tensor<6x16x32xf32>
    %collapsed_27 = tensor.collapse_shape %transposed_11 [[0, 1], [2, 3], [4]] : tensor<2x3x2x16x8xf32> into tensor<6x32x8xf32>
    %35 = tensor.empty() : tensor<6x16x8xf32>
    %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<6x16x8xf32>) -> tensor<6x16x8xf32>
    %37 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<6x16x32xf32>, tensor<6x32x8xf32>) outs(%36 : tensor<6x16x8xf32>) -> tensor<6x16x8xf32>
    %expanded_28 = tensor.expand_shape %37 [[0, 1], [2], [3, 4]] output_shape [2, 3, 16, 1, 8] : tensor<6x16x8xf32> into tensor<2x3x16x1x8xf32>
    %38 = tensor.empty() : tensor<2x3x16x8x1xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x3x16x1x8xf32>) outs(%38 : tensor<2x3x16x8x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0], [1, 2], [3, 4]] : tensor<2x3x16x8x1xf32> into tensor<2x48x8xf32>
    %expanded_31 = tensor.expand_shape %collapsed_30 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_31 : tensor<1x2x48x8xf32>
  }
}
