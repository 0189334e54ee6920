// RUN: lattn-opt %s --lattn-to-llvm | FileCheck %s
// RUN: lattn-opt %s --lattn-to-loops | FileCheck %s

// Ops beside attention that upstream's conversions lower.

// CHECK-NOT: {{^ *(%.* = )?"?(arith|builtin|cf|complex|func|linalg|math|memref|scf|shape|tensor|ub|vector)\.}}

func.func @complex(%x: complex<f32>) -> (f32, f32) {
  %0 = complex.mul %x, %x : complex<f32>
  %1 = complex.exp %0 : complex<f32>
  %2 = complex.abs %1 : complex<f32>
  %3 = complex.re %1 : complex<f32>
  return %2, %3 : f32, f32
}

func.func @poison(%x: f32) -> f32 {
  %0 = ub.poison : f32
  %1 = arith.addf %0, %x : f32
  return %1 : f32
}

func.func @transfer(%m: memref<?x?xf32>, %n: index) -> vector<4x4xf32> {
  %z = arith.constant 0.0 : f32
  %0 = vector.transfer_read %m[%n, %n], %z : memref<?x?xf32>, vector<4x4xf32>
  %1 = vector.transpose %0, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  return %1 : vector<4x4xf32>
}

func.func @pad(%x: tensor<?x7xf32>, %n: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, %n] high[%n, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x7xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @winograd(%f: tensor<4x3x3x3xf32>, %o: tensor<6x6x3x4xf32>) -> tensor<6x6x3x4xf32> {
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<4x3x3x3xf32>)
      outs(%o : tensor<6x6x3x4xf32>) -> tensor<6x6x3x4xf32>
  return %0 : tensor<6x6x3x4xf32>
}

func.func @functions(%x: f32, %h: f16, %b: bf16, %v: vector<4xf32>, %t: tensor<4x?xbf16>)
    -> (f32, f16, bf16, vector<4xf32>, tensor<4x?xbf16>) {
  %0 = math.erf %x : f32
  %1 = math.cbrt %h : f16
  %2 = math.erfc %b : bf16
  %3 = math.erf %v : vector<4xf32>
  %4 = math.erf %t : tensor<4x?xbf16>
  return %0, %1, %2, %3, %4 : f32, f16, bf16, vector<4xf32>, tensor<4x?xbf16>
}

func.func @loops(%c: i1, %n: index, %m: memref<?xf32>) {
  cf.assert %c, "a message"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %m[%i] : memref<?xf32>
  }
  affine.for %i = 0 to %n {
    affine.store %f, %m[%i] : memref<?xf32>
  }
  return
}

func.func @shape(%x: tensor<?xf32>) -> index {
  %0 = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %c0 = arith.constant 0 : index
  %1 = tensor.extract %0[%c0] : tensor<1xindex>
  return %1 : index
}

func.func @unranked(%x: tensor<*xf32>, %k: tensor<1x2x?x8xf32>, %o: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %q = tensor.cast %x : tensor<*xf32> to tensor<1x2x?x8xf32>
  %0 = lattn.attention query(%q : tensor<1x2x?x8xf32>) key(%k : tensor<1x2x?x8xf32>) value(%k : tensor<1x2x?x8xf32>)
      outs(%o : tensor<1x2x?x8xf32>)
  return %0 : tensor<1x2x?x8xf32>
}

// Of another module inside.
module @inner {
  func.func @f(%x: f32) -> f32 {
    return %x : f32
  }
}
