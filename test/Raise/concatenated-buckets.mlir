// RUN: lattn-opt %s --lattn-raise | FileCheck %s

// As in buckets.mlir, but the blocks before the blocks are made by concatenation.

!t = tensor<48x4xf32>
!q = tensor<3x16x4xf32>
!k = tensor<3x32x4xf32>
!s = tensor<3x16x32xf32>
#all = affine_map<(a, b, c) -> (a, b, c)>


// Keys up to the query.
// CHECK-LABEL: func @causal
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<48x4xf32>, %[[K:[a-z0-9]+]]: tensor<48x4xf32>, %[[V:[a-z0-9]+]]: tensor<48x4xf32>
// CHECK-NOT: tensor.concat
// CHECK-DAG: %[[Q4:.*]] = tensor.expand_shape %[[Q]] {{.*}} into tensor<1x1x48x4xf32>
// CHECK-DAG: %[[K4:.*]] = tensor.expand_shape %[[K]] {{.*}} into tensor<1x1x48x4xf32>
// CHECK-DAG: %[[V4:.*]] = tensor.expand_shape %[[V]] {{.*}} into tensor<1x1x48x4xf32>
// CHECK: lattn.attention query(%[[Q4]] {{.*}} key(%[[K4]] {{.*}} value(%[[V4]]
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>}
func.func @causal(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %kb = tensor.expand_shape %k [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kf = tensor.extract_slice %kb[0, 0, 0] [2, 16, 4] [1, 1, 1]
      : !q to tensor<2x16x4xf32>
  %kl = tensor.concat dim(0) %z, %kf
      : (tensor<1x16x4xf32>, tensor<2x16x4xf32>) -> !q
  %ku = tensor.concat dim(1) %kl, %kb : (!q, !q) -> !k
  %vb = tensor.expand_shape %v [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %vf = tensor.extract_slice %vb[0, 0, 0] [2, 16, 4] [1, 1, 1]
      : !q to tensor<2x16x4xf32>
  %vl = tensor.concat dim(0) %z, %vf
      : (tensor<1x16x4xf32>, tensor<2x16x4xf32>) -> !q
  %vu = tensor.concat dim(1) %vl, %vb : (!q, !q) -> !k
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %w = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %w, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %seen = arith.andi %past, %inside : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}

// The block itself is first: the mask is about other keys.
// CHECK-LABEL: func @swapped
// CHECK: tensor.concat
// CHECK: lattn.attention
// CHECK-NOT: bucket
// CHECK: return
func.func @swapped(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %kb = tensor.expand_shape %k [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kf = tensor.extract_slice %kb[0, 0, 0] [2, 16, 4] [1, 1, 1]
      : !q to tensor<2x16x4xf32>
  %kl = tensor.concat dim(0) %z, %kf
      : (tensor<1x16x4xf32>, tensor<2x16x4xf32>) -> !q
  %ku = tensor.concat dim(1) %kb, %kl : (!q, !q) -> !k
  %vb = tensor.expand_shape %v [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %vf = tensor.extract_slice %vb[0, 0, 0] [2, 16, 4] [1, 1, 1]
      : !q to tensor<2x16x4xf32>
  %vl = tensor.concat dim(0) %z, %vf
      : (tensor<1x16x4xf32>, tensor<2x16x4xf32>) -> !q
  %vu = tensor.concat dim(1) %vl, %vb : (!q, !q) -> !k
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %w = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %w, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %seen = arith.andi %past, %inside : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}

// The block itself twice: only the second half are the keys of the mask.
// CHECK-LABEL: func @repeated
// CHECK: tensor.concat
// CHECK: lattn.attention
// CHECK-NOT: bucket
// CHECK: return
func.func @repeated(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %z = arith.constant dense<0.0> : tensor<1x16x4xf32>
  %kb = tensor.expand_shape %k [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kf = tensor.extract_slice %kb[0, 0, 0] [2, 16, 4] [1, 1, 1]
      : !q to tensor<2x16x4xf32>
  %kl = tensor.concat dim(0) %z, %kf
      : (tensor<1x16x4xf32>, tensor<2x16x4xf32>) -> !q
  %ku = tensor.concat dim(1) %kb, %kb : (!q, !q) -> !k
  %vb = tensor.expand_shape %v [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %vf = tensor.extract_slice %vb[0, 0, 0] [2, 16, 4] [1, 1, 1]
      : !q to tensor<2x16x4xf32>
  %vl = tensor.concat dim(0) %z, %vf
      : (tensor<1x16x4xf32>, tensor<2x16x4xf32>) -> !q
  %vu = tensor.concat dim(1) %vl, %vb : (!q, !q) -> !k
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul indexing_maps = [
      affine_map<(w, i, j, d) -> (w, i, d)>, affine_map<(w, i, j, d) -> (w, j, d)>,
      affine_map<(w, i, j, d) -> (w, i, j)>]
      ins(%qb, %ku : !q, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %w = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.muli %w, %c16 : index
    %row = arith.addi %first, %j : index
    %place = arith.subi %row, %c16 : index
    %query = arith.addi %first, %i : index
    %past = arith.cmpi sle, %place, %query : index
    %inside = arith.cmpi sge, %place, %c0 : index
    %seen = arith.andi %past, %inside : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}
