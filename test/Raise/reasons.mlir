// RUN: lattn-opt %s --lattn-raise --split-input-file --verify-diagnostics -o /dev/null

// Why a product with weights is not raised: what its division is.

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @not_exponential(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %sum = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !s) outs(%rz : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.addf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %t = arith.mulf %a0, %a0 : f32
    %0 = arith.divf %t, %a1 : f32
    linalg.yield %0 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the dividend of the softmax is not an exponential}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @changed_sum(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %sum = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !s) outs(%rz : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.addf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %z = arith.cmpf ole, %a1, %one : f32
    %d = arith.select %z, %one, %a1 : f32
    %0 = arith.divf %a0, %d : f32
    linalg.yield %0 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the sum of the exponentials is changed}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @other_divisor(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %sum = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rz : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.addf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.divf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the divisor is not the sum of the exponentials along the keys}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @not_maximum(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %h = arith.mulf %a1, %a1 : f32
    %0 = arith.subf %a0, %h : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %sum = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !s) outs(%rz : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.addf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.divf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the number subtracted from the scores is not their maximum}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @other_maximum(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %neg = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.negf %a0 : f32
    linalg.yield %0 : f32
  } -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%neg : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %sum = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !s) outs(%rz : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.addf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.divf %a0, %a1 : f32
    linalg.yield %0 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: the maximum is not that of the scores along the keys}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @chosen_weights(%q: !t, %k: !k, %v: !t, %c: i1) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %sum = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !s) outs(%rz : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.addf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.select %c, %0, %one : f32
    linalg.yield %1 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: a condition chooses the weights}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @dropped_weights(%q: !t, %k: !k, %v: !t, %c: i1) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %sum = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : !s) outs(%rz : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.addf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.divf %a0, %a1 : f32
    %1 = arith.select %c, %0, %zero : f32
    linalg.yield %1 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: weights are replaced by 0 where not all scores are -inf}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x16x4xf32>
!k = tensor<8x4x16xf32>
!s = tensor<8x16x16xf32>
!r = tensor<8x16xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @not_divided(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : !s
  %re = tensor.empty() : !r
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %rz = linalg.fill ins(%zero : f32) outs(%re : !r) -> !r
  %rn = linalg.fill ins(%none : f32) outs(%re : !r) -> !r
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %max = linalg.generic {indexing_maps = [#pair, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : !s) outs(%rn : !r) {
  ^bb0(%a0: f32, %o: f32):
    %0 = arith.maximumf %a0, %o : f32
    linalg.yield %0 : f32
  } -> !r
  %w = linalg.generic {indexing_maps = [#pair, #row, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : !s, !r) outs(%e : !s) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %0 = arith.subf %a0, %a1 : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  // expected-remark @below {{not raised to lattn.attention: exponentials are not divided by their sum}}
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
