#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
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
      %54 = linalg.index 0 : index
      %55 = arith.index_cast %54 : index to i64
      linalg.yield %55 : i64
    } -> tensor<?xi64>
    %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [%dim, 1] : tensor<?xi64> into tensor<?x1xi64>
    %expanded_3 = tensor.expand_shape %2 [[0, 1]] output_shape [1, %dim] : tensor<?xi64> into tensor<1x?xi64>
    %3 = tensor.empty(%dim, %dim) : tensor<?x?xi1>
    %4 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_3, %expanded : tensor<1x?xi64>, tensor<?x1xi64>) outs(%3 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %in_11: i64, %out: i1):
      %54 = arith.cmpi sle, %in, %in_11 : i64
      linalg.yield %54 : i1
    } -> tensor<?x?xi1>
    %5 = tensor.empty(%dim, %dim) : tensor<?x?xi64>
    %6 = linalg.generic {indexing_maps = [#map2, #map1, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_3 : tensor<?x1xi64>, tensor<1x?xi64>) outs(%5 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %in_11: i64, %out: i64):
      %54 = arith.subi %in, %in_11 : i64
      linalg.yield %54 : i64
    } -> tensor<?x?xi64>
    %7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x?xi64>) outs(%3 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %54 = arith.cmpi sle, %in, %c9_i64 : i64
      linalg.yield %54 : i1
    } -> tensor<?x?xi1>
    %8 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%3 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %in_11: i1, %out: i1):
      %54 = arith.andi %in, %in_11 : i1
      linalg.yield %54 : i1
    } -> tensor<?x?xi1>
    %dim_4 = tensor.dim %arg1, %c2 : tensor<1x2x?x8xf32>
    %9 = tensor.empty(%dim_4) : tensor<1x2x8x?xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x?x8xf32>) outs(%9 : tensor<1x2x8x?xf32>) permutation = [0, 1, 3, 2] 
    %10 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %10, "unimplemented: dynamic negative broadcast sizes"
    %11 = tensor.empty(%dim) : tensor<1x2x?x8xf32>
    %12 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%11 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %57 = arith.cmpi eq, %dim, %c1 : index
      %58 = arith.select %57, %c0, %55 : index
      %extracted = tensor.extract %arg0[%c0, %54, %58, %56] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    cf.assert %10, "unimplemented: dynamic negative broadcast sizes"
    %13 = tensor.empty(%dim) : tensor<1x2x8x?xf32>
    %14 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%13 : tensor<1x2x8x?xf32>) {
    ^bb0(%out: f32):
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %57 = arith.cmpi eq, %dim_4, %c1 : index
      %58 = arith.select %57, %c0, %56 : index
      %extracted = tensor.extract %transposed[%c0, %54, %55, %58] : tensor<1x2x8x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x?xf32>
    %collapsed_5 = tensor.collapse_shape %14 [[0, 1], [2], [3]] : tensor<1x2x8x?xf32> into tensor<2x8x?xf32>
    %15 = tensor.empty(%dim, %dim) : tensor<2x?x?xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %17 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%16 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %18 = arith.muli %0, %c2_i64 : i64
    %19 = arith.cmpi slt, %0, %c0_i64 : i64
    %20 = arith.select %19, %c2_i64, %18 : i64
    %21 = arith.extui %19 : i1 to i64
    %22 = arith.muli %20, %0 : i64
    %23 = arith.addi %21, %c1_i64 : i64
    %24 = arith.select %19, %c2_i64, %22 : i64
    %25 = arith.select %19, %23, %21 : i64
    %26 = arith.cmpi sle, %25, %c1_i64 : i64
    cf.assert %26, "must have at most one inferred (negative) dimension"
    %27 = arith.muli %18, %0 : i64
    %28 = arith.divsi %27, %24 : i64
    %29 = arith.select %19, %28, %0 : i64
    %from_elements = tensor.from_elements %c1_i64, %c2_i64, %29, %29 : tensor<4xi64>
    %reshape = tensor.reshape %17(%from_elements) : (tensor<2x?x?xf32>, tensor<4xi64>) -> tensor<1x2x?x?xf32>
    %30 = arith.index_cast %29 : i64 to index
    %31 = tensor.empty(%30, %30) : tensor<1x2x?x?xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape : tensor<1x2x?x?xf32>) outs(%31 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.truncf %cst_2 : f64 to f32
      %55 = arith.mulf %in, %54 : f32
      linalg.yield %55 : f32
    } -> tensor<1x2x?x?xf32>
    %33 = arith.cmpi eq, %dim, %30 : index
    cf.assert %33, "mismatched size for broadcast"
    cf.assert %33, "mismatched size for broadcast"
    %34 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %32, %cst_1 : tensor<?x?xi1>, tensor<1x2x?x?xf32>, tensor<f32>) outs(%34 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: i1, %in_11: f32, %in_12: f32, %out: f32):
      %54 = arith.select %in, %in_11, %in_12 : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x?x?xf32>
    %36 = tensor.empty(%dim) : tensor<1x2x?xi64>
    %37 = linalg.fill ins(%c0_i64 : i64) outs(%36 : tensor<1x2x?xi64>) -> tensor<1x2x?xi64>
    %38 = tensor.empty(%dim) : tensor<1x2x?xf32>
    %39 = linalg.fill ins(%cst_0 : f32) outs(%38 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %40:2 = linalg.generic {indexing_maps = [#map4, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<1x2x?x?xf32>) outs(%39, %37 : tensor<1x2x?xf32>, tensor<1x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_11: i64):
      %54 = linalg.index 3 : index
      %55 = arith.index_cast %54 : index to i64
      %56 = arith.maximumf %in, %out : f32
      %57 = arith.cmpf ogt, %in, %out : f32
      %58 = arith.select %57, %55, %out_11 : i64
      linalg.yield %56, %58 : f32, i64
    } -> (tensor<1x2x?xf32>, tensor<1x2x?xi64>)
    %expanded_6 = tensor.expand_shape %40#0 [[0], [1], [2, 3]] output_shape [1, 2, %dim, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %expanded_6 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%34 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %54 = arith.subf %in, %in_11 : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x?x?xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x2x?x?xf32>) outs(%34 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.exp %in : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x?x?xf32>
    %43 = tensor.empty(%dim) : tensor<1x2x?x1xf32>
    %44 = linalg.fill ins(%cst : f32) outs(%43 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<1x2x?x?xf32>) outs(%44 : tensor<1x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.addf %in, %out : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x?x1xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %45 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%34 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %54 = arith.divf %in, %in_11 : f32
      linalg.yield %54 : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %10, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %10, "unimplemented: dynamic negative broadcast sizes"
    %47 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %48 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%47 : tensor<1x2x?x?xf32>) {
    ^bb0(%out: f32):
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %57 = arith.cmpi eq, %dim, %c1 : index
      %58 = arith.select %57, %c0, %55 : index
      %59 = arith.select %57, %c0, %56 : index
      %extracted = tensor.extract %46[%c0, %54, %58, %59] : tensor<1x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %26, "must have at most one inferred (negative) dimension"
    %from_elements_7 = tensor.from_elements %c2_i64, %29, %29 : tensor<3xi64>
    %reshape_8 = tensor.reshape %48(%from_elements_7) : (tensor<1x2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
    cf.assert %10, "unimplemented: dynamic negative broadcast sizes"
    %49 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%11 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %dim_11 = tensor.dim %arg2, %c2 : tensor<1x2x?x8xf32>
      %57 = arith.cmpi eq, %dim_11, %c1 : index
      %58 = arith.select %57, %c0, %55 : index
      %extracted = tensor.extract %arg2[%c0, %54, %58, %56] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed_9 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    %50 = arith.cmpi eq, %29, %0 : i64
    cf.assert %50, "mismatching contracting dimension"
    %51 = tensor.empty(%30) : tensor<2x?x8xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %53 = linalg.batch_matmul ins(%reshape_8, %collapsed_9 : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%52 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %expanded_10 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [1, 2, %30, 8] : tensor<2x?x8xf32> into tensor<1x2x?x8xf32>
    return %expanded_10 : tensor<1x2x?x8xf32>
  }
}
