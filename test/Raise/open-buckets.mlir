// RUN: lattn-opt %s --lattn-raise 2>&1 | FileCheck %s --implicit-check-not=remark:

// As in buckets.mlir, with a length that is known at run time: one bucket stands
// for all. That queries, keys and values have one length is in the program.

!x = tensor<3x?x4xf32>
!t = tensor<?x4xf32>
!q = tensor<?x16x4xf32>
!k = tensor<?x32x4xf32>
!s = tensor<?x16x32xf32>
#row = affine_map<(w, j, d) -> (w * 16 + j, d)>
#all = affine_map<(a, b, c) -> (a, b, c)>
#places = affine_map<(a, b, c) -> (b, c)>
#buckets = affine_map<()[s] -> (s floordiv 16)>
#less = affine_map<()[s] -> (s floordiv 16 - 1)>

// Keys up to the query, padded and unfolded.
// CHECK-LABEL: func @padded
// CHECK-NOT: tensor.{{pad|concat}}
// CHECK: lattn.attention
// CHECK-SAME: tensor<1x1x?x4xf32>
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>}
func.func @padded(%x: !x) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c12 = arith.constant 12 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %n = tensor.dim %x, %c1 : !x
  %w = affine.apply #buckets()[%n]
  %less = affine.apply #less()[%n]
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %k = tensor.extract_slice %x[1, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %v = tensor.extract_slice %x[2, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [%w, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !t
  %ke = tensor.empty(%w) : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !t) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !t
  %ve = tensor.empty(%w) : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !t) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %e = tensor.empty(%w) : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%in: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %b, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %seen = arith.andi %past, %inside : i1
    %score = arith.addf %in, %zero : f32
    %y = arith.select %seen, %score, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty(%w) : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}

