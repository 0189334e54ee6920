// REQUIRES: slow
// Products of 1 to 8 rows, of odd sizes, against naive loops: the same bits for
// any number of threads.
// RUN: lattn-run %s --entry=dots --random=1 --shape=x:5x77 --shape=w:131x77 --threads=2 --verify-loops --output=%t.npz
// RUN: lattn-run %s --entry=dots --random=1 --shape=x:5x77 --shape=w:131x77 --threads=1 --expect=%t.npz --rtol=0 --atol=0
// RUN: lattn-run %s --entry=dots --random=2 --shape=x:8x3 --shape=w:2x3 --verify-loops
// RUN: lattn-run %s --entry=dots --random=3 --shape=x:0x3 --shape=w:2x3 --verify-loops
// RUN: lattn-run %s --entry=bf16 --random=4 --shape=x:7x300 --shape=w:300x291 --threads=2 --verify-loops --output=%t.npz
// RUN: lattn-run %s --entry=bf16 --random=4 --shape=x:7x300 --shape=w:300x291 --threads=1 --expect=%t.npz --rtol=0 --atol=0
// RUN: lattn-run %s --entry=one --random=5 --shape=w:70x0 --verify-loops
// RUN: lattn-run %s --entry=one --random=6 --shape=w:70x150 --verify-loops
// RUN: lattn-run %s --entry=slices --random=7 --verify-loops
// RUN: lattn-run %s --entry=f64 --random=8 --verify-loops

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
!m = tensor<?x?xf32>
!h = tensor<?x?xbf16>
!d = tensor<6x33xf64>

// Weights (N, K) as torch keeps them.
func.func @dots(%x: !m {lattn.name = "x"}, %w: !m {lattn.name = "w"}) -> !m {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %c0 : !m
  %columns = tensor.dim %w, %c0 : !m
  %e = tensor.empty(%rows, %columns) : !m
  %f = linalg.fill ins(%zero : f32) outs(%e : !m) -> !m
  %y = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %w : !m, !m) outs(%f : !m) -> !m
  return %y : !m
}

// Weights (K, N), added to what is there; sums are f32 to the end.
func.func @bf16(%x: !h {lattn.name = "x"}, %w: !h {lattn.name = "w"}) -> !m {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %rows = tensor.dim %x, %c0 : !h
  %columns = tensor.dim %w, %c1 : !h
  %e = tensor.empty(%rows, %columns) : !m
  %f = linalg.fill ins(%one : f32) outs(%e : !m) -> !m
  %y = linalg.matmul ins(%x, %w : !h, !h) outs(%f : !m) -> !m
  return %y : !m
}

// One row of f16, by a weight the axes of which are (K, N).
func.func @one(%x: tensor<1x70xf16>, %w: tensor<70x?xf16> {lattn.name = "w"}) -> tensor<1x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %columns = tensor.dim %w, %c1 : tensor<70x?xf16>
  %e = tensor.empty(%columns) : tensor<1x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x?xf32>) -> tensor<1x?xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x70xf16>, tensor<70x?xf16>) outs(%f : tensor<1x?xf32>) -> tensor<1x?xf32>
  return %y : tensor<1x?xf32>
}

// Every other row and column, of rows, of a weight and of both.
func.func @slices(%x: tensor<6x90xf32>, %w: tensor<40x90xf32>) -> (tensor<3x45xf32>, tensor<3x20xf32>, tensor<3x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %x0 = tensor.extract_slice %x[0, 0] [3, 40] [2, 1] : tensor<6x90xf32> to tensor<3x40xf32>
  %w0 = tensor.extract_slice %w[0, 1] [40, 45] [1, 1] : tensor<40x90xf32> to tensor<40x45xf32>
  %e0 = tensor.empty() : tensor<3x45xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<3x45xf32>) -> tensor<3x45xf32>
  %0 = linalg.matmul ins(%x0, %w0 : tensor<3x40xf32>, tensor<40x45xf32>) outs(%f0 : tensor<3x45xf32>) -> tensor<3x45xf32>
  %x1 = tensor.extract_slice %x[1, 1] [3, 45] [1, 2] : tensor<6x90xf32> to tensor<3x45xf32>
  %w1 = tensor.extract_slice %w[1, 0] [20, 45] [2, 2] : tensor<40x90xf32> to tensor<20x45xf32>
  %e1 = tensor.empty() : tensor<3x20xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3x20xf32>) -> tensor<3x20xf32>
  %1 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x1, %w1 : tensor<3x45xf32>, tensor<20x45xf32>) outs(%f1 : tensor<3x20xf32>) -> tensor<3x20xf32>
  %w2 = tensor.extract_slice %w[0, 45] [40, 45] [1, 1] : tensor<40x90xf32> to tensor<40x45xf32>
  %e2 = tensor.empty() : tensor<3x40xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<3x40xf32>) -> tensor<3x40xf32>
  %2 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x1, %w2 : tensor<3x45xf32>, tensor<40x45xf32>) outs(%f2 : tensor<3x40xf32>) -> tensor<3x40xf32>
  return %0, %1, %2 : tensor<3x45xf32>, tensor<3x20xf32>, tensor<3x40xf32>
}

func.func @f64(%x: tensor<6x21xf64>, %w: tensor<33x21xf64>, %y: !d) -> !d {
  %0 = linalg.matmul indexing_maps = [#a, #b, #c] ins(%x, %w : tensor<6x21xf64>, tensor<33x21xf64>) outs(%y : !d) -> !d
  return %0 : !d
}
