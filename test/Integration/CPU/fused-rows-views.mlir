// REQUIRES: slow
// Chains with reshapes and slices between their ops against naive loops.
// RUN: lattn-run %s --entry=batches --random=1 --shape=x:2x100x64 --verify-loops --rtol=1e-3 --atol=1e-3
// RUN: lattn-run %s --entry=batches --random=1 --shape=x:2x1x64 --verify-loops --rtol=1e-3 --atol=1e-3
// RUN: lattn-run %s --entry=views --random=1 --shape=x:200x64 --verify-loops --rtol=1e-3 --atol=1e-3

!b = tensor<2x?x64xf32>
!h = tensor<2x?x256xf32>
!r = tensor<?x64xf32>
!rh = tensor<?x256xf32>
#ball = affine_map<(b, n, d) -> (b, n, d)>
#brow = affine_map<(b, n, d) -> (b, n)>
#bcol = affine_map<(b, n, d) -> (d)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#head = affine_map<(n, h, d) -> (n, h, d)>
#angle = affine_map<(n, h, d) -> (d)>

// A norm before, a bias and a residual after products of merged batches.
func.func @batches(%x: !b {lattn.name = "x"}, %up: tensor<64x256xf32>, %bias: tensor<256xf32>, %down: tensor<256x64xf32>) -> !b {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : !b
  %c2 = arith.constant 2 : index
  %m = arith.muli %n, %c2 : index
  %eb = tensor.empty(%n) : !b
  %es = tensor.empty(%n) : tensor<2x?xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x?xf32>) -> tensor<2x?xf32>
  %sq = linalg.generic {indexing_maps = [#ball, #brow], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !b) outs(%zs : tensor<2x?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.mulf %v, %v : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<2x?xf32>
  %norm = linalg.generic {indexing_maps = [#ball, #brow, #ball], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sq : !b, tensor<2x?xf32>) outs(%eb : !b) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %0 = math.rsqrt %s : f32
    %1 = arith.mulf %0, %v : f32
    linalg.yield %1 : f32
  } -> !b
  %flat = tensor.collapse_shape %norm [[0, 1], [2]] : !b into !r
  %eh = tensor.empty(%m) : !rh
  %zh = linalg.fill ins(%zero : f32) outs(%eh : !rh) -> !rh
  %u = linalg.matmul ins(%flat, %up : !r, tensor<64x256xf32>) outs(%zh : !rh) -> !rh
  %ue = tensor.expand_shape %u [[0, 1], [2]] output_shape [2, %n, 256] : !rh into !h
  %ehb = tensor.empty(%n) : !h
  %g = linalg.generic {indexing_maps = [#ball, #bcol, #ball], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ue, %bias : !h, tensor<256xf32>) outs(%ehb : !h) {
  ^bb0(%v: f32, %b: f32, %o: f32):
    %0 = arith.addf %v, %b : f32
    %1 = math.tanh %0 : f32
    linalg.yield %1 : f32
  } -> !h
  %gf = tensor.collapse_shape %g [[0, 1], [2]] : !h into !rh
  %ed = tensor.empty(%m) : !r
  %zd = linalg.fill ins(%zero : f32) outs(%ed : !r) -> !r
  %d = linalg.matmul ins(%gf, %down : !rh, tensor<256x64xf32>) outs(%zd : !r) -> !r
  %de = tensor.expand_shape %d [[0, 1], [2]] output_shape [2, %n, 64] : !r into !b
  %y = linalg.generic {indexing_maps = [#ball, #ball, #ball], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%de, %x : !b, !b) outs(%eb : !b) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %0 = arith.addf %v, %w : f32
    linalg.yield %0 : f32
  } -> !b
  return %y : !b
}

// Halves of a product, heads that are split and merged.
func.func @views(%x: tensor<?x64xf32> {lattn.name = "x"}, %w: tensor<64x96xf32>, %angle: tensor<6xf32>, %down: tensor<48x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x96xf32>
  %eh = tensor.empty(%n) : tensor<?x48xf32>
  %e3 = tensor.empty(%n) : tensor<?x8x6xf32>
  %ex = tensor.empty(%n) : tensor<?x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %p = linalg.matmul
      ins(%x, %w : tensor<?x64xf32>, tensor<64x96xf32>) outs(%z : tensor<?x96xf32>) -> tensor<?x96xf32>
  %v = tensor.extract_slice %p[0, 0] [%n, 48] [1, 1] : tensor<?x96xf32> to tensor<?x48xf32>
  %g = tensor.extract_slice %p[0, 48] [%n, 48] [1, 1] : tensor<?x96xf32> to tensor<?x48xf32>
  %m = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%v, %g : tensor<?x48xf32>, tensor<?x48xf32>) outs(%eh : tensor<?x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = math.tanh %b : f32
    %1 = arith.mulf %0, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x48xf32>
  %heads = tensor.expand_shape %m [[0], [1, 2]] output_shape [%n, 8, 6] : tensor<?x48xf32> into tensor<?x8x6xf32>
  %turned = linalg.generic {indexing_maps = [#head, #angle, #head], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%heads, %angle : tensor<?x8x6xf32>, tensor<6xf32>) outs(%e3 : tensor<?x8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.mulf %b, %a : f32
    linalg.yield %1 : f32
  } -> tensor<?x8x6xf32>
  %merged = tensor.collapse_shape %turned [[0], [1, 2]] : tensor<?x8x6xf32> into tensor<?x48xf32>
  %zx = linalg.fill ins(%zero : f32) outs(%ex : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.matmul
      ins(%merged, %down : tensor<?x48xf32>, tensor<48x64xf32>) outs(%zx : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
