// RUN: lattn-opt %s --lattn-decompose --canonicalize --cse --split-input-file | FileCheck %s
// RUN: lattn-opt %s --lattn-decompose --split-input-file --remarks-filter=lattn-decompose --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// attention_scores as linalg ops: as many as its stage asks for, in the
// destination where that has the accumulator's type.

!q = tensor<2x4x?x8xf32>
!k = tensor<2x2x?x8xf32>
!s = tensor<2x4x?x?xf32>

// REMARK: remark: {{.*}}attention_scores {{.*}}lattn-decompose {{.*}}"all (batch, head, query, key) scores are stored", Type=tensor<2x4x?x?xf32>
// CHECK-LABEL: @products
// CHECK-SAME:  %[[OUT:[^:]+]]: tensor<2x4x?x?xf32>)
// CHECK:       %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[OUT]] :
// CHECK:       %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"]} {{.*}} outs(%[[FILL]] :
// CHECK:       linalg.generic {{.*}} outs(%[[SUMS]] :
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    linalg.yield
// CHECK-NOT:   lattn.
func.func @products(%q: !q, %k: !k, %b: tensor<4x?x?xf32>, %e: !s) -> !s {
  %0 = lattn.attention_scores query(%q : !q) key(%k : !k)
      bias(%b : tensor<4x?x?xf32>) outs(%e : !s)
      {causal, stage = #lattn.stage<products>} score {
    ^bb0(%s: f32, %bi: i32, %h: i32, %i: i32, %j: i32):
      %r = math.tanh %s : f32
      lattn.yield %r : f32
    }
  return %0 : !s
}

// -----

!q = tensor<2x4x?x8xf32>
!s = tensor<2x4x?x?xf32>
// CHECK-LABEL: @scores
// CHECK:       math.tanh
// CHECK-NOT:   arith.addf
// CHECK-NOT:   arith.select
// CHECK:       return
func.func @scores(%q: !q, %b: tensor<4x?x?xf32>, %e: !s) -> !s {
  %0 = lattn.attention_scores query(%q : !q) key(%q : !q)
      bias(%b : tensor<4x?x?xf32>) outs(%e : !s)
      {causal, stage = #lattn.stage<scores>} score {
    ^bb0(%s: f32, %bi: i32, %h: i32, %i: i32, %j: i32):
      %r = math.tanh %s : f32
      lattn.yield %r : f32
    }
  return %0 : !s
}

// -----

// The default offset, M - N, becomes explicit.
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!s = tensor<2x4x5x7xf32>
// CHECK-LABEL: @masked
// CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : index
// CHECK:       %[[I:.*]] = linalg.index 2
// CHECK:       %[[J:.*]] = linalg.index 3
// CHECK:       %[[END:.*]] = arith.addi %[[I]], %[[C3]]
// CHECK:       %[[SEEN:.*]] = arith.cmpi slt, %[[J]], %[[END]]
// CHECK:       arith.select %[[SEEN]], %{{.*}}, %{{.*}}
// CHECK-NOT:   math.exp
// CHECK:       return
func.func @masked(%q: !q, %k: !k, %e: !s) -> !s {
  %0 = lattn.attention_scores query(%q : !q) key(%k : !k) outs(%e : !s)
      {causal, stage = #lattn.stage<masked>}
  return %0 : !s
}

// -----

// Accumulated in f32, rounded once at the end; the sink starts max and sum.
!q = tensor<?x?x4x8xbf16>
!k = tensor<?x?x2x8xbf16>
!s = tensor<?x4x?x?xbf16>
// CHECK-LABEL: @weights
// CHECK-SAME:  %[[OUT:[^:]+]]: tensor<?x4x?x?xbf16>)
// CHECK:       tensor.empty({{.*}}) : tensor<?x4x?x?xf32>
// CHECK:       ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK-NOT:   arith.truncf
// CHECK:       arith.maximumf
// CHECK:       math.exp
// CHECK:       math.exp
// CHECK:       linalg.generic {{.*}} outs(%[[OUT]] :
// CHECK:       arith.divf
// CHECK:       arith.truncf
// CHECK-NEXT:  linalg.yield
func.func @weights(%q: !q, %k: !k, %sink: tensor<4xbf16>, %e: !s) -> !s {
  %0 = lattn.attention_scores query(%q : !q) key(%k : !k)
      sink(%sink : tensor<4xbf16>) outs(%e : !s)
      {layout = #lattn.layout<bnhd>, stage = #lattn.stage<weights>}
  return %0 : !s
}
