#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1) -> ()>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map11 = affine_map<(d0, d1) -> (d0)>
#map12 = affine_map<(d0, d1) -> (d1)>
#map13 = affine_map<(d0, d1) -> (d0, 0)>
#map14 = affine_map<(d0, d1) -> (0, d1)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0, d4)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map19 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d1, d2)>
#map20 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d5)>
#map21 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d4, d0, d2)>
#map22 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d1, d2, d4)>
module {
  func.func public @main(%arg0: tensor<1x48x2x8xf32>, %arg1: tensor<1x48x2x8xf32>, %arg2: tensor<1x48x2x8xf32>) -> (tensor<1x48x2x8xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %cst_2 = arith.constant dense<false> : tensor<i1>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<-2.38197633E+38> : tensor<f32>
    %cst_5 = arith.constant dense<7> : tensor<i32>
    %cst_6 = arith.constant dense<true> : tensor<i1>
    %cst_7 = arith.constant dense<0.353553385> : tensor<f32>
    %cst_8 = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47]> : tensor<48xi32>
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4]] output_shape [1, 48, 2, 1, 8] : tensor<1x48x2x8xf32> into tensor<1x48x2x1x8xf32>
    %0 = tensor.empty() : tensor<1x2x48x1x48xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x48x1x48xf32>) -> tensor<1x2x48x1x48xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<1x48x2x1x8xf32>, tensor<1x48x2x8xf32>) outs(%1 : tensor<1x2x48x1x48xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %67 = arith.mulf %in, %in_9 : f32
      %68 = arith.addf %out, %67 : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x48x1x48xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%0 : tensor<1x2x48x1x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x1x48xf32>
    %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x48x1x48xf32>, tensor<1x2x48x1x48xf32>) outs(%0 : tensor<1x2x48x1x48xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %67 = arith.mulf %in, %in_9 : f32
      linalg.yield %67 : f32
    } -> tensor<1x2x48x1x48xf32>
    %5 = tensor.empty() : tensor<1x2x48x48xi1>
    %6 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<i1>) outs(%5 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x48x48xi1>
    %7 = tensor.empty() : tensor<48x48xi1>
    %8 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<i1>) outs(%7 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<48x48xi1>
    %9 = tensor.empty() : tensor<48x48xi32>
    %10 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<48x48xi32>) {
    ^bb0(%out: i32):
      %67 = linalg.index 0 : index
      %68 = arith.index_cast %67 : index to i32
      linalg.yield %68 : i32
    } -> tensor<48x48xi32>
    %11 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%9 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %12 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%10, %11 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%9 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %in_9: i32, %out: i32):
      %67 = arith.addi %in, %in_9 : i32
      linalg.yield %67 : i32
    } -> tensor<48x48xi32>
    %13 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<48x48xi32>) {
    ^bb0(%out: i32):
      %67 = linalg.index 1 : index
      %68 = arith.index_cast %67 : index to i32
      linalg.yield %68 : i32
    } -> tensor<48x48xi32>
    %14 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%7 : tensor<48x48xi1>) {
    ^bb0(%in: i32, %in_9: i32, %out: i1):
      %67 = arith.cmpi sge, %in, %in_9 : i32
      linalg.yield %67 : i1
    } -> tensor<48x48xi1>
    %15 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i1>) outs(%7 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<48x48xi1>
    %16 = linalg.generic {indexing_maps = [#map8, #map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%14, %8, %15 : tensor<48x48xi1>, tensor<48x48xi1>, tensor<48x48xi1>) outs(%7 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_9: i1, %in_10: i1, %out: i1):
      %67 = arith.select %in, %in_9, %in_10 : i1
      linalg.yield %67 : i1
    } -> tensor<48x48xi1>
    %17 = tensor.empty() : tensor<1x1x48x48xi1>
    %18 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<48x48xi1>) outs(%17 : tensor<1x1x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x48x48xi1>
    %19 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x48x48xi1>) outs(%5 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x48x48xi1>
    %20 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %19 : tensor<1x2x48x48xi1>, tensor<1x2x48x48xi1>) outs(%5 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %in_9: i1, %out: i1):
      %67 = arith.andi %in, %in_9 : i1
      linalg.yield %67 : i1
    } -> tensor<1x2x48x48xi1>
    %21 = tensor.empty() : tensor<48x1xi32>
    %22 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<48xi32>) outs(%21 : tensor<48x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x1xi32>
    %23 = tensor.empty() : tensor<1x48xi32>
    %24 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<48xi32>) outs(%23 : tensor<1x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x48xi32>
    %25 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<i32>) outs(%23 : tensor<1x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x48xi32>
    %26 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%24, %25 : tensor<1x48xi32>, tensor<1x48xi32>) outs(%23 : tensor<1x48xi32>) {
    ^bb0(%in: i32, %in_9: i32, %out: i32):
      %67 = arith.addi %in, %in_9 : i32
      linalg.yield %67 : i32
    } -> tensor<1x48xi32>
    %27 = linalg.generic {indexing_maps = [#map13, #map8], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<48x1xi32>) outs(%9 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %28 = linalg.generic {indexing_maps = [#map14, #map8], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<1x48xi32>) outs(%9 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %29 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%27, %28 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%7 : tensor<48x48xi1>) {
    ^bb0(%in: i32, %in_9: i32, %out: i1):
      %67 = arith.cmpi sle, %in, %in_9 : i32
      linalg.yield %67 : i1
    } -> tensor<48x48xi1>
    %30 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%24, %25 : tensor<1x48xi32>, tensor<1x48xi32>) outs(%23 : tensor<1x48xi32>) {
    ^bb0(%in: i32, %in_9: i32, %out: i32):
      %67 = arith.subi %in, %in_9 : i32
      linalg.yield %67 : i32
    } -> tensor<1x48xi32>
    %31 = linalg.generic {indexing_maps = [#map14, #map8], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<1x48xi32>) outs(%9 : tensor<48x48xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<48x48xi32>
    %32 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%27, %31 : tensor<48x48xi32>, tensor<48x48xi32>) outs(%7 : tensor<48x48xi1>) {
    ^bb0(%in: i32, %in_9: i32, %out: i1):
      %67 = arith.cmpi sge, %in, %in_9 : i32
      linalg.yield %67 : i1
    } -> tensor<48x48xi1>
    %33 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%32, %29 : tensor<48x48xi1>, tensor<48x48xi1>) outs(%7 : tensor<48x48xi1>) {
    ^bb0(%in: i1, %in_9: i1, %out: i1):
      %67 = arith.andi %in, %in_9 : i1
      linalg.yield %67 : i1
    } -> tensor<48x48xi1>
    %34 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<48x48xi1>) outs(%17 : tensor<1x1x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x48x48xi1>
    %35 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<1x1x48x48xi1>) outs(%5 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x2x48x48xi1>
    %36 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %35 : tensor<1x2x48x48xi1>, tensor<1x2x48x48xi1>) outs(%5 : tensor<1x2x48x48xi1>) {
    ^bb0(%in: i1, %in_9: i1, %out: i1):
      %67 = arith.andi %in, %in_9 : i1
      linalg.yield %67 : i1
    } -> tensor<1x2x48x48xi1>
    %37 = tensor.empty() : tensor<1x2x48x48xf32>
    %38 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%37 : tensor<1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x48x48xf32>
    %39 = tensor.empty() : tensor<1x1x2x48x48xi1>
    %40 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x2x48x48xi1>) outs(%39 : tensor<1x1x2x48x48xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x1x2x48x48xi1>
    %41 = tensor.empty() : tensor<1x1x2x48x48xf32>
    %42 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<1x2x48x48xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x48x48xf32>
    %43 = linalg.generic {indexing_maps = [#map16, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<1x2x48x1x48xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x48x48xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%40, %43, %42 : tensor<1x1x2x48x48xi1>, tensor<1x1x2x48x48xf32>, tensor<1x1x2x48x48xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: i1, %in_9: f32, %in_10: f32, %out: f32):
      %67 = arith.select %in, %in_9, %in_10 : f32
      linalg.yield %67 : f32
    } -> tensor<1x1x2x48x48xf32>
    %45 = tensor.empty() : tensor<1x1x2x48xf32>
    %46 = linalg.fill ins(%cst : f32) outs(%45 : tensor<1x1x2x48xf32>) -> tensor<1x1x2x48xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%44 : tensor<1x1x2x48x48xf32>) outs(%46 : tensor<1x1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.maximumf %out, %in : f32
      linalg.yield %67 : f32
    } -> tensor<1x1x2x48xf32>
    %48 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%45 : tensor<1x1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x48xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %47 : tensor<1x1x2x48xf32>, tensor<1x1x2x48xf32>) outs(%45 : tensor<1x1x2x48xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %67 = arith.maximumf %in, %in_9 : f32
      linalg.yield %67 : f32
    } -> tensor<1x1x2x48xf32>
    %50 = tensor.empty() : tensor<1x1x2x48x1xf32>
    %51 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<1x1x2x48xf32>) outs(%50 : tensor<1x1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x48x1xf32>
    %52 = linalg.generic {indexing_maps = [#map18, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x1x2x48x1xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x48x48xf32>
    %53 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%44, %52 : tensor<1x1x2x48x48xf32>, tensor<1x1x2x48x48xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %67 = arith.subf %in, %in_9 : f32
      linalg.yield %67 : f32
    } -> tensor<1x1x2x48x48xf32>
    %54 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x1x2x48x48xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = math.exp %in : f32
      linalg.yield %67 : f32
    } -> tensor<1x1x2x48x48xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%45 : tensor<1x1x2x48xf32>) -> tensor<1x1x2x48xf32>
    %56 = linalg.generic {indexing_maps = [#map4, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%54 : tensor<1x1x2x48x48xf32>) outs(%55 : tensor<1x1x2x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      %67 = arith.addf %out, %in : f32
      linalg.yield %67 : f32
    } -> tensor<1x1x2x48xf32>
    %57 = linalg.generic {indexing_maps = [#map17, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<1x1x2x48xf32>) outs(%50 : tensor<1x1x2x48x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x48x1xf32>
    %58 = linalg.generic {indexing_maps = [#map18, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x1x2x48x1xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x48x48xf32>
    %59 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%54, %58 : tensor<1x1x2x48x48xf32>, tensor<1x1x2x48x48xf32>) outs(%41 : tensor<1x1x2x48x48xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %67 = arith.divf %in, %in_9 : f32
      linalg.yield %67 : f32
    } -> tensor<1x1x2x48x48xf32>
    %60 = tensor.empty() : tensor<1x2x8x1x48xf32>
    %61 = linalg.fill ins(%cst_0 : f32) outs(%60 : tensor<1x2x8x1x48xf32>) -> tensor<1x2x8x1x48xf32>
    %62 = linalg.generic {indexing_maps = [#map19, #map20, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %59 : tensor<1x48x2x8xf32>, tensor<1x1x2x48x48xf32>) outs(%61 : tensor<1x2x8x1x48xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %67 = arith.mulf %in, %in_9 : f32
      %68 = arith.addf %out, %67 : f32
      linalg.yield %68 : f32
    } -> tensor<1x2x8x1x48xf32>
    %63 = tensor.empty() : tensor<1x1x48x2x8xf32>
    %64 = linalg.generic {indexing_maps = [#map21, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x2x8x1x48xf32>) outs(%63 : tensor<1x1x48x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x48x2x8xf32>
    %65 = tensor.empty() : tensor<1x48x2x1x8xf32>
    %66 = linalg.generic {indexing_maps = [#map22, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x1x48x2x8xf32>) outs(%65 : tensor<1x48x2x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x48x2x1x8xf32>
    %collapsed = tensor.collapse_shape %66 [[0], [1], [2], [3, 4]] : tensor<1x48x2x1x8xf32> into tensor<1x48x2x8xf32>
    return %collapsed : tensor<1x48x2x8xf32>
  }
}

