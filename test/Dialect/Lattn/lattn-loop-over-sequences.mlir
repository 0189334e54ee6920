// RUN: lattn-opt %s --lattn-loop-over-sequences --canonicalize --cse --split-input-file -verify-diagnostics | FileCheck %s

!q = tensor<1x8x?x64xf32>
!pq = tensor<?x8x?x64xf32>
!l = tensor<1x8x?xf32>
!pl = tensor<?x8x?xf32>
!cu = tensor<?xi32>

// Rows of a sequence are read where they lie, and their gradients go there. The
// gradient of the sink is the sum of all.

// CHECK-LABEL: func.func @grad(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<1x8x?x64xf32>, %[[L:[^:]+]]: tensor<1x8x?xf32>, %[[SINK:[^:]+]]: tensor<8xf32>
// CHECK-SAME: %[[OUT:[^:]+]]: tensor<1x8x?x64xf32>
// CHECK: %[[ZERO:.+]] = linalg.fill
// CHECK: scf.for %[[S:.+]] = %c0 to %{{.+}} step %c1 iter_args(%[[DQ:.+]] = %[[OUT]], %[[DK:.+]] = %[[OUT]], %[[DV:.+]] = %[[OUT]], %[[DS:.+]] = %[[ZERO]])
// CHECK: %[[ROWS:.+]] = tensor.extract_slice %[[Q]][0, 0, %[[BEGIN:.+]], 0] [1, 8, %[[N:.+]], 64]
// CHECK: tensor.extract_slice %[[L]][0, 0, %[[BEGIN]]] [1, 8, %[[N]]]
// CHECK: %[[G:.+]]:4 = lattn.attention_grad query(%[[ROWS]] : tensor<1x8x?x64xf32>)
// CHECK-NOT: kv_lens
// CHECK-SAME: offset(%{{.+}}) origin(%[[S]], %c0, %c0, %c0)
// CHECK: tensor.insert_slice %[[G]]#0 into %[[DQ]][0, 0, %[[BEGIN]], 0] [1, 8, %[[N]], 64]
// CHECK: linalg.add ins(%[[DS]], %[[G]]#3
func.func @grad(%q: !q, %l: !l, %sink: tensor<8xf32>, %cq: !cu, %mq: index, %out: !q) -> (!q, !q, !q, tensor<8xf32>) {
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%mq) -> !pq, tensor<?xi64>
  %pl, %n2 = lattn.pad_sequences ins(%l, %cq : !l, !cu) max_seqlen(%mq) -> !pl, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %mq) : !pq
  %es = tensor.empty() : tensor<8xf32>
  %0:4 = lattn.attention_grad query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) kv_lens(%n : tensor<?xi64>) sink(%sink : tensor<8xf32>)
      output(%pq : !pq) lse(%pl : !pl) d_output(%pq : !pq) d_lse(%pl : !pl)
      outs(%e, %e, %e : !pq, !pq, !pq, %es : tensor<8xf32>) {causal}
  %1 = lattn.pack_sequences ins(%0#0, %cq : !pq, !cu) outs(%out : !q)
  %2 = lattn.pack_sequences ins(%0#1, %cq : !pq, !cu) outs(%out : !q)
  %3 = lattn.pack_sequences ins(%0#2, %cq : !pq, !cu) outs(%out : !q)
  return %1, %2, %3, %0#3 : !q, !q, !q, tensor<8xf32>
}

// -----

!q = tensor<1x8x?x64xf32>
!pq = tensor<?x8x?x64xf32>
!l = tensor<1x8x?xf32>
!pl = tensor<?x8x?xf32>
!cu = tensor<?xi32>

func.func @read_twice(%q: !q, %l: !l, %cq: !cu, %mq: index, %out: !q) -> (!q, !pq) {
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%mq) -> !pq, tensor<?xi64>
  %pl, %n2 = lattn.pad_sequences ins(%l, %cq : !l, !cu) max_seqlen(%mq) -> !pl, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %mq) : !pq
  // expected-warning @below {{packed sequences are copied to padded ones: result 0 is used by something else than one lattn.pack_sequences of the same sequences, whose destination can be had before}}
  %0:3 = lattn.attention_grad query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) kv_lens(%n : tensor<?xi64>)
      output(%pq : !pq) lse(%pl : !pl) d_output(%pq : !pq) d_lse(%pl : !pl)
      outs(%e, %e, %e : !pq, !pq, !pq)
  %1 = lattn.pack_sequences ins(%0#0, %cq : !pq, !cu) outs(%out : !q)
  return %1, %0#0 : !q, !pq
}

// -----

!q = tensor<1x8x?x64xf32>
!pq = tensor<?x8x?x64xf32>
!l = tensor<1x8x?xf32>
!pl = tensor<?x8x?xf32>
!cu = tensor<?xi32>

func.func @no_lengths(%q: !q, %l: !l, %cq: !cu, %mq: index, %out: !q) -> !q {
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%mq) -> !pq, tensor<?xi64>
  %pl, %n2 = lattn.pad_sequences ins(%l, %cq : !l, !cu) max_seqlen(%mq) -> !pl, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %mq) : !pq
  // expected-warning @below {{packed sequences are copied to padded ones: key and value are not padded alike, or kv_lens is not their lengths}}
  %0:3 = lattn.attention_grad query(%pq : !pq) key(%pq : !pq) value(%pq : !pq)
      output(%pq : !pq) lse(%pl : !pl) d_output(%pq : !pq) d_lse(%pl : !pl)
      outs(%e, %e, %e : !pq, !pq, !pq)
  %1 = lattn.pack_sequences ins(%0#0, %cq : !pq, !cu) outs(%out : !q)
  return %1 : !q
}
