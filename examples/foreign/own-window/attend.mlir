// ../attend.mlir with the window of own-opt.cpp: a query sees its chunk of 16
// positions and the 9 keys before the chunk.

#id = affine_map<(b, h, q, d) -> (b, h, q, d)>
func.func @attend(%q: tensor<1x2x48x8xf32>, %k: tensor<1x2x48x8xf32>,
                 %v: tensor<1x2x48x8xf32>, %r: tensor<1x2x48x8xf32>)
    -> tensor<1x2x48x8xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<1x2x48x8xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x2x48x8xf32>) outs(%e : tensor<1x2x48x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.mulf %x, %two : f32
    linalg.yield %0 : f32
  } -> tensor<1x2x48x8xf32>
  %a = lattn.attention query(%scaled : tensor<1x2x48x8xf32>)
      key(%k : tensor<1x2x48x8xf32>) value(%v : tensor<1x2x48x8xf32>)
      outs(%e : tensor<1x2x48x8xf32>)
      {window = #own.chunk<16, 9>}
  %sum = linalg.add ins(%a, %r : tensor<1x2x48x8xf32>, tensor<1x2x48x8xf32>)
      outs(%e : tensor<1x2x48x8xf32>) -> tensor<1x2x48x8xf32>
  return %sum : tensor<1x2x48x8xf32>
}
