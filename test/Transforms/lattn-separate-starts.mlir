// RUN: lattn-opt %s --lattn-separate-starts | FileCheck %s

!x = tensor<8x8xf32>

// A fill for each product, of an empty tensor of its own.
// CHECK-LABEL: func.func @products(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<8x8xf32>)
// CHECK:       %[[E1:.*]] = tensor.empty()
// CHECK:       %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]] :
// CHECK:       linalg.matmul {{.*}} outs(%[[F1]] :
// CHECK:       %[[E2:.*]] = tensor.empty()
// CHECK:       %[[F2:.*]] = linalg.fill {{.*}} outs(%[[E2]] :
// CHECK:       linalg.matmul {{.*}} outs(%[[F2]] :
func.func @products(%x: !x) -> (!x, !x) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !x
  %start = linalg.fill ins(%zero : f32) outs(%empty : !x) -> !x
  %0 = linalg.matmul ins(%x, %x : !x, !x) outs(%start : !x) -> !x
  %1 = linalg.matmul ins(%0, %x : !x, !x) outs(%start : !x) -> !x
  return %0, %1 : !x, !x
}

// Rows of a bias, in slices of an empty tensor.
// CHECK-LABEL: func.func @slices(
// CHECK-COUNT-2: linalg.broadcast
// CHECK-NOT:   linalg.broadcast
func.func @slices(%x: !x, %b: tensor<8xf32>) -> (!x, !x) {
  %empty = tensor.empty() : tensor<16x8xf32>
  %slice = tensor.extract_slice %empty[0, 0] [8, 8] [1, 1] : tensor<16x8xf32> to !x
  %start = linalg.broadcast ins(%b : tensor<8xf32>) outs(%slice : !x) dimensions = [0]
  %0 = linalg.matmul ins(%x, %x : !x, !x) outs(%start : !x) -> !x
  %1 = linalg.matmul ins(%0, %x : !x, !x) outs(%start : !x) -> !x
  return %0, %1 : !x, !x
}

// What the caller's tensor becomes is copied by bufferization, if at all.
// CHECK-LABEL: func.func @argument(
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT:   linalg.fill
func.func @argument(%x: !x, %y: !x) -> (!x, !x) {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%y : !x) -> !x
  %0 = linalg.matmul ins(%x, %x : !x, !x) outs(%start : !x) -> !x
  %1 = linalg.matmul ins(%0, %x : !x, !x) outs(%start : !x) -> !x
  return %0, %1 : !x, !x
}
