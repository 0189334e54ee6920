// REQUIRES: slow
// RUN: lattn-run %s --random=1 --shape=0:29x30 --verify-loops
// RUN: lattn-run %s --random=2 --shape=0:1x1 --verify-loops
// RUN: sed 's/^!e = f32/!e = f16/' %s > %t.f16.mlir
// RUN: lattn-run %t.f16.mlir --random=3 --shape=0:33x9
// RUN: sed 's/^!e = f32/!e = bf16/' %s > %t.bf16.mlir
// RUN: lattn-run %t.bf16.mlir --random=4 --shape=0:9x1000

// Ops of linalg of which upstream makes no loops, against their definitions. Sums
// of bf16 are sums of f32.

!e = f32
!t = tensor<?x?x!e>
!m = memref<?x?x!e>

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// Softmax along the last axis, in f64.
func.func @expected(%x: !t, %n: index, %m: index) -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty(%n, %m) : tensor<?x?xf64>
  %exps = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : !t) outs(%e : tensor<?x?xf64>) {
  ^bb0(%v: !e, %w: f64):
    %1 = arith.extf %v : !e to f64
    %2 = math.exp %1 : f64
    linalg.yield %2 : f64
  } -> tensor<?x?xf64>
  %s = tensor.empty(%n) : tensor<?xf64>
  %z = linalg.fill ins(%zero : f64) outs(%s : tensor<?xf64>) -> tensor<?xf64>
  %sums = linalg.reduce {arith.addf} ins(%exps : tensor<?x?xf64>) outs(%z : tensor<?xf64>) dimensions = [1]
  %0 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%exps, %sums : tensor<?x?xf64>, tensor<?xf64>) outs(%e : tensor<?x?xf64>) {
  ^bb0(%v: f64, %w: f64, %o: f64):
    %1 = arith.divf %v, %w : f64
    linalg.yield %1 : f64
  } -> tensor<?x?xf64>
  return %0 : tensor<?x?xf64>
}

func.func @main(%x: !t) -> !t {
  %zero = arith.constant 0.0 : !e
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : !t
  %m = tensor.dim %x, %c1 : !t

  %e = tensor.empty(%n, %m) : !t
  %0 = linalg.softmax dimension(1) ins(%x : !t) outs(%e : !t) -> !t
  %1 = call @expected(%x, %n, %m) : (!t, index, index) -> tensor<?x?xf64>
  check.expect_close %0, %1 {rtol = 5.0e-3 : f64} : !t, tensor<?x?xf64>

  %te = tensor.empty(%m, %n) : !t
  %t = linalg.transpose ins(%x : !t) outs(%te : !t) permutation = [1, 0]
  %2 = linalg.softmax dimension(0) ins(%t : !t) outs(%te : !t) -> !t
  %3 = linalg.transpose ins(%2 : !t) outs(%e : !t) permutation = [1, 0]
  check.expect_close %3, %1 {rtol = 5.0e-3 : f64} : !t, tensor<?x?xf64>

  %out = memref.alloc(%n, %m) : !m
  %in = memref.alloc(%n, %m) : !m
  bufferization.materialize_in_destination %x in restrict writable %in : (!t, !m) -> ()
  linalg.softmax dimension(1) ins(%in : !m) outs(%out : !m)
  %4 = bufferization.to_tensor %out restrict : !m to !t
  check.expect_eq %4, %0 : !t, !t

  // Element (i, j) stands in tile (i / 8, j / 4).
  %rows = affine.apply affine_map<()[s] -> (s ceildiv 8)>()[%n]
  %columns = affine.apply affine_map<()[s] -> (s ceildiv 4)>()[%m]
  %pe = tensor.empty(%rows, %columns) : tensor<?x?x8x4x!e>
  %p = linalg.pack %x padding_value(%zero : !e) inner_dims_pos = [0, 1]
      inner_tiles = [8, 4] into %pe : !t -> tensor<?x?x8x4x!e>
  %5 = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]} outs(%e : !t) {
  ^bb0(%o: !e):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = affine.apply affine_map<(d) -> (d floordiv 8)>(%i)
    %b = affine.apply affine_map<(d) -> (d floordiv 4)>(%j)
    %c = affine.apply affine_map<(d) -> (d mod 8)>(%i)
    %d = affine.apply affine_map<(d) -> (d mod 4)>(%j)
    %v = tensor.extract %p[%a, %b, %c, %d] : tensor<?x?x8x4x!e>
    linalg.yield %v : !e
  } -> !t
  check.expect_eq %5, %x : !t, !t
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %e
      : tensor<?x?x8x4x!e> -> !t
  check.expect_eq %u, %x : !t, !t
  return %0 : !t
}
