// REQUIRES: slow
// Heads of an unknown number and size, split from one axis and joined again.
// RUN: lattn-run %s --entry=numbers
// RUN: lattn-run %s --entry=numbers --target=loops
// RUN: lattn-run %s --entry=heads --random=1 --shape=x:1x37x24 --shape=like:4x6 --verify-loops
// RUN: not lattn-run %s --entry=heads --random=1 --shape=x:1x37x24 --shape=like:5x6 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: 'tensor.expand_shape' op expected axis 2 of the source to be the result's = 30, got 24

func.func private @split(%a: tensor<?x2xf32>, %n: index, %m: index) -> tensor<?x?x2xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [%n, %m, 2] : tensor<?x2xf32> into tensor<?x?x2xf32>
  return %0 : tensor<?x?x2xf32>
}

func.func @numbers() {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]> : tensor<6x2xf32>
  %b = tensor.cast %a : tensor<6x2xf32> to tensor<?x2xf32>
  %n = arith.constant 3 : index
  %m = arith.constant 2 : index
  %0 = call @split(%b, %n, %m) : (tensor<?x2xf32>, index, index) -> tensor<?x?x2xf32>
  %x = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 10.0], [11.0, 12.0]]]> : tensor<3x2x2xf32>
  check.expect_close %0, %x {rtol = 0.0 : f64, atol = 0.0 : f64} : tensor<?x?x2xf32>, tensor<3x2x2xf32>
  return
}

// The heads' number and size are those of `like`.
!x = tensor<1x?x?xf32>
!h = tensor<1x?x?x?xf32>
func.func @heads(%x: !x {lattn.name = "x"}, %like: tensor<?x?xf32> {lattn.name = "like"}) -> !x {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : !x
  %h = tensor.dim %like, %c0 : tensor<?x?xf32>
  %d = tensor.dim %like, %c1 : tensor<?x?xf32>
  %q = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [1, %n, %h, %d] : !x into !h
  %e = tensor.empty(%n, %h, %d) : !h
  %o = lattn.attention query(%q : !h) key(%q : !h) value(%q : !h) outs(%e : !h)
      {causal, layout = #lattn.layout<bnhd>}
  %r = tensor.collapse_shape %o [[0], [1], [2, 3]] : !h into !x
  return %r : !x
}
