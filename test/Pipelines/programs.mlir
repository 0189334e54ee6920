// REQUIRES: slow
// RUN: lattn-opt %s --lattn-to-llvm | FileCheck %s
// RUN: lattn-opt %s --lattn-to-loops | FileCheck %s --check-prefix=LLVM

// Programs around attention: several functions, calls, two in a row, producers
// and consumers in linalg, loops, split keys, and what cannot be tiled.

// LLVM-NOT: {{^ *(%.* = )?"?(lattn|arith|math|func|scf|cf|vector|memref|affine|linalg|tensor|bufferization|builtin)\.}}
// CHECK-NOT: {{^ *(%.* = )?"?(lattn|arith|math|func|scf|cf|vector|memref|affine|linalg|tensor|bufferization|builtin)\.}}

!t = tensor<1x2x64x32xf32>
#id = affine_map<(b, h, i, d) -> (b, h, i, d)>

func.func @inner(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 20, right = 0>}
  return %0 : !t
}

func.func @two_in_a_row(%q: !t, %k: !t, %v: !t) -> !t {
  %e = tensor.empty() : !t
  %0 = call @inner(%q, %k, %v, %e) : (!t, !t, !t, !t) -> !t
  %1 = lattn.attention query(%0 : !t) key(%k : !t) value(%v : !t) outs(%e : !t)
      {window = #lattn.window<bucket = 16, back = 1>}
  %2 = lattn.attention query(%1 : !t) key(%0 : !t) value(%0 : !t) outs(%e : !t)
  return %2 : !t
}

func.func @producer_and_consumer(%q: !t, %k: !t, %v: !t, %residual: !t) -> !t {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : !t
  %scaled = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : !t) outs(%e : !t) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.mulf %x, %two : f32
    linalg.yield %0 : f32
  } -> !t
  %a = lattn.attention query(%scaled : !t) key(%k : !t) value(%v : !t) outs(%e : !t) {causal}
  %s = linalg.add ins(%a, %residual : !t, !t) outs(%e : !t) -> !t
  return %s : !t
}

func.func @layers(%x: !t, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !t
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> !t {
    %1 = lattn.attention query(%y : !t) key(%y : !t) value(%y : !t) outs(%e : !t) {causal}
    scf.yield %1 : !t
  }
  return %0 : !t
}

!one = tensor<1x2x1x32xf16>
!many = tensor<1x2x16384x32xf16>
func.func @decode(%q: !one, %k: !many, %v: !many, %sink: tensor<2xf16>, %o: !one) -> !one {
  %0 = lattn.attention query(%q : !one) key(%k : !many) value(%v : !many)
      sink(%sink : tensor<2xf16>) outs(%o : !one)
  return %0 : !one
}

!d = tensor<?x?x?x?xf32>
func.func @untileable(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d) {causal}
  return %0 : !d
}

// CHECK-DAG: llvm.func @two_in_a_row
// CHECK-DAG: llvm.func @_mlir_ciface_layers
// CHECK-DAG: llvm.func internal @decode_parallel(
// CHECK-DAG: llvm.func internal @decode_parallel_{{[0-9]+}}(

// A product of no rows, one of no columns and one of no products.
func.func @empty_products(%none: tensor<0x8xf32>, %x: tensor<8x5xf32>, %wide: tensor<5x0xf32>,
    %o: tensor<0x5xf32>, %p: tensor<8x0xf32>) -> (tensor<0x5xf32>, tensor<8x0xf32>, tensor<8x5xf32>) {
  %0 = linalg.matmul ins(%none, %x : tensor<0x8xf32>, tensor<8x5xf32>) outs(%o : tensor<0x5xf32>) -> tensor<0x5xf32>
  %1 = linalg.matmul ins(%x, %wide : tensor<8x5xf32>, tensor<5x0xf32>) outs(%p : tensor<8x0xf32>) -> tensor<8x0xf32>
  %2 = linalg.matmul ins(%1, %0 : tensor<8x0xf32>, tensor<0x5xf32>) outs(%x : tensor<8x5xf32>) -> tensor<8x5xf32>
  return %0, %1, %2 : tensor<0x5xf32>, tensor<8x0xf32>, tensor<8x5xf32>
}
