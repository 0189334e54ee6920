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
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant dense<9> : tensor<i32>
    %cst_3 = arith.constant dense<0.353553385> : tensor<f32>
    %0 = tensor.empty() : tensor<1x2x48x48xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x48x48xf32>) -> tensor<1x2x48x48xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x2x48x8xf32>, tensor<1x2x48x8xf32>) outs(%1 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %43 = arith.mulf %in, %in_4 : f32
      %44 = arith.addf %out, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x48x48xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %43 = arith.mulf %in, %in_4 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %5 = tensor.empty() : tensor<48xi32>
    %6 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%5 : tensor<48xi32>) {
    ^bb0(%out: i32):
      %43 = linalg.index 0 : index
      %44 = arith.index_cast %43 : index to i32
      linalg.yield %44 : i32
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
    ^bb0(%in: i32, %in_4: i32, %out: i32):
      %43 = arith.subi %in, %in_4 : i32
      linalg.yield %43 : i32
    } -> tensor<48x48xi32>
    %15 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<48x48xi32>) outs(%11 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      %43 = arith.cmpi sge, %in, %c0_i32 : i32
      %44 = arith.subi %c0_i32, %in : i32
      %45 = arith.select %43, %in, %44 : i32
      linalg.yield %45 : i32
    } -> tensor<48x48xi32>
    %16 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%11 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %17 = tensor.empty() : tensor<48x48xi1>
    %18 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%15, %16 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%17 : tensor<48x48xi1>) {
    ^bb0(%in: i32, %in_4: i32, %out: i1):
      %43 = arith.cmpi sle, %in, %in_4 : i32
      linalg.yield %43 : i1
    } -> tensor<48x48xi1>
    %19 = tensor.empty() : tensor<f32>
    %20 = linalg.generic {indexing_maps = [#map12], iterator_types = []} outs(%19 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %21 = tensor.empty() : tensor<1x2x48x48xi1>
    %22 = linalg.generic {indexing_maps = [#map13, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<48x48xi1>) outs(%21 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x48x48xi1>
    %23 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<f32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %4, %23 : tensor<1x2x48x48xi1>, tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %43 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %25 = tensor.empty() : tensor<1x2x48xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x2x48x48xf32>) outs(%26 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.maximumf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48xf32>
    %28 = linalg.generic {indexing_maps = [#map15, #map16], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%25 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48xf32>
    %29 = linalg.generic {indexing_maps = [#map16, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %27 : tensor<1x2x48xf32>, tensor<1x2x48xf32>) outs(%25 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %43 = arith.maximumf %in, %in_4 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48xf32>
    %30 = tensor.empty() : tensor<1x2x48x1xf32>
    %31 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x2x48xf32>) outs(%30 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %32 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x2x48x1xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %32 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %43 = arith.subf %in, %in_4 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%25 : tensor<1x2x48xf32>) -> tensor<1x2x48xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map14], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<1x2x48x48xf32>) outs(%35 : tensor<1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48xf32>
    %37 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x48xf32>) outs(%30 : tensor<1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1xf32>
    %38 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<1x2x48x1xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %38 : tensor<1x2x48x48xf32>, tensor<1x2x48x48xf32>) outs(%0 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %43 = arith.divf %in, %in_4 : f32
      linalg.yield %43 : f32
    } -> tensor<1x2x48x48xf32>
    %40 = tensor.empty() : tensor<1x2x48x8xf32>
    %41 = linalg.fill ins(%cst_0 : f32) outs(%40 : tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map18, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%39, %arg2 : tensor<1x2x48x48xf32>, tensor<1x2x48x8xf32>) outs(%41 : tensor<1x2x48x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %43 = arith.mulf %in, %in_4 : f32
      %44 = arith.addf %out, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<1x2x48x8xf32>
    return %42 : tensor<1x2x48x8xf32>
  }
}

