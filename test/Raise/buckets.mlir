// RUN: lattn-opt %s --lattn-raise -o %t 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t

// Local attention with an axis of buckets: 3 buckets of 16 queries, and for each
// the keys of the bucket before it and its own. They become one attention.

!t = tensor<48x4xf32>
!p = tensor<64x4xf32>
!q = tensor<3x16x4xf32>
!k = tensor<3x32x4xf32>
!s = tensor<3x16x32xf32>
#row = affine_map<(w, j, d) -> (w * 16 + j, d)>
#all = affine_map<(a, b, c) -> (a, b, c)>


// Keys up to the query.
// CHECK-LABEL: func @causal
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<48x4xf32>, %[[K:[a-z0-9]+]]: tensor<48x4xf32>, %[[V:[a-z0-9]+]]: tensor<48x4xf32>
// CHECK-NOT: tensor.pad
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
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ke = tensor.empty() : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !p) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ve = tensor.empty() : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !p) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
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

// At most 12 keys before the query: buckets, and a bound.
// CHECK-LABEL: func @exact
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<left = 12, right = 0, bucket = 16, back = 1>}
func.func @exact(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ke = tensor.empty() : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !p) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ve = tensor.empty() : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !p) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
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
    %c12 = arith.constant 12 : index
    %d = arith.subi %query, %place : index
    %near = arith.cmpi sle, %d, %c12 : index
    %both = arith.andi %past, %near : i1
    %seen = arith.andi %both, %inside : i1
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

// All keys of both buckets.
// CHECK-LABEL: func @ahead
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<bucket = 16, back = 1>}
func.func @ahead(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ke = tensor.empty() : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !p) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ve = tensor.empty() : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !p) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
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
    %seen = arith.ori %inside, %inside : i1
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

// The padding is seen, and takes weight: the buckets stay.
// WHY: remark: raised with an axis of buckets: keys outside of the positions are visible
// CHECK-LABEL: func @padding_seen
// CHECK: tensor.pad
// CHECK: lattn.attention
// CHECK-SAME: tensor<1x3x16x4xf32>
// CHECK-SAME: tensor<1x3x32x4xf32>
// CHECK-NOT: bucket
// CHECK: return
func.func @padding_seen(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ke = tensor.empty() : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !p) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ve = tensor.empty() : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !p) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
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
    %seen = arith.ori %past, %past : i1
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

// One pair is hidden in the first bucket: a condition beside the window.
// CHECK-LABEL: func @hole
// CHECK-NOT: tensor.pad
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>} score {
// CHECK: arith.cmpi
// CHECK: arith.select
func.func @hole(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ke = tensor.empty() : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !p) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ve = tensor.empty() : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !p) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
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
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %is5 = arith.cmpi ne, %query, %c5 : index
    %is3 = arith.cmpi ne, %place, %c3 : index
    %other = arith.ori %is5, %is3 : i1
    %both = arith.andi %past, %other : i1
    %seen = arith.andi %both, %inside : i1
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

// A bias of the place in the row of keys, which is j - 16 * (i / 16) + 16.
// CHECK-LABEL: func @biased
// CHECK-NOT: tensor.pad
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>} score {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32, %[[I:.*]]: i32, %[[J:.*]]: i32):
// CHECK: %[[BUCKET:.*]] = arith.floordivsi %[[I]], %{{.*}} : i32
// CHECK: %[[START:.*]] = arith.muli %[[BUCKET]], %{{.*}} : i32
func.func @biased(%q: !t, %k: !t, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e+30 : f32
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %qb = tensor.expand_shape %q [[0, 1], [2]] output_shape [3, 16, 4] : !t into !q
  %kp = tensor.pad %k low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ke = tensor.empty() : !k
  %ku = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kp : !p) outs(%ke : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
  %vp = tensor.pad %v low[16, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : !t to !p
  %ve = tensor.empty() : !k
  %vu = linalg.generic {indexing_maps = [#row, #all],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vp : !p) outs(%ve : !k) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> !k
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
    %ji = arith.index_cast %j : index to i32
    %bias = arith.sitofp %ji : i32 to f32
    %biased = arith.addf %x, %bias : f32
    %y = arith.select %seen, %biased, %none : f32
    linalg.yield %y : f32
  } -> !s
  %weights = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !q
  %of = linalg.fill ins(%zero : f32) outs(%oe : !q) -> !q
  %r = linalg.batch_matmul ins(%weights, %vu : !s, !k) outs(%of : !q) -> !q
  %out = tensor.collapse_shape %r [[0, 1], [2]] : !q into !t
  return %out : !t
}
