// RUN: lattn-opt %s --lattn-raise --split-input-file --verify-diagnostics -o /dev/null

// Why a product with weights is not raised: what its axes are.

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
func.func @other_axis(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %w = linalg.softmax dimension(1) ins(%s : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the softmax is not along the keys}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
func.func @no_product(%q: !t, %k: !k, %v: !t, %given: !s) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %w = linalg.softmax dimension(2) ins(%given : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the scores have no product of queries and keys}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
func.func @other_axes(%q: !t, %k: !k, %v: !t, %m: tensor<16x8x4xf32>, %n: tensor<16x4x16xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %te = tensor.empty() : tensor<16x8x16xf32>
  %qt = tensor.empty() : tensor<16x8x4xf32>
  %tz = linalg.fill ins(%zero : f32) outs(%te : tensor<16x8x16xf32>) -> tensor<16x8x16xf32>
  %p = linalg.batch_matmul ins(%m, %n : tensor<16x8x4xf32>, tensor<16x4x16xf32>)
      outs(%tz : tensor<16x8x16xf32>) -> tensor<16x8x16xf32>
  %pt = linalg.transpose ins(%p : tensor<16x8x16xf32>) outs(%e : !s) permutation = [1, 0, 2]
  %w = linalg.softmax dimension(2) ins(%pt : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: no product in the scores is one of queries and keys whose axes are those of an attention}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
func.func @more_scores(%q: !t, %k: !k, %v: !t,
                       %more: tensor<2x48x2xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %all = tensor.concat dim(2) %s, %more
      : (!s, tensor<2x48x2xf32>) -> tensor<2x48x50xf32>
  %we = tensor.empty() : tensor<2x48x50xf32>
  %w = linalg.softmax dimension(2) ins(%all : tensor<2x48x50xf32>)
      outs(%we : tensor<2x48x50xf32>) -> tensor<2x48x50xf32>
  %kept = tensor.extract_slice %w[0, 0, 0] [2, 48, 48] [1, 1, 1]
      : tensor<2x48x50xf32> to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the softmax is over another number of keys}}
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
func.func @more_in_sum(%q: !t, %k: !k, %v: !t,
                       %more: tensor<2x48x2xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %all = tensor.concat dim(2) %s, %more
      : (!s, tensor<2x48x2xf32>) -> tensor<2x48x50xf32>
  %we = tensor.empty() : tensor<2x48x50xf32>
  %re = tensor.empty() : tensor<2x48xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x48xf32>)
      -> tensor<2x48xf32>
  %x = linalg.exp ins(%all : tensor<2x48x50xf32>) outs(%we : tensor<2x48x50xf32>)
      -> tensor<2x48x50xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
      affine_map<(b, i, j) -> (b, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x48x50xf32>) outs(%rz : tensor<2x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<2x48xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
      affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : tensor<2x48x50xf32>, tensor<2x48xf32>)
      outs(%we : tensor<2x48x50xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x48x50xf32>
  %kept = tensor.extract_slice %w[0, 0, 0] [2, 48, 48] [1, 1, 1]
      : tensor<2x48x50xf32> to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the divisor is not the sum of the exponentials along the keys}}
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
func.func @other_sink(%q: !t, %k: !k, %v: !t,
                      %sink: tensor<2x48x1xf32>,
                      %other: tensor<2x48x1xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %all = tensor.concat dim(2) %s, %sink
      : (!s, tensor<2x48x1xf32>) -> tensor<2x48x49xf32>
  %others = tensor.concat dim(2) %s, %other
      : (!s, tensor<2x48x1xf32>) -> tensor<2x48x49xf32>
  %we = tensor.empty() : tensor<2x48x49xf32>
  %re = tensor.empty() : tensor<2x48xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x48xf32>)
      -> tensor<2x48xf32>
  %none = arith.constant 0xFF800000 : f32
  %rn = linalg.fill ins(%none : f32) outs(%re : tensor<2x48xf32>)
      -> tensor<2x48xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
      affine_map<(b, i, j) -> (b, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%others : tensor<2x48x49xf32>) outs(%rn : tensor<2x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<2x48xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
      affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%all, %max : tensor<2x48x49xf32>, tensor<2x48xf32>)
      outs(%we : tensor<2x48x49xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x48x49xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
      affine_map<(b, i, j) -> (b, i)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x48x49xf32>) outs(%rz : tensor<2x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<2x48xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>,
      affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : tensor<2x48x49xf32>, tensor<2x48xf32>)
      outs(%we : tensor<2x48x49xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x48x49xf32>
  %kept = tensor.extract_slice %w[0, 0, 0] [2, 48, 48] [1, 1, 1]
      : tensor<2x48x49xf32> to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the maximum is not that of the scores along the keys}}
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
