// To run it from the repository's root:
//
//   build/bin/lattn-run examples/alibi_softcap.mlir --random=1 \
//       --shape=query:1x8x599x64 --shape=key:1x8x599x64 --shape=value:1x8x599x64
//
// A region changes the scores: first softcap, 30 * tanh(score / 30), then ALiBi,
// slope[head] * (key - query), with a slope for each of 8 heads. The second result
// is the log-sum-exp of each row.
//
// The slopes of ALiBi are 2^-1, ..., 2^-8. Larger ones make scores so large that
// f32 rounds them visibly.

!array = tensor<1x8x?x64xf32>
!lse = tensor<1x8x?xf32>
!slopes = tensor<8xf32>

func.func @alibi_softcap(
    %query: !array {lattn.name = "query"},
    %key: !array {lattn.name = "key"},
    %value: !array {lattn.name = "value"},
    %slopes: !slopes {lattn.name = "slopes"}) -> (
    !array {lattn.name = "output"}, !lse {lattn.name = "lse"}) {
  %c2 = arith.constant 2 : index
  %positions = tensor.dim %query, %c2 : !array
  %empty = tensor.empty(%positions) : !array
  %empty_lse = tensor.empty(%positions) : !lse
  %output, %lse = lattn.attention query(%query : !array) key(%key : !array)
      value(%value : !array) captures(%slopes : !slopes)
      outs(%empty : !array, %empty_lse : !lse)
      {window = #lattn.window<left = 512, right = 0>} score {
    ^bb0(%score: f32, %b: i32, %head: i32, %q: i32, %k: i32, %table: !slopes):
      %cap = arith.constant 30.0 : f32
      %small = arith.divf %score, %cap : f32
      %tanh = math.tanh %small : f32
      %capped = arith.mulf %tanh, %cap : f32
      %h = arith.index_cast %head : i32 to index
      %slope = tensor.extract %table[%h] : !slopes
      %distance = arith.subi %k, %q : i32
      %x = arith.sitofp %distance : i32 to f32
      %result = math.fma %slope, %x, %capped : f32
      lattn.yield %result : f32
    }
  return %output, %lse : !array, !lse
}
