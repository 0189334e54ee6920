// To run it from the repository's root:
//
//   build/bin/lattn-run examples/gqa_decode.mlir --random=1 \
//       --shape=query:4x32x1x128 --shape=key:4x8x333x128 \
//       --shape=value:4x8x333x128 --shape=kv_lens:4
//
// A step of decoding: one query for each sequence and head, over the keys so far.
// 32 heads of queries share 8 heads of keys and values. The keys of sequence b are
// the first kv_lens[b] of a longer buffer. Its query stands at the last of them.

!query = tensor<?x32x1x128xbf16>
!cache = tensor<?x8x?x128xbf16>
!lengths = tensor<?xi32>

func.func @gqa_decode(
    %query: !query {lattn.name = "query"},
    %key: !cache {lattn.name = "key"},
    %value: !cache {lattn.name = "value"},
    %kv_lens: !lengths {lattn.name = "kv_lens"}) -> (
    !query {lattn.name = "output"}) {
  %c0 = arith.constant 0 : index
  %batches = tensor.dim %query, %c0 : !query
  %empty = tensor.empty(%batches) : !query
  %output = lattn.attention query(%query : !query) key(%key : !cache)
      value(%value : !cache) kv_lens(%kv_lens : !lengths) outs(%empty : !query)
      {causal}
  return %output : !query
}
