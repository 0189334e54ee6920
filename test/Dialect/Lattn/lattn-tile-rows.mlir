// RUN: lattn-opt %s --lattn-tile-rows | FileCheck %s
// RUN: lattn-opt %s --lattn-tile-rows="query-tile=5" | FileCheck %s --check-prefix=FIVE
// RUN: not lattn-opt %s --lattn-tile-rows="query-tile=0" 2>&1 | FileCheck %s --check-prefix=ZERO

// The dull tiling: sequential, over all keys, window and masks untouched.

// ZERO: error: lattn-tile-rows: expected tiles of at least 1, got query-tile=0
// FIVE: scf.for {{.*}} step %c5

!q = tensor<2x128x4x32xf32>
!l = tensor<2x4x128xf32>

// CHECK-LABEL: @window_lens_lse
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<2x128x4x32xf32>, %[[K:[^:]+]]: tensor<2x128x4x32xf32>, %[[V:[^:]+]]:
// CHECK:      scf.for %[[B:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK:        scf.for %[[I:.*]] = %c0{{.*}} to %c128{{.*}} step %c16{{.*}} iter_args(%[[O:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}})
// CHECK:          %[[ROWS:.*]] = affine.min
// CHECK:          tensor.extract_slice %[[Q]][%[[B]], %[[I]], 0, 0] [1, %[[ROWS]], 4, 32]
// CHECK:          tensor.extract_slice %[[K]][%[[B]], 0, 0, 0] [1, 128, 4, 32]
// CHECK:          tensor.extract_slice %[[V]][%[[B]], 0, 0, 0] [1, 128, 4, 32]
// CHECK:          %[[T:.*]]:2 = lattn.attention {{.*}} kv_lens({{.*}} origin(%[[B]], %c0{{.*}}, %[[I]], %c0
// CHECK-SAME:       layout = #lattn.layout<bnhd>
// CHECK-SAME:       window = #lattn.window<left = 16, right = 0>
// CHECK:          %[[O1:.*]] = tensor.insert_slice %[[T]]#0 into %[[O]][%[[B]], %[[I]], 0, 0] [1, %[[ROWS]], 4, 32]
// CHECK:          %[[L1:.*]] = tensor.insert_slice %[[T]]#1 into %[[L]][%[[B]], 0, %[[I]]] [1, 4, %[[ROWS]]]
// CHECK:          scf.yield %[[O1]], %[[L1]]
func.func @window_lens_lse(%q: !q, %k: !q, %v: !q, %lens: tensor<2xi32>, %o: !q, %l: !l) -> (!q, !l) {
  %0:2 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q)
      kv_lens(%lens : tensor<2xi32>) outs(%o : !q, %l : !l)
      {window = #lattn.window<left = 16, right = 0>, layout = #lattn.layout<bnhd>}
  return %0#0, %0#1 : !q, !l
}

// Unknown head sizes are no obstacle here.
// CHECK-LABEL: @dynamic
// CHECK:      lattn.attention query(%{{.*}} : tensor<1x?x?x?xf64>)
!d = tensor<?x?x?x?xf64>
func.func @dynamic(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
  return %0 : !d
}
