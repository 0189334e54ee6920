// RUN: lattn-opt %s -canonicalize -split-input-file | FileCheck %s

!t = tensor<1x2x4x8xf32>
!k = tensor<1x2x6x8xf32>

// CHECK-LABEL: func.func @causal_alone(
// CHECK: {window = #lattn.window<right = 0>}
func.func @causal_alone(%q: !t, %k: !k) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !k) value(%k : !k) outs(%q : !t) {causal}
  return %0 : !t
}

// CHECK-LABEL: func.func @causal_into_window(
// CHECK: {window = #lattn.window<left = 2, right = 0, bucket = 3, back = 1>}
func.func @causal_into_window(%q: !t, %k: !k) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !k) value(%k : !k) outs(%q : !t)
      {causal, window = #lattn.window<left = 2, right = 7, bucket = 3, back = 1>}
  return %0 : !t
}

// CHECK-LABEL: func.func @causal_single_query(
// CHECK-NOT: window
// CHECK: return
func.func @causal_single_query(%q: tensor<1x2x1x8xf32>, %k: !k) -> tensor<1x2x1x8xf32> {
  %0 = lattn.attention query(%q : tensor<1x2x1x8xf32>) key(%k : !k) value(%k : !k)
      outs(%q : tensor<1x2x1x8xf32>) {causal}
  return %0 : tensor<1x2x1x8xf32>
}

// CHECK-LABEL: func.func @full_window(
// CHECK-NOT: window
// CHECK: return
func.func @full_window(%q: tensor<?x?x?x?xf32>, %lens: tensor<?xi32>) -> tensor<?x?x?x?xf32> {
  %0 = lattn.attention query(%q : tensor<?x?x?x?xf32>) key(%q : tensor<?x?x?x?xf32>)
      value(%q : tensor<?x?x?x?xf32>) kv_lens(%lens : tensor<?xi32>)
      outs(%q : tensor<?x?x?x?xf32>) {window = #lattn.window<>}
  return %0 : tensor<?x?x?x?xf32>
}

// Queries stand at 2..5, keys at 0..5: 5 to the left and 3 to the right do.
// CHECK-LABEL: func.func @covered(
// CHECK-NOT: window
// CHECK: return
func.func @covered(%q: !t, %k: !k) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !k) value(%k : !k) outs(%q : !t)
      {window = #lattn.window<left = 5, right = 3, bucket = 6>}
  return %0 : !t
}

// CHECK-LABEL: func.func @left_one_too_small(
// CHECK: window = #lattn.window<left = 4, right = 3>
func.func @left_one_too_small(%q: !t, %k: !k) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !k) value(%k : !k) outs(%q : !t)
      {window = #lattn.window<left = 4, right = 3>}
  return %0 : !t
}

// CHECK-LABEL: func.func @right_one_too_small(
// CHECK: window = #lattn.window<left = 5, right = 2>
func.func @right_one_too_small(%q: !t, %k: !k) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !k) value(%k : !k) outs(%q : !t)
      {window = #lattn.window<left = 5, right = 2>}
  return %0 : !t
}

// CHECK-LABEL: func.func @bucket_one_too_small(
// CHECK: window = #lattn.window<bucket = 5>
func.func @bucket_one_too_small(%q: !t, %k: !k) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !k) value(%k : !k) outs(%q : !t)
      {window = #lattn.window<bucket = 5>}
  return %0 : !t
}

// In bnhd 2 queries stand at 4 and 5.
// CHECK-LABEL: func.func @covered_bnhd(
// CHECK-NOT: window
// CHECK: return
func.func @covered_bnhd(%q: tensor<1x2x4x8xf32>, %k: tensor<1x6x4x8xf32>) -> tensor<1x2x4x8xf32> {
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x6x4x8xf32>)
      value(%k : tensor<1x6x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
      {layout = #lattn.layout<bnhd>, window = #lattn.window<left = 5, right = 1>}
  return %0 : tensor<1x2x4x8xf32>
}

// CHECK-LABEL: func.func @not_covered_bnhd(
// CHECK: window = #lattn.window<left = 5, right = 0>
func.func @not_covered_bnhd(%q: tensor<1x2x4x8xf32>, %k: tensor<1x6x4x8xf32>) -> tensor<1x2x4x8xf32> {
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x6x4x8xf32>)
      value(%k : tensor<1x6x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
      {layout = #lattn.layout<bnhd>, window = #lattn.window<left = 5, right = 0>}
  return %0 : tensor<1x2x4x8xf32>
}
