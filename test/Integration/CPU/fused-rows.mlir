// REQUIRES: slow
// Chains of odd sizes against naive loops, for 1, few and many rows, none, and
// any number of threads.
// RUN: lattn-run %s --entry=swiglu --random=1 --shape=x:301x37 --threads=2 --verify-loops --rtol=1e-3 --atol=1e-3 --output=%t.npz
// RUN: lattn-run %s --entry=swiglu --random=1 --shape=x:301x37 --threads=1 --expect=%t.npz --rtol=0 --atol=0
// RUN: lattn-run %s --entry=swiglu --random=2 --shape=x:1x37 --verify-loops
// RUN: lattn-run %s --entry=swiglu --random=3 --shape=x:0x37 --verify-loops
// RUN: lattn-run %s --entry=bf16 --random=4 --shape=x:3x130x40 --verify-loops
// RUN: lattn-run %s --entry=softmax --random=5 --shape=x:200x20 --verify-loops

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
!x = tensor<?x37xf32>
!h = tensor<?x53xf32>
!s = tensor<?xf32>

// RMS norm, two products, SwiGLU, a product, a residual; and the norm's sums.
func.func @swiglu(%x: !x {lattn.name = "x"}, %gain: tensor<37xf32>, %gate: tensor<37x53xf32>,
    %up: tensor<37x53xf32>, %down: tensor<53x37xf32>) -> (!x, !s) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %part = arith.constant 0.027 : f32
  %n = tensor.dim %x, %c0 : !x
  %s = tensor.empty(%n) : !s
  %h = tensor.empty(%n) : !h
  %e = tensor.empty(%n) : !x
  %zeros = linalg.fill ins(%zero : f32) outs(%s : !s) -> !s
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : !x) outs(%zeros : !s) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.mulf %v, %v : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> !s
  %norm = linalg.generic {indexing_maps = [#all, #row, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums, %gain : !x, !s, tensor<37xf32>) outs(%e : !x) {
  ^bb0(%v: f32, %t: f32, %g: f32, %o: f32):
    %0 = arith.mulf %t, %part : f32
    %1 = math.rsqrt %0 : f32
    %2 = arith.mulf %v, %1 : f32
    %3 = arith.mulf %2, %g : f32
    linalg.yield %3 : f32
  } -> !x
  %zeros_h = linalg.fill ins(%zero : f32) outs(%h : !h) -> !h
  %a = linalg.matmul ins(%norm, %gate : !x, tensor<37x53xf32>) outs(%zeros_h : !h) -> !h
  %b = linalg.matmul ins(%norm, %up : !x, tensor<37x53xf32>) outs(%zeros_h : !h) -> !h
  %hidden = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : !h, !h) outs(%h : !h) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %0 = arith.negf %v : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %v, %2 : f32
    %4 = arith.mulf %3, %w : f32
    linalg.yield %4 : f32
  } -> !h
  %y = linalg.matmul ins(%hidden, %down : !h, tensor<53x37xf32>) outs(%x : !x) -> !x
  %z = linalg.tanh ins(%y : !x) outs(%e : !x) -> !x
  return %z, %sums : !x, !s
}

// Batches of bf16 rows, sums in f32.
func.func @bf16(%x: tensor<?x?x40xbf16> {lattn.name = "x"}, %w: tensor<3x40x24xbf16>) -> tensor<?x?x24xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batch = tensor.dim %x, %c0 : tensor<?x?x40xbf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x40xbf16>
  %e = tensor.empty(%batch, %n) : tensor<?x?x24xf32>
  %o = tensor.empty(%batch, %n) : tensor<?x?x24xbf16>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<?x?x40xbf16>, tensor<3x40x24xbf16>)
      outs(%zeros : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<?x?x24xf32>) outs(%o : tensor<?x?x24xbf16>) {
  ^bb0(%v: f32, %out: bf16):
    %2 = arith.maximumf %v, %zero : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<?x?x24xbf16>
  return %1 : tensor<?x?x24xbf16>
}

// Scores of classes: a softmax along the rows of a product, in f64.
func.func @softmax(%x: tensor<?x20xf64> {lattn.name = "x"}, %w: tensor<20x7xf64>) -> tensor<?x7xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x20xf64>
  %e = tensor.empty(%n) : tensor<?x7xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%e : tensor<?x7xf64>) -> tensor<?x7xf64>
  %0 = linalg.matmul ins(%x, %w : tensor<?x20xf64>, tensor<20x7xf64>) outs(%zeros : tensor<?x7xf64>) -> tensor<?x7xf64>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<?x7xf64>) outs(%e : tensor<?x7xf64>) -> tensor<?x7xf64>
  return %1 : tensor<?x7xf64>
}
