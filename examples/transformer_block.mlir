// To run it from the repository's root:
//
//   build/bin/lattn-run examples/transformer_block.mlir --random=1 --shape=x:512x512
//
// A block of a transformer, as linalg and lattn on tensors: layer norm, causal
// attention of 8 heads in which each token sees itself and the 511 before it, a
// feed-forward network with GELU, and residuals, for any number of tokens of 512
// features in f32. lattn-fuse-rows turns what is not attention into two loops over
// blocks of rows. Weights are (inputs, outputs).
//
// To compare with --verify-loops, give weights of about 1 / sqrt(inputs) with
// --inputs. Larger ones make scores so sharp that rounding shows.

!tokens = tensor<?x512xf32>
!packed = tensor<?x1536xf32>
!hidden = tensor<?x2048xf32>
!column = tensor<?xf32>
!vector = tensor<512xf32>
!heads = tensor<1x?x8x64xf32>

#all = affine_map<(d0, d1) -> (d0, d1)>
#token = affine_map<(d0, d1) -> (d0)>
#feature = affine_map<(d0, d1) -> (d1)>

func.func @transformer_block(
    %x: !tokens {lattn.name = "x"},
    %attention_gain: !vector {lattn.name = "attention_gain"},
    %attention_bias: !vector {lattn.name = "attention_bias"},
    %w_qkv: tensor<512x1536xf32> {lattn.name = "w_qkv"},
    %w_out: tensor<512x512xf32> {lattn.name = "w_out"},
    %feed_forward_gain: !vector {lattn.name = "feed_forward_gain"},
    %feed_forward_bias: !vector {lattn.name = "feed_forward_bias"},
    %w_up: tensor<512x2048xf32> {lattn.name = "w_up"},
    %b_up: tensor<2048xf32> {lattn.name = "b_up"},
    %w_down: tensor<2048x512xf32> {lattn.name = "w_down"},
    %b_down: !vector {lattn.name = "b_down"}) -> (!tokens {lattn.name = "output"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.70710678118 : f32
  %width = arith.constant 512.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %n = tensor.dim %x, %c0 : !tokens
  %tokens = tensor.empty(%n) : !tokens
  %packed = tensor.empty(%n) : !packed
  %hidden = tensor.empty(%n) : !hidden
  %column = tensor.empty(%n) : !column
  %sums = linalg.fill ins(%zero : f32) outs(%column : !column) -> !column

  // The layer norm of the input.
  %mean1 = linalg.generic {indexing_maps = [#all, #token],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : !tokens) outs(%sums : !column) {
  ^bb0(%v: f32, %sum: f32):
    %part = arith.divf %v, %width : f32
    %next = arith.addf %sum, %part : f32
    linalg.yield %next : f32
  } -> !column
  %variance1 = linalg.generic {indexing_maps = [#all, #token, #token],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %mean1 : !tokens, !column) outs(%sums : !column) {
  ^bb0(%v: f32, %mean: f32, %sum: f32):
    %away = arith.subf %v, %mean : f32
    %square = arith.mulf %away, %away : f32
    %part = arith.divf %square, %width : f32
    %next = arith.addf %sum, %part : f32
    linalg.yield %next : f32
  } -> !column
  %norm1 = linalg.generic {
      indexing_maps = [#all, #token, #token, #feature, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean1, %variance1, %attention_gain, %attention_bias
          : !tokens, !column, !column, !vector, !vector) outs(%tokens : !tokens) {
  ^bb0(%v: f32, %mean: f32, %variance: f32, %gain: f32, %bias: f32, %o: f32):
    %away = arith.subf %v, %mean : f32
    %above = arith.addf %variance, %epsilon : f32
    %inverse = math.rsqrt %above : f32
    %unit = arith.mulf %away, %inverse : f32
    %scaled = arith.mulf %unit, %gain : f32
    %result = arith.addf %scaled, %bias : f32
    linalg.yield %result : f32
  } -> !tokens

  // Queries, keys and values are views of one product.
  %start_qkv = linalg.fill ins(%zero : f32) outs(%packed : !packed) -> !packed
  %qkv = linalg.matmul ins(%norm1, %w_qkv : !tokens, tensor<512x1536xf32>)
      outs(%start_qkv : !packed) -> !packed
  %columns_q = tensor.extract_slice %qkv[0, 0] [%n, 512] [1, 1] : !packed to !tokens
  %columns_k = tensor.extract_slice %qkv[0, 512] [%n, 512] [1, 1] : !packed to !tokens
  %columns_v = tensor.extract_slice %qkv[0, 1024] [%n, 512] [1, 1] : !packed to !tokens
  %queries = tensor.expand_shape %columns_q [[0, 1], [2, 3]] output_shape [1, %n, 8, 64]
      : !tokens into !heads
  %keys = tensor.expand_shape %columns_k [[0, 1], [2, 3]] output_shape [1, %n, 8, 64]
      : !tokens into !heads
  %values = tensor.expand_shape %columns_v [[0, 1], [2, 3]] output_shape [1, %n, 8, 64]
      : !tokens into !heads
  %empty = tensor.empty(%n) : !heads
  %attended = lattn.attention query(%queries : !heads) key(%keys : !heads)
      value(%values : !heads) outs(%empty : !heads)
      {layout = #lattn.layout<bnhd>, window = #lattn.window<left = 511, right = 0>}
  %merged = tensor.collapse_shape %attended [[0, 1], [2, 3]] : !heads into !tokens

  // The output product, added to the input.
  %y = linalg.matmul ins(%merged, %w_out : !tokens, tensor<512x512xf32>)
      outs(%x : !tokens) -> !tokens

  // The layer norm of that.
  %mean2 = linalg.generic {indexing_maps = [#all, #token],
      iterator_types = ["parallel", "reduction"]}
      ins(%y : !tokens) outs(%sums : !column) {
  ^bb0(%v: f32, %sum: f32):
    %part = arith.divf %v, %width : f32
    %next = arith.addf %sum, %part : f32
    linalg.yield %next : f32
  } -> !column
  %variance2 = linalg.generic {indexing_maps = [#all, #token, #token],
      iterator_types = ["parallel", "reduction"]}
      ins(%y, %mean2 : !tokens, !column) outs(%sums : !column) {
  ^bb0(%v: f32, %mean: f32, %sum: f32):
    %away = arith.subf %v, %mean : f32
    %square = arith.mulf %away, %away : f32
    %part = arith.divf %square, %width : f32
    %next = arith.addf %sum, %part : f32
    linalg.yield %next : f32
  } -> !column
  %norm2 = linalg.generic {
      indexing_maps = [#all, #token, #token, #feature, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%y, %mean2, %variance2, %feed_forward_gain, %feed_forward_bias
          : !tokens, !column, !column, !vector, !vector) outs(%tokens : !tokens) {
  ^bb0(%v: f32, %mean: f32, %variance: f32, %gain: f32, %bias: f32, %o: f32):
    %away = arith.subf %v, %mean : f32
    %above = arith.addf %variance, %epsilon : f32
    %inverse = math.rsqrt %above : f32
    %unit = arith.mulf %away, %inverse : f32
    %scaled = arith.mulf %unit, %gain : f32
    %result = arith.addf %scaled, %bias : f32
    linalg.yield %result : f32
  } -> !tokens

  // The feed-forward, added to its input.
  %start_up = linalg.broadcast ins(%b_up : tensor<2048xf32>)
      outs(%hidden : !hidden) dimensions = [0]
  %up = linalg.matmul ins(%norm2, %w_up : !tokens, tensor<512x2048xf32>)
      outs(%start_up : !hidden) -> !hidden
  %gelu = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel"]}
      ins(%up : !hidden) outs(%hidden : !hidden) {
  ^bb0(%v: f32, %o: f32):
    %scaled = arith.mulf %v, %root : f32
    %erf = math.erf %scaled : f32
    %sum = arith.addf %erf, %one : f32
    %part = arith.mulf %v, %half : f32
    %g = arith.mulf %part, %sum : f32
    linalg.yield %g : f32
  } -> !hidden
  %start_down = linalg.broadcast ins(%b_down : !vector) outs(%tokens : !tokens)
      dimensions = [0]
  %down = linalg.matmul ins(%gelu, %w_down : !hidden, tensor<2048x512xf32>)
      outs(%start_down : !tokens) -> !tokens
  %output = linalg.add ins(%down, %y : !tokens, !tokens)
      outs(%tokens : !tokens) -> !tokens
  return %output : !tokens
}
