// RUN: lattn-opt %s --lattn-differentiate="functions=attend mode=forward" --lattn-differentiate="functions=attend_with_options arguments=1,2,3 mode=forward" | FileCheck %s
// RUN: lattn-opt %s --lattn-differentiate="functions=attend mode=forward" --lattn-differentiate="functions=attend_jvp mode=forward" | FileCheck %s --check-prefix=TWICE

// The tangent function of attention reads the output and the log-sum-exp of the
// op that gives their tangents, and no other attention.

!q = tensor<1x4x?x8xf32>

// CHECK-LABEL: func.func @attend_jvp(
// CHECK-SAME: %[[Q:[^:]+]]: {{[^,]*}}, %[[K:[^:]+]]: {{[^,]*}}, %[[V:[^:]+]]: {{[^,]*}}, %[[E:[^:]+]]: {{[^,]*}}, %[[DQ:[^:]+]]: {{[^,]*}}, %[[DK:[^:]+]]: {{[^,]*}}, %[[DV:[^:]+]]:
// CHECK-NOT: lattn.attention {{.*}}
// CHECK: %[[R:.*]]:4 = lattn.attention_jvp query(%[[Q]] : {{.*}} key(%[[K]] : {{.*}} value(%[[V]] : {{.*}} d_query(%[[DQ]] : {{.*}} d_key(%[[DK]] : {{.*}} d_value(%[[DV]] : {{.*}} outs(%[[E]],
// CHECK-SAME: window = #lattn.window<left = 16, right = 0>
// CHECK-NOT: lattn.attention
// CHECK: arith.mulf
// CHECK: return

// TWICE-LABEL: func.func @attend_jvp_jvp(
// TWICE: lattn.attention query
// TWICE-NOT: lattn.attention_jvp
// TWICE: return
func.func @attend(%q: !q, %k: !q, %v: !q, %e: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q) outs(%e : !q)
      {window = #lattn.window<left = 16, right = 0>}
  %1 = arith.mulf %0, %0 : !q
  return %1 : !q
}

// What has no tangent of its own among the captured arrays gets zeros.

// CHECK-LABEL: func.func @attend_with_options_jvp(
// CHECK-SAME: %[[S:[^:]+]]: tensor<4xf32>, %[[B:[^:]+]]: tensor<?xf32>, %[[C:[^:]+]]: tensor<4xf32>, %[[D:[^:]+]]: tensor<4xf32>
// CHECK-SAME: %[[DS:[^:]+]]: tensor<4xf32>, %[[DB:[^:]+]]: tensor<?xf32>, %[[DC:[^:]+]]: tensor<4xf32>) ->
// CHECK-NOT: lattn.attention {{.*}}
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: lattn.attention_jvp {{.*}} sink(%[[S]] : {{.*}} captures(%[[C]], %[[D]] : {{.*}} d_sink(%[[DS]] : {{.*}} d_bias(%[[DB]] : {{.*}} d_captures(%[[DC]], %[[ZEROS]] :
// CHECK-NOT: scf.for
// CHECK: return
func.func @attend_with_options(%q: !q, %s: tensor<4xf32>, %b: tensor<?xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%q : !q) value(%q : !q) bias(%b : tensor<?xf32>) sink(%s : tensor<4xf32>)
      captures(%c, %d : tensor<4xf32>, tensor<4xf32>) outs(%e : !q) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32, %t: tensor<4xf32>, %u: tensor<4xf32>):
      %h = arith.index_cast %head : i32 to index
      %y = tensor.extract %t[%h] : tensor<4xf32>
      %z = tensor.extract %u[%h] : tensor<4xf32>
      %a = math.fma %x, %y, %z : f32
      lattn.yield %a : f32
    }
  return %0 : !q
}
