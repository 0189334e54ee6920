// REQUIRES: slow
// Sums that keep their axis, and transposed weights, against naive loops.
// RUN: lattn-run %s --entry=layer --random=1 --shape=x:1x300x64 --verify-loops --rtol=1e-3 --atol=1e-3
// RUN: lattn-run %s --entry=layer --random=1 --shape=x:3x211x64 --verify-loops --rtol=1e-3 --atol=1e-3
// RUN: lattn-run %s --entry=layer --random=1 --shape=x:2x1x64 --verify-loops --rtol=1e-3 --atol=1e-3
// RUN: lattn-run %s --entry=batch --random=1 --shape=x:3x19x65 --shape=w:3x37x65 --verify-loops --rtol=1e-3 --atol=1e-3

!b = tensor<?x?x64xf32>
!k = tensor<?x?x1xf32>
!r = tensor<?x64xf32>
#all = affine_map<(b, n, d) -> (b, n, d)>
#kept = affine_map<(b, n, d) -> (b, n, 0)>

// (x - mean of x's row) times transposed weights.
func.func @layer(%x: !b {lattn.name = "x"}, %w: tensor<96x64xf32>) -> tensor<?x96xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %size = arith.constant 64.0 : f32
  %batches = tensor.dim %x, %c0 : !b
  %n = tensor.dim %x, %c1 : !b
  %m = arith.muli %batches, %n : index
  %ek = tensor.empty(%batches, %n) : !k
  %zk = linalg.fill ins(%zero : f32) outs(%ek : !k) -> !k
  %sum = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !b) outs(%zk : !k) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.addf %v, %o : f32
    linalg.yield %0 : f32
  } -> !k
  %mean = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : !k) outs(%ek : !k) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.divf %v, %size : f32
    linalg.yield %0 : f32
  } -> !k
  %eb = tensor.empty(%batches, %n) : !b
  %less = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mean : !b, !k) outs(%eb : !b) {
  ^bb0(%v: f32, %s: f32, %o: f32):
    %0 = arith.subf %v, %s : f32
    linalg.yield %0 : f32
  } -> !b
  %rows = tensor.collapse_shape %less [[0, 1], [2]] : !b into !r
  %et = tensor.empty() : tensor<64x96xf32>
  %t = linalg.transpose ins(%w : tensor<96x64xf32>) outs(%et : tensor<64x96xf32>) permutation = [1, 0]
  %ey = tensor.empty(%m) : tensor<?x96xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<?x96xf32>) -> tensor<?x96xf32>
  %y = linalg.matmul ins(%rows, %t : !r, tensor<64x96xf32>) outs(%zy : tensor<?x96xf32>) -> tensor<?x96xf32>
  return %y : tensor<?x96xf32>
}

func.func @batch(%x: tensor<?x?x65xf32> {lattn.name = "x"}, %w: tensor<?x37x65xf32> {lattn.name = "w"}) -> tensor<?x?x37xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batches = tensor.dim %x, %c0 : tensor<?x?x65xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?x65xf32>
  %et = tensor.empty(%batches) : tensor<?x65x37xf32>
  %t = linalg.transpose ins(%w : tensor<?x37x65xf32>) outs(%et : tensor<?x65x37xf32>) permutation = [0, 2, 1]
  %ey = tensor.empty(%batches, %n) : tensor<?x?x37xf32>
  %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<?x?x37xf32>) -> tensor<?x?x37xf32>
  %y = linalg.batch_matmul ins(%x, %t : tensor<?x?x65xf32>, tensor<?x65x37xf32>) outs(%zy : tensor<?x?x37xf32>) -> tensor<?x?x37xf32>
  return %y : tensor<?x?x37xf32>
}
