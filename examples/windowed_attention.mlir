// To run it from the repository's root:
//
//   build/bin/lattn-run examples/windowed_attention.mlir --random=1 --verify-loops \
//       --shape=query:1x8x4096x64 --shape=key:1x8x4096x64 --shape=value:1x8x4096x64
//
// Causal attention in which each query sees itself and the 256 keys before it,
// in f32, for any number of batches, heads and positions.

!array = tensor<?x?x?x64xf32>

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
