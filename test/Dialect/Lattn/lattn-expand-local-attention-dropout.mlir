// RUN: lattn-opt %s --lattn-expand-local-attention --canonicalize --cse | FileCheck %s

!t = tensor<2x4x8x16xf32>

// Weights are attention's to drop. The mean in an empty row is of its own slots:
// each row draws, a slot before the sequence has a negative key.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<()[s0] -> ((s0 floordiv 4) * 4 - 4)>
// CHECK-LABEL: @masked
// CHECK-SAME:  %[[MASK:[^:]+]]: tensor<2x8xi1>, %[[P:[^:]+]]: f32, %[[SEED:[^:]+]]: i64, %[[OFFSET:[^:]+]]: i64
// CHECK:       lattn.attention {{.*}} key_mask(%[[MASK]] : {{.*}}) dropout(%[[P]], %[[SEED]], %[[OFFSET]] : f32, i64, i64)
// CHECK:       scf.forall (%[[B:.*]], %[[H:.*]], %[[ROW:.*]]) in (2, 4, 8)
// CHECK:         scf.if
// CHECK:           %[[T0:.*]] = affine.apply #[[FIRST]]()[%[[ROW]]]
// CHECK:           %[[KEPT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<12xf32>)
// CHECK:             %[[T:.*]] = arith.addi %[[T0]], %{{.*}} : index
// CHECK:             %[[KEY:.*]] = arith.index_cast %[[T]] : index to i32
// CHECK:             arith.shrsi %[[KEY]]
// CHECK:             arith.mului_extended
// CHECK:           linalg.generic {{.*}} ins(%[[KEPT]] : tensor<12xf32>) outs(%{{.*}} : tensor<17xf32>)
func.func @masked(%q: !t, %mask: tensor<2x8xi1>, %p: f32, %seed: i64,
    %offset: i64) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      key_mask(%mask : tensor<2x8xi1>) dropout(%p, %seed, %offset : f32, i64, i64)
      outs(%q : !t) {window_size = 4 : i64}
  return %0 : !t
}
