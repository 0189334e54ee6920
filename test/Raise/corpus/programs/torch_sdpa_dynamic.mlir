#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
module {
  func.func @main(%arg0: tensor<1x2x?x8xf32>, %arg1: tensor<1x2x?x8xf32>, %arg2: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0xFFF0000000000000 : f64
    %cst_3 = arith.constant 0.59460355750136051 : f64
    %dim = tensor.dim %arg0, %c2 : tensor<1x2x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %1 = tensor.empty(%dim) : tensor<1x2x?x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x2x?x8xf32>) outs(%1 : tensor<1x2x?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.truncf %cst_3 : f64 to f32
      %59 = arith.mulf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x?x8xf32>
    %dim_4 = tensor.dim %arg1, %c2 : tensor<1x2x?x8xf32>
    %3 = tensor.empty(%dim_4) : tensor<1x2x8x?xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<1x2x?x8xf32>) outs(%3 : tensor<1x2x8x?xf32>) permutation = [0, 1, 3, 2] 
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x8x?xf32>) outs(%3 : tensor<1x2x8x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.truncf %cst_3 : f64 to f32
      %59 = arith.mulf %in, %58 : f32
      linalg.yield %59 : f32
    } -> tensor<1x2x8x?xf32>
    %5 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    %6 = tensor.empty(%dim) : tensor<1x2x?x8xf32>
    %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%6 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %58 = linalg.index 1 : index
      %59 = linalg.index 2 : index
      %60 = linalg.index 3 : index
      %61 = arith.cmpi eq, %dim, %c1 : index
      %62 = arith.select %61, %c0, %59 : index
      %extracted = tensor.extract %2[%c0, %58, %62, %60] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed = tensor.collapse_shape %7 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    %8 = tensor.empty(%dim) : tensor<1x2x8x?xf32>
    %9 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%8 : tensor<1x2x8x?xf32>) {
    ^bb0(%out: f32):
      %58 = linalg.index 1 : index
      %59 = linalg.index 2 : index
      %60 = linalg.index 3 : index
      %61 = arith.cmpi eq, %dim_4, %c1 : index
      %62 = arith.select %61, %c0, %60 : index
      %extracted = tensor.extract %4[%c0, %58, %59, %62] : tensor<1x2x8x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x8x?xf32>
    %collapsed_5 = tensor.collapse_shape %9 [[0, 1], [2], [3]] : tensor<1x2x8x?xf32> into tensor<2x8x?xf32>
    %10 = tensor.empty(%dim, %dim) : tensor<2x?x?xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %12 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%11 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %13 = arith.muli %0, %c2_i64 : i64
    %14 = arith.cmpi slt, %0, %c0_i64 : i64
    %15 = arith.select %14, %c2_i64, %13 : i64
    %16 = arith.extui %14 : i1 to i64
    %17 = arith.muli %15, %0 : i64
    %18 = arith.addi %16, %c1_i64 : i64
    %19 = arith.select %14, %c2_i64, %17 : i64
    %20 = arith.select %14, %18, %16 : i64
    %21 = arith.cmpi sle, %20, %c1_i64 : i64
    cf.assert %21, "must have at most one inferred (negative) dimension"
    %22 = arith.muli %13, %0 : i64
    %23 = arith.divsi %22, %19 : i64
    %24 = arith.select %14, %23, %0 : i64
    %from_elements = tensor.from_elements %c1_i64, %c2_i64, %24, %24 : tensor<4xi64>
    %reshape = tensor.reshape %12(%from_elements) : (tensor<2x?x?xf32>, tensor<4xi64>) -> tensor<1x2x?x?xf32>
    %25 = arith.index_cast %24 : i64 to index
    %26 = tensor.empty(%25) : tensor<1x2x?xi64>
    %27 = linalg.fill ins(%c0_i64 : i64) outs(%26 : tensor<1x2x?xi64>) -> tensor<1x2x?xi64>
    %28 = tensor.empty(%25) : tensor<1x2x?xf32>
    %29 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %30:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%reshape : tensor<1x2x?x?xf32>) outs(%29, %27 : tensor<1x2x?xf32>, tensor<1x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %58 = linalg.index 3 : index
      %59 = arith.index_cast %58 : index to i64
      %60 = arith.maximumf %in, %out : f32
      %61 = arith.cmpf ogt, %in, %out : f32
      %62 = arith.select %61, %59, %out_10 : i64
      linalg.yield %60, %62 : f32, i64
    } -> (tensor<1x2x?xf32>, tensor<1x2x?xi64>)
    %expanded = tensor.expand_shape %30#0 [[0], [1], [2, 3]] output_shape [1, 2, %25, 1] : tensor<1x2x?xf32> into tensor<1x2x?x1xf32>
    %31 = tensor.empty(%25, %25) : tensor<1x2x?x?xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape, %expanded : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%31 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %58 = arith.subf %in, %in_10 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x?x?xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x?x?xf32>) outs(%31 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = math.exp %in : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x?x?xf32>
    %34 = tensor.empty(%25) : tensor<1x2x?x1xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<1x2x?x1xf32>) -> tensor<1x2x?x1xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x2x?x?xf32>) outs(%35 : tensor<1x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %58 = arith.addf %in, %out : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x?x1xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<1x2x?x?xf32>, tensor<1x2x?x1xf32>) outs(%31 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %58 = arith.divf %in, %in_10 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x?x?xf32>
    %38 = tensor.empty(%25, %25) : tensor<1x2x?x?xi1>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape : tensor<1x2x?x?xf32>) outs(%38 : tensor<1x2x?x?xi1>) {
    ^bb0(%in: f32, %out: i1):
      %58 = arith.extf %in : f32 to f64
      %59 = arith.cmpf oeq, %58, %cst_2 : f64
      linalg.yield %59 : i1
    } -> tensor<1x2x?x?xi1>
    %40 = tensor.empty(%25) : tensor<1x2x?x1xi1>
    %41 = linalg.fill ins(%true : i1) outs(%40 : tensor<1x2x?x1xi1>) -> tensor<1x2x?x1xi1>
    %42 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x2x?x?xi1>) outs(%41 : tensor<1x2x?x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %58 = arith.andi %in, %out : i1
      linalg.yield %58 : i1
    } -> tensor<1x2x?x1xi1>
    %43 = arith.cmpi sge, %24, %c0_i64 : i64
    cf.assert %43, "negative values not allowed in new dimensions"
    %44 = arith.index_cast %24 : i64 to index
    cf.assert %43, "negative values not allowed in new dimensions"
    %45 = tensor.empty(%44, %44) : tensor<1x2x?x?xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%45 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x?x?xf32>
    %47 = arith.cmpi eq, %25, %44 : index
    cf.assert %47, "mismatched size for broadcast"
    %48 = arith.cmpi eq, %44, %25 : index
    cf.assert %48, "mismatched size for broadcast"
    %49 = tensor.empty(%25, %44) : tensor<1x2x?x?xf32>
    %50 = linalg.generic {indexing_maps = [#map2, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %46, %37 : tensor<1x2x?x1xi1>, tensor<1x2x?x?xf32>, tensor<1x2x?x?xf32>) outs(%49 : tensor<1x2x?x?xf32>) {
    ^bb0(%in: i1, %in_10: f32, %in_11: f32, %out: f32):
      %58 = arith.select %in, %in_10, %in_11 : f32
      linalg.yield %58 : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    %51 = tensor.empty(%dim, %dim) : tensor<1x2x?x?xf32>
    %52 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%51 : tensor<1x2x?x?xf32>) {
    ^bb0(%out: f32):
      %58 = linalg.index 1 : index
      %59 = linalg.index 2 : index
      %60 = linalg.index 3 : index
      %61 = arith.cmpi eq, %25, %c1 : index
      %62 = arith.select %61, %c0, %59 : index
      %63 = arith.cmpi eq, %44, %c1 : index
      %64 = arith.select %63, %c0, %60 : index
      %extracted = tensor.extract %50[%c0, %58, %62, %64] : tensor<1x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x?xf32>
    cf.assert %21, "must have at most one inferred (negative) dimension"
    %from_elements_6 = tensor.from_elements %c2_i64, %24, %24 : tensor<3xi64>
    %reshape_7 = tensor.reshape %52(%from_elements_6) : (tensor<1x2x?x?xf32>, tensor<3xi64>) -> tensor<2x?x?xf32>
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    %53 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%6 : tensor<1x2x?x8xf32>) {
    ^bb0(%out: f32):
      %58 = linalg.index 1 : index
      %59 = linalg.index 2 : index
      %60 = linalg.index 3 : index
      %dim_10 = tensor.dim %arg2, %c2 : tensor<1x2x?x8xf32>
      %61 = arith.cmpi eq, %dim_10, %c1 : index
      %62 = arith.select %61, %c0, %59 : index
      %extracted = tensor.extract %arg2[%c0, %58, %62, %60] : tensor<1x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x?x8xf32>
    %collapsed_8 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x2x?x8xf32> into tensor<2x?x8xf32>
    %54 = arith.cmpi eq, %24, %0 : i64
    cf.assert %54, "mismatching contracting dimension"
    %55 = tensor.empty(%25) : tensor<2x?x8xf32>
    %56 = linalg.fill ins(%cst : f32) outs(%55 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %57 = linalg.batch_matmul ins(%reshape_7, %collapsed_8 : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%56 : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
    %expanded_9 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [1, 2, %25, 8] : tensor<2x?x8xf32> into tensor<1x2x?x8xf32>
    return %expanded_9 : tensor<1x2x?x8xf32>
  }
}
