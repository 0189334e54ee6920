#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<()[s0] -> (s0 + 1)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
#map6 = affine_map<()[s0] -> (s0 * 2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> ()>
#map11 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<()[s0] -> (s0 * 16)>
module {
  func.func @main(%arg0: tensor<1x2x?x8xf32>, %arg1: tensor<1x2x?x8xf32>, %arg2: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c8_i64 = arith.constant 8 : i64
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %c2_i64 = arith.constant 2 : i64
    %c16_i64 = arith.constant 16 : i64
    %cst_3 = arith.constant -1.000000e+00 : f32
    %c-1 = arith.constant -1 : index
    %dim = tensor.dim %arg0, %c2 : tensor<1x2x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = arith.cmpi slt, %0, %c0_i64 : i64
    %2 = arith.select %1, %c1_i64, %0 : i64
    %3 = arith.select %1, %c2_i64, %c1_i64 : i64
    %4 = arith.muli %2, %c8_i64 : i64
    %5 = arith.cmpi sle, %3, %c1_i64 : i64
    cf.assert %5, "must have at most one inferred (negative) dimension"
    %6 = arith.muli %0, %c16_i64 : i64
    %7 = arith.divsi %6, %4 : i64
    %8 = arith.select %1, %7, %0 : i64
    %from_elements = tensor.from_elements %7, %8, %c8_i64 : tensor<3xi64>
    %reshape = tensor.reshape %arg0(%from_elements) : (tensor<1x2x?x8xf32>, tensor<3xi64>) -> tensor<2x?x8xf32>
    cf.assert %5, "must have at most one inferred (negative) dimension"
    %dim_4 = tensor.dim %arg1, %c2 : tensor<1x2x?x8xf32>
    %9 = arith.index_cast %dim_4 : index to i64
    %10 = arith.muli %9, %c16_i64 : i64
    %11 = arith.divsi %10, %4 : i64
    %12 = arith.select %1, %11, %0 : i64
    %from_elements_5 = tensor.from_elements %11, %12, %c8_i64 : tensor<3xi64>
    %reshape_6 = tensor.reshape %arg1(%from_elements_5) : (tensor<1x2x?x8xf32>, tensor<3xi64>) -> tensor<2x?x8xf32>
    cf.assert %5, "must have at most one inferred (negative) dimension"
    %dim_7 = tensor.dim %arg2, %c2 : tensor<1x2x?x8xf32>
    %13 = arith.index_cast %dim_7 : index to i64
    %14 = arith.muli %13, %c16_i64 : i64
    %15 = arith.divsi %14, %4 : i64
    %16 = arith.select %1, %15, %0 : i64
    %from_elements_8 = tensor.from_elements %15, %16, %c8_i64 : tensor<3xi64>
    %reshape_9 = tensor.reshape %arg2(%from_elements_8) : (tensor<1x2x?x8xf32>, tensor<3xi64>) -> tensor<2x?x8xf32>
    %17 = tensor.empty(%dim) : tensor<?xi64>
    %18 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%17 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %90 = linalg.index 0 : index
      %91 = arith.index_cast %90 : index to i64
      linalg.yield %91 : i64
    } -> tensor<?xi64>
    %19 = arith.divsi %dim, %c16 : index
    %expanded = tensor.expand_shape %18 [[0, 1, 2]] output_shape [1, %19, 16] : tensor<?xi64> into tensor<1x?x16xi64>
    %20 = arith.index_cast %8 : i64 to index
    %21 = arith.divsi %20, %c16 : index
    %expanded_10 = tensor.expand_shape %reshape [[0], [1, 2], [3]] output_shape [2, %21, 16, 8] : tensor<2x?x8xf32> into tensor<2x?x16x8xf32>
    %22 = arith.index_cast %12 : i64 to index
    %23 = arith.divsi %22, %c16 : index
    %expanded_11 = tensor.expand_shape %reshape_6 [[0], [1, 2], [3]] output_shape [2, %23, 16, 8] : tensor<2x?x8xf32> into tensor<2x?x16x8xf32>
    %24 = arith.index_cast %16 : i64 to index
    %25 = arith.divsi %24, %c16 : index
    %expanded_12 = tensor.expand_shape %reshape_9 [[0], [1, 2], [3]] output_shape [2, %25, 16, 8] : tensor<2x?x8xf32> into tensor<2x?x16x8xf32>
    %26 = tensor.empty(%21) : tensor<2x?x16x8xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<2x?x16x8xf32>) outs(%26 : tensor<2x?x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.truncf %cst_2 : f64 to f32
      %91 = arith.mulf %in, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<2x?x16x8xf32>
    %padded = tensor.pad %expanded_11 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_3 : f32
    } : tensor<2x?x16x8xf32> to tensor<2x?x16x8xf32>
    %28 = affine.apply #map2()[%23]
    %29 = arith.cmpi uge, %28, %c2 : index
    cf.assert %29, "size must be <= target dimension"
    %30 = arith.addi %28, %c-1 : index
    %31 = tensor.empty(%30) : tensor<2x?x16x8x2xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<2x?x16x8xf32>) outs(%31 : tensor<2x?x16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x?x16x8x2xf32>
    %33 = tensor.empty(%30) : tensor<2x?x2x16x8xf32>
    %transposed = linalg.transpose ins(%32 : tensor<2x?x16x8x2xf32>) outs(%33 : tensor<2x?x2x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %collapsed = tensor.collapse_shape %transposed [[0], [1], [2, 3], [4]] : tensor<2x?x2x16x8xf32> into tensor<2x?x32x8xf32>
    %padded_13 = tensor.pad %expanded_12 low[0, 1, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_3 : f32
    } : tensor<2x?x16x8xf32> to tensor<2x?x16x8xf32>
    %34 = affine.apply #map2()[%25]
    %35 = arith.cmpi uge, %34, %c2 : index
    cf.assert %35, "size must be <= target dimension"
    %36 = arith.addi %34, %c-1 : index
    %37 = tensor.empty(%36) : tensor<2x?x16x8x2xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%padded_13 : tensor<2x?x16x8xf32>) outs(%37 : tensor<2x?x16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x?x16x8x2xf32>
    %39 = tensor.empty(%36) : tensor<2x?x2x16x8xf32>
    %transposed_14 = linalg.transpose ins(%38 : tensor<2x?x16x8x2xf32>) outs(%39 : tensor<2x?x2x16x8xf32>) permutation = [0, 1, 4, 2, 3] 
    %padded_15 = tensor.pad %expanded low[0, 1, 0] high[0, 0, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index):
      tensor.yield %c-1_i64 : i64
    } : tensor<1x?x16xi64> to tensor<1x?x16xi64>
    %40 = affine.apply #map2()[%19]
    %41 = arith.cmpi uge, %40, %c2 : index
    cf.assert %41, "size must be <= target dimension"
    %42 = arith.addi %40, %c-1 : index
    %43 = tensor.empty(%42) : tensor<1x?x16x2xi64>
    %44 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded_15 : tensor<1x?x16xi64>) outs(%43 : tensor<1x?x16x2xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<1x?x16x2xi64>
    %45 = tensor.empty(%42) : tensor<1x?x2x16xi64>
    %transposed_16 = linalg.transpose ins(%44 : tensor<1x?x16x2xi64>) outs(%45 : tensor<1x?x2x16xi64>) permutation = [0, 1, 3, 2] 
    %collapsed_17 = tensor.collapse_shape %transposed_16 [[0], [1], [2, 3]] : tensor<1x?x2x16xi64> into tensor<1x?x32xi64>
    %expanded_18 = tensor.expand_shape %18 [[0, 1, 2, 3]] output_shape [1, %19, 16, 1] : tensor<?xi64> into tensor<1x?x16x1xi64>
    %expanded_19 = tensor.expand_shape %collapsed_17 [[0], [1], [2, 3]] output_shape [1, %42, 1, 32] : tensor<1x?x32xi64> into tensor<1x?x1x32xi64>
    %46 = tensor.empty(%42) : tensor<1x?x1x32xi1>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x?x1x32xi64>) outs(%46 : tensor<1x?x1x32xi1>) {
    ^bb0(%in: i64, %out: i1):
      %90 = arith.cmpi eq, %in, %c-1_i64 : i64
      linalg.yield %90 : i1
    } -> tensor<1x?x1x32xi1>
    %expanded_20 = tensor.expand_shape %collapsed [[0], [1], [2], [3, 4]] output_shape [2, %30, 32, 8, 1] : tensor<2x?x32x8xf32> into tensor<2x?x32x8x1xf32>
    %collapsed_21 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<2x?x16x8xf32> into tensor<?x16x8xf32>
    %48 = tensor.empty(%30) : tensor<2x?x8x32x1xf32>
    %transposed_22 = linalg.transpose ins(%expanded_20 : tensor<2x?x32x8x1xf32>) outs(%48 : tensor<2x?x8x32x1xf32>) permutation = [0, 1, 3, 2, 4] 
    %collapsed_23 = tensor.collapse_shape %transposed_22 [[0, 1], [2], [3, 4]] : tensor<2x?x8x32x1xf32> into tensor<?x8x32xf32>
    %49 = affine.apply #map6()[%21]
    %50 = affine.apply #map6()[%30]
    %51 = arith.index_cast %49 : index to i64
    %52 = arith.index_cast %50 : index to i64
    %53 = arith.cmpi eq, %51, %52 : i64
    cf.assert %53, "mismatching contracting dimension"
    %54 = tensor.empty(%49) : tensor<?x16x32xf32>
    %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<?x16x32xf32>) -> tensor<?x16x32xf32>
    %56 = linalg.batch_matmul ins(%collapsed_21, %collapsed_23 : tensor<?x16x8xf32>, tensor<?x8x32xf32>) outs(%55 : tensor<?x16x32xf32>) -> tensor<?x16x32xf32>
    %57 = arith.divsi %49, %c2 : index
    %expanded_24 = tensor.expand_shape %56 [[0, 1], [2], [3, 4]] output_shape [2, %57, 16, 1, 32] : tensor<?x16x32xf32> into tensor<2x?x16x1x32xf32>
    %58 = tensor.empty(%57) : tensor<2x?x16x32x1xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<2x?x16x1x32xf32>) outs(%58 : tensor<2x?x16x32x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0], [1], [2], [3, 4]] : tensor<2x?x16x32x1xf32> into tensor<2x?x16x32xf32>
    %59 = arith.cmpi eq, %19, %42 : index
    cf.assert %59, "mismatched size for broadcast"
    %60 = tensor.empty(%19) : tensor<1x?x16x32xi1>
    %61 = linalg.generic {indexing_maps = [#map7, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18, %expanded_19 : tensor<1x?x16x1xi64>, tensor<1x?x1x32xi64>) outs(%60 : tensor<1x?x16x32xi1>) {
    ^bb0(%in: i64, %in_34: i64, %out: i1):
      %90 = arith.cmpi slt, %in, %in_34 : i64
      linalg.yield %90 : i1
    } -> tensor<1x?x16x32xi1>
    %62 = arith.cmpi eq, %19, %57 : index
    cf.assert %62, "mismatched size for broadcast"
    %63 = tensor.empty(%19) : tensor<2x?x16x32xf32>
    %64 = linalg.generic {indexing_maps = [#map9, #map10, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %cst_1, %collapsed_26 : tensor<1x?x16x32xi1>, tensor<f32>, tensor<2x?x16x32xf32>) outs(%63 : tensor<2x?x16x32xf32>) {
    ^bb0(%in: i1, %in_34: f32, %in_35: f32, %out: f32):
      %90 = arith.select %in, %in_34, %in_35 : f32
      linalg.yield %90 : f32
    } -> tensor<2x?x16x32xf32>
    %65 = arith.cmpi eq, %42, %19 : index
    cf.assert %65, "mismatched size for broadcast"
    %66 = tensor.empty(%42) : tensor<2x?x16x32xf32>
    %67 = linalg.generic {indexing_maps = [#map11, #map10, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %cst_1, %64 : tensor<1x?x1x32xi1>, tensor<f32>, tensor<2x?x16x32xf32>) outs(%66 : tensor<2x?x16x32xf32>) {
    ^bb0(%in: i1, %in_34: f32, %in_35: f32, %out: f32):
      %90 = arith.select %in, %in_34, %in_35 : f32
      linalg.yield %90 : f32
    } -> tensor<2x?x16x32xf32>
    %68 = tensor.empty(%42) : tensor<2x?x16xi64>
    %69 = linalg.fill ins(%c0_i64 : i64) outs(%68 : tensor<2x?x16xi64>) -> tensor<2x?x16xi64>
    %70 = tensor.empty(%42) : tensor<2x?x16xf32>
    %71 = linalg.fill ins(%cst_0 : f32) outs(%70 : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
    %72:2 = linalg.generic {indexing_maps = [#map1, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<2x?x16x32xf32>) outs(%71, %69 : tensor<2x?x16xf32>, tensor<2x?x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_34: i64):
      %90 = linalg.index 3 : index
      %91 = arith.index_cast %90 : index to i64
      %92 = arith.maximumf %in, %out : f32
      %93 = arith.cmpf ogt, %in, %out : f32
      %94 = arith.select %93, %91, %out_34 : i64
      linalg.yield %92, %94 : f32, i64
    } -> (tensor<2x?x16xf32>, tensor<2x?x16xi64>)
    %expanded_27 = tensor.expand_shape %72#0 [[0], [1], [2, 3]] output_shape [2, %42, 16, 1] : tensor<2x?x16xf32> into tensor<2x?x16x1xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %expanded_27 : tensor<2x?x16x32xf32>, tensor<2x?x16x1xf32>) outs(%66 : tensor<2x?x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %90 = arith.subf %in, %in_34 : f32
      linalg.yield %90 : f32
    } -> tensor<2x?x16x32xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<2x?x16x32xf32>) outs(%66 : tensor<2x?x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = math.exp %in : f32
      linalg.yield %90 : f32
    } -> tensor<2x?x16x32xf32>
    %75 = tensor.empty(%42) : tensor<2x?x16x1xf32>
    %76 = linalg.fill ins(%cst : f32) outs(%75 : tensor<2x?x16x1xf32>) -> tensor<2x?x16x1xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%74 : tensor<2x?x16x32xf32>) outs(%76 : tensor<2x?x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %in, %out : f32
      linalg.yield %90 : f32
    } -> tensor<2x?x16x1xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %77 : tensor<2x?x16x32xf32>, tensor<2x?x16x1xf32>) outs(%66 : tensor<2x?x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %90 = arith.divf %in, %in_34 : f32
      linalg.yield %90 : f32
    } -> tensor<2x?x16x32xf32>
    %collapsed_28 = tensor.collapse_shape %78 [[0, 1], [2], [3]] : tensor<2x?x16x32xf32> into tensor<?x16x32xf32>
    %collapsed_29 = tensor.collapse_shape %transposed_14 [[0, 1], [2, 3], [4]] : tensor<2x?x2x16x8xf32> into tensor<?x32x8xf32>
    %79 = affine.apply #map6()[%42]
    %80 = affine.apply #map6()[%36]
    %81 = arith.index_cast %79 : index to i64
    %82 = arith.index_cast %80 : index to i64
    %83 = arith.cmpi eq, %81, %82 : i64
    cf.assert %83, "mismatching contracting dimension"
    %84 = tensor.empty(%79) : tensor<?x16x8xf32>
    %85 = linalg.fill ins(%cst : f32) outs(%84 : tensor<?x16x8xf32>) -> tensor<?x16x8xf32>
    %86 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<?x16x32xf32>, tensor<?x32x8xf32>) outs(%85 : tensor<?x16x8xf32>) -> tensor<?x16x8xf32>
    %87 = arith.divsi %79, %c2 : index
    %expanded_30 = tensor.expand_shape %86 [[0, 1], [2], [3, 4]] output_shape [2, %87, 16, 1, 8] : tensor<?x16x8xf32> into tensor<2x?x16x1x8xf32>
    %88 = tensor.empty(%87) : tensor<2x?x16x8x1xf32>
    %transposed_31 = linalg.transpose ins(%expanded_30 : tensor<2x?x16x1x8xf32>) outs(%88 : tensor<2x?x16x8x1xf32>) permutation = [0, 1, 2, 4, 3] 
    %collapsed_32 = tensor.collapse_shape %transposed_31 [[0], [1, 2], [3, 4]] : tensor<2x?x16x8x1xf32> into tensor<2x?x8xf32>
    %89 = affine.apply #map13()[%87]
    %expanded_33 = tensor.expand_shape %collapsed_32 [[0, 1], [2], [3]] output_shape [1, 2, %89, 8] : tensor<2x?x8xf32> into tensor<1x2x?x8xf32>
    return %expanded_33 : tensor<1x2x?x8xf32>
  }
}
