#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<2x3x16x16xf32>) -> tensor<2x10xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x2x17x17xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_10_torch.float32> : tensor<10xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_10_16_torch.float32> : tensor<10x16xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_torch.float32_6> : tensor<16xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_16_32_torch.float32> : tensor<16x32xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_32_torch.float32> : tensor<32xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_13 = arith.constant 1.000000e-05 : f64
    %cst_14 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_16 = arith.constant 0xFFF0000000000000 : f64
    %cst_17 = arith.constant 0.59460355750136051 : f64
    %cst_18 = arith.constant dense_resource<torch_tensor_48_torch.float32> : tensor<48xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_48_16_torch.float32> : tensor<48x16xf32>
    %cst_20 = arith.constant dense_resource<torch_tensor_1_17_16_torch.float32> : tensor<1x17x16xf32>
    %cst_21 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_16_48_torch.float32> : tensor<16x48xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_1_1_16_torch.float32> : tensor<1x1x16xf32>
    %cst_24 = arith.constant 1.600000e+01 : f64
    %cst_25 = arith.constant 1.600000e+01 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4, 5]] output_shape [2, 3, 4, 4, 4, 4] : tensor<2x3x16x16xf32> into tensor<2x3x4x4x4x4xf32>
    %0 = tensor.empty() : tensor<2x4x4x3x4x4xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<2x3x4x4x4x4xf32>) outs(%0 : tensor<2x4x4x3x4x4xf32>) permutation = [0, 2, 4, 1, 3, 5] 
    %1 = tensor.empty() : tensor<2x1x16xf32>
    %collapsed = tensor.collapse_shape %cst_23 [[0, 1], [2]] : tensor<1x1x16xf32> into tensor<1x16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x16xf32>) outs(%1 : tensor<2x1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x16xf32>
    %collapsed_26 = tensor.collapse_shape %transposed [[0, 1, 2], [3, 4, 5]] : tensor<2x4x4x3x4x4xf32> into tensor<32x48xf32>
    %3 = tensor.empty() : tensor<48x16xf32>
    %transposed_27 = linalg.transpose ins(%cst_22 : tensor<16x48xf32>) outs(%3 : tensor<48x16xf32>) permutation = [1, 0] 
    %4 = tensor.empty() : tensor<32x16xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %6 = linalg.matmul ins(%collapsed_26, %transposed_27 : tensor<32x48xf32>, tensor<48x16xf32>) outs(%5 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%6, %cst_21 : tensor<32x16xf32>, tensor<16xf32>) outs(%4 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<32x16xf32>
    %expanded_28 = tensor.expand_shape %7 [[0, 1], [2]] output_shape [2, 16, 16] : tensor<32x16xf32> into tensor<2x16x16xf32>
    %concat = tensor.concat dim(1) %2, %expanded_28 : (tensor<2x1x16xf32>, tensor<2x16x16xf32>) -> tensor<2x17x16xf32>
    %8 = tensor.empty() : tensor<2x17x16xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat, %cst_20 : tensor<2x17x16xf32>, tensor<1x17x16xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %10 = tensor.empty() : tensor<17x2x16xf32>
    %transposed_29 = linalg.transpose ins(%9 : tensor<2x17x16xf32>) outs(%10 : tensor<17x2x16xf32>) permutation = [1, 0, 2] 
    %11 = tensor.empty() : tensor<16x48xf32>
    %transposed_30 = linalg.transpose ins(%cst_19 : tensor<48x16xf32>) outs(%11 : tensor<16x48xf32>) permutation = [1, 0] 
    %12 = tensor.empty() : tensor<17x16x48xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_30 : tensor<16x48xf32>) outs(%12 : tensor<17x16x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<17x16x48xf32>
    %14 = tensor.empty() : tensor<17x2x48xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<17x2x48xf32>) -> tensor<17x2x48xf32>
    %16 = linalg.batch_matmul ins(%transposed_29, %13 : tensor<17x2x16xf32>, tensor<17x16x48xf32>) outs(%15 : tensor<17x2x48xf32>) -> tensor<17x2x48xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %cst_18 : tensor<17x2x48xf32>, tensor<48xf32>) outs(%14 : tensor<17x2x48xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<17x2x48xf32>
    %expanded_31 = tensor.expand_shape %17 [[0, 1], [2], [3, 4]] output_shape [1, 17, 2, 3, 16] : tensor<17x2x48xf32> into tensor<1x17x2x3x16xf32>
    %18 = tensor.empty() : tensor<3x17x2x1x16xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<1x17x2x3x16xf32>) outs(%18 : tensor<3x17x2x1x16xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3], [4]] : tensor<3x17x2x1x16xf32> into tensor<3x17x2x16xf32>
    %extracted_slice = tensor.extract_slice %collapsed_33[0, 0, 0, 0] [1, 17, 2, 16] [1, 1, 1, 1] : tensor<3x17x2x16xf32> to tensor<1x17x2x16xf32>
    %extracted_slice_34 = tensor.extract_slice %collapsed_33[1, 0, 0, 0] [1, 17, 2, 16] [1, 1, 1, 1] : tensor<3x17x2x16xf32> to tensor<1x17x2x16xf32>
    %extracted_slice_35 = tensor.extract_slice %collapsed_33[2, 0, 0, 0] [1, 17, 2, 16] [1, 1, 1, 1] : tensor<3x17x2x16xf32> to tensor<1x17x2x16xf32>
    %collapsed_36 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x17x2x16xf32> into tensor<17x32xf32>
    %expanded_37 = tensor.expand_shape %collapsed_36 [[0], [1, 2]] output_shape [17, 4, 8] : tensor<17x32xf32> into tensor<17x4x8xf32>
    %19 = tensor.empty() : tensor<4x17x8xf32>
    %transposed_38 = linalg.transpose ins(%expanded_37 : tensor<17x4x8xf32>) outs(%19 : tensor<4x17x8xf32>) permutation = [1, 0, 2] 
    %collapsed_39 = tensor.collapse_shape %extracted_slice_34 [[0, 1], [2, 3]] : tensor<1x17x2x16xf32> into tensor<17x32xf32>
    %expanded_40 = tensor.expand_shape %collapsed_39 [[0], [1, 2]] output_shape [17, 4, 8] : tensor<17x32xf32> into tensor<17x4x8xf32>
    %transposed_41 = linalg.transpose ins(%expanded_40 : tensor<17x4x8xf32>) outs(%19 : tensor<4x17x8xf32>) permutation = [1, 0, 2] 
    %collapsed_42 = tensor.collapse_shape %extracted_slice_35 [[0, 1], [2, 3]] : tensor<1x17x2x16xf32> into tensor<17x32xf32>
    %expanded_43 = tensor.expand_shape %collapsed_42 [[0], [1, 2]] output_shape [17, 4, 8] : tensor<17x32xf32> into tensor<17x4x8xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<17x4x8xf32>) outs(%19 : tensor<4x17x8xf32>) permutation = [1, 0, 2] 
    %expanded_45 = tensor.expand_shape %transposed_38 [[0, 1], [2], [3]] output_shape [2, 2, 17, 8] : tensor<4x17x8xf32> into tensor<2x2x17x8xf32>
    %expanded_46 = tensor.expand_shape %transposed_41 [[0, 1], [2], [3]] output_shape [2, 2, 17, 8] : tensor<4x17x8xf32> into tensor<2x2x17x8xf32>
    %20 = tensor.empty() : tensor<2x2x17x8xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<2x2x17x8xf32>) outs(%20 : tensor<2x2x17x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.truncf %cst_17 : f64 to f32
      %107 = arith.mulf %in, %106 : f32
      linalg.yield %107 : f32
    } -> tensor<2x2x17x8xf32>
    %22 = tensor.empty() : tensor<2x2x8x17xf32>
    %transposed_47 = linalg.transpose ins(%expanded_46 : tensor<2x2x17x8xf32>) outs(%22 : tensor<2x2x8x17xf32>) permutation = [0, 1, 3, 2] 
    %23 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_47 : tensor<2x2x8x17xf32>) outs(%22 : tensor<2x2x8x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.truncf %cst_17 : f64 to f32
      %107 = arith.mulf %in, %106 : f32
      linalg.yield %107 : f32
    } -> tensor<2x2x8x17xf32>
    %collapsed_48 = tensor.collapse_shape %21 [[0, 1], [2], [3]] : tensor<2x2x17x8xf32> into tensor<4x17x8xf32>
    %collapsed_49 = tensor.collapse_shape %23 [[0, 1], [2], [3]] : tensor<2x2x8x17xf32> into tensor<4x8x17xf32>
    %24 = tensor.empty() : tensor<4x17x17xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<4x17x17xf32>) -> tensor<4x17x17xf32>
    %26 = linalg.batch_matmul ins(%collapsed_48, %collapsed_49 : tensor<4x17x8xf32>, tensor<4x8x17xf32>) outs(%25 : tensor<4x17x17xf32>) -> tensor<4x17x17xf32>
    %expanded_50 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [2, 2, 17, 17] : tensor<4x17x17xf32> into tensor<2x2x17x17xf32>
    %27 = tensor.empty() : tensor<2x2x17xi64>
    %28 = linalg.fill ins(%c0_i64 : i64) outs(%27 : tensor<2x2x17xi64>) -> tensor<2x2x17xi64>
    %29 = tensor.empty() : tensor<2x2x17xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<2x2x17xf32>) -> tensor<2x2x17xf32>
    %31:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_50 : tensor<2x2x17x17xf32>) outs(%30, %28 : tensor<2x2x17xf32>, tensor<2x2x17xi64>) {
    ^bb0(%in: f32, %out: f32, %out_68: i64):
      %106 = linalg.index 3 : index
      %107 = arith.index_cast %106 : index to i64
      %108 = arith.maximumf %in, %out : f32
      %109 = arith.cmpf ogt, %in, %out : f32
      %110 = arith.select %109, %107, %out_68 : i64
      linalg.yield %108, %110 : f32, i64
    } -> (tensor<2x2x17xf32>, tensor<2x2x17xi64>)
    %expanded_51 = tensor.expand_shape %31#0 [[0], [1], [2, 3]] output_shape [2, 2, 17, 1] : tensor<2x2x17xf32> into tensor<2x2x17x1xf32>
    %32 = tensor.empty() : tensor<2x2x17x17xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_50, %expanded_51 : tensor<2x2x17x17xf32>, tensor<2x2x17x1xf32>) outs(%32 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.subf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x2x17x17xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x2x17x17xf32>) outs(%32 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = math.exp %in : f32
      linalg.yield %106 : f32
    } -> tensor<2x2x17x17xf32>
    %35 = tensor.empty() : tensor<2x2x17x1xf32>
    %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<2x2x17x1xf32>) -> tensor<2x2x17x1xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x2x17x17xf32>) outs(%36 : tensor<2x2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.addf %in, %out : f32
      linalg.yield %106 : f32
    } -> tensor<2x2x17x1xf32>
    %38 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %37 : tensor<2x2x17x17xf32>, tensor<2x2x17x1xf32>) outs(%32 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.divf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x2x17x17xf32>
    %39 = tensor.empty() : tensor<2x2x17x17xi1>
    %40 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_50 : tensor<2x2x17x17xf32>) outs(%39 : tensor<2x2x17x17xi1>) {
    ^bb0(%in: f32, %out: i1):
      %106 = arith.extf %in : f32 to f64
      %107 = arith.cmpf oeq, %106, %cst_16 : f64
      linalg.yield %107 : i1
    } -> tensor<2x2x17x17xi1>
    %41 = tensor.empty() : tensor<2x2x17x1xi1>
    %42 = linalg.fill ins(%true : i1) outs(%41 : tensor<2x2x17x1xi1>) -> tensor<2x2x17x1xi1>
    %43 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<2x2x17x17xi1>) outs(%42 : tensor<2x2x17x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %106 = arith.andi %in, %out : i1
      linalg.yield %106 : i1
    } -> tensor<2x2x17x1xi1>
    %44 = linalg.generic {indexing_maps = [#map8, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %cst_2, %38 : tensor<2x2x17x1xi1>, tensor<2x2x17x17xf32>, tensor<2x2x17x17xf32>) outs(%32 : tensor<2x2x17x17xf32>) {
    ^bb0(%in: i1, %in_68: f32, %in_69: f32, %out: f32):
      %106 = arith.select %in, %in_68, %in_69 : f32
      linalg.yield %106 : f32
    } -> tensor<2x2x17x17xf32>
    %collapsed_52 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<2x2x17x17xf32> into tensor<4x17x17xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%19 : tensor<4x17x8xf32>) -> tensor<4x17x8xf32>
    %46 = linalg.batch_matmul ins(%collapsed_52, %transposed_44 : tensor<4x17x17xf32>, tensor<4x17x8xf32>) outs(%45 : tensor<4x17x8xf32>) -> tensor<4x17x8xf32>
    %expanded_53 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [2, 2, 17, 8] : tensor<4x17x8xf32> into tensor<2x2x17x8xf32>
    %47 = tensor.empty() : tensor<17x2x2x8xf32>
    %transposed_54 = linalg.transpose ins(%expanded_53 : tensor<2x2x17x8xf32>) outs(%47 : tensor<17x2x2x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_55 = tensor.collapse_shape %transposed_54 [[0, 1], [2, 3]] : tensor<17x2x2x8xf32> into tensor<34x16xf32>
    %48 = tensor.empty() : tensor<16x16xf32>
    %transposed_56 = linalg.transpose ins(%cst_15 : tensor<16x16xf32>) outs(%48 : tensor<16x16xf32>) permutation = [1, 0] 
    %49 = tensor.empty() : tensor<34x16xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %51 = linalg.matmul ins(%collapsed_55, %transposed_56 : tensor<34x16xf32>, tensor<16x16xf32>) outs(%50 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %52 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%51, %cst_14 : tensor<34x16xf32>, tensor<16xf32>) outs(%49 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<34x16xf32>
    %expanded_57 = tensor.expand_shape %52 [[0, 1], [2]] output_shape [17, 2, 16] : tensor<34x16xf32> into tensor<17x2x16xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<17x2x16xf32>) outs(%8 : tensor<2x17x16xf32>) permutation = [1, 0, 2] 
    %53 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %transposed_58 : tensor<2x17x16xf32>, tensor<2x17x16xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %54 = tensor.empty() : tensor<2x17x16xf64>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<2x17x16xf32>) outs(%54 : tensor<2x17x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %106 = arith.extf %in : f32 to f64
      linalg.yield %106 : f64
    } -> tensor<2x17x16xf64>
    %56 = tensor.empty() : tensor<2x17x1xf64>
    %57 = linalg.fill ins(%cst_1 : f64) outs(%56 : tensor<2x17x1xf64>) -> tensor<2x17x1xf64>
    %58 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%55 : tensor<2x17x16xf64>) outs(%57 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.addf %in, %out : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %59 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x17x1xf64>) outs(%56 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.divf %in, %cst_24 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %60 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %59 : tensor<2x17x16xf64>, tensor<2x17x1xf64>) outs(%54 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %106 = arith.subf %in, %in_68 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x16xf64>
    %61 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %60 : tensor<2x17x16xf64>, tensor<2x17x16xf64>) outs(%54 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %106 = arith.mulf %in, %in_68 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x16xf64>
    %62 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%61 : tensor<2x17x16xf64>) outs(%57 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.addf %in, %out : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x17x1xf64>) outs(%56 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.divf %in, %cst_24 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %64 = tensor.empty() : tensor<2x17x1xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x17x1xf64>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %106 = arith.truncf %in : f64 to f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %66 = linalg.fill ins(%cst : f32) outs(%64 : tensor<2x17x1xf32>) -> tensor<2x17x1xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<2x17x16xf32>) outs(%66 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.addf %in, %out : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<2x17x1xf32>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.divf %in, %cst_25 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x17x1xf32>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.truncf %cst_13 : f64 to f32
      %107 = arith.addf %in, %106 : f32
      linalg.yield %107 : f32
    } -> tensor<2x17x1xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x17x1xf32>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = math.rsqrt %in : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %68 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.subf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %70 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.mulf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %cst_12 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.mulf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %cst_11 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %collapsed_59 = tensor.collapse_shape %74 [[0, 1], [2]] : tensor<2x17x16xf32> into tensor<34x16xf32>
    %75 = tensor.empty() : tensor<16x32xf32>
    %transposed_60 = linalg.transpose ins(%cst_10 : tensor<32x16xf32>) outs(%75 : tensor<16x32xf32>) permutation = [1, 0] 
    %76 = tensor.empty() : tensor<34x32xf32>
    %77 = linalg.fill ins(%cst : f32) outs(%76 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %78 = linalg.matmul ins(%collapsed_59, %transposed_60 : tensor<34x16xf32>, tensor<16x32xf32>) outs(%77 : tensor<34x32xf32>) -> tensor<34x32xf32>
    %79 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%78, %cst_9 : tensor<34x32xf32>, tensor<32xf32>) outs(%76 : tensor<34x32xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<34x32xf32>
    %expanded_61 = tensor.expand_shape %79 [[0, 1], [2]] output_shape [2, 17, 32] : tensor<34x32xf32> into tensor<2x17x32xf32>
    %80 = tensor.empty() : tensor<2x17x32xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<2x17x32xf32>) outs(%80 : tensor<2x17x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.cmpf ugt, %in, %cst : f32
      %107 = arith.select %106, %in, %cst : f32
      linalg.yield %107 : f32
    } -> tensor<2x17x32xf32>
    %collapsed_62 = tensor.collapse_shape %81 [[0, 1], [2]] : tensor<2x17x32xf32> into tensor<34x32xf32>
    %transposed_63 = linalg.transpose ins(%cst_8 : tensor<16x32xf32>) outs(%4 : tensor<32x16xf32>) permutation = [1, 0] 
    %82 = linalg.matmul ins(%collapsed_62, %transposed_63 : tensor<34x32xf32>, tensor<32x16xf32>) outs(%50 : tensor<34x16xf32>) -> tensor<34x16xf32>
    %83 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%82, %cst_7 : tensor<34x16xf32>, tensor<16xf32>) outs(%49 : tensor<34x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<34x16xf32>
    %expanded_64 = tensor.expand_shape %83 [[0, 1], [2]] output_shape [2, 17, 16] : tensor<34x16xf32> into tensor<2x17x16xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %expanded_64 : tensor<2x17x16xf32>, tensor<2x17x16xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x17x16xf32>) outs(%54 : tensor<2x17x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %106 = arith.extf %in : f32 to f64
      linalg.yield %106 : f64
    } -> tensor<2x17x16xf64>
    %86 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%85 : tensor<2x17x16xf64>) outs(%57 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.addf %in, %out : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x17x1xf64>) outs(%56 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.divf %in, %cst_24 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %88 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %87 : tensor<2x17x16xf64>, tensor<2x17x1xf64>) outs(%54 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %106 = arith.subf %in, %in_68 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x16xf64>
    %89 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %88 : tensor<2x17x16xf64>, tensor<2x17x16xf64>) outs(%54 : tensor<2x17x16xf64>) {
    ^bb0(%in: f64, %in_68: f64, %out: f64):
      %106 = arith.mulf %in, %in_68 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x16xf64>
    %90 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<2x17x16xf64>) outs(%57 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.addf %in, %out : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x17x1xf64>) outs(%56 : tensor<2x17x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %106 = arith.divf %in, %cst_24 : f64
      linalg.yield %106 : f64
    } -> tensor<2x17x1xf64>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x17x1xf64>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %106 = arith.truncf %in : f64 to f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%84 : tensor<2x17x16xf32>) outs(%66 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.addf %in, %out : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x17x1xf32>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.divf %in, %cst_25 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x17x1xf32>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = arith.truncf %cst_13 : f64 to f32
      %107 = arith.addf %in, %106 : f32
      linalg.yield %107 : f32
    } -> tensor<2x17x1xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x17x1xf32>) outs(%64 : tensor<2x17x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %106 = math.rsqrt %in : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x1xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %94 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.subf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %96 : tensor<2x17x16xf32>, tensor<2x17x1xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.mulf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %cst_6 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.mulf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %cst_5 : tensor<2x17x16xf32>, tensor<16xf32>) outs(%8 : tensor<2x17x16xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x17x16xf32>
    %extracted_slice_65 = tensor.extract_slice %100[0, 0, 0] [2, 1, 16] [1, 1, 1] : tensor<2x17x16xf32> to tensor<2x1x16xf32>
    %collapsed_66 = tensor.collapse_shape %extracted_slice_65 [[0, 1], [2]] : tensor<2x1x16xf32> into tensor<2x16xf32>
    %101 = tensor.empty() : tensor<16x10xf32>
    %transposed_67 = linalg.transpose ins(%cst_4 : tensor<10x16xf32>) outs(%101 : tensor<16x10xf32>) permutation = [1, 0] 
    %102 = tensor.empty() : tensor<2x10xf32>
    %103 = linalg.fill ins(%cst : f32) outs(%102 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %104 = linalg.matmul ins(%collapsed_66, %transposed_67 : tensor<2x16xf32>, tensor<16x10xf32>) outs(%103 : tensor<2x10xf32>) -> tensor<2x10xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel"]} ins(%104, %cst_3 : tensor<2x10xf32>, tensor<10xf32>) outs(%102 : tensor<2x10xf32>) {
    ^bb0(%in: f32, %in_68: f32, %out: f32):
      %106 = arith.addf %in, %in_68 : f32
      linalg.yield %106 : f32
    } -> tensor<2x10xf32>
    return %105 : tensor<2x10xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_10_torch.float32: "0x040000000C4C65BEE0698A3C6092253DF64E0A3E96DA5FBE086D333D30ED13BD242B163EE8CDE8BDE089983D",
      torch_tensor_10_16_torch.float32: "0x040000000065803A762D593E28D458BD00DEDF3A1CB0DEBD285E7CBDE892923DDCE576BE1834423E0217383E6CD4D83D14A43F3EF4609FBDE83D693D0062503CCA0531BE10D6C4BDE8C3B5BD00307DBDF24F63BECE0A34BED07BC2BC28C61BBD106268BEA0CB5A3DFE630B3E4833553E5873573E56E232BE3C16A4BD28E4F2BDF8CF3B3D2033893D78D3633D4C99153E540F073E3E6809BE48BD2F3E88B02C3ED882073DE6B95EBEE6021DBEA4AE8E3D2005B13D0CB56E3EBC4A023E3092B93DC0B30BBC068F2E3E605CBABD4078D03DECDBF3BD00EC18BB6E4B173E74EEEA3D58CA65BD00754FBB361D0EBE5C28ED3DF6412C3EE83DB03DB8B877BE2A4237BE76612B3EF09E12BD8C371D3E0CB33C3EA0FA95BD683316BEDED770BE7CD9C33D604C033ED88631BD008878BE6CE424BEE0B15CBCB0ADE93DF08FABBD424325BE883832BEFE0C653E2868B93DC6D94FBE3E191EBE2E5159BE8027143DCCE7CFBD00DA5DBAB8FE21BD681660BEA8C464BE9A8F46BE546ED6BD80441F3D20C8F0BD400012BCE050F5BC4A1F6A3EC867E9BD4885703E1C8744BEF89655BEC87FA63DA2FD14BE004F033E9EA10DBE4A97493EFCE1773EB01C833C60D95A3D8AAC6E3ED0C2173E247C5FBE001E03BCE01567BE148E433ED88F3BBD0069E4BAA2481DBE7A330BBE30E5043DE037533EDCAD00BEE085C13CA0BB673E3E6E653EB03248BD5EF06F3E5474BA3DC227693EC00DF33B6CF558BE505E8BBD7C90993DA684083E7C077FBE2621473EC2A665BEE4FE153E26967C3E38597C3DC84241BD7AF40C3E7CF697BDA8A03DBE18AE35BEB0BBF03D6C83433EC0DB253C0C3778BE328C7BBE103A67BD98310A3EE0982ABE40018A3D04EC0BBE0C49503EF02886BD986655BD588860BE",
      torch_tensor_16_torch.float32_6: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_5: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_4: "0x04000000C81511BE9EFCC33D4884D9BDF92BA0BCF300C63CCCB1D2BD1C36C53D4DA7FEBD8AD6313DA4E19A3C01D6843DCEA731BE854E273CFC7EB03D88C8E7BD7E2C333D",
      torch_tensor_16_32_torch.float32: "0x040000008C0902BDC5948BBD69A8D93D1E98253E61BA13BE2D9AC33DC6A4F93D8519FD3CBB78083B8F4C0B3E22BEAB3B3E9A34BD6DE055BC314F683DD143353DDC431CBC2791643D5002433DE7A212BE596C343DE182DD3DB913A63CD12E84BC9FAA0A3E37271EBE673FA5BD5CA3A3BDFF681C3EF9152FBEEB9F8F3CF9592FBEAC7BBEBB03F2863D2A5429BDCCB82F3E2985133A0694B8BDFBB63A3D8548BC3D9122B8B979DB1A3EDD23E5BD5E799A3D1794CD3D49D2B33D48FC87B8B9B24E3D00030EBE530E0EBE4D0634BC6E80B5BC5869063E6871033EBE7AF53D5DD3A5BD5D1B0EBEC2CB29BE9506833D021D23BE3FB434BE98F7B6BDD7D518BECEAC8EBD91EBE3BD08BDB9BD78192C3E357308BD9B29163E0886803B3A39BABC38FF53BDC56501BE8B7011BEF7AEFA3DA2215FBD7B7D30BE7620263EADE6563B2342F2BD784A0EBE700418BE4DBA1EBEE9CE233E929FF93DB0E36C3C33471ABE39623DBD710C2ABE1888793DBA4140BDD5F21ABD02EC61BD0BBEA93DBCF7C33DB79D1E3D5858B5BCCB1C8FBCDB6F4ABB71CC06BE1AA2303E15249CBDF5A2D23D47F5CABD038C9B3A19DF773D5B3526BE2C11A63D708F0ABEA815CA3C82950FBD6B87CF3DD1EE2F3EA72E233D2567A5BBC35EB3BD29FB863DE341AEBDD58B953DE4EA9CBD7093F53D2DD90A3E25FFDD3D7A19E83AA5E4A73D62F324BE43CD123EC81F3CBDCBFB833D7C3AF5BCBE2273BDED03AABDF285E93D85F7C4BD2260FFBC64A1B63D73F4913C404F18BE450034BE7103B0BD05F5263E9DB500BE4488C73D9493013E671096BDF4E09FBD5C3B02BEB5E2E13C7672CABC77B70C3CC3099D3D8EFF973DBB7164BDF9EB463C83002C3D339B763B30E5103D7CA892BD7560143EA48994BCDB48B9BC977722BE143703BE7730B43B4BF6DFBC9706B6BD6682BD3DA6A581BC40A67E3D6C77183E3972A6BD752FB2BD548011BD314375BC0514B5BDEAD62DBD5EF7A6BB7E65A23DED78273EE10B063EF143993C1D8436BC7279393DE176ECBB1A0DBEBC20FD783D014713BE0BF219BE90B53B3A69775BBD7312B3BDC68428BEE383F23DF5CCE6BBAF83C2BD6D7993BDB75C3E3D124803BEB9043A3C09DE0EBB89AA763D839E8F3D708CECBD32539C3DE3B0083E7B763A3C3371B83D351089BDACD20F3D0293533D1F38A7BD6C87DF3D3E272BBEABFE87BDE404D5BD6AEBD6BDBB60DBBDA6922ABE1587F83C0F3C0FBD946B18BE4B7898B8523CF1BCC059953D39CA0DBE89B34BBD3E0A153DA276993DFB1A5B3C4339443DFDF3343E41D47ABDE0BEF63D8DED1B3EF52120BE70262F3D9B13CD3DBDE4E1BCFDCEC73D8407C53B96CE093E7572793B08C9E7BD1A79093EFD57573D76011A3E54BF333DC13EC03D39BCE13D98D9F33CC15228BD058C153D746EFCBD05E5C53B9BBA68BDFF1D373CD9520FBEBF36DD3DBE0227BE390A9B3DA16CEE3D4AE725BE848D233E1F9106BE3A2F0EBD919BBB3D619B65BD5C52213EDEB69FBD9CE2C1BCC9A8ECBDD9F5A7BDA0A5303E5623083EC541553C45246E3CB69C19BEFEA8083E9D1ED9BC0D0197BD2C0F10BEA9D4143E99ACAB3DFC10DA3D26F3953C31ABF5BDB34D943DB203A73C69FB723D254D34BD00DAAABDC29A143E08B9723DCEEF92BD9751813C87651DBDCBAE77BC3D04CB3D9D1310BE18D4233E19ACF33D9B461F390D1694BD1BA2133DEDA2EFBD9A29EB3DD077BFBD565A0A3DA91732BE045FAD3DDE14F53D9BDE073E5B696C3CDCC2D53DD8E1763DF8C9F23D1E4DCC3D00611EBE74AA983CB6D976BD40DFACBDCC69FD3D2544CFBC00F6E03C3FF3E33D40B2F33DBE35C13DF9D4FCBC145C21BE9BC62DBE4F99633DE37B09BB89BDE4BD391D9E3D374F243EE164D13D044ACCBC95AEC33C7DEEE6BD32E1AA3DDC470CBEE0F2F93D625CA5BDDB968FBDB79F17BECD182FBD2B148CBCF4DFA6BDBFDB003E7EC6CF3DD8C21FBE2CDC90BCBD71733D9FA52E3ED8222DBD3244DE3D754222BC7FDB8ABDB58DDD3DF74D21BE77A8173EACCE343ED3B045BD62038F3D6583343E5F4C5A3DCA948D3D36F0843D861E94BDFDBE303D02F5C0BD30931A3E83239BBD1987253DF1BF51BDFF0DB53D89F63E3B7011C73D6C1144BDD272D4BD98CD8A3DA2BFCBBD579F14BE9BE08B3DD0BDD9BDC61488BD78CC34BDDFA84D3CC1C67ABD644C82BD0EFD35BDB8B6FD3DFFCE583D954CAEBD8640FABD6137863B1CF8673DC36E72BB16EFD33DD941183E7338543DA7CC6E3DAA0AD23DDB0D78BD1C70003DF059123E085EADBDCF6A613CD68A8DBDA8300BBEECC2BF3DEFA4103E0B96C3BDF8AF873DA5085E3D025D8D3D0D4AC73D81FF283ECD64093ED0641EBED5ED8DBD9D47C03D71ADCEBD702D0E3D1A359BBD2FCF0F3D42A7B03D0A96633DB97F033E8B43AEBC538AC43D0A166A3DC23164BD1AB2FFBD609C253E84E257BD2C59083EC934E43D4842E9BB028615BE822A693C5104AFBD736A3C3DF7E78FBD69850B3E7A5223BEC5EC42BD315FE43C4C268A3CC6B6143E5AC864BDE07F10BE22B3EF3D36544A3D8E7DEE3D4B46D6BD4BA4D4BD933E92BD84EB4D3C3A5C753D170CD0BD625888BC2C4AFABC2E2B253ED69082BDA56B2F3E9A0CDEBDA02E95BD062708BE645B053E5BF7F8BD1CDC953D220985BD3063343E9845CC3C42331DBE923BF93CCC10B03C59152FBEC750113DB5B52C3E4C5F503D7B7176BA531A16BD9B6A403D394BA1BDF742323ED07B1C3EE721A93D06DA86BD0FF829BE746AD0BD0F01303E5D2726BEEED62CBE6BBF50BC8B5D663DC92A34BEF00F28BE09F27B3A56E172BD9F39FC3DF9E34F3DFD201DBE872723BE74A1F83DE86400BD5D609EBD0D12643D7F4E0EBDE124AD3D6D9E373DD1C09CBD",
      torch_tensor_32_torch.float32: "0x04000000B82B09BD4A7671BEC6253A3E6A8960BE00A53DBDC0147E3C849FA8BD3444BBBDD4405DBEC0AF613C508AE8BC722E5F3EAC8FA8BDC2DD453EA0E7413C5008E6BDB88673BDD068E8BC80B5293BE8B428BDA4F2973DF4D1523EB8F4203DF473B93DD0151E3EA0B95C3D5C04EC3DF448063E909E6F3EAEA369BEB433AF3D809839BC",
      torch_tensor_32_16_torch.float32: "0x04000000E0AF2C3CD82B643E3018DE3C70CB49BD66BE58BE9A2F09BE62E4383E203C10BCF06188BC485AC73DE86D28BE10598ABC940090BDCEF1053EC456503E8EBE203EBCDC3E3EA6C964BEC0C4B5BD1084F23C506F59BE40E48A3DA6CD27BEFC65DB3DB6314F3EB6FE5ABE6483563E60E6EE3DA0F028BE9809753EF8B75DBE20582CBE34B1FEBD406A4FBC40E1373DC84196BD1EA672BE6067ECBC363B423E9C1A453ECC26003E68AC143D20707E3D545A45BE3C54CF3DC6C77EBEC870D3BD588D86BD32FD3B3E40CDEEBB8438E9BDD8E6323DD46B54BE488E87BDACCC8D3DC0A287BC9014D7BCFA751C3EFC7642BECE4201BEFACC773EC0C34B3D00CC25BDBE9A043E70011A3E901C2BBDE844D5BD706127BD58E9B93D10BA02BDFEFD143EA4C350BE1434FBBDB228433E6856063D60344E3DF864A83DD8F671BDB4C0CCBD7CE2923D24B287BD9081D3BDD849073DC0AF773DD0EAB8BCB0212DBEC0D41ABD0E1511BEB2BC063E22A029BE3A1E4C3E70ECCB3D98375BBE54FA3D3EEC2A7DBE80256EBCDED51FBE003B5CBE70EACA3C683FF8BDC40B393E7E3E49BE607C543EAC711A3E5A38603E18EE95BD9EEA1CBED4132ABECEE1543E08A8FEBD402AFCBCF8D51DBDA82A303D7C1152BE406C4E3E9C6C3DBE8CCA7B3E6856C8BD7491E4BD58C00CBD9087973D48BB3DBD1A807FBEF410343EA4907D3ECC28013EB2807A3EB88B8B3D107BA0BC1EE74BBECABE5FBE564130BEFCE781BD1212153E343ED3BDE0151FBC803A67BB805727BE40C2DDBB862E773EF29B4C3E7AF9423EA0FCC9BC0049913BA8F30B3E084EAABDB47FCFBDDE075B3EA0D8693C58DA2CBEFAB4573EF0F5293D88F9083EAE565EBE80063E3D20951C3E38BA13BDF68211BEC0D04C3E5824EE3D0CD2913D402C723D80CFB43BB8CE123EB8DA5FBD6CB116BE9881C33D7099883D7CF1C23D4079E3BCA8E307BDE0C5A2BC6C01873D9E7144BE729B6EBE9C96BF3D34290CBE9048ACBCE8F08D3D28A00F3D9208253EC03A063D60847D3D8051B7BC0827173DECBCBB3D9CA52E3E269072BEC447D5BDF8B765BEA821CCBD680D1C3E7C8F72BE726165BEDA3A143E702D17BE0A1A3B3E9C889F3D3C85803D9E5E4B3EAE216DBEB2773B3E580AA63D4E8C2BBEC826793DB4B18EBD0883CDBD30CEDDBCDC63F1BD16DB5F3EFA565C3ED079DABCCC0363BE20937ABCF04F873CA41D2B3E00C9033CFC03953D04DA873D3A4111BE1CCB1EBE1ECE64BE00A900BBDC949E3D609F91BC947D783E405743BD020C27BEF8AA2A3D542F90BD28610CBD1A0D783E800CEBBB6EA05F3E28C0083DA479BEBD54B03B3E32D311BE2086073C282B663D98CDE53D6A336CBEA0EE483C209184BD56FB253E6042AC3D4435CD3D2AEC193E104165BDE03683BC7E604D3E4E554EBEC6F330BE50D2953C3CD1CABD00956A3CE223623E6069EDBC42465ABE64BEE8BD161A6B3E40F660BD2C80E0BDFC76E63DE088FD3CC0B561BE8231553EF228103EEA825E3E040DE03D709FACBD1824A7BD6420F83DA08146BD40C2483D9C0F78BED017FDBD602EBE3DA0ED49BCF424F6BDEC4C5FBE0EB4223E60E24DBD48877BBE1CFC763E2027F93DA41F19BE3AD63ABE4660773E00D1883AD2F619BE7A50133E584C55BD504B8C3CE85B05BEA6D458BEF2032ABE60E0E0BCA25439BEDC507C3E8053313B8802C4BD4C5ACA3D2CF662BE26F102BEC84EC03D7E8359BEAC2EFF3D2025AC3C647455BE0A107EBE64D1A13D9401F23D40B44CBD905E62BE708B13BE20ABD93C4004153C680F833D5810353D80B256BC1619073ED052783E4833553EFC9E683E3CCDACBDD0C0AEBDF082E2BC7C53973D283FCF3D008DB6BC6C5B25BEEA2641BEBA74763E78A789BDB0690ABD68E41CBE3CD4FDBD38E9603DC0A5D73DD867CABDF873BCBDF2CA4A3E22D803BE6AFF3EBE90C21FBD6698733EA0CF5E3D487D0D3D6000FFBCB6F81F3EF4C5FDBD20922D3EF8E9713D00B4E33C68F80C3DB4E11DBE08223E3E0674063EDA3848BE5E5B6EBEC0CD83BDFC122A3EE412FCBD30456D3EEAB500BED43E67BEF038E13D4AB61ABEF06B21BDE0B19FBD80BBA2BC4E125FBEB4CD6ABED018DC3DF011E8BC506D1ABE40B0D0BBD6A869BE10E8873D7C26F33DE645783E6A8E50BEB055F8BC0EEE0A3E2C9D6A3E082336BEA894D93DEC62D33DBE551A3E947D30BE92AF363E3402DFBD9A941DBE90524B3D2EDE583E5A8729BE32AE083E708CEABC1473A33DB2B2473EB4048B3D228554BEA0269ABD983D4B3D8AF557BE603D2A3DCC7609BE408C4BBDD429B73DAA084EBE0E5B24BE8086E93DC4317DBE1C2D303E726545BE00E883BBE835523D0408CA3D14E41EBE78CD093DF075DC3DDA925B3E14A740BE548DFEBD6827953D207E03BC78C12CBE6C7657BE564F63BEB22233BE58FED9BD2AC431BE449360BE60DD9F3C0022163EBC66F1BDA0CBCC3C00FA49BB6C53EF3DAA8931BEC076423CFAF26E3E5EC3363ED4B97DBE08271ABD00BA183B780FA9BD3C3028BEAC2132BE881A2A3E18C2A5BD20CC83BC903C963D5A211DBEC08AB63CA245183E20AE15BEBCF5943D40E70BBC0CC20C3E601B2A3E24D6873D0087F73B665F5CBEE0DACB3D12131C3EACF8B9BD7C317EBE12744F3E905C70BDC0DF4C3D70ED8FBD3842233EE8AB793E8078203ED8F0A2BDF866333E34D2F93DB0CEC73CFC334EBE6CD9DBBD72487DBEAE382B3EBC0D7D3EA21F153E0C98A33D7803723DC46F763E60C901BE34E4ABBD5CDB65BEE0CCCABCD07B8C3CA8278C3D5C1832BE40FEECBCBAF152BE963D50BED078053D1EE579BE9C55883DACD36BBEA42132BED87954BDC84B74BEFEC04E3E56C1513E5AB705BEF081563D94F6023E28B3A23D",
      torch_tensor_16_torch.float32_3: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_2: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_1: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_16_torch.float32: "0x0400000054DAFD3D107F22BE246E7A3E4E8D7EBEE63B75BE10F971BDB81C513EC00ECD3CA4A1C43D56A63BBE18B8BA3DC0D9E4BCC038CD3D50CC343E688EDE3D2036AEBC604F7CBCE28E20BE0431B9BDCA5B263E6C4FCDBD76FC1E3E3C06CBBD087D6EBD0058AE3B20EC6ABE009823BB006ECEBC20FCB7BCB0B34CBD18D3493EBAEC3C3E80812DBE74D6ED3D4CCD48BE32F059BE58829C3D80C9703BECD9EEBDB8E976BEB436C6BDFC01AB3D38F46CBEF6B178BEE0EA013D686C38BECC4660BE3C44C5BD68DD24BDE8A068BE34F02ABE7048863C986671BE80ED0FBDC64C25BE007831BE5C3BC93D620A45BE6C0142BEF8FD113E18743F3D7A24693EF4DA88BDC04DF7BD0089BDBC00C9A53AA83C433E18FF7EBEB0D191BCFC7BE23D90F90CBE841502BEE06EF73DA04B75BE88A4723D163146BEE47EFE3DEEE35ABED8631D3E845672BE622F57BE0073713B9CB9493EBE3C5BBEF061E4BD20D7603EE0B82BBD1C1DD43D844576BEA403A1BD4A0102BEDCD2573E1C80D43D06CC3ABEB018253D004F3CBB885DD2BD143212BEC0E6A9BD36C9493EA28337BE225C36BE38F69DBDC0828E3B5C5F8B3D80D3F53BC88076BDC4391BBE30BD37BD781BCEBD6CD44E3E5E3179BEBA4A23BE724750BE98243BBD767E473EE064603EB6DC5EBE807731BC6A43163E34B0E13DCAB0513E403BE3BB2A012CBE105A293E8092AFBDA28D043ED8597CBDF0A5D93DC840663E020B6E3E06FA68BEC65629BEECB1D3BD604023BECCA1753E80E0B4BCB0D029BEA8D5E3BDC4670DBEFCE3D03DDA4B5FBEF8B16EBED85A7CBEA86DDC3D2829FD3D0AFF1EBE18EE7D3DACF93C3EE0C9143DD8A858BDA04F973C309ADBBC52E5003EB0D32DBE78D1013EA249103E9A1A1BBE500A513E76707B3E58D8C9BD88688FBD7428FF3D3E8E48BE7879CA3D70E76E3D4A5D213E045D5EBE50AE54BE40F4E53D8C6DB83DB2466EBEC6C20EBE083C6ABE7E6737BEA403E7BD90D9533E00D44BBDAE08133E4A1E733EBC55E93D822C65BE34D3003E644BC33DB26A463EF4867CBEB0711D3EEE8B513E622C6EBE5046D63C528A5A3EDE303ABE40FFA73DC03DE23DAC30863DDC887E3E8A9B513EECA25B3ED046FFBCDEB5563ED4916EBE26250ABEA8035BBDD41798BD42776C3E1C7EF13DEED0243E34222E3EA03B3FBE9033EDBC7887153DD82A853DC0A4033E70BACBBDB8629ABDAE34563EAC6989BD04D431BE04942D3E105A2D3ED88BA0BDD8B74CBDB4E53CBEB4C855BE9089C03DFCB8DABDEACC4B3E8AFB4CBEE08A0DBD40E1B03B0A92033E4C304F3E465D2D3E6061E13D3C01EBBD62D236BE580565BE402E4B3C124A783E488042BD806F2CBC9E083ABE60309D3DBC4C223EFC647CBE5A4134BE069F3D3E6872723DA05E7FBC680C373DE0B01BBD5EEF32BECC366FBE8C5F283E1095F3BC7826BEBD",
      torch_tensor_48_torch.float32: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_48_16_torch.float32: "0x04000000E1E2E2BD2633A1BD2312873E3F0480BE1D38B53CB30B973E34940CBE424A963E261B8B3ECED8913EFE58EFBC24D18D3EF79C08BE2CA6D6BD972DED3D7777843D13D82C3EA2FA943EF14444BEB766263E92CBD13D3169253E63AB143E5C91EABDD6CD77BECAF27A3EE5C932BE8573483EE95795BE0FF858BD09AE543BDFFE583DC5BFCA3CF097C53D3DA40BBD7292993D6F229B3E8FDF4ABEA2F188BCE95DEFBD648D893EF832863E34CC08BCDA5CD9BDF4B841BEB358603EA6BAACBC1EA5933E02CC323E1C38893E64FB773E83BF4BBE6A8BB73D8C0202BE2A511D3ECB84E1BC3024D93CE6D758BE641B8CBE2C23EC3DC6B8913D43E0D93C79F3543E90EC02BEFD98DE3DD0AE2CBEC2ED813DB6288FBDA4935B3E1E17893EFA27883E74AA613CA5E3383EDDA19CBEEBEA37BECB24603D3ED1DF3AC92576BE2BC60ABE0B7012BEB4519BBE6437EF3C17BC553E2881FE3D7DF814BE3AF48FBEDDF37CBE311BBA3B48AF573E26F2FDBDBC9B2ABED24127BE6C23D9BCF6DF94BEA7568ABE00529A3E9D8715BE783362BD2DC6A7BD99B889BE97185DBDD8F4BF3D55A0FEBD01CE55BC57F9BFBA0A109CBECED9633EC9437D3E0AC5553EB6EDCDBD7AD7233EFCE092BEEE209BBD76127FBD0873DDBD42AF033E53DD0EBE0A5C11BD8411B5BDB13793BEF91B4FBD4ADB84BEC9D2363E9B92273EC0DB923E5892D2BD4F1A7F3C91AC753DF27C9C3EF0B18F3E3F4422BECD6485BEE64A8DBE56FC16BED1CE833EDD99D23DEA41973E0166683ED774913B335242BE5B15993E2E827B3E1EBE073EC6452BBE04FF763E114BE43CDD514F3EE5DB023E537D263E418F89BE5DD92DBE970C3C3E1CA482BD696288BE6A908E3EA2F8D8BB63EC7C3E621075BE69E5D73D8932ECBDB2F003BEA8C982BD701BE8BDF5CD2B3E06496EBD41BA6D3E30168F3D99C841BDF31835BE328C8FBE1DEEB6BDE92B91BEEA5A68BDF8FBA33B9CA4A1BC77031ABEF09C593E9193303EDC7E9ABD3FC2F7BDBD1D453E3364883ED08A8FBEEF7B87BD0AC6E8BC8D09E3BD6ED5853E274039BD3BEA843E2C66C63ABD0908BDA4E236BE2D81D0BD720FCA3D2BB00A3E657D32BCE95F953EF60159BE456DF03D50328D3E97125ABD05EB783EBD63A53BF2C96ABEA2022CBEAB67E93D8AAE07BE2FD1963D924C9A3ED200D53DC9BFEABC35BD9C3D1CA434BE69B983BE14AF6BBE3B8B83BED7AF803D0249743D023E05BE925799BEDFD7293E0AE731BE286051BD537283BE18E230BE4BCB023E7A1092BE38CA32BE02116B3EBECB20BEB57A02BE8C10B0BDF505063E53AB4DBE507EFB3C650C003E7C15B6BC8FC5623DDE2D6FBEB5BF0D3EB45AEA3D2F4F1DBD53A081BEFBCFFA3D2B984C3EDB5B5BBDDDC7133ED26DE83DB2CEFABD1F20AEBC600D9C3E9377BD3AF59B79BEA8ECB6BC31FB1B3EB6B0CCBD663124BE3C24813E10DD253EBD1155BD2D25803C21A404BD7C95913D3149323C16BB3DBE105C683DEF34033C412BA23CF3F7EEBD5BABA03DE2897DBE1072BB3D02E7293E9F050ABDC68D73BE5FE391BA0DE1E339A67A87BEF7C25DBE0C00913E95776A3E0BC32D3E3234593E0266F13D2C74303E2CA94F3EFB7C92BDBE6D1FBD97905F3E453FE7B847034CBE4C1D73BE2C5A2F3E7BDA813EB27E733E6AB6503D4A6D583EEEEE8FBEDFE361BEA8D896BE509C7C3E229235BB255F10BEFD2ED43D93BBEABD6B1549BE10DCF13D9DA1653D2A8760BE6D834EBEC501133E8E676E3E0831CC3CD97B1DBEDB65173E89BA5A3D203F89BE402F4BBE3F40893DDB01423E6774C9BDC39A173E112D42BE1504963E44685F3EC6E86A3D3F7D0B3E8851DA3D150439BED2F92EBBF136A73DD9898DBDD254963E21D2F1BD10018CBE324415BE507E91BE112F813EA7BF0CBE39985CBE229207BD284353BE3EC823BED9D71F3E85666BBE4DDC133E3EA4643E9A0934BA8C380B3E11A12FBEE67F743E524A983EC303953DBADB8E3E2CB29BBE99B409BD4B30793D974288BE7193183E38FCEEBDD0CCE2BD4FC378BEB62D003EE62264BE531185BD2E480B3E3F336C3ED5CB8D3D75ECE9BD726008BE4BFB2F3EA5B0683DA7F7833E4225EC3DF5937C3E23A67CBE300F7C3E090E10BE58DBA7BD3835F03AE2306BBD6D13783DE4B18B3E14553BBEA2C1C13D3AFD7BBE4EEB443D9025813E4469533EEC3F863E54B9293EAF85CFBCC7B9A33D0E0303BE5511853E02FD1C3E797B65BEC68C873E10E294BB33FF5EBCA09EABBD3972A5BD9A147B3C7B1019BE79D391BEEB8021BEF79179BD95C36C3E49A7663EE4DA3BBE4B9F40BC87FBB4BD2FBB27BE7D895CBDED93D9BD1A402F3E697E1BBEEAF3403DA0EE30BE27B6C3BD6DD2763EEFEC19BE01D396BC71B8953E16A0D63DBC961FBE483F3CBEA4E5DBBDC55DC4BD4782083EC1698BBD5D37843EDE072CBE4216C4BDBA4DE43DED677A3E6AF6953E1DBC483D0B74533C84790CBE2A27313E77BD35BE91D2A4BD900683BE0CB596BE35402F3EBB67AA3C22F1793E3E7D793E4187243E18F3FA3D41BCA2BD9F85263ECBC4163EE213D93DF5CF10BC92543B3DC80FB23A468A63BE2991913D5B7E66BEA120183E96CE3ABE21D5CCBDE0B114BEF879773E07CC5CBE5918203E453F1D3E3FB15D3E631D9D3D4DEC2A3E65D9773E1509773DF536D53DD82975BEE032A8BD276EE33C0CF3173D5B8BDDBDCE689BBE6C13A3BD6011F03DDDFC863EC4908DBE3AB1153EA0C094BEBAEA95BE725944BE9AA625BDFC22AF3D57726EBE468F713EEEC38D3E36539A3C53367F3E26F10DBEBA10F8BD21D721BDAD08093DAFB75ABE1A0F7BBE9DB6F73D06CDB43D515C993E10AAFFBD8A71DD3DEF0BFDBDB8C61A3E44F28ABCFF6C683EA8302E3E247C823EC31F213EAC783C3C0819873E222A38BE5DDC933EE730993E3AC1953E677512BE022126BEC9B19E3C9D44C33D0A471D3EEB07FF3D597C853E261B9DBD90B9CDBD9C31D23D62BEAE3DBAE436BEBA9CF23C190D6EBE7CF6B7BD9D1BF6BD6E6B893E2B1E8DBE651E39BECF6A99BE78269E3DFF5271BEE9E1CA3DE0C859BE26D848BE5E2D20BE15353C3DEE0C903E8DD8923EEB7FBDBC998D99BE092BCFBDAAFBEEBDFE5F85BD9698EF3D19C81D3E6C030B3E4222B33DF0DAFDBDCDDD54BB709C1F3D872620BE9C61E0BC858D1CBDA51D94BE618D543ED397FDBCE18487BE740F783E73B428BE9802DE3DD9779B3EA63A683CFF68B43D1727F93D7BF76C3E3066C0BD936E30BE364AC4BC3D33753E95AAD73CF3D8593E723015BBC465C03DE26F2E3CE82D083CD02E95BE270D89BE6F83D03CCC2D1B3E249E523E11AA593C6329043EC021033E6C5487BEBFC989BE0F1973BE197FAC3BCF4046BE9FABC8BD08A33BBD93A8F43D4464913DE56D913E17678D3E860548BEABDC7CBA051A4F3D8FDB883E8D57C2BD8B70F6BD4A9C46BE1208673E50A7B1BD71DAEABDB910543E6A40903E7D6753BC35035DBEA2767F3EF275D6BD0D7C10BE226C5CBE33CA16BEA88C75BE09FA34BEF8CE8EBE6EC67CBD0821FC3D1E036EBE8C2FE0B93E3DE7BDFCA7173E91C7873E9D4026BD4BCD1DBEA9E870BE5E3538BEA70CB53D7BE08F3D02D9283E135A3ABDCA1A213EE9AA8BBE7791A83D5130983E03279BBEB5C322BE1CB7483E3E1544BDAA2027BEC4463F3E8223A83CD07B443C6176BEBDBD3A6C3EB4EA2D3E22AB603D60653F3D6C20223ED155433EC59C00BEBF6709BD18A6093EA5EE17BED695923E62C556BEFDAD103E453761BEBB54C93D92FD5A3E962F173D4766FBBC8861473E7B2161BEF68753BEBD9C85BEFAFE40BE6F33023CC62B0EBEA0B38B3D8748293C8478823E82F307BE958BABBDB65E4F3EAB8E9EBD9616963E3A0FF9BDE2C35BBB039294BD5247123ECA45F03D52F726BEDF994E3EB0619FBC61929EBD6262CABB01345A3E90C7993E2490183ED1735B3D9D9F4C3E311C03BEACDA23BEB816B5BD5BED4ABE66CF063EBF42EE3CC08AD6BD6CA5FEBC58EFC6BBC86A863EE1F08B3EC25F71BEA5D1E53D3024F23D62C5EF3D8CFA2ABD95D29C3D26CB9D3DDB94983E0C4096BE26F5EDBD5FF252BE1B1618BE3E3C763D3E383F3E6E196DBE3BED4B3EB7F2823E208B1ABE49E55A3D30F620BE564F863DA15C11BE2647F4BDA4E251BE72BA82BE86347A3E91601EBD862B0BBC64091CBEDD885A3E7C7533BE35A0FDBDF1BF74BE97D283BE512D8B3E321C72BEF9242DBDFA82B5BD14B0E53DBEB8A73D555A70BEEBC98C3E39299CBE6115F83C218DD1BC435191BDDBA9553E7E5C843E525E233DF47ADDBDE418693EFEFB443EE540613DB982ABBD",
      torch_tensor_1_17_16_torch.float32: "0x04000000B9ACADBFEFF043BFFA0A56BE1BC687BE802147BF3D20B43F0D923EC08BA413BECF9459BF6D7D98BEA545084014B3003F551863BF57ABFF3F6464D9BF7E082CBF6CFF42BF9B0FF5BFD0958FBFC5821ABF66D01AC05DC36ABF96AB333F9B8F41BF8CB0C03E3061903F5C60B33C9532BF3F69530CC0355EDFBDD4D3C8BF9EE00E3F4F6188BFA71ECE3ED67BCFBE7C5715BF125D84BEF2051BBF96C240BEC8A8753F17152E3FA8EB44BFFF4395BD90BFB8BFAD91A1BF0593163FF96560BF988384BF618C9BBFDDB22DBE5610153FF5E1F13F8B9F8A3EC4EA3A3FFBDAA3BF4963B7BE25EB7ABD2A66AB3F058A87BF73F4D43EE7B547BF0812C8BCF2CB71BF23D39B3DE4554740798E4FBF77778DBF9E2A39BF89C9493FD1A8AE3F3B4FBF3E380E80BF7069CC3A5FB706BE8A3FD33DA755BDBE232B36BFA65FF6BDE2809E3FA5494B3E0D6B4CBF45568D3E5717C93D98DA1E40ADAF99BFBDAE823F2921C6BEE40369BDEE008CBE97137ABDF936083FCEAD65BFAA9CA6BFBDB8AFBF7970D83F71A5ECBE9B78503EBB3384BF98B3903F44FF11BFC57506C0ECA3C73E25E1B23DEF7B5BBF7A9A8CBEB2ECE23E3788753F717DAA3FB9F7453FECA043402A381FC0421CD9BF31C350BDB23FB23FEF0A13402AFA063FDD031B3EADD1043F66F116BF4A16803F96A1A8BFC381B73BC960113F74A8B5BF5430A5BE54F8233E5FE5BDBFA6C8523F1421823F57B4A43F9E3F05400117EF3D66C917BE299F643F690743BF02F7C4BF9F6CE4BF8A0B323F49321DC0A18DA93C5B5300BEB1D6D73FE6AD1140BAEF74BF63E8363F3C2E583F49398F3D0A3FCC3B6AE8B3BF63A3F43DD395A9BE6B3A57BFAE17EC3E08B01D3F784B60BEE47076BE450620BF28EF503F983112BFAEA3F4BD08CFDABE9B77503FEBBEB4BF2856CCBD2678993D5D1F173F960FCC3EBAC922BF562CB5BEF5AB8CBF747A03C05832A5BDF2550CBAC59D92BFA2630040294C35BEB2E0C1BF2298893FE5EE4F3D6BEFD3BF2D48ECBEA9F61B3D697AA9BF1D090E3F970439BFBDD00740AFA74C3D437DE73EA887503FCFC30EBE4C3FBCBE612AEABECFB3A5BFFC80333F3573F4BF5CE3863F260E86BFA684663E86092E3FDD63073FE75CB53EF79C143F9626173D9E7E1F3F61FA563FBFC961BF330D773FD06B5E3FF852633FB0BE6CBFF9EFA53E62A751BFCC8EB93E1572633E40DD8E3E695EA1BE9054CDBE21E55C3E4B87A43FAEF084BFAA25D1BFCC94093F10938A3FA1F0DABF37C38ABFE9D303BE155B2EBFACAAA7BF6807293F7ABEB4BF8DD3EA3F5F92E93E50CB8C3E0C104C3EE176DF3DBECE57BF66EC1A3FF2A8A83FAF16893F29619CBF4CFD203FACB7813FA1A74CBF30AF00BE7B092D3FE6CC5C3F70FDE53F5EFDC0BFEBFD943D2BB812C00E81093FC0822E3FDF87BFBF80837BBFA8E8373F7663E13EE8D80FBFA4F8293FE19C06C013B2603F8CE172BEAF69C83F787792BFD6732AC038F80740E499B13FB8C04F3F32D5263E9BFF2BBF40AFD8BF339789BF1EB65A3F",
      torch_tensor_16_torch.float32: "0x0400000011CCE2BDD6CB2CBD75E7413DA17C01BE9A0CA23D28E0993DB755B73D0876BCBDEA35133EE738AFBD6F8E133E06D80DBED5AF03BEF88EB53DAC27773CDB6C083C",
      torch_tensor_16_48_torch.float32: "0x04000000E8A38DBA13939E3D7E4BF3BDC98BD9BDB1B463BD53891E3D406B3BBB7A61EA3D42DD51BCD2701C3D9EAB32BDEA6BE8BCBD330DBED6C5C3BD84B573BD0834AF3B8DB9693D665EB13DD266C8BD69B980BD83BC563D2777F53D4357F3BC1534DD3DDA95BEBC653B7A3CB5D4053E791C09BEF017BABD48AC15BDCC7366BDCA66FF3DA49ABFBD701388BD3C85CEBDDF6C0ABE3E8EACBD9D19FE3D55E7833D54458F3D67BDF83B0B8D97BDD50BC83C6B000ABECE97D5BD736498BDE281BA3D8A51AD3D3F1983BD3DA8AABB680EBD3D3DEF123EAFA36A3D50BC9F3CB032C63D4B0DAEBDEE55DC3CD22EE5BDEAE0CCBD2EB498BDA6C0853D8AC26D3DF419AFBD949B323D2847A23DB83D95BCE195B43B41FC083DA962B73D15EB0D3E84CCE3BDCBA858BD9E59683D06ECF43D3B9E003EEF69023E4451EB3C998600BEDB8B593C58EEB8BD8FBE09BE1752033ECFC3E03DB16F13BE9250DD3C7A30C7BC4D94C2BC805087BD285A633D3F16AFBD33BB583D2F7D953D319DD33D0B0F5D3DD64812BEC8C1BFBD6499933D107BF73C6E98E6BDD336AABD580B0B3ECD2EC73DF7E380BD38CC14BDACCB0CBEDC052ABB529BDEBDFF03E4BD104D02BC9488B13CF61D72BD8667AF3DDDE2B3BD5E1C063EB193CA3DFA46F9BD5F2413BD146AD53BF083AC3C11380C3D9701683D4CA70D3CBE3B90BD52E08B3D51C70DBEC134AFBD26FF13BD09FE8FBDE6D24EBD6C48F2BD6984FBBC9CBFFC3C5193C0BD08B9F2BB9F9BD33DD21A73BC9272833BD1024CBC664CEF3CCEF4BB3D2B010C3E82B9BB3D2D530C3E36072BBCFFC504BE89238CBD2147C93D764775BAB6ED92BD3986E2BD0C520ABEDC7DF9BD3ED6EFBC531CA23DB8D09F3D6D8B0EBE5D64B83DF94FE7BD6EF9F9BCD7B76FBD39C0E3BC8228E8BC3CA104BE313CFFBDFF05B9BCB0A8F43A014986BD03B55E3DB70705BE7B981FBCCBFA013E022671BD2277053E941B563D9E6205BE0707BB3DA87188BC98F583BD5361EC3D2AE0EEBDF0C17D3C738FF7BC1518D33D3808253DFB098E3D39CA503D952B0EBD00ABF8BCE999F3BDC22BA03DDCB3EA3D5742CA3D1E83D0BD28F1D23B8161D0BD97B9A2BDEB3FACBDBC0A4A3D6727B0BD2B604EBBB7F7C63B7F8DBE3DD673DFBD70EFCABD3EA5ABBD14E7CE3DA38454BD8C56F93DE8C8553D6BB9953CA3D48CBAC6BDE9BC645A943CB8FF06BD2EEE84BA22DE963CF238E7BD5CEF9ABD92B2EE3D5AE5EFBD28CF29BC0D36123ED590553D2FE9853B1E1600BE746F923D758DD2BD8CD227BD085C46BDBA19AFBCEDEFCE3ADCD0F33D719C933C8862043E01D3B43D72E2BABD4D94843DF9F5D0BD79917ABD26E32D3D3636433D19C5DD3D9D513EBDE5497239FE2E983D16F00EBE2AB7D53DE770F4BD775F023BB407C9BCB0AF9BBDE2479C3C9F70F43D3ED22CBD7A7FAFBDB4A65ABD4E7E12BEFE6E853DB2F78DBD9C44C5BD294CAABD7CF5A93D338B9C3DCCE1E23DBF71563D6F7045BD2C3625BD00A92E3D07FFF23D96BE203D04DD8BBDDAF48ABDEDBD0BBE4275FF3C2EE3A5BDC2C603BE939A013ED6F7BFBD5F8386BC7C60293DC8AD963BF5E7C6BD4EF1EEBDC79EEB3DEB8AC03C623DF53D4C3246BDA4242E3DE53107BD4655D2BB1609B4BD57F2473D5EEB3A3DCA2143BBB2F604BDFD37B6BD466CCC3DE30DDCBD6C32723D9ACB46BD819E8EBD2B6AD43CA08D99BD8637083D0E34E83C7C7BDBBDBFDEC43CEBCF7B3D96046A3D34D794BCFB54F2BD1946B6BCA3544D3DC0B757BD2F69603D5BDCC43D89599ABD7492BA3A9F76743D9A59393C9B89453C7DA4933C4C63E8BDFBD8393C47B2CC3DA52F053EBBBDAD3D6E729E3C0B0D8A3D15CE8FBD8AF6F4BD0F32FEBDC972133E56A5BB3DBC54CCBD254E673DE53ADF3DA7BE133EAD3C013E1205E53D238A07BDA37A4FBD6CB4F23D6CA6A53D4CE3B1BD51E0043EC3D28E3DD524A13DF546B9BDF99D293D3E414FBDBBF8E63D9FC3D4BC062A663DBE05D23C268A7B3D87E848BDB220903D6878CEBDE886053DB800C8BDD9CF11BECE62EDBDB75EE93D94EE9F3D7BAB0A3E69D0EC3D5DFE03BE9ABAC9BDB20EBFBC6FF9BFBD1344CD3D7A7ADFBDAD3990BD38CA0EBED6D3A7BD8820F33D3807F23DA19AD33D4F3EE43D5A6C033EDA6217BDEB10823D56AE033E0F95433DFBC0133E8951993DE5C2B73DEEEA4EBDAFD68D3DF6DD873CBE300DBD6FA2A6BD31DEA5BD0A76E3BD8E72C63D5427D23DDA9286BCBF0FABBD3379E43DFA08BD3D7EC92F3C95908BBD39D6073EB9C4713DE967E0BD5C750D3E3279E03D4B7D57BDBD2CA63D65F5A7BD154DB9BC45FFFA3DD86CC33B590ED1BDCA9945BDED7A20BD1F1FE4BCBD50623CFDB0083E303AFD3B6F84B6BD3A6AF23BEEBC8D3D93A1923DE61407BE7C95D3BC0EADDBBD65427CBD0302553DB7EAD1BD75C45B3DD2E6FA3DE71A1B3C1704C5BD09D253BD2C19013D0058E1BDD9DB923D442F06BEAD140EBEF19C0FBE4ADEEFBCFEC5C63D24E40BBEA2B3F53D067F6CBDB1272D3D9DAFD73B8D4605BE0527F53D6A2A9F3D0AEA123EA857953D5C1EC3BDABB4F63D4B31FE3B122E8C3DFB05EDBDF50B2ABD861F11BE444566BD5815FF3CAF18E8BD9D743C3D90AE9E3D9EB8A43C84C8C5BDE52FE5BDA76536BDEBC1813D81CA113E02FBA93D942685BC6B494F3DB30011BEA679FCBD4DEE893D296FA7BDA7368E3D07ADD0BD626A92BD377CF3BD02429A3DD8F670BC257FE33DD0F0B63DE691A33D5616983BC0C936BD0B8C00BDB8249D3C8C88923DC218CFBDE517F83D5B9080BC13B3F7BD41F09FBD0CC7023E2C2B073EDAE708BE107DD03DF324943D1BF9AE3DA33CFA3DC5509FBD51B03A3D00F1713D99B22EBD63D9453D1C192ABD97C2B63D740824BD39665CBDF1D5143D7FB2513D646C90BDF70B513C0D50AB3DE14A6BBC9BEC333D63970EBDBC374F3D2322D6BDC2D2ADBDA30B96BDD3D4073E95151FBD859ECEB9EF378FBD878C133E7D5A103EA9F0DEBD00A3EFBDB410E0BD907A36BA6EB316BD637CC1BDA30C54BDF664DF3C33739ABD4600033DB59207BD113D8FBD4972A23CF10FF33DEED9C7BD5E9EDB3B98045ABDE909113E923A0CBE15B10DBE3CA4113E7706BBBD3DB2E23C55194CBC6A15F9BC710B04BD9ED6BB3D2610E23BE0E60FBE2F83AEBDE38A49BDA0C0943D7D4BBFBD775D0B3ED7AD03BD0451D4BC539FE73D9092943D0BB5FA3D76FDAA3D485833BDE91FC4BD48F32FBC05A7F43DB16B46BD1B1109BE395A723D75E10F3E7F4E28BD3BC4F4BD9F1006BEF127143D621033BCA24695BDE000EF3C1684603D5419EB3D4D80E53DEFFCB0BCA05302BE988E05BE3A000A3E4AAC823D0DDB803D21C3FFBDDEDD083ED6040C3EBB71053ED65DF9BD7B135FBD264ECBBD8DF60B3E99077EBD84F586BDD3DE9A3D6DBE88BD589791BDDBDA4EBC574E63BCC544E6BD616FF63DA56582BDB5B5513D338E003EDF13953DEA67A73C2484FB3D87F29E3C49C388BDFFD10B3E56ED0B3D0E3510BEC24F28BDFA5AC9BDE795013E4B45C3BC93B906BE32A914BC88A4B93D8398193D32F13A3D0AA15B3CB4695C3D760C10BDA02E6BBDC7260ABE5CB0DEBD801D803DDB07AFBDFDA2A93C47B53C3D5C70273C83A7BFBDD0580D3EA7E4ABBD4822F33DA727EBBDC0360EBD8BCCA03D3C8E71BDCA51F83DDE6BCBBD403DF8BD0F4B85BD3A23BF3CD916083E0D1F8DBDA46E533D3C3814BDE03500BDAF5BD93DA316E5BD162D7B3C7AFE0A3E5F7AA2BC8884E53DED1036BD12F3ED3D19F90EBEEC69AABCCAAFCFBCE9993F3D54F2673D20F8E23DBB29B0BC098EBBBBB76ECA3DF3F61FBD6391013EF8D0C4BDC5E57FBCBC08FEBBB1E6833DD118CA3DBF6ABBBCD1E6F4BD1A78923D43D9303DC07C6D3D1F59B6BDBE3FBE3DB8FD0B3E02334D3CCD0D0ABEB382CF3DEB2CDBBDE4E6073D61D3AB3C695A8ABD04DB4D3DDA3204BE26A7063DE465BBBDA7B77FBCAC17983C6ED6FB3DD1098DBDC95FBD3DDD3496BCE6638CBDA5B400BE5A9C07BE3D58103E597213BD953DEC3B8E48203D5DEEC83D304AFC3D48BDEF3DED01DBBD4771BDBC6CEBAEBDBCE4A8BD073D0C3DD6BB0A3E1ACFECBD84E6B23DAF4299BDBF4DE6BC2EA4EA3DA1B605BDC154573CE8A2CEBD30A1FB3DB3D998BC9333D8BD861C2D3DDA2DD2BD3C90EABD3210103C015EEA3D524D27BD76218B3DAA04FE3DE90FC43DDF0F9BBDB19D81BC360B3ABD90B3EDBD12237A381D6CDE3DE80CF93DD6A35C3CD246063D38F27FBD4922DF3D910176BD7857CDBD7E15B63C292EB13DB94105BEA09B053EE8AC543D7D1ACFBD60B3FEBCD23A003E",
      torch_tensor_1_1_16_torch.float32: "0x040000006991333F353C0EBF4E6DC3BE513935BD5C03053FA694423F05BF83BF450DA0BF3AD8E8BD76301DBFB65E5A3F14D21E3EDC8E8D3F07178C3F6AFD113FEABF463F"
    }
  }
#-}
