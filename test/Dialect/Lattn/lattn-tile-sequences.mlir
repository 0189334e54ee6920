// RUN: lattn-opt %s --lattn-tile --canonicalize --cse | FileCheck %s

!q = tensor<1x8x?x64xf32>
!k = tensor<1x2x?x64xf32>
!pq = tensor<?x8x?x64xf32>
!pk = tensor<?x2x?x64xf32>
!cu = tensor<?xi32>

// Tiles of all sequences are behind one another: a tile finds its sequence, and
// reads and writes the packed rows.

// CHECK-LABEL: func.func @packed(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<1x8x?x64xf32>, %[[K:[^:]+]]: tensor<1x2x?x64xf32>, %[[V:[^:]+]]: tensor<1x2x?x64xf32>, %[[CUQ:[^:]+]]: tensor<?xi32>, %[[CUK:[^:]+]]: tensor<?xi32>
// CHECK-SAME: %[[OUT:[^:]+]]: tensor<1x8x?x64xf32>
// CHECK-DAG: %[[TQ:.+]] = tensor.dim %[[Q]], %c2
// CHECK-DAG: %[[TO:.+]] = tensor.dim %[[OUT]], %c2
// CHECK: %[[T:.+]] = arith.minsi %[[TQ]], %[[TO]]
// CHECK: %[[FULL:.+]] = arith.divui %[[T]], %c16
// CHECK: %[[TILES:.+]] = arith.addi %[[FULL]], %[[S:.+]] : index
// CHECK: scf.forall (%[[H:.+]], %[[TILE:.+]]) in (8, %{{.+}}) shared_outs(%[[ALL:.+]] = %[[OUT]])
// CHECK: %[[FOUND:.+]]:2 = scf.while (%{{.+}} = %c0, %{{.+}} = %[[S]])
// CHECK: tensor.extract %[[CUQ]][%[[FOUND]]#0]
// CHECK: %[[FIRST:.+]] = arith.minui
// CHECK: %[[ROWS:.+]] = affine.min
// CHECK: %[[AT:.+]] = arith.addi %{{.+}}, %[[FIRST]]
// CHECK: tensor.extract_slice %[[Q]][0, %[[H]], %[[AT]], 0] [1, 1, %[[ROWS]], 64]
// CHECK: tensor.extract_slice %[[K]][0, %{{.+}}, %[[KAT:.+]], 0] [1, 1, %[[M:.+]], 64]
// CHECK: tensor.extract_slice %[[V]][0, %{{.+}}, %[[KAT]], 0] [1, 1, %[[M]], 64]
// CHECK: %[[ISEMPTY:.+]] = arith.cmpi eq, %[[ROWS]], %c0
// CHECK: %[[END:.+]] = arith.select %[[ISEMPTY]], %c0, %{{.+}}
// CHECK: lattn.sweep_keys
// CHECK: lattn.online_attention
// CHECK-SAME: origin(%[[FOUND]]#0, %[[H]], %[[FIRST]], %{{.+}}) query_rows(%[[ROWS]])
// CHECK: tensor.parallel_insert_slice %{{.+}} into %[[ALL]][0, %[[H]], %[[AT]], 0] [1, 1, %[[ROWS]], 64]
func.func @packed(%q: !q, %k: !k, %v: !k, %cq: !cu, %ck: !cu, %mq: index, %mk: index, %out: !q) -> !q {
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%mq) -> !pq, tensor<?xi64>
  %pk, %m = lattn.pad_sequences ins(%k, %ck : !k, !cu) max_seqlen(%mk) -> !pk, tensor<?xi64>
  %pv, %m2 = lattn.pad_sequences ins(%v, %ck : !k, !cu) max_seqlen(%mk) -> !pk, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %mq) : !pq
  %from = arith.subi %m, %n : tensor<?xi64>
  %o = lattn.attention query(%pq : !pq) key(%pk : !pk) value(%pv : !pk)
      kv_lens(%m : tensor<?xi64>) offset(%from : tensor<?xi64>) outs(%e : !pq) {causal}
  %r = lattn.pack_sequences ins(%o, %cq : !pq, !cu) outs(%out : !q)
  return %r : !q
}

// Keys alone may be packed: each sequence has one batch of queries.
// CHECK-LABEL: func.func @packed_keys(
// CHECK-SAME: %{{[^:]+}}: tensor<3x2x1x64xf32>, %[[K:[^:]+]]: tensor<1x2x?x64xf32>
// CHECK: scf.forall (%[[B:.+]], %[[H:.+]]) in (3, 2)
// CHECK: tensor.extract_slice %[[K]][0, %[[H]], %{{.+}}, 0]
func.func @packed_keys(%q: tensor<3x2x1x64xf32>, %k: !k, %ck: tensor<4xi32>, %mk: index) -> tensor<3x2x1x64xf32> {
  %pk, %m = lattn.pad_sequences ins(%k, %ck : !k, tensor<4xi32>) max_seqlen(%mk) -> tensor<3x2x?x64xf32>, tensor<3xi64>
  %o = lattn.attention query(%q : tensor<3x2x1x64xf32>) key(%pk : tensor<3x2x?x64xf32>) value(%pk : tensor<3x2x?x64xf32>)
      kv_lens(%m : tensor<3xi64>) outs(%q : tensor<3x2x1x64xf32>)
  return %o : tensor<3x2x1x64xf32>
}
