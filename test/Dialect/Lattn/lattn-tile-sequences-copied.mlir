// RUN: lattn-opt %s --lattn-tile --split-input-file -verify-diagnostics -o /dev/null

!q = tensor<1x8x?x64xf32>
!pq = tensor<?x8x?x64xf32>
!cu = tensor<?xi32>

// Something else reads the output.
func.func @read_twice(%q: !q, %cq: !cu, %mq: index, %out: !q) -> (!q, !pq) {
  // expected-warning @below {{all sequences are copied to padded ones: they are read by something else than an attention that is tiled, whose results lattn.pack_sequences packs again}}
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%mq) -> !pq, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %mq) : !pq
  %o = lattn.attention query(%pq : !pq) key(%pq : !pq) value(%pq : !pq)
      kv_lens(%n : tensor<?xi64>) outs(%e : !pq)
  %r = lattn.pack_sequences ins(%o, %cq : !pq, !cu) outs(%out : !q)
  return %r, %o : !q, !pq
}

// -----

!q = tensor<1x8x?x64xf32>
!pq = tensor<?x8x?x64xf32>
!cu = tensor<?xi32>

// Keys of the padding are not hidden.
func.func @no_lengths(%q: !q, %cq: !cu, %mq: index, %out: !q) -> !q {
  // expected-warning @below {{all sequences are copied to padded ones}}
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%mq) -> !pq, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %mq) : !pq
  %o = lattn.attention query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) outs(%e : !pq)
  %r = lattn.pack_sequences ins(%o, %cq : !pq, !cu) outs(%out : !q)
  return %r : !q
}

// -----

!q = tensor<1x8x?x64xf32>
!pq = tensor<?x8x?x64xf32>
!cu = tensor<?xi32>

// The rows of one layout are the heads of another.
func.func @other_layout(%q: !q, %cq: !cu, %out: !q) -> !q {
  %mq = arith.constant 8 : index
  // expected-warning @below {{all sequences are copied to padded ones}}
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%mq) -> !pq, tensor<?xi64>
  %c0 = arith.constant 0 : index
  %s = tensor.dim %pq, %c0 : !pq
  %e = tensor.empty(%s, %mq) : !pq
  %o = lattn.attention query(%pq : !pq) key(%pq : !pq) value(%pq : !pq)
      kv_lens(%n : tensor<?xi64>) outs(%e : !pq) {layout = #lattn.layout<bnhd>}
  %r = lattn.pack_sequences ins(%o, %cq : !pq, !cu) outs(%out : !q)
  return %r : !q
}
