// RUN: lattn-opt %s -canonicalize -split-input-file | FileCheck %s

// What changes no score and no weight goes.

!t = tensor<1x2x4x8xf32>

// CHECK-LABEL: func.func @mask(
// CHECK:         lattn.attention query(%{{.*}}) key(%{{.*}}) value(%{{.*}}) outs(
func.func @mask(%q: !t) -> !t {
  %all = arith.constant dense<true> : tensor<1x4xi1>
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      key_mask(%all : tensor<1x4xi1>) outs(%q : !t)
  return %0 : !t
}

// CHECK-LABEL: func.func @mask_kept(
// CHECK:         key_mask(
func.func @mask_kept(%q: !t) -> !t {
  %some = arith.constant dense<[[true, true, false, true]]> : tensor<1x4xi1>
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      key_mask(%some : tensor<1x4xi1>) outs(%q : !t)
  return %0 : !t
}

// CHECK-LABEL: func.func @none_kept(
// CHECK:         key_mask(
func.func @none_kept(%q: !t) -> !t {
  %none = arith.constant dense<false> : tensor<1x4xi1>
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      key_mask(%none : tensor<1x4xi1>) outs(%q : !t)
  return %0 : !t
}

// CHECK-LABEL: func.func @bias(
// CHECK-NOT:     bias
// CHECK:         return
func.func @bias(%q: !t) -> !t {
  %zero = arith.constant dense<-0.0> : tensor<2x7xf32>
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%zero : tensor<2x7xf32>) outs(%q : !t)
      {bias_map = affine_map<(b, h, i, j) -> (h, i - j + 3)>}
  return %0 : !t
}

// CHECK-LABEL: func.func @bias_kept(
// CHECK:         bias(
func.func @bias_kept(%q: !t) -> !t {
  %one = arith.constant dense<1.0> : tensor<4x4xf32>
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%one : tensor<4x4xf32>) outs(%q : !t)
  return %0 : !t
}

// CHECK-LABEL: func.func @dropout(
// CHECK-NOT:     dropout(
// CHECK:         return
func.func @dropout(%q: !t, %seed: i64) -> !t {
  %zero = arith.constant 0.0 : f32
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      dropout(%zero, %seed, %seed : f32, i64, i64) outs(%q : !t)
  return %0 : !t
}

// CHECK-LABEL: func.func @region(
// CHECK-SAME:    %[[Q:.*]]: tensor<1x2x4x8xf32>, %
// CHECK-NEXT:    %[[R:.*]] = lattn.attention query(%[[Q]] : tensor<1x2x4x8xf32>)
// CHECK-SAME:      outs(%[[Q]] : tensor<1x2x4x8xf32>){{$}}
// CHECK-NEXT:    return %[[R]]
func.func @region(%q: !t, %slopes: tensor<2xf32>) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      captures(%slopes : tensor<2xf32>) outs(%q : !t) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %c: tensor<2xf32>):
    lattn.yield %s : f32
  }
  return %0 : !t
}
