// RUN: lattn-opt %s --lattn-raise --split-input-file -o %t 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s < %t

// One more score for each head: concatenated, and its weight dropped.

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
!l = tensor<2x48x49xf32>
// For each head.
// CHECK-LABEL: func @of_heads
// CHECK-SAME: %[[SINK:[a-z0-9]+]]: tensor<2xf32>
// CHECK: %[[LOGITS:.*]] = linalg.generic
// CHECK: tensor.extract %[[SINK]]
// CHECK-NOT: tensor.concat
// CHECK: lattn.attention
// CHECK-SAME: sink(%[[LOGITS]] : tensor<2xf32>)
// CHECK-NOT: tensor.concat
func.func @of_heads(%q: !t, %k: !k, %v: !t, %sink: tensor<2xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %ce = tensor.empty() : tensor<2x48x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sink : tensor<2xf32>) outs(%ce : tensor<2x48x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x48x1xf32>
  %all = tensor.concat dim(2) %s, %c : (!s, tensor<2x48x1xf32>) -> !l
  %we = tensor.empty() : !l
  %w = linalg.softmax dimension(2) ins(%all : !l) outs(%we : !l) -> !l
  %kept = tensor.extract_slice %w[0, 0, 0] [2, 48, 48] [1, 1, 1] : !l to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
!l = tensor<2x48x49xf32>
// In front of the keys' scores.
// CHECK-LABEL: func @in_front
// CHECK-SAME: %[[SINK:[a-z0-9]+]]: tensor<2xf32>
// CHECK: %[[LOGITS:.*]] = linalg.generic
// CHECK: tensor.extract %[[SINK]]
// CHECK-NOT: tensor.concat
// CHECK: lattn.attention
// CHECK-SAME: sink(%[[LOGITS]] : tensor<2xf32>)
// CHECK-NOT: tensor.concat
func.func @in_front(%q: !t, %k: !k, %v: !t, %sink: tensor<2xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %ce = tensor.empty() : tensor<2x48x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sink : tensor<2xf32>) outs(%ce : tensor<2x48x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x48x1xf32>
  %all = tensor.concat dim(2) %c, %s : (tensor<2x48x1xf32>, !s) -> !l
  %we = tensor.empty() : !l
  %w = linalg.softmax dimension(2) ins(%all : !l) outs(%we : !l) -> !l
  %kept = tensor.extract_slice %w[0, 0, 1] [2, 48, 48] [1, 1, 1] : !l to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
!l = tensor<2x48x49xf32>
// In front, but the last key's weight is dropped: values meet other keys' weights.
// CHECK-LABEL: func @last_dropped
// CHECK: tensor.concat
// CHECK-NOT: lattn.attention
func.func @last_dropped(%q: !t, %k: !k, %v: !t, %sink: tensor<2xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %ce = tensor.empty() : tensor<2x48x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sink : tensor<2xf32>) outs(%ce : tensor<2x48x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x48x1xf32>
  %all = tensor.concat dim(2) %c, %s : (tensor<2x48x1xf32>, !s) -> !l
  %we = tensor.empty() : !l
  %w = linalg.softmax dimension(2) ins(%all : !l) outs(%we : !l) -> !l
  %kept = tensor.extract_slice %w[0, 0, 0] [2, 48, 48] [1, 1, 1] : !l to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
!l = tensor<2x48x49xf32>
// For each query: no attention has that.
// WHY: not raised to lattn.attention: the sink is not the same for all batches and queries
// CHECK-LABEL: func @of_queries
// CHECK: tensor.concat
// CHECK-NOT: lattn.attention
func.func @of_queries(%q: !t, %k: !k, %v: !t, %sink: tensor<2x48xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %ce = tensor.empty() : tensor<2x48x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sink : tensor<2x48xf32>) outs(%ce : tensor<2x48x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x48x1xf32>
  %all = tensor.concat dim(2) %s, %c : (!s, tensor<2x48x1xf32>) -> !l
  %we = tensor.empty() : !l
  %w = linalg.softmax dimension(2) ins(%all : !l) outs(%we : !l) -> !l
  %kept = tensor.extract_slice %w[0, 0, 0] [2, 48, 48] [1, 1, 1] : !l to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}

// -----

!t = tensor<2x48x4xf32>
!k = tensor<2x4x48xf32>
!s = tensor<2x48x48xf32>
!l = tensor<2x48x49xf32>
// The first key's weight is dropped, and the sink's is not.
// CHECK-LABEL: func @without_first_key
// CHECK: tensor.concat
// CHECK-NOT: lattn.attention
func.func @without_first_key(%q: !t, %k: !k, %v: !t, %sink: tensor<2xf32>) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, !k) outs(%f : !s) -> !s
  %ce = tensor.empty() : tensor<2x48x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sink : tensor<2xf32>) outs(%ce : tensor<2x48x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x48x1xf32>
  %all = tensor.concat dim(2) %s, %c : (!s, tensor<2x48x1xf32>) -> !l
  %we = tensor.empty() : !l
  %w = linalg.softmax dimension(2) ins(%all : !l) outs(%we : !l) -> !l
  %kept = tensor.extract_slice %w[0, 0, 1] [2, 48, 48] [1, 1, 1] : !l to !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%kept, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
