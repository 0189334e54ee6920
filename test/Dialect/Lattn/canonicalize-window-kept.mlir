// RUN: lattn-opt %s -canonicalize | FileCheck %s

// A window that covers all keys at the default offset stays where positions are
// not known.

!t = tensor<1x2x4x8xf32>
#wide = #lattn.window<left = 3, right = 3>

// CHECK-LABEL: func.func @no_offset(
// CHECK-NOT: window
// CHECK: return
func.func @no_offset(%q: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%q : !t)
      {window = #wide}
  return %0 : !t
}

// CHECK-LABEL: func.func @constant_offset(
// CHECK-NOT: window
// CHECK: return
func.func @constant_offset(%q: !t, %lens: tensor<1xi32>) -> !t {
  %zero = arith.constant 0 : i64
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      kv_lens(%lens : tensor<1xi32>) offset(%zero : i64) outs(%q : !t) {window = #wide}
  return %0 : !t
}

// CHECK-LABEL: func.func @constant_offset_too_far(
// CHECK: window = #lattn.window<left = 3, right = 3>
func.func @constant_offset_too_far(%q: !t) -> !t {
  %one = arith.constant -1 : i64
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      offset(%one : i64) outs(%q : !t) {window = #wide}
  return %0 : !t
}

// CHECK-LABEL: func.func @unknown_offset(
// CHECK: window = #lattn.window<left = 3, right = 3>
func.func @unknown_offset(%q: !t, %p: i64) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      offset(%p : i64) outs(%q : !t) {window = #wide}
  return %0 : !t
}

// CHECK-LABEL: func.func @offset_from_kv_lens(
// CHECK: window = #lattn.window<left = 3, right = 3>
func.func @offset_from_kv_lens(%q: !t, %lens: tensor<1xi32>) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      kv_lens(%lens : tensor<1xi32>) outs(%q : !t) {window = #wide}
  return %0 : !t
}

// CHECK-LABEL: func.func @dynamic_keys(
// CHECK: window = #lattn.window<left = 3, right = 3>
func.func @dynamic_keys(%q: !t, %k: tensor<1x2x?x8xf32>) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : tensor<1x2x?x8xf32>)
      value(%k : tensor<1x2x?x8xf32>) outs(%q : !t) {window = #wide}
  return %0 : !t
}

// CHECK-LABEL: func.func @origin(
// CHECK: window = #lattn.window<left = 3, right = 3>
func.func @origin(%q: !t, %i: index) -> !t {
  %zero = arith.constant 0 : i64
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      offset(%zero : i64) origin(%i, %i, %i, %i) outs(%q : !t) {window = #wide}
  return %0 : !t
}

// CHECK-LABEL: func.func @no_keys(
// CHECK-NOT: window
// CHECK: return
func.func @no_keys(%q: !t, %k: tensor<1x2x0x8xf32>, %p: i64) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : tensor<1x2x0x8xf32>)
      value(%k : tensor<1x2x0x8xf32>) offset(%p : i64) outs(%q : !t) {window = #wide}
  return %0 : !t
}
