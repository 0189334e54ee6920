// RUN: lattn-run %s --entry=stages
// RUN: lattn-run %s --entry=stages --target=loops
// RUN: lattn-run %s --entry=buffers
// RUN: lattn-run %s --entry=buffers --target=loops
// RUN: not lattn-run %s --entry=wrong 2>&1 | FileCheck %s
// CHECK: check failed: 1 of 6 elements differ; first at element 3: got 0.2689{{.*}}, expected 0.5

// The stages of one score, worked out by hand: products {0, 1, 2} and {0, 2, 4},
// halved by the region, 1 more for the last key, causal.

!q = tensor<1x1x2x1xf32>
!k = tensor<1x1x3x1xf32>
!s = tensor<1x1x2x3xf32>

func.func private @check(%scores: !s, %expected: !s) {
  check.expect_close %scores, %expected {rtol = 1.0e-6 : f64, atol = 1.0e-6 : f64} : !s, !s
  return
}

func.func private @query() -> !q {
  %q = arith.constant dense<[[[[1.0], [2.0]]]]> : !q
  return %q : !q
}
func.func private @key() -> !k {
  %k = arith.constant dense<[[[[0.0], [1.0], [2.0]]]]> : !k
  return %k : !k
}

func.func private @weights(%offset: i64, %sink: tensor<1xf32>) -> !s {
  %q = call @query() : () -> !q
  %k = call @key() : () -> !k
  %bias = arith.constant dense<[0.0, 0.0, 1.0]> : tensor<3xf32>
  %e = tensor.empty() : !s
  %0 = lattn.attention_scores query(%q : !q) key(%k : !k)
      bias(%bias : tensor<3xf32>) offset(%offset : i64)
      sink(%sink : tensor<1xf32>) outs(%e : !s)
      {causal, stage = #lattn.stage<weights>} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %half = arith.constant 0.5 : f32
      %r = arith.mulf %s, %half : f32
      lattn.yield %r : f32
    }
  return %0 : !s
}

func.func @stages() {
  %q = call @query() : () -> !q
  %k = call @key() : () -> !k
  %bias = arith.constant dense<[0.0, 0.0, 1.0]> : tensor<3xf32>
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : !s
  %products = lattn.attention_scores query(%q : !q) key(%k : !k)
      bias(%bias : tensor<3xf32>) offset(%zero : i64) outs(%e : !s)
      {causal, stage = #lattn.stage<products>} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %half = arith.constant 0.5 : f32
      %r = arith.mulf %s, %half : f32
      lattn.yield %r : f32
    }
  %x0 = arith.constant dense<[[[[0.0, 1.0, 2.0], [0.0, 2.0, 4.0]]]]> : !s
  call @check(%products, %x0) : (!s, !s) -> ()
  %scores = lattn.attention_scores query(%q : !q) key(%k : !k)
      bias(%bias : tensor<3xf32>) offset(%zero : i64) outs(%e : !s)
      {causal, stage = #lattn.stage<scores>} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %half = arith.constant 0.5 : f32
      %r = arith.mulf %s, %half : f32
      lattn.yield %r : f32
    }
  %x1 = arith.constant dense<[[[[0.0, 0.5, 1.0], [0.0, 1.0, 2.0]]]]> : !s
  call @check(%scores, %x1) : (!s, !s) -> ()
  %masked = lattn.attention_scores query(%q : !q) key(%k : !k)
      bias(%bias : tensor<3xf32>) offset(%zero : i64) outs(%e : !s)
      {causal, stage = #lattn.stage<masked>} score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %half = arith.constant 0.5 : f32
      %r = arith.mulf %s, %half : f32
      lattn.yield %r : f32
    }
  %x2 = arith.constant dense<[[[[0.0, 0xFF800000, 0xFF800000],
                                [0.0, 1.0, 0xFF800000]]]]> : !s
  call @check(%masked, %x2) : (!s, !s) -> ()

  %none = arith.constant dense<0xFF800000> : tensor<1xf32>
  %w3 = call @weights(%zero, %none) : (i64, tensor<1xf32>) -> !s
  %x3 = arith.constant dense<[[[[1.0, 0.0, 0.0],
                                [0.268941421, 0.731058579, 0.0]]]]> : !s
  call @check(%w3, %x3) : (!s, !s) -> ()
  // A sink of 0 takes part and has no weight of its own.
  %sink = arith.constant dense<0.0> : tensor<1xf32>
  %w4 = call @weights(%zero, %sink) : (i64, tensor<1xf32>) -> !s
  %x4 = arith.constant dense<[[[[0.5, 0.0, 0.0],
                                [0.211941558, 0.576116885, 0.0]]]]> : !s
  call @check(%w4, %x4) : (!s, !s) -> ()
  // One position back, the first row sees nothing.
  %back = arith.constant -1 : i64
  %w5 = call @weights(%back, %none) : (i64, tensor<1xf32>) -> !s
  %x5 = arith.constant dense<[[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]]]> : !s
  call @check(%w5, %x5) : (!s, !s) -> ()
  return
}

func.func @wrong() {
  %none = arith.constant dense<0xFF800000> : tensor<1xf32>
  %zero = arith.constant 0 : i64
  %w = call @weights(%zero, %none) : (i64, tensor<1xf32>) -> !s
  %x = arith.constant dense<[[[[1.0, 0.0, 0.0],
                               [0.5, 0.731058579, 0.0]]]]> : !s
  call @check(%w, %x) : (!s, !s) -> ()
  return
}

// On buffers, into every other column of a larger one.
func.func @buffers() {
  %q = call @query() : () -> !q
  %k = call @key() : () -> !k
  %mq = bufferization.to_buffer %q : !q to memref<1x1x2x1xf32>
  %mk = bufferization.to_buffer %k : !k to memref<1x1x3x1xf32>
  %all = memref.alloc() : memref<1x1x2x6xf32>
  %sevens = arith.constant 7.0 : f32
  linalg.fill ins(%sevens : f32) outs(%all : memref<1x1x2x6xf32>)
  %out = memref.subview %all[0, 0, 0, 0] [1, 1, 2, 3] [1, 1, 1, 2]
      : memref<1x1x2x6xf32> to memref<1x1x2x3xf32, strided<[12, 12, 6, 2]>>
  lattn.attention_scores query(%mq : memref<1x1x2x1xf32>)
      key(%mk : memref<1x1x3x1xf32>)
      outs(%out : memref<1x1x2x3xf32, strided<[12, 12, 6, 2]>>)
      {stage = #lattn.stage<products>}
  %t = bufferization.to_tensor %all restrict
      : memref<1x1x2x6xf32> to tensor<1x1x2x6xf32>
  %x = arith.constant dense<[[[[0.0, 7.0, 1.0, 7.0, 2.0, 7.0],
                               [0.0, 7.0, 2.0, 7.0, 4.0, 7.0]]]]>
      : tensor<1x1x2x6xf32>
  check.expect_close %t, %x {rtol = 1.0e-6 : f64, atol = 0.0 : f64}
      : tensor<1x1x2x6xf32>, tensor<1x1x2x6xf32>
  return
}
