#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x2x?x8xf32>, %arg1: tensor<1x2x?x8xf32>, %arg2: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.35355339059327379 : f64
    %dim = tensor.dim %arg0, %c2 : tensor<1x2x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_2 = tensor.dim %arg1, %c2 : tensor<1x2x?x8xf32>
    %1 = tensor.empty(%dim_2) : tensor<1x2x8x?xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x?x8xf32>) outs(%1 : tensor<1x2x8x?xf32>) permutation = [0, 1, 3, 2] 
    %2 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %3 = tensor.empty(%dim) : tensor<1x2x?x8xf32>
    %4 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%3 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %43 = linalg.index 1 : index
      %44 = linalg.index 2 : index
      %45 = linalg.index 3 : index
      %46 = arith.cmpi eq, %dim, %c1 : index
      %47 = arith.select %46, %c0, %44 : index
      %extracted = tensor.extract %arg0[%c0, %43, %47, %45] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %5 = tensor.empty(%dim) : tensor<1x2x8x?xf32>
    %6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%5 : tensor<1x2x8x?xf32>) {
    ^bb0(%out: f32):
      %43 = linalg.index 1 : index
      %44 = linalg.index 2 : index
      %45 = linalg.index 3 : index
      %46 = arith.cmpi eq, %dim_2, %c1 : index
      %47 = arith.select %46, %c0, %45 : index
      %extracted = tensor.extract %transposed[%c0, %43, %44, %47] : tensor<1x2x8x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x?xf32>
    %collapsed_3 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<1x2x8x?xf32> into tensor<2x8x?xf32>
    %7 = tensor.empty(%dim, %dim) : tensor<2x?x?xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %9 = linalg.batch_matmul ins(%collapsed, %collapsed_3 : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%8 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %10 = arith.muli %0, %c2_i64 : i64
    %11 = arith.cmpi slt, %0, %c0_i64 : i64
    %12 = arith.select %11, %c2_i64, %10 : i64
    %13 = arith.extui %11 : i1 to i64
    %14 = arith.muli %12, %0 : i64
    %15 = arith.addi %13, %c1_i64 : i64
    %16 = arith.select %11, %c2_i64, %14 : i64
    %17 = arith.select %11, %15, %13 : i64
    %18 = arith.cmpi sle, %17, %c1_i64 : i64
    cf.assert %18, "must have at most one inferred (negative) dimension"
    %19 = arith.muli %10, %0 : i64
    %20 = arith.divsi %19, %16 : i64
    %21 = arith.select %11, %20, %0 : i64
    %from_elements = tensor.from_elements %c1_i64, %c2_i64, %21, %21 : tensor<4xi64>
    %reshape = tensor.reshape %9(%from_elements) : (tensor<2x?x?xf32>, tensor<4xi64>) -> tensor<1x2x?x?xf32>
    %22 = arith.index_cast %21 : i64 to index
    %23 = tensor.empty(%22, %22) : tensor<1x2x?x?xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape : tensor<1x2x?x?xf32>) outs(%23 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_1 : f64 to f32
      %44 = arith.mulf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x?x?xf32>
    %25 = tensor.empty(%22) : tensor<1x2x?xi64>
    %26 = linalg.fill ins(%c0_i64 : i64) outs(%25 : tensor<1x2x?xi64>) -> tensor<1x2x?xi64>
    %27 = tensor.empty(%22) : tensor<1x2x?xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %29:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x2x?x?xf32>) outs(%28, %26 : tensor<1x2x?xf32>, tensor<1x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_8: i64):
      %43 = linalg.index 3 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : f32
      %46 = arith.cmpf ogt, %in, %out : f32
      %47 = arith.select %46, %44, %out_8 : i64
      linalg.yield %45, %47 : f32, i64
    } -> (tensor<1x2x?xf32>, tensor<1x2x?xi64>)
    %expanded = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [1, 2, %22, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %expanded : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%23 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.subf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x?x?xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x?x?xf32>) outs(%23 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x?x?xf32>
    %32 = tensor.empty(%22) : tensor<1x2x?x1xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%31 : tensor<1x2x?x?xf32>) outs(%33 : tensor<1x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x?x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%23 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.divf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %36 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %37 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%36 : tensor<1x2x?x?xf32>) {
    ^bb0(%out: f32):
      %43 = linalg.index 1 : index
      %44 = linalg.index 2 : index
      %45 = linalg.index 3 : index
      %46 = arith.cmpi eq, %22, %c1 : index
      %47 = arith.select %46, %c0, %44 : index
      %48 = arith.select %46, %c0, %45 : index
      %extracted = tensor.extract %35[%c0, %43, %47, %48] : tensor<1x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %18, "must have at most one inferred (negative) dimension"
    %from_elements_4 = tensor.from_elements %c2_i64, %21, %21 : tensor<3xi64>
    %reshape_5 = tensor.reshape %37(%from_elements_4) : (tensor<1x2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %38 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%3 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %43 = linalg.index 1 : index
      %44 = linalg.index 2 : index
      %45 = linalg.index 3 : index
      %dim_8 = tensor.dim %arg2, %c2 : tensor<1x2x?x8xf32>
      %46 = arith.cmpi eq, %dim_8, %c1 : index
      %47 = arith.select %46, %c0, %44 : index
      %extracted = tensor.extract %arg2[%c0, %43, %47, %45] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed_6 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    %39 = arith.cmpi eq, %21, %0 : i64
    cf.assert %39, "mismatching contracting dimension"
    %40 = tensor.empty(%22) : tensor<2x?x8xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %42 = linalg.batch_matmul ins(%reshape_5, %collapsed_6 : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%41 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %expanded_7 = tensor.expand_shape %42 [[0, 1], [2], [3]] output_shape [1, 2, %22, 8] : tensor<2x?x8xf32> into tensor<1x2x?x8xf32>
    return %expanded_7 : tensor<1x2x?x8xf32>
  }
}
