// RUN: lattn-opt %s --lattn-tile-grad=gpu --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s

!q = tensor<1x2x?x16xbf16>
!pq = tensor<?x2x?x16xbf16>
!l = tensor<1x2x?xf32>
!pl = tensor<?x2x?xf32>
!cu = tensor<?xi32>

// Rows of a sequence are read where they lie, and their gradients go there. Tiles
// behind its end have no rows, and no steps. The sum for a sink skips rows of no
// sequence.

// CHECK-LABEL: func.func @sequences(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<1x2x?x16xbf16>, %[[L:[^:]+]]: tensor<1x2x?xf32>, %[[SINK:[^:]+]]: tensor<2xf32>, %[[CU:[^:]+]]: tensor<?xi32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[Q]], %[[Q]] :
// CHECK: %[[DQ:.*]] = scf.forall (%[[S:.*]], %{{.*}}, %{{.*}}) in (%{{.*}}, 2, %{{.*}}) shared_outs(
// CHECK:   %[[BEGIN:.*]] = tensor.extract %[[CU]][%[[S]]]
// CHECK:   %[[EMPTY:.*]] = arith.cmpi eq
// CHECK:   arith.select %[[EMPTY]], %c0
// CHECK:   tensor.extract_slice %[[Q]][0, %{{.*}}, %{{.*}}, 0] [1, 1, %{{.*}}, 16]
// CHECK:   tensor.extract_slice %[[L]][0, %{{.*}}, %{{.*}}] [1, 1, %{{.*}}]
// CHECK:   tensor.extract_slice %[[SUMS]][0,
// CHECK:   arith.select %[[EMPTY]]
// CHECK:   lattn.sweep_keys
// CHECK:     lattn.attention_grad_step
// CHECK-NOT: kv_lens
// CHECK: } {lattn.grid = #lattn.grid<kernel = "query">
// CHECK: } {lattn.grid = #lattn.grid<kernel = "key_value">
// CHECK: linalg.generic {{.*}} ins(%[[SINK]], %[[L]], %[[SUMS]] :
// CHECK:   linalg.index 2
// CHECK:   tensor.extract %[[CU]]
// CHECK-NOT: lattn.pack_sequences
func.func @sequences(%q: !q, %l: !l, %sink: tensor<2xf32>, %cu: !cu, %most: index, %dq: !q, %dk: !q, %dv: !q) -> (!q, !q, !q, tensor<2xf32>) {
  %pq, %n = lattn.pad_sequences ins(%q, %cu : !q, !cu) max_seqlen(%most) -> !pq, tensor<?xi64>
  %pl, %n2 = lattn.pad_sequences ins(%l, %cu : !l, !cu) max_seqlen(%most) -> !pl, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %most) : !pq
  %es = tensor.empty() : tensor<2xf32>
  %0:4 = lattn.attention_grad query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) kv_lens(%n : tensor<?xi64>) sink(%sink : tensor<2xf32>)
      output(%pq : !pq) lse(%pl : !pl) d_output(%pq : !pq)
      outs(%e, %e, %e : !pq, !pq, !pq, %es : tensor<2xf32>) {causal, schedule = #lattn.schedule<query_tile = 64, key_tile = 32>}
  %1 = lattn.pack_sequences ins(%0#0, %cu : !pq, !cu) outs(%dq : !q)
  %2 = lattn.pack_sequences ins(%0#1, %cu : !pq, !cu) outs(%dk : !q)
  %3 = lattn.pack_sequences ins(%0#2, %cu : !pq, !cu) outs(%dv : !q)
  return %1, %2, %3, %0#3 : !q, !q, !q, tensor<2xf32>
}

// -----

!q = tensor<1x2x?x16xbf16>
!pq = tensor<?x2x?x16xbf16>
!pl = tensor<?x2x?xf32>
!cu = tensor<?xi32>

func.func @padded_otherwise(%q: !q, %pl: !pl, %cu: !cu, %most: index) -> !pq {
  %pq, %n = lattn.pad_sequences ins(%q, %cu : !q, !cu) max_seqlen(%most) -> !pq, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %most) : !pq
  // expected-error @below {{cannot be lowered: expected all arrays with rows of packed sequences to be padded alike}}
  %0:3 = lattn.attention_grad query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) kv_lens(%n : tensor<?xi64>)
      output(%pq : !pq) lse(%pl : !pl) d_output(%pq : !pq) outs(%e, %e, %e : !pq, !pq, !pq)
  return %0#0 : !pq
}

// -----

!q = tensor<1x2x?x16xbf16>
!pq = tensor<?x2x?x16xbf16>
!l = tensor<1x2x?xf32>
!pl = tensor<?x2x?xf32>
!cu = tensor<?xi32>

func.func @not_packed_again(%q: !q, %l: !l, %cu: !cu, %most: index) -> !pq {
  %pq, %n = lattn.pad_sequences ins(%q, %cu : !q, !cu) max_seqlen(%most) -> !pq, tensor<?xi64>
  %pl, %n2 = lattn.pad_sequences ins(%l, %cu : !l, !cu) max_seqlen(%most) -> !pl, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %most) : !pq
  // expected-error @below {{cannot be lowered: expected each gradient of packed sequences to be used by one lattn.pack_sequences of these}}
  %0:3 = lattn.attention_grad query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) kv_lens(%n : tensor<?xi64>)
      output(%pq : !pq) lse(%pl : !pl) d_output(%pq : !pq) outs(%e, %e, %e : !pq, !pq, !pq)
  return %0#0 : !pq
}
