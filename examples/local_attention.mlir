// LocalAttention of the local-attention package: LocalAttention(dim = 64,
// window_size = 256, causal = True, autopad = True, use_xpos = True). Queries see
// their block of 256 positions and the one before it; N need not be whole blocks.

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
