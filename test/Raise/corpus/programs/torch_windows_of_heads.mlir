#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %cst_3 = arith.constant dense_resource<torch_tensor_2_torch.int64> : tensor<2xi64>
    %0 = tensor.empty() : tensor<48xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<48xi64>) {
    ^bb0(%out: i64):
      %30 = linalg.index 0 : index
      %31 = arith.index_cast %30 : index to i64
      linalg.yield %31 : i64
    } -> tensor<48xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
    %expanded_4 = tensor.expand_shape %1 [[0, 1]] output_shape [1, 48] : tensor<48xi64> into tensor<1x48xi64>
    %expanded_5 = tensor.expand_shape %cst_3 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xi64> into tensor<2x1x1xi64>
    %2 = tensor.empty() : tensor<1x2x8x48xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x48x8xf32>) outs(%2 : tensor<1x2x8x48xf32>) permutation = [0, 1, 3, 2] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %collapsed_6 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x2x8x48xf32> into tensor<2x8x48xf32>
    %3 = tensor.empty() : tensor<2x48x48xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %5 = linalg.batch_matmul ins(%collapsed, %collapsed_6 : tensor<2x48x8xf32>, tensor<2x8x48xf32>) outs(%4 : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
    %expanded_7 = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [1, 2, 48, 48] : tensor<2x48x48xf32> into tensor<1x2x48x48xf32>
    %6 = tensor.empty() : tensor<1x2x48x48xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x2x48x48xf32>) outs(%6 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.truncf %cst_2 : f64 to f32
      %31 = arith.mulf %in, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<1x2x48x48xf32>
    %8 = tensor.empty() : tensor<48x48xi1>
    %9 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_4, %expanded : tensor<1x48xi64>, tensor<48x1xi64>) outs(%8 : tensor<48x48xi1>) {
    ^bb0(%in: i64, %in_12: i64, %out: i1):
      %30 = arith.cmpi sgt, %in, %in_12 : i64
      linalg.yield %30 : i1
    } -> tensor<48x48xi1>
    %10 = tensor.empty() : tensor<48x48xi64>
    %11 = linalg.generic {indexing_maps = [#map3, #map2, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_4 : tensor<48x1xi64>, tensor<1x48xi64>) outs(%10 : tensor<48x48xi64>) {
    ^bb0(%in: i64, %in_12: i64, %out: i64):
      %30 = arith.subi %in, %in_12 : i64
      linalg.yield %30 : i64
    } -> tensor<48x48xi64>
    %12 = tensor.empty() : tensor<2x48x48xi1>
    %13 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %expanded_5 : tensor<48x48xi64>, tensor<2x1x1xi64>) outs(%12 : tensor<2x48x48xi1>) {
    ^bb0(%in: i64, %in_12: i64, %out: i1):
      %30 = arith.cmpi sgt, %in, %in_12 : i64
      linalg.yield %30 : i1
    } -> tensor<2x48x48xi1>
    %14 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %13 : tensor<48x48xi1>, tensor<2x48x48xi1>) outs(%12 : tensor<2x48x48xi1>) {
    ^bb0(%in: i1, %in_12: i1, %out: i1):
      %30 = arith.ori %in, %in_12 : i1
      linalg.yield %30 : i1
    } -> tensor<2x48x48xi1>
    %15 = linalg.generic {indexing_maps = [#map8, #map9, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %cst_1, %7 : tensor<2x48x48xi1>, tensor<f32>, tensor<1x2x48x48xf32>) outs(%6 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_12: f32, %in_13: f32, %out: f32):
      %30 = arith.select %in, %in_12, %in_13 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x48x48xf32>
    %16 = tensor.empty() : tensor<1x2x48xi64>
    %17 = linalg.fill ins(%c0_i64 : i64) outs(%16 : tensor<1x2x48xi64>) -> tensor<1x2x48xi64>
    %18 = tensor.empty() : tensor<1x2x48xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %20:2 = linalg.generic {indexing_maps = [#map1, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x48x48xf32>) outs(%19, %17 : tensor<1x2x48xf32>, tensor<1x2x48xi64>) {
    ^bb0(%in: f32, %out: f32, %out_12: i64):
      %30 = linalg.index 3 : index
      %31 = arith.index_cast %30 : index to i64
      %32 = arith.maximumf %in, %out : f32
      %33 = arith.cmpf ogt, %in, %out : f32
      %34 = arith.select %33, %31, %out_12 : i64
      linalg.yield %32, %34 : f32, i64
    } -> (tensor<1x2x48xf32>, tensor<1x2x48xi64>)
    %expanded_8 = tensor.expand_shape %20#0 [[0], [1], [2, 3]] output_shape [1, 2, 48, 1] : tensor<1x2x48xf32> into tensor<1x2x48x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %expanded_8 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%6 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %30 = arith.subf %in, %in_12 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x48x48xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x2x48x48xf32>) outs(%6 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x48x48xf32>
    %23 = tensor.empty() : tensor<1x2x48x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<1x2x48x1xf32>) -> tensor<1x2x48x1xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22 : tensor<1x2x48x48xf32>) outs(%24 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = arith.addf %in, %out : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x48x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<1x2x48x48xf32>, tensor<1x2x48x1xf32>) outs(%6 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %30 = arith.divf %in, %in_12 : f32
      linalg.yield %30 : f32
    } -> tensor<1x2x48x48xf32>
    %collapsed_9 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<1x2x48x48xf32> into tensor<2x48x48xf32>
    %collapsed_10 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x48x8xf32> into tensor<2x48x8xf32>
    %27 = tensor.empty() : tensor<2x48x8xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %29 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<2x48x48xf32>, tensor<2x48x8xf32>) outs(%28 : tensor<2x48x8xf32>) -> tensor<2x48x8xf32>
    %expanded_11 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [1, 2, 48, 8] : tensor<2x48x8xf32> into tensor<1x2x48x8xf32>
    return %expanded_11 : tensor<1x2x48x8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_2_torch.int64: "0x0800000003000000000000000900000000000000"
    }
  }
#-}
