// To run it from the repository's root:
//
//   build/bin/lattn-run examples/local_attention.mlir --random=1 \
//       --shape=query:1x2x599x64 --shape=key:1x2x599x64 --shape=value:1x2x599x64
//
// LocalAttention of the local-attention package: LocalAttention(dim = 64,
// window_size = 256, causal = True, autopad = True, use_xpos = True). A query sees
// its block of 256 positions and the block before it. The last block may be shorter.

!array = tensor<?x?x?x64xf32>

func.func @local_attention(
    %query: !array {lattn.name = "query"},
    %key: !array {lattn.name = "key"},
    %value: !array {lattn.name = "value"}) -> (!array {lattn.name = "output"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %batches = tensor.dim %query, %c0 : !array
  %heads = tensor.dim %query, %c1 : !array
  %positions = tensor.dim %query, %c2 : !array
  %empty = tensor.empty(%batches, %heads, %positions) : !array
  %output = lattn.local_attention query(%query : !array) key(%key : !array)
      value(%value : !array) outs(%empty : !array)
      {window_size = 256 : i64, causal, autopad, dim = 64 : i64, use_xpos}
  return %output : !array
}