// The same, concatenated.
// CHECK-LABEL: func @concatenated
// CHECK-NOT: tensor.{{pad|concat}}
// CHECK: lattn.attention
// CHECK-SAME: tensor<1x1x?x4xf32>
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>}
func.func @concatenated(%x: !x) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c12 = arith.constant 12 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %n = tensor.dim %x, %c1 : !x
  %w = affine.apply #buckets()[%n]
  %less = affine.apply #less()[%n]
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %k = tensor.extract_slice %x[1, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %v = tensor.extract_slice %x[2, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [%w, 16, 4] : !t into !q
  %kb = tensor.expand_shape %k [[0, 1], [2]] output_shape [%w, 16, 4]
      : !t into !q
  %kf = tensor.extract_slice %kb[0, 0, 0] [%less, 16, 4] [1, 1, 1] : !q to !q
  %kl = tensor.concat dim(0) %z, %kf : (tensor<1x16x4xf32>, !q) -> !q
  %ku = tensor.concat dim(1) %kl, %kb : (!q, !q) -> !k
  %vb = tensor.expand_shape %v [[0, 1], [2]] output_shape [%w, 16, 4]
      : !t into !q
  %vf = tensor.extract_slice %vb[0, 0, 0] [%less, 16, 4] [1, 1, 1] : !q to !q
  %vl = tensor.concat dim(0) %z, %vf : (tensor<1x16x4xf32>, !q) -> !q
  %vu = tensor.concat dim(1) %vl, %vb : (!q, !q) -> !k
  %e = tensor.empty(%w) : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%in: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %b, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %seen = arith.andi %past, %inside : i1
    %score = arith.addf %in, %zero : f32
    %y = arith.select %seen, %score, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty(%w) : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}

// At most 12 keys before the query.
// CHECK-LABEL: func @bounded
// CHECK-NOT: tensor.{{pad|concat}}
// CHECK: lattn.attention
// CHECK-SAME: tensor<1x1x?x4xf32>
// CHECK-SAME: window = #lattn.window<left = 12, right = 0, bucket = 16, back = 1>}
func.func @bounded(%x: !x) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c12 = arith.constant 12 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %n = tensor.dim %x, %c1 : !x
  %w = affine.apply #buckets()[%n]
  %less = affine.apply #less()[%n]
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %k = tensor.extract_slice %x[1, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %v = tensor.extract_slice %x[2, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [%w, 16, 4] : !t into !q
  %kb = tensor.expand_shape %k [[0, 1], [2]] output_shape [%w, 16, 4]
      : !t into !q
  %kf = tensor.extract_slice %kb[0, 0, 0] [%less, 16, 4] [1, 1, 1] : !q to !q
  %kl = tensor.concat dim(0) %z, %kf : (tensor<1x16x4xf32>, !q) -> !q
  %ku = tensor.concat dim(1) %kl, %kb : (!q, !q) -> !k
  %vb = tensor.expand_shape %v [[0, 1], [2]] output_shape [%w, 16, 4]
      : !t into !q
  %vf = tensor.extract_slice %vb[0, 0, 0] [%less, 16, 4] [1, 1, 1] : !q to !q
  %vl = tensor.concat dim(0) %z, %vf : (tensor<1x16x4xf32>, !q) -> !q
  %vu = tensor.concat dim(1) %vl, %vb : (!q, !q) -> !k
  %e = tensor.empty(%w) : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%in: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %b, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %d = arith.subi %query, %place : index
    %near = arith.cmpi sle, %d, %c12 : index
    %both = arith.andi %past, %near : i1
    %seen = arith.andi %both, %inside : i1
    %score = arith.addf %in, %zero : f32
    %y = arith.select %seen, %score, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty(%w) : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}

// A bias of the places is read at those of the positions.
// CHECK-LABEL: func @biased
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<16x32xf32>
// CHECK-NOT: tensor.{{pad|concat}}
// CHECK: lattn.attention
// CHECK-SAME: tensor<1x1x?x4xf32>
// CHECK-SAME: captures(%[[BIAS]] : tensor<16x32xf32>)
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>} score {
func.func @biased(%x: !x, %bias: tensor<16x32xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c12 = arith.constant 12 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %n = tensor.dim %x, %c1 : !x
  %w = affine.apply #buckets()[%n]
  %less = affine.apply #less()[%n]
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %k = tensor.extract_slice %x[1, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %v = tensor.extract_slice %x[2, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [%w, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !t
  %ke = tensor.empty(%w) : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !t) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !t
  %ve = tensor.empty(%w) : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !t) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %e = tensor.empty(%w) : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #places, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %bias : !s, tensor<16x32xf32>) outs(%e : !s) {
  ^bb0(%in: f32, %add: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %b, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %seen = arith.andi %past, %inside : i1
    %score = arith.addf %in, %add : f32
    %y = arith.select %seen, %score, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty(%w) : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}

// The first three keys, too, where a row has them: a condition beside the buckets.
// CHECK-LABEL: func @first_tokens
// CHECK-NOT: tensor.{{pad|concat}}
// CHECK: lattn.attention
// CHECK-SAME: tensor<1x1x?x4xf32>
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>} score {
func.func @first_tokens(%x: !x) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %c16 = arith.constant 16 : index
  %c12 = arith.constant 12 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %n = tensor.dim %x, %c1 : !x
  %w = affine.apply #buckets()[%n]
  %less = affine.apply #less()[%n]
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %k = tensor.extract_slice %x[1, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %v = tensor.extract_slice %x[2, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [%w, 16, 4] : !t into !q
  %kb = tensor.expand_shape %k [[0, 1], [2]] output_shape [%w, 16, 4]
      : !t into !q
  %kf = tensor.extract_slice %kb[0, 0, 0] [%less, 16, 4] [1, 1, 1] : !q to !q
  %kl = tensor.concat dim(0) %z, %kf : (tensor<1x16x4xf32>, !q) -> !q
  %ku = tensor.concat dim(1) %kl, %kb : (!q, !q) -> !k
  %vb = tensor.expand_shape %v [[0, 1], [2]] output_shape [%w, 16, 4]
      : !t into !q
  %vf = tensor.extract_slice %vb[0, 0, 0] [%less, 16, 4] [1, 1, 1] : !q to !q
  %vl = tensor.concat dim(0) %z, %vf : (tensor<1x16x4xf32>, !q) -> !q
  %vu = tensor.concat dim(1) %vl, %vb : (!q, !q) -> !k
  %e = tensor.empty(%w) : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%in: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %b, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %first3 = arith.cmpi slt, %place, %c3 : index
    %d = arith.subi %query, %place : index
    %near = arith.cmpi sle, %d, %c12 : index
    %some = arith.ori %first3, %near : i1
    %both = arith.andi %past, %some : i1
    %seen = arith.andi %both, %inside : i1
    %score = arith.addf %in, %zero : f32
    %y = arith.select %seen, %score, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty(%w) : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}

// Only keys before the query: the first query is NaN, its mask is exact.
// CHECK-LABEL: func @before
// CHECK-NOT: tensor.{{pad|concat}}
// CHECK: lattn.attention
// CHECK-SAME: tensor<1x1x?x4xf32>
// CHECK-SAME: window = #lattn.window<bucket = 16, back = 1>} score {
// CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
func.func @before(%x: !x) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %c16 = arith.constant 16 : index
  %c12 = arith.constant 12 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %n = tensor.dim %x, %c1 : !x
  %w = affine.apply #buckets()[%n]
  %less = affine.apply #less()[%n]
  %q = tensor.extract_slice %x[0, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %k = tensor.extract_slice %x[1, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %v = tensor.extract_slice %x[2, 0, 0] [1, %n, 4] [1, 1, 1] : !x to !t
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [%w, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !t
  %ke = tensor.empty(%w) : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !t) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !t
  %ve = tensor.empty(%w) : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !t) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %e = tensor.empty(%w) : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%in: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %b, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi slt, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %seen = arith.andi %past, %inside : i1
    %score = arith.addf %in, %zero : f32
    %y = arith.select %seen, %score, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty(%w) : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}
