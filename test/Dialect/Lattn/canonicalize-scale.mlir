// RUN: lattn-opt %s -canonicalize | FileCheck %s

!t = tensor<1x1x4x16xf32>

// The default scale is 16^-0.5.
// CHECK-LABEL: func.func @scale_default(
// CHECK-SAME: %[[Q:[^ :]+]]:
// CHECK-NOT: arith.mulf
// CHECK: query(%[[Q]] : {{.*}} {scale = 5.000000e-01 : f64}
func.func @scale_default(%q: !t) -> !t {
  %c = arith.constant dense<2.0> : !t
  %s = arith.mulf %c, %q : !t
  %0 = lattn.attention query(%s : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
  return %0 : !t
}

// CHECK-LABEL: func.func @scale_twice(
// CHECK-NOT: arith.mulf
// CHECK: {scale = -1.500000e+00 : f64}
func.func @scale_twice(%q: !t) -> !t {
  %c = arith.constant dense<0.5> : !t
  %d = arith.constant dense<-1.0> : !t
  %s = arith.mulf %q, %c : !t
  %r = arith.mulf %s, %d : !t
  %0 = lattn.attention query(%r : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
      {scale = 3.0 : f64}
  return %0 : !t
}

// CHECK-LABEL: func.func @scale_bf16(
// CHECK: arith.mulf
// CHECK-NOT: scale =
// CHECK: return
func.func @scale_bf16(%q: tensor<1x1x4x16xbf16>) -> tensor<1x1x4x16xbf16> {
  %c = arith.constant dense<2.0> : tensor<1x1x4x16xbf16>
  %s = arith.mulf %q, %c : tensor<1x1x4x16xbf16>
  %0 = lattn.attention query(%s : tensor<1x1x4x16xbf16>) key(%q : tensor<1x1x4x16xbf16>)
      value(%q : tensor<1x1x4x16xbf16>) outs(%q : tensor<1x1x4x16xbf16>)
  return %0 : tensor<1x1x4x16xbf16>
}

// CHECK-LABEL: func.func @scale_no_splat(
// CHECK: arith.mulf
func.func @scale_no_splat(%q: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %c = arith.constant dense<[[[[2.0, 3.0]]]]> : tensor<1x1x1x2xf32>
  %s = arith.mulf %q, %c : tensor<1x1x1x2xf32>
  %0 = lattn.attention query(%s : tensor<1x1x1x2xf32>) key(%q : tensor<1x1x1x2xf32>)
      value(%q : tensor<1x1x1x2xf32>) outs(%q : tensor<1x1x1x2xf32>)
  return %0 : tensor<1x1x1x2xf32>
}

// CHECK-LABEL: func.func @scale_infinite(
// CHECK: arith.mulf
// CHECK-NOT: scale =
// CHECK: return
func.func @scale_infinite(%q: !t) -> !t {
  %c = arith.constant dense<0x7F800000> : !t
  %s = arith.mulf %q, %c : !t
  %0 = lattn.attention query(%s : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
  return %0 : !t
}
