// REQUIRES: slow
// Static extents of 0, against numbers and against loops.
// RUN: lattn-run %s --entry=no_keys
// RUN: lattn-run %s --entry=no_keys --target=loops
// RUN: lattn-run %s --entry=no_values --random=1 --verify-loops
// RUN: lattn-run %s --entry=gradients --random=2 --verify-loops
// RUN: lattn-run %s --entry=buffers --random=3 --verify-loops

!q = tensor<1x2x2x8xf32>
!r = tensor<1x2x2xf32>
!none = tensor<1x2x0x8xf32>

// Rows see their sink only. Its gradient adds up those of the log-sum-exps.
func.func @no_keys() {
  %q = arith.constant dense<1.0> : !q
  %zero = arith.constant dense<0.0> : !q
  %n = tensor.empty() : !none
  %o = arith.constant dense<5.0> : !q
  %l = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : !r
  %s = arith.constant dense<[0.5, 0xFF800000]> : tensor<2xf32>
  %0:2 = lattn.attention query(%q : !q) key(%n : !none) value(%n : !none) sink(%s : tensor<2xf32>) outs(%o : !q, %l : !r)
  check.expect_close %0#0, %zero {rtol = 0.0 : f64, atol = 0.0 : f64} : !q, !q
  %sinks = arith.constant dense<[[[0.5, 0.5], [0xFF800000, 0xFF800000]]]> : !r
  check.expect_close %0#1, %sinks {rtol = 0.0 : f64, atol = 0.0 : f64} : !r, !r
  %1:4 = lattn.attention_grad query(%q : !q) key(%n : !none) value(%n : !none) sink(%s : tensor<2xf32>)
      output(%zero : !q) lse(%sinks : !r) d_output(%q : !q) d_lse(%l : !r)
      outs(%o, %n, %n : !q, !none, !none, %s : tensor<2xf32>)
  check.expect_close %1#0, %zero {rtol = 0.0 : f64, atol = 0.0 : f64} : !q, !q
  %ds = arith.constant dense<[3.0, 0.0]> : tensor<2xf32>
  check.expect_close %1#3, %ds {rtol = 0.0 : f64, atol = 0.0 : f64} : tensor<2xf32>, tensor<2xf32>
  %2:4 = lattn.attention_jvp query(%q : !q) key(%n : !none) value(%n : !none) d_key(%n : !none)
      outs(%o, %l, %o, %l : !q, !r, !q, !r)
  check.expect_close %2#0, %zero {rtol = 0.0 : f64, atol = 0.0 : f64} : !q, !q
  check.expect_close %2#2, %zero {rtol = 0.0 : f64, atol = 0.0 : f64} : !q, !q
  return
}

!o = tensor<1x2x2x0xf32>
!k = tensor<1x2x7x8xf32>
!v = tensor<1x2x7x0xf32>

func.func @no_values(%q: !q, %k: !k, %v: !v, %o: !o, %l: !r) -> (!o, !r) {
  %0:2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !v) outs(%o : !o, %l : !r)
      {window = #lattn.window<left = 1, right = 2>}
  return %0#0, %0#1 : !o, !r
}

func.func @gradients(%q: !q, %k: !k, %v: !v, %o: !o, %l: !r, %dl: !r) -> (!q, !k, !v, !r) {
  %a:2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !v) outs(%o : !o, %l : !r)
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !k) value(%v : !v) output(%a#0 : !o) lse(%a#1 : !r)
      d_output(%o : !o) d_lse(%dl : !r) outs(%q, %k, %v : !q, !k, !v)
  %1:4 = lattn.attention_jvp query(%q : !q) key(%k : !k) value(%v : !v) d_key(%k : !k) d_value(%v : !v)
      outs(%o, %l, %o, %l : !o, !r, !o, !r)
  return %0#0, %0#1, %0#2, %1#3 : !q, !k, !v, !r
}

// Each extent, on buffers.
func.func @buffers(%q: memref<2x2x5x8xf32>, %k: memref<2x2x0x8xf32>, %b: memref<0x2x5x8xf32>,
    %h: memref<2x0x5x8xf32>, %v: memref<2x2x5x0xf32>, %o: memref<2x2x5x8xf32>) {
  lattn.attention query(%q : memref<2x2x5x8xf32>) key(%k : memref<2x2x0x8xf32>) value(%k : memref<2x2x0x8xf32>) outs(%o : memref<2x2x5x8xf32>)
  lattn.attention query(%k : memref<2x2x0x8xf32>) key(%q : memref<2x2x5x8xf32>) value(%q : memref<2x2x5x8xf32>) outs(%k : memref<2x2x0x8xf32>)
  lattn.attention query(%b : memref<0x2x5x8xf32>) key(%b : memref<0x2x5x8xf32>) value(%b : memref<0x2x5x8xf32>) outs(%b : memref<0x2x5x8xf32>)
  lattn.attention query(%h : memref<2x0x5x8xf32>) key(%h : memref<2x0x5x8xf32>) value(%h : memref<2x0x5x8xf32>) outs(%h : memref<2x0x5x8xf32>)
  lattn.attention query(%q : memref<2x2x5x8xf32>) key(%q : memref<2x2x5x8xf32>) value(%v : memref<2x2x5x0xf32>) outs(%v : memref<2x2x5x0xf32>)
  return
}
