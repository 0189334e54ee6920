#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x32x16xf32>) -> tensor<1x32x16xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<1x2x32x32xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_torch.float32_11> : tensor<16xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_32_torch.float32_1> : tensor<16x32xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_32_torch.float32_1> : tensor<32xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_32_16_torch.float32_1> : tensor<32x16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_torch.float32_10> : tensor<16xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_16_torch.float32_9> : tensor<16xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_16_torch.float32_8> : tensor<16xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_1> : tensor<16x16xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_48_torch.float32_1> : tensor<48xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_48_16_torch.float32_1> : tensor<48x16xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_16_torch.float32_7> : tensor<16xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_16_torch.float32_6> : tensor<16xf32>
    %cst_17 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_18 = arith.constant dense_resource<torch_tensor_16_32_torch.float32> : tensor<16x32xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_32_torch.float32> : tensor<32xf32>
    %cst_20 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %cst_21 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_24 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_25 = arith.constant 0xFFF0000000000000 : f64
    %cst_26 = arith.constant 0.59460355750136051 : f64
    %cst_27 = arith.constant dense_resource<torch_tensor_48_torch.float32> : tensor<48xf32>
    %cst_28 = arith.constant dense_resource<torch_tensor_48_16_torch.float32> : tensor<48x16xf32>
    %cst_29 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_30 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_31 = arith.constant 1.000000e-05 : f64
    %cst_32 = arith.constant 1.600000e+01 : f64
    %cst_33 = arith.constant 1.600000e+01 : f32
    %cst_34 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<1x32x16xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x32x16xf32>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %145 = arith.extf %in : f32 to f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %2 = tensor.empty() : tensor<1x32x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<1x32x1xf64>) -> tensor<1x32x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.subf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.mulf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %10 = tensor.empty() : tensor<1x32x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x32x1xf64>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %145 = arith.truncf %in : f64 to f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x32x16xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.addf %in, %out : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.divf %in, %cst_33 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_31 : f64 to f32
      %146 = arith.addf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x32x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = math.rsqrt %in : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %17 = tensor.empty() : tensor<1x32x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %14 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.subf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %cst_30 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %cst_29 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %22 = tensor.empty() : tensor<32x1x16xf32>
    %transposed = linalg.transpose ins(%21 : tensor<1x32x16xf32>) outs(%22 : tensor<32x1x16xf32>) permutation = [1, 0, 2] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1, 2]] : tensor<32x1x16xf32> into tensor<32x16xf32>
    %23 = tensor.empty() : tensor<16x48xf32>
    %transposed_35 = linalg.transpose ins(%cst_28 : tensor<48x16xf32>) outs(%23 : tensor<16x48xf32>) permutation = [1, 0] 
    %24 = tensor.empty() : tensor<32x48xf32>
    %25 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %26 = linalg.matmul ins(%collapsed, %transposed_35 : tensor<32x16xf32>, tensor<16x48xf32>) outs(%25 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%26, %cst_27 : tensor<32x48xf32>, tensor<48xf32>) outs(%24 : tensor<32x48xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x48xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2, 3, 4]] output_shape [1, 32, 1, 3, 16] : tensor<32x48xf32> into tensor<1x32x1x3x16xf32>
    %28 = tensor.empty() : tensor<3x32x1x1x16xf32>
    %transposed_36 = linalg.transpose ins(%expanded : tensor<1x32x1x3x16xf32>) outs(%28 : tensor<3x32x1x1x16xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1], [2, 3], [4]] : tensor<3x32x1x1x16xf32> into tensor<3x32x1x16xf32>
    %extracted_slice = tensor.extract_slice %collapsed_37[0, 0, 0, 0] [1, 32, 1, 16] [1, 1, 1, 1] : tensor<3x32x1x16xf32> to tensor<1x32x1x16xf32>
    %extracted_slice_38 = tensor.extract_slice %collapsed_37[1, 0, 0, 0] [1, 32, 1, 16] [1, 1, 1, 1] : tensor<3x32x1x16xf32> to tensor<1x32x1x16xf32>
    %extracted_slice_39 = tensor.extract_slice %collapsed_37[2, 0, 0, 0] [1, 32, 1, 16] [1, 1, 1, 1] : tensor<3x32x1x16xf32> to tensor<1x32x1x16xf32>
    %collapsed_40 = tensor.collapse_shape %extracted_slice [[0, 1], [2, 3]] : tensor<1x32x1x16xf32> into tensor<32x16xf32>
    %expanded_41 = tensor.expand_shape %collapsed_40 [[0], [1, 2]] output_shape [32, 2, 8] : tensor<32x16xf32> into tensor<32x2x8xf32>
    %29 = tensor.empty() : tensor<2x32x8xf32>
    %transposed_42 = linalg.transpose ins(%expanded_41 : tensor<32x2x8xf32>) outs(%29 : tensor<2x32x8xf32>) permutation = [1, 0, 2] 
    %collapsed_43 = tensor.collapse_shape %extracted_slice_38 [[0, 1], [2, 3]] : tensor<1x32x1x16xf32> into tensor<32x16xf32>
    %expanded_44 = tensor.expand_shape %collapsed_43 [[0], [1, 2]] output_shape [32, 2, 8] : tensor<32x16xf32> into tensor<32x2x8xf32>
    %transposed_45 = linalg.transpose ins(%expanded_44 : tensor<32x2x8xf32>) outs(%29 : tensor<2x32x8xf32>) permutation = [1, 0, 2] 
    %collapsed_46 = tensor.collapse_shape %extracted_slice_39 [[0, 1], [2, 3]] : tensor<1x32x1x16xf32> into tensor<32x16xf32>
    %expanded_47 = tensor.expand_shape %collapsed_46 [[0], [1, 2]] output_shape [32, 2, 8] : tensor<32x16xf32> into tensor<32x2x8xf32>
    %transposed_48 = linalg.transpose ins(%expanded_47 : tensor<32x2x8xf32>) outs(%29 : tensor<2x32x8xf32>) permutation = [1, 0, 2] 
    %expanded_49 = tensor.expand_shape %transposed_42 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %expanded_50 = tensor.expand_shape %transposed_45 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %30 = tensor.empty() : tensor<1x2x32x8xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_49 : tensor<1x2x32x8xf32>) outs(%30 : tensor<1x2x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_26 : f64 to f32
      %146 = arith.mulf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x2x32x8xf32>
    %32 = tensor.empty() : tensor<1x2x8x32xf32>
    %transposed_51 = linalg.transpose ins(%expanded_50 : tensor<1x2x32x8xf32>) outs(%32 : tensor<1x2x8x32xf32>) permutation = [0, 1, 3, 2] 
    %33 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_51 : tensor<1x2x8x32xf32>) outs(%32 : tensor<1x2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_26 : f64 to f32
      %146 = arith.mulf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x2x8x32xf32>
    %collapsed_52 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_53 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x2x8x32xf32> into tensor<2x8x32xf32>
    %34 = tensor.empty() : tensor<2x32x32xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %36 = linalg.batch_matmul ins(%collapsed_52, %collapsed_53 : tensor<2x32x8xf32>, tensor<2x8x32xf32>) outs(%35 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %expanded_54 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 2, 32, 32] : tensor<2x32x32xf32> into tensor<1x2x32x32xf32>
    %37 = tensor.empty() : tensor<1x2x32xi64>
    %38 = linalg.fill ins(%c0_i64 : i64) outs(%37 : tensor<1x2x32xi64>) -> tensor<1x2x32xi64>
    %39 = tensor.empty() : tensor<1x2x32xf32>
    %40 = linalg.fill ins(%cst_1 : f32) outs(%39 : tensor<1x2x32xf32>) -> tensor<1x2x32xf32>
    %41:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_54 : tensor<1x2x32x32xf32>) outs(%40, %38 : tensor<1x2x32xf32>, tensor<1x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_107: i64):
      %145 = linalg.index 3 : index
      %146 = arith.index_cast %145 : index to i64
      %147 = arith.maximumf %in, %out : f32
      %148 = arith.cmpf ogt, %in, %out : f32
      %149 = arith.select %148, %146, %out_107 : i64
      linalg.yield %147, %149 : f32, i64
    } -> (tensor<1x2x32xf32>, tensor<1x2x32xi64>)
    %expanded_55 = tensor.expand_shape %41#0 [[0], [1], [2, 3]] output_shape [1, 2, 32, 1] : tensor<1x2x32xf32> into tensor<1x2x32x1xf32>
    %42 = tensor.empty() : tensor<1x2x32x32xf32>
    %43 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_54, %expanded_55 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.subf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x2x32x32xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = math.exp %in : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %45 = tensor.empty() : tensor<1x2x32x1xf32>
    %46 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<1x2x32x1xf32>) -> tensor<1x2x32x1xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<1x2x32x32xf32>) outs(%46 : tensor<1x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.addf %in, %out : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x1xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %47 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.divf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %49 = tensor.empty() : tensor<1x2x32x32xi1>
    %50 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_54 : tensor<1x2x32x32xf32>) outs(%49 : tensor<1x2x32x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %145 = arith.extf %in : f32 to f64
      %146 = arith.cmpf oeq, %145, %cst_25 : f64
      linalg.yield %146 : i1
    } -> tensor<1x2x32x32xi1>
    %51 = tensor.empty() : tensor<1x2x32x1xi1>
    %52 = linalg.fill ins(%true : i1) outs(%51 : tensor<1x2x32x1xi1>) -> tensor<1x2x32x1xi1>
    %53 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%50 : tensor<1x2x32x32xi1>) outs(%52 : tensor<1x2x32x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %145 = arith.andi %in, %out : i1
      linalg.yield %145 : i1
    } -> tensor<1x2x32x1xi1>
    %54 = linalg.generic {indexing_maps = [#map7, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %cst_4, %48 : tensor<1x2x32x1xi1>, tensor<1x2x32x32xf32>, tensor<1x2x32x32xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: i1, %in_107: f32, %in_108: f32, %out: f32):
      %145 = arith.select %in, %in_107, %in_108 : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %collapsed_56 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<1x2x32x32xf32> into tensor<2x32x32xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%29 : tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %56 = linalg.batch_matmul ins(%collapsed_56, %transposed_48 : tensor<2x32x32xf32>, tensor<2x32x8xf32>) outs(%55 : tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %expanded_57 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %57 = tensor.empty() : tensor<32x1x2x8xf32>
    %transposed_58 = linalg.transpose ins(%expanded_57 : tensor<1x2x32x8xf32>) outs(%57 : tensor<32x1x2x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_59 = tensor.collapse_shape %transposed_58 [[0], [1, 2, 3]] : tensor<32x1x2x8xf32> into tensor<32x16xf32>
    %58 = tensor.empty() : tensor<16x16xf32>
    %transposed_60 = linalg.transpose ins(%cst_24 : tensor<16x16xf32>) outs(%58 : tensor<16x16xf32>) permutation = [1, 0] 
    %59 = tensor.empty() : tensor<32x16xf32>
    %60 = linalg.fill ins(%cst_0 : f32) outs(%59 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %61 = linalg.matmul ins(%collapsed_59, %transposed_60 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%60 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%61, %cst_23 : tensor<32x16xf32>, tensor<16xf32>) outs(%59 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x16xf32>
    %expanded_61 = tensor.expand_shape %62 [[0], [1, 2]] output_shape [32, 1, 16] : tensor<32x16xf32> into tensor<32x1x16xf32>
    %transposed_62 = linalg.transpose ins(%expanded_61 : tensor<32x1x16xf32>) outs(%17 : tensor<1x32x16xf32>) permutation = [1, 0, 2] 
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %transposed_62 : tensor<1x32x16xf32>, tensor<1x32x16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<1x32x16xf32>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %145 = arith.extf %in : f32 to f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%64 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %67 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %66 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.subf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %67 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.mulf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%68 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x32x1xf64>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %145 = arith.truncf %in : f64 to f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<1x32x16xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.addf %in, %out : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.divf %in, %cst_33 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_31 : f64 to f32
      %146 = arith.addf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x32x1xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = math.rsqrt %in : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %73 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.subf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %75 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %cst_22 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %cst_21 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %collapsed_63 = tensor.collapse_shape %79 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %80 = tensor.empty() : tensor<16x32xf32>
    %transposed_64 = linalg.transpose ins(%cst_20 : tensor<32x16xf32>) outs(%80 : tensor<16x32xf32>) permutation = [1, 0] 
    %81 = tensor.empty() : tensor<32x32xf32>
    %82 = linalg.fill ins(%cst_0 : f32) outs(%81 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %83 = linalg.matmul ins(%collapsed_63, %transposed_64 : tensor<32x16xf32>, tensor<16x32xf32>) outs(%82 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %84 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%83, %cst_19 : tensor<32x32xf32>, tensor<32xf32>) outs(%81 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x32xf32>
    %expanded_65 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [1, 32, 32] : tensor<32x32xf32> into tensor<1x32x32xf32>
    %85 = tensor.empty() : tensor<1x32x32xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<1x32x32xf32>) outs(%85 : tensor<1x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.divf %in, %cst_34 : f32
      %146 = math.erf %145 : f32
      %147 = arith.addf %146, %cst_2 : f32
      %148 = arith.mulf %147, %cst_3 : f32
      %149 = arith.mulf %in, %148 : f32
      linalg.yield %149 : f32
    } -> tensor<1x32x32xf32>
    %collapsed_66 = tensor.collapse_shape %86 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %transposed_67 = linalg.transpose ins(%cst_18 : tensor<16x32xf32>) outs(%59 : tensor<32x16xf32>) permutation = [1, 0] 
    %87 = linalg.matmul ins(%collapsed_66, %transposed_67 : tensor<32x32xf32>, tensor<32x16xf32>) outs(%60 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %88 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%87, %cst_17 : tensor<32x16xf32>, tensor<16xf32>) outs(%59 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x16xf32>
    %expanded_68 = tensor.expand_shape %88 [[0, 1], [2]] output_shape [1, 32, 16] : tensor<32x16xf32> into tensor<1x32x16xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %expanded_68 : tensor<1x32x16xf32>, tensor<1x32x16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<1x32x16xf32>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %145 = arith.extf %in : f32 to f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %91 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%90 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %93 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %92 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.subf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %93 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.mulf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %95 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%94 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<1x32x1xf64>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %145 = arith.truncf %in : f64 to f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89 : tensor<1x32x16xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.addf %in, %out : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.divf %in, %cst_33 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_31 : f64 to f32
      %146 = arith.addf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x32x1xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = math.rsqrt %in : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %99 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.subf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102, %101 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %cst_16 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104, %cst_15 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %transposed_69 = linalg.transpose ins(%105 : tensor<1x32x16xf32>) outs(%22 : tensor<32x1x16xf32>) permutation = [1, 0, 2] 
    %collapsed_70 = tensor.collapse_shape %transposed_69 [[0], [1, 2]] : tensor<32x1x16xf32> into tensor<32x16xf32>
    %transposed_71 = linalg.transpose ins(%cst_14 : tensor<48x16xf32>) outs(%23 : tensor<16x48xf32>) permutation = [1, 0] 
    %106 = linalg.matmul ins(%collapsed_70, %transposed_71 : tensor<32x16xf32>, tensor<16x48xf32>) outs(%25 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %107 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%106, %cst_13 : tensor<32x48xf32>, tensor<48xf32>) outs(%24 : tensor<32x48xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x48xf32>
    %expanded_72 = tensor.expand_shape %107 [[0, 1], [2, 3, 4]] output_shape [1, 32, 1, 3, 16] : tensor<32x48xf32> into tensor<1x32x1x3x16xf32>
    %transposed_73 = linalg.transpose ins(%expanded_72 : tensor<1x32x1x3x16xf32>) outs(%28 : tensor<3x32x1x1x16xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed_74 = tensor.collapse_shape %transposed_73 [[0], [1], [2, 3], [4]] : tensor<3x32x1x1x16xf32> into tensor<3x32x1x16xf32>
    %extracted_slice_75 = tensor.extract_slice %collapsed_74[0, 0, 0, 0] [1, 32, 1, 16] [1, 1, 1, 1] : tensor<3x32x1x16xf32> to tensor<1x32x1x16xf32>
    %extracted_slice_76 = tensor.extract_slice %collapsed_74[1, 0, 0, 0] [1, 32, 1, 16] [1, 1, 1, 1] : tensor<3x32x1x16xf32> to tensor<1x32x1x16xf32>
    %extracted_slice_77 = tensor.extract_slice %collapsed_74[2, 0, 0, 0] [1, 32, 1, 16] [1, 1, 1, 1] : tensor<3x32x1x16xf32> to tensor<1x32x1x16xf32>
    %collapsed_78 = tensor.collapse_shape %extracted_slice_75 [[0, 1], [2, 3]] : tensor<1x32x1x16xf32> into tensor<32x16xf32>
    %expanded_79 = tensor.expand_shape %collapsed_78 [[0], [1, 2]] output_shape [32, 2, 8] : tensor<32x16xf32> into tensor<32x2x8xf32>
    %transposed_80 = linalg.transpose ins(%expanded_79 : tensor<32x2x8xf32>) outs(%29 : tensor<2x32x8xf32>) permutation = [1, 0, 2] 
    %collapsed_81 = tensor.collapse_shape %extracted_slice_76 [[0, 1], [2, 3]] : tensor<1x32x1x16xf32> into tensor<32x16xf32>
    %expanded_82 = tensor.expand_shape %collapsed_81 [[0], [1, 2]] output_shape [32, 2, 8] : tensor<32x16xf32> into tensor<32x2x8xf32>
    %transposed_83 = linalg.transpose ins(%expanded_82 : tensor<32x2x8xf32>) outs(%29 : tensor<2x32x8xf32>) permutation = [1, 0, 2] 
    %collapsed_84 = tensor.collapse_shape %extracted_slice_77 [[0, 1], [2, 3]] : tensor<1x32x1x16xf32> into tensor<32x16xf32>
    %expanded_85 = tensor.expand_shape %collapsed_84 [[0], [1, 2]] output_shape [32, 2, 8] : tensor<32x16xf32> into tensor<32x2x8xf32>
    %transposed_86 = linalg.transpose ins(%expanded_85 : tensor<32x2x8xf32>) outs(%29 : tensor<2x32x8xf32>) permutation = [1, 0, 2] 
    %expanded_87 = tensor.expand_shape %transposed_80 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %expanded_88 = tensor.expand_shape %transposed_83 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %108 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_87 : tensor<1x2x32x8xf32>) outs(%30 : tensor<1x2x32x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_26 : f64 to f32
      %146 = arith.mulf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x2x32x8xf32>
    %transposed_89 = linalg.transpose ins(%expanded_88 : tensor<1x2x32x8xf32>) outs(%32 : tensor<1x2x8x32xf32>) permutation = [0, 1, 3, 2] 
    %109 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_89 : tensor<1x2x8x32xf32>) outs(%32 : tensor<1x2x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_26 : f64 to f32
      %146 = arith.mulf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x2x8x32xf32>
    %collapsed_90 = tensor.collapse_shape %108 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_91 = tensor.collapse_shape %109 [[0, 1], [2], [3]] : tensor<1x2x8x32xf32> into tensor<2x8x32xf32>
    %110 = linalg.batch_matmul ins(%collapsed_90, %collapsed_91 : tensor<2x32x8xf32>, tensor<2x8x32xf32>) outs(%35 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
    %expanded_92 = tensor.expand_shape %110 [[0, 1], [2], [3]] output_shape [1, 2, 32, 32] : tensor<2x32x32xf32> into tensor<1x2x32x32xf32>
    %111:2 = linalg.generic {indexing_maps = [#map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_92 : tensor<1x2x32x32xf32>) outs(%40, %38 : tensor<1x2x32xf32>, tensor<1x2x32xi64>) {
    ^bb0(%in: f32, %out: f32, %out_107: i64):
      %145 = linalg.index 3 : index
      %146 = arith.index_cast %145 : index to i64
      %147 = arith.maximumf %in, %out : f32
      %148 = arith.cmpf ogt, %in, %out : f32
      %149 = arith.select %148, %146, %out_107 : i64
      linalg.yield %147, %149 : f32, i64
    } -> (tensor<1x2x32xf32>, tensor<1x2x32xi64>)
    %expanded_93 = tensor.expand_shape %111#0 [[0], [1], [2, 3]] output_shape [1, 2, 32, 1] : tensor<1x2x32xf32> into tensor<1x2x32x1xf32>
    %112 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_92, %expanded_93 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.subf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %113 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<1x2x32x32xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = math.exp %in : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %114 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%113 : tensor<1x2x32x32xf32>) outs(%46 : tensor<1x2x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.addf %in, %out : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x1xf32>
    %115 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113, %114 : tensor<1x2x32x32xf32>, tensor<1x2x32x1xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.divf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %116 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_92 : tensor<1x2x32x32xf32>) outs(%49 : tensor<1x2x32x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %145 = arith.extf %in : f32 to f64
      %146 = arith.cmpf oeq, %145, %cst_25 : f64
      linalg.yield %146 : i1
    } -> tensor<1x2x32x32xi1>
    %117 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%116 : tensor<1x2x32x32xi1>) outs(%52 : tensor<1x2x32x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %145 = arith.andi %in, %out : i1
      linalg.yield %145 : i1
    } -> tensor<1x2x32x1xi1>
    %118 = linalg.generic {indexing_maps = [#map7, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117, %cst_4, %115 : tensor<1x2x32x1xi1>, tensor<1x2x32x32xf32>, tensor<1x2x32x32xf32>) outs(%42 : tensor<1x2x32x32xf32>) {
    ^bb0(%in: i1, %in_107: f32, %in_108: f32, %out: f32):
      %145 = arith.select %in, %in_107, %in_108 : f32
      linalg.yield %145 : f32
    } -> tensor<1x2x32x32xf32>
    %collapsed_94 = tensor.collapse_shape %118 [[0, 1], [2], [3]] : tensor<1x2x32x32xf32> into tensor<2x32x32xf32>
    %119 = linalg.batch_matmul ins(%collapsed_94, %transposed_86 : tensor<2x32x32xf32>, tensor<2x32x8xf32>) outs(%55 : tensor<2x32x8xf32>) -> tensor<2x32x8xf32>
    %expanded_95 = tensor.expand_shape %119 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %transposed_96 = linalg.transpose ins(%expanded_95 : tensor<1x2x32x8xf32>) outs(%57 : tensor<32x1x2x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_97 = tensor.collapse_shape %transposed_96 [[0], [1, 2, 3]] : tensor<32x1x2x8xf32> into tensor<32x16xf32>
    %transposed_98 = linalg.transpose ins(%cst_12 : tensor<16x16xf32>) outs(%58 : tensor<16x16xf32>) permutation = [1, 0] 
    %120 = linalg.matmul ins(%collapsed_97, %transposed_98 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%60 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %121 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%120, %cst_11 : tensor<32x16xf32>, tensor<16xf32>) outs(%59 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x16xf32>
    %expanded_99 = tensor.expand_shape %121 [[0], [1, 2]] output_shape [32, 1, 16] : tensor<32x16xf32> into tensor<32x1x16xf32>
    %transposed_100 = linalg.transpose ins(%expanded_99 : tensor<32x1x16xf32>) outs(%17 : tensor<1x32x16xf32>) permutation = [1, 0, 2] 
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89, %transposed_100 : tensor<1x32x16xf32>, tensor<1x32x16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x32x16xf32>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %145 = arith.extf %in : f32 to f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %124 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%123 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %126 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %125 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.subf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %126 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%0 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_107: f64, %out: f64):
      %145 = arith.mulf %in, %in_107 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x16xf64>
    %128 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%127 : tensor<1x32x16xf64>) outs(%3 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.addf %in, %out : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<1x32x1xf64>) outs(%2 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %145 = arith.divf %in, %cst_32 : f64
      linalg.yield %145 : f64
    } -> tensor<1x32x1xf64>
    %130 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<1x32x1xf64>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %145 = arith.truncf %in : f64 to f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%122 : tensor<1x32x16xf32>) outs(%12 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.addf %in, %out : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %132 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.divf %in, %cst_33 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.truncf %cst_31 : f64 to f32
      %146 = arith.addf %in, %145 : f32
      linalg.yield %146 : f32
    } -> tensor<1x32x1xf32>
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<1x32x1xf32>) outs(%10 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = math.rsqrt %in : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x1xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %132 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.subf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %134 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %137 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %cst_10 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.mulf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %cst_9 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    %collapsed_101 = tensor.collapse_shape %138 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %transposed_102 = linalg.transpose ins(%cst_8 : tensor<32x16xf32>) outs(%80 : tensor<16x32xf32>) permutation = [1, 0] 
    %139 = linalg.matmul ins(%collapsed_101, %transposed_102 : tensor<32x16xf32>, tensor<16x32xf32>) outs(%82 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %140 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%139, %cst_7 : tensor<32x32xf32>, tensor<32xf32>) outs(%81 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x32xf32>
    %expanded_103 = tensor.expand_shape %140 [[0, 1], [2]] output_shape [1, 32, 32] : tensor<32x32xf32> into tensor<1x32x32xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_103 : tensor<1x32x32xf32>) outs(%85 : tensor<1x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %145 = arith.divf %in, %cst_34 : f32
      %146 = math.erf %145 : f32
      %147 = arith.addf %146, %cst_2 : f32
      %148 = arith.mulf %147, %cst_3 : f32
      %149 = arith.mulf %in, %148 : f32
      linalg.yield %149 : f32
    } -> tensor<1x32x32xf32>
    %collapsed_104 = tensor.collapse_shape %141 [[0, 1], [2]] : tensor<1x32x32xf32> into tensor<32x32xf32>
    %transposed_105 = linalg.transpose ins(%cst_6 : tensor<16x32xf32>) outs(%59 : tensor<32x16xf32>) permutation = [1, 0] 
    %142 = linalg.matmul ins(%collapsed_104, %transposed_105 : tensor<32x32xf32>, tensor<32x16xf32>) outs(%60 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %143 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%142, %cst_5 : tensor<32x16xf32>, tensor<16xf32>) outs(%59 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<32x16xf32>
    %expanded_106 = tensor.expand_shape %143 [[0, 1], [2]] output_shape [1, 32, 16] : tensor<32x16xf32> into tensor<1x32x16xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %expanded_106 : tensor<1x32x16xf32>, tensor<1x32x16xf32>) outs(%17 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_107: f32, %out: f32):
      %145 = arith.addf %in, %in_107 : f32
      linalg.yield %145 : f32
    } -> tensor<1x32x16xf32>
    return %144 : tensor<1x32x16xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_torch.float32_11: "0x040000003D9C843D14AB413D8DC40ABE9F91223EB85134BE273B8F3C0EF871BC51CC27BDA3B7F63D70D6183E41A4BC3C4FBE7FBD2994063E3A75E33DD70C023D1D0B46BD",
      torch_tensor_16_32_torch.float32_1: "0x04000000F54D873D27A5B5BCF5AD15BE7ECE903DC93EEC3D314BFDBC78A4AA3D6431863DC1CD90BD121049BC9031343E19C75A3AA81C10BE133953BC911CB43D205B6CBDFC97BDBDAB1E153ED085BF3DFD07F6BC27F8133C292999BC181B283DE8DDCD3B0F15DBBD2327063D2981973BAF413B3CF3F789BD6586393D6D6112BE8771583DB52FC43DC05F9FBCA89D0CBE077528BAE990833912701CBEBB0800BE896E273EA15E073E97A4C83D31CEFA3D185F8B3D54C0CB3D3BC9EF3D672629BDA617B8BC4013013EB68285B8DC92EBBDB85C0CBEB47ACA3D1CF1153EF3940C3E2000F13C83E8F93D2B3326BEEF6A02BEAC2E2EBE44D8113EF0A8D1BABEB4A6BD2902753DE28587BDFF30E8BD41A38B3DE393043D9CA101BE0B76EEBDBCBFA93D95A4093EB2C76B3CBAD8B5BDB7D1AE3DEA90FC3C8B7A1EBE099EEABDD87B1E3D3005E03DAD9E68BDCE0EAF3D1537E0BD36392D3EF8FB003EFB9F073D7C11A13DAB177C3D54A3D5BD720BCABA3215413D3E6F23BD71962D3E859D8BBDB2A921BEA45BACBD550028BE2D2B153EC485A2BD81B8FEBD308B9CBCD9F1F3BD901EBDBD2B92B83D95E807BE12BCAA3D9B01043EAFE3CFB928C2A03D90CCCABD73290D3E86D92F3E3D112C3D63F5243E40C833BE31029FBC7FDE0F3DF2561DBEF42DB03D6AFA89BD6DF182BD939F0FBE0202943DEDB603BE3FA719BD35D4A03DC75E083E6FBB233D4E0E87BD6B799DBDC034CB3DF957063DFF61183EB456883D71D3113EF0DD11BECA86113E1657A6BD08D341BD20AF8A3A9DC907BD073A0F3D464E213E1050D8BD08BB5F3D6B7C11BEF561E33C3420153EDA1DF43DA8041B3EF6FAC33D41A06FBCDB0D3D3D904797BD41A7193E4546B53DDE7D04BE00851C3E53EA2BBB4FBF00BC552B46BD710A3FBD1DF6103C56BEB0BDAC6228BE007DBABDE31610BD1DB2083EF72A053E93EAD8BDC66BDEBB09FB50BDE5ADC1BD7DA7FEBCBB3C7BBD995CCA3D7B8CB3BD7CCDDE3CBA4DCCBDFBFC61BDB3800E3EE5BCB1BD24282EBCDEE12C3EF6D3773DFB46B8BD7F5ED9BD4BEA7DBD87BE62BD7CA09D3DFAFA20BD90AB183EDBA4C6BDF36B62BDA8CF833D6A92103E6E292D3EE2C9E73C4B2AF43BC734A2BD038FCC3DFADAD1BD16523EBD9D4B17BE8E052EBEB85CCA3D57C4443CD54D103EEC0A103E20FBBD3DC4E2903D1DE93BBD7148C03DBC17AE3DE1A87A3D0237A7BB7A4FD83C9D9B4D3ACF5E03BE1916283D551305BE62A9AF3DC3B4D7BD2D856CBDAFB2ABBD6EE10E3E52F4FEBDA5DCB83DC892B53D00FDFF3DA86B353D6B5DC53D86180F3E41A00E3DF832763D918B0DBE1A3842BD934E833CBF74AF3C3FD17FBD897333BEC44D3CBD6E9A8A3DD3DE1B3E3B7723BE8AD9AC3DB7C32BBEEF1B2DBE89B9E2BDEC46BFBCFA3A4A3DCFAA09BEEC760B3E4FB2233EFE32323CCA58133E86E6A3BD78388FBD8CE0BABCAC3B9E3C9F8DFCBDF0F210BE71048F3D57C5503DE815313E9C9B93BD70B37F3DB61892BD5FB8B23D017120BCEA30063E2923C93DC8AB163ED00CBA3DC4A0D93B5AFF1B3EAAA7D4BD24BC2A3EC6E3303E04EC2C3EA71DA9BD44D4BFBD9D3E373CE079613DC09BB53DFF3D933DD4221A3E126935BDF38C6DBDFBB5723DD0C6493DEA2FD3BD7D128C3C5B7009BE066C54BD27178EBDB4AD1E3EE7F222BEB6C1D5BDA42631BEBF9D363D1E540BBEBB446A3DDF79FBBD41EAE7BDEBF4B8BDB852D93CCF55263E2390293EBCD05ABCD04E31BE94376FBD18FA89BD16021ABDB1548A3DC630B63DD084A03D8DD84E3D399092BD04CCF5BA914DB83C05EDB8BDED8B81BC88C5B4BC85072BBE276FF53D7A6992BCE37B1CBEBC370F3EB9CDC2BD772D803DE784333ED913063CD651503D2ED98F3D13D0083ED6295EBDDDB9CBBDF2A762BCFD900D3EB007793C6F8CFB3DD644ACBA59295E3D2C6CC93B0F3F9D3BF4422CBED8401EBE42C5703C662FB33D4E33F33D4C56FB3B6E9B983D026B973DEE431CBE9C1A1FBE465A0CBE882E473B4AECE4BDD5B667BD13AAD8BCEF408D3D42E2273D61ED273E1C47233E0BF7E6BD6CFD11BAEF23EF3C94071E3E236860BD30488EBDED55E5BDD862053EFC224DBDB59787BD37DFF43D4291263ECC1BF4BB0934FFBDEA7D133E4EA377BD1FD6A6BD9785FEBDFA1DAEBD9DC40DBE50F9D0BDA9E624BE95F011BD1791913D986A09BE066F81B98B8185BD121EAF3DE3C81C3EC3F8BFBCC636B6BDBA160BBEA3B4D4BDD00E513D7C22263DF0F7C23D3A2ED7BC1107BA3D374621BE54A5423D7FBB2F3E902733BEB9F1BBBD1AC4E73DC86AE2BC79FBC0BDF3DDDC3D5C26423C38E1E23B52ED5BBD1B63083E63D2C83D60B6013D4B01DD3C2E35BB3DBE8DE13D3F8294BD73A99EBC71F19E3DAA6FAFBD1943293E07FFF7BDC90FA73D480702BE1B7A683D52DEFC3D0C93AE3C442591BCAE39E63DB4FA01BE4C41F4BD3A481ABE42DADEBDD257963B382AA4BD4650213DB578C33B98A7163EA1FB9CBD581546BD4073EF3D101637BD944E2D3E67CB8FBD50C3FDBAE58D2BBD71E8A83DB1B88A3DBBCBC0BDF68FEE3DBB0938BC5A1A37BD7AB169BB93F5FB3DBF91313E252AB03DDC66FD3C6247EC3D976497BDD733BDBD6F1A51BDF251EABD54AA9B3D558F893C53BB77BD210593BCD4B565BB26361B3E0197213E7D5B0BBE9FAF843DE5CC8B3D8E6E8A3DDF6DC5BC4715353D4C34363D972F303E747E2DBE886289BD9094F3BD3B9DAFBDFD290E3D2DCDDC3DADE308BE6879EB3DB134173E9073B2BD48C2FC3CCEDCB9BD74161B3D71D9A7BDAF088DBDCC5AF2BDB9F316BEBD74103ED5E0B6BC1EB3A0BBF62CB4BD9057FC3DA738CFBD516E92BD6C4E0DBE333718BE31B5203E48C80BBE11EEC7BC709751BD",
      torch_tensor_32_torch.float32_1: "0x0400000028F87B3E98EAAD3D00ACBFBC30F47F3D287E13BED41A57BE626F40BE6CCF56BE1025523D4075473D6895D9BD14687ABE2AAD0A3EBC4111BE58F42ABDC0A656BEAC6C10BEFC95D53DA8856EBE3AFB11BE52EE3F3E0E4A03BE6412D5BD94C18FBDECDBDA3DA0ED27BEF057CD3C281AD13DC0AB94BC8828393DFA4943BE9479E73D",
      torch_tensor_32_16_torch.float32_1: "0x04000000B40723BE02DE693ED8FB83BDF4A712BEF4FDF53D30A8183DCC44313E98BED53D6A9D76BEE4EA213E58D540BD084AE2BDE492223E64B53A3E9A0161BEE02FB9BC983A523E744AC63D12AC573E3476AFBD70380DBE0A235C3ED069D53D6AC1753E54DCD5BD7E5E24BE500DF0BC620B71BEF8B0C83D98D23C3E78D1753D405BCABC54DAFD3D107F22BE246E7A3E4E8D7EBEE63B75BE10F971BDB81C513EC00ECD3CA4A1C43D56A63BBE18B8BA3DC0D9E4BCC038CD3D50CC343E688EDE3D2036AEBC604F7CBCE28E20BE0431B9BDCA5B263E6C4FCDBD76FC1E3E3C06CBBD087D6EBD0058AE3B20EC6ABE009823BB006ECEBC20FCB7BCB0B34CBD18D3493EBAEC3C3E80812DBE74D6ED3D4CCD48BE32F059BE58829C3D80C9703BECD9EEBDB8E976BEB436C6BDFC01AB3D38F46CBEF6B178BEE0EA013D686C38BECC4660BE3C44C5BD68DD24BDE8A068BE34F02ABE7048863C986671BE80ED0FBDC64C25BE007831BE5C3BC93D620A45BE6C0142BEF8FD113E18743F3D7A24693EF4DA88BDC04DF7BD0089BDBC00C9A53AA83C433E18FF7EBEB0D191BCFC7BE23D90F90CBE841502BEE06EF73DA04B75BE88A4723D163146BEE47EFE3DEEE35ABED8631D3E845672BE622F57BE0073713B9CB9493EBE3C5BBEF061E4BD20D7603EE0B82BBD1C1DD43D844576BEA403A1BD4A0102BEDCD2573E1C80D43D06CC3ABEB018253D004F3CBB885DD2BD143212BEC0E6A9BD36C9493EA28337BE225C36BE38F69DBDC0828E3B5C5F8B3D80D3F53BC88076BDC4391BBE30BD37BD781BCEBD6CD44E3E5E3179BEBA4A23BE724750BE98243BBD767E473EE064603EB6DC5EBE807731BC6A43163E34B0E13DCAB0513E403BE3BB2A012CBE105A293E8092AFBDA28D043ED8597CBDF0A5D93DC840663E020B6E3E06FA68BEC65629BEECB1D3BD604023BECCA1753E80E0B4BCB0D029BEA8D5E3BDC4670DBEFCE3D03DDA4B5FBEF8B16EBED85A7CBEA86DDC3D2829FD3D0AFF1EBE18EE7D3DACF93C3EE0C9143DD8A858BDA04F973C309ADBBC52E5003EB0D32DBE78D1013EA249103E9A1A1BBE500A513E76707B3E58D8C9BD88688FBD7428FF3D3E8E48BE7879CA3D70E76E3D4A5D213E045D5EBE50AE54BE40F4E53D8C6DB83DB2466EBEC6C20EBE083C6ABE7E6737BEA403E7BD90D9533E00D44BBDAE08133E4A1E733EBC55E93D822C65BE34D3003E644BC33DB26A463EF4867CBEB0711D3EEE8B513E622C6EBE5046D63C528A5A3EDE303ABE40FFA73DC03DE23DAC30863DDC887E3E8A9B513EECA25B3ED046FFBCDEB5563ED4916EBE26250ABEA8035BBDD41798BD42776C3E1C7EF13DEED0243E34222E3EA03B3FBE9033EDBC7887153DD82A853DC0A4033E70BACBBDB8629ABDAE34563EAC6989BD04D431BE04942D3E105A2D3ED88BA0BDD8B74CBDB4E53CBEB4C855BE9089C03DFCB8DABDEACC4B3E8AFB4CBEE08A0DBD40E1B03B0A92033E4C304F3E465D2D3E6061E13D3C01EBBD62D236BE580565BE402E4B3C124A783E488042BD806F2CBC9E083ABE60309D3DBC4C223EFC647CBE5A4134BE069F3D3E6872723DA05E7FBC680C373DE0B01BBD5EEF32BECC366FBE8C5F283E1095F3BC7826BEBDAC2784BDD8A00BBE58A597BD0CC15BBE72933F3E4412D13D361B01BE9CC0AEBDD0B3E53DAC98BDBDDC02873D90F98C3D782621BEBC41803D409C7A3C16965F3E7840B9BD7C9E83BDDC915C3EDA0C51BE00F7933C16A8763E7C90E5BD326C753EC228633EBE2A6E3E306DC3BC0C96673E9C16DFBDA042AFBDB4A7C13D3051583D66200D3E2048733ED24020BEB4DD073E0C4CAB3DB40E073EB8C6F23D1886BFBDC6544ABE04E64C3EF6FA11BEF2AA233E72E073BE882731BD00A72D3B182D313D408BA53C9C55A13DA008E4BC38C87A3D66557D3E34A525BEE0A05FBC3471C3BD3A9F603E6E255B3EC063DFBBD479B1BD7A2C1EBE9A2D373E60088DBC6E1A713EB0FC113EF613603EF8794A3E105C26BE10DD953D2C4ED4BDE672003EA022B8BC904BB13C460D31BE34CB64BE2CCEC03D70F66D3D20E5B13CB2DF2D3E50CCD5BD0CC0B53DB6FE0CBE382C543D18C769BD9C48333E16DE5F3E92575E3E6041383C20F6163E88C77FBE0A2B16BE3803373D00BFB63A8AFA48BEFC9DE2BDB821EFBD96A27DBEC051C33C80832E3E54CDCF3DA044F3BD6E136BBEF0884EBE80F4973B161B303E9058CFBD164D0BBE9A9008BEF04AB1BC921C73BEE2E761BE06017C3E582EF4BD40B138BDACFC88BDC8E560BE308634BD54BB9C3DC8E6CFBD20922EBC00BF9CBA68D97EBE160A3A3E32CA4E3ECE8A2E3ED423A8BDB4C6053E26DA6FBEF0527DBDF84350BD08D0B4BD400AD73DFC4BE9BD005FEDBC7CD793BDBE6770BEA01A29BD34F458BE5046153E90D2083E9AD16F3E58EEABBD604A503C9097483D408B7F3E2EA76A3E787D04BEC2D459BED4BA66BE008FF6BDCA3D573E7CF4AB3D9E00773EA6C03D3E80876D3B9AA91EBEF2FB793E185B4D3EB4AADD3DECD70BBEE8AB493E9066BA3CA046293E18B1D53D2AF0073E44A260BE7AF20DBEA08A193E005655BDFEB65EBE64CE683E0028B1BBD6824E3E0A1848BE4847B03DB8DAC0BD1C75D7BD509355BDC483BDBD1E470C3E208F42BD8E1A423ED8A8693D40391EBD8EDD13BE8C696ABEA05C95BD68106DBE98B73DBD80E4853B20FB83BCC880FBBD28AE313E8E2C103E484A7CBD504BCABDD6F1203EEAB95E3E4A676ABEA03E5DBD100FBEBC0C60B9BDAE8C5A3EA84117BD9A0C593E00FEA13A3026DEBC425315BE483EAABD48FBA43D107AE23D80BC11BC82ED733E9E2F31BEC44EC43DAE92663E380E32BDA03D4B3E400A873B4CB43FBE20720CBE0893BE3D4491DDBD8848763D",
      torch_tensor_16_torch.float32_10: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_9: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_8: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_16_torch.float32_1: "0x040000000054F5BA5E54093E16B352BE80663CBEF432C5BDEC4B893D404FA2BBCEFA4A3E70BFB5BC4C7B873DACBB9ABD704849BDB89174BE528B29BEE80ED3BD00BB173C6069CA3D189B193E8C8D2DBEFCF4DEBD98F7B93D4E94543E48BD52BD5C913F3E400D25BD10B5D83C4ACD673ECE7B6DBE662921BEE09E81BDDC93C7BD282F5D3E1AEF25BEC0B0EBBD1ADA32BE76C26FBE047015BE9E0E5C3EBC76E43D0027F83D406A573C3A3F03BEC03E2D3D9E066FBE1AFA38BEC6F903BE2685213E2619163EC811E3BD20CB13BC40BA233E827F7E3E2434CB3DC8550A3DFEA42B3EC0BB16BEF8D03E3D6C7A46BE186E31BED23E04BE8CAAE73DF8E7CD3D6AA417BEC8AD9A3D6E890C3E203F01BD40641C3C00446D3D00D11E3E48CF753E964745BEECA1BBBD9838C93DD01B543EE8C55E3E22E2613E78CA4B3DF89C5EBE9066BC3CAC2720BE8C946EBE3E74633EF0A6423EFE5D7FBE08AA3F3DC8802CBDB88228BD1C5FEABD8CE4C43D34A117BEDCB1BB3D1676013E5C43373E4871BF3D4A5F7DBE001126BE38A6FF3D1853563D96B347BEE86813BEF2D4703E547F2C3EB03EDFBDD4DC80BD78DD73BE803E93BB78C840BEA27745BE20B061BCA0BF193DF4ADD1BD98E7173E38C91BBE6849683ED06F2F3E64E157BE88DB7EBD80D2383C1867153DD0DD723D5CECC83DE059753CCCD1F9BDD445F23D569175BEA0BB17BE3C2B80BDEC66F9BD5C1DB3BDBAD251BE00D259BDF8E25A3D76C626BE403452BC0042373EF088D2BC80ACE33BC0ADB0BC103D4F3D60C6223EBA7E723E0693223EC40C733E601D94BC66F865BE40BAF2BDCE4F2E3E006BD4BADC7CFEBD022D44BE00946FBEEC1058BE70B44FBD56640C3E74670A3E02E576BE2EB01F3E8A5248BEF07B58BD1C9ACFBDF03C45BD100E49BDBAB865BE440A5DBE283C20BD80E1533BB896E8BDB8DEC03D3A6A66BEC0368ABCA221613E38D7D0BD362B673E386CB93DAE0767BE74F8213EF053ECBC708FE4BD14B64C3E54DF4EBEB0C2DB3CC06456BD16D0363E08EC8E3DCC04F63D40D1B43D003F76BD505A57BD00F752BE4CB60A3E26424B3E5C292F3EAC9334BE60AE363C907634BE88EC0CBE302C15BE34F9AE3DC48D18BE00BAB2BBA04F2C3C0406253EFA8341BE44BF2FBE3CA614BED62E333ECC0BB8BDE0EE573EA024B93D40AA013D00EDF3BA086D4ABD407A003D30D369BD003EE6BAC0A7023D983E48BE7A2D06BED8B74E3E86C14FBE200F93BCC03E7D3E10F4B83DC0F0E73B26DA5DBE2CA2FD3D085836BEA85691BDCCC8ABBD38A417BD8036333B9626533E80ABFF3C204C653E30991C3EC6D821BE54A2E53D24F734BE9CFFD8BD4097963DF00EA93DF20E403E28D2A4BD00D4D1397ACB033E5A9377BE4215393E30B153BE00D0613BE0182EBD0AD406BED857073DF2B0533EE8AA95BD56FC17BE845BBDBD",
      torch_tensor_48_torch.float32_1: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_48_16_torch.float32_1: "0x04000000FB3794BE237A873D3FF32FBE1DC58BBE3277893EEA9C4BBE3AAC0EBDBEA6B33DADD11F3CC6F852BED96F7DBEBAE9793EEA384C3DDC0E823E1838D2BDEAB4B83D56658FBD8A175FBCDCF43EBE5113D43D0B42C63DFFF7CEBB7D078DBDAB4541BEC3D2583E1D6769BEC071003EB3DAD2BD3D4517BEC24C613D27DE22BED67A903DF249763DD4CB68BEF2CF503D288B053EA836F83D8EDE1DBD148480BEA25441BD39C9D93DA3CDE4BD1006EE3D68CD503E70B623BEBDE3453B73A5013EE897C43C2B85D13C3B991C3D0E7C76BE031FC53C031D593EE5438D3EC247383EF40E283DD76C123E3B8718BE4AE981BEBCCE86BE84649C3E4B07473ECCB958BE1656F53D70C56C3EFCB49C3E9A13893E86E9723EEFC28FBD9510DCBDB2B6803ECEB22F3EB8AD3CBEC1EF8C3EAB7C173E3DEB2A3E218444BEF5E7B33DB5D3DBBD7EFB743EA4AB61BD3F20F43D2FC35E3D2866053E6F18D5BDDCDE183EB0FE5ABE73A08D3D912254BE29A89ABE2DC97BBEB986773E2AA2293EE314933EE72D7B3E18008CBE41F755BEA1A54ABD9C9E4BBEA7B7593EE0086DBE5AF918BE9B7397BE080232BE07F0803ED75A803EA170603EB416723E3A658B3EBB91A0BDB7F4093E36AB8B3E4372CF3D74B79C3E6B9E223E87E8423E2978DBBD4D71163ED81B103D4AC195BD1BBE30BEF5ED2FBE4A4271BE407C523ECFE65E3EA6BC0EBD2A7035BE2B55723E8180483E4B73BA3CE30714BEA213903E9337003EB7046EBE120A963E0C176E3EA28FE4BD4541303EA02532BEA08A44BD811C853E9B474F3CC9BC5DBE5596D1BD0737AABDA1F571BD320BF03CABFB903E474B863CC09641BE588F803CFB55163E9C861B3E96468FBE2D6B60BD680069BEDEC705BED0EDE13D85A65EBE3A19E93D8A0F853E8883A43C8EF750BE66ABE0BDF1ED883D5E036FBE6CC41B3E06538EBE0CB396BE1D5398BE356B7EBDBFD4523E836094BE924D823E94D7FABD9EA8B73D01C5643C305C8DBE0003823E1AD2283E79D39B3ECC661E3E5CF44EBEE2D5823E54CE863CEEAE143EB8667BBE9E5CB4BD25ED99BE243DF4BD4547873DEA2C76BE25E3C73DBD4E283E93B62E3DE6C751BEF21673BE1A76C1BDEDA0093E7FA29A3EA34A343E473A0DBD61DCDB3D73CC99BE2CE585BE3B4C123E409731BE16D7163E8F555DBE124C1BBEA62081BE7B9D233EC894FFBCF14B713EB409423EFA7D2D3E1A50213C45E0C1BD415888BD01AD263D116C1B3EC4A85BBE4592833ED45C08BDCD5C83BEF1A329BEE5B58A3E355E8F3EDD3591BEB0225D3E7C211D3E4496393E49B5843EC9FA28BE6803C63D0E4F003E7B4BB9BDCAD9D13D916AB4BDACD8413EB9FBADBDCEC4E9BD37DD9D3DE46ADE3D252F19BE42BADD3C5EB4353EBE90F9BCA7D6BE3DB03D97BDA0C9DB3D6A1F63BE105E38BEB2251FBE2612903E02BCA8BD1D275BBAFAE717BED17F9C3E281C993EB4766CBE532C7EBE38A86DBE488CC1BAAAD79FBD08394DBE8EE9E0BD0EF26C3DA8D123BE98F28A3D06CC8FBD6CED17BEEC4C2C3D3BE7803E6CF953BED4F0683C333EE7BD38D6993E30BC94BE6A4996BEE7799A3EC95E46BE9C72703DCA7AD8BCB81884BDF80D8CBD903B473EAFC66F3C88A198BE301939BEA5C4D5BD9BC61D3E1CE64ABEABD1933EB0AA8BBD153261BD31AC753EC0951D3E24F5843EC55C353E5539BEBD890550BE9D9FBABC1EBF813EF874D2BD9F6191BEDC86003EC99B983E2284B2BD9BCE81BE85328EBEA9249D3D12EDBDBCBE541EBE5D807D3D9922EE3D2F5C793E3A6C733E62B93BBD783B8ABE9AA88DBE3E5F923E83990A3E0EAC083E6FA387BE462B913E3183943EFD898D3E203F84BEA39BECBD48A357BE0A74943E37B806BE4C250FBECF43243EEC0911BE3B6C1ABE1C67DBBC2E18F1BC9E3C74BE23B1823E954E0ABE4C6EDE3D8A5A883EE71E1E3E918F313DF862853ED396283D140F11BE454D943E446A943D74F498BE7985B2BDD49155BE3D72893EA81D4FBDB8E58EBEC1AD9DBC62E7443EB4E9A23D3948C63DAAF3E83C80C8E93D65C998BDC672F9BD228892BE80326CBE01E3073EE9A539BE47ED333DBB27C83D8698B13CB8474BBECBEB953EFC5136BEF5F0803E616B79BE31D796BD978D2A3EAE1A00BEF9B0833ECDC257BE15A683BEF9600DBE68BB4A3D2E58903E87AE15BEFA41E03DF1359DBDDCFC87BD0B8B663E27FC72BECD34053DEB6C933E7E552CBDB770733E3C1CC1BD31627C3E54A597BE47C034BDF5485CBD4A39CB3D3B04F63DBCBC703E5FD93ABD94EE46BC4BB6563E0BABA9BD736D893E55C150BECEB507BDD1B886BCFCE60B3E2F5B563E25C946BDF3E081BEA05A1B3E8D93BB3DB2E4FB3DD06841BE20CA493EA47B943E8DA5D93CA56D92BE23195C3E807868BE5125903DAA3F363DE6BE12BEC057DA3DC4378CBE2DD28E3D00C446BE599D07BD8551213D9C8E853E019815BE95DC483E6C511FBD06E814BE518388BE41D68FBEC519993E0D649CBD2B927A3C9901AA3DA01E553E00CC853E32487E3EE54A68BE22EF48BDC08739BE7C2333BECBBE943D3C26933E842C7BBEAAC03D3EAB8E22BE234674BDEEDF783E11D38DBDA264E43CC42B5BBE6072853E501F22BDF95065BEC69CB73DBAED5EBEC6CA78BE5CCD983C7F95783E5C73B1BD0692133EA9B6863E90F44F3ED57724BE807A09BD4A54C5BDD51E7CBEBAA704391DEA6B3E3514843E2806EA3C016C8E3D68BC07BE56AB6C3EE67602BE3ACC59BE1421413D99ED3B3E12578DBE6CB68D3E8C93E13D9AAA5BBE501387BD1A02883E008E70BE3147B7BD99AACD3D6F5789BE11E12B3EB235233EB974423EA5E447BEF4239C3EEFD939BED7819C3EB97296BECDAC8BBE6592403EDF12033D68B3903C5A9F2DBE268503BEE558B7BD3CB798BE175A823C3CCE5D3D8EE887B9EE7FCA3DB5BF943E4EBAA63D858DE5BDC00801BEEB9948BE215959BE96FA49BD61D05DBDD67A0B3E2B0406BE75F3793E47005CBEBD20643ADAEB8C3E1AE39B3E6B9E35BE00665F3D6B24143D530013BE36A6D8BD21D8A93D68055ABE6FED4E3D99AC073EFD1BF7BDA837823E2412A5BC32410E3E6A3F9B3EDFACBFBD98602A3E345CB3BD203237BD548A54BD9553F9BA13E3ECBD14FA923D97063D3C17BF463E29D87DBDCE87FB3C8543E9BD104983BE24C1FD3D1E7A203D8F21FBBDE903D4BDF6FDA33DFCC462BD2AE34C3EA2138E3CFBDDEC3D1C9B083E9ADC99BDCCA7073E215E673E89DA663C126D753D8C47363CCA14593E755F04BE64AA26BEB69F083ED56F88BEFCDAA03B1B3110BE85F14E3EDFF491BE361B3E3E4D199B3E3AC37D3D411EA7BC5D509A3E62FD05BE49FFC8BC644C09BE761F2DBD5E49883D2781273D1BE06CBD0CBE9CBE1F6F803CA69914BC28AB3C3DFD3E703E1C61983EBF033ABEFA669CBC0B40FBBDE47B90BE792564BEBF22933E55CF363E5F6A283EAA3E2E3EC41879BE6BB5033DD9E7913EB3FA2EBE97758B3E66D1A43DD7955C3E7C5006BE898B103EEBF88ABEAF439FBCE428D13DFC0DBC3D272F833E6D0C9A3EC59E8E3E3781523E326F5C3E3BD221BD505173BE02C9E8BD98CB0CBD106E29BE1245203E521EDC3D925B4A3DAF79973D6FB6893EF965E43DB87989BEBC9663BEB8300A3EBFE92A3D83E8183E12919CBE00AD90BE8C44403E168D483E43D48DBEBC06EE3D5ED274BE38716D3EB5C4C43D6F029B3E44929ABE8BEA96BE40FB533E822E8B3EAF18403E7D72503E680A84BED1F0623EEE0294BE9E168C3D4A604DBEB211F9BDA3115E3D188DF6BDF96E46BD819694BECECF93BE4EE7F23D65B604BE52C03EBE336EF7BD062B80BEC4A37ABE499C3B3EFF591F3E410E273D77452BBE69A0D03DAC5E613C211360BE5FF0863D5ABE8E3E86329ABE63E39BBEBDAF203D3F196C3E5CC83EBE8F0A8A3D08695C3EF455C13D5EB4873D2E699C3E61424C3E245730BE88CED83C1C2D203E2E418A3E16F99BBEDDC7293EE70EB6BD8A8299BE70318B3D4DB12ABE0DBA313DBB8F4BBEA7F16BBE76D4D4BC13A6D2BD1960373E4C42D83C72BB743E82076B3D2AA4C9BD1A5E543EA310893C35646B3D01AEC9BDF206903A202371BD3E3FD5BCEC8474BE5ECFF6BAB41F82BEE6E686BD35B5353E36045ABEB05653BE991D99BDACE6ABBD594F543DE634503D0BFE1E3EEBFC57BE1A03B1BC725B2F3E6B99873EAEF7B6BCE26A35BE4D42B43D088D323E7AE143BE2FF135BEF0940A3EB3BEAFBC091194BE88C734BE174CFE3DCCAFD4BD2869583E97DC773E8070363D6657C6BC820CC7BD94AA7DBC8C47643D6A7E6FBEEBDD95BD346682BEF66E403E",
      torch_tensor_16_torch.float32_7: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_6: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_5: "0x040000003D9C843D14AB413D8DC40ABE9F91223EB85134BE273B8F3C0EF871BC51CC27BDA3B7F63D70D6183E41A4BC3C4FBE7FBD2994063E3A75E33DD70C023D1D0B46BD",
      torch_tensor_16_32_torch.float32: "0x04000000F54D873D27A5B5BCF5AD15BE7ECE903DC93EEC3D314BFDBC78A4AA3D6431863DC1CD90BD121049BC9031343E19C75A3AA81C10BE133953BC911CB43D205B6CBDFC97BDBDAB1E153ED085BF3DFD07F6BC27F8133C292999BC181B283DE8DDCD3B0F15DBBD2327063D2981973BAF413B3CF3F789BD6586393D6D6112BE8771583DB52FC43DC05F9FBCA89D0CBE077528BAE990833912701CBEBB0800BE896E273EA15E073E97A4C83D31CEFA3D185F8B3D54C0CB3D3BC9EF3D672629BDA617B8BC4013013EB68285B8DC92EBBDB85C0CBEB47ACA3D1CF1153EF3940C3E2000F13C83E8F93D2B3326BEEF6A02BEAC2E2EBE44D8113EF0A8D1BABEB4A6BD2902753DE28587BDFF30E8BD41A38B3DE393043D9CA101BE0B76EEBDBCBFA93D95A4093EB2C76B3CBAD8B5BDB7D1AE3DEA90FC3C8B7A1EBE099EEABDD87B1E3D3005E03DAD9E68BDCE0EAF3D1537E0BD36392D3EF8FB003EFB9F073D7C11A13DAB177C3D54A3D5BD720BCABA3215413D3E6F23BD71962D3E859D8BBDB2A921BEA45BACBD550028BE2D2B153EC485A2BD81B8FEBD308B9CBCD9F1F3BD901EBDBD2B92B83D95E807BE12BCAA3D9B01043EAFE3CFB928C2A03D90CCCABD73290D3E86D92F3E3D112C3D63F5243E40C833BE31029FBC7FDE0F3DF2561DBEF42DB03D6AFA89BD6DF182BD939F0FBE0202943DEDB603BE3FA719BD35D4A03DC75E083E6FBB233D4E0E87BD6B799DBDC034CB3DF957063DFF61183EB456883D71D3113EF0DD11BECA86113E1657A6BD08D341BD20AF8A3A9DC907BD073A0F3D464E213E1050D8BD08BB5F3D6B7C11BEF561E33C3420153EDA1DF43DA8041B3EF6FAC33D41A06FBCDB0D3D3D904797BD41A7193E4546B53DDE7D04BE00851C3E53EA2BBB4FBF00BC552B46BD710A3FBD1DF6103C56BEB0BDAC6228BE007DBABDE31610BD1DB2083EF72A053E93EAD8BDC66BDEBB09FB50BDE5ADC1BD7DA7FEBCBB3C7BBD995CCA3D7B8CB3BD7CCDDE3CBA4DCCBDFBFC61BDB3800E3EE5BCB1BD24282EBCDEE12C3EF6D3773DFB46B8BD7F5ED9BD4BEA7DBD87BE62BD7CA09D3DFAFA20BD90AB183EDBA4C6BDF36B62BDA8CF833D6A92103E6E292D3EE2C9E73C4B2AF43BC734A2BD038FCC3DFADAD1BD16523EBD9D4B17BE8E052EBEB85CCA3D57C4443CD54D103EEC0A103E20FBBD3DC4E2903D1DE93BBD7148C03DBC17AE3DE1A87A3D0237A7BB7A4FD83C9D9B4D3ACF5E03BE1916283D551305BE62A9AF3DC3B4D7BD2D856CBDAFB2ABBD6EE10E3E52F4FEBDA5DCB83DC892B53D00FDFF3DA86B353D6B5DC53D86180F3E41A00E3DF832763D918B0DBE1A3842BD934E833CBF74AF3C3FD17FBD897333BEC44D3CBD6E9A8A3DD3DE1B3E3B7723BE8AD9AC3DB7C32BBEEF1B2DBE89B9E2BDEC46BFBCFA3A4A3DCFAA09BEEC760B3E4FB2233EFE32323CCA58133E86E6A3BD78388FBD8CE0BABCAC3B9E3C9F8DFCBDF0F210BE71048F3D57C5503DE815313E9C9B93BD70B37F3DB61892BD5FB8B23D017120BCEA30063E2923C93DC8AB163ED00CBA3DC4A0D93B5AFF1B3EAAA7D4BD24BC2A3EC6E3303E04EC2C3EA71DA9BD44D4BFBD9D3E373CE079613DC09BB53DFF3D933DD4221A3E126935BDF38C6DBDFBB5723DD0C6493DEA2FD3BD7D128C3C5B7009BE066C54BD27178EBDB4AD1E3EE7F222BEB6C1D5BDA42631BEBF9D363D1E540BBEBB446A3DDF79FBBD41EAE7BDEBF4B8BDB852D93CCF55263E2390293EBCD05ABCD04E31BE94376FBD18FA89BD16021ABDB1548A3DC630B63DD084A03D8DD84E3D399092BD04CCF5BA914DB83C05EDB8BDED8B81BC88C5B4BC85072BBE276FF53D7A6992BCE37B1CBEBC370F3EB9CDC2BD772D803DE784333ED913063CD651503D2ED98F3D13D0083ED6295EBDDDB9CBBDF2A762BCFD900D3EB007793C6F8CFB3DD644ACBA59295E3D2C6CC93B0F3F9D3BF4422CBED8401EBE42C5703C662FB33D4E33F33D4C56FB3B6E9B983D026B973DEE431CBE9C1A1FBE465A0CBE882E473B4AECE4BDD5B667BD13AAD8BCEF408D3D42E2273D61ED273E1C47233E0BF7E6BD6CFD11BAEF23EF3C94071E3E236860BD30488EBDED55E5BDD862053EFC224DBDB59787BD37DFF43D4291263ECC1BF4BB0934FFBDEA7D133E4EA377BD1FD6A6BD9785FEBDFA1DAEBD9DC40DBE50F9D0BDA9E624BE95F011BD1791913D986A09BE066F81B98B8185BD121EAF3DE3C81C3EC3F8BFBCC636B6BDBA160BBEA3B4D4BDD00E513D7C22263DF0F7C23D3A2ED7BC1107BA3D374621BE54A5423D7FBB2F3E902733BEB9F1BBBD1AC4E73DC86AE2BC79FBC0BDF3DDDC3D5C26423C38E1E23B52ED5BBD1B63083E63D2C83D60B6013D4B01DD3C2E35BB3DBE8DE13D3F8294BD73A99EBC71F19E3DAA6FAFBD1943293E07FFF7BDC90FA73D480702BE1B7A683D52DEFC3D0C93AE3C442591BCAE39E63DB4FA01BE4C41F4BD3A481ABE42DADEBDD257963B382AA4BD4650213DB578C33B98A7163EA1FB9CBD581546BD4073EF3D101637BD944E2D3E67CB8FBD50C3FDBAE58D2BBD71E8A83DB1B88A3DBBCBC0BDF68FEE3DBB0938BC5A1A37BD7AB169BB93F5FB3DBF91313E252AB03DDC66FD3C6247EC3D976497BDD733BDBD6F1A51BDF251EABD54AA9B3D558F893C53BB77BD210593BCD4B565BB26361B3E0197213E7D5B0BBE9FAF843DE5CC8B3D8E6E8A3DDF6DC5BC4715353D4C34363D972F303E747E2DBE886289BD9094F3BD3B9DAFBDFD290E3D2DCDDC3DADE308BE6879EB3DB134173E9073B2BD48C2FC3CCEDCB9BD74161B3D71D9A7BDAF088DBDCC5AF2BDB9F316BEBD74103ED5E0B6BC1EB3A0BBF62CB4BD9057FC3DA738CFBD516E92BD6C4E0DBE333718BE31B5203E48C80BBE11EEC7BC709751BD",
      torch_tensor_32_torch.float32: "0x0400000028F87B3E98EAAD3D00ACBFBC30F47F3D287E13BED41A57BE626F40BE6CCF56BE1025523D4075473D6895D9BD14687ABE2AAD0A3EBC4111BE58F42ABDC0A656BEAC6C10BEFC95D53DA8856EBE3AFB11BE52EE3F3E0E4A03BE6412D5BD94C18FBDECDBDA3DA0ED27BEF057CD3C281AD13DC0AB94BC8828393DFA4943BE9479E73D",
      torch_tensor_32_16_torch.float32: "0x04000000B40723BE02DE693ED8FB83BDF4A712BEF4FDF53D30A8183DCC44313E98BED53D6A9D76BEE4EA213E58D540BD084AE2BDE492223E64B53A3E9A0161BEE02FB9BC983A523E744AC63D12AC573E3476AFBD70380DBE0A235C3ED069D53D6AC1753E54DCD5BD7E5E24BE500DF0BC620B71BEF8B0C83D98D23C3E78D1753D405BCABC54DAFD3D107F22BE246E7A3E4E8D7EBEE63B75BE10F971BDB81C513EC00ECD3CA4A1C43D56A63BBE18B8BA3DC0D9E4BCC038CD3D50CC343E688EDE3D2036AEBC604F7CBCE28E20BE0431B9BDCA5B263E6C4FCDBD76FC1E3E3C06CBBD087D6EBD0058AE3B20EC6ABE009823BB006ECEBC20FCB7BCB0B34CBD18D3493EBAEC3C3E80812DBE74D6ED3D4CCD48BE32F059BE58829C3D80C9703BECD9EEBDB8E976BEB436C6BDFC01AB3D38F46CBEF6B178BEE0EA013D686C38BECC4660BE3C44C5BD68DD24BDE8A068BE34F02ABE7048863C986671BE80ED0FBDC64C25BE007831BE5C3BC93D620A45BE6C0142BEF8FD113E18743F3D7A24693EF4DA88BDC04DF7BD0089BDBC00C9A53AA83C433E18FF7EBEB0D191BCFC7BE23D90F90CBE841502BEE06EF73DA04B75BE88A4723D163146BEE47EFE3DEEE35ABED8631D3E845672BE622F57BE0073713B9CB9493EBE3C5BBEF061E4BD20D7603EE0B82BBD1C1DD43D844576BEA403A1BD4A0102BEDCD2573E1C80D43D06CC3ABEB018253D004F3CBB885DD2BD143212BEC0E6A9BD36C9493EA28337BE225C36BE38F69DBDC0828E3B5C5F8B3D80D3F53BC88076BDC4391BBE30BD37BD781BCEBD6CD44E3E5E3179BEBA4A23BE724750BE98243BBD767E473EE064603EB6DC5EBE807731BC6A43163E34B0E13DCAB0513E403BE3BB2A012CBE105A293E8092AFBDA28D043ED8597CBDF0A5D93DC840663E020B6E3E06FA68BEC65629BEECB1D3BD604023BECCA1753E80E0B4BCB0D029BEA8D5E3BDC4670DBEFCE3D03DDA4B5FBEF8B16EBED85A7CBEA86DDC3D2829FD3D0AFF1EBE18EE7D3DACF93C3EE0C9143DD8A858BDA04F973C309ADBBC52E5003EB0D32DBE78D1013EA249103E9A1A1BBE500A513E76707B3E58D8C9BD88688FBD7428FF3D3E8E48BE7879CA3D70E76E3D4A5D213E045D5EBE50AE54BE40F4E53D8C6DB83DB2466EBEC6C20EBE083C6ABE7E6737BEA403E7BD90D9533E00D44BBDAE08133E4A1E733EBC55E93D822C65BE34D3003E644BC33DB26A463EF4867CBEB0711D3EEE8B513E622C6EBE5046D63C528A5A3EDE303ABE40FFA73DC03DE23DAC30863DDC887E3E8A9B513EECA25B3ED046FFBCDEB5563ED4916EBE26250ABEA8035BBDD41798BD42776C3E1C7EF13DEED0243E34222E3EA03B3FBE9033EDBC7887153DD82A853DC0A4033E70BACBBDB8629ABDAE34563EAC6989BD04D431BE04942D3E105A2D3ED88BA0BDD8B74CBDB4E53CBEB4C855BE9089C03DFCB8DABDEACC4B3E8AFB4CBEE08A0DBD40E1B03B0A92033E4C304F3E465D2D3E6061E13D3C01EBBD62D236BE580565BE402E4B3C124A783E488042BD806F2CBC9E083ABE60309D3DBC4C223EFC647CBE5A4134BE069F3D3E6872723DA05E7FBC680C373DE0B01BBD5EEF32BECC366FBE8C5F283E1095F3BC7826BEBDAC2784BDD8A00BBE58A597BD0CC15BBE72933F3E4412D13D361B01BE9CC0AEBDD0B3E53DAC98BDBDDC02873D90F98C3D782621BEBC41803D409C7A3C16965F3E7840B9BD7C9E83BDDC915C3EDA0C51BE00F7933C16A8763E7C90E5BD326C753EC228633EBE2A6E3E306DC3BC0C96673E9C16DFBDA042AFBDB4A7C13D3051583D66200D3E2048733ED24020BEB4DD073E0C4CAB3DB40E073EB8C6F23D1886BFBDC6544ABE04E64C3EF6FA11BEF2AA233E72E073BE882731BD00A72D3B182D313D408BA53C9C55A13DA008E4BC38C87A3D66557D3E34A525BEE0A05FBC3471C3BD3A9F603E6E255B3EC063DFBBD479B1BD7A2C1EBE9A2D373E60088DBC6E1A713EB0FC113EF613603EF8794A3E105C26BE10DD953D2C4ED4BDE672003EA022B8BC904BB13C460D31BE34CB64BE2CCEC03D70F66D3D20E5B13CB2DF2D3E50CCD5BD0CC0B53DB6FE0CBE382C543D18C769BD9C48333E16DE5F3E92575E3E6041383C20F6163E88C77FBE0A2B16BE3803373D00BFB63A8AFA48BEFC9DE2BDB821EFBD96A27DBEC051C33C80832E3E54CDCF3DA044F3BD6E136BBEF0884EBE80F4973B161B303E9058CFBD164D0BBE9A9008BEF04AB1BC921C73BEE2E761BE06017C3E582EF4BD40B138BDACFC88BDC8E560BE308634BD54BB9C3DC8E6CFBD20922EBC00BF9CBA68D97EBE160A3A3E32CA4E3ECE8A2E3ED423A8BDB4C6053E26DA6FBEF0527DBDF84350BD08D0B4BD400AD73DFC4BE9BD005FEDBC7CD793BDBE6770BEA01A29BD34F458BE5046153E90D2083E9AD16F3E58EEABBD604A503C9097483D408B7F3E2EA76A3E787D04BEC2D459BED4BA66BE008FF6BDCA3D573E7CF4AB3D9E00773EA6C03D3E80876D3B9AA91EBEF2FB793E185B4D3EB4AADD3DECD70BBEE8AB493E9066BA3CA046293E18B1D53D2AF0073E44A260BE7AF20DBEA08A193E005655BDFEB65EBE64CE683E0028B1BBD6824E3E0A1848BE4847B03DB8DAC0BD1C75D7BD509355BDC483BDBD1E470C3E208F42BD8E1A423ED8A8693D40391EBD8EDD13BE8C696ABEA05C95BD68106DBE98B73DBD80E4853B20FB83BCC880FBBD28AE313E8E2C103E484A7CBD504BCABDD6F1203EEAB95E3E4A676ABEA03E5DBD100FBEBC0C60B9BDAE8C5A3EA84117BD9A0C593E00FEA13A3026DEBC425315BE483EAABD48FBA43D107AE23D80BC11BC82ED733E9E2F31BEC44EC43DAE92663E380E32BDA03D4B3E400A873B4CB43FBE20720CBE0893BE3D4491DDBD8848763D",
      torch_tensor_16_torch.float32_4: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_2: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_16_torch.float32: "0x040000000054F5BA5E54093E16B352BE80663CBEF432C5BDEC4B893D404FA2BBCEFA4A3E70BFB5BC4C7B873DACBB9ABD704849BDB89174BE528B29BEE80ED3BD00BB173C6069CA3D189B193E8C8D2DBEFCF4DEBD98F7B93D4E94543E48BD52BD5C913F3E400D25BD10B5D83C4ACD673ECE7B6DBE662921BEE09E81BDDC93C7BD282F5D3E1AEF25BEC0B0EBBD1ADA32BE76C26FBE047015BE9E0E5C3EBC76E43D0027F83D406A573C3A3F03BEC03E2D3D9E066FBE1AFA38BEC6F903BE2685213E2619163EC811E3BD20CB13BC40BA233E827F7E3E2434CB3DC8550A3DFEA42B3EC0BB16BEF8D03E3D6C7A46BE186E31BED23E04BE8CAAE73DF8E7CD3D6AA417BEC8AD9A3D6E890C3E203F01BD40641C3C00446D3D00D11E3E48CF753E964745BEECA1BBBD9838C93DD01B543EE8C55E3E22E2613E78CA4B3DF89C5EBE9066BC3CAC2720BE8C946EBE3E74633EF0A6423EFE5D7FBE08AA3F3DC8802CBDB88228BD1C5FEABD8CE4C43D34A117BEDCB1BB3D1676013E5C43373E4871BF3D4A5F7DBE001126BE38A6FF3D1853563D96B347BEE86813BEF2D4703E547F2C3EB03EDFBDD4DC80BD78DD73BE803E93BB78C840BEA27745BE20B061BCA0BF193DF4ADD1BD98E7173E38C91BBE6849683ED06F2F3E64E157BE88DB7EBD80D2383C1867153DD0DD723D5CECC83DE059753CCCD1F9BDD445F23D569175BEA0BB17BE3C2B80BDEC66F9BD5C1DB3BDBAD251BE00D259BDF8E25A3D76C626BE403452BC0042373EF088D2BC80ACE33BC0ADB0BC103D4F3D60C6223EBA7E723E0693223EC40C733E601D94BC66F865BE40BAF2BDCE4F2E3E006BD4BADC7CFEBD022D44BE00946FBEEC1058BE70B44FBD56640C3E74670A3E02E576BE2EB01F3E8A5248BEF07B58BD1C9ACFBDF03C45BD100E49BDBAB865BE440A5DBE283C20BD80E1533BB896E8BDB8DEC03D3A6A66BEC0368ABCA221613E38D7D0BD362B673E386CB93DAE0767BE74F8213EF053ECBC708FE4BD14B64C3E54DF4EBEB0C2DB3CC06456BD16D0363E08EC8E3DCC04F63D40D1B43D003F76BD505A57BD00F752BE4CB60A3E26424B3E5C292F3EAC9334BE60AE363C907634BE88EC0CBE302C15BE34F9AE3DC48D18BE00BAB2BBA04F2C3C0406253EFA8341BE44BF2FBE3CA614BED62E333ECC0BB8BDE0EE573EA024B93D40AA013D00EDF3BA086D4ABD407A003D30D369BD003EE6BAC0A7023D983E48BE7A2D06BED8B74E3E86C14FBE200F93BCC03E7D3E10F4B83DC0F0E73B26DA5DBE2CA2FD3D085836BEA85691BDCCC8ABBD38A417BD8036333B9626533E80ABFF3C204C653E30991C3EC6D821BE54A2E53D24F734BE9CFFD8BD4097963DF00EA93DF20E403E28D2A4BD00D4D1397ACB033E5A9377BE4215393E30B153BE00D0613BE0182EBD0AD406BED857073DF2B0533EE8AA95BD56FC17BE845BBDBD",
      torch_tensor_48_torch.float32: "0x04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_48_16_torch.float32: "0x04000000FB3794BE237A873D3FF32FBE1DC58BBE3277893EEA9C4BBE3AAC0EBDBEA6B33DADD11F3CC6F852BED96F7DBEBAE9793EEA384C3DDC0E823E1838D2BDEAB4B83D56658FBD8A175FBCDCF43EBE5113D43D0B42C63DFFF7CEBB7D078DBDAB4541BEC3D2583E1D6769BEC071003EB3DAD2BD3D4517BEC24C613D27DE22BED67A903DF249763DD4CB68BEF2CF503D288B053EA836F83D8EDE1DBD148480BEA25441BD39C9D93DA3CDE4BD1006EE3D68CD503E70B623BEBDE3453B73A5013EE897C43C2B85D13C3B991C3D0E7C76BE031FC53C031D593EE5438D3EC247383EF40E283DD76C123E3B8718BE4AE981BEBCCE86BE84649C3E4B07473ECCB958BE1656F53D70C56C3EFCB49C3E9A13893E86E9723EEFC28FBD9510DCBDB2B6803ECEB22F3EB8AD3CBEC1EF8C3EAB7C173E3DEB2A3E218444BEF5E7B33DB5D3DBBD7EFB743EA4AB61BD3F20F43D2FC35E3D2866053E6F18D5BDDCDE183EB0FE5ABE73A08D3D912254BE29A89ABE2DC97BBEB986773E2AA2293EE314933EE72D7B3E18008CBE41F755BEA1A54ABD9C9E4BBEA7B7593EE0086DBE5AF918BE9B7397BE080232BE07F0803ED75A803EA170603EB416723E3A658B3EBB91A0BDB7F4093E36AB8B3E4372CF3D74B79C3E6B9E223E87E8423E2978DBBD4D71163ED81B103D4AC195BD1BBE30BEF5ED2FBE4A4271BE407C523ECFE65E3EA6BC0EBD2A7035BE2B55723E8180483E4B73BA3CE30714BEA213903E9337003EB7046EBE120A963E0C176E3EA28FE4BD4541303EA02532BEA08A44BD811C853E9B474F3CC9BC5DBE5596D1BD0737AABDA1F571BD320BF03CABFB903E474B863CC09641BE588F803CFB55163E9C861B3E96468FBE2D6B60BD680069BEDEC705BED0EDE13D85A65EBE3A19E93D8A0F853E8883A43C8EF750BE66ABE0BDF1ED883D5E036FBE6CC41B3E06538EBE0CB396BE1D5398BE356B7EBDBFD4523E836094BE924D823E94D7FABD9EA8B73D01C5643C305C8DBE0003823E1AD2283E79D39B3ECC661E3E5CF44EBEE2D5823E54CE863CEEAE143EB8667BBE9E5CB4BD25ED99BE243DF4BD4547873DEA2C76BE25E3C73DBD4E283E93B62E3DE6C751BEF21673BE1A76C1BDEDA0093E7FA29A3EA34A343E473A0DBD61DCDB3D73CC99BE2CE585BE3B4C123E409731BE16D7163E8F555DBE124C1BBEA62081BE7B9D233EC894FFBCF14B713EB409423EFA7D2D3E1A50213C45E0C1BD415888BD01AD263D116C1B3EC4A85BBE4592833ED45C08BDCD5C83BEF1A329BEE5B58A3E355E8F3EDD3591BEB0225D3E7C211D3E4496393E49B5843EC9FA28BE6803C63D0E4F003E7B4BB9BDCAD9D13D916AB4BDACD8413EB9FBADBDCEC4E9BD37DD9D3DE46ADE3D252F19BE42BADD3C5EB4353EBE90F9BCA7D6BE3DB03D97BDA0C9DB3D6A1F63BE105E38BEB2251FBE2612903E02BCA8BD1D275BBAFAE717BED17F9C3E281C993EB4766CBE532C7EBE38A86DBE488CC1BAAAD79FBD08394DBE8EE9E0BD0EF26C3DA8D123BE98F28A3D06CC8FBD6CED17BEEC4C2C3D3BE7803E6CF953BED4F0683C333EE7BD38D6993E30BC94BE6A4996BEE7799A3EC95E46BE9C72703DCA7AD8BCB81884BDF80D8CBD903B473EAFC66F3C88A198BE301939BEA5C4D5BD9BC61D3E1CE64ABEABD1933EB0AA8BBD153261BD31AC753EC0951D3E24F5843EC55C353E5539BEBD890550BE9D9FBABC1EBF813EF874D2BD9F6191BEDC86003EC99B983E2284B2BD9BCE81BE85328EBEA9249D3D12EDBDBCBE541EBE5D807D3D9922EE3D2F5C793E3A6C733E62B93BBD783B8ABE9AA88DBE3E5F923E83990A3E0EAC083E6FA387BE462B913E3183943EFD898D3E203F84BEA39BECBD48A357BE0A74943E37B806BE4C250FBECF43243EEC0911BE3B6C1ABE1C67DBBC2E18F1BC9E3C74BE23B1823E954E0ABE4C6EDE3D8A5A883EE71E1E3E918F313DF862853ED396283D140F11BE454D943E446A943D74F498BE7985B2BDD49155BE3D72893EA81D4FBDB8E58EBEC1AD9DBC62E7443EB4E9A23D3948C63DAAF3E83C80C8E93D65C998BDC672F9BD228892BE80326CBE01E3073EE9A539BE47ED333DBB27C83D8698B13CB8474BBECBEB953EFC5136BEF5F0803E616B79BE31D796BD978D2A3EAE1A00BEF9B0833ECDC257BE15A683BEF9600DBE68BB4A3D2E58903E87AE15BEFA41E03DF1359DBDDCFC87BD0B8B663E27FC72BECD34053DEB6C933E7E552CBDB770733E3C1CC1BD31627C3E54A597BE47C034BDF5485CBD4A39CB3D3B04F63DBCBC703E5FD93ABD94EE46BC4BB6563E0BABA9BD736D893E55C150BECEB507BDD1B886BCFCE60B3E2F5B563E25C946BDF3E081BEA05A1B3E8D93BB3DB2E4FB3DD06841BE20CA493EA47B943E8DA5D93CA56D92BE23195C3E807868BE5125903DAA3F363DE6BE12BEC057DA3DC4378CBE2DD28E3D00C446BE599D07BD8551213D9C8E853E019815BE95DC483E6C511FBD06E814BE518388BE41D68FBEC519993E0D649CBD2B927A3C9901AA3DA01E553E00CC853E32487E3EE54A68BE22EF48BDC08739BE7C2333BECBBE943D3C26933E842C7BBEAAC03D3EAB8E22BE234674BDEEDF783E11D38DBDA264E43CC42B5BBE6072853E501F22BDF95065BEC69CB73DBAED5EBEC6CA78BE5CCD983C7F95783E5C73B1BD0692133EA9B6863E90F44F3ED57724BE807A09BD4A54C5BDD51E7CBEBAA704391DEA6B3E3514843E2806EA3C016C8E3D68BC07BE56AB6C3EE67602BE3ACC59BE1421413D99ED3B3E12578DBE6CB68D3E8C93E13D9AAA5BBE501387BD1A02883E008E70BE3147B7BD99AACD3D6F5789BE11E12B3EB235233EB974423EA5E447BEF4239C3EEFD939BED7819C3EB97296BECDAC8BBE6592403EDF12033D68B3903C5A9F2DBE268503BEE558B7BD3CB798BE175A823C3CCE5D3D8EE887B9EE7FCA3DB5BF943E4EBAA63D858DE5BDC00801BEEB9948BE215959BE96FA49BD61D05DBDD67A0B3E2B0406BE75F3793E47005CBEBD20643ADAEB8C3E1AE39B3E6B9E35BE00665F3D6B24143D530013BE36A6D8BD21D8A93D68055ABE6FED4E3D99AC073EFD1BF7BDA837823E2412A5BC32410E3E6A3F9B3EDFACBFBD98602A3E345CB3BD203237BD548A54BD9553F9BA13E3ECBD14FA923D97063D3C17BF463E29D87DBDCE87FB3C8543E9BD104983BE24C1FD3D1E7A203D8F21FBBDE903D4BDF6FDA33DFCC462BD2AE34C3EA2138E3CFBDDEC3D1C9B083E9ADC99BDCCA7073E215E673E89DA663C126D753D8C47363CCA14593E755F04BE64AA26BEB69F083ED56F88BEFCDAA03B1B3110BE85F14E3EDFF491BE361B3E3E4D199B3E3AC37D3D411EA7BC5D509A3E62FD05BE49FFC8BC644C09BE761F2DBD5E49883D2781273D1BE06CBD0CBE9CBE1F6F803CA69914BC28AB3C3DFD3E703E1C61983EBF033ABEFA669CBC0B40FBBDE47B90BE792564BEBF22933E55CF363E5F6A283EAA3E2E3EC41879BE6BB5033DD9E7913EB3FA2EBE97758B3E66D1A43DD7955C3E7C5006BE898B103EEBF88ABEAF439FBCE428D13DFC0DBC3D272F833E6D0C9A3EC59E8E3E3781523E326F5C3E3BD221BD505173BE02C9E8BD98CB0CBD106E29BE1245203E521EDC3D925B4A3DAF79973D6FB6893EF965E43DB87989BEBC9663BEB8300A3EBFE92A3D83E8183E12919CBE00AD90BE8C44403E168D483E43D48DBEBC06EE3D5ED274BE38716D3EB5C4C43D6F029B3E44929ABE8BEA96BE40FB533E822E8B3EAF18403E7D72503E680A84BED1F0623EEE0294BE9E168C3D4A604DBEB211F9BDA3115E3D188DF6BDF96E46BD819694BECECF93BE4EE7F23D65B604BE52C03EBE336EF7BD062B80BEC4A37ABE499C3B3EFF591F3E410E273D77452BBE69A0D03DAC5E613C211360BE5FF0863D5ABE8E3E86329ABE63E39BBEBDAF203D3F196C3E5CC83EBE8F0A8A3D08695C3EF455C13D5EB4873D2E699C3E61424C3E245730BE88CED83C1C2D203E2E418A3E16F99BBEDDC7293EE70EB6BD8A8299BE70318B3D4DB12ABE0DBA313DBB8F4BBEA7F16BBE76D4D4BC13A6D2BD1960373E4C42D83C72BB743E82076B3D2AA4C9BD1A5E543EA310893C35646B3D01AEC9BDF206903A202371BD3E3FD5BCEC8474BE5ECFF6BAB41F82BEE6E686BD35B5353E36045ABEB05653BE991D99BDACE6ABBD594F543DE634503D0BFE1E3EEBFC57BE1A03B1BC725B2F3E6B99873EAEF7B6BCE26A35BE4D42B43D088D323E7AE143BE2FF135BEF0940A3EB3BEAFBC091194BE88C734BE174CFE3DCCAFD4BD2869583E97DC773E8070363D6657C6BC820CC7BD94AA7DBC8C47643D6A7E6FBEEBDD95BD346682BEF66E403E",
      torch_tensor_16_torch.float32_1: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F"
    }
  }
#-}
