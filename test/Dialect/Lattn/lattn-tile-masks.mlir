// RUN: lattn-opt %s --lattn-tile --canonicalize --cse | FileCheck %s

// What hides keys, and in which runs it is asked.

!q = tensor<2x4x128x64xf32>

// Nothing to mask: whole tiles and a last partial one.
// CHECK-LABEL: @no_window
// CHECK-NOT:  window
// CHECK-NOT:  offset(
// CHECK:      lattn.sweep_keys {{.*}} in (%c0 interior %c256 edge %c300) by 64
// CHECK:        lattn.online_attention
// CHECK:      lattn.finalize
!k = tensor<2x4x300x64xf32>
func.func @no_window(%q: !q, %k: !k, %v: !k, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q)
  return %0 : !q
}

// Any key may be hidden: all of them in the run at the left edge.
// CHECK-LABEL: @key_mask
// CHECK-SAME: %[[MASK:[^:]+]]: tensor<2x128xi1>
// CHECK:      %[[S:.*]]:3 = lattn.sweep_keys {{.*}} in (%c0 edge %c128) by 64
// CHECK:        lattn.online_attention {{.*}} key_mask(%[[MASK]] : tensor<2x128xi1>) origin(
// CHECK:      lattn.finalize ins(%[[S]]#0,
func.func @key_mask(%q: !q, %k: !q, %v: !q, %mask: tensor<2x128xi1>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q)
      key_mask(%mask : tensor<2x128xi1>) outs(%o : !q)
  return %0 : !q
}

// kv_lens bounds the runs, and no tile op asks it again.
// CHECK-LABEL: @kv_lens
// CHECK-SAME: %[[LENS:[^:]+]]: tensor<2xi32>
// CHECK:      scf.forall (%[[B:.*]], %{{.*}}, %{{.*}}) in
// CHECK:        %[[LEN:.*]] = tensor.extract %[[LENS]][%[[B]]]
// CHECK:        %[[LEN1:.*]] = arith.index_cast %[[LEN]] : i32 to index
// CHECK:        %[[LEN2:.*]] = arith.maxsi %[[LEN1]], %c0
// CHECK:        %[[END:.*]] = arith.minsi %[[LEN2]], %c128
// CHECK:        lattn.sweep_keys {{.*}} in (%c0 interior %{{.*}} edge %[[END]]) by 64
// CHECK-NOT:  kv_lens
// CHECK:      return
func.func @kv_lens(%q: !q, %k: !q, %v: !q, %lens: tensor<2xi32>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q)
      kv_lens(%lens : tensor<2xi32>) outs(%o : !q)
  return %0 : !q
}

// The default offset counts from the last of kv_lens' keys, not from M.
// CHECK-LABEL: @kv_lens_causal
// CHECK-SAME: %[[LENS:[^:]+]]: tensor<2xi32>
// CHECK:      scf.forall (%[[B:.*]], %{{.*}}, %{{.*}}) in
// CHECK:        %[[LEN:.*]] = tensor.extract %[[LENS]][%[[B]]]
// CHECK:        %[[LEN64:.*]] = arith.extsi %[[LEN]]
// CHECK:        %[[LEN0:.*]] = arith.maxsi %[[LEN64]], %c0_i64
// CHECK:        %[[LEN1:.*]] = arith.minsi %[[LEN0]], %c128_i64
// CHECK:        %[[OFFSET:.*]] = arith.subi %[[LEN1]], %c128_i64
// CHECK:        lattn.online_attention {{.*}} offset(%[[OFFSET]] : i64)
func.func @kv_lens_causal(%q: !q, %k: !q, %v: !q, %lens: tensor<2xi32>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q)
      kv_lens(%lens : tensor<2xi32>) outs(%o : !q) {causal}
  return %0 : !q
}
