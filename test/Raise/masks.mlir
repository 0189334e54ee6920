// RUN: lattn-opt %s --lattn-raise --split-input-file | FileCheck %s

// Spellings of masks, and the windows that they are.

!t = tensor<8x6x4xf32>
!k = tensor<8x4x6xf32>
!s = tensor<8x6x6xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// Positions as a constant array, two apart: j >= i - 2 of them.
// CHECK-LABEL: func @constant_positions
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<left = 1, right = 0>}
// CHECK-NOT: linalg.softmax
func.func @constant_positions(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %places = arith.constant dense<[7, 9, 11, 13, 15, 17]> : tensor<6xi32>
  %c2 = arith.constant 2 : i32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %pi = tensor.extract %places[%i] : tensor<6xi32>
    %pj = tensor.extract %places[%j] : tensor<6xi32>
    %first = arith.subi %pi, %c2 : i32
    %near = arith.cmpi sge, %pj, %first : i32
    %past = arith.cmpi sle, %pj, %pi : i32
    %seen = arith.andi %near, %past : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x6x4xf32>
!k = tensor<8x4x6xf32>
!s = tensor<8x6x6xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// One position is another: not a window alone.
// CHECK-LABEL: func @uneven_positions
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<left = 2, right = 0>} score
func.func @uneven_positions(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %places = arith.constant dense<[7, 9, 11, 12, 13, 17]> : tensor<6xi32>
  %c2 = arith.constant 2 : i32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %pi = tensor.extract %places[%i] : tensor<6xi32>
    %pj = tensor.extract %places[%j] : tensor<6xi32>
    %first = arith.subi %pi, %c2 : i32
    %near = arith.cmpi sge, %pj, %first : i32
    %past = arith.cmpi sle, %pj, %pi : i32
    %seen = arith.andi %near, %past : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x48x4xf32>
!k = tensor<8x4x48xf32>
!s = tensor<8x48x48xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// Buckets as floats, rounded down.
// CHECK-LABEL: func @rounded_buckets
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<bucket = 12>}
func.func @rounded_buckets(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %size = arith.constant 12.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %i0 = arith.index_cast %i : index to i64
    %if = arith.sitofp %i0 : i64 to f32
    %id = arith.divf %if, %size : f32
    %ir = math.floor %id : f32
    %ib = arith.fptosi %ir : f32 to i64
    %j0 = arith.index_cast %j : index to i64
    %jf = arith.sitofp %j0 : i64 to f32
    %jd = arith.divf %jf, %size : f32
    %jr = math.floor %jd : f32
    %jb = arith.fptosi %jr : f32 to i64
    %seen = arith.cmpi eq, %ib, %jb : i64
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x640x4xf32>
!k = tensor<8x4x640xf32>
!s = tensor<8x640x640xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// f16 has not the digits for these positions.
// CHECK-LABEL: func @inexact_buckets
// CHECK: lattn.attention
// CHECK-NOT: bucket
// CHECK: return
func.func @inexact_buckets(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %size = arith.constant 12.0 : f16
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %i0 = arith.index_cast %i : index to i64
    %if = arith.sitofp %i0 : i64 to f16
    %id = arith.divf %if, %size : f16
    %ir = math.floor %id : f16
    %ib = arith.fptosi %ir : f16 to i64
    %j0 = arith.index_cast %j : index to i64
    %jf = arith.sitofp %j0 : i64 to f16
    %jd = arith.divf %jf, %size : f16
    %jr = math.floor %jd : f16
    %jb = arith.fptosi %jr : f16 to i64
    %seen = arith.cmpi eq, %ib, %jb : i64
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x48x4xf32>
!k = tensor<8x4x48xf32>
!s = tensor<8x48x48xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// A bound of positions bounds the buckets ahead.
// CHECK-LABEL: func @causal_buckets
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<right = 0, bucket = 16, back = 1>}
func.func @causal_buckets(%q: !t, %k: !k, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %size = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %ib = arith.floordivsi %i, %size : index
    %jb = arith.floordivsi %j, %size : index
    %d = arith.subi %ib, %jb : index
    %near = arith.cmpi sle, %d, %c1 : index
    %past = arith.cmpi sle, %j, %i : index
    %seen = arith.andi %near, %past : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x48x4xf32>
!k = tensor<8x4x48xf32>
!s = tensor<8x48x48xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// Kept keys that are near, or the query itself: the nearer bound is dropped.
// CHECK-LABEL: func @kept_or_itself
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<left = 3, right = 2>} score
// CHECK-NOT: arith.cmpi sge
// CHECK: arith.ori
func.func @kept_or_itself(%q: !t, %k: !k, %v: !t, %keep: tensor<48xi1>) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 3 : index
  %ahead = arith.constant -2 : index
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %kept = tensor.extract %keep[%j] : tensor<48xi1>
    %d = arith.subi %i, %j : index
    %after = arith.cmpi sge, %d, %ahead : index
    %near = arith.cmpi sle, %d, %c3 : index
    %itself = arith.cmpi eq, %i, %j : index
    %band = arith.andi %after, %near : i1
    %both = arith.andi %band, %kept : i1
    %seen = arith.ori %both, %itself : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x48x4xf32>
!k = tensor<8x4x48xf32>
!s = tensor<8x48x48xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// Kept keys, or nearer ones: that bound stays.
// CHECK-LABEL: func @farther_kept
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<left = 3, right = 2>} score
// CHECK: arith.cmpi sge
// CHECK-NOT: arith.cmpi
// CHECK: arith.ori
func.func @farther_kept(%q: !t, %k: !k, %v: !t, %keep: tensor<48xi1>) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %ahead = arith.constant -2 : index
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %kept = tensor.extract %keep[%j] : tensor<48xi1>
    %d = arith.subi %i, %j : index
    %after = arith.cmpi sge, %d, %ahead : index
    %near = arith.cmpi sle, %d, %c3 : index
    %nearer = arith.cmpi sle, %d, %c1 : index
    %both = arith.andi %near, %kept : i1
    %either = arith.ori %both, %nearer : i1
    %seen = arith.andi %either, %after : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x48x4xf32>
