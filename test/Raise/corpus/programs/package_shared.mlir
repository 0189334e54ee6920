#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_2 = arith.constant dense<-5.000000e+04> : tensor<f32>
    %cst_3 = arith.constant 0.35355339059327379 : f64
    %cst_4 = arith.constant 9.9999999999999998E-13 : f64
    %cst_5 = arith.constant 5.000000e-01 : f32
    %cst_6 = arith.constant -1.000000e+00 : f32
    %cst_7 = arith.constant 2.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_8 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_9 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %0 = tensor.empty() : tensor<2x48x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x48x1xf32>) -> tensor<2x48x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_8 : tensor<2x48x8xf32>) outs(%1 : tensor<2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = math.absf %in : f32
      %49 = math.powf %48, %cst_7 : f32
      %50 = arith.addf %49, %out : f32
      linalg.yield %50 : f32
    } -> tensor<2x48x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x48x1xf32>) outs(%0 : tensor<2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = math.powf %in, %cst_5 : f32
      linalg.yield %48 : f32
    } -> tensor<2x48x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x48x1xf32>) outs(%0 : tensor<2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.truncf %cst_4 : f64 to f32
      %49 = arith.cmpf ult, %in, %48 : f32
      %50 = arith.select %49, %48, %in : f32
      linalg.yield %50 : f32
    } -> tensor<2x48x1xf32>
    %5 = tensor.empty() : tensor<2x48x8xf32>
    %collapsed_10 = tensor.collapse_shape %4 [[0], [1, 2]] : tensor<2x48x1xf32> into tensor<2x48xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_10 : tensor<2x48xf32>) outs(%5 : tensor<2x48x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x48x8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_8, %6 : tensor<2x48x8xf32>, tensor<2x48x8xf32>) outs(%5 : tensor<2x48x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %48 = arith.divf %in, %in_36 : f32
      linalg.yield %48 : f32
    } -> tensor<2x48x8xf32>
    %8 = tensor.empty() : tensor<48xi64>
    %9 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel"]} outs(%8 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %48 = linalg.index 0 : index
      %49 = arith.index_cast %48 : index to i64
      linalg.yield %49 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %9 [[0, 1, 2]] output_shape [1, 3, 16] : tensor<48xi64> into tensor<1x3x16xi64>
    %expanded_11 = tensor.expand_shape %collapsed [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %expanded_12 = tensor.expand_shape %7 [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %expanded_13 = tensor.expand_shape %collapsed_9 [[0], [1, 2], [3]] output_shape [2, 3, 16, 8] : tensor<2x48x8xf32> into tensor<2x3x16x8xf32>
    %10 = tensor.empty() : tensor<2x3x16x8xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<2x3x16x8xf32>) outs(%10 : tensor<2x3x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.truncf %cst_3 : f64 to f32
      %49 = arith.mulf %in, %48 : f32
      linalg.yield %49 : f32
    } -> tensor<2x3x16x8xf32>
    %padded = tensor.pad %expanded_12 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_6 : f32
    } : tensor<2x3x16x8xf32> to tensor<2x4x16x8xf32>
    %12 = tensor.empty() : tensor<2x3x16x8x2xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<2x4x16x8xf32>) outs(%12 : tensor<2x3x16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x16x8x2xf32>
    %14 = tensor.empty() : tensor<2x3x2x16x8xf32>
    %transposed = linalg.transpose ins(%13 : tensor<2x3x16x8x2xf32>) outs(%14 : tensor<2x3x2x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %collapsed_14 = tensor.collapse_shape %transposed [[0], [1], [2, 3], [4]] : tensor<2x3x2x16x8xf32> into tensor<2x3x32x8xf32>
    %padded_15 = tensor.pad %expanded_13 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_6 : f32
    } : tensor<2x3x16x8xf32> to tensor<2x4x16x8xf32>
    %15 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_15 : tensor<2x4x16x8xf32>) outs(%12 : tensor<2x3x16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x16x8x2xf32>
    %transposed_16 = linalg.transpose ins(%15 : tensor<2x3x16x8x2xf32>) outs(%14 : tensor<2x3x2x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %padded_17 = tensor.pad %expanded low[0, 1, 0] high[0, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index):
      tensor.yield %c-1_i64 : i64
    } : tensor<1x3x16xi64> to tensor<1x4x16xi64>
    %16 = tensor.empty() : tensor<1x3x16x2xi64>
    %17 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded_17 : tensor<1x4x16xi64>) outs(%16 : tensor<1x3x16x2xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<1x3x16x2xi64>
    %18 = tensor.empty() : tensor<1x3x2x16xi64>
    %transposed_18 = linalg.transpose ins(%17 : tensor<1x3x16x2xi64>) outs(%18 : tensor<1x3x2x16xi64>) permutation = [0, 1, 3, 2] 
    %collapsed_19 = tensor.collapse_shape %transposed_18 [[0], [1], [2, 3]] : tensor<1x3x2x16xi64> into tensor<1x3x32xi64>
    %expanded_20 = tensor.expand_shape %9 [[0, 1, 2, 3]] output_shape [1, 3, 16, 1] : tensor<48xi64> into tensor<1x3x16x1xi64>
    %expanded_21 = tensor.expand_shape %collapsed_19 [[0], [1], [2, 3]] output_shape [1, 3, 1, 32] : tensor<1x3x32xi64> into tensor<1x3x1x32xi64>
    %19 = tensor.empty() : tensor<1x3x1x32xi1>
    %20 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x3x1x32xi64>) outs(%19 : tensor<1x3x1x32xi1>) {
    ^bb0(%in: i64, %out: i1):
      %48 = arith.cmpi eq, %in, %c-1_i64 : i64
      linalg.yield %48 : i1
    } -> tensor<1x3x1x32xi1>
    %expanded_22 = tensor.expand_shape %collapsed_14 [[0], [1], [2], [3, 4]] output_shape [2, 3, 32, 8, 1] : tensor<2x3x32x8xf32> into tensor<2x3x32x8x1xf32>
    %collapsed_23 = tensor.collapse_shape %11 [[0, 1], [2], [3]] : tensor<2x3x16x8xf32> into tensor<6x16x8xf32>
    %21 = tensor.empty() : tensor<2x3x8x32x1xf32>
    %transposed_24 = linalg.transpose ins(%expanded_22 : tensor<2x3x32x8x1xf32>) outs(%21 : tensor<2x3x8x32x1xf32>) permutation = [0, 1, 3, 2, 4] 
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0, 1], [2], [3, 4]] : tensor<2x3x8x32x1xf32> into tensor<6x8x32xf32>
    %22 = tensor.empty() : tensor<6x16x32xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<6x16x32xf32>) -> tensor<6x16x32xf32>
    %24 = linalg.batch_matmul ins(%collapsed_23, %collapsed_25 : tensor<6x16x8xf32>, tensor<6x8x32xf32>) outs(%23 : tensor<6x16x32xf32>) -> tensor<6x16x32xf32>
    %expanded_26 = tensor.expand_shape %24 [[0, 1], [2], [3, 4]] output_shape [2, 3, 16, 1, 32] : tensor<6x16x32xf32> into tensor<2x3x16x1x32xf32>
    %25 = tensor.empty() : tensor<2x3x16x32x1xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<2x3x16x1x32xf32>) outs(%25 : tensor<2x3x16x32x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_28 = tensor.collapse_shape %transposed_27 [[0], [1], [2], [3, 4]] : tensor<2x3x16x32x1xf32> into tensor<2x3x16x32xf32>
    %26 = tensor.empty() : tensor<1x3x16x32xi1>
    %27 = linalg.generic {indexing_maps = [#map8, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20, %expanded_21 : tensor<1x3x16x1xi64>, tensor<1x3x1x32xi64>) outs(%26 : tensor<1x3x16x32xi1>) {
    ^bb0(%in: i64, %in_36: i64, %out: i1):
      %48 = arith.cmpi eq, %in, %in_36 : i64
      linalg.yield %48 : i1
    } -> tensor<1x3x16x32xi1>
    %28 = tensor.empty() : tensor<2x3x16x32xf32>
    %29 = linalg.generic {indexing_maps = [#map10, #map11, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %cst_2, %collapsed_28 : tensor<1x3x16x32xi1>, tensor<f32>, tensor<2x3x16x32xf32>) outs(%28 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %48 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %48 : f32
    } -> tensor<2x3x16x32xf32>
    %30 = linalg.generic {indexing_maps = [#map8, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20, %expanded_21 : tensor<1x3x16x1xi64>, tensor<1x3x1x32xi64>) outs(%26 : tensor<1x3x16x32xi1>) {
    ^bb0(%in: i64, %in_36: i64, %out: i1):
      %48 = arith.cmpi slt, %in, %in_36 : i64
      linalg.yield %48 : i1
    } -> tensor<1x3x16x32xi1>
    %31 = linalg.generic {indexing_maps = [#map10, #map11, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_1, %29 : tensor<1x3x16x32xi1>, tensor<f32>, tensor<2x3x16x32xf32>) outs(%28 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %48 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %48 : f32
    } -> tensor<2x3x16x32xf32>
    %32 = linalg.generic {indexing_maps = [#map12, #map11, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %cst_1, %31 : tensor<1x3x1x32xi1>, tensor<f32>, tensor<2x3x16x32xf32>) outs(%28 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: i1, %in_36: f32, %in_37: f32, %out: f32):
      %48 = arith.select %in, %in_36, %in_37 : f32
      linalg.yield %48 : f32
    } -> tensor<2x3x16x32xf32>
    %33 = tensor.empty() : tensor<2x3x16xi64>
    %34 = linalg.fill ins(%c0_i64 : i64) outs(%33 : tensor<2x3x16xi64>) -> tensor<2x3x16xi64>
    %35 = tensor.empty() : tensor<2x3x16xf32>
    %36 = linalg.fill ins(%cst_0 : f32) outs(%35 : tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
    %37:2 = linalg.generic {indexing_maps = [#map4, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%32 : tensor<2x3x16x32xf32>) outs(%36, %34 : tensor<2x3x16xf32>, tensor<2x3x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_36: i64):
      %48 = linalg.index 3 : index
      %49 = arith.index_cast %48 : index to i64
      %50 = arith.maximumf %in, %out : f32
      %51 = arith.cmpf ogt, %in, %out : f32
      %52 = arith.select %51, %49, %out_36 : i64
      linalg.yield %50, %52 : f32, i64
    } -> (tensor<2x3x16xf32>, tensor<2x3x16xi64>)
    %expanded_29 = tensor.expand_shape %37#0 [[0], [1], [2, 3]] output_shape [2, 3, 16, 1] : tensor<2x3x16xf32> into tensor<2x3x16x1xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %expanded_29 : tensor<2x3x16x32xf32>, tensor<2x3x16x1xf32>) outs(%28 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %48 = arith.subf %in, %in_36 : f32
      linalg.yield %48 : f32
    } -> tensor<2x3x16x32xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x3x16x32xf32>) outs(%28 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = math.exp %in : f32
      linalg.yield %48 : f32
    } -> tensor<2x3x16x32xf32>
    %40 = tensor.empty() : tensor<2x3x16x1xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x3x16x1xf32>) -> tensor<2x3x16x1xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<2x3x16x32xf32>) outs(%41 : tensor<2x3x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %48 = arith.addf %in, %out : f32
      linalg.yield %48 : f32
    } -> tensor<2x3x16x1xf32>
    %43 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<2x3x16x32xf32>, tensor<2x3x16x1xf32>) outs(%28 : tensor<2x3x16x32xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %48 = arith.divf %in, %in_36 : f32
      linalg.yield %48 : f32
    } -> tensor<2x3x16x32xf32>
    %collapsed_30 = tensor.collapse_shape %43 [[0, 1], [2], [3]] : tensor<2x3x16x32xf32> into tensor<6x16x32xf32>
    %collapsed_31 = tensor.collapse_shape %transposed_16 [[0, 1], [2, 3], [4]] : tensor<2x3x2x16x8xf32> into tensor<6x32x8xf32>
    %44 = tensor.empty() : tensor<6x16x8xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<6x16x8xf32>) -> tensor<6x16x8xf32>
    %46 = linalg.batch_matmul ins(%collapsed_30, %collapsed_31 : tensor<6x16x32xf32>, tensor<6x32x8xf32>) outs(%45 : tensor<6x16x8xf32>) -> tensor<6x16x8xf32>
    %expanded_32 = tensor.expand_shape %46 [[0, 1], [2], [3, 4]] output_shape [2, 3, 16, 1, 8] : tensor<6x16x8xf32> into tensor<2x3x16x1x8xf32>
    %47 = tensor.empty() : tensor<2x3x16x8x1xf32>
    %transposed_33 = linalg.transpose ins(%expanded_32 : tensor<2x3x16x1x8xf32>) outs(%47 : tensor<2x3x16x8x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0], [1, 2], [3, 4]] : tensor<2x3x16x8x1xf32> into tensor<2x48x8xf32>
    %expanded_35 = tensor.expand_shape %collapsed_34 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_35 : tensor<1x2x48x8xf32>
  }
}
