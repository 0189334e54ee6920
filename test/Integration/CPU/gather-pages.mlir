// RUN: lattn-run %s --entry=in_place --random=1 --shape=0:2x4x33x32 --shape=1:3x2x32x32 --shape=2:2x4x33x32 --verify-loops | FileCheck %s
// RUN: lattn-run %s --entry=in_place --random=2 --shape=0:2x4x1x32 --shape=1:3x2x32x32 --shape=2:2x4x1x32 --verify-loops | FileCheck %s
// RUN: lattn-run %s --entry=gathered --random=3 --shape=0:2x4x33x32 --shape=1:3x7x2x32 --shape=2:2x4x33x32 --verify-loops | FileCheck %s
// RUN: lattn-run %s --entry=gathered --random=4 --shape=0:2x4x1x32 --shape=1:3x7x2x32 --shape=2:2x4x1x32 --verify-loops | FileCheck %s
// RUN: not lattn-run %s --entry=in_place --random=1 --shape=0:2x4x1x32 --shape=1:0x2x32x32 --shape=2:2x4x1x32 2>&1 | FileCheck %s --check-prefix=EMPTY

// Tiles that read pages in place or gather them give what copies of all keys
// give. Entries outside of the pool stand for the nearest page.

// CHECK: agrees with lattn-to-loops
// EMPTY: 'lattn.gather_pages' op expected a pool of at least 1 page, got 0

func.func @in_place(%q: tensor<2x4x?x32xf32>, %k: tensor<?x2x32x32xf32>, %e: tensor<2x4x?x32xf32>) -> tensor<2x4x?x32xf32> {
  %pages = arith.constant dense<[[0, -3, 2, 0], [99, 1, 0, 7]]> : tensor<2x4xi32>
  %lens = arith.constant dense<[128, 70]> : tensor<2xi32>
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x32x32xf32>, tensor<2x4xi32>) -> tensor<2x2x128x32xf32>
  %1 = lattn.attention query(%q : tensor<2x4x?x32xf32>) key(%0 : tensor<2x2x128x32xf32>) value(%0 : tensor<2x2x128x32xf32>)
      kv_lens(%lens : tensor<2xi32>) outs(%e : tensor<2x4x?x32xf32>) {window = #lattn.window<left = 41, right = 0>}
  return %1 : tensor<2x4x?x32xf32>
}

func.func @gathered(%q: tensor<2x4x?x32xf32>, %k: tensor<?x7x2x32xf32>, %e: tensor<2x4x?x32xf32>) -> tensor<2x4x?x32xf32> {
  %pages = arith.constant dense<[[0, 1, 2, 0], [1, 1, 0, 2]]> : tensor<2x4xi64>
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x7x2x32xf32>, tensor<2x4xi64>) {layout = #lattn.layout<bnhd>} -> tensor<2x28x2x32xf32>
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<2x4x?x32xf32>
  %empty = tensor.empty(%n) : tensor<2x?x4x32xf32>
  %rows = linalg.transpose ins(%q : tensor<2x4x?x32xf32>) outs(%empty : tensor<2x?x4x32xf32>) permutation = [0, 2, 1, 3]
  %1 = lattn.attention query(%rows : tensor<2x?x4x32xf32>) key(%0 : tensor<2x28x2x32xf32>) value(%0 : tensor<2x28x2x32xf32>)
      outs(%empty : tensor<2x?x4x32xf32>) {causal, layout = #lattn.layout<bnhd>}
  %2 = linalg.transpose ins(%1 : tensor<2x?x4x32xf32>) outs(%e : tensor<2x4x?x32xf32>) permutation = [0, 2, 1, 3]
  return %2 : tensor<2x4x?x32xf32>
}
