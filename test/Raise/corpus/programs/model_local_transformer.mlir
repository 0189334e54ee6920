#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>
#map14 = affine_map<(d0, d1) -> (d1)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map17 = affine_map<(d0, d1, d2) -> (d2)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2, d3)>
#map19 = affine_map<(d0, d1) -> (d0, 0)>
#map20 = affine_map<(d0, d1) -> (0, d1)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map22 = affine_map<(d0, d1, d2, d3) -> (0)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map26 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map27 = affine_map<(d0, d1, d2, d3) -> ()>
#map28 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map29 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map30 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, 0, d4, d5)>
#map31 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, 0, d5)>
#map32 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
module {
  func.func @main(%arg0: tensor<1x32xi64>) -> tensor<1x32x24xf32> {
    %c8_i64 = arith.constant 8 : i64
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c32 = arith.constant 32 : index
    %c24 = arith.constant 24 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_5 = arith.constant dense<1.000000e+00> : tensor<1xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_24_16_torch.float32_1> : tensor<24x16xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_16_torch.float32_17> : tensor<16xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_16_torch.float32_16> : tensor<16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_42_torch.float32_1> : tensor<16x42xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_84_16_torch.float32_1> : tensor<84x16xf32>
    %cst_11 = arith.constant dense_resource<torch_tensor_16_torch.float32_15> : tensor<16xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_16_torch.float32_14> : tensor<16xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_4_torch.float32_5> : tensor<4xf32>
    %cst_14 = arith.constant dense_resource<torch_tensor_16_torch.float32_13> : tensor<16xf32>
    %cst_15 = arith.constant dense_resource<torch_tensor_4_5_torch.float32_3> : tensor<4x5xf32>
    %cst_16 = arith.constant dense_resource<torch_tensor_16_5_torch.float32_3> : tensor<16x5xf32>
    %cst_17 = arith.constant dense_resource<torch_tensor_16_torch.float32_12> : tensor<16xf32>
    %cst_18 = arith.constant dense_resource<torch_tensor_16_16_torch.float32_1> : tensor<16x16xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_4_torch.float32_4> : tensor<4xf32>
    %cst_20 = arith.constant dense_resource<torch_tensor_48_16_torch.float32_1> : tensor<48x16xf32>
    %cst_21 = arith.constant dense_resource<torch_tensor_16_torch.float32_11> : tensor<16xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_16_torch.float32_10> : tensor<16xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_4_torch.float32_3> : tensor<4xf32>
    %cst_24 = arith.constant dense_resource<torch_tensor_16_torch.float32_9> : tensor<16xf32>
    %cst_25 = arith.constant dense_resource<torch_tensor_4_5_torch.float32_2> : tensor<4x5xf32>
    %cst_26 = arith.constant dense_resource<torch_tensor_16_5_torch.float32_2> : tensor<16x5xf32>
    %cst_27 = arith.constant dense_resource<torch_tensor_16_torch.float32_8> : tensor<16xf32>
    %cst_28 = arith.constant dense_resource<torch_tensor_16_42_torch.float32> : tensor<16x42xf32>
    %cst_29 = arith.constant dense_resource<torch_tensor_84_16_torch.float32> : tensor<84x16xf32>
    %cst_30 = arith.constant dense_resource<torch_tensor_16_torch.float32_7> : tensor<16xf32>
    %cst_31 = arith.constant dense_resource<torch_tensor_16_torch.float32_6> : tensor<16xf32>
    %cst_32 = arith.constant dense_resource<torch_tensor_4_torch.float32_2> : tensor<4xf32>
    %cst_33 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_34 = arith.constant dense_resource<torch_tensor_4_5_torch.float32_1> : tensor<4x5xf32>
    %cst_35 = arith.constant dense_resource<torch_tensor_16_5_torch.float32_1> : tensor<16x5xf32>
    %cst_36 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_37 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_38 = arith.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_39 = arith.constant 0.35355339059327379 : f64
    %cst_40 = arith.constant dense_resource<torch_tensor_48_16_torch.float32> : tensor<48x16xf32>
    %cst_41 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_42 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_43 = arith.constant 1.000000e-05 : f64
    %cst_44 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_45 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_46 = arith.constant dense_resource<torch_tensor_4_5_torch.float32> : tensor<4x5xf32>
    %cst_47 = arith.constant dense<0.00999999977> : tensor<f32>
    %cst_48 = arith.constant dense_resource<torch_tensor_16_5_torch.float32> : tensor<16x5xf32>
    %cst_49 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_50 = arith.constant 9.9999999999999998E-13 : f64
    %cst_51 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %cst_52 = arith.constant dense_resource<torch_tensor_24_16_torch.float32> : tensor<24x16xf32>
    %cst_53 = arith.constant 4.000000e+00 : f32
    %cst_54 = arith.constant 1.600000e+01 : f64
    %cst_55 = arith.constant 1.600000e+01 : f32
    %cst_56 = arith.constant -1.000000e+00 : f32
    %cst_57 = arith.constant 1.41421354 : f32
    %cst_58 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x32x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x32xi64>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %323 = arith.index_cast %in : i64 to index
      %324 = linalg.index 2 : index
      %325 = arith.cmpi slt, %323, %c24 : index
      cf.assert %325, "index must be smaller than dim size"
      %326 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %326, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_52[%323, %324] : tensor<24x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x32x16xf32>
    %2 = tensor.empty() : tensor<32xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %323 = linalg.index 0 : index
      %324 = arith.index_cast %323 : index to i64
      linalg.yield %324 : i64
    } -> tensor<32xi64>
    %4 = tensor.empty() : tensor<32x16xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<32xi64>) outs(%4 : tensor<32x16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %323 = arith.index_cast %in : i64 to index
      %324 = linalg.index 1 : index
      %325 = arith.cmpi slt, %323, %c32 : index
      cf.assert %325, "index must be smaller than dim size"
      %326 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %326, "index must be larger or equal to 0"
      %extracted = tensor.extract %cst_51[%323, %324] : tensor<32x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<32x16xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %5 : tensor<1x32x16xf32>, tensor<32x16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %7 = tensor.empty() : tensor<1x4x32x16xf32>
    %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x32x16xf32>) outs(%7 : tensor<1x4x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x16xf32>
    %expanded = tensor.expand_shape %8 [[0], [1], [2], [3, 4]] output_shape [1, 4, 32, 1, 16] : tensor<1x4x32x16xf32> into tensor<1x4x32x1x16xf32>
    %9 = tensor.empty() : tensor<1x32x1x4x16xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<1x4x32x1x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) permutation = [0, 2, 3, 1, 4] 
    %10 = tensor.empty() : tensor<1x32x1x4x1xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x32x1x4x1xf32>) -> tensor<1x32x1x4x1xf32>
    %12 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%transposed : tensor<1x32x1x4x16xf32>) outs(%11 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.absf %in : f32
      %324 = math.powf %323, %cst_58 : f32
      %325 = arith.addf %324, %out : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %13 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.powf %in, %cst_3 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %14 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_50 : f64 to f32
      %324 = arith.cmpf ult, %in, %323 : f32
      %325 = arith.select %324, %323, %in : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %collapsed = tensor.collapse_shape %14 [[0], [1], [2], [3, 4]] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4xf32>
    %15 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x32x1x4xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x4x16xf32>
    %16 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed, %15 : tensor<1x32x1x4x16xf32>, tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.divf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %17 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.mulf %in, %cst_53 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %18 = tensor.empty() : tensor<16xf32>
    %19 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%cst_49 : tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %cst_0 : f32
      linalg.yield %323 : f32
    } -> tensor<16xf32>
    %20 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17, %19 : tensor<1x32x1x4x16xf32>, tensor<16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %collapsed_59 = tensor.collapse_shape %20 [[0, 1, 2, 3], [4]] : tensor<1x32x1x4x16xf32> into tensor<128x16xf32>
    %21 = tensor.empty() : tensor<128x5xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<128x5xf32>) -> tensor<128x5xf32>
    %23 = linalg.matmul ins(%collapsed_59, %cst_48 : tensor<128x16xf32>, tensor<16x5xf32>) outs(%22 : tensor<128x5xf32>) -> tensor<128x5xf32>
    %expanded_60 = tensor.expand_shape %23 [[0, 1, 2, 3], [4]] output_shape [1, 32, 1, 4, 5] : tensor<128x5xf32> into tensor<1x32x1x4x5xf32>
    %24 = tensor.empty() : tensor<1x32x1x4x5xf32>
    %25 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_60 : tensor<1x32x1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %26 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25, %cst_47 : tensor<1x32x1x4x5xf32>, tensor<f32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %expanded_61 = tensor.expand_shape %cst_46 [[0, 1], [2]] output_shape [1, 4, 5] : tensor<4x5xf32> into tensor<1x4x5xf32>
    %27 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%26, %expanded_61 : tensor<1x32x1x4x5xf32>, tensor<1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %28 = tensor.empty() : tensor<128x16xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_59, %cst_45 : tensor<128x16xf32>, tensor<16xf32>) outs(%28 : tensor<128x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<128x16xf32>
    %30 = tensor.empty() : tensor<128xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<128xf32>) -> tensor<128xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "reduction"]} ins(%29 : tensor<128x16xf32>) outs(%31 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<128xf32>
    %expanded_62 = tensor.expand_shape %32 [[0, 1, 2, 3]] output_shape [1, 32, 1, 4] : tensor<128xf32> into tensor<1x32x1x4xf32>
    %33 = tensor.empty() : tensor<1x32x1x4xf32>
    %34 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_62 : tensor<1x32x1x4xf32>) outs(%33 : tensor<1x32x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4xf32>
    %expanded_63 = tensor.expand_shape %34 [[0], [1], [2], [3, 4]] output_shape [1, 32, 1, 4, 1] : tensor<1x32x1x4xf32> into tensor<1x32x1x4x1xf32>
    %35 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_63, %cst_47 : tensor<1x32x1x4x1xf32>, tensor<f32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_64 = tensor.expand_shape %cst_44 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %36 = linalg.generic {indexing_maps = [#map8, #map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%35, %expanded_64 : tensor<1x32x1x4x1xf32>, tensor<4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_65 = tensor.expand_shape %27 [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 1, 5, 1] : tensor<1x32x1x4x5xf32> into tensor<1x32x1x4x1x5x1xf32>
    %expanded_66 = tensor.expand_shape %transposed [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 16, 1, 1] : tensor<1x32x1x4x16xf32> into tensor<1x32x1x4x16x1x1xf32>
    %37 = tensor.empty() : tensor<32x5x4x1x1x1x1xf32>
    %transposed_67 = linalg.transpose ins(%expanded_65 : tensor<1x32x1x4x1x5x1xf32>) outs(%37 : tensor<32x5x4x1x1x1x1xf32>) permutation = [1, 5, 3, 0, 4, 6, 2] 
    %collapsed_68 = tensor.collapse_shape %transposed_67 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x5x4x1x1x1x1xf32> into tensor<32x5x4xf32>
    %38 = tensor.empty() : tensor<32x4x1x1x16x1x1xf32>
    %transposed_69 = linalg.transpose ins(%expanded_66 : tensor<1x32x1x4x16x1x1xf32>) outs(%38 : tensor<32x4x1x1x16x1x1xf32>) permutation = [1, 3, 0, 5, 4, 2, 6] 
    %collapsed_70 = tensor.collapse_shape %transposed_69 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x4x1x1x16x1x1xf32> into tensor<32x4x16xf32>
    %39 = tensor.empty() : tensor<32x5x16xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<32x5x16xf32>) -> tensor<32x5x16xf32>
    %41 = linalg.batch_matmul ins(%collapsed_68, %collapsed_70 : tensor<32x5x4xf32>, tensor<32x4x16xf32>) outs(%40 : tensor<32x5x16xf32>) -> tensor<32x5x16xf32>
    %expanded_71 = tensor.expand_shape %41 [[0], [1], [2, 3, 4, 5, 6]] output_shape [32, 5, 1, 1, 1, 16, 1] : tensor<32x5x16xf32> into tensor<32x5x1x1x1x16x1xf32>
    %42 = tensor.empty() : tensor<1x32x1x5x16x1x1xf32>
    %transposed_72 = linalg.transpose ins(%expanded_71 : tensor<32x5x1x1x1x16x1xf32>) outs(%42 : tensor<1x32x1x5x16x1x1xf32>) permutation = [3, 0, 4, 1, 5, 6, 2] 
    %collapsed_73 = tensor.collapse_shape %transposed_72 [[0], [1], [2], [3], [4, 5, 6]] : tensor<1x32x1x5x16x1x1xf32> into tensor<1x32x1x5x16xf32>
    %extracted_slice = tensor.extract_slice %collapsed_73[0, 0, 0, 0, 0] [1, 32, 1, 1, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x1x16xf32>
    %extracted_slice_74 = tensor.extract_slice %collapsed_73[0, 0, 0, 1, 0] [1, 32, 1, 4, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x4x16xf32>
    %collapsed_75 = tensor.collapse_shape %extracted_slice [[0], [1], [2, 3, 4]] : tensor<1x32x1x1x16xf32> into tensor<1x32x16xf32>
    %43 = tensor.empty() : tensor<1x4x32x1x16xf32>
    %transposed_76 = linalg.transpose ins(%extracted_slice_74 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_77 = tensor.collapse_shape %transposed_76 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %44 = tensor.empty() : tensor<1x32x16xf64>
    %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_75 : tensor<1x32x16xf32>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %323 = arith.extf %in : f32 to f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %46 = tensor.empty() : tensor<1x32x1xf64>
    %47 = linalg.fill ins(%cst_1 : f64) outs(%46 : tensor<1x32x1xf64>) -> tensor<1x32x1xf64>
    %48 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%45 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %50 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %49 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.subf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %50 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.mulf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %52 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %54 = tensor.empty() : tensor<1x32x1xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<1x32x1xf64>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %323 = arith.truncf %in : f64 to f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %56 = linalg.fill ins(%cst : f32) outs(%54 : tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_75 : tensor<1x32x16xf32>) outs(%56 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.divf %in, %cst_55 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_43 : f64 to f32
      %324 = arith.addf %in, %323 : f32
      linalg.yield %324 : f32
    } -> tensor<1x32x1xf32>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.rsqrt %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_75, %58 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.subf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %60 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62, %cst_42 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %cst_41 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %65 = tensor.empty() : tensor<16x48xf32>
    %transposed_78 = linalg.transpose ins(%cst_40 : tensor<48x16xf32>) outs(%65 : tensor<16x48xf32>) permutation = [1, 0] 
    %collapsed_79 = tensor.collapse_shape %64 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %66 = tensor.empty() : tensor<32x48xf32>
    %67 = linalg.fill ins(%cst : f32) outs(%66 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %68 = linalg.matmul ins(%collapsed_79, %transposed_78 : tensor<32x16xf32>, tensor<16x48xf32>) outs(%67 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %expanded_80 = tensor.expand_shape %68 [[0, 1], [2]] output_shape [1, 32, 48] : tensor<32x48xf32> into tensor<1x32x48xf32>
    %extracted_slice_81 = tensor.extract_slice %expanded_80[0, 0, 0] [1, 32, 16] [1, 1, 1] : tensor<1x32x48xf32> to tensor<1x32x16xf32>
    %extracted_slice_82 = tensor.extract_slice %expanded_80[0, 0, 16] [1, 32, 16] [1, 1, 1] : tensor<1x32x48xf32> to tensor<1x32x16xf32>
    %extracted_slice_83 = tensor.extract_slice %expanded_80[0, 0, 32] [1, 32, 16] [1, 1, 1] : tensor<1x32x48xf32> to tensor<1x32x16xf32>
    %expanded_84 = tensor.expand_shape %extracted_slice_81 [[0], [1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<1x32x16xf32> into tensor<1x32x2x8xf32>
    %69 = tensor.empty() : tensor<1x2x32x8xf32>
    %transposed_85 = linalg.transpose ins(%expanded_84 : tensor<1x32x2x8xf32>) outs(%69 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_86 = tensor.expand_shape %extracted_slice_82 [[0], [1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<1x32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_87 = linalg.transpose ins(%expanded_86 : tensor<1x32x2x8xf32>) outs(%69 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_88 = tensor.expand_shape %extracted_slice_83 [[0], [1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<1x32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_89 = linalg.transpose ins(%expanded_88 : tensor<1x32x2x8xf32>) outs(%69 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_90 = tensor.collapse_shape %transposed_85 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_91 = tensor.collapse_shape %transposed_87 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_92 = tensor.collapse_shape %transposed_89 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %expanded_93 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 4, 8] : tensor<32xi64> into tensor<1x4x8xi64>
    %expanded_94 = tensor.expand_shape %collapsed_90 [[0], [1, 2], [3]] output_shape [2, 4, 8, 8] : tensor<2x32x8xf32> into tensor<2x4x8x8xf32>
    %expanded_95 = tensor.expand_shape %collapsed_91 [[0], [1, 2], [3]] output_shape [2, 4, 8, 8] : tensor<2x32x8xf32> into tensor<2x4x8x8xf32>
    %expanded_96 = tensor.expand_shape %collapsed_92 [[0], [1, 2], [3]] output_shape [2, 4, 8, 8] : tensor<2x32x8xf32> into tensor<2x4x8x8xf32>
    %70 = tensor.empty() : tensor<2x4x8x8xf32>
    %71 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_94 : tensor<2x4x8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_39 : f64 to f32
      %324 = arith.mulf %in, %323 : f32
      linalg.yield %324 : f32
    } -> tensor<2x4x8x8xf32>
    %padded = tensor.pad %expanded_95 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_56 : f32
    } : tensor<2x4x8x8xf32> to tensor<2x5x8x8xf32>
    %72 = tensor.empty() : tensor<2x4x8x8x2xf32>
    %73 = linalg.generic {indexing_maps = [#map18, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<2x5x8x8xf32>) outs(%72 : tensor<2x4x8x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8x2xf32>
    %74 = tensor.empty() : tensor<2x4x2x8x8xf32>
    %transposed_97 = linalg.transpose ins(%73 : tensor<2x4x8x8x2xf32>) outs(%74 : tensor<2x4x2x8x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %collapsed_98 = tensor.collapse_shape %transposed_97 [[0], [1], [2, 3], [4]] : tensor<2x4x2x8x8xf32> into tensor<2x4x16x8xf32>
    %padded_99 = tensor.pad %expanded_96 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_56 : f32
    } : tensor<2x4x8x8xf32> to tensor<2x5x8x8xf32>
    %75 = linalg.generic {indexing_maps = [#map18, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_99 : tensor<2x5x8x8xf32>) outs(%72 : tensor<2x4x8x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8x2xf32>
    %transposed_100 = linalg.transpose ins(%75 : tensor<2x4x8x8x2xf32>) outs(%74 : tensor<2x4x2x8x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %76 = tensor.empty() : tensor<16xi64>
    %77 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%76 : tensor<16xi64>) {
    ^bb0(%out: i64):
      %323 = linalg.index 0 : index
      %324 = arith.index_cast %323 : index to i64
      linalg.yield %324 : i64
    } -> tensor<16xi64>
    %78 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%77 : tensor<16xi64>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: i64, %out: f32):
      %323 = arith.sitofp %in : i64 to f32
      linalg.yield %323 : f32
    } -> tensor<16xf32>
    %expanded_101 = tensor.expand_shape %78 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %expanded_102 = tensor.expand_shape %cst_38 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %79 = tensor.empty() : tensor<1x4xf32>
    %transposed_103 = linalg.transpose ins(%expanded_102 : tensor<4x1xf32>) outs(%79 : tensor<1x4xf32>) permutation = [1, 0] 
    %80 = tensor.empty() : tensor<16x4xf32>
    %81 = linalg.generic {indexing_maps = [#map19, #map20, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_101, %transposed_103 : tensor<16x1xf32>, tensor<1x4xf32>) outs(%80 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<16x4xf32>
    %concat = tensor.concat dim(1) %81, %81 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x8xf32>
    %extracted_slice_104 = tensor.extract_slice %concat[8, 0] [8, 8] [1, 1] : tensor<16x8xf32> to tensor<8x8xf32>
    %82 = tensor.empty() : tensor<1xf32>
    %83 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%cst_5 : tensor<1xf32>) outs(%82 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.fpowi %in, %c-1_i64 : f32, i64
      linalg.yield %323 : f32
    } -> tensor<1xf32>
    %84 = tensor.empty() : tensor<8x8xf32>
    %85 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_104 : tensor<8x8xf32>) outs(%84 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.cos %in : f32
      linalg.yield %323 : f32
    } -> tensor<8x8xf32>
    %86 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %85 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %87 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %cst_5 : tensor<2x4x8x8xf32>, tensor<1xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_105 = tensor.expand_shape %71 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 4] : tensor<2x4x8x8xf32> into tensor<2x4x8x2x4xf32>
    %extracted_slice_106 = tensor.extract_slice %expanded_105[0, 0, 0, 0, 0] [2, 4, 8, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x8x2x4xf32> to tensor<2x4x8x1x4xf32>
    %extracted_slice_107 = tensor.extract_slice %expanded_105[0, 0, 0, 1, 0] [2, 4, 8, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x8x2x4xf32> to tensor<2x4x8x1x4xf32>
    %collapsed_108 = tensor.collapse_shape %extracted_slice_106 [[0], [1], [2, 3], [4]] : tensor<2x4x8x1x4xf32> into tensor<2x4x8x4xf32>
    %collapsed_109 = tensor.collapse_shape %extracted_slice_107 [[0], [1], [2, 3], [4]] : tensor<2x4x8x1x4xf32> into tensor<2x4x8x4xf32>
    %88 = tensor.empty() : tensor<2x4x8x4xf32>
    %89 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_109 : tensor<2x4x8x4xf32>) outs(%88 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.negf %in : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x4xf32>
    %concat_110 = tensor.concat dim(3) %89, %collapsed_108 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %90 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_104 : tensor<8x8xf32>) outs(%84 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.sin %in : f32
      linalg.yield %323 : f32
    } -> tensor<8x8xf32>
    %91 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_110, %90 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %92 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91, %cst_5 : tensor<2x4x8x8xf32>, tensor<1xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %93 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %92 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %94 = tensor.empty() : tensor<16x8xf32>
    %95 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<16x8xf32>) outs(%94 : tensor<16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.cos %in : f32
      linalg.yield %323 : f32
    } -> tensor<16x8xf32>
    %96 = tensor.empty() : tensor<2x4x16x8xf32>
    %97 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_98, %95 : tensor<2x4x16x8xf32>, tensor<16x8xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %98 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %83 : tensor<2x4x16x8xf32>, tensor<1xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %expanded_111 = tensor.expand_shape %collapsed_98 [[0], [1], [2], [3, 4]] output_shape [2, 4, 16, 2, 4] : tensor<2x4x16x8xf32> into tensor<2x4x16x2x4xf32>
    %extracted_slice_112 = tensor.extract_slice %expanded_111[0, 0, 0, 0, 0] [2, 4, 16, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x16x2x4xf32> to tensor<2x4x16x1x4xf32>
    %extracted_slice_113 = tensor.extract_slice %expanded_111[0, 0, 0, 1, 0] [2, 4, 16, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x16x2x4xf32> to tensor<2x4x16x1x4xf32>
    %collapsed_114 = tensor.collapse_shape %extracted_slice_112 [[0], [1], [2, 3], [4]] : tensor<2x4x16x1x4xf32> into tensor<2x4x16x4xf32>
    %collapsed_115 = tensor.collapse_shape %extracted_slice_113 [[0], [1], [2, 3], [4]] : tensor<2x4x16x1x4xf32> into tensor<2x4x16x4xf32>
    %99 = tensor.empty() : tensor<2x4x16x4xf32>
    %100 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_115 : tensor<2x4x16x4xf32>) outs(%99 : tensor<2x4x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.negf %in : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x4xf32>
    %concat_116 = tensor.concat dim(3) %100, %collapsed_114 : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x8xf32>
    %101 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<16x8xf32>) outs(%94 : tensor<16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.sin %in : f32
      linalg.yield %323 : f32
    } -> tensor<16x8xf32>
    %102 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_116, %101 : tensor<2x4x16x8xf32>, tensor<16x8xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %103 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102, %83 : tensor<2x4x16x8xf32>, tensor<1xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %104 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98, %103 : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %padded_117 = tensor.pad %expanded_93 low[0, 1, 0] high[0, 0, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index):
      tensor.yield %c-1_i64 : i64
    } : tensor<1x4x8xi64> to tensor<1x5x8xi64>
    %105 = tensor.empty() : tensor<1x4x8x2xi64>
    %106 = linalg.generic {indexing_maps = [#map23, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded_117 : tensor<1x5x8xi64>) outs(%105 : tensor<1x4x8x2xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<1x4x8x2xi64>
    %107 = tensor.empty() : tensor<1x4x2x8xi64>
    %transposed_118 = linalg.transpose ins(%106 : tensor<1x4x8x2xi64>) outs(%107 : tensor<1x4x2x8xi64>) permutation = [0, 1, 3, 2] 
    %collapsed_119 = tensor.collapse_shape %transposed_118 [[0], [1], [2, 3]] : tensor<1x4x2x8xi64> into tensor<1x4x16xi64>
    %expanded_120 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 4, 8, 1] : tensor<32xi64> into tensor<1x4x8x1xi64>
    %expanded_121 = tensor.expand_shape %collapsed_119 [[0], [1], [2, 3]] output_shape [1, 4, 1, 16] : tensor<1x4x16xi64> into tensor<1x4x1x16xi64>
    %108 = tensor.empty() : tensor<1x4x1x16xi1>
    %109 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_121 : tensor<1x4x1x16xi64>) outs(%108 : tensor<1x4x1x16xi1>) {
    ^bb0(%in: i64, %out: i1):
      %323 = arith.cmpi eq, %in, %c-1_i64 : i64
      linalg.yield %323 : i1
    } -> tensor<1x4x1x16xi1>
    %expanded_122 = tensor.expand_shape %104 [[0], [1], [2], [3, 4]] output_shape [2, 4, 16, 8, 1] : tensor<2x4x16x8xf32> into tensor<2x4x16x8x1xf32>
    %collapsed_123 = tensor.collapse_shape %93 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %110 = tensor.empty() : tensor<2x4x8x16x1xf32>
    %transposed_124 = linalg.transpose ins(%expanded_122 : tensor<2x4x16x8x1xf32>) outs(%110 : tensor<2x4x8x16x1xf32>) permutation = [0, 1, 3, 2, 4] 
    %collapsed_125 = tensor.collapse_shape %transposed_124 [[0, 1], [2], [3, 4]] : tensor<2x4x8x16x1xf32> into tensor<8x8x16xf32>
    %111 = tensor.empty() : tensor<8x8x16xf32>
    %112 = linalg.fill ins(%cst : f32) outs(%111 : tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %113 = linalg.batch_matmul ins(%collapsed_123, %collapsed_125 : tensor<8x8x8xf32>, tensor<8x8x16xf32>) outs(%112 : tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %expanded_126 = tensor.expand_shape %113 [[0, 1], [2], [3, 4]] output_shape [2, 4, 8, 1, 16] : tensor<8x8x16xf32> into tensor<2x4x8x1x16xf32>
    %transposed_127 = linalg.transpose ins(%expanded_126 : tensor<2x4x8x1x16xf32>) outs(%110 : tensor<2x4x8x16x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_128 = tensor.collapse_shape %transposed_127 [[0], [1], [2], [3, 4]] : tensor<2x4x8x16x1xf32> into tensor<2x4x8x16xf32>
    %114 = tensor.empty() : tensor<1x4x8x16xi1>
    %115 = linalg.generic {indexing_maps = [#map24, #map25, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_120, %expanded_121 : tensor<1x4x8x1xi64>, tensor<1x4x1x16xi64>) outs(%114 : tensor<1x4x8x16xi1>) {
    ^bb0(%in: i64, %in_311: i64, %out: i1):
      %323 = arith.cmpi slt, %in, %in_311 : i64
      linalg.yield %323 : i1
    } -> tensor<1x4x8x16xi1>
    %116 = tensor.empty() : tensor<1x4x1x16xi64>
    %117 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_121 : tensor<1x4x1x16xi64>) outs(%116 : tensor<1x4x1x16xi64>) {
    ^bb0(%in: i64, %out: i64):
      %323 = arith.addi %in, %c8_i64 : i64
      linalg.yield %323 : i64
    } -> tensor<1x4x1x16xi64>
    %118 = linalg.generic {indexing_maps = [#map24, #map25, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_120, %117 : tensor<1x4x8x1xi64>, tensor<1x4x1x16xi64>) outs(%114 : tensor<1x4x8x16xi1>) {
    ^bb0(%in: i64, %in_311: i64, %out: i1):
      %323 = arith.cmpi sgt, %in, %in_311 : i64
      linalg.yield %323 : i1
    } -> tensor<1x4x8x16xi1>
    %119 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%115, %118 : tensor<1x4x8x16xi1>, tensor<1x4x8x16xi1>) outs(%114 : tensor<1x4x8x16xi1>) {
    ^bb0(%in: i1, %in_311: i1, %out: i1):
      %323 = arith.ori %in, %in_311 : i1
      linalg.yield %323 : i1
    } -> tensor<1x4x8x16xi1>
    %120 = tensor.empty() : tensor<2x4x8x16xf32>
    %121 = linalg.generic {indexing_maps = [#map26, #map27, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %cst_4, %collapsed_128 : tensor<1x4x8x16xi1>, tensor<f32>, tensor<2x4x8x16xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: i1, %in_311: f32, %in_312: f32, %out: f32):
      %323 = arith.select %in, %in_311, %in_312 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %122 = linalg.generic {indexing_maps = [#map28, #map27, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %cst_4, %121 : tensor<1x4x1x16xi1>, tensor<f32>, tensor<2x4x8x16xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: i1, %in_311: f32, %in_312: f32, %out: f32):
      %323 = arith.select %in, %in_311, %in_312 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %123 = tensor.empty() : tensor<2x4x8xi64>
    %124 = linalg.fill ins(%c0_i64 : i64) outs(%123 : tensor<2x4x8xi64>) -> tensor<2x4x8xi64>
    %125 = tensor.empty() : tensor<2x4x8xf32>
    %126 = linalg.fill ins(%cst_2 : f32) outs(%125 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %127:2 = linalg.generic {indexing_maps = [#map7, #map29, #map29], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%122 : tensor<2x4x8x16xf32>) outs(%126, %124 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_311: i64):
      %323 = linalg.index 3 : index
      %324 = arith.index_cast %323 : index to i64
      %325 = arith.maximumf %in, %out : f32
      %326 = arith.cmpf ogt, %in, %out : f32
      %327 = arith.select %326, %324, %out_311 : i64
      linalg.yield %325, %327 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_129 = tensor.expand_shape %127#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %128 = linalg.generic {indexing_maps = [#map7, #map24, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122, %expanded_129 : tensor<2x4x8x16xf32>, tensor<2x4x8x1xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.subf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %129 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128 : tensor<2x4x8x16xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.exp %in : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %130 = tensor.empty() : tensor<2x4x8x1xf32>
    %131 = linalg.fill ins(%cst : f32) outs(%130 : tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>
    %132 = linalg.generic {indexing_maps = [#map7, #map24], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%129 : tensor<2x4x8x16xf32>) outs(%131 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x1xf32>
    %133 = linalg.generic {indexing_maps = [#map7, #map24, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129, %132 : tensor<2x4x8x16xf32>, tensor<2x4x8x1xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.divf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %collapsed_130 = tensor.collapse_shape %133 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %collapsed_131 = tensor.collapse_shape %transposed_100 [[0, 1], [2, 3], [4]] : tensor<2x4x2x8x8xf32> into tensor<8x16x8xf32>
    %134 = tensor.empty() : tensor<8x8x8xf32>
    %135 = linalg.fill ins(%cst : f32) outs(%134 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %136 = linalg.batch_matmul ins(%collapsed_130, %collapsed_131 : tensor<8x8x16xf32>, tensor<8x16x8xf32>) outs(%135 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_132 = tensor.expand_shape %136 [[0, 1], [2], [3, 4]] output_shape [2, 4, 8, 1, 8] : tensor<8x8x8xf32> into tensor<2x4x8x1x8xf32>
    %137 = tensor.empty() : tensor<2x4x8x8x1xf32>
    %transposed_133 = linalg.transpose ins(%expanded_132 : tensor<2x4x8x1x8xf32>) outs(%137 : tensor<2x4x8x8x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_134 = tensor.collapse_shape %transposed_133 [[0], [1, 2], [3, 4]] : tensor<2x4x8x8x1xf32> into tensor<2x32x8xf32>
    %expanded_135 = tensor.expand_shape %collapsed_134 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %138 = tensor.empty() : tensor<1x32x2x8xf32>
    %transposed_136 = linalg.transpose ins(%expanded_135 : tensor<1x2x32x8xf32>) outs(%138 : tensor<1x32x2x8xf32>) permutation = [0, 2, 1, 3] 
    %139 = tensor.empty() : tensor<16x16xf32>
    %transposed_137 = linalg.transpose ins(%cst_37 : tensor<16x16xf32>) outs(%139 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_138 = tensor.collapse_shape %transposed_136 [[0, 1], [2, 3]] : tensor<1x32x2x8xf32> into tensor<32x16xf32>
    %140 = linalg.fill ins(%cst : f32) outs(%4 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %141 = linalg.matmul ins(%collapsed_138, %transposed_137 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%140 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_139 = tensor.expand_shape %141 [[0, 1], [2, 3, 4, 5]] output_shape [1, 32, 1, 16, 1, 1] : tensor<32x16xf32> into tensor<1x32x1x16x1x1xf32>
    %142 = tensor.empty() : tensor<1x32x1x1x16x1xf32>
    %transposed_140 = linalg.transpose ins(%expanded_139 : tensor<1x32x1x16x1x1xf32>) outs(%142 : tensor<1x32x1x1x16x1xf32>) permutation = [0, 1, 4, 5, 3, 2] 
    %expanded_141 = tensor.expand_shape %36 [[0], [1], [2], [3], [4, 5]] output_shape [1, 32, 1, 4, 1, 1] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4x1x1xf32>
    %143 = tensor.empty() : tensor<1x32x1x4x1x1xf32>
    %transposed_142 = linalg.transpose ins(%expanded_141 : tensor<1x32x1x4x1x1xf32>) outs(%143 : tensor<1x32x1x4x1x1xf32>) permutation = [0, 1, 4, 3, 5, 2] 
    %144 = tensor.empty() : tensor<1x32x1x4x16x1xf32>
    %145 = linalg.generic {indexing_maps = [#map30, #map31, #map32], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_140, %transposed_142 : tensor<1x32x1x1x16x1xf32>, tensor<1x32x1x4x1x1xf32>) outs(%144 : tensor<1x32x1x4x16x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16x1xf32>
    %collapsed_143 = tensor.collapse_shape %145 [[0], [1], [2], [3], [4, 5]] : tensor<1x32x1x4x16x1xf32> into tensor<1x32x1x4x16xf32>
    %transposed_144 = linalg.transpose ins(%collapsed_143 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_145 = tensor.collapse_shape %transposed_144 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %146 = tensor.empty() : tensor<4x32x16xf32>
    %147 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_145, %collapsed_77 : tensor<4x32x16xf32>, tensor<4x32x16xf32>) outs(%146 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<4x32x16xf32>
    %expanded_146 = tensor.expand_shape %147 [[0, 1], [2], [3, 4]] output_shape [1, 4, 32, 1, 16] : tensor<4x32x16xf32> into tensor<1x4x32x1x16xf32>
    %transposed_147 = linalg.transpose ins(%expanded_146 : tensor<1x4x32x1x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) permutation = [0, 2, 3, 1, 4] 
    %148 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%transposed_147 : tensor<1x32x1x4x16xf32>) outs(%11 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.absf %in : f32
      %324 = math.powf %323, %cst_58 : f32
      %325 = arith.addf %324, %out : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %149 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%148 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.powf %in, %cst_3 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %150 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%149 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_50 : f64 to f32
      %324 = arith.cmpf ult, %in, %323 : f32
      %325 = arith.select %324, %323, %in : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %collapsed_148 = tensor.collapse_shape %150 [[0], [1], [2], [3, 4]] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4xf32>
    %151 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_148 : tensor<1x32x1x4xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x4x16xf32>
    %152 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_147, %151 : tensor<1x32x1x4x16xf32>, tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.divf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %153 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%152 : tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.mulf %in, %cst_53 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %154 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%cst_36 : tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %cst_0 : f32
      linalg.yield %323 : f32
    } -> tensor<16xf32>
    %155 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%153, %154 : tensor<1x32x1x4x16xf32>, tensor<16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %collapsed_149 = tensor.collapse_shape %155 [[0, 1, 2, 3], [4]] : tensor<1x32x1x4x16xf32> into tensor<128x16xf32>
    %156 = linalg.matmul ins(%collapsed_149, %cst_35 : tensor<128x16xf32>, tensor<16x5xf32>) outs(%22 : tensor<128x5xf32>) -> tensor<128x5xf32>
    %expanded_150 = tensor.expand_shape %156 [[0, 1, 2, 3], [4]] output_shape [1, 32, 1, 4, 5] : tensor<128x5xf32> into tensor<1x32x1x4x5xf32>
    %157 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_150 : tensor<1x32x1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %158 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%157, %cst_47 : tensor<1x32x1x4x5xf32>, tensor<f32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %expanded_151 = tensor.expand_shape %cst_34 [[0, 1], [2]] output_shape [1, 4, 5] : tensor<4x5xf32> into tensor<1x4x5xf32>
    %159 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%158, %expanded_151 : tensor<1x32x1x4x5xf32>, tensor<1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %160 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_149, %cst_33 : tensor<128x16xf32>, tensor<16xf32>) outs(%28 : tensor<128x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<128x16xf32>
    %161 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "reduction"]} ins(%160 : tensor<128x16xf32>) outs(%31 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<128xf32>
    %expanded_152 = tensor.expand_shape %161 [[0, 1, 2, 3]] output_shape [1, 32, 1, 4] : tensor<128xf32> into tensor<1x32x1x4xf32>
    %162 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_152 : tensor<1x32x1x4xf32>) outs(%33 : tensor<1x32x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4xf32>
    %expanded_153 = tensor.expand_shape %162 [[0], [1], [2], [3, 4]] output_shape [1, 32, 1, 4, 1] : tensor<1x32x1x4xf32> into tensor<1x32x1x4x1xf32>
    %163 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_153, %cst_47 : tensor<1x32x1x4x1xf32>, tensor<f32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_154 = tensor.expand_shape %cst_32 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %164 = linalg.generic {indexing_maps = [#map8, #map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%163, %expanded_154 : tensor<1x32x1x4x1xf32>, tensor<4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_155 = tensor.expand_shape %159 [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 1, 5, 1] : tensor<1x32x1x4x5xf32> into tensor<1x32x1x4x1x5x1xf32>
    %expanded_156 = tensor.expand_shape %transposed_147 [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 16, 1, 1] : tensor<1x32x1x4x16xf32> into tensor<1x32x1x4x16x1x1xf32>
    %transposed_157 = linalg.transpose ins(%expanded_155 : tensor<1x32x1x4x1x5x1xf32>) outs(%37 : tensor<32x5x4x1x1x1x1xf32>) permutation = [1, 5, 3, 0, 4, 6, 2] 
    %collapsed_158 = tensor.collapse_shape %transposed_157 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x5x4x1x1x1x1xf32> into tensor<32x5x4xf32>
    %transposed_159 = linalg.transpose ins(%expanded_156 : tensor<1x32x1x4x16x1x1xf32>) outs(%38 : tensor<32x4x1x1x16x1x1xf32>) permutation = [1, 3, 0, 5, 4, 2, 6] 
    %collapsed_160 = tensor.collapse_shape %transposed_159 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x4x1x1x16x1x1xf32> into tensor<32x4x16xf32>
    %165 = linalg.batch_matmul ins(%collapsed_158, %collapsed_160 : tensor<32x5x4xf32>, tensor<32x4x16xf32>) outs(%40 : tensor<32x5x16xf32>) -> tensor<32x5x16xf32>
    %expanded_161 = tensor.expand_shape %165 [[0], [1], [2, 3, 4, 5, 6]] output_shape [32, 5, 1, 1, 1, 16, 1] : tensor<32x5x16xf32> into tensor<32x5x1x1x1x16x1xf32>
    %transposed_162 = linalg.transpose ins(%expanded_161 : tensor<32x5x1x1x1x16x1xf32>) outs(%42 : tensor<1x32x1x5x16x1x1xf32>) permutation = [3, 0, 4, 1, 5, 6, 2] 
    %collapsed_163 = tensor.collapse_shape %transposed_162 [[0], [1], [2], [3], [4, 5, 6]] : tensor<1x32x1x5x16x1x1xf32> into tensor<1x32x1x5x16xf32>
    %extracted_slice_164 = tensor.extract_slice %collapsed_163[0, 0, 0, 0, 0] [1, 32, 1, 1, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x1x16xf32>
    %extracted_slice_165 = tensor.extract_slice %collapsed_163[0, 0, 0, 1, 0] [1, 32, 1, 4, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x4x16xf32>
    %collapsed_166 = tensor.collapse_shape %extracted_slice_164 [[0], [1], [2, 3, 4]] : tensor<1x32x1x1x16xf32> into tensor<1x32x16xf32>
    %transposed_167 = linalg.transpose ins(%extracted_slice_165 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_168 = tensor.collapse_shape %transposed_167 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_166 : tensor<1x32x16xf32>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %323 = arith.extf %in : f32 to f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %167 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%166 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %169 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %168 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.subf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %170 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %169 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.mulf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %171 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%170 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<1x32x1xf64>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %323 = arith.truncf %in : f64 to f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_166 : tensor<1x32x16xf32>) outs(%56 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.divf %in, %cst_55 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%173 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_43 : f64 to f32
      %324 = arith.addf %in, %323 : f32
      linalg.yield %324 : f32
    } -> tensor<1x32x1xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.rsqrt %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_166, %175 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.subf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %179 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%178, %177 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179, %cst_31 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %181 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180, %cst_30 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %182 = tensor.empty() : tensor<16x84xf32>
    %transposed_169 = linalg.transpose ins(%cst_29 : tensor<84x16xf32>) outs(%182 : tensor<16x84xf32>) permutation = [1, 0] 
    %collapsed_170 = tensor.collapse_shape %181 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %183 = tensor.empty() : tensor<32x84xf32>
    %184 = linalg.fill ins(%cst : f32) outs(%183 : tensor<32x84xf32>) -> tensor<32x84xf32>
    %185 = linalg.matmul ins(%collapsed_170, %transposed_169 : tensor<32x16xf32>, tensor<16x84xf32>) outs(%184 : tensor<32x84xf32>) -> tensor<32x84xf32>
    %expanded_171 = tensor.expand_shape %185 [[0, 1], [2]] output_shape [1, 32, 84] : tensor<32x84xf32> into tensor<1x32x84xf32>
    %extracted_slice_172 = tensor.extract_slice %expanded_171[0, 0, 0] [1, 32, 42] [1, 1, 1] : tensor<1x32x84xf32> to tensor<1x32x42xf32>
    %extracted_slice_173 = tensor.extract_slice %expanded_171[0, 0, 42] [1, 32, 42] [1, 1, 1] : tensor<1x32x84xf32> to tensor<1x32x42xf32>
    %186 = tensor.empty() : tensor<1x32x42xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_173 : tensor<1x32x42xf32>) outs(%186 : tensor<1x32x42xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.divf %in, %cst_57 : f32
      %324 = math.erf %323 : f32
      %325 = arith.addf %324, %cst_0 : f32
      %326 = arith.mulf %325, %cst_3 : f32
      %327 = arith.mulf %in, %326 : f32
      linalg.yield %327 : f32
    } -> tensor<1x32x42xf32>
    %188 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_172, %187 : tensor<1x32x42xf32>, tensor<1x32x42xf32>) outs(%186 : tensor<1x32x42xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x42xf32>
    %189 = tensor.empty() : tensor<42x16xf32>
    %transposed_174 = linalg.transpose ins(%cst_28 : tensor<16x42xf32>) outs(%189 : tensor<42x16xf32>) permutation = [1, 0] 
    %collapsed_175 = tensor.collapse_shape %188 [[0, 1], [2]] : tensor<1x32x42xf32> into tensor<32x42xf32>
    %190 = linalg.matmul ins(%collapsed_175, %transposed_174 : tensor<32x42xf32>, tensor<42x16xf32>) outs(%140 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_176 = tensor.expand_shape %190 [[0, 1], [2, 3, 4, 5]] output_shape [1, 32, 1, 16, 1, 1] : tensor<32x16xf32> into tensor<1x32x1x16x1x1xf32>
    %transposed_177 = linalg.transpose ins(%expanded_176 : tensor<1x32x1x16x1x1xf32>) outs(%142 : tensor<1x32x1x1x16x1xf32>) permutation = [0, 1, 4, 5, 3, 2] 
    %expanded_178 = tensor.expand_shape %164 [[0], [1], [2], [3], [4, 5]] output_shape [1, 32, 1, 4, 1, 1] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4x1x1xf32>
    %transposed_179 = linalg.transpose ins(%expanded_178 : tensor<1x32x1x4x1x1xf32>) outs(%143 : tensor<1x32x1x4x1x1xf32>) permutation = [0, 1, 4, 3, 5, 2] 
    %191 = linalg.generic {indexing_maps = [#map30, #map31, #map32], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_177, %transposed_179 : tensor<1x32x1x1x16x1xf32>, tensor<1x32x1x4x1x1xf32>) outs(%144 : tensor<1x32x1x4x16x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16x1xf32>
    %collapsed_180 = tensor.collapse_shape %191 [[0], [1], [2], [3], [4, 5]] : tensor<1x32x1x4x16x1xf32> into tensor<1x32x1x4x16xf32>
    %transposed_181 = linalg.transpose ins(%collapsed_180 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_182 = tensor.collapse_shape %transposed_181 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %192 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_182, %collapsed_168 : tensor<4x32x16xf32>, tensor<4x32x16xf32>) outs(%146 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<4x32x16xf32>
    %expanded_183 = tensor.expand_shape %192 [[0, 1], [2], [3, 4]] output_shape [1, 4, 32, 1, 16] : tensor<4x32x16xf32> into tensor<1x4x32x1x16xf32>
    %transposed_184 = linalg.transpose ins(%expanded_183 : tensor<1x4x32x1x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) permutation = [0, 2, 3, 1, 4] 
    %193 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%transposed_184 : tensor<1x32x1x4x16xf32>) outs(%11 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.absf %in : f32
      %324 = math.powf %323, %cst_58 : f32
      %325 = arith.addf %324, %out : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %194 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%193 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.powf %in, %cst_3 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %195 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%194 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_50 : f64 to f32
      %324 = arith.cmpf ult, %in, %323 : f32
      %325 = arith.select %324, %323, %in : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %collapsed_185 = tensor.collapse_shape %195 [[0], [1], [2], [3, 4]] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4xf32>
    %196 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_185 : tensor<1x32x1x4xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x4x16xf32>
    %197 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_184, %196 : tensor<1x32x1x4x16xf32>, tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.divf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %198 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%197 : tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.mulf %in, %cst_53 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %199 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%cst_27 : tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %cst_0 : f32
      linalg.yield %323 : f32
    } -> tensor<16xf32>
    %200 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%198, %199 : tensor<1x32x1x4x16xf32>, tensor<16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %collapsed_186 = tensor.collapse_shape %200 [[0, 1, 2, 3], [4]] : tensor<1x32x1x4x16xf32> into tensor<128x16xf32>
    %201 = linalg.matmul ins(%collapsed_186, %cst_26 : tensor<128x16xf32>, tensor<16x5xf32>) outs(%22 : tensor<128x5xf32>) -> tensor<128x5xf32>
    %expanded_187 = tensor.expand_shape %201 [[0, 1, 2, 3], [4]] output_shape [1, 32, 1, 4, 5] : tensor<128x5xf32> into tensor<1x32x1x4x5xf32>
    %202 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_187 : tensor<1x32x1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %203 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%202, %cst_47 : tensor<1x32x1x4x5xf32>, tensor<f32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %expanded_188 = tensor.expand_shape %cst_25 [[0, 1], [2]] output_shape [1, 4, 5] : tensor<4x5xf32> into tensor<1x4x5xf32>
    %204 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%203, %expanded_188 : tensor<1x32x1x4x5xf32>, tensor<1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %205 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_186, %cst_24 : tensor<128x16xf32>, tensor<16xf32>) outs(%28 : tensor<128x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<128x16xf32>
    %206 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "reduction"]} ins(%205 : tensor<128x16xf32>) outs(%31 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<128xf32>
    %expanded_189 = tensor.expand_shape %206 [[0, 1, 2, 3]] output_shape [1, 32, 1, 4] : tensor<128xf32> into tensor<1x32x1x4xf32>
    %207 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_189 : tensor<1x32x1x4xf32>) outs(%33 : tensor<1x32x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4xf32>
    %expanded_190 = tensor.expand_shape %207 [[0], [1], [2], [3, 4]] output_shape [1, 32, 1, 4, 1] : tensor<1x32x1x4xf32> into tensor<1x32x1x4x1xf32>
    %208 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_190, %cst_47 : tensor<1x32x1x4x1xf32>, tensor<f32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_191 = tensor.expand_shape %cst_23 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %209 = linalg.generic {indexing_maps = [#map8, #map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%208, %expanded_191 : tensor<1x32x1x4x1xf32>, tensor<4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_192 = tensor.expand_shape %204 [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 1, 5, 1] : tensor<1x32x1x4x5xf32> into tensor<1x32x1x4x1x5x1xf32>
    %expanded_193 = tensor.expand_shape %transposed_184 [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 16, 1, 1] : tensor<1x32x1x4x16xf32> into tensor<1x32x1x4x16x1x1xf32>
    %transposed_194 = linalg.transpose ins(%expanded_192 : tensor<1x32x1x4x1x5x1xf32>) outs(%37 : tensor<32x5x4x1x1x1x1xf32>) permutation = [1, 5, 3, 0, 4, 6, 2] 
    %collapsed_195 = tensor.collapse_shape %transposed_194 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x5x4x1x1x1x1xf32> into tensor<32x5x4xf32>
    %transposed_196 = linalg.transpose ins(%expanded_193 : tensor<1x32x1x4x16x1x1xf32>) outs(%38 : tensor<32x4x1x1x16x1x1xf32>) permutation = [1, 3, 0, 5, 4, 2, 6] 
    %collapsed_197 = tensor.collapse_shape %transposed_196 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x4x1x1x16x1x1xf32> into tensor<32x4x16xf32>
    %210 = linalg.batch_matmul ins(%collapsed_195, %collapsed_197 : tensor<32x5x4xf32>, tensor<32x4x16xf32>) outs(%40 : tensor<32x5x16xf32>) -> tensor<32x5x16xf32>
    %expanded_198 = tensor.expand_shape %210 [[0], [1], [2, 3, 4, 5, 6]] output_shape [32, 5, 1, 1, 1, 16, 1] : tensor<32x5x16xf32> into tensor<32x5x1x1x1x16x1xf32>
    %transposed_199 = linalg.transpose ins(%expanded_198 : tensor<32x5x1x1x1x16x1xf32>) outs(%42 : tensor<1x32x1x5x16x1x1xf32>) permutation = [3, 0, 4, 1, 5, 6, 2] 
    %collapsed_200 = tensor.collapse_shape %transposed_199 [[0], [1], [2], [3], [4, 5, 6]] : tensor<1x32x1x5x16x1x1xf32> into tensor<1x32x1x5x16xf32>
    %extracted_slice_201 = tensor.extract_slice %collapsed_200[0, 0, 0, 0, 0] [1, 32, 1, 1, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x1x16xf32>
    %extracted_slice_202 = tensor.extract_slice %collapsed_200[0, 0, 0, 1, 0] [1, 32, 1, 4, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x4x16xf32>
    %collapsed_203 = tensor.collapse_shape %extracted_slice_201 [[0], [1], [2, 3, 4]] : tensor<1x32x1x1x16xf32> into tensor<1x32x16xf32>
    %transposed_204 = linalg.transpose ins(%extracted_slice_202 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_205 = tensor.collapse_shape %transposed_204 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %211 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_203 : tensor<1x32x16xf32>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %323 = arith.extf %in : f32 to f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %212 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%211 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %213 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %214 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211, %213 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.subf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %215 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214, %214 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.mulf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %216 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%215 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %217 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %218 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%217 : tensor<1x32x1xf64>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %323 = arith.truncf %in : f64 to f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %219 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_203 : tensor<1x32x16xf32>) outs(%56 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %220 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%219 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.divf %in, %cst_55 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %221 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_43 : f64 to f32
      %324 = arith.addf %in, %323 : f32
      linalg.yield %324 : f32
    } -> tensor<1x32x1xf32>
    %222 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%221 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.rsqrt %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %223 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_203, %220 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.subf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %224 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%223, %222 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %225 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%224, %cst_22 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %226 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%225, %cst_21 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %transposed_206 = linalg.transpose ins(%cst_20 : tensor<48x16xf32>) outs(%65 : tensor<16x48xf32>) permutation = [1, 0] 
    %collapsed_207 = tensor.collapse_shape %226 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %227 = linalg.matmul ins(%collapsed_207, %transposed_206 : tensor<32x16xf32>, tensor<16x48xf32>) outs(%67 : tensor<32x48xf32>) -> tensor<32x48xf32>
    %expanded_208 = tensor.expand_shape %227 [[0, 1], [2]] output_shape [1, 32, 48] : tensor<32x48xf32> into tensor<1x32x48xf32>
    %extracted_slice_209 = tensor.extract_slice %expanded_208[0, 0, 0] [1, 32, 16] [1, 1, 1] : tensor<1x32x48xf32> to tensor<1x32x16xf32>
    %extracted_slice_210 = tensor.extract_slice %expanded_208[0, 0, 16] [1, 32, 16] [1, 1, 1] : tensor<1x32x48xf32> to tensor<1x32x16xf32>
    %extracted_slice_211 = tensor.extract_slice %expanded_208[0, 0, 32] [1, 32, 16] [1, 1, 1] : tensor<1x32x48xf32> to tensor<1x32x16xf32>
    %expanded_212 = tensor.expand_shape %extracted_slice_209 [[0], [1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<1x32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_213 = linalg.transpose ins(%expanded_212 : tensor<1x32x2x8xf32>) outs(%69 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_214 = tensor.expand_shape %extracted_slice_210 [[0], [1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<1x32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_215 = linalg.transpose ins(%expanded_214 : tensor<1x32x2x8xf32>) outs(%69 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_216 = tensor.expand_shape %extracted_slice_211 [[0], [1], [2, 3]] output_shape [1, 32, 2, 8] : tensor<1x32x16xf32> into tensor<1x32x2x8xf32>
    %transposed_217 = linalg.transpose ins(%expanded_216 : tensor<1x32x2x8xf32>) outs(%69 : tensor<1x2x32x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_218 = tensor.collapse_shape %transposed_213 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_219 = tensor.collapse_shape %transposed_215 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %collapsed_220 = tensor.collapse_shape %transposed_217 [[0, 1], [2], [3]] : tensor<1x2x32x8xf32> into tensor<2x32x8xf32>
    %expanded_221 = tensor.expand_shape %collapsed_218 [[0], [1, 2], [3]] output_shape [2, 4, 8, 8] : tensor<2x32x8xf32> into tensor<2x4x8x8xf32>
    %expanded_222 = tensor.expand_shape %collapsed_219 [[0], [1, 2], [3]] output_shape [2, 4, 8, 8] : tensor<2x32x8xf32> into tensor<2x4x8x8xf32>
    %expanded_223 = tensor.expand_shape %collapsed_220 [[0], [1, 2], [3]] output_shape [2, 4, 8, 8] : tensor<2x32x8xf32> into tensor<2x4x8x8xf32>
    %228 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_221 : tensor<2x4x8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_39 : f64 to f32
      %324 = arith.mulf %in, %323 : f32
      linalg.yield %324 : f32
    } -> tensor<2x4x8x8xf32>
    %padded_224 = tensor.pad %expanded_222 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_56 : f32
    } : tensor<2x4x8x8xf32> to tensor<2x5x8x8xf32>
    %229 = linalg.generic {indexing_maps = [#map18, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_224 : tensor<2x5x8x8xf32>) outs(%72 : tensor<2x4x8x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8x2xf32>
    %transposed_225 = linalg.transpose ins(%229 : tensor<2x4x8x8x2xf32>) outs(%74 : tensor<2x4x2x8x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %collapsed_226 = tensor.collapse_shape %transposed_225 [[0], [1], [2, 3], [4]] : tensor<2x4x2x8x8xf32> into tensor<2x4x16x8xf32>
    %padded_227 = tensor.pad %expanded_223 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_56 : f32
    } : tensor<2x4x8x8xf32> to tensor<2x5x8x8xf32>
    %230 = linalg.generic {indexing_maps = [#map18, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_227 : tensor<2x5x8x8xf32>) outs(%72 : tensor<2x4x8x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x8x8x2xf32>
    %transposed_228 = linalg.transpose ins(%230 : tensor<2x4x8x8x2xf32>) outs(%74 : tensor<2x4x2x8x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %expanded_229 = tensor.expand_shape %cst_19 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %transposed_230 = linalg.transpose ins(%expanded_229 : tensor<4x1xf32>) outs(%79 : tensor<1x4xf32>) permutation = [1, 0] 
    %231 = linalg.generic {indexing_maps = [#map19, #map20, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded_101, %transposed_230 : tensor<16x1xf32>, tensor<1x4xf32>) outs(%80 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<16x4xf32>
    %concat_231 = tensor.concat dim(1) %231, %231 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x8xf32>
    %extracted_slice_232 = tensor.extract_slice %concat_231[8, 0] [8, 8] [1, 1] : tensor<16x8xf32> to tensor<8x8xf32>
    %232 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_232 : tensor<8x8xf32>) outs(%84 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.cos %in : f32
      linalg.yield %323 : f32
    } -> tensor<8x8xf32>
    %233 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%228, %232 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %234 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%233, %cst_5 : tensor<2x4x8x8xf32>, tensor<1xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %expanded_233 = tensor.expand_shape %228 [[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 2, 4] : tensor<2x4x8x8xf32> into tensor<2x4x8x2x4xf32>
    %extracted_slice_234 = tensor.extract_slice %expanded_233[0, 0, 0, 0, 0] [2, 4, 8, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x8x2x4xf32> to tensor<2x4x8x1x4xf32>
    %extracted_slice_235 = tensor.extract_slice %expanded_233[0, 0, 0, 1, 0] [2, 4, 8, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x8x2x4xf32> to tensor<2x4x8x1x4xf32>
    %collapsed_236 = tensor.collapse_shape %extracted_slice_234 [[0], [1], [2, 3], [4]] : tensor<2x4x8x1x4xf32> into tensor<2x4x8x4xf32>
    %collapsed_237 = tensor.collapse_shape %extracted_slice_235 [[0], [1], [2, 3], [4]] : tensor<2x4x8x1x4xf32> into tensor<2x4x8x4xf32>
    %235 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_237 : tensor<2x4x8x4xf32>) outs(%88 : tensor<2x4x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.negf %in : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x4xf32>
    %concat_238 = tensor.concat dim(3) %235, %collapsed_236 : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x8xf32>
    %236 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_232 : tensor<8x8xf32>) outs(%84 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.sin %in : f32
      linalg.yield %323 : f32
    } -> tensor<8x8xf32>
    %237 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_238, %236 : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %238 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%237, %cst_5 : tensor<2x4x8x8xf32>, tensor<1xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %239 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%234, %238 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%70 : tensor<2x4x8x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x8xf32>
    %240 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_231 : tensor<16x8xf32>) outs(%94 : tensor<16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.cos %in : f32
      linalg.yield %323 : f32
    } -> tensor<16x8xf32>
    %241 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_226, %240 : tensor<2x4x16x8xf32>, tensor<16x8xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %242 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%241, %83 : tensor<2x4x16x8xf32>, tensor<1xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %expanded_239 = tensor.expand_shape %collapsed_226 [[0], [1], [2], [3, 4]] output_shape [2, 4, 16, 2, 4] : tensor<2x4x16x8xf32> into tensor<2x4x16x2x4xf32>
    %extracted_slice_240 = tensor.extract_slice %expanded_239[0, 0, 0, 0, 0] [2, 4, 16, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x16x2x4xf32> to tensor<2x4x16x1x4xf32>
    %extracted_slice_241 = tensor.extract_slice %expanded_239[0, 0, 0, 1, 0] [2, 4, 16, 1, 4] [1, 1, 1, 1, 1] : tensor<2x4x16x2x4xf32> to tensor<2x4x16x1x4xf32>
    %collapsed_242 = tensor.collapse_shape %extracted_slice_240 [[0], [1], [2, 3], [4]] : tensor<2x4x16x1x4xf32> into tensor<2x4x16x4xf32>
    %collapsed_243 = tensor.collapse_shape %extracted_slice_241 [[0], [1], [2, 3], [4]] : tensor<2x4x16x1x4xf32> into tensor<2x4x16x4xf32>
    %243 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_243 : tensor<2x4x16x4xf32>) outs(%99 : tensor<2x4x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.negf %in : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x4xf32>
    %concat_244 = tensor.concat dim(3) %243, %collapsed_242 : (tensor<2x4x16x4xf32>, tensor<2x4x16x4xf32>) -> tensor<2x4x16x8xf32>
    %244 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%concat_231 : tensor<16x8xf32>) outs(%94 : tensor<16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.sin %in : f32
      linalg.yield %323 : f32
    } -> tensor<16x8xf32>
    %245 = linalg.generic {indexing_maps = [#map7, #map21, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_244, %244 : tensor<2x4x16x8xf32>, tensor<16x8xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %246 = linalg.generic {indexing_maps = [#map7, #map22, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245, %83 : tensor<2x4x16x8xf32>, tensor<1xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %247 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%242, %246 : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) outs(%96 : tensor<2x4x16x8xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x16x8xf32>
    %expanded_245 = tensor.expand_shape %247 [[0], [1], [2], [3, 4]] output_shape [2, 4, 16, 8, 1] : tensor<2x4x16x8xf32> into tensor<2x4x16x8x1xf32>
    %collapsed_246 = tensor.collapse_shape %239 [[0, 1], [2], [3]] : tensor<2x4x8x8xf32> into tensor<8x8x8xf32>
    %transposed_247 = linalg.transpose ins(%expanded_245 : tensor<2x4x16x8x1xf32>) outs(%110 : tensor<2x4x8x16x1xf32>) permutation = [0, 1, 3, 2, 4] 
    %collapsed_248 = tensor.collapse_shape %transposed_247 [[0, 1], [2], [3, 4]] : tensor<2x4x8x16x1xf32> into tensor<8x8x16xf32>
    %248 = linalg.batch_matmul ins(%collapsed_246, %collapsed_248 : tensor<8x8x8xf32>, tensor<8x8x16xf32>) outs(%112 : tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
    %expanded_249 = tensor.expand_shape %248 [[0, 1], [2], [3, 4]] output_shape [2, 4, 8, 1, 16] : tensor<8x8x16xf32> into tensor<2x4x8x1x16xf32>
    %transposed_250 = linalg.transpose ins(%expanded_249 : tensor<2x4x8x1x16xf32>) outs(%110 : tensor<2x4x8x16x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_251 = tensor.collapse_shape %transposed_250 [[0], [1], [2], [3, 4]] : tensor<2x4x8x16x1xf32> into tensor<2x4x8x16xf32>
    %249 = linalg.generic {indexing_maps = [#map26, #map27, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %cst_4, %collapsed_251 : tensor<1x4x8x16xi1>, tensor<f32>, tensor<2x4x8x16xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: i1, %in_311: f32, %in_312: f32, %out: f32):
      %323 = arith.select %in, %in_311, %in_312 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %250 = linalg.generic {indexing_maps = [#map28, #map27, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %cst_4, %249 : tensor<1x4x1x16xi1>, tensor<f32>, tensor<2x4x8x16xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: i1, %in_311: f32, %in_312: f32, %out: f32):
      %323 = arith.select %in, %in_311, %in_312 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %251:2 = linalg.generic {indexing_maps = [#map7, #map29, #map29], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%250 : tensor<2x4x8x16xf32>) outs(%126, %124 : tensor<2x4x8xf32>, tensor<2x4x8xi64>) {
    ^bb0(%in: f32, %out: f32, %out_311: i64):
      %323 = linalg.index 3 : index
      %324 = arith.index_cast %323 : index to i64
      %325 = arith.maximumf %in, %out : f32
      %326 = arith.cmpf ogt, %in, %out : f32
      %327 = arith.select %326, %324, %out_311 : i64
      linalg.yield %325, %327 : f32, i64
    } -> (tensor<2x4x8xf32>, tensor<2x4x8xi64>)
    %expanded_252 = tensor.expand_shape %251#0 [[0], [1], [2, 3]] output_shape [2, 4, 8, 1] : tensor<2x4x8xf32> into tensor<2x4x8x1xf32>
    %252 = linalg.generic {indexing_maps = [#map7, #map24, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%250, %expanded_252 : tensor<2x4x8x16xf32>, tensor<2x4x8x1xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.subf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %253 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%252 : tensor<2x4x8x16xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.exp %in : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %254 = linalg.generic {indexing_maps = [#map7, #map24], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%253 : tensor<2x4x8x16xf32>) outs(%131 : tensor<2x4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x1xf32>
    %255 = linalg.generic {indexing_maps = [#map7, #map24, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%253, %254 : tensor<2x4x8x16xf32>, tensor<2x4x8x1xf32>) outs(%120 : tensor<2x4x8x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.divf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<2x4x8x16xf32>
    %collapsed_253 = tensor.collapse_shape %255 [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
    %collapsed_254 = tensor.collapse_shape %transposed_228 [[0, 1], [2, 3], [4]] : tensor<2x4x2x8x8xf32> into tensor<8x16x8xf32>
    %256 = linalg.batch_matmul ins(%collapsed_253, %collapsed_254 : tensor<8x8x16xf32>, tensor<8x16x8xf32>) outs(%135 : tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %expanded_255 = tensor.expand_shape %256 [[0, 1], [2], [3, 4]] output_shape [2, 4, 8, 1, 8] : tensor<8x8x8xf32> into tensor<2x4x8x1x8xf32>
    %transposed_256 = linalg.transpose ins(%expanded_255 : tensor<2x4x8x1x8xf32>) outs(%137 : tensor<2x4x8x8x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_257 = tensor.collapse_shape %transposed_256 [[0], [1, 2], [3, 4]] : tensor<2x4x8x8x1xf32> into tensor<2x32x8xf32>
    %expanded_258 = tensor.expand_shape %collapsed_257 [[0, 1], [2], [3]] output_shape [1, 2, 32, 8] : tensor<2x32x8xf32> into tensor<1x2x32x8xf32>
    %transposed_259 = linalg.transpose ins(%expanded_258 : tensor<1x2x32x8xf32>) outs(%138 : tensor<1x32x2x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_260 = linalg.transpose ins(%cst_18 : tensor<16x16xf32>) outs(%139 : tensor<16x16xf32>) permutation = [1, 0] 
    %collapsed_261 = tensor.collapse_shape %transposed_259 [[0, 1], [2, 3]] : tensor<1x32x2x8xf32> into tensor<32x16xf32>
    %257 = linalg.matmul ins(%collapsed_261, %transposed_260 : tensor<32x16xf32>, tensor<16x16xf32>) outs(%140 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_262 = tensor.expand_shape %257 [[0, 1], [2, 3, 4, 5]] output_shape [1, 32, 1, 16, 1, 1] : tensor<32x16xf32> into tensor<1x32x1x16x1x1xf32>
    %transposed_263 = linalg.transpose ins(%expanded_262 : tensor<1x32x1x16x1x1xf32>) outs(%142 : tensor<1x32x1x1x16x1xf32>) permutation = [0, 1, 4, 5, 3, 2] 
    %expanded_264 = tensor.expand_shape %209 [[0], [1], [2], [3], [4, 5]] output_shape [1, 32, 1, 4, 1, 1] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4x1x1xf32>
    %transposed_265 = linalg.transpose ins(%expanded_264 : tensor<1x32x1x4x1x1xf32>) outs(%143 : tensor<1x32x1x4x1x1xf32>) permutation = [0, 1, 4, 3, 5, 2] 
    %258 = linalg.generic {indexing_maps = [#map30, #map31, #map32], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_263, %transposed_265 : tensor<1x32x1x1x16x1xf32>, tensor<1x32x1x4x1x1xf32>) outs(%144 : tensor<1x32x1x4x16x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16x1xf32>
    %collapsed_266 = tensor.collapse_shape %258 [[0], [1], [2], [3], [4, 5]] : tensor<1x32x1x4x16x1xf32> into tensor<1x32x1x4x16xf32>
    %transposed_267 = linalg.transpose ins(%collapsed_266 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_268 = tensor.collapse_shape %transposed_267 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %259 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_268, %collapsed_205 : tensor<4x32x16xf32>, tensor<4x32x16xf32>) outs(%146 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<4x32x16xf32>
    %expanded_269 = tensor.expand_shape %259 [[0, 1], [2], [3, 4]] output_shape [1, 4, 32, 1, 16] : tensor<4x32x16xf32> into tensor<1x4x32x1x16xf32>
    %transposed_270 = linalg.transpose ins(%expanded_269 : tensor<1x4x32x1x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) permutation = [0, 2, 3, 1, 4] 
    %260 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%transposed_270 : tensor<1x32x1x4x16xf32>) outs(%11 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.absf %in : f32
      %324 = math.powf %323, %cst_58 : f32
      %325 = arith.addf %324, %out : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %261 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%260 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.powf %in, %cst_3 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %262 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%261 : tensor<1x32x1x4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_50 : f64 to f32
      %324 = arith.cmpf ult, %in, %323 : f32
      %325 = arith.select %324, %323, %in : f32
      linalg.yield %325 : f32
    } -> tensor<1x32x1x4x1xf32>
    %collapsed_271 = tensor.collapse_shape %262 [[0], [1], [2], [3, 4]] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4xf32>
    %263 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_271 : tensor<1x32x1x4xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x1x4x16xf32>
    %264 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_270, %263 : tensor<1x32x1x4x16xf32>, tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.divf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %265 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%264 : tensor<1x32x1x4x16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.mulf %in, %cst_53 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %266 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%cst_17 : tensor<16xf32>) outs(%18 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %cst_0 : f32
      linalg.yield %323 : f32
    } -> tensor<16xf32>
    %267 = linalg.generic {indexing_maps = [#map8, #map11, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%265, %266 : tensor<1x32x1x4x16xf32>, tensor<16xf32>) outs(%9 : tensor<1x32x1x4x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16xf32>
    %collapsed_272 = tensor.collapse_shape %267 [[0, 1, 2, 3], [4]] : tensor<1x32x1x4x16xf32> into tensor<128x16xf32>
    %268 = linalg.matmul ins(%collapsed_272, %cst_16 : tensor<128x16xf32>, tensor<16x5xf32>) outs(%22 : tensor<128x5xf32>) -> tensor<128x5xf32>
    %expanded_273 = tensor.expand_shape %268 [[0, 1, 2, 3], [4]] output_shape [1, 32, 1, 4, 5] : tensor<128x5xf32> into tensor<1x32x1x4x5xf32>
    %269 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_273 : tensor<1x32x1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %270 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%269, %cst_47 : tensor<1x32x1x4x5xf32>, tensor<f32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %expanded_274 = tensor.expand_shape %cst_15 [[0, 1], [2]] output_shape [1, 4, 5] : tensor<4x5xf32> into tensor<1x4x5xf32>
    %271 = linalg.generic {indexing_maps = [#map8, #map13, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%270, %expanded_274 : tensor<1x32x1x4x5xf32>, tensor<1x4x5xf32>) outs(%24 : tensor<1x32x1x4x5xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x5xf32>
    %272 = linalg.generic {indexing_maps = [#map4, #map14, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_272, %cst_14 : tensor<128x16xf32>, tensor<16xf32>) outs(%28 : tensor<128x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<128x16xf32>
    %273 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "reduction"]} ins(%272 : tensor<128x16xf32>) outs(%31 : tensor<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<128xf32>
    %expanded_275 = tensor.expand_shape %273 [[0, 1, 2, 3]] output_shape [1, 32, 1, 4] : tensor<128xf32> into tensor<1x32x1x4xf32>
    %274 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_275 : tensor<1x32x1x4xf32>) outs(%33 : tensor<1x32x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.tanh %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4xf32>
    %expanded_276 = tensor.expand_shape %274 [[0], [1], [2], [3, 4]] output_shape [1, 32, 1, 4, 1] : tensor<1x32x1x4xf32> into tensor<1x32x1x4x1xf32>
    %275 = linalg.generic {indexing_maps = [#map8, #map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_276, %cst_47 : tensor<1x32x1x4x1xf32>, tensor<f32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_277 = tensor.expand_shape %cst_13 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %276 = linalg.generic {indexing_maps = [#map8, #map15, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%275, %expanded_277 : tensor<1x32x1x4x1xf32>, tensor<4x1xf32>) outs(%10 : tensor<1x32x1x4x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x1xf32>
    %expanded_278 = tensor.expand_shape %271 [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 1, 5, 1] : tensor<1x32x1x4x5xf32> into tensor<1x32x1x4x1x5x1xf32>
    %expanded_279 = tensor.expand_shape %transposed_270 [[0], [1], [2], [3], [4, 5, 6]] output_shape [1, 32, 1, 4, 16, 1, 1] : tensor<1x32x1x4x16xf32> into tensor<1x32x1x4x16x1x1xf32>
    %transposed_280 = linalg.transpose ins(%expanded_278 : tensor<1x32x1x4x1x5x1xf32>) outs(%37 : tensor<32x5x4x1x1x1x1xf32>) permutation = [1, 5, 3, 0, 4, 6, 2] 
    %collapsed_281 = tensor.collapse_shape %transposed_280 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x5x4x1x1x1x1xf32> into tensor<32x5x4xf32>
    %transposed_282 = linalg.transpose ins(%expanded_279 : tensor<1x32x1x4x16x1x1xf32>) outs(%38 : tensor<32x4x1x1x16x1x1xf32>) permutation = [1, 3, 0, 5, 4, 2, 6] 
    %collapsed_283 = tensor.collapse_shape %transposed_282 [[0], [1], [2, 3, 4, 5, 6]] : tensor<32x4x1x1x16x1x1xf32> into tensor<32x4x16xf32>
    %277 = linalg.batch_matmul ins(%collapsed_281, %collapsed_283 : tensor<32x5x4xf32>, tensor<32x4x16xf32>) outs(%40 : tensor<32x5x16xf32>) -> tensor<32x5x16xf32>
    %expanded_284 = tensor.expand_shape %277 [[0], [1], [2, 3, 4, 5, 6]] output_shape [32, 5, 1, 1, 1, 16, 1] : tensor<32x5x16xf32> into tensor<32x5x1x1x1x16x1xf32>
    %transposed_285 = linalg.transpose ins(%expanded_284 : tensor<32x5x1x1x1x16x1xf32>) outs(%42 : tensor<1x32x1x5x16x1x1xf32>) permutation = [3, 0, 4, 1, 5, 6, 2] 
    %collapsed_286 = tensor.collapse_shape %transposed_285 [[0], [1], [2], [3], [4, 5, 6]] : tensor<1x32x1x5x16x1x1xf32> into tensor<1x32x1x5x16xf32>
    %extracted_slice_287 = tensor.extract_slice %collapsed_286[0, 0, 0, 0, 0] [1, 32, 1, 1, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x1x16xf32>
    %extracted_slice_288 = tensor.extract_slice %collapsed_286[0, 0, 0, 1, 0] [1, 32, 1, 4, 16] [1, 1, 1, 1, 1] : tensor<1x32x1x5x16xf32> to tensor<1x32x1x4x16xf32>
    %collapsed_289 = tensor.collapse_shape %extracted_slice_287 [[0], [1], [2, 3, 4]] : tensor<1x32x1x1x16xf32> into tensor<1x32x16xf32>
    %transposed_290 = linalg.transpose ins(%extracted_slice_288 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_291 = tensor.collapse_shape %transposed_290 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %278 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_289 : tensor<1x32x16xf32>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %323 = arith.extf %in : f32 to f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %279 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%278 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %280 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%279 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %281 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%278, %280 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.subf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %282 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%281, %281 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.mulf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %283 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%282 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %284 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%283 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %285 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%284 : tensor<1x32x1xf64>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %323 = arith.truncf %in : f64 to f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %286 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_289 : tensor<1x32x16xf32>) outs(%56 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %287 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%286 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.divf %in, %cst_55 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %288 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%285 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_43 : f64 to f32
      %324 = arith.addf %in, %323 : f32
      linalg.yield %324 : f32
    } -> tensor<1x32x1xf32>
    %289 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%288 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.rsqrt %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %290 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_289, %287 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.subf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %291 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%290, %289 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %292 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%291, %cst_12 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %293 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%292, %cst_11 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %transposed_292 = linalg.transpose ins(%cst_10 : tensor<84x16xf32>) outs(%182 : tensor<16x84xf32>) permutation = [1, 0] 
    %collapsed_293 = tensor.collapse_shape %293 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %294 = linalg.matmul ins(%collapsed_293, %transposed_292 : tensor<32x16xf32>, tensor<16x84xf32>) outs(%184 : tensor<32x84xf32>) -> tensor<32x84xf32>
    %expanded_294 = tensor.expand_shape %294 [[0, 1], [2]] output_shape [1, 32, 84] : tensor<32x84xf32> into tensor<1x32x84xf32>
    %extracted_slice_295 = tensor.extract_slice %expanded_294[0, 0, 0] [1, 32, 42] [1, 1, 1] : tensor<1x32x84xf32> to tensor<1x32x42xf32>
    %extracted_slice_296 = tensor.extract_slice %expanded_294[0, 0, 42] [1, 32, 42] [1, 1, 1] : tensor<1x32x84xf32> to tensor<1x32x42xf32>
    %295 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_296 : tensor<1x32x42xf32>) outs(%186 : tensor<1x32x42xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.divf %in, %cst_57 : f32
      %324 = math.erf %323 : f32
      %325 = arith.addf %324, %cst_0 : f32
      %326 = arith.mulf %325, %cst_3 : f32
      %327 = arith.mulf %in, %326 : f32
      linalg.yield %327 : f32
    } -> tensor<1x32x42xf32>
    %296 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_295, %295 : tensor<1x32x42xf32>, tensor<1x32x42xf32>) outs(%186 : tensor<1x32x42xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x42xf32>
    %transposed_297 = linalg.transpose ins(%cst_9 : tensor<16x42xf32>) outs(%189 : tensor<42x16xf32>) permutation = [1, 0] 
    %collapsed_298 = tensor.collapse_shape %296 [[0, 1], [2]] : tensor<1x32x42xf32> into tensor<32x42xf32>
    %297 = linalg.matmul ins(%collapsed_298, %transposed_297 : tensor<32x42xf32>, tensor<42x16xf32>) outs(%140 : tensor<32x16xf32>) -> tensor<32x16xf32>
    %expanded_299 = tensor.expand_shape %297 [[0, 1], [2, 3, 4, 5]] output_shape [1, 32, 1, 16, 1, 1] : tensor<32x16xf32> into tensor<1x32x1x16x1x1xf32>
    %transposed_300 = linalg.transpose ins(%expanded_299 : tensor<1x32x1x16x1x1xf32>) outs(%142 : tensor<1x32x1x1x16x1xf32>) permutation = [0, 1, 4, 5, 3, 2] 
    %expanded_301 = tensor.expand_shape %276 [[0], [1], [2], [3], [4, 5]] output_shape [1, 32, 1, 4, 1, 1] : tensor<1x32x1x4x1xf32> into tensor<1x32x1x4x1x1xf32>
    %transposed_302 = linalg.transpose ins(%expanded_301 : tensor<1x32x1x4x1x1xf32>) outs(%143 : tensor<1x32x1x4x1x1xf32>) permutation = [0, 1, 4, 3, 5, 2] 
    %298 = linalg.generic {indexing_maps = [#map30, #map31, #map32], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_300, %transposed_302 : tensor<1x32x1x1x16x1xf32>, tensor<1x32x1x4x1x1xf32>) outs(%144 : tensor<1x32x1x4x16x1xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1x4x16x1xf32>
    %collapsed_303 = tensor.collapse_shape %298 [[0], [1], [2], [3], [4, 5]] : tensor<1x32x1x4x16x1xf32> into tensor<1x32x1x4x16xf32>
    %transposed_304 = linalg.transpose ins(%collapsed_303 : tensor<1x32x1x4x16xf32>) outs(%43 : tensor<1x4x32x1x16xf32>) permutation = [0, 3, 1, 2, 4] 
    %collapsed_305 = tensor.collapse_shape %transposed_304 [[0, 1], [2], [3, 4]] : tensor<1x4x32x1x16xf32> into tensor<4x32x16xf32>
    %299 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_305, %collapsed_291 : tensor<4x32x16xf32>, tensor<4x32x16xf32>) outs(%146 : tensor<4x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<4x32x16xf32>
    %expanded_306 = tensor.expand_shape %299 [[0, 1], [2], [3]] output_shape [1, 4, 32, 16] : tensor<4x32x16xf32> into tensor<1x4x32x16xf32>
    %300 = tensor.empty() : tensor<1x32x16x4xf32>
    %transposed_307 = linalg.transpose ins(%expanded_306 : tensor<1x4x32x16xf32>) outs(%300 : tensor<1x32x16x4xf32>) permutation = [0, 2, 3, 1] 
    %301 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x32x16xf32>) -> tensor<1x32x16xf32>
    %302 = linalg.generic {indexing_maps = [#map7, #map29], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%transposed_307 : tensor<1x32x16x4xf32>) outs(%301 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %303 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%302 : tensor<1x32x16xf32>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %323 = arith.extf %in : f32 to f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %304 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%303 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %305 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%304 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %306 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%303, %305 : tensor<1x32x16xf64>, tensor<1x32x1xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.subf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %307 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%306, %306 : tensor<1x32x16xf64>, tensor<1x32x16xf64>) outs(%44 : tensor<1x32x16xf64>) {
    ^bb0(%in: f64, %in_311: f64, %out: f64):
      %323 = arith.mulf %in, %in_311 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x16xf64>
    %308 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%307 : tensor<1x32x16xf64>) outs(%47 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.addf %in, %out : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %309 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%308 : tensor<1x32x1xf64>) outs(%46 : tensor<1x32x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %323 = arith.divf %in, %cst_54 : f64
      linalg.yield %323 : f64
    } -> tensor<1x32x1xf64>
    %310 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%309 : tensor<1x32x1xf64>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %323 = arith.truncf %in : f64 to f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %311 = linalg.generic {indexing_maps = [#map1, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%302 : tensor<1x32x16xf32>) outs(%56 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.addf %in, %out : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %312 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%311 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.divf %in, %cst_55 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %313 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%310 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = arith.truncf %cst_43 : f64 to f32
      %324 = arith.addf %in, %323 : f32
      linalg.yield %324 : f32
    } -> tensor<1x32x1xf32>
    %314 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%313 : tensor<1x32x1xf32>) outs(%54 : tensor<1x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %323 = math.rsqrt %in : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x1xf32>
    %315 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%302, %312 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.subf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %316 = linalg.generic {indexing_maps = [#map1, #map16, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%315, %314 : tensor<1x32x16xf32>, tensor<1x32x1xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %317 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%316, %cst_8 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.mulf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %318 = linalg.generic {indexing_maps = [#map1, #map17, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%317, %cst_7 : tensor<1x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<1x32x16xf32>) {
    ^bb0(%in: f32, %in_311: f32, %out: f32):
      %323 = arith.addf %in, %in_311 : f32
      linalg.yield %323 : f32
    } -> tensor<1x32x16xf32>
    %319 = tensor.empty() : tensor<16x24xf32>
    %transposed_308 = linalg.transpose ins(%cst_6 : tensor<24x16xf32>) outs(%319 : tensor<16x24xf32>) permutation = [1, 0] 
    %collapsed_309 = tensor.collapse_shape %318 [[0, 1], [2]] : tensor<1x32x16xf32> into tensor<32x16xf32>
    %320 = tensor.empty() : tensor<32x24xf32>
    %321 = linalg.fill ins(%cst : f32) outs(%320 : tensor<32x24xf32>) -> tensor<32x24xf32>
    %322 = linalg.matmul ins(%collapsed_309, %transposed_308 : tensor<32x16xf32>, tensor<16x24xf32>) outs(%321 : tensor<32x24xf32>) -> tensor<32x24xf32>
    %expanded_310 = tensor.expand_shape %322 [[0, 1], [2]] output_shape [1, 32, 24] : tensor<32x24xf32> into tensor<1x32x24xf32>
    return %expanded_310 : tensor<1x32x24xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_24_16_torch.float32_1: "0x040000009C61C13DA43C2EBEAE0A7B3E3060333E2AE613BE34C6F13D00CD353D40B00C3E80C3BEBBD835AD3DC4178F3D323E6F3E485A103DCAAA503E606B293D44EAA43D9016E4BCD06DDEBC0A6840BEF212763EBA810ABE44FD053EA0426C3D8A03263ED84972BEA00FBFBCF05875BE008249BEF4CCB43DA0E871BDB2FC2A3ECCFA3E3E008E203ADC0898BDF492313E0C16743ED08DF73C76A455BE900ED63D18EB2ABD329F3CBE98705C3DC08BBF3B00CB723B86B07E3E0EF1013E709C213E802E083B60794ABD20FDBF3DDC8A3FBE2CEB713E6089FE3C56F46DBEA4D313BE9CE4F63DC0516C3D88E2FC3D88737CBE009EA1BAFE87183EA06B0D3EA0715E3CC81B7DBEF0B95F3EECA8C43D3400C83D424B1A3EF44C173E6056E7BC9A90293E72F72D3EE8A37D3D6C4345BEF4DB323EA4D6FABDAA515A3E4A731FBE30218DBC24F7C5BD082C0CBEACDEA8BDBEFD243E9827A93DE0E2BCBC4A9B4DBE06D20DBEB463113EA42BEFBD726645BEE6680CBEB033ABBD8888E3BD467A073E001B44BB46A3713E76AA6BBEB68900BE5816AA3D42F51C3EB83FD2BD00CECC3DC2050DBE280C1BBE3CFE0B3E606A79BCFC563BBE606D1EBC244E613E80CA693DE8EC4CBD088039BDE89118BE909E113E005F873B4C4004BE80576D3C8C419E3D20712D3C107EA7BC28A670BEC0F3F6BB04CBA3BD80CA51BBA2411DBE002EC13DA6801EBE1072A5BD2863EBBD58E000BE006E693B68D3E3BD709FDDBDE0D9D73C8430D73D749EF3BDD278083ED8E9973DFCA2453EA021C63C5C0E523EDCAF66BE602B953D50FD5BBE3877D83D906CC4BD70F051BD52D4583E26AA6F3EF86380BDAC5D13BE62E40B3E18CCE2BD8CC5F0BD7E8440BE2A667E3EC0EE723C8836483D12DC14BE64ADEE3D64BF72BE1CA294BD507D1CBD9EA9163EE0D0BEBC900E133DFEBF433E2C46B43D6CFA4F3EA07BAEBD8A3E1E3EA8B81EBDA05F94BCE8D15A3D52D0763E00BC843A50B9DABC4465C8BDE8B421BE180D133E987654BD6C77ACBD904A5E3D48CE2E3DC03926BD6AF2553E50A41C3E407C793D008CF2BD801BD4BD189B5E3EA067533DD86768BE38D809BDD85F663DD4378A3DE432593EE061033C90CEF6BC7C03353E503E17BDB0F5A43D5EC03FBEA4CAB4BDEE1741BED0A6CB3C3CB448BEC003433E5C02E3BD74732FBEE07E763C9448F1BDBA4219BEA6753B3E98BEA43D08CA273D84C4FB3D6C16ABBD10D6D43C4207773EF47DDDBD584DCE3DCA42573E301C0FBD64A5523E7C8186BDE86F4CBD3485823DF0521EBDC47286BDA8A247BD088F513DC4670DBEAE8043BEC8A048BE12D57B3EC0C2DB3B6432E53D203275BE20D815BD8E2D48BE70DBB0BCF80B643E7CCA393E80DEB8BDD6100BBE387851BED47CFCBD8C1AAF3D909617BEF2B60C3E50E9B7BD842D6D3E00BD77BD203D36BDC8EC163EF075333E94D4383EC672393EC60D72BE7A290D3E2AE405BE52A0353EAE2F473EB0C5AABCFC8AB03DE8A4583D84F5E03DFAB12B3E8C30943D5884ABBD001A213C4085EC3CBE8753BE0C4AA83D42CD26BEDA59223EC868653E405E0B3DB05A563E80AFB03B32FC203E646DFF3DB65555BE6C524DBE00D975BD0CCBCB3D088C3EBD08AA4FBDAACD1A3ED067653E34C9D83D80C1973DD41C023E28600B3DD68D66BEB0F67DBEE6766EBECA1F61BE44E4413E00A890BC927331BEC8175F3D002CAC3A329A19BEA0F674BE780B6D3D80997A3B14B3B5BDDEBB0EBE807A87BDF08B5E3E40E24CBED4E3CABD58E9A2BD8CA56A3E409A793C42862E3ED03CCBBC603220BD8A7E113EBCFEC4BD6C3F183E14F25F3E3073D03D52001E3E5E6446BE3E2F6C3EFA5D1ABED005103E88D39F3DA0DA953C789D843DF42A7BBE807E743EC0FF83BC08A5643EC08FC83B50B4D0BD803B203E40039CBB3A9422BEB0AA003D44D07EBE32141EBEC60850BEC062523C52EF0CBEC0B3B2BBCCA942BE148F5CBE808CECBCB048F13C0437383EAC10AFBD1888733E601037BE0840B13D4A4F66BE9825673E2C3EC1BDF2300E3E204F453C5CE4CDBDE81E74BD0046BFBD7A8A1C3E9AF83A3EFEA3733ED88C73BDB8599ABDBA8000BE601F8CBC98A8773D4091A8BCCA6A25BE9010973C0064F3BBB4C44CBE18428BBD809E27BC22A278BE30670E3DC4978C3D",
      torch_tensor_16_torch.float32_17: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_16: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_16_42_torch.float32_1: "0x0400000025D4E9BD0ED4623B0111B1BC5F76E43B505435BD8AE6FA3D142404BCBB93823DBC15883D44F70F3EEC42633DDD821DBECAFD02BE934715BED9E71ABE7C7603BE096513BB948B153E8B86CCBDB6F2843D2E3090BD90CFF43D2E87CD3D23D5923DE6320B3E0E59EEBD512B06BE0D73A1BD0819003D98AF0B3EFCA4D03D968E453DDF67E0BC756DB3BD9C231D3EB84D0ABE26FDD9BD1CFAB93D4986F63DB21C263D50AA30BBEB2E96BC80A3A43CAD009FBDB1361C3E30CE1D3EC99874BDC968DB3D963916BD2C3DE5BD8004D93C4096F1BCA465033EAA322F3CE3A00ABD2507FBBDBDBBCE3D13EBD23D0DCAB13C9D7A5DBCFABD53BD1A7F123DB1A1173EEF42D0BCBCA9663C058A16BED559213D656587BDC8D915BD3397A7BD3D53123E8930D73DCC1688BDDF021BBDF781403D1ED66D3D95C694BDC656803D74FBC83C5C98B53D1AC5AABD730BCCBD47EE923D1D4AC5BBCDB489BDAD06F83DE49C8CBCE70BD3BDC66AB4BC146992BD7F475ABD241302BE7D41FC3D73070B3E394B05BE98AFC53D2ABC383D972580BDC85E39BD4A79D73C8E15063D9525063E9DFB163EACE7113C53A0143E67E5BABD2D36AB3A7D7F02BEA561973D501DFC3CF96CBFBD0A21F1BDF6FDFABC3AB76EBD8AC780BD609D09BEFF57C9BD5F24033EB66C9BBDF4A0803DAF2E2C3CF388ACBC17C44E3D1DF5ED3D4FF0443DAC07893CFB41003E4C32513CEAEB0A3D300F1A3E1EC6E4BD5894E53D8ECE97BD08D901BCDCE2B6BD5084D03D782BFEBDC6008CBD8367DA3CECE271BDEAD3873C8A16113E81C10BBEB455CDBD35BDF5BDF817173E2E64193DC752E4BDB86A09BE6636EA3D411B113EB239BFBDB8C2213D0AE81CBDEE6CBB3D42D5B0BDCED2D73DC9C31D3E8762BF3D3E46D8BC0452A53C845A883DA130B6BDBB3893BD06911ABE0136DF3D00D592BD5EC2073E24EEF7BC4E8469BD44E5A03D9DEA75BC313DD6BD7EC7873CB62593BD2FB1E4BD9C63C7BDEE5B5B3D03C6543C4E1480BDE69A613D6BD845BD07E7F3BD170F593D4B3957BD81483BBD2326E33DF534EC3DCDA71ABEB583073EDE4D0D3ECAE1E3BD9A881DBEC9B0F6BDF8CA27BD7054E3BB57302E3D12BD163DCCE4F43CEAB4F6BD3514183E5B1C083EA4F6993D450B0A3D1C76B0BD72BF383C8B84E1BDAF3A113E90530CBEFD7A063EBBC2143E62FC98BDE2FD0CBE26F85E3DD58AF2BD50C811BECA62BEBD2F65DF3D3212C6BD7CF27CBD1C2980BDF799E03DC2E4743D7A23B53D6525ECBC82DBBABDDDC9633DF7FF7E3D61C8023E9B0E14BEE9E1E7BDF854CF3DE47B233DCECCD13D71D21FBD638D1D3E8300773D01A274BDBFAA98BD480D263DFA0779BB922899BD7C62A9BD09F5543D0CFE9B3D287C163EC05A85BDA190BABD5638C7BD3712D6BDC1141C3E898B9ABD9DA794BD54D7E73DB04CFB3D439B10BE1D568BBC72EB3D3D4A50C13C1DA9B3BDF5A8FEBD9807E4BD3A86523DFC1F93BDE6AB0FBE5FC71B3E66CE903DE08F3CBDE3B4C93CE99A60BDE751D0BD37FC11BEF7FECD3DBFE911BE3F5CEEBDE8D8033E8605C7BDC53354BD76CC3A3ADA081CBE95760FBEE72A00BEE28CBEBC73BD64BD06B2EA3DFE47CB3DC2B9193E07B908BE9E9296BDA345D73DF2195B3DB9D9CDBD7DEEEC3DA166A1BD7F08163E5138FCBD84CCA33DB6B80FBC50C408BE6F83A33DD5F567BD19FA2F3B0EF540BD84480DBD02C221BDC7DE8D3D09304CBCECE9D73D3B4D7F3D7EF66EBA9B627D3D329C54BDAB84F3BDF827D0BDE666D8BD501AFFBD6A40CA3C8DF160BCF3130EBEC4F9A33DDED3C33D2B39063E0A56CF3B171739BC67DEB93D8A0609BE15481C3C5BCACE3DE9B2DA3DDEF2943C7EA751BCB2D7613D4C5B063D63C3A9BB924FFA3D39E1063E9685B3BDE0320E3E4FFF24BD6EF9073D04BA0C3EEA5395BD9B80933D0059ACBC02D3B2BD98E919BC4011073EB159B03D4C6CA3BD2B060F3E0894003D6EDD063E964A163ED70038BDD54AFC3DB45EBBBC168AC73C9D7CA43B46310B3B1B2A44BCE3D310BE29F75B3C68FC103E524D4F3D77FF11BE75FAEB3CB2C0CCBC114E3A3D351B11BE044FD33CF7D8E1BD64DCB33C0833BE3D6E3CDD3DB0E5D0BCA45B0C3EA4B314BC1DE1B5BDC0B4933D57FDDA3B6F54F9BD86ECC83D3946183E470AAD3D7348C9BC1E9004BEEC5D073E054EA8BD0B67BE3C9BF70EBE7CF1C23DF6C6FD3C4A6B163E875B993D3CE716BEE1B7F93D695FFFBD2C0997BD092AA33D62FDABBD0ABB253D3731823C7617333CE6A3ABBDE029DD3D2CB3B53CEAA66A3DF32E933C22359DBD948E6DBD375BD23D9E080ABE71705ABD21A310BE75ECBCBD5BDFA93CE9FB0FBD7D9D523D46CBF03D57F0043D7310163EBCBAD5B9B76F183EBBEFCB3C5DC781BB25A5303D7E2AF9BD66D9003E1093103E1BF60ABE1414BCBD24C2F93DF2DC1E3DF97D64BDA2739DBD27D010BDE4EAEDBC61C2113E7024C0BD94C5B13CB224333D44C09CBD07A11DBC3A85E4BC941DF13D3D1AE23D57EFF3BB8DF1A1BDD26CB5BD9F8A86BD7D12093ECF71003EF658FB3C083813BEB7D6493D65EEEABCBCAFB03D7240A43D4C8E043E6917383C5F79413CE092923AA552DA3DD99EEE3D8FE5943DF5C1FCBCF87C37BD306C123E8978A3BD0A6DD93CA2B6463D77A4A33D92ABBFBDB908F4BC6AB193BB4D9966BC009C07BE4F5C883D799FF1BD249A1FBD11BB413D147CF83DF4D8DBBCEEF7AEBDFFEA8CBDBE0DBABA0EC3ACBD4A251C3D8EDF8E3DC71E153E3AE0043E532B01BDB151863D7DD7A53CE0D2953DE9A48FBDFF66143E667D863AB726C83DC460EA3DB9E005BD6626F23D889023BD5F359D3DE32EC4BC47E9F9BD0B1F21BD7A01703DAC6EFC3DCFEE00BE9A61B7BDBBB3A43D6470A1BD3CBD033CCD71DCBD9AB41F3C0BE898BDC8260D3DAB35793D8A6BF23CAB86F8BD9CEFEC3DEEFF043E05AD0DBE7769013E7B2F08BE8B8B943DDE4D15BC080D4ABCBFDE99BDE2DEF83D7F49CC3C09CA2FBC6ED8B2BB160CE53D45911C3ED606B4BD08250CBE1ECAD5BD7C94ABBD8D1601BE521764BDC18174BDC29890BABE3F343DE9FDCA3DD381D0BD5D6CE2BD0CA689BDD5E4E8BD4A2B083C69A4EFBD552DE9BB99FBACBC05B7F4BD2CAC8EBDEA218A3DD33035BDFB740BBE508C003EE90C45BD2359983C1321FE3D605A9D3DC86DFFBDC8900B3EF72D30BD4639213D6FAF8C3DA09B5C3D17FFD73D609C8EBD82DAEA3DD1E1C83DDA930ABE34A46BBD5C8C083EA18DEABDAAF80EBEDC2AC33D2FB65E3DE6978A3CF2FEFB3D15F8F83B6A111A3EF3B5D1BDA4CB07BEFC7009BDA99B193E611807BEC05F823D2ED6213D2FD085BDB99401BEDF52843DD9056D3D3D3F84BB96BB793D1DD0AC3D1293DEBDC89508BE3632D2BC87EAB5BC4DC472BD0C59263DFF80F2BD6589193E075FFEBCA185B0BD35FAC9BC6D3BFABD56B908BE1CE9363DEF722DBDB120ABBD71BD913DAFDBF63D8CBB8D3CD1799DBD3DF7AB3D5AA859BDD64892BD0E73F6BCBF9419BDC689183E28DCE2BC39440EBEA8B848BD15DB673DD6A5883D21FDD3BD7D9BDEBDB7D433BD51A9213C220802BE4E7B913D613DEDBC47D4B73D095E3C3D81B6C9BCAE2764BC2E49423DAE37A4BD83D823BD92A0903DCE060DBE6CA6FBBCC68F033DF2F8A2BD629A953DCD8A9C3D3443B7BC1E144BBD7FF2983D566B0E3CEF59F4BD6421B63D098C1B3E313B073EF152AEBDE5B1123EB0B283BDD477EFBD794CE23D23DADEBDF43B113ECCDA1A3E2865D4BD0248D13D1C0BF1BC495524BD50C6BF3C",
      torch_tensor_84_16_torch.float32_1: "0x04000000E4E08CBD08C4E63DCE9D44BEA4611BBE0A6B3C3EC05FC4BD1CD704BEC07B04BD78E911BDC0233B3DC8B5BB3D486345BE9CA4683E906473BE1868AD3DCC7690BD2037D8BDB8776F3EFAB176BEC0DE8B3C760A243ECCDC643E226D58BE40C0F63C00487D3E6AC27ABE301D7A3DF46620BE983B263DD89267BEE0E7FB3DD02963BD20FF183E006076BBE8F511BD289C78BD76676ABE447AD9BDA007083CB20D46BE76AA603E607E26BE9C78C7BD38F008BD44604FBE807201BBD48CF6BD304856BE00F0C83B42A2623EC8287C3D6825533E003920BB40B5B2BD44534E3E185308BEB0D36CBE901D603DF82AFF3D1C0719BEAC34B43D24A6B5BDA07DF8BC68BB62BDB0065BBD3C4C50BE30F77A3DACAD86BD28BF433ED0EA2A3DBA5C51BECAC042BEFA6A05BE642FF53D084925BEE439EABD20E8393DF87B31BE2C1FFCBD1223683E785807BE7C95AABD6217373E5076653D2EEF483E8E8861BEC0EBFF3D00A11CBD660124BEAC49DBBD489F77BE2E18313E807C44BDF6047BBE7AEF5A3E04D0253E00B4D33D128E7A3E8E2E673E3A3F6F3E2A41653EA00B503E3809863DD082ABBCA0C41B3C98C6D4BD3091F03DC053ED3B9896713DDCE624BE58C8C0BD84EC3F3E0031C73CE0AFB03D6A7D5FBE7440DBBDC07DD0BB70E8D6BC926A233E88839ABD2CA8553EB00C46BD5024C73D2E3B34BE98CE2D3D789579BE24A55BBE62D723BE84568F3D00BC9E3CF036C63C1007E0BC9A1A573E12C77A3EC470D93DD4954B3EC06E4ABC3C3ABCBD3813473D4454283EC8421EBDA09044BEB014A93D508482BD5876F6BD02B2213E00070BBC005612BEEA2E19BE3417713EBC83263E2A9137BE00A0FA38403BB1BB540DF43D22415BBE8080733BE897AA3D7847023E2025D63C90C8FDBD84C375BE165F0A3EF6B7693E3C959ABD82C664BED0CD953D327B33BEEE4227BE60908B3DC07BC2BC604E8BBC689E653EA89C33BD6CD41B3EAC589FBD9C7D3E3E74329C3D021F643E3893B23D005CB5BD3C28DF3D421B5A3E0015423DF40BEC3D1A1A34BECAB50A3E76FE71BE3C4F623ED877D33D90C6863CA29A6FBEE4CB683E743C233E92FF6B3ED445C93D1C6EAC3D08A084BD88D1D1BD54F5CA3D7890B13DE0CA04BC40E0223D04E1AF3D266377BE566462BEE04B88BDF2592E3EB4CBF93D9E5774BE30BA99BD007CD8BC6C29A83D6470513E002CB33B4E4447BEA0537B3CE4B6C5BDCC731CBEBECB0D3E909309BDE4EDF13D2656473EE047C93C1031103E64CFF1BD3AE70E3EE0A2233C9A1E2A3E50C0743EFEA641BEB206733EB06B433EC4394EBEA416963D606950BEF015A63DF0591E3D6A6174BE9CDDB93DE4A28CBDCC2C7F3EAADB793E60BFB03D4ACA493EACECB83D7633723EC015BDBC00157D3DB82529BDC0438FBB04749ABD60A0CABD2017143E8CB6DB3D2404E2BDFA9C61BE9C58FA3DB67C6BBEC04035BCFA455CBE505B563E7474503E3A6452BEFE026EBEFA5B17BE2C488D3DFA0400BE90DC73BD08C881BDD8D53B3DD02DF2BD80DDE83DB23037BEE04CB6BC0096563E945B0DBE6C68443EDE3C053EA462A5BD1C8BB13D8AF22CBE10D4A43C8807913D1A6E5D3E90400FBEC49711BEAC8AFFBD5E6379BEB8144F3DBAE853BE7C7189BDE871E4BD0003653C88509B3D12083ABE602697BD70E4C4BC34FD13BE488E6C3D608ABD3D467236BE0A4C493EE0E9353E40D199BDC85C183D405CF93C90480DBDB4CF2BBE00F3523EECF4FB3D64EE55BE6E6746BEC871733E786F233D70426BBD38802D3E3C16933D08CBB73D48184B3E90D79FBCA2EF733EC2D233BEAAC61BBE48812D3D10A3F8BC3816123E083A8BBDB005213D60C654BDEC30403E605586BC007C7B3B3E8B3B3EACE0783E72F4743E1C4C7ABED2A710BE205C5EBDE06553BD8014143E443EE73DA073A8BC0011C23B58665B3DC0AF5C3EA0A9043EFC2001BE0C2403BE28EBA13D9025CFBC043C24BEB4C677BEB0AD123D108495BD32F314BEE89F403DEE49793E00A1543E12F6113E6A1341BE581B123E6868043E44D3AA3DE0147FBDC0A58EBBA2DA0ABED8A966BDB89028BD800E11BDB4C47EBE90A0B43DF87451BE0A723FBEC40FD03D6A8E51BE4E38743EBA21753E54B4A2BD107A30BDA6DA43BE60397D3C50393B3DC06E0CBE048EA03D80A21DBC44ED96BD00BC62BAAC2578BEAC5534BE608B073D9439773EACBC17BEF81D243E806EBB3C4847DCBD009C8F393C77F53DD0A6F33CB49D623EB8CC41BDB0F32ABED854673E403A92BDA06E223E56DB283EE05A353D801C52BE82537BBEB010F33DE85B7A3D04F5143ED4A361BE20140DBD302F5D3E587F063EA6BE543EBCFD483E98417BBDF2542EBE5AA618BE8CE3AD3D2C3BCBBD00F5813AF069233D3AEB1E3EA8C50E3E101C123E4079263C5286103E78B1EFBD48EDCCBD182222BD6AAA14BEFA59643EC0E91CBDD4D9943D40B2FEBB801560BB187208BEC05B96BCA2FD64BEE4D7F4BDF001453E901D70BEA882283DB022233D740575BE9800483DACBAED3D8C6A393E00AB3F3DF61B483EA02C1A3C5815C33DA425973DD6C13CBE60C860BDEA4634BE56E9463E0C41F43D8024D9BD18633BBD54AE883D5E365FBE4051E73BBC3BF43DD84E003DF06FBCBC4295243EA0B6DE3D2A9563BECEA8163E0EEA49BE56CD0F3E6690573E50BEBC3C880AADBD5C3C04BE2859E3BD88C13CBD1044D4BD66227E3E4CD9DCBDA093D43D46656DBE08C1013E70D5593EA08437BE20A282BD500F743DD80C75BEE0F921BED410B23DAA0F713EF8F498BD003615BB262077BE90B875BE30A35E3E563E593EB00A9CBD4C74CABD109484BC3C90ED3D3E6577BED0CD0DBEA0CAA8BD60DADEBD4069D8BB7ABA3A3E18945F3DDAAC67BE18C56C3EE4204E3EB034A13D289DFA3D2466BF3D7ED5513E483876BE165D1FBE900A02BD08C942BD52042ABEE68075BE768343BE980A1FBDD04F593E0EB9293EA494933D243B1DBEC0F9CDBD204BC53CB2496DBEA0FB3ABC503B503D3872673E2C6686BDA2487B3E50829A3CFE9B31BEA2F3713E3CF25D3EBC474ABE188114BE0CD0F43DBE841DBE56112E3E9C4AF4BDFCE79EBD78FA92BD703B743E3C23ADBDC81C47BD50E61A3E5C272FBE00D79DBA94BD45BE56486CBE88CA69BDC065E23CFE4E5A3E7E8075BE5C5393BD98BC863D3056C13D9E91153EC8D84DBE38577ABDD8C76C3D1C364DBE6A00013E544474BE7EBD1F3E6C75A63DCC6E91BD841AA63D9CD3583EEA523C3E10471B3E780615BEB820933DEC1C403EA89A343D5A7D293E48C41EBE2CEE333E40DE07BC00AE65BE38B984BDCA43623E28DDB2BD705A31BDDCD1CCBDBE310BBEA067313D504C1B3E802AF23CA0A17CBCE0F06C3CCCF83FBEC6E206BE40F64C3C8E9E4CBE4498FD3DF0131C3D00852C3B506D83BC7C37583EC2A1693E04FFF93D984BFE3D0C42F8BD4C4CD13D46262DBE1846DD3DF6C735BE003CB3BA848B393EEEFD293E505B623EA0A7AE3D40BFC63D1C4D893D50EF3A3E3056063E5C13973D30A5B2BD18CAF7BD502B7DBDA458F43DF4590BBEE0E18B3D9CF95F3E66C4583EB27A3CBEFCEF913D3064273EC28768BE289D233EDC821FBEBA1939BE8008D9BDB094C0BDA0AED3BD8067933D6C59C63DB0FCC63DF4BF303E38F921BE5C1473BED45E4DBE3CB40CBE8431EABDC8FAE03DDC4139BE082C3BBE9C18093EF2E322BE5810403D823243BE285BC33D72F71F3E8C5557BE9828AE3DAE3606BEAC77223E803F663EBCF757BE4483BF3D54E32C3E68BF683E8C58413E1864493D00756F3CD8FB523D4A9F18BEA0A148BD80AC7CBB56FE21BEE09C35BC000808BD543EB3BD78419DBD06F57EBE82F7733EC05DFC3D5614393EB6EA59BE24A07ABED6603E3E38D133BDB89E1F3D545E003E30DF823C80A707BC681D183E8E834C3E8CAE8EBDFE8F5ABED25F0CBEAEF1363E8015B23CB2325B3EEC1AB3BDD49072BEC4FF9E3DC02EDABD420D19BEE0991F3E006C8E3CE0E0AEBC864F793EC2025F3EC22151BE74546BBE302FFDBD80C346BEF09106BE30B62C3E74572ABE96CA6A3E10BF9F3DC0E7313CA8272F3D2823583D1CBDA43D123450BEC0798EBB66D3293E54567E3E60AF58BCB6E036BE104EEB3D083A6ABEFE2D643E7C571D3EA89CE63DC8DF0B3D18183A3EC0D3CEBD8E8655BE76830DBE1A803E3ED4E3FFBD54204CBE504B603DB2051FBE00602DBCD07C22BE805B583D282B27BDB81B073D78AAEC3D50D624BE9090AEBDD0B42ABEFE2D553E0852B7BD78D1C03DC8536C3D98907CBE24BD35BE809583BD844044BE7ABE073EDCEB203E0074F0B960C5FA3CBCEC863D204AAA3DE80F46BD7076C9BD984A1EBEC019233C786E4A3EC091FEBC76465C3E4417B33D8AB803BE4CDFC63D6015CD3DA0DEE3BDE87C33BDE0B0D4BC04BDB43D98C1473E603561BD0E78263EAC080A3EA8D15DBEF0253B3E20E625BC4098453E4268473E66E577BEFE3255BED01FE9BC9C86A43D40F822BD847476BE7C400B3E386312BE986FE83D36D2343E18B1ACBDC42C1A3E682B083D68BCA0BDF0DA843C641EB83DA00A033E20E612BEE4583F3E0428F2BD6E865CBE9C55DDBD80A462BE3C5C8F3D50DF893C007647BC2C422DBEFAF3063E20B3273DE47F80BDB86C353DC493B43DB0CD19BE687793BD4C82E8BD4A94623E88337D3D363341BE88CB343EF09822BD60F58C3CE07D043D6030EFBC625A723E78C8DD3DD8775C3D7C24BABDD8AE6B3D72653ABECC04B1BDB2CD013EB6F47BBE4018CEBB70B4BCBDF4C9023E9EE81FBE783D313D2C9B93BDCEC4563EC0CB18BDDCF13ABEB0109FBD3278343E9C06C43DE83E5B3D04A21F3EA0B7C53D704A03BD5E9607BE30FB74BE9C39F63DC2A4473EF4AFC3BD981FE6BDA88D303D1039BDBCB08F443E40D08DBB40C0F6BB02006EBEC4459C3D00BC633A9893713D72831C3E04D1D93D00A8F939E0CA9DBC724D01BE562D673E8A14553E00C684BA50B37F3ECACC603E262D133E4498033E54B3CA3DE0A033BD8085CB3CBC44503EF8892CBD00CA9F3DA03CA5BD680B283D5EAE143EF0361F3E1088FA3D00A1F33DE0D275BD781C693E64DD333E6E59723E58FC4EBEF002E8BDF69154BED06BB53C9C9B433ED4F72EBE3CFF853D40EBA3BB68596EBE60D820BC9075F0BC8053F8BD8EC21FBE3C58173EC02AD2BC60F34ABD18598EBDD8ED02BDD8388DBD505D19BE2C73DA3D803572BB08EE64BE748D00BEF8E950BD3049C3BD6890713D9E7E6F3E22C338BE806A70BBAA6F5E3E7A3915BE46CE47BE2490883D00E53EBB005456BB6ED5203E380C5BBE082819BEF4AC313E92B933BE407A09BDC4B4ED3DD8CD0BBEB68446BE96E018BE86813EBE24605BBE68D127BDB0A16DBE04B51BBE3024973C4A626E3E066D7C3EA8FB553E60BAE23CBC651F3E7C13A0BD4E9724BE5279003EB0FBC93DDC37B43D5840EE3D6CA880BD84523C3E72840B3E94C5DEBDDC233C3ECC83B83DA09C0B3C001D763BF0085C3E8013053CF00EB43DC6D13A3EE0655D3C42EA673ECE8817BEA018C8BCA09CA53CE01C5E3C70143ABEA24B743E4EA60FBE0EC6383E3441CCBD7494CB3DB20E0DBE5CF9DEBD50FC863D420A303EF098A4BCE001C03D08360DBE28D8A13D401BE6BC884E69BD0816FC3D80F4A9BD50581CBE2C3B91BD1455FF3D2613753E006B673E22D3323E52FC1DBEDC9C643E506FD03DD001363D386814BEB80208BE3016843D4095B5BC70A490BD626943BE4A335A3ED8819E3DC08C063DD06AC03C68C1093E58611ABEC09023BC78F5613EC8F31EBD24315BBED2B718BE28B61E3E8AD0063E0EB2303E70F3B4BD440EEEBDEE5262BE504C8D3C38575DBD42E4723EB0A8E6BD80AB22BE84A2CF3DB4CEBABD7023BEBC04627F3E20AC1F3E04277FBEE08A453CA0E7003C745E7A3E1C535DBE32981D3E0C5F7BBEACA87BBE603A03BEDED874BE00FB7BBC78BA4E3EBC0A8EBD0C2442BE3030B0BC1E5C50BECAAD2D3E480D143D4C0B633E3033D93D1813B73DBC85AC3D30CA6D3EBE2520BE648C1CBE8AE1443E24D0B93D4AC06A3E30AB6E3D2C5EB93D32C71D3E20CE263EA6780C3E86C148BEE835943DD2302FBE902D043DF2240C3E4022ABBD121C5E3E54EE633EA466933D2E3239BEC0F9AA3B3430473EB8EB373DEC045F3EA032943C081FEDBD160E273E1C6FA93DB6570D3EC0F618BE061B42BE3C762B3E581DB33D3A4A3B3EC06F55BEF898EBBD40CD01BCA2F604BE50F01F3EDE514B3E30E35D3EB0CB0F3D1A7868BEC8A5B7BD10906D3DF42C8ABD84A8DA3D58D388BD488A533E00C15D3E30A77D3EC890A93DB44D2DBE248384BDE89D08BEF449E63D10AFB3BC6800CD3D5C9E943D20259DBDE8DE0D3D80471DBD904A313DA67829BE40A8973BEC21433E0673043E8C031FBECC96553EE4BEC3BD72D0643E60CB50BDE0F2763EB08B163EE04BA9BCFC7B2C3E7870593EEC3B48BE9811383DC43E2F3E8012D4BC000A223E8CB0473EE6094BBECC950B3ECE376BBEB648203EA28D0DBEEC5A9FBD686F7A3D06705CBEE0320DBCA41FB3BDCCFEA13D40C972BCD0A568BE98D17CBDA8B81F3D1A2C0C3E7C2712BE10A41BBEA4AAE63DFEAA19BE185FCABD26E07FBE60AE76BD00214CBEC86D203DFC4E4F3EF05FE33DE46B55BEC87A653EF2C664BE4073C4BD92A00F3EB0F1F23D62140D3EE0AF73BDE02F60BEE0A67ABE90CFA73C82A977BEE0C028BE864B273EC0A41DBDD8B2B23DFC6549BE0051223D72AD663E302A3A3DA89E343DC8FA1DBED41939BE363D153E0E3165BEE0E97ABC04214DBE40F08F3CF8D97ABE7C7FA93D0008DF394E5628BE88A4BEBDD49ACCBDD8D4E5BDF0597FBD58AA3C3D684B13BE5037813DEEF252BEF415713EBA6F19BECCB6D93DF43A2FBE04BC2EBE084F16BDCAD511BED83F8FBD40B5DEBDE0308FBD4EE645BECAAC793E9E62103E98E7B6BD8AE6393EB81CE4BD802051BE90FEA33D802FB0BD4A88403EB8C689BD666F50BEA6DD573E10DA653DBC639B3D7010C6BCB08E4BBEA4D3A43D0000313AB47E29BE80E2113EEEB86FBE84E11EBE78C26EBDFAF36FBEF67666BEBCD299BD200841BD24CA3B3EB4ECEE3D96056E3E00099F3DA8F3083DD05645BD50FED7BDAE5665BEDED369BEB0DAD93DDC0A22BE0409D2BD1846EF3D62401EBED84CBD3D80A862BC384D533D003AE9BD4AAA3A3EB86351BEF2FE6EBE5ABC473E02F42CBE16BF753E106AE33D189BC53DA09DFDBCE09B403DA04C833D08C3F0BD8C6E3C3EA0571D3E40D4703C40CD923D0092F8BC20F0B8BDC85445BE70B0C4BDC02875BE3C03A1BDE0EF053E1062783ED6416ABE9CCF54BE304B533EC0B9B4BD0054B13914A2203E40C1623E20E6C13DD8A57D3DC086C5BB8071CE3B6897CE3D2CCF70BE4AD277BEF49D2C3EA6977ABEB287063E284D393EA8C3293E342B9C3D208AE33C1074EC3D608C183EC0F9003CD03338BE82451F3E7026E43C56361A3E668E2BBEE0F87FBD3E7424BE80996A3C208C593EC8A1423D0A9C593EC2173C3E0A1530BEBEBD753E0081633C4258563EB049463D00D62EBD4053593E",
      torch_tensor_16_torch.float32_15: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_14: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_5: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_13: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_4_5_torch.float32_3: "0x040000000000803F0000803F00000000000000000000000000000000000000000000803F00000000000000000000000000000000000000000000803F00000000000000000000000000000000000000000000803F",
      torch_tensor_16_5_torch.float32_3: "0x040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_12: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_16_torch.float32_1: "0x04000000CA002DBEE417543EF0A561BD04D458BE80340EBD1C09FD3DECE778BE307999BCFC52D03D148AC7BD0087BA3C1CAAC8BDF6BF2BBEE87B483EB0C535BE001540BBD086AA3DAA100FBE0437F73DF49854BE387E743E1406E43DC0F810BD6CF354BEC0A1FC3B749CB53D38090BBE70F500BDA21F7FBE88EC7FBE106CDEBCF634563EC0C740BCA484A03D8CA7CCBD802EA7BDF01CE1BC886A01BE68A61C3E32A41F3EB80347BE4C0A9D3D8082D3BD163613BE50DAF9BC98CD9EBD90C311BEC0E9163D381E123E98021EBD90428FBC201D9A3CEC0BDCBD8287073EAA346C3EE02DBBBC10388B3CBA444E3EDAAD513E3C703EBEC81BEDBD2C1E7BBE3CCC1C3E12CF473E2859BABD6C3CA43D380C783D68405CBE7475CC3D903AFB3D8029B43BC005D23C88F36D3DAA6C383EAE31623E282D133D503EDA3DCCF385BDDAA0183E6065C9BD9C0453BEA437F03DD8E4BD3DF063613D04D7D93D80B4F33CE840AE3D9CA1D03D28190ABEE0765BBC88511A3D78771BBD9E3D57BE9045C23CAE731C3E8EE808BED0577B3EC887693DCCC1D93DD8B4C5BD4C6951BECC8BBEBDC047FA3B104EE9BD2AFC633E3ED923BE266C2CBEFC9BB5BDC0AB653E541DEABD6ED56C3E180DF63DF0961BBDBC67043EB868F33D4C4D02BED0D052BDC8F7773E22C5123E4012FABDD0AB89BD687C0F3E5EF6013E4057A23CB2B824BE20D13CBE802258BDDC3EBC3D7056DABC800956BE20F67ABDCC877F3EC49653BE2EAE46BEDEED203EC8B87E3E344376BE488967BE5818A0BDAE3D7F3E624B11BE601AAF3CCCFA503EA840B5BD40039DBDF2D52BBEA0441D3CE4F16E3E085DD13D9AF0333EC0AE87BC90A622BD18F136BD4002123E604606BD92AC5ABEB4C9B3BDB05FC83DD897793E40323ABDD4E35EBE547F3CBE286C49BE9463CE3D78B43C3E886A973DF488B03D6CC7263E4C082F3EAADD183EB8270F3EC08A8A3D4423043E86A82FBE7EB225BED8B2893D685B1F3D240E61BEDE7E3ABE98CB4BBE44524B3E565F273EE6BE06BE88801A3D08876BBD2A8C5E3E3CDE67BE26C33ABEFE2255BE8AFC143E44F1FFBDE479183E9812AD3D0443FABD84ED89BD9032CFBD98E1E13D1854CDBDC8C1AD3D004F923C78714CBEB6EC20BEF28031BE8624063EB0E15D3DC0FACDBBD66E18BE8EA57DBE9830B5BD7CED43BE48A27EBEA22974BEC03727BE36DE78BE849A9F3D8C93BF3DE85ECE3DC0D87EBECE4C1E3E88A4473D12E7023EE8AC7BBDB0DEF53D54CB72BE1464AE3DACFF4A3E243AD73D144F71BEFCBA8FBD3054FEBCD621063EECBDC1BD5047133DF0BCB3BDC8AB22BD8012A3BBDAFF12BE1CB031BE6656533E4C17573EC002F8BBEE955D3E1A45453EEA3F21BEA472CBBD34D52FBED888A53D402DCF3BA86D0CBD50123E3E2C20C8BD421B0CBEFAFB35BE123C02BE7ABD763EF8EDF8BD",
      torch_tensor_4_torch.float32_4: "0x040000000000803FCDCCCC3D0AD7233C6F12833A",
      torch_tensor_48_16_torch.float32_1: "0x04000000F8E0973D7CD0393E1EBC5BBE0A6E6CBE64AB7BBE509B6C3D881D93BD940A9FBD66606E3EF09782BD789222BE6038B83C2E820CBE5C0396BD063A073E38556C3D28AC2FBEC8B8733E36332D3EE6822EBEB004DF3D0064D23D6CB137BE46EA33BE64F953BE0012E43D0068323D8061D83D30E2E0BD167E403EE8C0023DF6444CBEECDE80BD72A5023EF028613D70A71CBD2CDB32BEE03F1FBEEECE5C3E5EA512BE9669353EDC5FABBD80C4233B4C4A79BED06EA6BD80CD573E32D665BE38CF003E147257BE685A153D521968BE8CA84ABE0EAB4EBE4089B1BDD86C0B3D2AB13BBE64C2813DA82F1A3EDEB0503E98AC623E308C283EECC396BDE0BDBCBC9880623EECB2FE3D54C787BD9E47413E8AB95FBE2A1A5B3EC83B0F3E1EC43BBE04CC50BED832483E188C7C3E00B7B23C780EC8BD0AC5113E50FCE63D4098FFBC3EF54C3EC4EE253EB8487F3D26EC043E56CB6FBE44D3EFBDA07FE03C183C8B3DE0FD0BBD2453C13D60F89B3DA2986CBE807EA13D6083A6BC4C2A30BE603B0A3C80D77BBD3CF207BED44669BEFA28563EC8771BBEE088093DE2144D3E900101BD36C927BE4EAB77BE28242A3D7C7300BE305A953C2C8BA33D341191BD9A942D3EE84005BD2055CCBD424429BE78579B3DF6451EBEE840573D283D01BDF2EF2F3E2C01FBBDFC38FCBD185604BD305C1CBE6832C33D908BBBBD9C0FD23D4E93143EC27C153EB8FC3BBD5EB50B3E268F07BEC0107FBE70E8C2BCF89D39BE945446BE0026823D16C25A3E347DC9BDA0B367BC787839BED0F8323D3CF8913D78301DBDB8C5423E2C094EBE806309BD18190EBE8CC8603EF0D5583EBED07B3E04886B3EF0C7CA3DDE0544BE1CA62DBE087A753DC08E64BEC211223E9896DE3D2052743D44715FBE083A3A3E50C0D8BCC4DAD6BDFEA8053E5011AD3C1CC2E3BD98AB6F3D34B72ABE14EE6D3E2062603E0820EC3D5C6E073E867A7EBEA44E0EBE245776BEC06D05BE323E54BE2E6F3C3E7A1D0A3E02C3163E704BE3BDB21E433EC0F713BD44A784BDB6D6093E0088293EBAFE37BE34B8733E20B4CEBCBC5D883D98E87EBEA0FEE33CA865FDBDC24A20BEFCC5D5BD00A398BAF4DB91BDFAFD23BEC44A373ED051983DB83E6EBE50CD563D708B7B3D8082163C48A7783DB077ABBC60EBDF3D023834BEB44EDABD6CC53F3E369A1EBE0C34FB3DA6DE6C3ED2166ABE404FE0BDBC765A3E40AC77BCC8264A3D38BC113DA8FED23DD0F5D2BD20F0043DE0612E3E50C6ACBC68DE6ABEBCF9B03DD8B482BD200858BD5683053EA875333D24DE1ABED845ECBD68A81BBDA8FE7CBDD0C758BD72FA2EBE0074393E66C4043E10154A3D00DB673D70C1EF3C806B3F3E38B6673DF0FC1B3DDCB90CBE80CCAA3DFC7F6FBE987AA13DE8E55DBE00E7D3BDFC26073E087A18BE90D84B3EFA710DBE1A7B723EF8CD9D3D98E0DDBD06211C3E34B662BE742C22BEF46220BEA0CC063DA033C93CFC2F5CBEAA07773E00887AB902B408BE00ADC33B18C7DBBDB8418D3D4859B93D083C91BD00CA6E3C7252183EAA8226BEF85664BDB01017BD765F29BED0CDA63CE089163C4EC74EBE680F523DEA57743E302A083E38DD0ABE78556A3E0EF92FBE802902BEF4D6E13D9AA84B3E184C743E8C655C3E1EF70CBE88516A3DFABE20BE00E8B43BE618543EC41AFC3D3A626CBECC59DCBD6AFF57BE4430F13DE0FD01BD52243BBE449BA3BD2805A83D609ABD3CE834703E808559BB980DA13D40199BBD4062F43CA0BB123C32E65B3E8C88D63D72E411BE807863BE809173BEE0EFB9BD185E043D0CD6703EB039C9BCF02FC83D0E1B023E9A1844BE66C453BE4801C23DE0A5EE3DBC67EEBD1878203D04A77ABE00844E3B78017B3D80151B3B188A22BD0C1CD53D50BB8CBD96903E3E16805CBE9E4D12BE9CB755BEEC8667BE56C93D3E88697DBD4A1849BE3063543D84DB41BE60BC533C4865F33D188858BD7C9A033EA82B523DBA6C4DBEA88A493D3807253E28626DBD108EC13CC8A2023DA01CB03C0418853D0C1C75BE2A3B423E644EDF3DA0E8FC3CC0533A3DAE744EBECC2F92BDA02932BC106A733D5C6E0CBE404DD93CE4E59EBD50563A3E90BD5BBE5015D63C4A702D3EA4D446BE40CBEABB6897EC3DDC9ACE3D60D8F03C00F8CE3DF07432BEF837553E40B5B63BF67A253E7887623DB0D5E3BC0C4FDB3D5C05733ED0857C3EAE7C57BE806B783C82E737BE7228153EEEC7373E38C333BE20BB6CBC8225313E664B293E867A40BEDAE22B3ED84935BD8CB859BED8FA4B3D7C85EE3D5087193E6E0F2EBE966A39BE10012CBE0E14113E3ABD5FBE80280ABBEC7496BDA48ADF3DE018493D144601BED0DB323DAA966B3E5898283DF4B7FDBD4022093CBAD06ABEA43F24BEB8343EBDDE861FBEDEC8583ED8C4463D6C48463E882C69BDB8690EBD4C26813DE43C98BDE486AEBD36217BBE56DB403EFCAF673EA8787DBE4866A9BDA4A241BE78D5CFBD42E5423E94F0083E90E89EBC14ADDA3D70E7983D5CCE0B3EC0B84DBE4C439E3DB27472BEC45C28BE84CCBEBD1089C7BCA29671BE40E0CB3B007D233D0832CBBDA011A63DE2B25F3E08EA2EBD125708BEA6C562BE92EE3ABE24970DBE14413DBE004BC9BDCA060D3E5437A03D2CBD663E362B7E3EEC5FB8BD4C82C8BD18210C3D26D94BBE463E0B3E204C38BD305B56BE7A4641BEC86630BE6CB98C3DF63D443E12D14A3E54FB8CBDFAB214BE543EE3BDEAE02EBE340184BD543467BED4D4083E2CF270BEF83E1FBE3ACD2B3E887D3FBE60CD743D04C03F3EBC577C3E8A88013E446789BD9849123EE02D07BCC4DE9DBD0070553A48B1653D30A72B3E54EBD63DA079F43D1830193D80284EBCB8FCD63D804B763DC2F674BE308E253D0460E3BD9AC107BE8401C63D7865513D58682D3D64E2F2BDF894EC3D103D703EE08BFA3C0C72D23D929860BED630183ED8DCB13D9CABE63DA482D53D28AB86BDE0DC75BCDA9E773E0C533B3E727F37BED01D4B3E7EC77E3EE8AA063D04BA47BE287E463DD0CE4EBD860F383EF2F575BEC805833D802A40BB7039A13CB019303E80FC933BC6194EBE9A5515BEBC01CDBD806BDA3CAC94C53DF8223FBD4013CABD38ABE03D2CE978BE54E3323E0013EEBCDE21323EEA6F413E10C8DA3CA8F5A13D96CB10BE806B373EE6D5153E08D420BDE090C73D206E65BCA002483E20C3D23DD2A23A3ED8B268BE7A6D793EFCC2BE3DD8ECF83D582D643D3223283E0001713E5078AEBC9E0D52BE4E136B3EF0F357BDE8ECF6BD06971D3E3CDE0E3E6818093DC08E80BC60E443BD96BA6A3E16FA1B3E0A75183EE03E233EE0FA05BE68CE553D84765DBE10BB143ECABF7DBEF4D87FBE280D7DBEECDD1D3EA022D53C0008153A40DF223D5CC4C1BDC4799BBD88702CBE00147ABDB2861DBE4089D73B0C24493E1AA253BE74C9FB3D8C693EBE4422D4BDC83C483D6032303D80F0513E0020C4B83001C3BD38BFD3BD402CF03BC8F43FBE0CB848BEE410DBBD4070D23B28E32CBE202212BE64C8363E0E936C3E6060A0BDCCA15BBE6005C4BDF4A4CE3DC02AA63D48B89EBDD47661BEC8F399BD08F664BDBE6B133EACE2FDBD68A4193E380C0E3DE09E2BBD602464BE8CBD7C3EB09836BD2813213EB46B04BEF84C79BEE00E4CBE3C3203BE440EA3BD409A10BDF681553E22196CBE388CFF3DDE67573E00E7D23A02A71FBEE001033CC0EE723D388AE23DD8A19BBD28B4AFBDF08BF1BD589B77BEA4D1B33D308A41BE30F7F5BD809A28BBF859453E6A9E633E46343ABE86065E3EE851653E58CE4E3EA04DB23CF89A4D3E6CC3F83DFCB137BE88EE06BE80109A3B066C35BEA497A8BDDA654E3E7060EE3DF2F15E3E0035FB3ADC8802BEDE6E293EB0FB963C08722C3DF0EED8BD9050D23D5E113DBE30484C3EB2F55F3EACBDB83D985A473E44621B3EAC8AC3BD90095EBE90BF063D7EBC203E7083D1BC4052AC3CD6BE3D3EA466D33D0C623F3E885C163DF091E53C30F074BD70CC2CBD220E08BED8272B3E0C7C693EC802BE3D00C4E83B8803A9BDC8C17CBE089C3DBD6ABC35BEC0FE3CBED0C44ABD387149BD30914E3DC68D39BE04FA373E5A1369BED07AF2BDB861C2BD00887C3CA4A6D33DA8ED86BD88D01F3DB06A72BDF05FC9BDE03B0FBD902C4E3D76AA78BEE42F32BE1400483EC884E73DC008DBBB605A013C10590D3D18006E3DF0C72EBE98908BBD5CF36ABE784349BEC8AB40BDB03407BDBA3A483E1861303D880926BD80F4E2BB5AF90E3EF4189BBD306E3FBDE86B4DBD746E4EBEF01D0FBD36A86CBED09A09BE92F222BE76B33E3EBAD26BBE06AA763E1CF9BF3D",
      torch_tensor_16_torch.float32_11: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_10: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_9: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_4_5_torch.float32_2: "0x04000000000000000000803F0000000000000000000000000000803F000000000000803F00000000000000000000000000000000000000000000803F00000000000000000000000000000000000000000000803F",
      torch_tensor_16_5_torch.float32_2: "0x040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_8: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_42_torch.float32: "0x040000008A5F0D3E07DF643DC94900BE4229C3BD8C2106BEB9E2B63C715280BD05EE08BA92F8C7BC514F0ABEE4320DBEE51BF5BD845984BDAB9AC43C1D9D94BD3F3AB4BB8B6997BCDD80103E9A0F90BDDB73143E6299F2BD98D403BEF1874D3D0EEBB7BD4217A23D60D5AEBD6CD9F83D1FFF183E27D9213C9D13073D1350133E7D56BB3D1AF009BEC6DAA1BB09A10EBEF965F13D0C88E7BC52FA8CBABE27C2BD64D5ABBDAB0CA43CE35D023E51D89EBDD2E36E3C57070F3E909B0D3E3A21F7BCF217143E112A663D16E80F3E1A04963BE9E805BE440A2CBD63903D3D8D85A83D50681DBE90CFF53D72BE0DBE9F28B93D59E61B3EBDC01B3D0091EEBCA6FFAD3D45963BBDD414EABD4F45E0BD7095943DD258F13D75BDCC3B9F3319BE32421BBE5FB70EBD0D97AA3DF896D2BD605B2A3D30B9ACBD778E003E509C25BDBCB603BDA4950ABE75860DBE87DC2A3CE162CC3C4EBBAA3D652A0ABEF87CDD3CBE9AB6BC3F5FB93DA1B08FBD374C3C3DFFAF7E3DD1BE9E3D3EC758BD9B644B3D6ABBF7BC14312A3D4A51C2BD6A1BFBBD4D3F01BE90A7C6BDDDBE85BD2528BC3C6C3F0ABD13E6B3BD6AE6A93A889747BDD9CCC23D972202BE574969BD9F14CBBD01F99B3C3CEC093C8C6E11BC0AC61C3E9E1B71BD6DAEB5BCE649233DCDDF033ED687EF3D4E67903CCC1C6FBDE6A14F3DB9D4C63D02D057BB7E80AD3DE350013E5A4FA9BDDFB90BBD7D410EBE7415113D3638E13DC677F5BC1DB4C93C35F4493DD7B057BB7EAEF53D1B33B83CDB4F1BBECD7A02BE298C1CBE1466D03B9ED3AA3D62C4A6BCD9100E3E2668E3BCD337013D247B0E3E86EE9F3DD24EA1BB1432183E84CEBCBD1C6A6B3DF692C73D3BACC3BD2A6C14BE4F294A3DA7C86FBD35799FBD4B6DFB3CB53EE5BD9D1C0E3E10F062BC75684ABD3117043E82FB2F3D90D4F03C811897BD9697163ED77E40BD3C6B033E59D639BC2E869E3D3532DE3DCC45EBBDB59FD2BDDB3E1CBEB5EDE33D2AE2073E8AFC66BDD8C69ABD1397D33C9022AA3DAF011C3D79B803BD1102C9BD5423073E8EA7CCBD82AE18BED2597CBDF70FFC3C23EB6A3D4C62743DEB10B7BDBE9072BD53868CBD4D0899BDB41505BE2860013DE7CD37BD151518BE8E86B8BDCFC7BDBDFD5088BD1444C3BD0C36DBBCAB7E623D02C1FFBDBC9158BC07E435BD7C90A1BD25570CBDB1EF85BDC28BA23B3C1DE4BDADB6EF3C2D12113E12ED023EFCAF8DBDF6CE423D395915BE5B08053EBF761DBEE9320DBED4D40DBEC6BB12BEC730AB3CE32027BD2146173DA76C1CBC013A59BBE55664BD307DBBBDBD4A04BE85749F3DAEEFA2BD728A00BD6A7C993D63871CBD175B1FBD39ABD2BDC93007BE08AD973DBE980EBDF1B5C63D2364263C46834DB908A60EBE33435F3B00D60EBDFA53B4BD5C4612BD8F2A043C451CEEBDFA30D23C03E3DB3DCCB5F93C5FD3163E1277933D3A39F9BD52C678BDBC1718BDEA103D3D013690BB7A4BFE3D1DD7923C7122C8BDFEB567BD947403BEB5442EBDBF5E9B3D604DC33A02AD16BE09B908BE8523653DCEAE0ABEF70EFCBD6D69BCBD5999163ECDB633BDED4A82BD5060D5BDEB27CA3DE61ACCBCE5C0F33C1BFC163D933F323DC846CA3D3531033C24C0823CEB2C24BC4790F5BD63A310BD2C62163E36F7DFBD5970C7BDCCCA1CBE704C193C83C913BE33DCA1BD0498113EB1E1823DE75CA83DFD71D83C564506BE170C93BDCCD4FFBDDC68C3BDA53B573D904B2FBD016A1A3E305CE6BD2ED806BE22041C3EB77E08BEEA73063ED3302A3DEF0310BEDA9E093EC9102CBDD94D82BD8D85F6BD37A605BE2AB80C3D23341BBEAADB813DF82D1CBDA2CE5D3DFABE1ABD05915A3DB01D8ABB68C3393D5C9180BD535ED9BDCEFBA03C5DB4C9BD56E6C3BD23EF17BE017549BD0928D3BDA718F63D08BCE33D2CF5153D9761003E332A983D87D814BE2EF37CBC1A2FCDBC26DFBFBD1002343D8E4345BD621C97BDAFC4EBBA981BD2BD40C6023E91F7C73D6E91153E99E3DFBCB06A4E3D085FCBBB4DBF02BE46F88E3D96BBDCBD542664BDB6848DBD7A251ABEB85BB53B0015CF3C42F33BBCBF69E83DD16EF23BC43EE6BC015EACBD93AEBBBD16B6B3BC3478B9BD2677D0BDD12FA7BC4C30DFBCD5E6C0BDAFA4B83D7500063E7F77D7BDB06A8A3D29A292BD714083BCFA7F133E8ABFA13CB9A716BEF440113EE2ECD5BB143D9EBDC9E3A6BDF27E073E9DAB2A3B908BAE3D5CB1CF3D364F75BD7594563C366ACCBDACF1033E211BA7BD04E7D13DCC22203D39F0C23D46A7DEBD0B3E9DBBD0BEA33D03D2C9BBD41811BBA8FE993D5C30ECBDBC6DFDBC03F18F3D02FD9A3DF9C0123ED30CFABC6BC0153DAC7C9BBDE326D4BCE0A49EBD1730EA3DFA65763AEB8E803D66D2AD3DDE8DEB3CE284863C340939BCECD705BE37A9CB3C94050CBD1FCF04BE5436133E38C286BCD1B79DBD7AD219BE0E8811BE86AD703DF04290BD5D8288BD1FDAB6BD8F16FF3D97EE17BD8CD5CC3D7EE0FA3D7101F5BD97C2EB3D7B61F1BC7755173E046AA13DED0E19BE8DD5EA3C6E2C5E3D264865BDDCA2EF3D69D902BEB78B48BDAD8D163E16511A3EA8DC9D3D97A4BCBDF9F207BE637800BEA8FF1DBD3205B33D8819483DFB8199BC751A0E3EB427F83DF0B293BDFDD988BD8749EDBA2428033DE7C890BAA400743D5E08DA3D94ECE3BC09319B3D0FEBAB3CD09A723DB118823D01EE28BDCCE58CBD3D13873DF453CABD60E8A53DBEC2CABDD0CBD83D0D987D3D42D61ABD95A1B43D8E2450BD4FA6063D6B153A3D8A18813CA0D7FD3C96C048BB059736BD904EB03D7B4A793D2ABE6B3D6A58D53D2E58A5BD0AD812BDEF1D90BB9004FF3D10A5FBBDD743B5BD7C8C16BD2BF806BE27ACF9BDCA79D83DAEDDEB3BAD39FEBD21B8D0BC7A3BA6BB13B260BD182A04BE66FCAB3D0B209CBC5F441A3E3306F2BDC27CADBDB45703BC6810DCBD424DE63D9061F43DC7240F3EAF7CC7BDF7D7E03D266BDB3DF37A7BBD85B48A3C3F96963DC622E23DE59313BEB44E1D3EC9E71EBD0DC2803DBA45C4BD972FF3BDE503D6BD743EBA3DF8E09BBDACB3B73D11123F3DCC677B3DF6930CBDBAEC47BD3EDB93BD33A4B0BDE3AF113E866409BC898487BD990213BE14F6DB3BE5D71CBEBA27EEBA7F88C73D8903B6BD5CA1AD3D3C9C49BD900CF3BDF57E1CBE28FD9C3D88C7F1BD4D4D9A3D52FCB43C5EC0AB3D5E8BEDBD062D0A3E2A611DBE7EDDEFBD6082BD3D1ED7AB3BD873B1BDA99304BD999D0CBEBD8309BE4C9907BD4B12F13D68C03C3D135DEE3C458127BD34D00F3EEDB2C13AD167553D88BA203B1540C53C94C2523DA380F23D58E6B53D98C5A13C26AF7C3DF6113EBDC501D83D016C313D317DEE3DA15CC5BC330201BE4CB5F93C2F87803D6658FF3DCCF7743DC984693D2A7CFB3DF33359BD2B820B3EA804A23D4C0CD33DA660E13DE51601BE2299A43D5328133E8901DEBD0CAD58BC63DCC0BDAB9D18BD0C61BC3CCC09A93DBD7C37BDB99E15BEB1A2AA3D0A4BB13D2128E5BC0F44073EEF9CF33D654D0BBD9140C33BD2A9DE3CD0B3F7BC57B51BBDF6A58EBD65B6B3BD3ED29D3D96AC3BBD8B9A97BDEE2F0B3E081ACA3CB402E43D8BFD0F3E4311B2BC198DBC3C807E123EA16DD9BDB47F3DBD7ADFB33CB7832BBC0645283D292BA63D840382BDC7D9443C6CF30E3E2DD1B2BD124CD6BDE459F2BD53E6BC3DC1ED10BE74AD99BDFE6ED53DA271BDBD497E003E90B993BD30F9C73C7977A53C9C0A78BBBBD3C43DD032063E8A4EC5BD143BB13D84DE283DC9703CBB80F5DCBD",
      torch_tensor_84_16_torch.float32: "0x04000000E0179DBD5A0E10BE2045A0BC8034483E4017B03C28DF313E00A0F3BA88179D3D606D0E3C4061DE3B569D73BED0CD5FBE2040AA3CF467FD3DFAF72B3EE0B8313CB0D1D73D2C23D63D1AFE5CBEC80161BE147D46BEC0D78C3B7EDF21BEC0D8A3BD703419BD48C3C73D706C6D3D2A7C6D3EDEE8663E225123BE00764EBA0819293DD47C5F3EF8AD9EBD9437C9BD302A22BEEEA23C3EB40D91BDC4C1BFBD8E262D3ED88F6B3E609C2CBCBA7434BEC295503E401BAFBD3CF1EBBD60F933BE203DF6BD827D48BE50C413BE8C3469BED8634EBDCCDCCD3D0C5642BE000CB7B958CEBCBD4CA7F73D22BA5D3E98BE07BD40D800BE84B344BED46716BE84D3933D30F36A3D12DD093ED82718BD988A033E861364BEA8A2893DEE85783EE05C7DBE8AE504BE22E2233EE01920BD887508BE322D1C3EE048893CA06D203C0C839BBD6AE1403EA2000E3EE870373D30461C3D3860043E947D1F3EEC05D2BDC061E0BC90C7E03DB01AF8BD6E5F6F3E1C5C2FBEC842EC3D54E337BED462A43D14CE323EB0E2F63C5044CDBC3CCB223E8AD137BEE4B62CBE1A305ABEA0941DBE009ED43B0C2AE8BDC021643D20380A3CD00E553EE401DEBDEC108CBD1E51293E247681BDD217753E305BCBBD007033BB489D72BD38DFEE3D882EC43DC65308BE66B0283E702282BC2C7981BD003FA5BB8029323EF61E7B3E6822F93DA02E333D0A13273E181AD6BD50C905BEBCDB93BD78B025BEE024DC3D008AC23C3C2CAFBDF0EACFBC006EA2BB92805B3EC885643EC21445BE78A5BB3D24B5C53DB0C5C33D809A0BBD8C0B803D80D6803D1C2A793E865B75BEA44AC2BDC03C2CBE205BF8BDE00C493D56211C3E3E9741BE6481263E5CD6553E505EFCBD40BA323DB66C03BEC0535B3DF85FEDBDBC73C7BDE25E2BBE7A7A55BEAA4A4C3E805001BD8043E3BB8CCEFEBDCA6E323E108712BEA815CFBD5CD647BEF24357BE6E46633E9EAE45BE305F0DBD203494BD108ABB3DB4F1883D4E3F44BE34E8653E88027FBE308FCA3C1019ABBC684D6DBD9C742E3E2425583EC863053D80D6B4BDB6523E3E48D6203E30EB373DB0098CBDE0AF2C3CD82B643E3018DE3C70CB49BD66BE58BE9A2F09BE62E4383E203C10BCF06188BC485AC73DE86D28BE10598ABC940090BDCEF1053EC456503E8EBE203EBCDC3E3EA6C964BEC0C4B5BD1084F23C506F59BE40E48A3DA6CD27BEFC65DB3DB6314F3EB6FE5ABE6483563E60E6EE3DA0F028BE9809753EF8B75DBE20582CBE34B1FEBD406A4FBC40E1373DC84196BD1EA672BE6067ECBC363B423E9C1A453ECC26003E68AC143D20707E3D545A45BE3C54CF3DC6C77EBEC870D3BD588D86BD32FD3B3E40CDEEBB8438E9BDD8E6323DD46B54BE488E87BDACCC8D3DC0A287BC9014D7BCFA751C3EFC7642BECE4201BEFACC773EC0C34B3D00CC25BDBE9A043E70011A3E901C2BBDE844D5BD706127BD58E9B93D10BA02BDFEFD143EA4C350BE1434FBBDB228433E6856063D60344E3DF864A83DD8F671BDB4C0CCBD7CE2923D24B287BD9081D3BDD849073DC0AF773DD0EAB8BCB0212DBEC0D41ABD0E1511BEB2BC063E22A029BE3A1E4C3E70ECCB3D98375BBE54FA3D3EEC2A7DBE80256EBCDED51FBE003B5CBE70EACA3C683FF8BDC40B393E7E3E49BE607C543EAC711A3E5A38603E18EE95BD9EEA1CBED4132ABECEE1543E08A8FEBD402AFCBCF8D51DBDA82A303D7C1152BE406C4E3E9C6C3DBE8CCA7B3E6856C8BD7491E4BD58C00CBD9087973D48BB3DBD1A807FBEF410343EA4907D3ECC28013EB2807A3EB88B8B3D107BA0BC1EE74BBECABE5FBE564130BEFCE781BD1212153E343ED3BDE0151FBC803A67BB805727BE40C2DDBB862E773EF29B4C3E7AF9423EA0FCC9BC0049913BA8F30B3E084EAABDB47FCFBDDE075B3EA0D8693C58DA2CBEFAB4573EF0F5293D88F9083EAE565EBE80063E3D20951C3E38BA13BDF68211BEC0D04C3E5824EE3D0CD2913D402C723D80CFB43BB8CE123EB8DA5FBD6CB116BE9881C33D7099883D7CF1C23D4079E3BCA8E307BDE0C5A2BC6C01873D9E7144BE729B6EBE9C96BF3D34290CBE9048ACBCE8F08D3D28A00F3D9208253EC03A063D60847D3D8051B7BC0827173DECBCBB3D9CA52E3E269072BEC447D5BDF8B765BEA821CCBD680D1C3E7C8F72BE726165BEDA3A143E702D17BE0A1A3B3E9C889F3D3C85803D9E5E4B3EAE216DBEB2773B3E580AA63D4E8C2BBEC826793DB4B18EBD0883CDBD30CEDDBCDC63F1BD16DB5F3EFA565C3ED079DABCCC0363BE20937ABCF04F873CA41D2B3E00C9033CFC03953D04DA873D3A4111BE1CCB1EBE1ECE64BE00A900BBDC949E3D609F91BC947D783E405743BD020C27BEF8AA2A3D542F90BD28610CBD1A0D783E800CEBBB6EA05F3E28C0083DA479BEBD54B03B3E32D311BE2086073C282B663D98CDE53D6A336CBEA0EE483C209184BD56FB253E6042AC3D4435CD3D2AEC193E104165BDE03683BC7E604D3E4E554EBEC6F330BE50D2953C3CD1CABD00956A3CE223623E6069EDBC42465ABE64BEE8BD161A6B3E40F660BD2C80E0BDFC76E63DE088FD3CC0B561BE8231553EF228103EEA825E3E040DE03D709FACBD1824A7BD6420F83DA08146BD40C2483D9C0F78BED017FDBD602EBE3DA0ED49BCF424F6BDEC4C5FBE0EB4223E60E24DBD48877BBE1CFC763E2027F93DA41F19BE3AD63ABE4660773E00D1883AD2F619BE7A50133E584C55BD504B8C3CE85B05BEA6D458BEF2032ABE60E0E0BCA25439BEDC507C3E8053313B8802C4BD4C5ACA3D2CF662BE26F102BEC84EC03D7E8359BEAC2EFF3D2025AC3C647455BE0A107EBE64D1A13D9401F23D40B44CBD905E62BE708B13BE20ABD93C4004153C680F833D5810353D80B256BC1619073ED052783E4833553EFC9E683E3CCDACBDD0C0AEBDF082E2BC7C53973D283FCF3D008DB6BC6C5B25BEEA2641BEBA74763E78A789BDB0690ABD68E41CBE3CD4FDBD38E9603DC0A5D73DD867CABDF873BCBDF2CA4A3E22D803BE6AFF3EBE90C21FBD6698733EA0CF5E3D487D0D3D6000FFBCB6F81F3EF4C5FDBD20922D3EF8E9713D00B4E33C68F80C3DB4E11DBE08223E3E0674063EDA3848BE5E5B6EBEC0CD83BDFC122A3EE412FCBD30456D3EEAB500BED43E67BEF038E13D4AB61ABEF06B21BDE0B19FBD80BBA2BC4E125FBEB4CD6ABED018DC3DF011E8BC506D1ABE40B0D0BBD6A869BE10E8873D7C26F33DE645783E6A8E50BEB055F8BC0EEE0A3E2C9D6A3E082336BEA894D93DEC62D33DBE551A3E947D30BE92AF363E3402DFBD9A941DBE90524B3D2EDE583E5A8729BE32AE083E708CEABC1473A33DB2B2473EB4048B3D228554BEA0269ABD983D4B3D8AF557BE603D2A3DCC7609BE408C4BBDD429B73DAA084EBE0E5B24BE8086E93DC4317DBE1C2D303E726545BE00E883BBE835523D0408CA3D14E41EBE78CD093DF075DC3DDA925B3E14A740BE548DFEBD6827953D207E03BC78C12CBE6C7657BE564F63BEB22233BE58FED9BD2AC431BE449360BE60DD9F3C0022163EBC66F1BDA0CBCC3C00FA49BB6C53EF3DAA8931BEC076423CFAF26E3E5EC3363ED4B97DBE08271ABD00BA183B780FA9BD3C3028BEAC2132BE881A2A3E18C2A5BD20CC83BC903C963D5A211DBEC08AB63CA245183E20AE15BEBCF5943D40E70BBC0CC20C3E601B2A3E24D6873D0087F73B665F5CBEE0DACB3D12131C3EACF8B9BD7C317EBE12744F3E905C70BDC0DF4C3D70ED8FBD3842233EE8AB793E8078203ED8F0A2BDF866333E34D2F93DB0CEC73CFC334EBE6CD9DBBD72487DBEAE382B3EBC0D7D3EA21F153E0C98A33D7803723DC46F763E60C901BE34E4ABBD5CDB65BEE0CCCABCD07B8C3CA8278C3D5C1832BE40FEECBCBAF152BE963D50BED078053D1EE579BE9C55883DACD36BBEA42132BED87954BDC84B74BEFEC04E3E56C1513E5AB705BEF081563D94F6023E28B3A23DB82B09BD4A7671BEC6253A3E6A8960BE00A53DBDC0147E3C849FA8BD3444BBBDD4405DBEC0AF613C508AE8BC722E5F3EAC8FA8BDC2DD453EA0E7413C5008E6BDB88673BDD068E8BC80B5293BE8B428BDA4F2973DF4D1523EB8F4203DF473B93DD0151E3EA0B95C3D5C04EC3DF448063E909E6F3EAEA369BEB433AF3D809839BC88E637BDC465C5BD48E8193E822F6A3E44EB50BECA4F0A3E5486303EF0F7323D0000413BA6FF443E80E1F23B18697FBDD03B97BC7C44A43D742C803D00FE5CBC0C9FA13D68E4893D06604FBE30287F3DD2A11C3E50DEEA3C50EFBABCA21A443E92A95FBE0CB2E9BD546BE7BD86325D3ED89B77BEB01DCB3C02FC77BE20B106BC70D7BE3D90776FBD1C82783E00A0503A3A8402BEFC06843DEA22053E003402BA56005B3ECA0622BE9875DA3DAE5D113E504EFE3D0050C0B85C28923DBCD548BEC0E548BEE0977EBC505700BD2A163E3E72E3393E88942D3E4C83EABD30F848BEB22070BE604CB93D54AD66BEDE8D7FBE986001BE4C2458BEE0C5C9BDF62921BE3E5603BEAC62733E30F840BDA45C543E80C2B53B10AE03BD8CE795BDEAFE36BEC4AE4DBE8E42313E18C79DBD449879BE54F06A3E40F5973B724D2BBECE3A49BE28FC56BE947960BEECA8673EA682303E9081A73CA62E5ABE1CEA85BD2C7C70BE0C72B03D30F287BD60215BBD3CC09FBD4C0DF03DF2910A3E2851603DF83A00BD4064CABC00258FBB4EA23EBE0ECC793E10D1DCBD4AF1143E58830FBE00FADB3A8845AF3DE00D6BBEB4DAEA3D30F443BE38E50E3DF80E4BBDC2BE123E82CE783E48C6663D40EAE9BBF0AAFDBD60E4BE3DE86FF6BD847DD33D38EADDBDFEA52D3E785C443EB0F91C3E801E243BD06FED3D8A4669BEEE9B4F3E1C0685BD28A7BA3D18672DBD44ECABBD2070F0BD3820253ED0460BBEE89334BDA423013E5069CE3CF46557BE588F7EBEACEBF8BDEE1C6C3ECA0536BE34170D3EB23F373E0039D4BD481AE2BDFA2C38BEA8B91F3DD8260FBDE000473CE015DE3D40F5D63DD488A1BDB0A88C3C603F733D8060AE3BB0E94C3DEC67CFBD22D6513E6010D2BC180403BD64C365BEF69039BE80D3FE3B785D1EBD2EB600BEDC00063E4059B7BC7810B43DC49E573EF463EBBD00FEFBBD18C54DBD406DADBCA80A00BEA0D875BD4020ECBBCCA9E53D7AD76C3EFC913D3E00C0D83CF00E81BC7426833DA03427BCF06206BDC80FB03D1A4850BE38B659BE00BB843AAC2F9BBD043FFDBD44526EBEF07B2B3E603323BCDE8A09BE688FD0BD3C9B863DFEA839BEF088833C800B4ABB586BAE3DB41BCB3DDE4327BEB013DD3D6A4F413E60D9833C9A6B023E38D6C1BD78654B3D089B953DD47BECBD120F1E3E1C0C72BE6053C0BD94A016BE9AF817BEA21F1BBEF83971BE50BC2F3D78904ABD048E57BE00A0D7B850942ABDB036D33D708548BEE00990BD40C6523DB007D93D50EE9A3C48C08A3D04E87F3EEC5CB1BDBA792E3EF2835C3E367662BE20B3773DD402113E18BB1FBD36490D3E20520B3C74E3423EC062B03B9EE523BE906A423E6045983D06CC593E80337E3D16F0073E729E1F3E906D2C3D880B6EBDC87D533DFA7E32BEC0EE0B3C7090A4BDC07B813CB2B04ABEFC6B1C3E56306CBE7442DB3D6A97283E7A9F6ABE704C673E6A4E3EBE481449BD9EA8043E4C5BA2BDB424643EC4DEE1BDF81809BDEA5727BE2488EDBD0AD1793E3C87403EA0CB963C4064A83C8A3D59BE4044413ED88619BD548DD5BD06BB4BBE787A523EB4C8F23D3A321A3EA00FD43CCAB62DBE9CBBD13DB031EC3C74D0AB3D10FC7EBDE09EF1BD9628523E84A1AB3DC8CCCFBD60E2B63CA8975EBD6023AFBCEC8D0F3E4EC14BBE40B0673E644D2C3E00406139E86CD1BDF0C8503DD47229BEF648263E6A6307BE18A9433D58DC7BBE102FF53D7E4C2D3E0826403E102BA73CE826173E7492AE3D7EAD2B3E7A76103E4AFB5FBEF0E6D73CB48CAEBD607AF4BDB430333E308F12BD48121F3D642F213EBE512C3EBC9E083E78C732BD723264BE90C175BECCEFA03D806E42BB6EBE21BE709BDF3D5E5E683E6010143E487410BD385E0A3D164B23BE0CA9F13D0A6346BE8EBD303E08DBE9BDE010CBBDB66D56BED89F77BDF019C6BC24FFEBBDB83B363E5CEB123EB4EF61BEF0DCCCBC2024AC3DF4FC763EF8D974BD842A1D3E407865BCC05FC4BD7AA91C3E7C1E64BE167A563E3EB37F3ED8C98BBD5040CA3DC8487F3E385C9A3DE039C83DD000BC3DE478D1BDE8F4793DF67008BE1C9A5A3E3866DBBD70176A3DC45094BD6606003E0008873B2EC30C3E1CA48ABD4A3916BE184CC43D6E1210BE102F52BE04D1C53D6AF719BEA472C0BD20B07FBD606C913C6053B1BD1045B8BD70AF80BD1867333E8C4E993D087FF6BD76F430BE80CFBD3BE806A43D006DABBB24DC153E0053573E0410963D50DBA83D9A85143E9866AFBD80A3353DD6F84E3EAC2DF5BDE0649F3CCC2BC8BD30D844BE8698073ED28E4C3EDE4C0ABE14E4BF3D68009D3DFCEAC73D36EB0C3ED6FF6E3EDA4D423EAE0060BECCB7C8BD5AF6073EA02412BEC011493D187FDBBD88604B3D58D3F93D7CEDA03DB2F7393E4072F6BC9AF90A3E1C86A53D985BA1BDDECD34BE88356A3E54A798BD5ED3403EBC5D213E60F024BC487553BE90DFA43CE082F7BDE83A853D9483CBBD0C50453EF2F866BE2CD589BDB87B213D805FC33C3450523E14C6A1BD6A5A4CBE4A7E293E74118F3D62A3283ED88317BE465C16BE24D2CEBD809B913CF47EAD3D921C13BE40D2C0BC48FB30BD7295693EDCA5B8BD0015783E34031DBEB4F9D2BD728C40BE64983C3EB40B30BE0CEFD33D1024BCBD3C1B7F3E2871103D90505EBEF03B303D90FEF83CF69A77BED8814D3DA03F743E6857933D0043AEBA084754BD180F883D9C1AE4BD96197C3E224D5D3E7C30EF3D84B5BEBD585F70BE4C5F13BE4EE8783E16FA6ABE9C6E74BE609B93BC98E4A23D78CB7EBE0AAD6DBE0027B23A04BEABBD9E59323E3400933DBA365EBE34BC66BEF6CE2F3EA89335BD64FADFBD2C45A13D804049BDD8DCF43D90D6813DB8AEDDBD6A2E4DBE66950A3EBCCE19BE6084E2BC80020C3DC8FB14BE12730B3E361134BE40807B3D1009DB3CC0DBBB3D283E7BBE809B6C3C649AF93D44E523BED8637D3D0065803A762D593E28D458BD00DEDF3A1CB0DEBD285E7CBDE892923DDCE576BE1834423E0217383E6CD4D83D14A43F3EF4609FBDE83D693D0062503CCA0531BE10D6C4BDE8C3B5BD00307DBDF24F63BECE0A34BED07BC2BC28C61BBD106268BEA0CB5A3DFE630B3E4833553E5873573E56E232BE3C16A4BD28E4F2BDF8CF3B3D2033893D78D3633D4C99153E540F073E3E6809BE48BD2F3E88B02C3ED882073DE6B95EBEE6021DBEA4AE8E3D2005B13D0CB56E3EBC4A023E3092B93DC0B30BBC068F2E3E605CBABD4078D03DECDBF3BD00EC18BB6E4B173E74EEEA3D58CA65BD00754FBB361D0EBE5C28ED3DF6412C3EE83DB03DB8B877BE2A4237BE76612B3EF09E12BD8C371D3E0CB33C3EA0FA95BD683316BEDED770BE7CD9C33D604C033ED88631BD008878BE6CE424BEE0B15CBCB0ADE93DF08FABBD424325BE883832BE",
      torch_tensor_16_torch.float32_7: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_6: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_2: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_5: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_4_5_torch.float32_1: "0x04000000000000000000803F00000000000000000000000000000000000000000000803F00000000000000000000803F00000000000000000000803F00000000000000000000000000000000000000000000803F",
      torch_tensor_16_5_torch.float32_1: "0x040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_4: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_16_torch.float32: "0x04000000B07CA4BDB491F73D488B1EBE9AF9743E4A69363E78CD3F3DF4C8E33D9C41B23D9C1017BE00DE0EBBB887883DA02167BD727D753E2472C5BD36A064BE40C0F3BDF8966DBED2F4523E70D7E5BD601D34BEE062DDBCB67E2CBE44BA05BEEA82023E243440BE8C74F13D60AF3A3E000013BAC458E33D8E660FBE12A2473E64B0783E0857733D6049693E1E407EBE40DFE0BC30764B3D08835EBECC27F93D7021C3BD742EB9BD341D4BBE9050D13DC4453ABE704C59BD4C72E33D4CDB403E608D673D74FFBEBDC8B3DEBD3AB00F3E98FD3D3D7880573EE0CFC03DA23A4E3E7A494EBE3ACE4D3E943DEBBDF40D89BD0021C43A580840BD988D4A3DEC1E643ECAF418BE90339E3D90BF4DBEA8C8203D4EE5523ED49D2C3E943A5B3E3A940A3EF070A9BC74AE853D0CF1D5BD744C593E302E003E1C5F3BBE205A5D3E002073BB801336BC78208CBD141687BDA0014D3CFCF3F9BD0A226EBEFCDD03BEF0C54BBD2651413EE8533C3E0C6219BE80461DBC88C593BDB2F308BE581134BDCCA6B1BD62170F3E98EBFDBD988B1D3DE87610BE3CCC9FBD8087493EFC5BFBBD804B76BC147E743EA83DAF3DC04D02BE04B419BE908BB3BD1855A0BD08EBDE3D20A963BD82E8573E66760CBEB41AA0BDBC68BA3DA2744C3E48E3743E38E6233DA0A62C3CE864E5BD12A5103EE26314BEB89386BDC6F655BE961A76BE78170F3EA0228B3CA4134C3E04B54B3E3A56063E44E6CC3D74DF84BDF0F6073E4C34F63D403EB13D407AECBB60F4183D0063913A26C939BEC0B56D3D7C323CBE506CF83DFA8618BEBC3EA7BD50D1F2BD4C104A3EAC4734BE94B7023E4A64003ED402353EA048803DDE8E0B3E365E4A3E20B4493DCC16AE3DD42C48BE6C5589BD30B2B93CE021F83CE4E3B4BD50C87DBEA02685BDBC03C43D1E6F5C3EEC2C67BE4C72F43D66E972BE32D074BE905120BED84007BD9CFF8E3DDCB042BE8E3B453E7880673E00037C3C4061503E50CAE7BD648BCABD602404BD80C6DF3C049532BE22FD4CBED041CA3D909F933DD46F7A3EC0BFD0BDD0CEB43D989CCEBDA0BFFC3D00E662BC5CC63D3EC0390E3EBC14553EA88E033EE0E2193C1E9D5C3EA85E16BEA674713EEE287A3E6E8C743E782AEFBDCAA407BED092813C886F9F3DA26A003E5C3BD03D36FB593ECC4680BD40F9A7BD5C9FAB3D78AD8E3DF65415BE9017C63C325E42BE7C3496BD3CF2C8BDC467603EC87166BE182617BE7E877ABE1021813D560A45BE20A7A53D08D231BE1CFD23BEBEC802BEB0AB193DC63B6B3E60CC6F3ED0B99ABC4EC07ABEEC26A9BDFC20C3BDE8CC59BD1CA1C33D02D4003E0402E33D1C43923D9C45CFBD00CE2DBB6852023D28C302BEE034B7BC50A6FFBC40DF71BE568C2D3ED00ECFBC3C4D5DBE5A8A4A3E38BF09BE4045B53DE0E07D3E409D3D3CE44D933DAC6ECB3D867B413E",
      torch_tensor_4_torch.float32_1: "0x040000000000803FCDCCCC3D0AD7233C6F12833A",
      torch_tensor_48_16_torch.float32: "0x04000000DCF062BEF00982BC38C7AA3DC48B993D0E39563E6A8F7B3ED6E5683E5CE02B3EE0FB333E602004BD02AB46BE7C11BEBDF0EAE5BCC6560ABE18DC023ED8B9B33D7039253DB05B773D40E2603E887CBA3D1A7F60BE52D339BEF0A9E13DC88C0B3DB8B2F93D1CAC7FBE2A416CBE68FC1C3ED2BF233E249B67BE0059C23D68E547BEECDE413E24A9A03D24217D3EF8697CBEF27176BE06152D3E6048633E98D81C3E4A322A3E189F57BEDA4B393EA0B371BE68C3643D5CB027BE345DCBBD8851353DE44EC9BD300522BD9EA472BE246071BE7454C63DF4B7D8BD6CBF1BBEB006CABD2C4C51BE7EA54CBEEE2E193E281C023E8066083DACD70BBEC857AA3D8003383CCCF436BEB85A5C3D6819693EA0CD7BBE7C907EBE3033033D12C6403EFCC51BBEA06B613DD8F6333EA4DB9D3DC89A5D3DF86A7F3EEAC6263E38FB0FBEA005B13C88C8023ED2C4613EECB37EBE18A00A3E60A694BD3EAE7ABE284D633DB25E0BBE001D113D0C3526BEBEA540BE60C6ADBC74FEABBDB2B9153E2093B03CB0D2473E90E63F3DB0A3A4BDBC652D3E80D35F3C4032403DB8ABA4BD00326B3A40E344BD901DAEBC2CA647BE0085C9BAC87D54BE404B5CBD245D143E7A0232BEA88E2CBE68097ABD4C5B8CBDB0592D3D00002A3D14D1013E7A5A30BEA08790BCB62D0F3EC66E5D3E706495BC742014BE4C2E933D44C9113E9CEF1FBE1C8E14BE984DE23DC07E8FBCAACA71BE149B13BE00A2CF3D70A8ADBDDAB2303ED2604A3E10F6143DF0F1A1BCD085A2BD201E4FBCB0633A3DBE8B43BE48BB74BDE8F054BE0A1F1D3EB40723BE02DE693ED8FB83BDF4A712BEF4FDF53D30A8183DCC44313E98BED53D6A9D76BEE4EA213E58D540BD084AE2BDE492223E64B53A3E9A0161BEE02FB9BC983A523E744AC63D12AC573E3476AFBD70380DBE0A235C3ED069D53D6AC1753E54DCD5BD7E5E24BE500DF0BC620B71BEF8B0C83D98D23C3E78D1753D405BCABC54DAFD3D107F22BE246E7A3E4E8D7EBEE63B75BE10F971BDB81C513EC00ECD3CA4A1C43D56A63BBE18B8BA3DC0D9E4BCC038CD3D50CC343E688EDE3D2036AEBC604F7CBCE28E20BE0431B9BDCA5B263E6C4FCDBD76FC1E3E3C06CBBD087D6EBD0058AE3B20EC6ABE009823BB006ECEBC20FCB7BCB0B34CBD18D3493EBAEC3C3E80812DBE74D6ED3D4CCD48BE32F059BE58829C3D80C9703BECD9EEBDB8E976BEB436C6BDFC01AB3D38F46CBEF6B178BEE0EA013D686C38BECC4660BE3C44C5BD68DD24BDE8A068BE34F02ABE7048863C986671BE80ED0FBDC64C25BE007831BE5C3BC93D620A45BE6C0142BEF8FD113E18743F3D7A24693EF4DA88BDC04DF7BD0089BDBC00C9A53AA83C433E18FF7EBEB0D191BCFC7BE23D90F90CBE841502BEE06EF73DA04B75BE88A4723D163146BEE47EFE3DEEE35ABED8631D3E845672BE622F57BE0073713B9CB9493EBE3C5BBEF061E4BD20D7603EE0B82BBD1C1DD43D844576BEA403A1BD4A0102BEDCD2573E1C80D43D06CC3ABEB018253D004F3CBB885DD2BD143212BEC0E6A9BD36C9493EA28337BE225C36BE38F69DBDC0828E3B5C5F8B3D80D3F53BC88076BDC4391BBE30BD37BD781BCEBD6CD44E3E5E3179BEBA4A23BE724750BE98243BBD767E473EE064603EB6DC5EBE807731BC6A43163E34B0E13DCAB0513E403BE3BB2A012CBE105A293E8092AFBDA28D043ED8597CBDF0A5D93DC840663E020B6E3E06FA68BEC65629BEECB1D3BD604023BECCA1753E80E0B4BCB0D029BEA8D5E3BDC4670DBEFCE3D03DDA4B5FBEF8B16EBED85A7CBEA86DDC3D2829FD3D0AFF1EBE18EE7D3DACF93C3EE0C9143DD8A858BDA04F973C309ADBBC52E5003EB0D32DBE78D1013EA249103E9A1A1BBE500A513E76707B3E58D8C9BD88688FBD7428FF3D3E8E48BE7879CA3D70E76E3D4A5D213E045D5EBE50AE54BE40F4E53D8C6DB83DB2466EBEC6C20EBE083C6ABE7E6737BEA403E7BD90D9533E00D44BBDAE08133E4A1E733EBC55E93D822C65BE34D3003E644BC33DB26A463EF4867CBEB0711D3EEE8B513E622C6EBE5046D63C528A5A3EDE303ABE40FFA73DC03DE23DAC30863DDC887E3E8A9B513EECA25B3ED046FFBCDEB5563ED4916EBE26250ABEA8035BBDD41798BD42776C3E1C7EF13DEED0243E34222E3EA03B3FBE9033EDBC7887153DD82A853DC0A4033E70BACBBDB8629ABDAE34563EAC6989BD04D431BE04942D3E105A2D3ED88BA0BDD8B74CBDB4E53CBEB4C855BE9089C03DFCB8DABDEACC4B3E8AFB4CBEE08A0DBD40E1B03B0A92033E4C304F3E465D2D3E6061E13D3C01EBBD62D236BE580565BE402E4B3C124A783E488042BD806F2CBC9E083ABE60309D3DBC4C223EFC647CBE5A4134BE069F3D3E6872723DA05E7FBC680C373DE0B01BBD5EEF32BECC366FBE8C5F283E1095F3BC7826BEBDAC2784BDD8A00BBE58A597BD0CC15BBE72933F3E4412D13D361B01BE9CC0AEBDD0B3E53DAC98BDBDDC02873D90F98C3D782621BEBC41803D409C7A3C16965F3E7840B9BD7C9E83BDDC915C3EDA0C51BE00F7933C16A8763E7C90E5BD326C753EC228633EBE2A6E3E306DC3BC0C96673E9C16DFBDA042AFBDB4A7C13D3051583D66200D3E2048733ED24020BEB4DD073E0C4CAB3DB40E073EB8C6F23D1886BFBDC6544ABE04E64C3EF6FA11BEF2AA233E72E073BE882731BD00A72D3B182D313D408BA53C9C55A13DA008E4BC38C87A3D66557D3E34A525BEE0A05FBC3471C3BD3A9F603E6E255B3EC063DFBBD479B1BD7A2C1EBE9A2D373E60088DBC6E1A713EB0FC113EF613603EF8794A3E105C26BE10DD953D2C4ED4BDE672003EA022B8BC904BB13C460D31BE34CB64BE2CCEC03D70F66D3D20E5B13CB2DF2D3E50CCD5BD0CC0B53DB6FE0CBE382C543D18C769BD9C48333E16DE5F3E92575E3E6041383C20F6163E88C77FBE0A2B16BE3803373D00BFB63A8AFA48BEFC9DE2BDB821EFBD96A27DBEC051C33C80832E3E54CDCF3DA044F3BD6E136BBEF0884EBE80F4973B161B303E9058CFBD164D0BBE9A9008BEF04AB1BC921C73BEE2E761BE06017C3E582EF4BD40B138BDACFC88BDC8E560BE308634BD54BB9C3DC8E6CFBD20922EBC00BF9CBA68D97EBE160A3A3E32CA4E3ECE8A2E3ED423A8BDB4C6053E26DA6FBEF0527DBDF84350BD08D0B4BD400AD73DFC4BE9BD005FEDBC7CD793BDBE6770BEA01A29BD34F458BE5046153E90D2083E9AD16F3E58EEABBD604A503C9097483D408B7F3E2EA76A3E787D04BEC2D459BED4BA66BE008FF6BDCA3D573E7CF4AB3D9E00773EA6C03D3E80876D3B9AA91EBEF2FB793E185B4D3EB4AADD3DECD70BBEE8AB493E9066BA3CA046293E18B1D53D2AF0073E44A260BE7AF20DBEA08A193E005655BDFEB65EBE64CE683E0028B1BBD6824E3E0A1848BE4847B03DB8DAC0BD1C75D7BD509355BDC483BDBD1E470C3E208F42BD8E1A423ED8A8693D40391EBD8EDD13BE8C696ABEA05C95BD68106DBE98B73DBD80E4853B20FB83BCC880FBBD28AE313E8E2C103E484A7CBD504BCABDD6F1203EEAB95E3E4A676ABEA03E5DBD100FBEBC0C60B9BDAE8C5A3EA84117BD9A0C593E00FEA13A3026DEBC425315BE483EAABD48FBA43D107AE23D80BC11BC82ED733E9E2F31BEC44EC43DAE92663E380E32BDA03D4B3E400A873B4CB43FBE20720CBE0893BE3D4491DDBD8848763D28F87B3E98EAAD3D00ACBFBC30F47F3D287E13BED41A57BE626F40BE6CCF56BE1025523D4075473D6895D9BD14687ABE2AAD0A3EBC4111BE58F42ABDC0A656BEAC6C10BEFC95D53DA8856EBE3AFB11BE52EE3F3E0E4A03BE6412D5BD94C18FBDECDBDA3DA0ED27BEF057CD3C281AD13DC0AB94BC8828393DFA4943BE9479E73D7859BF3D487100BDC6AD53BE98C9CC3DF60C273E101B33BD2C53F13D08C7BD3D8CC8CCBD402C8EBC0ED57E3E00B39A3A18CE4BBE705B95BC5CB7FE3D0021A7BD201006BE22E3523E506D073E68F82DBDA042513C209AD8BCD0BC6D3DE091113C20EA1ABE88B83D3D8042D63B1069843CF41DC3BD9C2F833D6E034FBE740C993D86B90A3E9063E1BC60DC46BE003C6EBA0010BA39863C5DBE4C1135BEC8C86C3E0C713F3E40E00D3EA258313EDC19C53DEC12103EEA8D293ED8366FBD482C02BD368A363E00D0BCB8649326BE8A8046BEAC2C0F3EBE0C543E10D0463EC0692A3D3AB6303EC80A6BBE427038BEBC5476BE74414E3E804014BB08C2EBBD443FAD3D90A8BFBD222F24BE407AC53D407E3B3D8A5337BE129E28BEB00FF03D0EA8423EC0B8A63CC09500BE503BF73D5897323D6A1F60BE46E625BE4021603D00681E3E",
      torch_tensor_16_torch.float32_3: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32_2: "0x040000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_16_torch.float32_1: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_4_5_torch.float32: "0x040000000000803F0000803F00000000000000000000000000000000000000000000803F00000000000000000000000000000000000000000000803F00000000000000000000000000000000000000000000803F",
      torch_tensor_16_5_torch.float32: "0x040000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_16_torch.float32: "0x0400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
      torch_tensor_32_16_torch.float32: "0x040000008EA1963E521D4C3FCFD1A13F6D7C6F3F80A30B3F28C9C4BFF5F79F3E8D743D3FD6A0B93F6F3F834006228F3F748EC8BF09F032BFFC0A133FDB789E3F70FA23BF7EB443BFEA9E763E826B2A3E0DD60EC0ADD1B13FDE9800BF2C00D73FE41083BF5ECCD73F55DD9BBFA3D4433F2B3B993F277936BF774C86BD3C1E0D407B80E43F82FD41BC77CB7A3F607488BFB4CFE23F31FB8EBE06C68DBE94B93F3F7AB924BF80A673BFD6048B3E98EC2B3F38CCEC3F0D71983FD60017BF2CF6763F6C32C1BFE45D10402D499D3F528EF8BE803AE83E24FCAC3FAC2BDE3E7C6403BFD27D3EBE11238D3E7DA5E03D7006B83E02F540BFBAE76A3E7B4682BEE23DCA3FA73A7ABE697C99BFCC6BD2BC3AB4E63FB7A287BFE8C759405B9411BF4E73F3BEF81FDF3F305051BE1101A2BE6599A53F8E31AC3F3299463EA42CC93FDBF5C3BE1892B23F587CAF3E0360CDBFA45916BF0FB3193FC827E03E088AC5BDFF18A93EF40440BE0EAAB6BFA1B1173F9D3F94BF0C7A123D67325D3E38846ABF35A9C73F9FD649C06AA40FBFE74FDCBE7E9CAABE58F0C5BF2E1F71BC77D09C3F5CFCCB3FE7D4D0BFD2F768BD5531213FA8D68A3E969C2FBFEABF8BBF54FFD63FA97D61BF087D143F597CBA3EA17FB43DDD48A7BF93D434BF4A2828BE24B278BFB2F283BF17B4253F903043BE7076373F1A0300C0D6371AC063B0603E4374D9BF359BA73F4FA5D4BF6ECB0BBF5A5321BF6E7822BF9D83793FF5E0563E94DBF43C38C8DA3F51CB39BF880646BF7EA1183FBA0DA0BFCDA2923F82453D3FCB68A03F8898E3BE1186513F826951BF597BB83E96ABCEBF8E4B1EC01718143D3137AFBE2E6DC3BE71F968BD51F7573FD2D02E3FC73D5940849AD5BFA1C7023FA36C92BEE88BAB3E0A02963F04D3A53F820F643F5DCDFABEA31996BF36E22FBF516E15C07D98C03DA1EE4EBE95CF73BD04C20040F66FACBEE5E6A63EFF02093FC094FC3FC07D54BE7677FABC06C5013EF3BFB53B9B594B3F7076D03E2CC8B8BE6EB6A73FB10D77BFC06F613F16DED1BD88502DBF2142D2BED32CCFBF4406023F48AB14403A4A6B3E4E9707BF07915FBF61A38B3B6F02A1BFCCCF8ABF43C3403F28B5A53E1DCE8CBE4A1EA73F78D5583EA53E8B3E98456DBF7AE92EC0B06D10BFAE498CBEA4220F3E1F31023F04E08D3E2D337BBF728B633FD6D4C83F59A2A7BD92E4B2BEE6484F3EFEA693BE54DB173E7ECC1A409FF7A93FB01887BE479BBA3E2AD122403B202CC0B5531C4061FB293CE2197FBFFF7E7A3F5D04E2BE79A785BE36484C3FE9B68DBF2628154031D843BFED2EF3BE4392FDBE041F4BBE96C00D401AF80BBE185382BFE8AF363E5B7A03BF697E10BF2C1A6BBF67E33FBF356CC2BD2FE98C3F2DBDA73FD2EF95BEEDD049BFFB962DBEEF300BC02262383F0026923EDE866A3E2942A43FCB89B0BF066F0A3F82A372BFD3FE4E3E4795B3BE77850B3F6546C53F47A9193F5310ADBEFB2FCF3E16A4643FA71FBABFC9FF973F235B99BEE1F61240473DA93E662F0B40627B9FBF83C81F4048F634BFE641933F8ABD0CBFC9C5503FEE08004027F2E0BEBD21DDBEB423F2BE6ABAA63E3F3F79BFAE424C3FD1C312BFA4FE523EACDD5A3E4D53743F00AA3B3F5144BABF59EE02C0255335BE9AC11F3F342ED8BFDB4C513F4E79C7BEBF88A33F2AC2033FDF70B23E01D984BF816C75BF7C0D6B3FA643FA3EBAE27B3FC3027F3F033895BFE0DA15BF4FA93EBE81649EBFF989973F192548BE0016ABBF7E8B863F957283BF9B3293BE638AEC3FF64619C0C5BDD03E92F62DBEAA8C153F8374863FDA8DA43F1FEACEBFB8DA44BF18389CBF86B8123F90FE323F608A803E3A918E3E80CFC1BDA922CE3F782BF9BDF472B2BF23A067BF8582B1BEB776343FA138FA3C5DAF5ABF02F0093F0DC806BF5080AABF13C7C53F6F37D13E447F03C0BBA1063F7D76193FA9CDD0BEAAF2E73E9D98C8BE7EFB0840CB2653BEF17FC9BD278FF83E5C23353FFE64303D03FEE0BEDB152DBFD193DE3F193A71BF544688BFE5386BBED7D1A0BF67980E3FC365213EFE76833F18599D3F8551A0BA2E9FE7BFE04B313F105F993F4D89A83F5857B2BE7A8F9A3F1ED825BF54CA063F156773BF285109C09DF2C33E40CAD1BE1B153DBF13E0D33F1637053FE5326EBE65ADFE3EBF7B893E5C0ABD3FB3A7B53E73F6CF3F8AEA173F49DADCBF6A3C1FBFC6C7CCBBA72B653F2F4FFCBBE005393DEC4F143FFA8FCABF8D7916BFB06FE9BD6991333F353C0EBF4E6DC3BE513935BD5C03053FA694423F05BF83BF450DA0BF3AD8E8BD76301DBFB65E5A3F14D21E3EDC8E8D3F07178C3F6AFD113FEABF463FB9ACADBFEFF043BFFA0A56BE1BC687BE802147BF3D20B43F0D923EC08BA413BECF9459BF6D7D98BEA545084014B3003F551863BF57ABFF3F6464D9BF7E082CBF6CFF42BF9B0FF5BFD0958FBFC5821ABF66D01AC05DC36ABF96AB333F9B8F41BF8CB0C03E3061903F5C60B33C9532BF3F69530CC0355EDFBDD4D3C8BF9EE00E3F4F6188BFA71ECE3ED67BCFBE7C5715BF125D84BEF2051BBF96C240BEC8A8753F17152E3FA8EB44BFFF4395BD90BFB8BFAD91A1BF0593163FF96560BF988384BF618C9BBFDDB22DBE5610153FF5E1F13F8B9F8A3EC4EA3A3FFBDAA3BF4963B7BE25EB7ABD2A66AB3F058A87BF73F4D43EE7B547BF0812C8BCF2CB71BF23D39B3DE4554740798E4FBF77778DBF9E2A39BF89C9493FD1A8AE3F3B4FBF3E380E80BF7069CC3A5FB706BE8A3FD33DA755BDBE232B36BFA65FF6BDE2809E3FA5494B3E0D6B4CBF45568D3E5717C93D98DA1E40ADAF99BFBDAE823F2921C6BEE40369BDEE008CBE97137ABDF936083FCEAD65BFAA9CA6BFBDB8AFBF7970D83F71A5ECBE",
      torch_tensor_24_16_torch.float32: "0x04000000851B90BF8A8093BFD64B80BE5D25DEBE1545593F8327313F6DCCA1BEC15F07C03801A53EF4B4A1BFFF30B33EBBC39D3E776FF53D936B9E3F8EF28E3F7C367DBEC223ADBF4614D9BF0410113F5D234B3F8B4D193F5B0DC7BFCAC6AEBE4E2FED3F6B0C403F2BE315BFEB8E31BEA4E13B3EC0D6B13F000DCB3F9C40723F33FB57BFC8131DBF6467013D2840FCBE70607E3ED01FE13ED637E63DF80A243F3CDFE13EB987D1BD9CDD4A3F534F94BE1712573D2FDA053F55571340B704BCBF9E18CBBF9F4F2CBFDE715F3FF415873FAA1C363E10DD6BBE0894C8BE5D150B3F1752CABE9476E4BE24783E3F75AFC23FAD455A40D9FDC3BF23F89DBFC2ECE83FFC300DBF3EBA11BF3F836B3F392F8E3F981AA53FCE34BDBF8B4D2440C23CF2BE4FCDAB3EC18DD0BF00BC0CBFD6ACF5BE42D6FFBED09288BF57B68E3F2C0C10BEDE454E3F5C2DBFBD86E22F3FD69B56BF25C9693A5F86573F47D1CCBE170D853FD85FB73EACE77BBE6E5C134031DBF0BF90AE4BBDDCC185BF3DDD74BFB458093D3CC8353FC5ABD23F041AAEBFE16AB03E0D16053FAD4027C01326D9BF37B869BE43568F3E46DA7C3EEF769D3D190FAD3E59A7E83E0FF4E93EFA885DBFCC03483F12426DBFF01560BE1CD81BC0555495BD55350BBD9967763F2EC6B23EEFE46BBF812C66BD2B691FBFFE6CEDBEF7FCF53F731ACEBE95C0FD3DA017953F35626C3FE492B13FEA2462BFD47BD6BE1C094EBFCBCB103FDB401C3F5C0BEF3E22AFF93F9D1388BFF75C9EBD6A62EE3DC80F18BF0A399FBFF115D1BD504B84BF3212A0BE30AF7B3EBDEF84BEB25AF23D74D0793EA211953F41C0933E24F0C53EB3E34DBEB483F1BDD4CF443E13AC45BF843EF3BF4FD0053E9C4C34BF1B23A13E9A2B213E434EC53EDC96773F99B77DBF076C9A3EFAC8DBBDDA9A7F3F8B57FFBE2AD8423FF7481E3FF9CAA03EF7735A3E36DDF5BD2D8EB83E32C9A0BE1B138ABF0897763E93B7B2BF887687BD517AB7BE41E1C7BFCE93B5BE96608A3F2FA2063EB469C93FCB0B483F77118ABF8C8D38BFEF42BC3F08208D3E2AB22A3F52907EBF143D98BFDF1499BFEB430FBF9C91083F7153D03E3F07CA3E92A02F3E7844603F1FFD92BE1AC5823F5D5C98BDFCCD8BBFB0B7C83EDD32183FCB8A293F1E689ABF2B811B3F78120CBF3EE6953F0EACC73DB79F763F6C1F573FC277A0BF4AA17C3F6D43FDBEC13AA4BF6B89743F464CA43FE0752ABF9AAC103FDC4D933EFFB308BDF6EB87BF4558EABDB6C9AFBE351FC93FB136443EBD87C23E303B14BEEC3A233F460590BE5939AABF476B11BEC7BD08BF2BFC05BF8B8B5C3F051063BFF0B9563F1192933FAA6BE1BFAD26BDBFD5B9E0BFF8FC9B3DAD0F8ABF225DB83F357FE2BD1DAD133FF93B2DBE791F83BD21EB843F9625683F8D76F3BE0DE95EBF7B37143ECD90F33FF5E1C73E1A4521BD482D4DBFFCB7FDBE5F18B9BEFBC9153F06F893BF3ECE12BE146A47BEDE3BAFBDA17FB23F71CE183FE637F7BE4771BBBEDBDCA9BFECFED83F253104409A926FBED012353F087E143FE45E893EA7C503C094B5083FA40F09BF26195DBF5777C0BC47F9953FBA20CC3E157C4BBEDEF593BF8222A2BE60B7703F68CF92BFBC0D0F3FAFB04A3FA51B3DBE71553BBFD52CA5BD43E57ABFE7C5773D4258FABEB15050BF2EEB513FA71722BF86BAA53FFD3DBB3FBDD41EBF14077D3F7446DDBE468B1FBF6B6F5DBEAB33FABEF275493F8758DC3D2E2689BF06E5EEBD192C82BF5B5799BFCBF5F43E0E619DBF5A5DAFBFC792C53F100408BD3256D6BE93DD82BEFB5404BEC09E5FBDD312D13EC22C903FF6AFF73FD3FB803F1998803F4EF6DDBE710D9FBF236CA43F719F793E3DC6073F4C126EBC02160FC0E0A6BB3F190A9CBF43EC243F2F857B402AD2FEBD0737973E40EBC33E8ABA0CBF20797EBFA947AC3FA80BF93FA52AA5BFD15D16C03C6804C0D2CF683F9FD231BF7ECFFA3F3B4A8DBF45880A3F96FCC43FA8038B3F338A9F3F79ACEB3D7845CF3F3D69ED3E807EA63F098C5F3F2661853D21F3453FFE5A78BFCB3E63BF5AFAA2BEF636ABBEDE97E83EC676FF3E71C4603F4065C73EC633BB3FD381F53EE78C08BF92EE0DBD9D44283FCB589FBE77DF0FBF598CF7BE96D4A2BFD53132BE98DA0D3FD5033ABECB1970BE"
    }
  }
#-}
