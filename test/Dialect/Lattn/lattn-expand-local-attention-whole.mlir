// RUN: lattn-opt %s --lattn-expand-local-attention=whole --canonicalize --cse | FileCheck %s

// Empty rows by operations on whole arrays, which have derivatives.

!t = tensor<2x4x24x16xf32>
!mask = tensor<2x24xi1>

// With a bias each row has a mean of its own: the keys that it does not see are attended
// with equal scores. Slots outside of the sequence count as -1.
// CHECK-LABEL: @bias
// CHECK-SAME:  %[[Q:[^:]+]]: tensor<2x4x24x16xf32>, %[[MASK:[^:]+]]: tensor<2x24xi1>
// CHECK:       %[[A:.*]]:2 = lattn.attention query(%[[Q]] {{.*}} key_mask(
// CHECK-NOT:   scf.forall
// CHECK:       scf.if
// CHECK-DAG:     %[[OUTSIDE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x24xf32>)
// CHECK:         %[[MEAN:.*]] = lattn.attention query(%{{.*}} : tensor<2x4x24x1xf32>) {{.*}} value(%[[Q]] : {{.*}} captures(%[[MASK]] : {{.*}} {window = #lattn.window<bucket = 8, back = 1>} score {
// CHECK:           %[[HIDDEN:.*]] = arith.ori
// CHECK:           arith.select %[[HIDDEN]], %{{.*}}, %{{.*}} : f32
// CHECK:         linalg.generic {{.*}} ins(%[[A]]#1, %[[MEAN]], %[[OUTSIDE]],
// CHECK:           arith.mulf
// CHECK:           arith.subf
// CHECK:           arith.divf
func.func @bias(%q: !t, %mask: !mask, %bias: tensor<4x8x16xf32>) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%bias : tensor<4x8x16xf32>) key_mask(%mask : !mask) outs(%q : !t)
      {window_size = 8 : i64, causal, exact_windowsize}
  return %0 : !t
}

// Dropout drops these weights, too, and those of slots before the first key, which only
// the first block looks at.
// CHECK-LABEL: @dropout
// CHECK:       scf.if
// CHECK:         tensor.extract_slice {{.*}}[0, 0, 0] [2, 4, 8]
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x8xf32>)
// CHECK:           arith.mului_extended
// CHECK:         tensor.insert_slice
// CHECK:         lattn.attention {{.*}} dropout(
// CHECK-NOT:     lattn.attention
func.func @dropout(%q: !t, %mask: !mask, %p: f32, %seed: i64, %offset: i64) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      key_mask(%mask : !mask) dropout(%p, %seed, %offset : f32, i64, i64)
      outs(%q : !t) {window_size = 8 : i64, causal}
  return %0 : !t
}

// Without either, a block has one mean.
// CHECK-LABEL: @mask
// CHECK:       lattn.attention
// CHECK-NOT:   lattn.attention
// CHECK:       linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4x3x16xf32>)
func.func @mask(%q: !t, %mask: !mask) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      key_mask(%mask : !mask) outs(%q : !t) {window_size = 8 : i64, causal}
  return %0 : !t
}
