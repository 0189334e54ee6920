// RUN: lattn-opt %s --lattn-differentiate=mode=forward --remarks-filter=lattn-differentiate --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: lattn-opt %s --lattn-differentiate="functions=attend mode=forward" --lattn-differentiate="functions=attend_jvp mode=forward" | FileCheck %s --check-prefix=TWICE

// The tangent function of attention reads the output and the log-sum-exp of the
// op that gives their tangents, and no other attention.

!q = tensor<1x4x?x8xf32>

// CHECK: remark: [Missed] tangents | Category:lattn-differentiate | Remark="tangents as loops over blocks of queries: it has a sink"

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

// CHECK-LABEL: func.func @attend_with_sink_jvp(
// CHECK-NOT: lattn.attention_jvp
// CHECK: lattn.attention
// CHECK: scf.for
func.func @attend_with_sink(%q: !q, %k: !q, %v: !q, %s: tensor<4xf32>, %e: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q) sink(%s : tensor<4xf32>)
      outs(%e : !q)
  return %0 : !q
}
