#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x1x16xf32>, %arg1: tensor<1x2x31x8xf32>, %arg2: tensor<1x2x31x8xf32>) -> (tensor<1x1x24xf32>, tensor<1x2x32x8xf32>, tensor<1x2x32x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x2x1x32xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_24_torch.float32> : tensor<24xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_24_16_torch.float32> : tensor<24x16xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_3> : tensor<16x16xf32>
    %cst_6 = arith.constant 0xFFF0000000000000 : f64
    %cst_7 = arith.constant 0.59460355750136051 : f64
    %cst_8 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_2> : tensor<16x16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_1> : tensor<16x16xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_13 = arith.constant 1.000000e-05 : f64
    %cst_14 = arith.constant 1.600000e+01 : f64
    %cst_15 = arith.constant 1.600000e+01 : f32
    %0 = tensor.empty() : tensor<1x1x16xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x1x16xf32>) outs(%0 : tensor<1x1x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %64 = arith.extf %in : f32 to f64
      linalg.yield %64 : f64
    } -> tensor<1x1x16xf64>
    %2 = tensor.empty() : tensor<1x1x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<1x1x1xf64>) -> tensor<1x1x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x1x16xf64>) outs(%3 : tensor<1x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %64 = arith.addf %in, %out : f64
      linalg.yield %64 : f64
    } -> tensor<1x1x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x1x1xf64>) outs(%2 : tensor<1x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %64 = arith.divf %in, %cst_14 : f64
      linalg.yield %64 : f64
    } -> tensor<1x1x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x1x16xf64>, tensor<1x1x1xf64>) outs(%0 : tensor<1x1x16xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %64 = arith.subf %in, %in_39 : f64
      linalg.yield %64 : f64
    } -> tensor<1x1x16xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x1x16xf64>, tensor<1x1x16xf64>) outs(%0 : tensor<1x1x16xf64>) {
    ^bb0(%in: f64, %in_39: f64, %out: f64):
      %64 = arith.mulf %in, %in_39 : f64
      linalg.yield %64 : f64
    } -> tensor<1x1x16xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x1x16xf64>) outs(%3 : tensor<1x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %64 = arith.addf %in, %out : f64
      linalg.yield %64 : f64
    } -> tensor<1x1x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x1x1xf64>) outs(%2 : tensor<1x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %64 = arith.divf %in, %cst_14 : f64
      linalg.yield %64 : f64
    } -> tensor<1x1x1xf64>
    %10 = tensor.empty() : tensor<1x1x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x1x1xf64>) outs(%10 : tensor<1x1x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %64 = arith.truncf %in : f64 to f32
      linalg.yield %64 : f32
    } -> tensor<1x1x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x1x16xf32>) outs(%12 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1x1xf32>) outs(%10 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.divf %in, %cst_15 : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1x1xf32>) outs(%10 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.truncf %cst_13 : f64 to f32
      %65 = arith.addf %in, %64 : f32
      linalg.yield %65 : f32
    } -> tensor<1x1x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1xf32>) outs(%10 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.rsqrt %in : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x1xf32>
    %17 = tensor.empty() : tensor<1x1x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<1x1x16xf32>, tensor<1x1x1xf32>) outs(%17 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.subf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x16xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<1x1x16xf32>, tensor<1x1x1xf32>) outs(%17 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.mulf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %cst_12 : tensor<1x1x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.mulf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x16xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_11 : tensor<1x1x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.addf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x16xf32>
    %22 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%cst_10 : tensor<16x16xf32>) outs(%22 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %21 [[0], [1, 2]] : tensor<1x1x16xf32> into tensor<1x16xf32>
    %23 = tensor.empty() : tensor<1x16xf32>
    %24 = linalg.fill ins(%cst_0 : f32) outs(%23 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %25 = linalg.matmul ins(%collapsed, %transposed : tensor<1x16xf32>, tensor<16x16xf32>) outs(%24 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %expanded = tensor.expand_shape %25 [[0], [1, 2, 3]] output_shape [1, 1, 2, 8] : tensor<1x16xf32> into tensor<1x1x2x8xf32>
    %26 = tensor.empty() : tensor<1x2x1x8xf32>
    %transposed_16 = linalg.transpose ins(%expanded : tensor<1x1x2x8xf32>) outs(%26 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
    %concat = tensor.concat dim(2) %arg1, %transposed_16 : (tensor<1x2x31x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x32x8xf32>
    %transposed_17 = linalg.transpose ins(%cst_9 : tensor<16x16xf32>) outs(%22 : tensor<16x16xf32>) permutation = [1, 0] 
    %27 = linalg.matmul ins(%collapsed, %transposed_17 : tensor<1x16xf32>, tensor<16x16xf32>) outs(%24 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %expanded_18 = tensor.expand_shape %27 [[0], [1, 2, 3]] output_shape [1, 1, 2, 8] : tensor<1x16xf32> into tensor<1x1x2x8xf32>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<1x1x2x8xf32>) outs(%26 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
    %concat_20 = tensor.concat dim(2) %arg2, %transposed_19 : (tensor<1x2x31x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x32x8xf32>
    %transposed_21 = linalg.transpose ins(%cst_8 : tensor<16x16xf32>) outs(%22 : tensor<16x16xf32>) permutation = [1, 0] 
    %28 = linalg.matmul ins(%collapsed, %transposed_21 : tensor<1x16xf32>, tensor<16x16xf32>) outs(%24 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %expanded_22 = tensor.expand_shape %28 [[0], [1, 2, 3]] output_shape [1, 1, 2, 8] : tensor<1x16xf32> into tensor<1x1x2x8xf32>
    %transposed_23 = linalg.transpose ins(%expanded_22 : tensor<1x1x2x8xf32>) outs(%26 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_23 : tensor<1x2x1x8xf32>) outs(%26 : tensor<1x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.truncf %cst_7 : f64 to f32
      %65 = arith.mulf %in, %64 : f32
      linalg.yield %65 : f32
    } -> tensor<1x2x1x8xf32>
    %30 = tensor.empty() : tensor<1x2x8x32xf32>
    %transposed_24 = linalg.transpose ins(%concat : tensor<1x2x32x8xf32>) outs(%30 : tensor<1x2x8x32xf32>) permutation = [0, 1, 3, 2] 
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_24 : tensor<1x2x8x32xf32>) outs(%30 : tensor<1x2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.truncf %cst_7 : f64 to f32
      %65 = arith.mulf %in, %64 : f32
      linalg.yield %65 : f32
    } -> tensor<1x2x8x32xf32>
    %collapsed_25 = tensor.collapse_shape %29 [[0, 1], [2], [3]] : tensor<1x2x1x8xf32> into tensor<2x1x8xf32>
    %collapsed_26 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x2x8x32xf32> into tensor<2x8x32xf32>
    %32 = tensor.empty() : tensor<2x1x32xf32>
    %33 = linalg.fill ins(%cst_0 : f32) outs(%32 : tensor<2x1x32xf32>) -> tensor<2x1x32xf32>
    %34 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<2x1x8xf32>, tensor<2x8x32xf32>) outs(%33 : tensor<2x1x32xf32>) -> tensor<2x1x32xf32>
    %expanded_27 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [1, 2, 1, 32] : tensor<2x1x32xf32> into tensor<1x2x1x32xf32>
    %35 = tensor.empty() : tensor<1x2x1xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<1x2x1xi64>) -> tensor<1x2x1xi64>
    %37 = tensor.empty() : tensor<1x2x1xf32>
    %38 = linalg.fill ins(%cst_1 : f32) outs(%37 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %39:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_27 : tensor<1x2x1x32xf32>) outs(%38, %36 : tensor<1x2x1xf32>, tensor<1x2x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_39: i64):
      %64 = linalg.index 3 : index
      %65 = arith.index_cast %64 : index to i64
      %66 = arith.maximumf %in, %out : f32
      %67 = arith.cmpf ogt, %in, %out : f32
      %68 = arith.select %67, %65, %out_39 : i64
      linalg.yield %66, %68 : f32, i64
    } -> (tensor<1x2x1xf32>, tensor<1x2x1xi64>)
    %expanded_28 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
    %40 = tensor.empty() : tensor<1x2x1x32xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27, %expanded_28 : tensor<1x2x1x32xf32>, tensor<1x2x1x1xf32>) outs(%40 : tensor<1x2x1x32xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.subf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x1x32xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x2x1x32xf32>) outs(%40 : tensor<1x2x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.exp %in : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x1x32xf32>
    %43 = tensor.empty() : tensor<1x2x1x1xf32>
    %44 = linalg.fill ins(%cst_0 : f32) outs(%43 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<1x2x1x32xf32>) outs(%44 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x1x1xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %45 : tensor<1x2x1x32xf32>, tensor<1x2x1x1xf32>) outs(%40 : tensor<1x2x1x32xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.divf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x1x32xf32>
    %47 = tensor.empty() : tensor<1x2x1x32xi1>
    %48 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_27 : tensor<1x2x1x32xf32>) outs(%47 : tensor<1x2x1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %64 = arith.extf %in : f32 to f64
      %65 = arith.cmpf oeq, %64, %cst_6 : f64
      linalg.yield %65 : i1
    } -> tensor<1x2x1x32xi1>
    %49 = tensor.empty() : tensor<1x2x1x1xi1>
    %50 = linalg.fill ins(%true : i1) outs(%49 : tensor<1x2x1x1xi1>) -> tensor<1x2x1x1xi1>
    %51 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<1x2x1x32xi1>) outs(%50 : tensor<1x2x1x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %64 = arith.andi %in, %out : i1
      linalg.yield %64 : i1
    } -> tensor<1x2x1x1xi1>
    %52 = linalg.generic {indexing_maps = [#map5, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %cst_2, %46 : tensor<1x2x1x1xi1>, tensor<1x2x1x32xf32>, tensor<1x2x1x32xf32>) outs(%40 : tensor<1x2x1x32xf32>) {
    ^bb0(%in: i1, %in_39: f32, %in_40: f32, %out: f32):
      %64 = arith.select %in, %in_39, %in_40 : f32
      linalg.yield %64 : f32
    } -> tensor<1x2x1x32xf32>
    %collapsed_29 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<1x2x1x32xf32> into tensor<2x1x32xf32>
    %collapsed_30 = tensor.collapse_shape %concat_20 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %53 = tensor.empty() : tensor<2x1x8xf32>
    %54 = linalg.fill ins(%cst_0 : f32) outs(%53 : tensor<2x1x8xf32>) -> tensor<2x1x8xf32>
    %55 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<2x1x32xf32>, tensor<2x32x8xf32>) outs(%54 : tensor<2x1x8xf32>) -> tensor<2x1x8xf32>
    %expanded_31 = tensor.expand_shape %55 [[0, 1], [2], [3]] output_shape [1, 2, 1, 8] : tensor<2x1x8xf32> into tensor<1x2x1x8xf32>
    %56 = tensor.empty() : tensor<1x1x2x8xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<1x2x1x8xf32>) outs(%56 : tensor<1x1x2x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_33 = linalg.transpose ins(%cst_5 : tensor<16x16xf32>) outs(%22 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_34 = tensor.collapse_shape %transposed_32 [[0], [1, 2, 3]] : tensor<1x1x2x8xf32> into tensor<1x16xf32>
    %57 = linalg.matmul ins(%collapsed_34, %transposed_33 : tensor<1x16xf32>, tensor<16x16xf32>) outs(%24 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %expanded_35 = tensor.expand_shape %57 [[0], [1, 2]] output_shape [1, 1, 16] : tensor<1x16xf32> into tensor<1x1x16xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_35 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%17 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.addf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x1x16xf32>
    %collapsed_36 = tensor.collapse_shape %58 [[0], [1, 2]] : tensor<1x1x16xf32> into tensor<1x16xf32>
    %59 = tensor.empty() : tensor<16x24xf32>
    %transposed_37 = linalg.transpose ins(%cst_4 : tensor<24x16xf32>) outs(%59 : tensor<16x24xf32>) permutation = [1, 0] 
    %60 = tensor.empty() : tensor<1x24xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<1x24xf32>) -> tensor<1x24xf32>
    %62 = linalg.matmul ins(%collapsed_36, %transposed_37 : tensor<1x16xf32>, tensor<16x24xf32>) outs(%61 : tensor<1x24xf32>) -> tensor<1x24xf32>
    %63 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%62, %cst_3 : tensor<1x24xf32>, tensor<24xf32>) outs(%60 : tensor<1x24xf32>) {
    ^bb0(%in: f32, %in_39: f32, %out: f32):
      %64 = arith.addf %in, %in_39 : f32
      linalg.yield %64 : f32
    } -> tensor<1x24xf32>
    %expanded_38 = tensor.expand_shape %63 [[0], [1, 2]] output_shape [1, 1, 24] : tensor<1x24xf32> into tensor<1x1x24xf32>
    return %expanded_38, %concat, %concat_20 : tensor<1x1x24xf32>, tensor<1x2x32x8xf32>, tensor<1x2x32x8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_24_torch.float32: "0x040000000CC0B53DB6FE0CBE382C543D18C769BD9C48333E16DE5F3E92575E3E6041383C20F6163E88C77FBE0A2B16BE3803373D00BFB63A8AFA48BEFC9DE2BDB821EFBD96A27DBEC051C33C80832E3E54CDCF3DA044F3BD6E136BBEF0884EBE80F4973B",
      torch_tensor_24_16_torch.float32: "0x04000000C07E8FBCAACA71BE149B13BE00A2CF3D70A8ADBDDAB2303ED2604A3E10F6143DF0F1A1BCD085A2BD201E4FBCB0633A3DBE8B43BE48BB74BDE8F054BE0A1F1D3EB40723BE02DE693ED8FB83BDF4A712BEF4FDF53D30A8183DCC44313E98BED53D6A9D76BEE4EA213E58D540BD084AE2BDE492223E64B53A3E9A0161BEE02FB9BC983A523E744AC63D12AC573E3476AFBD70380DBE0A235C3ED069D53D6AC1753E54DCD5BD7E5E24BE500DF0BC620B71BEF8B0C83D98D23C3E78D1753D405BCABC54DAFD3D107F22BE246E7A3E4E8D7EBEE63B75BE10F971BDB81C513EC00ECD3CA4A1C43D56A63BBE18B8BA3DC0D9E4BCC038CD3D50CC343E688EDE3D2036AEBC604F7CBCE28E20BE0431B9BDCA5B263E6C4FCDBD76FC1E3E3C06CBBD087D6EBD0058AE3B20EC6ABE009823BB006ECEBC20FCB7BCB0B34CBD18D3493EBAEC3C3E80812DBE74D6ED3D4CCD48BE32F059BE58829C3D80C9703BECD9EEBDB8E976BEB436C6BDFC01AB3D38F46CBEF6B178BEE0EA013D686C38BECC4660BE3C44C5BD68DD24BDE8A068BE34F02ABE7048863C986671BE80ED0FBDC64C25BE007831BE5C3BC93D620A45BE6C0142BEF8FD113E18743F3D7A24693EF4DA88BDC04DF7BD0089BDBC00C9A53AA83C433E18FF7EBEB0D191BCFC7BE23D90F90CBE841502BEE06EF73DA04B75BE88A4723D163146BEE47EFE3DEEE35ABED8631D3E845672BE622F57BE0073713B9CB9493EBE3C5BBEF061E4BD20D7603EE0B82BBD1C1DD43D844576BEA403A1BD4A0102BEDCD2573E1C80D43D06CC3ABEB018253D004F3CBB885DD2BD143212BEC0E6A9BD36C9493EA28337BE225C36BE38F69DBDC0828E3B5C5F8B3D80D3F53BC88076BDC4391BBE30BD37BD781BCEBD6CD44E3E5E3179BEBA4A23BE724750BE98243BBD767E473EE064603EB6DC5EBE807731BC6A43163E34B0E13DCAB0513E403BE3BB2A012CBE105A293E8092AFBDA28D043ED8597CBDF0A5D93DC840663E020B6E3E06FA68BEC65629BEECB1D3BD604023BECCA1753E80E0B4BCB0D029BEA8D5E3BDC4670DBEFCE3D03DDA4B5FBEF8B16EBED85A7CBEA86DDC3D2829FD3D0AFF1EBE18EE7D3DACF93C3EE0C9143DD8A858BDA04F973C309ADBBC52E5003EB0D32DBE78D1013EA249103E9A1A1BBE500A513E76707B3E58D8C9BD88688FBD7428FF3D3E8E48BE7879CA3D70E76E3D4A5D213E045D5EBE50AE54BE40F4E53D8C6DB83DB2466EBEC6C20EBE083C6ABE7E6737BEA403E7BD90D9533E00D44BBDAE08133E4A1E733EBC55E93D822C65BE34D3003E644BC33DB26A463EF4867CBEB0711D3EEE8B513E622C6EBE5046D63C528A5A3EDE303ABE40FFA73DC03DE23DAC30863DDC887E3E8A9B513EECA25B3ED046FFBCDEB5563ED4916EBE26250ABEA8035BBDD41798BD42776C3E1C7EF13DEED0243E34222E3EA03B3FBE9033EDBC7887153DD82A853DC0A4033E70BACBBDB8629ABDAE34563EAC6989BD04D431BE04942D3E105A2D3ED88BA0BDD8B74CBDB4E53CBEB4C855BE9089C03DFCB8DABDEACC4B3E8AFB4CBEE08A0DBD40E1B03B0A92033E4C304F3E465D2D3E6061E13D3C01EBBD62D236BE580565BE402E4B3C124A783E488042BD806F2CBC9E083ABE60309D3DBC4C223EFC647CBE5A4134BE069F3D3E6872723DA05E7FBC680C373DE0B01BBD5EEF32BECC366FBE8C5F283E1095F3BC7826BEBDAC2784BDD8A00BBE58A597BD0CC15BBE72933F3E4412D13D361B01BE9CC0AEBDD0B3E53DAC98BDBDDC02873D90F98C3D782621BEBC41803D409C7A3C16965F3E7840B9BD7C9E83BDDC915C3EDA0C51BE00F7933C16A8763E7C90E5BD326C753EC228633EBE2A6E3E306DC3BC0C96673E9C16DFBDA042AFBDB4A7C13D3051583D66200D3E2048733ED24020BEB4DD073E0C4CAB3DB40E073EB8C6F23D1886BFBDC6544ABE04E64C3EF6FA11BEF2AA233E72E073BE882731BD00A72D3B182D313D408BA53C9C55A13DA008E4BC38C87A3D66557D3E34A525BEE0A05FBC3471C3BD3A9F603E6E255B3EC063DFBBD479B1BD7A2C1EBE9A2D373E60088DBC6E1A713EB0FC113EF613603EF8794A3E105C26BE10DD953D2C4ED4BDE672003EA022B8BC904BB13C460D31BE34CB64BE2CCEC03D70F66D3D20E5B13CB2DF2D3E50CCD5BD",
      torch_tensor_16_16_torch.float32_3: "0x040000007E6944BE5CA595BD08EDA73D1C4760BEB8560C3E9C42053ECAC51E3E4A3623BEECF97E3E38BF17BE3E937F3E46AE75BE9C1664BEF83B1D3EE00AD63CA04B6C3C1CC30DBE7CC5D6BDD0B395BD406279BE20DD543C801A353D00F05DB92057A53DE6E7723EF421883DD86DBBBD40B6D2BD4CCA23BECA7631BE40EA24BD401C35BD04C5E33D00D9DABD8A154C3E50A133BE00443A3A9E1F663E06907E3E884A14BE7067363D50EAF13C540DF0BDB4E4B0BD60AD8A3D740332BEA0F4283D188EDD3D90C3C9BDE6A4543EA0C786BC084DE83DB8847D3E90809CBDCC1C0B3E6C7292BD289415BDD8892DBD0093CBBADC6AC1BD2003703DC0561A3C9A46223E58434FBDB05FCD3C8475BEBD5E6356BE8C30CF3D6807033D340CCDBD181CADBD20E6853D102839BD324A273EA002683CB466C13D9413DF3D50417BBD4086DD3D32E93C3EC07D3C3CB863483DA0D4143CFE3E313EFC29D8BDF61408BE181BDF3DE8CC5EBE8056833BD876EBBDF6F7283E94586EBE9C381B3E7C467D3E40324F3D907388BC5AFE7B3EECCDDABD101DA4BC1435E0BDB05A0DBD188E5E3D50C4083D706841BD8EF57FBE60BB513CC0A9F2BB180C1A3DFA28443E9CD5783E5CE117BE60677FBC1825CDBDF8F06BBEDE473ABE8A45703E7E43153EBC82093E30450E3EFA624BBE5014D73C50436E3EB8DE0EBE74BC633EC492863D6E1B343EA055DBBD840AEC3DDCF062BEF00982BC38C7AA3DC48B993D0E39563E6A8F7B3ED6E5683E5CE02B3EE0FB333E602004BD02AB46BE7C11BEBDF0EAE5BCC6560ABE18DC023ED8B9B33D7039253DB05B773D40E2603E887CBA3D1A7F60BE52D339BEF0A9E13DC88C0B3DB8B2F93D1CAC7FBE2A416CBE68FC1C3ED2BF233E249B67BE0059C23D68E547BEECDE413E24A9A03D24217D3EF8697CBEF27176BE06152D3E6048633E98D81C3E4A322A3E189F57BEDA4B393EA0B371BE68C3643D5CB027BE345DCBBD8851353DE44EC9BD300522BD9EA472BE246071BE7454C63DF4B7D8BD6CBF1BBEB006CABD2C4C51BE7EA54CBEEE2E193E281C023E8066083DACD70BBEC857AA3D8003383CCCF436BEB85A5C3D6819693EA0CD7BBE7C907EBE3033033D12C6403EFCC51BBEA06B613DD8F6333EA4DB9D3DC89A5D3DF86A7F3EEAC6263E38FB0FBEA005B13C88C8023ED2C4613EECB37EBE18A00A3E60A694BD3EAE7ABE284D633DB25E0BBE001D113D0C3526BEBEA540BE60C6ADBC74FEABBDB2B9153E2093B03CB0D2473E90E63F3DB0A3A4BDBC652D3E80D35F3C4032403DB8ABA4BD00326B3A40E344BD901DAEBC2CA647BE0085C9BAC87D54BE404B5CBD245D143E7A0232BEA88E2CBE68097ABD4C5B8CBDB0592D3D00002A3D14D1013E7A5A30BEA08790BCB62D0F3EC66E5D3E706495BC742014BE4C2E933D44C9113E9CEF1FBE1C8E14BE984DE23D",
      torch_tensor_16_16_torch.float32_2: "0x040000000054F5BA5E54093E16B352BE80663CBEF432C5BDEC4B893D404FA2BBCEFA4A3E70BFB5BC4C7B873DACBB9ABD704849BDB89174BE528B29BEE80ED3BD00BB173C6069CA3D189B193E8C8D2DBEFCF4DEBD98F7B93D4E94543E48BD52BD5C913F3E400D25BD10B5D83C4ACD673ECE7B6DBE662921BEE09E81BDDC93C7BD282F5D3E1AEF25BEC0B0EBBD1ADA32BE76C26FBE047015BE9E0E5C3EBC76E43D0027F83D406A573C3A3F03BEC03E2D3D9E066FBE1AFA38BEC6F903BE2685213E2619163EC811E3BD20CB13BC40BA233E827F7E3E2434CB3DC8550A3DFEA42B3EC0BB16BEF8D03E3D6C7A46BE186E31BED23E04BE8CAAE73DF8E7CD3D6AA417BEC8AD9A3D6E890C3E203F01BD40641C3C00446D3D00D11E3E48CF753E964745BEECA1BBBD9838C93DD01B543EE8C55E3E22E2613E78CA4B3DF89C5EBE9066BC3CAC2720BE8C946EBE3E74633EF0A6423EFE5D7FBE08AA3F3DC8802CBDB88228BD1C5FEABD8CE4C43D34A117BEDCB1BB3D1676013E5C43373E4871BF3D4A5F7DBE001126BE38A6FF3D1853563D96B347BEE86813BEF2D4703E547F2C3EB03EDFBDD4DC80BD78DD73BE803E93BB78C840BEA27745BE20B061BCA0BF193DF4ADD1BD98E7173E38C91BBE6849683ED06F2F3E64E157BE88DB7EBD80D2383C1867153DD0DD723D5CECC83DE059753CCCD1F9BDD445F23D569175BEA0BB17BE3C2B80BDEC66F9BD5C1DB3BDBAD251BE00D259BDF8E25A3D76C626BE403452BC0042373EF088D2BC80ACE33BC0ADB0BC103D4F3D60C6223EBA7E723E0693223EC40C733E601D94BC66F865BE40BAF2BDCE4F2E3E006BD4BADC7CFEBD022D44BE00946FBEEC1058BE70B44FBD56640C3E74670A3E02E576BE2EB01F3E8A5248BEF07B58BD1C9ACFBDF03C45BD100E49BDBAB865BE440A5DBE283C20BD80E1533BB896E8BDB8DEC03D3A6A66BEC0368ABCA221613E38D7D0BD362B673E386CB93DAE0767BE74F8213EF053ECBC708FE4BD14B64C3E54DF4EBEB0C2DB3CC06456BD16D0363E08EC8E3DCC04F63D40D1B43D003F76BD505A57BD00F752BE4CB60A3E26424B3E5C292F3EAC9334BE60AE363C907634BE88EC0CBE302C15BE34F9AE3DC48D18BE00BAB2BBA04F2C3C0406253EFA8341BE44BF2FBE3CA614BED62E333ECC0BB8BDE0EE573EA024B93D40AA013D00EDF3BA086D4ABD407A003D30D369BD003EE6BAC0A7023D983E48BE7A2D06BED8B74E3E86C14FBE200F93BCC03E7D3E10F4B83DC0F0E73B26DA5DBE2CA2FD3D085836BEA85691BDCCC8ABBD38A417BD8036333B9626533E80ABFF3C204C653E30991C3EC6D821BE54A2E53D24F734BE9CFFD8BD4097963DF00EA93DF20E403E28D2A4BD00D4D1397ACB033E5A9377BE4215393E30B153BE00D0613BE0182EBD0AD406BED857073DF2B0533EE8AA95BD56FC17BE845BBDBD",
      torch_tensor_16_16_torch.float32_1: "0x04000000880E8EBD14DFBEBD40E5803D689AB53D1026FABD300AB53C745C143EF0C4CBBCA8D19B3DB8F976BDB074B33DE67139BE0E8916BE74F101BE4C446B3E64C589BD00F032BACC0FF8BDF08F7F3E0E077A3E601241BE10884FBED40B42BE00089EBAC48282BD4E9027BEE0A3B7BD1877413DF4C105BE88E6623DC8D16ABDB018F8BDC8AE0C3D847F523E88132DBE00323E3C20CFBCBDE4367B3E26E272BED26A75BE30427C3EF8F721BE2053443D40C1B0BC78B657BD48B564BD3CAC223EC0C6433CCE3E79BED82117BE7C8AAEBDCAD2003E8EAA25BE2E63713E281364BD18DF37BD4297483EE6AA003E6A1E593EEE14143E34519BBD54D929BEA06098BC0EE0533E5CD6ABBD1E686DBE24E2D13D6C35793E00C291BD5AF953BE103568BE904E803DF0129BBCD84601BEA8FB4E3DC06FC23D069A4B3EFCC0463EB04619BD7EBB61BED85367BE48066F3E1055E23D402FDF3D207F5DBE5E0F6D3E1485723EDA21673E30F557BE8830C1BD4A1130BE566C723E04FFDBBD84C1E9BD281F063EE8D8ECBDDC2BFCBD4024B3BC50DAC4BC226B47BE466B553EB4DAE1BD309DB53D24AA5E3EE21A013E50FA103DC4D1593E08A7093D54E1ECBD062D723E605C723D38C679BE18C391BDFE602EBEE272603E001C29BDB25969BE80BE80BC74C5203E9004853D8CE5A13D5034BE3C18E2BE3DE87F79BD78ACCBBD0E496FBEB0DA40BEF0E6DD3DBE9417BEE0E8123D106DA33DA001913C40FA25BEF0D1743E26DD14BE668F523E6EA64BBE585276BD8A410B3E7C31D1BD0E0D573E062B30BE44FB56BEE0DEE6BDB087253DA8B66B3EE46DF4BD0C1BB73DAC5C80BD28115EBDD83C3C3E7A6546BE6086D93CA8BE703EC8B50CBDA6C4463E84AC9DBD00124E3EF6A277BE289513BDA8DC33BD78EEA53D24DFC83DA68F443EC88F18BD606D22BCCA4F2F3E90888ABD106B603EAA722ABE209DDDBC00005CBCA075E43D66052F3ED04E22BD4E1754BE28B1FD3DCC27993D88ABCD3D0AEB1DBEAEC2243EC078723E30B5B13CCC1D6FBE9CB5333EC0CF3DBE98636B3D30CE143D7CA2EFBDB046B23D8AF964BEC839693D9C4A22BE3075DDBC48B7033D08195A3E1C49F4BDBA00243E281502BDBC29F3BDBAEC5EBE7CE26ABE28037A3E98627FBD20974C3C3CCF8A3DEE022E3E487D5A3ED29E4F3E84AA3DBEE00F24BD1E7C17BE1C4412BE68E6723D3C4B703E26154DBEAEEE1A3E3CBA04BEE87247BD92344B3E309967BD707BBA3CCCF332BEECEA593E505F04BD683C3BBE3CEB953D3C0536BE4C234BBE6086793CCCF74A3E48E390BD40FBF03D7AFC5B3E78CB293EA24906BE6080E0BC601EA1BD00DB4DBE00A0D838969F403E1AAF573E7014BF3CF092683DE8A7DDBD5A3D413E2C0CD5BDC4D431BE78B01D3D5271193EB4CE66BE6A6A673EAC2EB83D5C5B33BEC8935CBDB8195E3E",
      torch_tensor_16_16_torch.float32: "0x04000000E6BB7DBE1C1DE73D20E5F5BDD0D62ABE627B13BE5230133E2492073E507C443ED8B6B93DC4FCAABDD4138FBD9842973DDE70523E74358B3D1C40F2BDFCADF0BD420A72BEB03B5D3DA8A90FBE503E64BEFA7A603ED03F26BED0FBE8BC48AF923DE07D023CFA412CBE2CEE4EBE980D4C3E30BF263D4662543EA8A4ABBDF8CF963D182A6ABD602736BC52EA1BBEAC28AD3D80E0A13D40FDA8BBC04C66BD58CE1DBE1409313E94923EBEACBFD13D6C29ACBD0C06F7BDE0F4373D22FB04BE40EF6B3D1018493DCA133EBE987E2A3D6413DA3D5CAACA3D58E600BD9ADD51BE90DA1DBD50D2B13D2CD1BABD7458C23D867C2A3EBAAB05BE8093213B24B6D33D9084A03C9012AB3C70B9FF3CFA4049BEE0F2A03CB445313E64AF663ED876163E1838093D7C1CEF3DDC13F9BDEC2454BECA235CBE5A637F3E8E81223EB2F430BEF450C83DAA52413EC2E67F3E58D85F3E4456463EF0C26ABDA0AEB3BD4230523E0A750F3E300E1ABEFE25663E9060F73D008E0B3E6A7420BE88E4923DEC7CB3BDFC06483E584238BDF853C73D80E2353DF8D6D93DE0FDADBDF4A2F93DFECE32BE8846673D20352DBEBA8D7CBE10954DBEB61A4A3E50810A3EE82E703E48164D3EA09E64BECEB32EBEE87525BD324126BEF8C3313EBA8941BE38CEF9BDC45177BEC65711BEE28D523E429A513E2441373E22AA453EBAA1633EB01A83BDF447E13D0414643E1461A93DCAEA7F3E18C7043E58241F3E2C32B3BDF4ABF53D2054EB3C888C74BD4A4F10BE56A50FBEB2FC44BE4EDC2B3E96FF353EA016E9BCC42414BE22DD453E8CB5233E703C983CB8BBF1BDB8466B3EAC60D13D5A5742BE6203753E5266423E8C9EBABD5CE90F3ED67411BEB87920BDB25E593E403E293C400C35BE9420ABBDDCFA8ABD208F45BDB0FEC33CA2C16C3E204D5B3C8C101EBE00F0513C587FF53DFCF8FD3DE0F769BEB03C37BDB83E3EBE8876DABD6078B83D18CB35BEFC52BE3D8649593E3053863CF09E2ABE2071B7BDD89A5F3D462743BEEC5DFE3D246A68BE521776BEC0BE78BE68BB4FBD90242C3E724C72BEAEC8543ECCCFCCBDE8F4953D20CA3A3C10D766BEE84E543E6ED7093E80767E3E9655013E48FA28BE48A7553E20235C3C80CCF23DAC444DBEC84393BD545C7BBE906BC7BDA0E85C3D5C0049BE1035A33D2C6C093E18A70E3D0C492BBE5A7B46BEE4F59DBD20BFE03D7A847C3E1A35133EB09FE6BC0084B33DF0267BBE62A65ABE3CE7EE3D960011BE2C52F63DF8B734BE6499FDBD48DD52BE5A97053E60AED0BC9404453E686E1E3EDCA70D3E20B6033C944C9EBD68A65EBD1817083DA4CDFD3DDC5933BEEADA563EE0ADDEBC9A8356BEC4820ABE6A83623E741E6A3EAA206DBE6E8E343EF84B003EF887173E24B6583EA6F809BE5CADA13D0487D13DE84A97BDA857AB3D2C4F93BD60461E3E",
      torch_tensor_16_torch.float32_1: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"
    }
  }
#-}
