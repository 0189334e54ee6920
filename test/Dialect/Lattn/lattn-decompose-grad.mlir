// RUN: lattn-opt %s --lattn-decompose --canonicalize --cse | FileCheck %s

// The dull form of attention_grad_step: weights and gradients of scores as
// matrices, and five products.

!q = tensor<?x8xf32>
!r = tensor<16xf32>

// CHECK-DAG: #[[PAIRS:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[TURNED:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<?x8xf32>, %[[L:.*]]: tensor<16xf32>, %[[R:.*]]: tensor<16xf32>, %[[DO:.*]]: tensor<?x8xf32>, %[[DQ:.*]]: tensor<16x8xf32>, %[[DK:.*]]: tensor<?x8xf32>, %[[DV:.*]]: tensor<?x8xf32>,
// CHECK-NOT:   lattn.
// CHECK-DAG:   %[[LSE:.*]] = tensor.extract_slice %[[L]][0]
// CHECK-DAG:   %[[SUMS:.*]] = tensor.extract_slice %[[R]][0]
// CHECK:       %[[S:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[K]] :

// A hidden key has the weight 0, whatever its score; so has a row of which lse is
// +inf.
// CHECK:       %[[P:.*]] = linalg.generic {indexing_maps = [#[[PAIRS]], #[[ROW]], #[[PAIRS]]]{{.*}} ins(%[[S]], %[[LSE]] :
// CHECK:         arith.mulf %{{.*}}, %cst{{.*}} : f32
// CHECK:         %[[SCORE:.*]] = arith.select
// CHECK:         %[[HIDDEN:.*]] = arith.cmpf oeq, %[[SCORE]],
// CHECK:         %[[EXP:.*]] = math.exp
// CHECK:         %[[W:.*]] = arith.select %[[HIDDEN]], %{{.*}}, %[[EXP]]
// CHECK:         %[[NOROW:.*]] = arith.cmpf oeq, %{{.*}}, %cst
// CHECK:         arith.select %[[NOROW]], %{{.*}}, %[[W]]
// CHECK:       %[[DP:.*]] = linalg.generic {{.*}} ins(%[[DO]], %[[V]] :

// Gradients of scores: weight * (dp - row sum), 0 for a weight of 0; then of the
// products.
// CHECK:       %[[G:.*]] = linalg.generic {indexing_maps = [#[[PAIRS]], #[[PAIRS]], #[[ROW]], #[[PAIRS]]]{{.*}} ins(%[[P]], %[[DP]], %[[SUMS]] :
// CHECK:         arith.cmpf oeq
// CHECK:         arith.subf
// CHECK:         arith.select
// CHECK:       %[[DS:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[S]] :
// CHECK:         arith.mulf
// CHECK:       linalg.generic {{.*}} ins(%[[DS]], %[[K]] : {{.*}} outs(%{{.*}} : tensor<?x8xf32>)
// CHECK:       %[[RESULT:.*]] = tensor.insert_slice %{{.*}} into %[[DQ]][0, 0]
// CHECK:       %[[OFKEYS:.*]] = linalg.generic {indexing_maps = [#[[TURNED]], {{.*}} ins(%[[DS]], %[[Q]] : {{.*}} outs(%[[DK]] :
// CHECK:       %[[OFVALUES:.*]] = linalg.generic {indexing_maps = [#[[TURNED]], {{.*}} ins(%[[P]], %[[DO]] : {{.*}} outs(%[[DV]] :
// CHECK:       return %[[RESULT]], %[[OFKEYS]], %[[OFVALUES]]
func.func @step(%q: !q, %k: !q, %v: !q, %l: !r, %r: !r, %do: !q, %dq: tensor<16x8xf32>, %dk: !q, %dv: !q, %w: i64, %c: index)
    -> (tensor<16x8xf32>, !q, !q) {
  %0:3 = lattn.attention_grad_step query(%q : !q) key(%k : !q) value(%v : !q) offset(%w : i64)
      origin(%c, %c, %c, %c) lse(%l : !r) row_sums(%r : !r) d_output(%do : !q)
      outs(%dq, %dk, %dv : tensor<16x8xf32>, !q, !q) {causal}
  return %0#0, %0#1, %0#2 : tensor<16x8xf32>, !q, !q
}

// Dropout drops the weights of the values' gradients, and gradients of weights; the
// weights of scores stay whole.
// CHECK-LABEL: func.func @dropout(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[R:.*]]: tensor<16xf32>
// CHECK:       %[[P:.*]] = linalg.generic {indexing_maps = [#[[PAIRS]], #[[ROW]], #[[PAIRS]]]
// CHECK:       %[[DP:.*]] = linalg.generic {indexing_maps = [#[[PAIRS]], #[[PAIRS]]]
// CHECK:         arith.mului_extended
// CHECK:       linalg.generic {indexing_maps = [#[[PAIRS]], #[[PAIRS]], #[[ROW]], #[[PAIRS]]]{{.*}} ins(%[[P]], %[[DP]],
// CHECK:       %[[KEPT:.*]] = linalg.generic {indexing_maps = [#[[PAIRS]], #[[PAIRS]]]{{.*}} ins(%[[P]] :
// CHECK:         arith.mului_extended
// CHECK:       linalg.generic {indexing_maps = [#[[TURNED]], {{.*}} ins(%[[KEPT]], %[[Q]] :
func.func @dropout(%q: !q, %r: !r, %dq: tensor<16x8xf32>, %p: f32, %i: i64) -> (tensor<16x8xf32>, !q, !q) {
  %0:3 = lattn.attention_grad_step query(%q : !q) key(%q : !q) value(%q : !q)
      dropout(%p, %i, %i, %i : f32, i64, i64, i64) lse(%r : !r) row_sums(%r : !r) d_output(%q : !q)
      outs(%dq, %q, %q : tensor<16x8xf32>, !q, !q)
  return %0#0, %0#1, %0#2 : tensor<16x8xf32>, !q, !q
}
