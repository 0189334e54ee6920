// RUN: lattn-run %s --random=1 --shape=0:1x8x9x4 --shape=1:4x9x1x1 --shape=2:1x9x8x1 --verify-loops
// RUN: lattn-run %s --random=2 --shape=0:3x2x5x6 --shape=1:6x5x3x1 --shape=2:1x5x2x3 --verify-loops

// Matrix products for each batch where an axis is known to be 1, others happen
// to be, and no two operands order their axes alike.
func.func @main(%x: memref<?x?x?x?xf64>, %w: memref<?x?x?x1xf64>, %y: memref<1x?x?x?xf64, strided<[?, ?, ?, ?], offset: ?>>) {
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d)>, affine_map<(a, b, c, d, e) -> (d, c, a, e)>, affine_map<(a, b, c, d, e) -> (e, c, b, a)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "parallel"]} ins(%x, %w : memref<?x?x?x?xf64>, memref<?x?x?x1xf64>) outs(%y : memref<1x?x?x?xf64, strided<[?, ?, ?, ?], offset: ?>>) {
  ^bb0(%a: f64, %b: f64, %c: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %c, %p : f64
    linalg.yield %s : f64
  }
  return
}
