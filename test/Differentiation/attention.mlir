// RUN: lattn-opt %s --split-input-file --lattn-differentiate --verify-diagnostics | FileCheck %s

// The gradients of attention are lattn.attention_grad; the log-sum-exp that they
// need is asked for.

!q = tensor<1x4x?x8xf32>
!k = tensor<1x2x?x8xf32>

// CHECK-LABEL: func.func @plain_grad(
// CHECK-SAME: %[[Q:.*]]: tensor<1x4x?x8xf32>, %[[K:.*]]: tensor<1x2x?x8xf32>, %[[V:.*]]: tensor<1x2x?x8xf32>, %[[E:.*]]: tensor<1x4x?x8xf32>, %[[G:.*]]: tensor<1x4x?x8xf32>)
// CHECK: %[[O:.*]]:2 = lattn.attention query(%[[Q]] : {{.*}} outs(%[[E]] : {{.*}} {window = #lattn.window<right = 0>}
// CHECK: %[[R:.*]]:3 = lattn.attention_grad query(%[[Q]] : {{.*}} output(%[[O]]#0 : {{.*}} lse(%[[O]]#1 : {{.*}} d_output(%[[G]] : {{.*}} {causal}
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @plain(%q: !q, %k: !k, %v: !k, %e: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%e : !q) {causal}
  return %0 : !q
}

// -----

!q = tensor<1x4x?x8xf32>
!r = tensor<1x4x?xf32>
!h = tensor<4xf32>

// What scores read has gradients, too, and so has the log-sum-exp.

// CHECK-LABEL: func.func @scores_grad(
// CHECK: lattn.attention_grad query({{.*}} bias({{.*}} sink({{.*}} captures({{.*}} d_lse({{.*}} outs({{.*}} d_bias({{.*}} d_captures({{.*}} score {
func.func @scores(%q: !q, %b: tensor<1x1x?x?xf32>, %s: !h, %slopes: !h, %e: !q, %l: !r) -> (!q, !r) {
  %0:2 = lattn.attention query(%q : !q) key(%q : !q) value(%q : !q) bias(%b : tensor<1x1x?x?xf32>)
      sink(%s : !h) captures(%slopes : !h) outs(%e : !q, %l : !r) score {
  ^bb0(%x: f32, %batch: i32, %h: i32, %i: i32, %j: i32, %c: !h):
    %head = arith.index_cast %h : i32 to index
    %slope = tensor.extract %c[%head] : !h
    %y = arith.mulf %x, %slope : f32
    lattn.yield %y : f32
  }
  return %0#0, %0#1 : !q, !r
}
