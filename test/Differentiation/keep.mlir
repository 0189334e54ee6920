// RUN: lattn-opt %s --lattn-differentiate=keep=linalg.matmul,lattn.attention --split-input-file | FileCheck %s
// RUN: not lattn-opt %s --split-input-file --lattn-differentiate="keep=linalg.exponential" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not lattn-opt %s --split-input-file --lattn-differentiate="keep=linalg.matmul mode=forward" 2>&1 | FileCheck %s --check-prefix=MODE

// NAME: lattn-differentiate: keep: expected names of operations, got 'linalg.exponential'
// MODE: lattn-differentiate: keep needs mode reverse

// The products are kept, the exponential is computed again; what the function
// returns anyway is not returned twice.

!t = tensor<4x4xf32>

// CHECK-LABEL: func.func @chain_fwd(
// CHECK-SAME: -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
// CHECK: %[[A:.*]] = linalg.matmul
// CHECK: %[[B:.*]] = linalg.matmul
// CHECK: %[[C:.*]] = linalg.exp ins(%[[B]]
// CHECK: return %[[C]], %[[B]], %[[A]]
// CHECK-LABEL: func.func @chain_grad(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4x4xf32>, %[[A:[^:]*]]: tensor<4x4xf32>, %[[B:[^:]*]]: tensor<4x4xf32>, %{{[^:]*}}: tensor<4x4xf32>, %{{[^:]*}}: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NOT: linalg.matmul {{.*}} ins(%[[W]], %[[W]]
// CHECK: linalg.exp ins(%[[A]]
// CHECK: return
func.func @chain(%w: !t) -> (!t, !t) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !t
  %z = linalg.fill ins(%zero : f32) outs(%e : !t) -> !t
  %0 = linalg.matmul ins(%w, %w : !t, !t) outs(%z : !t) -> !t
  %1 = linalg.exp ins(%0 : !t) outs(%e : !t) -> !t
  %2 = linalg.matmul ins(%1, %w : !t, !t) outs(%z : !t) -> !t
  %3 = linalg.exp ins(%2 : !t) outs(%e : !t) -> !t
  return %3, %2 : !t, !t
}

// -----

// What a gradient does not need is not kept: the last product's result.

!t = tensor<1x1x4x8xf32>

// CHECK-LABEL: func.func @attend_fwd(
// CHECK-SAME: -> (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>, tensor<1x1x4xf32>) {
// CHECK: %[[O:.*]]:2 = lattn.attention
// CHECK: %[[N:.*]] = linalg.
// CHECK: return %[[N]], %[[O]]#0, %[[O]]#1
// CHECK-LABEL: func.func @attend_grad(
// CHECK-SAME: %[[O:[^:]*]]: tensor<1x1x4x8xf32>, %[[L:[^:]*]]: tensor<1x1x4xf32>, %{{[^:]*}}: tensor<1x1x4x8xf32>)
// CHECK-NOT: lattn.attention query
// CHECK: lattn.attention_grad {{.*}} output(%[[O]] : {{.*}} lse(%[[L]] :
func.func @attend(%q: !t, %k: !t, %v: !t) -> !t {
  %e = tensor.empty() : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%e : !t)
  %1 = linalg.negf ins(%0 : !t) outs(%e : !t) -> !t
  return %1 : !t
}
