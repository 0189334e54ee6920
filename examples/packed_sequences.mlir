// To run it from the repository's root:
//
//   build/bin/lattn-run examples/packed_sequences.mlir --random=1 --verify-loops \
//       --shape=query:1x8x400x64 --shape=key:1x2x400x64 --shape=value:1x2x400x64
//
// Causal attention of three sequences of 150, 20 and 230 positions, which are packed
// behind one another. lattn.pad_sequences makes a batch of them and
// lattn.pack_sequences packs the results again, but nothing is copied: tiles read and
// write the packed rows. 8 heads of queries share 2 of keys.

!query = tensor<1x8x?x64xf32>
!key = tensor<1x2x?x64xf32>
!queries = tensor<3x8x?x64xf32>
!keys = tensor<3x2x?x64xf32>
!borders = tensor<4xi32>

func.func @packed_sequences(
    %query: !query {lattn.name = "query"},
    %key: !key {lattn.name = "key"},
    %value: !key {lattn.name = "value"}) -> (!query {lattn.name = "output"}) {
  %cu_seqlens = arith.constant dense<[0, 150, 170, 400]> : !borders
  %most = arith.constant 230 : index
  %q, %rows = lattn.pad_sequences ins(%query, %cu_seqlens : !query, !borders)
      max_seqlen(%most) -> !queries, tensor<3xi64>
  %k, %lengths = lattn.pad_sequences ins(%key, %cu_seqlens : !key, !borders)
      max_seqlen(%most) -> !keys, tensor<3xi64>
  %v, %same = lattn.pad_sequences ins(%value, %cu_seqlens : !key, !borders)
      max_seqlen(%most) -> !keys, tensor<3xi64>
  %first = arith.constant 0 : i64 // position of each sequence's first query
  %padded = tensor.empty(%most) : !queries
  %attended = lattn.attention query(%q : !queries) key(%k : !keys) value(%v : !keys)
      kv_lens(%lengths : tensor<3xi64>) offset(%first : i64) outs(%padded : !queries)
      {window = #lattn.window<right = 0>}
  %c2 = arith.constant 2 : index
  %positions = tensor.dim %query, %c2 : !query
  %empty = tensor.empty(%positions) : !query
  %output = lattn.pack_sequences ins(%attended, %cu_seqlens : !queries, !borders)
      outs(%empty : !query)
  return %output : !query
}
