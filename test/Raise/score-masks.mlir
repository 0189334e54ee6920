// RUN: lattn-opt %s --lattn-raise --split-input-file | FileCheck %s

// What a score region hides by -inf becomes a window, as far as it is proven.

!t = tensor<2x4x?x64xf32>

// Queries stand at their indices, whatever the lengths.
// CHECK-LABEL: @causal_and_near
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: lattn.attention {{.*}} offset(%[[ZERO]] : i64) outs
// CHECK-SAME: {window = #lattn.window<left = 256, right = 0>}
// CHECK-NEXT: return
func.func @causal_and_near(%q: !t, %k: !t, %v: !t, %e: !t) -> !t {
  %r = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %past = arith.cmpi sge, %i, %j : i32
      %distance = arith.subi %i, %j : i32
      %most = arith.constant 256 : i32
      %near = arith.cmpi sle, %distance, %most : i32
      %both = arith.andi %past, %near : i1
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %both, %s, %hidden : f32
      lattn.yield %x : f32
  }
  return %r : !t
}

// -----

// With the score that the region makes, and -inf on the other side.
// CHECK-LABEL: @inverted
// CHECK: lattn.attention {{.*}} {window = #lattn.window<right = 0>} score {
// CHECK: %[[SCORE:.*]] = math.tanh
// CHECK-NEXT: lattn.yield %[[SCORE]]
!s = tensor<1x1x8x4xf32>
func.func @inverted(%q: !s, %k: !s, %v: !s, %e: !s) -> !s {
  %r = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s)
      outs(%e : !s) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %y = math.tanh %s : f32
      %later = arith.cmpi slt, %i, %j : i32
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %later, %hidden, %y : f32
      lattn.yield %x : f32
  }
  return %r : !s
}

// -----

// Buckets, with what is no window beside them. kv_lens says which keys there are,
// not where queries stand.
!t = tensor<2x4x?x64xf32>
// CHECK-LABEL: @buckets_and_documents
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: lattn.attention {{.*}} kv_lens({{.*}}) offset(%[[ZERO]] : i64)
// CHECK-SAME: {window = #lattn.window<right = 0, bucket = 64>} score {
// CHECK-NOT: arith.shrsi
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i64
// CHECK: arith.select %[[SAME]], %{{.*}}, %{{.*}} : f32
func.func @buckets_and_documents(%q: !t, %k: !t, %v: !t, %lens: tensor<2xi32>,
                                 %documents: tensor<?xi64>, %e: !t) -> !t {
  %r = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      kv_lens(%lens : tensor<2xi32>) captures(%documents : tensor<?xi64>)
      outs(%e : !t) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %d: tensor<?xi64>):
      %bits = arith.constant 6 : i32
      %ib = arith.shrsi %i, %bits : i32
      %jb = arith.shrsi %j, %bits : i32
      %bucket = arith.cmpi eq, %ib, %jb : i32
      %past = arith.cmpi sge, %i, %j : i32
      %both = arith.andi %past, %bucket : i1
      %ii = arith.index_cast %i : i32 to index
      %ji = arith.index_cast %j : i32 to index
      %di = tensor.extract %d[%ii] : tensor<?xi64>
      %dj = tensor.extract %d[%ji] : tensor<?xi64>
      %same = arith.cmpi eq, %di, %dj : i64
      %all = arith.andi %same, %both : i1
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %all, %s, %hidden : f32
      lattn.yield %x : f32
  }
  return %r : !t
}

// -----

// A captured array is what the program makes it.
!s = tensor<1x1x8x4xf32>
// CHECK-LABEL: @captured_documents
// CHECK: lattn.attention
// CHECK-NOT: captures
// CHECK-SAME: {window = #lattn.window<bucket = 4>}
// CHECK-NEXT: return
func.func @captured_documents(%q: !s, %k: !s, %v: !s, %e: !s) -> !s {
  %empty = tensor.empty() : tensor<8xi32>
  %documents = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>],
      iterator_types = ["parallel"]} outs(%empty : tensor<8xi32>) {
    ^bb0(%x: i32):
      %at = linalg.index 0 : index
      %size = arith.constant 4 : index
      %document = arith.floordivsi %at, %size : index
      %y = arith.index_cast %document : index to i32
      linalg.yield %y : i32
  } -> tensor<8xi32>
  %r = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s)
      captures(%documents : tensor<8xi32>) outs(%e : !s) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %d: tensor<8xi32>):
      %ii = arith.index_cast %i : i32 to index
      %ji = arith.index_cast %j : i32 to index
      %di = tensor.extract %d[%ii] : tensor<8xi32>
      %dj = tensor.extract %d[%ji] : tensor<8xi32>
      %same = arith.cmpi eq, %di, %dj : i32
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %same, %s, %hidden : f32
      lattn.yield %x : f32
  }
  return %r : !s
}

// -----

// Gradients see what attention sees.
!s = tensor<1x1x8x4xf32>
!l = tensor<1x1x8xf32>
// CHECK-LABEL: @gradients
// CHECK: lattn.attention_grad {{.*}} {window = #lattn.window<right = 0>}
// CHECK-NEXT: return
func.func @gradients(%q: !s, %k: !s, %v: !s, %l: !l, %e: !s) -> (!s, !s, !s) {
  %r:3 = lattn.attention_grad query(%q : !s) key(%k : !s) value(%v : !s)
      output(%q : !s) lse(%l : !l) d_output(%q : !s)
      outs(%e, %e, %e : !s, !s, !s) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %past = arith.cmpi sge, %i, %j : i32
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %past, %s, %hidden : f32
      lattn.yield %x : f32
  }
  return %r#0, %r#1, %r#2 : !s, !s, !s
}

// -----

// A window of its own may have other positions.
!t = tensor<2x4x?x64xf32>
// CHECK-LABEL: @other_window
// CHECK: lattn.attention {{.*}} {window = #lattn.window<left = 9>} score
// CHECK: arith.cmpi sge
func.func @other_window(%q: !t, %k: !t, %v: !t, %e: !t) -> !t {
  %r = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) {window = #lattn.window<left = 9>} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %past = arith.cmpi sge, %i, %j : i32
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %past, %s, %hidden : f32
      lattn.yield %x : f32
  }
  return %r : !t
}

// -----

// No window: a prefix that all see, a sum that overflows, and a finite score.
!t = tensor<2x4x?x64xf32>
// CHECK-LABEL: @no_window
// CHECK-NOT: #lattn.window
func.func @no_window(%q: !t, %k: !t, %v: !t, %e: !t) -> (!t, !t, !t) {
  %r = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %past = arith.cmpi sge, %i, %j : i32
      %prefix = arith.constant 12 : i32
      %first = arith.cmpi slt, %j, %prefix : i32
      %either = arith.ori %past, %first : i1
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %either, %s, %hidden : f32
      lattn.yield %x : f32
  }
  %o = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %most = arith.constant 2147483640 : i32
      %sum = arith.addi %i, %most : i32
      %past = arith.cmpi sge, %sum, %j : i32
      %hidden = arith.constant 0xFF800000 : f32
      %x = arith.select %past, %s, %hidden : f32
      lattn.yield %x : f32
  }
  %f = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %past = arith.cmpi sge, %i, %j : i32
      %low = arith.constant -1.0e+30 : f32
      %x = arith.select %past, %s, %low : f32
      lattn.yield %x : f32
  }
  return %r, %o, %f : !t, !t, !t
}
