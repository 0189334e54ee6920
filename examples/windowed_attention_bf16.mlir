// To run it from the repository's root:
//
//   build/bin/lattn-run examples/windowed_attention_bf16.mlir --random=1 \
//       --shape=query:1x16x1024x128 --shape=key:1x16x1024x128 \
//       --shape=value:1x16x1024x128
//   build/bin/lattn-compile examples/windowed_attention_bf16.mlir --emit=ptx \
//       --chip=sm_90a -o attention.ptx
//
// Causal attention in which each query sees itself and the 256 keys before it, in
// bf16, for any number of batches, heads and positions. bf16 and f16 have kernels
// for GPUs: the second command writes them, and the first runs them with
// --target=cuda.

!array = tensor<?x?x?x128xbf16>

func.func @windowed_attention(
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
  %output = lattn.attention query(%query : !array) key(%key : !array)
      value(%value : !array) outs(%empty : !array)
      {window = #lattn.window<left = 256, right = 0>}
  return %output : !array
}
