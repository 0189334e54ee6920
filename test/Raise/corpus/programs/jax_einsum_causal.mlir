#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2) -> ()>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
module {
  func.func public @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> (tensor<1x2x48x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %cst_2 = arith.constant dense<false> : tensor<i1>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x48x48xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x48x48xf32>) -> tensor<1x2x48x48xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x48x8xf32>, tensor<1x2x48x8xf32>) outs(%1 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %39 = arith.mulf %in, %in_6 : f32
      %40 = arith.addf %out, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x48xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %39 = arith.mulf %in, %in_6 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48x48xf32>
    %5 = tensor.empty() : tensor<48x48xi1>
    %6 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i1>) outs(%5 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<48x48xi1>
    %7 = tensor.empty() : tensor<48x48xi32>
    %8 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<48x48xi32>) {
    ^bb0(%out: i32):
      %39 = linalg.index 0 : index
      %40 = arith.index_cast %39 : index to i32
      linalg.yield %40 : i32
    } -> tensor<48x48xi32>
    %9 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%7 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %10 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%8, %9 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%7 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %in_6: i32, %out: i32):
      %39 = arith.addi %in, %in_6 : i32
      linalg.yield %39 : i32
    } -> tensor<48x48xi32>
    %11 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%7 : tensor<48x48xi32>) {
    ^bb0(%out: i32):
      %39 = linalg.index 1 : index
      %40 = arith.index_cast %39 : index to i32
      linalg.yield %40 : i32
    } -> tensor<48x48xi32>
    %12 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%10, %11 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%5 : tensor<48x48xi1>) {
    ^bb0(%in: i32, %in_6: i32, %out: i1):
      %39 = arith.cmpi sge, %in, %in_6 : i32
      linalg.yield %39 : i1
    } -> tensor<48x48xi1>
    %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i1>) outs(%5 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<48x48xi1>
    %14 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%12, %6, %13 : tensor<48x48xi1>, tensor<48x48xi1>, tensor<48x48xi1>) outs(%5 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_6: i1, %in_7: i1, %out: i1):
      %39 = arith.select %in, %in_6, %in_7 : i1
      linalg.yield %39 : i1
    } -> tensor<48x48xi1>
    %15 = tensor.empty() : tensor<f32>
    %16 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%15 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %17 = tensor.empty() : tensor<1x2x48x48xi1>
    %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<48x48xi1>) outs(%17 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x48x48xi1>
    %19 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<f32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %4, %19 : tensor<1x2x48x48xi1>, tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
      %39 = arith.select %in, %in_6, %in_7 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48x48xf32>
    %21 = tensor.empty() : tensor<1x2x48xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%20 : tensor<1x2x48x48xf32>) outs(%22 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.maximumf %out, %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48xf32>
    %24 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%21 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48xf32>
    %25 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %23 : tensor<1x2x48xf32>, tensor<1x2x48xf32>) outs(%21 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %39 = arith.maximumf %in, %in_6 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48xf32>
    %26 = tensor.empty() : tensor<1x2x48x1xf32>
    %27 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x2x48xf32>) outs(%26 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x48x1xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %28 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %39 = arith.subf %in, %in_6 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48x48xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = math.exp %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48x48xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30 : tensor<1x2x48x48xf32>) outs(%31 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.addf %out, %in : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48xf32>
    %33 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<1x2x48xf32>) outs(%26 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %34 = linalg.generic {indexing_maps = [#map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x48x1xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %34 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %39 = arith.divf %in, %in_6 : f32
      linalg.yield %39 : f32
    } -> tensor<1x2x48x48xf32>
    %36 = tensor.empty() : tensor<1x2x48x8xf32>
    %37 = linalg.fill ins(%cst_0 : f32) outs(%36 : tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%35, %arg2 : tensor<1x2x48x48xf32>, tensor<1x2x48x8xf32>) outs(%37 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %39 = arith.mulf %in, %in_6 : f32
      %40 = arith.addf %out, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<1x2x48x8xf32>
    return %38 : tensor<1x2x48x8xf32>
  }
}

