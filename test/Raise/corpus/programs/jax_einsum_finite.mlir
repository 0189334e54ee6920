#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<(d0, d1) -> (0, d1)>
#map11 = affine_map<(d0, d1) -> ()>
#map12 = affine_map<() -> ()>
#map13 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map15 = affine_map<(d0, d1, d2) -> ()>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
module {
  func.func public @main(%arg0: tensor<1x2x48x8xf32>, %arg1: tensor<1x2x48x8xf32>, %arg2: tensor<1x2x48x8xf32>) -> (tensor<1x2x48x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant -1.000000e+09 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<9> : tensor<i32>
    %cst_4 = arith.constant dense<0> : tensor<i32>
    %cst_5 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x48x48xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<1x2x48x48xf32>) -> tensor<1x2x48x48xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x48x8xf32>, tensor<1x2x48x8xf32>) outs(%1 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %45 = arith.mulf %in, %in_6 : f32
      %46 = arith.addf %out, %45 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x48x48xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %45 = arith.mulf %in, %in_6 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %5 = tensor.empty() : tensor<48xi32>
    %6 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%5 : tensor<48xi32>) {
    ^bb0(%out: i32):
      %45 = linalg.index 0 : index
      %46 = arith.index_cast %45 : index to i32
      linalg.yield %46 : i32
    } -> tensor<48xi32>
    %7 = tensor.empty() : tensor<48x1xi32>
    %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<48xi32>) outs(%7 : tensor<48x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x1xi32>
    %9 = tensor.empty() : tensor<1x48xi32>
    %10 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<48xi32>) outs(%9 : tensor<1x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x48xi32>
    %11 = tensor.empty() : tensor<48x48xi32>
    %12 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<48x1xi32>) outs(%11 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %13 = linalg.generic {indexing_maps = [#map10, #map7], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<1x48xi32>) outs(%11 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %14 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%11 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %in_6: i32, %out: i32):
      %45 = arith.subi %in, %in_6 : i32
      linalg.yield %45 : i32
    } -> tensor<48x48xi32>
    %15 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i32>) outs(%11 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %16 = tensor.empty() : tensor<48x48xi1>
    %17 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%14, %15 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%16 : tensor<48x48xi1>) {
    ^bb0(%in: i32, %in_6: i32, %out: i1):
      %45 = arith.cmpi sge, %in, %in_6 : i32
      linalg.yield %45 : i1
    } -> tensor<48x48xi1>
    %18 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i32>) outs(%11 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %19 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%14, %18 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%16 : tensor<48x48xi1>) {
    ^bb0(%in: i32, %in_6: i32, %out: i1):
      %45 = arith.cmpi sle, %in, %in_6 : i32
      linalg.yield %45 : i1
    } -> tensor<48x48xi1>
    %20 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%17, %19 : tensor<48x48xi1>, tensor<48x48xi1>) outs(%16 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_6: i1, %out: i1):
      %45 = arith.andi %in, %in_6 : i1
      linalg.yield %45 : i1
    } -> tensor<48x48xi1>
    %21 = tensor.empty() : tensor<f32>
    %22 = linalg.generic {indexing_maps = [#map12], iterator_types = []} outs(%21 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_0 : f32
    } -> tensor<f32>
    %23 = tensor.empty() : tensor<1x2x48x48xi1>
    %24 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<48x48xi1>) outs(%23 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x48x48xi1>
    %25 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<f32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %4, %25 : tensor<1x2x48x48xi1>, tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
      %45 = arith.select %in, %in_6, %in_7 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %27 = tensor.empty() : tensor<1x2x48xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x2x48x48xf32>) outs(%28 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.maximumf %out, %in : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48xf32>
    %30 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%27 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48xf32>
    %31 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30, %29 : tensor<1x2x48xf32>, tensor<1x2x48xf32>) outs(%27 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %45 = arith.maximumf %in, %in_6 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48xf32>
    %32 = tensor.empty() : tensor<1x2x48x1xf32>
    %33 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x48xf32>) outs(%32 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %34 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x48x1xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %34 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %45 = arith.subf %in, %in_6 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = math.exp %in : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %37 = linalg.fill ins(%cst_1 : f32) outs(%27 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<1x2x48x48xf32>) outs(%37 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %45 = arith.addf %out, %in : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48xf32>
    %39 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x48xf32>) outs(%32 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %40 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x2x48x1xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %40 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %45 = arith.divf %in, %in_6 : f32
      linalg.yield %45 : f32
    } -> tensor<1x2x48x48xf32>
    %42 = tensor.empty() : tensor<1x2x48x8xf32>
    %43 = linalg.fill ins(%cst_1 : f32) outs(%42 : tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map18, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%41, %arg2 : tensor<1x2x48x48xf32>, tensor<1x2x48x8xf32>) outs(%43 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %45 = arith.mulf %in, %in_6 : f32
      %46 = arith.addf %out, %45 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x48x8xf32>
    return %44 : tensor<1x2x48x8xf32>
  }
}

