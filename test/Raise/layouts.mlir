// RUN: lattn-opt %s --lattn-raise | FileCheck %s

// Groups of query heads, as JAX's dot_product_attention has them: here of one.

#q = affine_map<(b, h, g, i, j, d) -> (b, i, h, g, d)>
#k = affine_map<(b, h, g, i, j, d) -> (b, j, h, d)>
#s = affine_map<(b, h, g, i, j, d) -> (b, h, g, i, j)>
#w = affine_map<(b, h, g, i, d, j) -> (b, h, g, i, j)>
#v = affine_map<(b, h, g, i, d, j) -> (b, j, h, d)>
#o = affine_map<(b, h, g, i, d, j) -> (b, i, h, g, d)>

// CHECK-LABEL: func @group_of_one
// CHECK-SAME: %[[Q:.*]]: tensor<2x48x3x1x8xf32>, %[[K:.*]]: tensor<2x48x3x8xf32>, %[[V:.*]]: tensor<2x48x3x8xf32>
// CHECK: %[[Q4:.*]] = tensor.collapse_shape %[[Q]]
// CHECK: lattn.attention query(%[[Q4]] : tensor<2x48x3x8xf32>) key(%[[K]] : tensor<2x48x3x8xf32>) value(%[[V]] : tensor<2x48x3x8xf32>)
// CHECK-SAME: layout = #lattn.layout<bnhd>
func.func @group_of_one(%q: tensor<2x48x3x1x8xf32>, %k: tensor<2x48x3x8xf32>,
                        %v: tensor<2x48x3x8xf32>) -> tensor<2x48x3x1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x1x48x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x1x48x48xf32>)
      -> tensor<2x3x1x48x48xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel",
      "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x48x3x1x8xf32>, tensor<2x48x3x8xf32>)
      outs(%f : tensor<2x3x1x48x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x1x48x48xf32>
  %w = linalg.softmax dimension(4) ins(%s : tensor<2x3x1x48x48xf32>)
      outs(%e : tensor<2x3x1x48x48xf32>) -> tensor<2x3x1x48x48xf32>
  %oe = tensor.empty() : tensor<2x48x3x1x8xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x48x3x1x8xf32>)
      -> tensor<2x48x3x1x8xf32>
  %r = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel",
      "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %v : tensor<2x3x1x48x48xf32>, tensor<2x48x3x8xf32>)
      outs(%of : tensor<2x48x3x1x8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x48x3x1x8xf32>
  return %r : tensor<2x48x3x1x8xf32>
}