!k = tensor<8x4x48xf32>
!s = tensor<8x48x48xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// The mask has one more key, before the others: reads of it stay inside.
// CHECK-LABEL: func @padded_mask
// CHECK: lattn.attention
// CHECK-SAME: window = #lattn.window<right = 0>} score
// CHECK: %[[PLACE:.*]] = arith.maxsi
// CHECK: arith.index_cast %[[PLACE]]
func.func @padded_mask(%q: !t, %k: !k, %v: !t, %keep: tensor<48x48xi1>) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %padded = tensor.pad %keep low[0, 1] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %true : i1
  } : tensor<48x48xi1> to tensor<48x49xi1>
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %kept = tensor.extract %padded[%i, %j] : tensor<48x49xi1>
    %past = arith.cmpi sle, %j, %i : index
    %seen = arith.andi %past, %kept : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<8x48x4xf32>
!k = tensor<8x4x48xf32>
!s = tensor<8x48x48xf32>
#pair = affine_map<(b, i, j) -> (b, i, j)>
// Kept keys anywhere: no bound.
// CHECK-LABEL: func @near_or_anywhere
// CHECK: lattn.attention
// CHECK-NOT: #lattn.window
// CHECK: return
func.func @near_or_anywhere(%q: !t, %k: !k, %v: !t, %keep: tensor<48xi1>) -> !t {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %m = linalg.generic {indexing_maps = [#pair, #pair],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : !s) outs(%e : !s) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %kept = tensor.extract %keep[%j] : tensor<48xi1>
    %d = arith.subi %i, %j : index
    %near = arith.cmpi sle, %d, %c3 : index
    %seen = arith.ori %near, %kept : i1
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> !s
  %w = linalg.softmax dimension(2) ins(%m : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
