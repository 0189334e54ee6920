// REQUIRES: slow
// Linalg ops that become loops over vectors against naive loops: rows shorter
// and longer than vectors, and none.
// RUN: lattn-run %s --entry=maps --random=1 --shape=x:9x1 --verify-loops
// RUN: lattn-run %s --entry=maps --random=2 --shape=x:3x100 --verify-loops
// RUN: lattn-run %s --entry=maps --random=3 --shape=x:4x0 --verify-loops
// RUN: lattn-run %s --entry=reductions --random=4 --shape=x:3x1 --shape=y:3x1 --verify-loops
// RUN: lattn-run %s --entry=reductions --random=5 --shape=x:5x131 --shape=y:5x131 --verify-loops
// RUN: lattn-run %s --entry=reductions --random=6 --shape=x:2x0 --shape=y:2x0 --verify-loops
// RUN: lattn-run %s --entry=reductions --random=5 --shape=x:5x131 --shape=y:5x131 --mcpu=x86-64 --verify-loops
// RUN: lattn-run %s --entry=maps --random=5 --shape=x:5x131 --mcpu=x86-64 --verify-loops

#all = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
!x = tensor<?x?xf32>

// Functions, broadcasts along rows and columns, comparisons, integers, and a
// transposed operand, which stays scalar.
func.func @maps(%x: !x {lattn.name = "x"}) -> (!x, tensor<?x?xi32>, !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : !x
  %n = tensor.dim %x, %c1 : !x
  %e = tensor.empty(%m, %n) : !x
  %i = tensor.empty(%m, %n) : tensor<?x?xi32>
  %t = tensor.empty(%n, %m) : !x
  %s = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  %0:2 = linalg.generic {indexing_maps = [#all, #row, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %zeros : !x, tensor<?xf32>) outs(%e, %i : !x, tensor<?x?xi32>) {
  ^bb0(%v: f32, %r: f32, %o: f32, %p: i32):
    %1 = math.erf %v : f32
    %2 = math.tanh %1 : f32
    %3 = arith.cmpf ogt, %v, %r : f32
    %4 = arith.select %3, %2, %r : f32
    %5 = arith.fptosi %v : f32 to i32
    %6 = arith.muli %5, %5 : i32
    linalg.yield %4, %6 : f32, i32
  } -> (!x, tensor<?x?xi32>)
  %7 = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : !x) outs(%t : !x) {
  ^bb0(%v: f32, %o: f32):
    %8 = math.exp %v : f32
    linalg.yield %8 : f32
  } -> !x
  return %0#0, %0#1, %7 : !x, tensor<?x?xi32>, !x
}

// Sums, products and extremes of rows, sums of columns, onto what is there.
func.func @reductions(%x: !x {lattn.name = "x"}, %y: !x {lattn.name = "y"}) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf64>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %wide = arith.constant 2.0 : f64
  %m = tensor.dim %x, %c0 : !x
  %n = tensor.dim %x, %c1 : !x
  %s = tensor.empty(%m) : tensor<?xf32>
  %d = tensor.empty(%m) : tensor<?xf64>
  %c = tensor.empty(%n) : tensor<?xf32>
  %start = linalg.fill ins(%two : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  %start_d = linalg.fill ins(%wide : f64) outs(%d : tensor<?xf64>) -> tensor<?xf64>
  %start_c = linalg.fill ins(%two : f32) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : !x, !x) outs(%start : tensor<?xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %p = arith.mulf %v, %w : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : !x) outs(%start : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.maximumf %v, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : !x) outs(%start_d : tensor<?xf64>) {
  ^bb0(%v: f32, %o: f64):
    %q = arith.extf %v : f32 to f64
    %t = arith.minnumf %o, %q : f64
    linalg.yield %t : f64
  } -> tensor<?xf64>
  %3 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : !x) outs(%start_c : tensor<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.addf %v, %o : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf64>, tensor<?xf32>
}
