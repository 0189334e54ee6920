#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func public @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> (tensor<1x2x48x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x8x48xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x48x8xf32>) outs(%0 : tensor<1x2x8x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x8x48xf32>
    %2 = tensor.empty() : tensor<1x2x48x48xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<1x2x48x48xf32>) -> tensor<1x2x48x48xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %1 : tensor<1x2x48x8xf32>, tensor<1x2x8x48xf32>) outs(%3 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.mulf %in, %in_3 : f32
      %26 = arith.addf %out, %25 : f32
      linalg.yield %26 : f32
    } -> tensor<1x2x48x48xf32>
    %5 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%2 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%2 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.mulf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2x48x48xf32>
    %7 = tensor.empty() : tensor<1x2x48xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%6 : tensor<1x2x48x48xf32>) outs(%8 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.maximumf %out, %in : f32
      linalg.yield %25 : f32
    } -> tensor<1x2x48xf32>
    %10 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%7 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48xf32>
    %11 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %9 : tensor<1x2x48xf32>, tensor<1x2x48xf32>) outs(%7 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.maximumf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2x48xf32>
    %12 = tensor.empty() : tensor<1x2x48x1xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x48xf32>) outs(%12 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %14 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x48x1xf32>) outs(%2 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %14 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%2 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.subf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2x48x48xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15 : tensor<1x2x48x48xf32>) outs(%2 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.exp %in : f32
      linalg.yield %25 : f32
    } -> tensor<1x2x48x48xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%16 : tensor<1x2x48x48xf32>) outs(%17 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %out, %in : f32
      linalg.yield %25 : f32
    } -> tensor<1x2x48xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x2x48xf32>) outs(%12 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %20 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x48x1xf32>) outs(%2 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %20 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%2 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.divf %in, %in_3 : f32
      linalg.yield %25 : f32
    } -> tensor<1x2x48x48xf32>
    %22 = tensor.empty() : tensor<1x2x48x8xf32>
    %23 = linalg.fill ins(%cst_0 : f32) outs(%22 : tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%21, %arg2 : tensor<1x2x48x48xf32>, tensor<1x2x48x8xf32>) outs(%23 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %25 = arith.mulf %in, %in_3 : f32
      %26 = arith.addf %out, %25 : f32
      linalg.yield %26 : f32
    } -> tensor<1x2x48x8xf32>
    return %24 : tensor<1x2x48x8xf32>
  }
}

