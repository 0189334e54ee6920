#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x32xi64>) -> tensor<1x32x24xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c24 = arith.constant 24 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x2x32x32xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant dense<true> : tensor<32x32xi1>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_7> : tensor<16x16xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_6> : tensor<16x16xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_5> : tensor<16x16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_4> : tensor<16x16xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_3> : tensor<16x16xf32>
    %cst_11 = arith.constant 0xFFF0000000000000 : f64
    %cst_12 = arith.constant 0.59460355750136051 : f64
    %cst_13 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_2> : tensor<16x16xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_1> : tensor<16x16xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_16 = arith.constant 1.000000e-05 : f64
    %cst_17 = arith.constant dense_resource<torch_tensor_24_16_torch.float32> : tensor<24x16xf32>
    %cst_18 = arith.constant 1.600000e+01 : f64
    %cst_19 = arith.constant 1.600000e+01 : f32
    %0 = tensor.empty() : tensor<1x32x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x32xi64>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %104 = arith.index_cast %in : i64 to index
      %105 = linalg.index 2 : index
      %106 = arith.cmpi slt, %104, %c24 : index
      cf.assert %106, "index must be smaller than dim size"
      %107 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %107, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_17[%104, %105] : tensor<24x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x32x16xf32>
    %2 = tensor.empty() : tensor<1x32x16xf64>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x32x16xf32>) outs(%2 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %104 = arith.extf %in : f32 to f64
      linalg.yield %104 : f64
    } -> tensor<1x32x16xf64>
    %4 = tensor.empty() : tensor<1x32x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<1x32x1xf64>) -> tensor<1x32x1xf64>
    %6 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x32x16xf64>) outs(%5 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.addf %in, %out : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x32x1xf64>) outs(%4 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.divf %in, %cst_18 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%2 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %104 = arith.subf %in, %in_64 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x16xf64>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%2 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %104 = arith.mulf %in, %in_64 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x16xf64>
    %10 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x32x16xf64>) outs(%5 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.addf %in, %out : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x32x1xf64>) outs(%4 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.divf %in, %cst_18 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %12 = tensor.empty() : tensor<1x32x1xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x32x1xf64>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %104 = arith.truncf %in : f64 to f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x32x16xf32>) outs(%14 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %in, %out : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x32x1xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.divf %in, %cst_19 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x32x1xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.truncf %cst_16 : f64 to f32
      %105 = arith.addf %in, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x32x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x32x1xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.rsqrt %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.subf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x16xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.mulf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x16xf32>
    %21 = tensor.empty() : tensor<16x16xf32>
    %transposed = linalg.transpose ins(%cst_15 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %20 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %22 = tensor.empty() : tensor<32x16xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %24 = linalg.matmul ins(%collapsed, %transposed : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<32x16xf32> into tensor<1x32x2x8xf32>
    %25 = tensor.empty() : tensor<1x2x32x8xf32>
    %transposed_20 = linalg.transpose ins(%expanded : tensor<1x32x2x8xf32>) outs(%25 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_21 = linalg.transpose ins(%cst_14 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %26 = linalg.matmul ins(%collapsed, %transposed_21 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_22 = tensor.expand_shape %26 [[0, 1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_23 = linalg.transpose ins(%cst_13 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %27 = linalg.matmul ins(%collapsed, %transposed_23 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_24 = tensor.expand_shape %27 [[0, 1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<1x32x2x8xf32>) outs(%25 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<1x2x32x8xf32>) outs(%25 : tensor<1x2x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.truncf %cst_12 : f64 to f32
      %105 = arith.mulf %in, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x32x8xf32>
    %29 = tensor.empty() : tensor<32xi64>
    %30 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%29 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %104 = linalg.index 0 : index
      %105 = arith.index_cast %104 : index to i64
      linalg.yield %105 : i64
    } -> tensor<32xi64>
    %expanded_26 = tensor.expand_shape %30 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
    %expanded_27 = tensor.expand_shape %30 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
    %31 = tensor.empty() : tensor<32x32xi64>
    %32 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%expanded_26, %expanded_27 : tensor<1x32xi64>, tensor<32x1xi64>) outs(%31 : tensor<32x32xi64>) {
    ^bb0(%in: i64, %in_64: i64, %out: i64):
      %104 = arith.subi %in, %in_64 : i64
      linalg.yield %104 : i64
    } -> tensor<32x32xi64>
    %33 = tensor.empty() : tensor<32x32xi1>
    %34 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<32x32xi64>) outs(%33 : tensor<32x32xi1>) {
    ^bb0(%in: i64, %out: i1):
      %104 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %104 : i1
    } -> tensor<32x32xi1>
    %35 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%34, %cst_5 : tensor<32x32xi1>, tensor<32x32xi1>) outs(%33 : tensor<32x32xi1>) {
    ^bb0(%in: i1, %in_64: i1, %out: i1):
      %104 = arith.andi %in, %in_64 : i1
      linalg.yield %104 : i1
    } -> tensor<32x32xi1>
    %36 = tensor.empty() : tensor<32x32xf32>
    %37 = linalg.generic {indexing_maps = [#map7, #map8, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%35, %cst_3, %cst_4 : tensor<32x32xi1>, tensor<f32>, tensor<f32>) outs(%36 : tensor<32x32xf32>) {
    ^bb0(%in: i1, %in_64: f32, %in_65: f32, %out: f32):
      %104 = arith.select %in, %in_64, %in_65 : f32
      linalg.yield %104 : f32
    } -> tensor<32x32xf32>
    %38 = tensor.empty() : tensor<1x2x8x32xf32>
    %transposed_28 = linalg.transpose ins(%expanded_22 : tensor<1x32x2x8xf32>) outs(%38 : tensor<1x2x8x32xf32>) permutation = [0, 2, 3, 1] 
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_28 : tensor<1x2x8x32xf32>) outs(%38 : tensor<1x2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.truncf %cst_12 : f64 to f32
      %105 = arith.mulf %in, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x8x32xf32>
    %collapsed_29 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_30 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<1x2x8x32xf32> into tensor<2x8x32xf32>
    %40 = tensor.empty() : tensor<2x32x32xf32>
    %41 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %42 = linalg.batch_matmul ins(%collapsed_29, %collapsed_30 : tensor<2x32x8xf32>, tensor<2x8x32xf32>) outs(%41 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %expanded_31 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 2, 32, 32] : tensor<2x32x32xf32> into tensor<1x2x32x32xf32>
    %43 = tensor.empty() : tensor<1x2x32x32xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31, %37 : tensor<1x2x32x32xf32>, tensor<32x32xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.addf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %45 = tensor.empty() : tensor<1x2x32xi64>
    %46 = linalg.fill ins(%c0_i64 : i64) outs(%45 : tensor<1x2x32xi64>) -> tensor<1x2x32xi64>
    %47 = tensor.empty() : tensor<1x2x32xf32>
    %48 = linalg.fill ins(%cst_1 : f32) outs(%47 : tensor<1x2x32xf32>) -> tensor<1x2x32xf32>
    %49:2 = linalg.generic {indexing_maps = [#map3, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<1x2x32x32xf32>) outs(%48, %46 : tensor<1x2x32xf32>, tensor<1x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_64: i64):
      %104 = linalg.index 3 : index
      %105 = arith.index_cast %104 : index to i64
      %106 = arith.maximumf %in, %out : f32
      %107 = arith.cmpf ogt, %in, %out : f32
      %108 = arith.select %107, %105, %out_64 : i64
      linalg.yield %106, %108 : f32, i64
    } -> (tensor<1x2x32xf32>, tensor<1x2x32xi64>)
    %expanded_32 = tensor.expand_shape %49#0 [[0], [1], [2, 3]] output_shape [1, 2, 32, 1] : tensor<1x2x32xf32> into tensor<1x2x32x1xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %expanded_32 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.subf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x2x32x32xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.exp %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %52 = tensor.empty() : tensor<1x2x32x1xf32>
    %53 = linalg.fill ins(%cst_0 : f32) outs(%52 : tensor<1x2x32x1xf32>) -> tensor<1x2x32x1xf32>
    %54 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%51 : tensor<1x2x32x32xf32>) outs(%53 : tensor<1x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %in, %out : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x1xf32>
    %55 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %54 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.divf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %56 = tensor.empty() : tensor<1x2x32x32xi1>
    %57 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x2x32x32xf32>) outs(%56 : tensor<1x2x32x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %104 = arith.extf %in : f32 to f64
      %105 = arith.cmpf oeq, %104, %cst_11 : f64
      linalg.yield %105 : i1
    } -> tensor<1x2x32x32xi1>
    %58 = tensor.empty() : tensor<1x2x32x1xi1>
    %59 = linalg.fill ins(%true : i1) outs(%58 : tensor<1x2x32x1xi1>) -> tensor<1x2x32x1xi1>
    %60 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%57 : tensor<1x2x32x32xi1>) outs(%59 : tensor<1x2x32x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %104 = arith.andi %in, %out : i1
      linalg.yield %104 : i1
    } -> tensor<1x2x32x1xi1>
    %61 = linalg.generic {indexing_maps = [#map11, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %cst_2, %55 : tensor<1x2x32x1xi1>, tensor<1x2x32x32xf32>, tensor<1x2x32x32xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: i1, %in_64: f32, %in_65: f32, %out: f32):
      %104 = arith.select %in, %in_64, %in_65 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %collapsed_33 = tensor.collapse_shape %61 [[0, 1], [2], [3]] : tensor<1x2x32x32xf32> into tensor<2x32x32xf32>
    %collapsed_34 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %62 = tensor.empty() : tensor<2x32x8xf32>
    %63 = linalg.fill ins(%cst_0 : f32) outs(%62 : tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %64 = linalg.batch_matmul ins(%collapsed_33, %collapsed_34 : tensor<2x32x32xf32>, tensor<2x32x8xf32>) outs(%63 : tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %expanded_35 = tensor.expand_shape %64 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %65 = tensor.empty() : tensor<1x32x2x8xf32>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<1x2x32x8xf32>) outs(%65 : tensor<1x32x2x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_37 = linalg.transpose ins(%cst_10 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_38 = tensor.collapse_shape %transposed_36 [[0, 1], [2, 3]] : tensor<1x32x2x8xf32> into tensor<32x16xf32>
    %66 = linalg.matmul ins(%collapsed_38, %transposed_37 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_39 = tensor.expand_shape %66 [[0, 1], [2]] output_shape [1, 32, 16] : tensor<32x16xf32> into tensor<1x32x16xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_39 : tensor<1x32x16xf32>, tensor<1x32x16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.addf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x16xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<1x32x16xf32>) outs(%2 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %104 = arith.extf %in : f32 to f64
      linalg.yield %104 : f64
    } -> tensor<1x32x16xf64>
    %69 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<1x32x16xf64>) outs(%5 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.addf %in, %out : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %70 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x32x1xf64>) outs(%4 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.divf %in, %cst_18 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %71 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %70 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%2 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %104 = arith.subf %in, %in_64 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x16xf64>
    %72 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %71 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%2 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_64: f64, %out: f64):
      %104 = arith.mulf %in, %in_64 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x16xf64>
    %73 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%72 : tensor<1x32x16xf64>) outs(%5 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.addf %in, %out : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %74 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x32x1xf64>) outs(%4 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %104 = arith.divf %in, %cst_18 : f64
      linalg.yield %104 : f64
    } -> tensor<1x32x1xf64>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x32x1xf64>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %104 = arith.truncf %in : f64 to f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %76 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%67 : tensor<1x32x16xf32>) outs(%14 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %in, %out : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x32x1xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.divf %in, %cst_19 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<1x32x1xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.truncf %cst_16 : f64 to f32
      %105 = arith.addf %in, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x32x1xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x32x1xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.rsqrt %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x1xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %77 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.subf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x16xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %79 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.mulf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x16xf32>
    %transposed_40 = linalg.transpose ins(%cst_9 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_41 = tensor.collapse_shape %81 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %82 = linalg.matmul ins(%collapsed_41, %transposed_40 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_42 = tensor.expand_shape %82 [[0, 1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_43 = linalg.transpose ins(%expanded_42 : tensor<1x32x2x8xf32>) outs(%25 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_44 = linalg.transpose ins(%cst_8 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %83 = linalg.matmul ins(%collapsed_41, %transposed_44 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_45 = tensor.expand_shape %83 [[0, 1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_46 = linalg.transpose ins(%cst_7 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %84 = linalg.matmul ins(%collapsed_41, %transposed_46 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_47 = tensor.expand_shape %84 [[0, 1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_48 = linalg.transpose ins(%expanded_47 : tensor<1x32x2x8xf32>) outs(%25 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_43 : tensor<1x2x32x8xf32>) outs(%25 : tensor<1x2x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.truncf %cst_12 : f64 to f32
      %105 = arith.mulf %in, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x32x8xf32>
    %transposed_49 = linalg.transpose ins(%expanded_45 : tensor<1x32x2x8xf32>) outs(%38 : tensor<1x2x8x32xf32>) permutation = [0, 2, 3, 1] 
    %86 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_49 : tensor<1x2x8x32xf32>) outs(%38 : tensor<1x2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.truncf %cst_12 : f64 to f32
      %105 = arith.mulf %in, %104 : f32
      linalg.yield %105 : f32
    } -> tensor<1x2x8x32xf32>
    %collapsed_50 = tensor.collapse_shape %85 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_51 = tensor.collapse_shape %86 [[0, 1], [2], [3]] : tensor<1x2x8x32xf32> into tensor<2x8x32xf32>
    %87 = linalg.batch_matmul ins(%collapsed_50, %collapsed_51 : tensor<2x32x8xf32>, tensor<2x8x32xf32>) outs(%41 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %expanded_52 = tensor.expand_shape %87 [[0, 1], [2], [3]] output_shape [1, 2, 32, 32] : tensor<2x32x32xf32> into tensor<1x2x32x32xf32>
    %88 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_52, %37 : tensor<1x2x32x32xf32>, tensor<32x32xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.addf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %89:2 = linalg.generic {indexing_maps = [#map3, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88 : tensor<1x2x32x32xf32>) outs(%48, %46 : tensor<1x2x32xf32>, tensor<1x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_64: i64):
      %104 = linalg.index 3 : index
      %105 = arith.index_cast %104 : index to i64
      %106 = arith.maximumf %in, %out : f32
      %107 = arith.cmpf ogt, %in, %out : f32
      %108 = arith.select %107, %105, %out_64 : i64
      linalg.yield %106, %108 : f32, i64
    } -> (tensor<1x2x32xf32>, tensor<1x2x32xi64>)
    %expanded_53 = tensor.expand_shape %89#0 [[0], [1], [2, 3]] output_shape [1, 2, 32, 1] : tensor<1x2x32xf32> into tensor<1x2x32x1xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %expanded_53 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.subf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %91 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<1x2x32x32xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = math.exp %in : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %92 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%91 : tensor<1x2x32x32xf32>) outs(%53 : tensor<1x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %104 = arith.addf %in, %out : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x1xf32>
    %93 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91, %92 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.divf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %94 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x2x32x32xf32>) outs(%56 : tensor<1x2x32x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %104 = arith.extf %in : f32 to f64
      %105 = arith.cmpf oeq, %104, %cst_11 : f64
      linalg.yield %105 : i1
    } -> tensor<1x2x32x32xi1>
    %95 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%94 : tensor<1x2x32x32xi1>) outs(%59 : tensor<1x2x32x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %104 = arith.andi %in, %out : i1
      linalg.yield %104 : i1
    } -> tensor<1x2x32x1xi1>
    %96 = linalg.generic {indexing_maps = [#map11, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95, %cst_2, %93 : tensor<1x2x32x1xi1>, tensor<1x2x32x32xf32>, tensor<1x2x32x32xf32>) outs(%43 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: i1, %in_64: f32, %in_65: f32, %out: f32):
      %104 = arith.select %in, %in_64, %in_65 : f32
      linalg.yield %104 : f32
    } -> tensor<1x2x32x32xf32>
    %collapsed_54 = tensor.collapse_shape %96 [[0, 1], [2], [3]] : tensor<1x2x32x32xf32> into tensor<2x32x32xf32>
    %collapsed_55 = tensor.collapse_shape %transposed_48 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %97 = linalg.batch_matmul ins(%collapsed_54, %collapsed_55 : tensor<2x32x32xf32>, tensor<2x32x8xf32>) outs(%63 : tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %expanded_56 = tensor.expand_shape %97 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %transposed_57 = linalg.transpose ins(%expanded_56 : tensor<1x2x32x8xf32>) outs(%65 : tensor<1x32x2x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_58 = linalg.transpose ins(%cst_6 : tensor<16x16xf32>) outs(%21 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_59 = tensor.collapse_shape %transposed_57 [[0, 1], [2, 3]] : tensor<1x32x2x8xf32> into tensor<32x16xf32>
    %98 = linalg.matmul ins(%collapsed_59, %transposed_58 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%23 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_60 = tensor.expand_shape %98 [[0, 1], [2]] output_shape [1, 32, 16] : tensor<32x16xf32> into tensor<1x32x16xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %expanded_60 : tensor<1x32x16xf32>, tensor<1x32x16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_64: f32, %out: f32):
      %104 = arith.addf %in, %in_64 : f32
      linalg.yield %104 : f32
    } -> tensor<1x32x16xf32>
    %100 = tensor.empty() : tensor<16x24xf32>
    %transposed_61 = linalg.transpose ins(%cst_17 : tensor<24x16xf32>) outs(%100 : tensor<16x24xf32>) permutation = [1, 0] 
    %collapsed_62 = tensor.collapse_shape %99 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %101 = tensor.empty() : tensor<32x24xf32>
    %102 = linalg.fill ins(%cst_0 : f32) outs(%101 : tensor<32x24xf32>) -> tensor<32x24xf32>
    %103 = linalg.matmul ins(%collapsed_62, %transposed_61 : tensor<32x16xf32>, tensor<16x24xf32>) outs(%102 : tensor<32x24xf32>) -> tensor<32x24xf32>
    %expanded_63 = tensor.expand_shape %103 [[0, 1], [2]] output_shape [1, 32, 24] : tensor<32x24xf32> into tensor<1x32x24xf32>
    return %expanded_63 : tensor<1x32x24xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_16_torch.float32_7: "0x0400000004B54B3E3A56063E44E6CC3D74DF84BDF0F6073E4C34F63D403EB13D407AECBB60F4183D0063913A26C939BEC0B56D3D7C323CBE506CF83DFA8618BEBC3EA7BD50D1F2BD4C104A3EAC4734BE94B7023E4A64003ED402353EA048803DDE8E0B3E365E4A3E20B4493DCC16AE3DD42C48BE6C5589BD30B2B93CE021F83CE4E3B4BD50C87DBEA02685BDBC03C43D1E6F5C3EEC2C67BE4C72F43D66E972BE32D074BE905120BED84007BD9CFF8E3DDCB042BE8E3B453E7880673E00037C3C4061503E50CAE7BD648BCABD602404BD80C6DF3C049532BE22FD4CBED041CA3D909F933DD46F7A3EC0BFD0BDD0CEB43D989CCEBDA0BFFC3D00E662BC5CC63D3EC0390E3EBC14553EA88E033EE0E2193C1E9D5C3EA85E16BEA674713EEE287A3E6E8C743E782AEFBDCAA407BED092813C886F9F3DA26A003E5C3BD03D36FB593ECC4680BD40F9A7BD5C9FAB3D78AD8E3DF65415BE9017C63C325E42BE7C3496BD3CF2C8BDC467603EC87166BE182617BE7E877ABE1021813D560A45BE20A7A53D08D231BE1CFD23BEBEC802BEB0AB193DC63B6B3E60CC6F3ED0B99ABC4EC07ABEEC26A9BDFC20C3BDE8CC59BD1CA1C33D02D4003E0402E33D1C43923D9C45CFBD00CE2DBB6852023D28C302BEE034B7BC50A6FFBC40DF71BE568C2D3ED00ECFBC3C4D5DBE5A8A4A3E38BF09BE4045B53DE0E07D3E409D3D3CE44D933DAC6ECB3D867B413EE0179DBD5A0E10BE2045A0BC8034483E4017B03C28DF313E00A0F3BA88179D3D606D0E3C4061DE3B569D73BED0CD5FBE2040AA3CF467FD3DFAF72B3EE0B8313CB0D1D73D2C23D63D1AFE5CBEC80161BE147D46BEC0D78C3B7EDF21BEC0D8A3BD703419BD48C3C73D706C6D3D2A7C6D3EDEE8663E225123BE00764EBA0819293DD47C5F3EF8AD9EBD9437C9BD302A22BEEEA23C3EB40D91BDC4C1BFBD8E262D3ED88F6B3E609C2CBCBA7434BEC295503E401BAFBD3CF1EBBD60F933BE203DF6BD827D48BE50C413BE8C3469BED8634EBDCCDCCD3D0C5642BE000CB7B958CEBCBD4CA7F73D22BA5D3E98BE07BD40D800BE84B344BED46716BE84D3933D30F36A3D12DD093ED82718BD988A033E861364BEA8A2893DEE85783EE05C7DBE8AE504BE22E2233EE01920BD887508BE322D1C3EE048893CA06D203C0C839BBD6AE1403EA2000E3EE870373D30461C3D3860043E947D1F3EEC05D2BDC061E0BC90C7E03DB01AF8BD6E5F6F3E1C5C2FBEC842EC3D54E337BED462A43D14CE323EB0E2F63C5044CDBC3CCB223E8AD137BEE4B62CBE1A305ABEA0941DBE009ED43B0C2AE8BDC021643D20380A3CD00E553EE401DEBDEC108CBD1E51293E247681BDD217753E305BCBBD007033BB489D72BD38DFEE3D882EC43DC65308BE66B0283E702282BC2C7981BD003FA5BB8029323EF61E7B3E6822F93DA02E333D0A13273E181AD6BD",
      torch_tensor_16_16_torch.float32_6: "0x04000000483EAABD48FBA43D107AE23D80BC11BC82ED733E9E2F31BEC44EC43DAE92663E380E32BDA03D4B3E400A873B4CB43FBE20720CBE0893BE3D4491DDBD8848763D28F87B3E98EAAD3D00ACBFBC30F47F3D287E13BED41A57BE626F40BE6CCF56BE1025523D4075473D6895D9BD14687ABE2AAD0A3EBC4111BE58F42ABDC0A656BEAC6C10BEFC95D53DA8856EBE3AFB11BE52EE3F3E0E4A03BE6412D5BD94C18FBDECDBDA3DA0ED27BEF057CD3C281AD13DC0AB94BC8828393DFA4943BE9479E73D7859BF3D487100BDC6AD53BE98C9CC3DF60C273E101B33BD2C53F13D08C7BD3D8CC8CCBD402C8EBC0ED57E3E00B39A3A18CE4BBE705B95BC5CB7FE3D0021A7BD201006BE22E3523E506D073E68F82DBDA042513C209AD8BCD0BC6D3DE091113C20EA1ABE88B83D3D8042D63B1069843CF41DC3BD9C2F833D6E034FBE740C993D86B90A3E9063E1BC60DC46BE003C6EBA0010BA39863C5DBE4C1135BEC8C86C3E0C713F3E40E00D3EA258313EDC19C53DEC12103EEA8D293ED8366FBD482C02BD368A363E00D0BCB8649326BE8A8046BEAC2C0F3EBE0C543E10D0463EC0692A3D3AB6303EC80A6BBE427038BEBC5476BE74414E3E804014BB08C2EBBD443FAD3D90A8BFBD222F24BE407AC53D407E3B3D8A5337BE129E28BEB00FF03D0EA8423EC0B8A63CC09500BE503BF73D5897323D6A1F60BE46E625BE4021603D00681E3EB07CA4BDB491F73D488B1EBE9AF9743E4A69363E78CD3F3DF4C8E33D9C41B23D9C1017BE00DE0EBBB887883DA02167BD727D753E2472C5BD36A064BE40C0F3BDF8966DBED2F4523E70D7E5BD601D34BEE062DDBCB67E2CBE44BA05BEEA82023E243440BE8C74F13D60AF3A3E000013BAC458E33D8E660FBE12A2473E64B0783E0857733D6049693E1E407EBE40DFE0BC30764B3D08835EBECC27F93D7021C3BD742EB9BD341D4BBE9050D13DC4453ABE704C59BD4C72E33D4CDB403E608D673D74FFBEBDC8B3DEBD3AB00F3E98FD3D3D7880573EE0CFC03DA23A4E3E7A494EBE3ACE4D3E943DEBBDF40D89BD0021C43A580840BD988D4A3DEC1E643ECAF418BE90339E3D90BF4DBEA8C8203D4EE5523ED49D2C3E943A5B3E3A940A3EF070A9BC74AE853D0CF1D5BD744C593E302E003E1C5F3BBE205A5D3E002073BB801336BC78208CBD141687BDA0014D3CFCF3F9BD0A226EBEFCDD03BEF0C54BBD2651413EE8533C3E0C6219BE80461DBC88C593BDB2F308BE581134BDCCA6B1BD62170F3E98EBFDBD988B1D3DE87610BE3CCC9FBD8087493EFC5BFBBD804B76BC147E743EA83DAF3DC04D02BE04B419BE908BB3BD1855A0BD08EBDE3D20A963BD82E8573E66760CBEB41AA0BDBC68BA3DA2744C3E48E3743E38E6233DA0A62C3CE864E5BD12A5103EE26314BEB89386BDC6F655BE961A76BE78170F3EA0228B3CA4134C3E",
      torch_tensor_16_16_torch.float32_5: "0x04000000A03B3FBE9033EDBC7887153DD82A853DC0A4033E70BACBBDB8629ABDAE34563EAC6989BD04D431BE04942D3E105A2D3ED88BA0BDD8B74CBDB4E53CBEB4C855BE9089C03DFCB8DABDEACC4B3E8AFB4CBEE08A0DBD40E1B03B0A92033E4C304F3E465D2D3E6061E13D3C01EBBD62D236BE580565BE402E4B3C124A783E488042BD806F2CBC9E083ABE60309D3DBC4C223EFC647CBE5A4134BE069F3D3E6872723DA05E7FBC680C373DE0B01BBD5EEF32BECC366FBE8C5F283E1095F3BC7826BEBDAC2784BDD8A00BBE58A597BD0CC15BBE72933F3E4412D13D361B01BE9CC0AEBDD0B3E53DAC98BDBDDC02873D90F98C3D782621BEBC41803D409C7A3C16965F3E7840B9BD7C9E83BDDC915C3EDA0C51BE00F7933C16A8763E7C90E5BD326C753EC228633EBE2A6E3E306DC3BC0C96673E9C16DFBDA042AFBDB4A7C13D3051583D66200D3E2048733ED24020BEB4DD073E0C4CAB3DB40E073EB8C6F23D1886BFBDC6544ABE04E64C3EF6FA11BEF2AA233E72E073BE882731BD00A72D3B182D313D408BA53C9C55A13DA008E4BC38C87A3D66557D3E34A525BEE0A05FBC3471C3BD3A9F603E6E255B3EC063DFBBD479B1BD7A2C1EBE9A2D373E60088DBC6E1A713EB0FC113EF613603EF8794A3E105C26BE10DD953D2C4ED4BDE672003EA022B8BC904BB13C460D31BE34CB64BE2CCEC03D70F66D3D20E5B13CB2DF2D3E50CCD5BD0CC0B53DB6FE0CBE382C543D18C769BD9C48333E16DE5F3E92575E3E6041383C20F6163E88C77FBE0A2B16BE3803373D00BFB63A8AFA48BEFC9DE2BDB821EFBD96A27DBEC051C33C80832E3E54CDCF3DA044F3BD6E136BBEF0884EBE80F4973B161B303E9058CFBD164D0BBE9A9008BEF04AB1BC921C73BEE2E761BE06017C3E582EF4BD40B138BDACFC88BDC8E560BE308634BD54BB9C3DC8E6CFBD20922EBC00BF9CBA68D97EBE160A3A3E32CA4E3ECE8A2E3ED423A8BDB4C6053E26DA6FBEF0527DBDF84350BD08D0B4BD400AD73DFC4BE9BD005FEDBC7CD793BDBE6770BEA01A29BD34F458BE5046153E90D2083E9AD16F3E58EEABBD604A503C9097483D408B7F3E2EA76A3E787D04BEC2D459BED4BA66BE008FF6BDCA3D573E7CF4AB3D9E00773EA6C03D3E80876D3B9AA91EBEF2FB793E185B4D3EB4AADD3DECD70BBEE8AB493E9066BA3CA046293E18B1D53D2AF0073E44A260BE7AF20DBEA08A193E005655BDFEB65EBE64CE683E0028B1BBD6824E3E0A1848BE4847B03DB8DAC0BD1C75D7BD509355BDC483BDBD1E470C3E208F42BD8E1A423ED8A8693D40391EBD8EDD13BE8C696ABEA05C95BD68106DBE98B73DBD80E4853B20FB83BCC880FBBD28AE313E8E2C103E484A7CBD504BCABDD6F1203EEAB95E3E4A676ABEA03E5DBD100FBEBC0C60B9BDAE8C5A3EA84117BD9A0C593E00FEA13A3026DEBC425315BE",
      torch_tensor_16_16_torch.float32_4: "0x04000000C07E8FBCAACA71BE149B13BE00A2CF3D70A8ADBDDAB2303ED2604A3E10F6143DF0F1A1BCD085A2BD201E4FBCB0633A3DBE8B43BE48BB74BDE8F054BE0A1F1D3EB40723BE02DE693ED8FB83BDF4A712BEF4FDF53D30A8183DCC44313E98BED53D6A9D76BEE4EA213E58D540BD084AE2BDE492223E64B53A3E9A0161BEE02FB9BC983A523E744AC63D12AC573E3476AFBD70380DBE0A235C3ED069D53D6AC1753E54DCD5BD7E5E24BE500DF0BC620B71BEF8B0C83D98D23C3E78D1753D405BCABC54DAFD3D107F22BE246E7A3E4E8D7EBEE63B75BE10F971BDB81C513EC00ECD3CA4A1C43D56A63BBE18B8BA3DC0D9E4BCC038CD3D50CC343E688EDE3D2036AEBC604F7CBCE28E20BE0431B9BDCA5B263E6C4FCDBD76FC1E3E3C06CBBD087D6EBD0058AE3B20EC6ABE009823BB006ECEBC20FCB7BCB0B34CBD18D3493EBAEC3C3E80812DBE74D6ED3D4CCD48BE32F059BE58829C3D80C9703BECD9EEBDB8E976BEB436C6BDFC01AB3D38F46CBEF6B178BEE0EA013D686C38BECC4660BE3C44C5BD68DD24BDE8A068BE34F02ABE7048863C986671BE80ED0FBDC64C25BE007831BE5C3BC93D620A45BE6C0142BEF8FD113E18743F3D7A24693EF4DA88BDC04DF7BD0089BDBC00C9A53AA83C433E18FF7EBEB0D191BCFC7BE23D90F90CBE841502BEE06EF73DA04B75BE88A4723D163146BEE47EFE3DEEE35ABED8631D3E845672BE622F57BE0073713B9CB9493EBE3C5BBEF061E4BD20D7603EE0B82BBD1C1DD43D844576BEA403A1BD4A0102BEDCD2573E1C80D43D06CC3ABEB018253D004F3CBB885DD2BD143212BEC0E6A9BD36C9493EA28337BE225C36BE38F69DBDC0828E3B5C5F8B3D80D3F53BC88076BDC4391BBE30BD37BD781BCEBD6CD44E3E5E3179BEBA4A23BE724750BE98243BBD767E473EE064603EB6DC5EBE807731BC6A43163E34B0E13DCAB0513E403BE3BB2A012CBE105A293E8092AFBDA28D043ED8597CBDF0A5D93DC840663E020B6E3E06FA68BEC65629BEECB1D3BD604023BECCA1753E80E0B4BCB0D029BEA8D5E3BDC4670DBEFCE3D03DDA4B5FBEF8B16EBED85A7CBEA86DDC3D2829FD3D0AFF1EBE18EE7D3DACF93C3EE0C9143DD8A858BDA04F973C309ADBBC52E5003EB0D32DBE78D1013EA249103E9A1A1BBE500A513E76707B3E58D8C9BD88688FBD7428FF3D3E8E48BE7879CA3D70E76E3D4A5D213E045D5EBE50AE54BE40F4E53D8C6DB83DB2466EBEC6C20EBE083C6ABE7E6737BEA403E7BD90D9533E00D44BBDAE08133E4A1E733EBC55E93D822C65BE34D3003E644BC33DB26A463EF4867CBEB0711D3EEE8B513E622C6EBE5046D63C528A5A3EDE303ABE40FFA73DC03DE23DAC30863DDC887E3E8A9B513EECA25B3ED046FFBCDEB5563ED4916EBE26250ABEA8035BBDD41798BD42776C3E1C7EF13DEED0243E34222E3E",
      torch_tensor_16_16_torch.float32_3: "0x040000007E6944BE5CA595BD08EDA73D1C4760BEB8560C3E9C42053ECAC51E3E4A3623BEECF97E3E38BF17BE3E937F3E46AE75BE9C1664BEF83B1D3EE00AD63CA04B6C3C1CC30DBE7CC5D6BDD0B395BD406279BE20DD543C801A353D00F05DB92057A53DE6E7723EF421883DD86DBBBD40B6D2BD4CCA23BECA7631BE40EA24BD401C35BD04C5E33D00D9DABD8A154C3E50A133BE00443A3A9E1F663E06907E3E884A14BE7067363D50EAF13C540DF0BDB4E4B0BD60AD8A3D740332BEA0F4283D188EDD3D90C3C9BDE6A4543EA0C786BC084DE83DB8847D3E90809CBDCC1C0B3E6C7292BD289415BDD8892DBD0093CBBADC6AC1BD2003703DC0561A3C9A46223E58434FBDB05FCD3C8475BEBD5E6356BE8C30CF3D6807033D340CCDBD181CADBD20E6853D102839BD324A273EA002683CB466C13D9413DF3D50417BBD4086DD3D32E93C3EC07D3C3CB863483DA0D4143CFE3E313EFC29D8BDF61408BE181BDF3DE8CC5EBE8056833BD876EBBDF6F7283E94586EBE9C381B3E7C467D3E40324F3D907388BC5AFE7B3EECCDDABD101DA4BC1435E0BDB05A0DBD188E5E3D50C4083D706841BD8EF57FBE60BB513CC0A9F2BB180C1A3DFA28443E9CD5783E5CE117BE60677FBC1825CDBDF8F06BBEDE473ABE8A45703E7E43153EBC82093E30450E3EFA624BBE5014D73C50436E3EB8DE0EBE74BC633EC492863D6E1B343EA055DBBD840AEC3DDCF062BEF00982BC38C7AA3DC48B993D0E39563E6A8F7B3ED6E5683E5CE02B3EE0FB333E602004BD02AB46BE7C11BEBDF0EAE5BCC6560ABE18DC023ED8B9B33D7039253DB05B773D40E2603E887CBA3D1A7F60BE52D339BEF0A9E13DC88C0B3DB8B2F93D1CAC7FBE2A416CBE68FC1C3ED2BF233E249B67BE0059C23D68E547BEECDE413E24A9A03D24217D3EF8697CBEF27176BE06152D3E6048633E98D81C3E4A322A3E189F57BEDA4B393EA0B371BE68C3643D5CB027BE345DCBBD8851353DE44EC9BD300522BD9EA472BE246071BE7454C63DF4B7D8BD6CBF1BBEB006CABD2C4C51BE7EA54CBEEE2E193E281C023E8066083DACD70BBEC857AA3D8003383CCCF436BEB85A5C3D6819693EA0CD7BBE7C907EBE3033033D12C6403EFCC51BBEA06B613DD8F6333EA4DB9D3DC89A5D3DF86A7F3EEAC6263E38FB0FBEA005B13C88C8023ED2C4613EECB37EBE18A00A3E60A694BD3EAE7ABE284D633DB25E0BBE001D113D0C3526BEBEA540BE60C6ADBC74FEABBDB2B9153E2093B03CB0D2473E90E63F3DB0A3A4BDBC652D3E80D35F3C4032403DB8ABA4BD00326B3A40E344BD901DAEBC2CA647BE0085C9BAC87D54BE404B5CBD245D143E7A0232BEA88E2CBE68097ABD4C5B8CBDB0592D3D00002A3D14D1013E7A5A30BEA08790BCB62D0F3EC66E5D3E706495BC742014BE4C2E933D44C9113E9CEF1FBE1C8E14BE984DE23D",
      torch_tensor_16_16_torch.float32_2: "0x04000000880E8EBD14DFBEBD40E5803D689AB53D1026FABD300AB53C745C143EF0C4CBBCA8D19B3DB8F976BDB074B33DE67139BE0E8916BE74F101BE4C446B3E64C589BD00F032BACC0FF8BDF08F7F3E0E077A3E601241BE10884FBED40B42BE00089EBAC48282BD4E9027BEE0A3B7BD1877413DF4C105BE88E6623DC8D16ABDB018F8BDC8AE0C3D847F523E88132DBE00323E3C20CFBCBDE4367B3E26E272BED26A75BE30427C3EF8F721BE2053443D40C1B0BC78B657BD48B564BD3CAC223EC0C6433CCE3E79BED82117BE7C8AAEBDCAD2003E8EAA25BE2E63713E281364BD18DF37BD4297483EE6AA003E6A1E593EEE14143E34519BBD54D929BEA06098BC0EE0533E5CD6ABBD1E686DBE24E2D13D6C35793E00C291BD5AF953BE103568BE904E803DF0129BBCD84601BEA8FB4E3DC06FC23D069A4B3EFCC0463EB04619BD7EBB61BED85367BE48066F3E1055E23D402FDF3D207F5DBE5E0F6D3E1485723EDA21673E30F557BE8830C1BD4A1130BE566C723E04FFDBBD84C1E9BD281F063EE8D8ECBDDC2BFCBD4024B3BC50DAC4BC226B47BE466B553EB4DAE1BD309DB53D24AA5E3EE21A013E50FA103DC4D1593E08A7093D54E1ECBD062D723E605C723D38C679BE18C391BDFE602EBEE272603E001C29BDB25969BE80BE80BC74C5203E9004853D8CE5A13D5034BE3C18E2BE3DE87F79BD78ACCBBD0E496FBEB0DA40BEF0E6DD3DBE9417BEE0E8123D106DA33DA001913C40FA25BEF0D1743E26DD14BE668F523E6EA64BBE585276BD8A410B3E7C31D1BD0E0D573E062B30BE44FB56BEE0DEE6BDB087253DA8B66B3EE46DF4BD0C1BB73DAC5C80BD28115EBDD83C3C3E7A6546BE6086D93CA8BE703EC8B50CBDA6C4463E84AC9DBD00124E3EF6A277BE289513BDA8DC33BD78EEA53D24DFC83DA68F443EC88F18BD606D22BCCA4F2F3E90888ABD106B603EAA722ABE209DDDBC00005CBCA075E43D66052F3ED04E22BD4E1754BE28B1FD3DCC27993D88ABCD3D0AEB1DBEAEC2243EC078723E30B5B13CCC1D6FBE9CB5333EC0CF3DBE98636B3D30CE143D7CA2EFBDB046B23D8AF964BEC839693D9C4A22BE3075DDBC48B7033D08195A3E1C49F4BDBA00243E281502BDBC29F3BDBAEC5EBE7CE26ABE28037A3E98627FBD20974C3C3CCF8A3DEE022E3E487D5A3ED29E4F3E84AA3DBEE00F24BD1E7C17BE1C4412BE68E6723D3C4B703E26154DBEAEEE1A3E3CBA04BEE87247BD92344B3E309967BD707BBA3CCCF332BEECEA593E505F04BD683C3BBE3CEB953D3C0536BE4C234BBE6086793CCCF74A3E48E390BD40FBF03D7AFC5B3E78CB293EA24906BE6080E0BC601EA1BD00DB4DBE00A0D838969F403E1AAF573E7014BF3CF092683DE8A7DDBD5A3D413E2C0CD5BDC4D431BE78B01D3D5271193EB4CE66BE6A6A673EAC2EB83D5C5B33BEC8935CBDB8195E3E",
      torch_tensor_16_16_torch.float32_1: "0x04000000E6BB7DBE1C1DE73D20E5F5BDD0D62ABE627B13BE5230133E2492073E507C443ED8B6B93DC4FCAABDD4138FBD9842973DDE70523E74358B3D1C40F2BDFCADF0BD420A72BEB03B5D3DA8A90FBE503E64BEFA7A603ED03F26BED0FBE8BC48AF923DE07D023CFA412CBE2CEE4EBE980D4C3E30BF263D4662543EA8A4ABBDF8CF963D182A6ABD602736BC52EA1BBEAC28AD3D80E0A13D40FDA8BBC04C66BD58CE1DBE1409313E94923EBEACBFD13D6C29ACBD0C06F7BDE0F4373D22FB04BE40EF6B3D1018493DCA133EBE987E2A3D6413DA3D5CAACA3D58E600BD9ADD51BE90DA1DBD50D2B13D2CD1BABD7458C23D867C2A3EBAAB05BE8093213B24B6D33D9084A03C9012AB3C70B9FF3CFA4049BEE0F2A03CB445313E64AF663ED876163E1838093D7C1CEF3DDC13F9BDEC2454BECA235CBE5A637F3E8E81223EB2F430BEF450C83DAA52413EC2E67F3E58D85F3E4456463EF0C26ABDA0AEB3BD4230523E0A750F3E300E1ABEFE25663E9060F73D008E0B3E6A7420BE88E4923DEC7CB3BDFC06483E584238BDF853C73D80E2353DF8D6D93DE0FDADBDF4A2F93DFECE32BE8846673D20352DBEBA8D7CBE10954DBEB61A4A3E50810A3EE82E703E48164D3EA09E64BECEB32EBEE87525BD324126BEF8C3313EBA8941BE38CEF9BDC45177BEC65711BEE28D523E429A513E2441373E22AA453EBAA1633EB01A83BDF447E13D0414643E1461A93DCAEA7F3E18C7043E58241F3E2C32B3BDF4ABF53D2054EB3C888C74BD4A4F10BE56A50FBEB2FC44BE4EDC2B3E96FF353EA016E9BCC42414BE22DD453E8CB5233E703C983CB8BBF1BDB8466B3EAC60D13D5A5742BE6203753E5266423E8C9EBABD5CE90F3ED67411BEB87920BDB25E593E403E293C400C35BE9420ABBDDCFA8ABD208F45BDB0FEC33CA2C16C3E204D5B3C8C101EBE00F0513C587FF53DFCF8FD3DE0F769BEB03C37BDB83E3EBE8876DABD6078B83D18CB35BEFC52BE3D8649593E3053863CF09E2ABE2071B7BDD89A5F3D462743BEEC5DFE3D246A68BE521776BEC0BE78BE68BB4FBD90242C3E724C72BEAEC8543ECCCFCCBDE8F4953D20CA3A3C10D766BEE84E543E6ED7093E80767E3E9655013E48FA28BE48A7553E20235C3C80CCF23DAC444DBEC84393BD545C7BBE906BC7BDA0E85C3D5C0049BE1035A33D2C6C093E18A70E3D0C492BBE5A7B46BEE4F59DBD20BFE03D7A847C3E1A35133EB09FE6BC0084B33DF0267BBE62A65ABE3CE7EE3D960011BE2C52F63DF8B734BE6499FDBD48DD52BE5A97053E60AED0BC9404453E686E1E3EDCA70D3E20B6033C944C9EBD68A65EBD1817083DA4CDFD3DDC5933BEEADA563EE0ADDEBC9A8356BEC4820ABE6A83623E741E6A3EAA206DBE6E8E343EF84B003EF887173E24B6583EA6F809BE5CADA13D0487D13DE84A97BDA857AB3D2C4F93BD60461E3E",
      torch_tensor_16_16_torch.float32: "0x040000000054F5BA5E54093E16B352BE80663CBEF432C5BDEC4B893D404FA2BBCEFA4A3E70BFB5BC4C7B873DACBB9ABD704849BDB89174BE528B29BEE80ED3BD00BB173C6069CA3D189B193E8C8D2DBEFCF4DEBD98F7B93D4E94543E48BD52BD5C913F3E400D25BD10B5D83C4ACD673ECE7B6DBE662921BEE09E81BDDC93C7BD282F5D3E1AEF25BEC0B0EBBD1ADA32BE76C26FBE047015BE9E0E5C3EBC76E43D0027F83D406A573C3A3F03BEC03E2D3D9E066FBE1AFA38BEC6F903BE2685213E2619163EC811E3BD20CB13BC40BA233E827F7E3E2434CB3DC8550A3DFEA42B3EC0BB16BEF8D03E3D6C7A46BE186E31BED23E04BE8CAAE73DF8E7CD3D6AA417BEC8AD9A3D6E890C3E203F01BD40641C3C00446D3D00D11E3E48CF753E964745BEECA1BBBD9838C93DD01B543EE8C55E3E22E2613E78CA4B3DF89C5EBE9066BC3CAC2720BE8C946EBE3E74633EF0A6423EFE5D7FBE08AA3F3DC8802CBDB88228BD1C5FEABD8CE4C43D34A117BEDCB1BB3D1676013E5C43373E4871BF3D4A5F7DBE001126BE38A6FF3D1853563D96B347BEE86813BEF2D4703E547F2C3EB03EDFBDD4DC80BD78DD73BE803E93BB78C840BEA27745BE20B061BCA0BF193DF4ADD1BD98E7173E38C91BBE6849683ED06F2F3E64E157BE88DB7EBD80D2383C1867153DD0DD723D5CECC83DE059753CCCD1F9BDD445F23D569175BEA0BB17BE3C2B80BDEC66F9BD5C1DB3BDBAD251BE00D259BDF8E25A3D76C626BE403452BC0042373EF088D2BC80ACE33BC0ADB0BC103D4F3D60C6223EBA7E723E0693223EC40C733E601D94BC66F865BE40BAF2BDCE4F2E3E006BD4BADC7CFEBD022D44BE00946FBEEC1058BE70B44FBD56640C3E74670A3E02E576BE2EB01F3E8A5248BEF07B58BD1C9ACFBDF03C45BD100E49BDBAB865BE440A5DBE283C20BD80E1533BB896E8BDB8DEC03D3A6A66BEC0368ABCA221613E38D7D0BD362B673E386CB93DAE0767BE74F8213EF053ECBC708FE4BD14B64C3E54DF4EBEB0C2DB3CC06456BD16D0363E08EC8E3DCC04F63D40D1B43D003F76BD505A57BD00F752BE4CB60A3E26424B3E5C292F3EAC9334BE60AE363C907634BE88EC0CBE302C15BE34F9AE3DC48D18BE00BAB2BBA04F2C3C0406253EFA8341BE44BF2FBE3CA614BED62E333ECC0BB8BDE0EE573EA024B93D40AA013D00EDF3BA086D4ABD407A003D30D369BD003EE6BAC0A7023D983E48BE7A2D06BED8B74E3E86C14FBE200F93BCC03E7D3E10F4B83DC0F0E73B26DA5DBE2CA2FD3D085836BEA85691BDCCC8ABBD38A417BD8036333B9626533E80ABFF3C204C653E30991C3EC6D821BE54A2E53D24F734BE9CFFD8BD4097963DF00EA93DF20E403E28D2A4BD00D4D1397ACB033E5A9377BE4215393E30B153BE00D0613BE0182EBD0AD406BED857073DF2B0533EE8AA95BD56FC17BE845BBDBD",
      torch_tensor_24_16_torch.float32: "0x04000000236B2A3F987B623F4A29EF3E0C2D25BF77BCE1BEE52DA5BE36597EBF190952BF4EC2A3BEE6CD9EBE570DD33EC53AB9BF20FE96BFB43755BF8B40E83EE32652BF835C813F132BAB3FF568363ED5529DBC939602BF1FC9043D4B2B87BF781F53BE3BD0783FB36E27C081A1CFBD0D985C3F64879FBE155B453F357357BF8AEAE53F64FD443E62FD35BE5B8AA43EF48DF03FC1BC803F3AEE5E3FBCAD30BF5EBF98BF58DA543FE001133FDE95873E7861833F8C6FBDBEBED2413FF8A6A33E963BC43FF879513FBE25A03F7A02EABEB4FB8ABF8776303DBC8AFD3EB37F6FBFC99724BF3B5FA3BFF3772ABF7DFD4ABE7BD70B401FE137BD00B094BFC99317BF05E63E3F1BEF97BF317352BF54E91A3F918E7DBF50BC81BECEF2583D910FD43FB1CFE53E0608813E903811C049178F3F79885A3E76169E3EF18939BF146C8CBF663287BFAFAED63F3910983EF83F453FED4509BEDA24433E323EB43FB3B00F3F21C8513F958992BF5F75143EF235DCBEEBEFA2BF1A96B13EFD2943BE7D93803ECA55AD3F927CB93A046482BF95CF72BF41BB333F95848ABDE24E8A3FAE2A0EBFA483B4BFD0C142BF20E5FFBEAC7E70BF4E8B1D3F4CFA60BEC17E843C5F79FD3F2EA5C33FD751F3BF73F9C93E029D143F73A8A83C42DED63EBCBB46BF46799FBF6DBA813DC2A5263F9FA48ABF64E20B3FDB49AA3F228C2DBD0C6D0FBF3CD8313FB4568FBFB98458BD8405433FC0D242BFAFE756BF1D4C46BF31F249BFCB190CBFB1CE8BBEC3D4E53F497534BF8D58AABE988E1DBFC954A6BF1843393F6161D73F17A4B0BE11E1A13D1DA3D03EADFD843F8205E0BE4DC07D3FD6BBD13E9C73863F7AEA2FBF533074BF34233A3F3BAB44BFAA43A9BF3706F63EF868DCBED69A153D22FA013EBABA183FD91C6CBEF5ABE03E0B19C33E34ADDB3F367D80BB309C03C076C4CBBF7D1E7BBEA8069B3E0F95973F23D12B3F227580BF5B82F33E6E70563F7F5D563F95524BBF526EB9BEE74B0A402529A13E5E3B46400998463CDB9F4D3F953832BF274088BFFC15743EE410593C6AEED8BEF19BBDBD8E145ABF39495EBD7C724DBF8B218EBF0E3D5C3E0109B8BED618143F86D2473F28EDA53F79524BBFBB4792BF93C9493D3715D23E5905FB3CF7B680BD48E511BFFC3B9ABF7C30823ECF8982BD8BEC413E7A47533FA68C33BF3CAD493F2D1F8DBF4500023EAC87E93F2E1B14BE5234DBBFD835B93EE6CEECBE6CCC09C06676093F4BE6143F0E9AA9BF3247A8BF125906BFAEEEA6BF39008CBF750ADABF2D482CBF825B013F20B3BF3F02A20BBFBED5AABF41F0F23E3A01F83E8E69DE3EBAC43BBF7AEEE73EC832A63ED55AA7BF95FE23BF9273E6BEC3D9453F7612A43F27A3F6BEE0C19C3FF705E0BEE974BE3E3907A4BE1B6981BF988299BFF66B5A3E19D1E53FF18BD13E0AFEA93FB3CD84BFD7E1653E5A175F3E47FD6CBFAE83B03E9B0BB9BFAE7F6FBF68C4DABE01B100C05BCE583D1B6679BE5569C0BF181E153FA46DB1BFCA8D8F3F1ADCAA3FCE3B363F6E8947BFC8CEB7BF2EA0C6BF85226A3EABFC003E6E28883FAFEA9DBF3D9188BFF8E6A1BD0894EEBFCCBFDABFBD24883FDE76A23EC4D2BC3E8C62F93CF695C8BF23778EBF667E2B40AC186EBF4A8E77BE4587623F77A4513EE54A87BF778C0CC01207CE3D14EA8FBF2D65D4BEDE8B113FB2DC7BBF3AC36B3FABD2E1BD25BCEFBFE3BC9CBF23E48CBE4AD67D3FBBF6493FB1E7863F9123B9BF0BD4FEBE7529E2BFAAEA843FAFFB653D0DB135BFC9010D3F3AE1C43F2042ADBE1B3FBC3FAD8BA4BE072F0DC009D4803F674FAD3EAAFF203E77651440795E46BE6780CBBE995A55BF2E6C67BF5FE3C83E72EA48BE1B4B48BF385681BF82B979BF033A353FECDEAF3F170CC23F87DDD63EFB778BBFBAC2343E8943423F9EE082BD7377B03E0E30033FD4AB243F44D36CBFB7144C3F80DD1E3CF2A3ACBD8E94C2BF12878A3F58F6143F195EB43FF9418EBFD0D5DC3E8D20E13FA06D80BF99C1E3BE44F774BE0D70BF3E62201F404177CC3EB926023F90F6A2BDA9CA0BBDB9A2933FBB4633BF2D860E3EFF7183BDCB0A9EBFF22CBD3ECB4ACA3E532297BF8EE0D3BEDE6A77BD36519FBF53E23EBFB381653FB3FA0F3E65CBCE3FC4B4D1BE389442BDA87180BD49C645BF"
    }
  }
#-}
