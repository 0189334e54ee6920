// RUN: lattn-opt %s --lattn-raise --split-input-file --verify-diagnostics -o /dev/null

// Why a product with weights is not raised: what its arrays are.

!t = tensor<8x16x4xf32>
!one = tensor<16x4xf32>
!s = tensor<8x16x16xf32>
#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
func.func @keys_of_one_head(%q: !t, %k: !one, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.generic {indexing_maps = [#q, #k, #s],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : !t, !one) outs(%f : !s) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%s : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: keys and values have different numbers of heads}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!q = tensor<8x16x4xf64>
!k = tensor<8x4x16xf64>
!t = tensor<8x16x4xf32>
!s = tensor<8x16x16xf64>
!w = tensor<8x16x16xf32>
#all = affine_map<(a, b, c) -> (a, b, c)>
func.func @scores_of_f64(%q: !q, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f64) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !q, !k) outs(%f : !s) -> !s
  %x = linalg.softmax dimension(2) ins(%s : !s) outs(%e : !s) -> !s
  %we = tensor.empty() : !w
  %w = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : !s) outs(%we : !w) {
  ^bb0(%a: f64, %o: f32):
    %0 = arith.truncf %a : f64 to f32
    linalg.yield %0 : f32
  } -> !w
  %z = arith.constant 0.0 : f32
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%z : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the arrays have element types that no attention has together}}
  %r = linalg.batch_matmul ins(%w, %v : !w, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
#all = affine_map<(a, b, c) -> (a, b, c)>
func.func @infinite_scale(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %most : f32
    linalg.yield %0 : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the scale is not finite}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
