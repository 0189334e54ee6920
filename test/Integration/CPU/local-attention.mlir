// REQUIRES: slow
// RUN: lattn-run %s --entry=self
// RUN: lattn-run %s --entry=self --target=loops
// RUN: lattn-run %s --entry=exact
// RUN: lattn-run %s --entry=exact --target=loops
// RUN: lattn-run %s --entry=rounded_once
// RUN: lattn-run %s --entry=rounded_once --target=loops
// RUN: not lattn-run %s --entry=wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not lattn-run %s --entry=bias_heads --random=1 --shape=0:1x4x4x2 --shape=1:1x4x4 2>&1 | FileCheck %s --check-prefix=HEADS
// RUN: lattn-run %s --entry=bias_heads --random=1 --shape=0:1x4x4x2 --shape=1:4x4x4 --verify-loops
// RUN: not lattn-run %s --entry=call --random=1 --shape=0:1x1x4x2 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: lattn-run %s --entry=call --random=1 --shape=0:1x1x10x2 --verify-loops
// RUN: lattn-run %s --entry=empty --random=1 --shape=0:0x3x5x2
// RUN: lattn-run %s --entry=empty --random=1 --shape=0:0x3x5x2 --target=loops
// WRONG: check failed: 1 of 8 elements differ; first at element 7: got 8{{[^0-9]}}
// HEADS: error: {{.*}}'lattn.local_attention' op expected bias of as many heads as query where its type does not tell
// CALL: error: {{.*}}'lattn.local_attention' op expected a sequence length divisible by the window's 4 after padding

!s = tensor<1x1x4x2xf32>
!l = tensor<1x1x14x2xf32>
!d = tensor<1x?x?x2xf32>
!u = tensor<1x1x?x2xf32>
!h = tensor<1x1x5x1xf16>

// Each row sees itself, of which shared_qk lets a trace, and the next; the last
// row itself alone. Nothing is padded, and its weight of exp(5e4) is not there. The
// length is not known, so the rows that may see padded keys are computed again.
func.func private @attend(%q: !u, %v: !u) -> !u {
  %0 = lattn.local_attention query(%q : !u) key(%q : !u) value(%v : !u) outs(%q : !u)
      {window_size = 1 : i64, look_backward = 0 : i64, look_forward = 1 : i64,
       exact_windowsize, shared_qk, autopad}
  return %0 : !u
}
func.func private @shared() -> !s {
  %q = arith.constant dense<[[[[1.0, 2.0], [0.5, -1.0], [3.0, 0.0], [1.0, 1.0]]]]> : !s
  %v = arith.constant dense<[[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]]]> : !s
  %x = tensor.cast %q : !s to !u
  %y = tensor.cast %v : !s to !u
  %z = call @attend(%x, %y) : (!u, !u) -> !u
  %0 = tensor.cast %z : !u to !s
  return %0 : !s
}
func.func @self() {
  %0 = call @shared() : () -> !s
  %x = arith.constant dense<[[[[3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [7.0, 8.0]]]]> : !s
  check.expect_close %0, %x {rtol = 1.0e-6 : f64, atol = 0.0 : f64} : !s, !s
  return
}
func.func @wrong() {
  %0 = call @shared() : () -> !s
  %x = arith.constant dense<[[[[3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [7.0, 9.0]]]]> : !s
  check.expect_close %0, %x {rtol = 1.0e-6 : f64, atol = 0.0 : f64} : !s, !s
  return
}

// Rows that see themselves alone; no row reaches beyond the last of 14 keys.
func.func @exact() {
  %c = arith.constant dense<1.0> : !l
  %e = tensor.empty() : !l
  %v = tensor.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %p = arith.index_cast %i : index to i32
    %x = arith.sitofp %p : i32 to f32
    tensor.yield %x : f32
  } : !l
  %0 = lattn.local_attention query(%c : !l) key(%c : !l) value(%v : !l) outs(%e : !l)
      {window_size = 6 : i64, look_backward = 0 : i64, look_forward = 0 : i64,
       exact_windowsize, autopad}
  check.expect_close %0, %v {rtol = 1.0e-6 : f64, atol = 0.0 : f64} : !l, !l
  return
}

// All scores are 0, so each row is the mean of 1, 269/1024, three zeros and one
// padded 0: 431/2048. The mean of the five real values, rounded to f16, would make
// that 1723/8192.
func.func @rounded_once() {
  %q = arith.constant dense<0.0> : !h
  %v = arith.constant dense<[[[[1.0], [0.2626953125], [0.0], [0.0], [0.0]]]]> : !h
  %e = tensor.empty() : !h
  %0 = lattn.local_attention query(%q : !h) key(%q : !h) value(%v : !h) outs(%e : !h)
      {window_size = 3 : i64, autopad}
  %x = arith.constant dense<0.21044921875> : !h
  check.expect_close %0, %x {rtol = 0.0 : f64, atol = 0.0 : f64} : !h, !h
  return
}

// Heads of a bias that are not known must be as many as query's.
func.func @bias_heads(%x: !d, %bias: tensor<?x4x4xf32>) -> !d {
  %0 = lattn.local_attention query(%x : !d) key(%x : !d) value(%x : !d)
      bias(%bias : tensor<?x4x4xf32>) outs(%x : !d)
      {window_size = 4 : i64, look_backward = 0 : i64, causal}
  return %0 : !d
}

// 4 positions pad to 6, which are no blocks of 4; 10 pad to 12.
func.func @call(%x: !d) -> !d {
  %0 = lattn.local_attention query(%x : !d) key(%x : !d) value(%x : !d) outs(%x : !d)
      {window_size = 3 : i64, call_window_size = 4 : i64, use_xpos, autopad}
  return %0 : !d
}

// Nothing to compute, and no slice of it.
!z = tensor<0x3x?x2xf32>
func.func @empty(%x: !z) -> !z {
  %0 = lattn.local_attention query(%x : !z) key(%x : !z) value(%x : !z) outs(%x : !z)
      {window_size = 2 : i64, autopad, dim = 2 : i64, use_xpos, xpos_scale_base = 7.0 : f64}
  return %0 : !z
}
