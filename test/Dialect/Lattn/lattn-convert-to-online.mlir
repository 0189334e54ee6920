// RUN: lattn-opt %s --lattn-convert-to-online --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s

// attention -> online_attention from the state of no keys, and finalize.

!t = tensor<2x4x?x32xf16>
!l = tensor<2x4x?xf32>

// CHECK-LABEL: @window_lse
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<2x4x?x32xf16>, %{{[^:]+}}: tensor<2x4x?x32xf16>, %{{[^:]+}}: tensor<2x4x?x32xf16>, %[[O:[^:]+]]: tensor<2x4x?x32xf16>, %[[L:[^:]+]]:
// CHECK-DAG:  %[[NONE:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:  %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:  %[[N:.*]] = tensor.dim %[[Q]], %c2
// CHECK:      %[[ACC:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<2x4x?x32xf32>)
// CHECK:      %[[MAX:.*]] = linalg.fill ins(%[[NONE]] : f32) outs(%{{.*}} : tensor<2x4x?xf32>)
// CHECK:      %[[SUM:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<2x4x?xf32>)
// CHECK:      %[[OFFSET:.*]] = arith.subi
// CHECK:      %[[S:.*]]:3 = lattn.online_attention query(%[[Q]] : {{.*}} offset(%[[OFFSET]] : i64)
// CHECK-SAME:   outs(%[[ACC]], %[[MAX]], %[[SUM]] :
// CHECK-SAME:   window = #lattn.window<left = 7>
// CHECK:      lattn.finalize ins(%[[S]]#0, %[[S]]#1, %[[S]]#2 : {{.*}}) outs(%[[O]] : {{.*}}, %[[L]] : {{.*}}) {value_axis = 3 : i64}
func.func @window_lse(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l) -> (!t, !l) {
  %0:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t, %l : !l) {window = #lattn.window<left = 7>}
  return %0#0, %0#1 : !t, !l
}

// The state is (batch, head, query) in any layout; the output goes back.
// CHECK-LABEL: @bnhd_sink
// CHECK-SAME: %[[SINK:[^:]+]]: tensor<4xf32>
// CHECK:      %[[S:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<2x4x8xf32>, tensor<2x4x8xf32>)
// CHECK:        %[[H:.*]] = linalg.index 1
// CHECK:        tensor.extract %[[SINK]][%[[H]]]
// CHECK:      lattn.online_attention query(%{{.*}} : tensor<2x8x4x32xf32>) {{.*}} outs(%{{.*}}, %[[S]]#0, %[[S]]#1 :
// CHECK:      %[[OUT:.*]] = lattn.finalize {{.*}} outs(%{{.*}} : tensor<2x4x8x32xf32>)
// CHECK:      linalg.transpose ins(%[[OUT]] : {{.*}} permutation = [0, 2, 1, 3]
!b = tensor<2x8x4x32xf32>
func.func @bnhd_sink(%q: !b, %k: !b, %v: !b, %sink: tensor<4xf32>, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !b)
      sink(%sink : tensor<4xf32>) outs(%o : !b) {layout = #lattn.layout<bnhd>}
  return %0 : !b
}

// -----

!m = memref<1x4x8x32xf32>
func.func @buffers(%q: !m, %k: !m, %v: !m, %o: !m) {
  // expected-error @+1 {{op cannot be lowered: is not on tensors}}
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m) outs(%o : !m)
  return
}
