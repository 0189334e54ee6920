#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x?x8xf32>, %arg1: tensor<1x2x?x8xf32>, %arg2: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
    %c9_i64 = arith.constant 9 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant 0.35355339059327379 : f64
    %dim = tensor.dim %arg0, %c2 : tensor<1x2x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<?xi64>
    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%1 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %53 = linalg.index 0 : index
      %54 = arith.index_cast %53 : index to i64
      linalg.yield %54 : i64
    } -> tensor<?xi64>
    %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [%dim, 1] : tensor<?xi64> into tensor<?x1xi64>
    %expanded_3 = tensor.expand_shape %2 [[0, 1]] output_shape [1, %dim] : tensor<?xi64> into tensor<1x?xi64>
    %dim_4 = tensor.dim %arg1, %c2 : tensor<1x2x?x8xf32>
    %3 = tensor.empty(%dim_4) : tensor<1x2x8x?xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x?x8xf32>) outs(%3 : tensor<1x2x8x?xf32>) permutation = [0, 1, 3, 2] 
    %4 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %5 = tensor.empty(%dim) : tensor<1x2x?x8xf32>
    %6 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%5 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 1 : index
      %54 = linalg.index 2 : index
      %55 = linalg.index 3 : index
      %56 = arith.cmpi eq, %dim, %c1 : index
      %57 = arith.select %56, %c0, %54 : index
      %extracted = tensor.extract %arg0[%c0, %53, %57, %55] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %7 = tensor.empty(%dim) : tensor<1x2x8x?xf32>
    %8 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%7 : tensor<1x2x8x?xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 1 : index
      %54 = linalg.index 2 : index
      %55 = linalg.index 3 : index
      %56 = arith.cmpi eq, %dim_4, %c1 : index
      %57 = arith.select %56, %c0, %55 : index
      %extracted = tensor.extract %transposed[%c0, %53, %54, %57] : tensor<1x2x8x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x?xf32>
    %collapsed_5 = tensor.collapse_shape %8 [[0, 1], [2], [3]] : tensor<1x2x8x?xf32> into tensor<2x8x?xf32>
    %9 = tensor.empty(%dim, %dim) : tensor<2x?x?xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %11 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%10 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %12 = arith.muli %0, %c2_i64 : i64
    %13 = arith.cmpi slt, %0, %c0_i64 : i64
    %14 = arith.select %13, %c2_i64, %12 : i64
    %15 = arith.extui %13 : i1 to i64
    %16 = arith.muli %14, %0 : i64
    %17 = arith.addi %15, %c1_i64 : i64
    %18 = arith.select %13, %c2_i64, %16 : i64
    %19 = arith.select %13, %17, %15 : i64
    %20 = arith.cmpi sle, %19, %c1_i64 : i64
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %21 = arith.muli %12, %0 : i64
    %22 = arith.divsi %21, %18 : i64
    %23 = arith.select %13, %22, %0 : i64
    %from_elements = tensor.from_elements %c1_i64, %c2_i64, %23, %23 : tensor<4xi64>
    %reshape = tensor.reshape %11(%from_elements) : (tensor<2x?x?xf32>, tensor<4xi64>) -> tensor<1x2x?x?xf32>
    %24 = arith.index_cast %23 : i64 to index
    %25 = tensor.empty(%24, %24) : tensor<1x2x?x?xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape : tensor<1x2x?x?xf32>) outs(%25 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = arith.truncf %cst_2 : f64 to f32
      %54 = arith.mulf %in, %53 : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x?x?xf32>
    %27 = tensor.empty(%dim, %dim) : tensor<?x?xi64>
    %28 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_3 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%27 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %53 = arith.subi %in, %in_11 : i64
      linalg.yield %53 : i64
    } -> tensor<?x?xi64>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<?x?xi64>) outs(%27 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %out: i64):
      %53 = math.absi %in : i64
      linalg.yield %53 : i64
    } -> tensor<?x?xi64>
    %30 = tensor.empty(%dim, %dim) : tensor<?x?xi1>
    %31 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<?x?xi64>) outs(%30 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %53 = arith.cmpi sgt, %in, %c9_i64 : i64
      linalg.yield %53 : i1
    } -> tensor<?x?xi1>
    %32 = arith.cmpi eq, %dim, %24 : index
    cf.assert %32, "mismatched size for broadcast"
    cf.assert %32, "mismatched size for broadcast"
    %33 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %cst_1, %26 : tensor<?x?xi1>, tensor<f32>, tensor<1x2x?x?xf32>) outs(%33 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %53 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x?x?xf32>
    %35 = tensor.empty(%dim) : tensor<1x2x?xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<1x2x?xi64>) -> tensor<1x2x?xi64>
    %37 = tensor.empty(%dim) : tensor<1x2x?xf32>
    %38 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %39:2 = linalg.generic {indexing_maps = [#map1, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x?x?xf32>) outs(%38, %36 : tensor<1x2x?xf32>, tensor<1x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %53 = linalg.index 3 : index
      %54 = arith.index_cast %53 : index to i64
      %55 = arith.maximumf %in, %out : f32
      %56 = arith.cmpf ogt, %in, %out : f32
      %57 = arith.select %56, %54, %out_11 : i64
      linalg.yield %55, %57 : f32, i64
    } -> (tensor<1x2x?xf32>, tensor<1x2x?xi64>)
    %expanded_6 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [1, 2, %dim, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %expanded_6 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%33 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %53 = arith.subf %in, %in_11 : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x?x?xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x2x?x?xf32>) outs(%33 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = math.exp %in : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x?x?xf32>
    %42 = tensor.empty(%dim) : tensor<1x2x?x1xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<1x2x?x?xf32>) outs(%43 : tensor<1x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = arith.addf %in, %out : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x?x1xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%33 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %53 = arith.divf %in, %in_11 : f32
      linalg.yield %53 : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %46 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %47 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%46 : tensor<1x2x?x?xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 1 : index
      %54 = linalg.index 2 : index
      %55 = linalg.index 3 : index
      %56 = arith.cmpi eq, %dim, %c1 : index
      %57 = arith.select %56, %c0, %54 : index
      %58 = arith.select %56, %c0, %55 : index
      %extracted = tensor.extract %45[%c0, %53, %57, %58] : tensor<1x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %20, "must have at most one inferred (negative) dimension"
    %from_elements_7 = tensor.from_elements %c2_i64, %23, %23 : tensor<3xi64>
    %reshape_8 = tensor.reshape %47(%from_elements_7) : (tensor<1x2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %48 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%5 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 1 : index
      %54 = linalg.index 2 : index
      %55 = linalg.index 3 : index
      %dim_11 = tensor.dim %arg2, %c2 : tensor<1x2x?x8xf32>
      %56 = arith.cmpi eq, %dim_11, %c1 : index
      %57 = arith.select %56, %c0, %54 : index
      %extracted = tensor.extract %arg2[%c0, %53, %57, %55] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed_9 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    %49 = arith.cmpi eq, %23, %0 : i64
    cf.assert %49, "mismatching contracting dimension"
    %50 = tensor.empty(%24) : tensor<2x?x8xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %52 = linalg.batch_matmul ins(%reshape_8, %collapsed_9 : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%51 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %expanded_10 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 2, %24, 8] : tensor<2x?x8xf32> into tensor<1x2x?x8xf32>
    return %expanded_10 : tensor<1x2x?x8xf32>
  }
}
