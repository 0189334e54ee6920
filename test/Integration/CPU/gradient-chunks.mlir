// RUN: lattn-run %s --cache=%t.cache --random=7 --verify-loops --threads=2
// RUN: lattn-run %s --cache=%t.cache --random=7 --threads=1 --output=%t1.npz
// RUN: lattn-run %s --cache=%t.cache --random=7 --threads=2 --output=%t2.npz
// RUN: lattn-run %s --cache=%t.cache --random=7 --threads=3 --output=%t3.npz
// RUN: cmp %t1.npz %t2.npz && cmp %t1.npz %t3.npz

// REQUIRES: slow

// Gradients of what pairs read, in several chunks of queries, which no number of
// threads changes: of a bias whose elements belong to one head and query; of a bias
// and of slopes that heads and chunks share; of slopes in an array that is too large
// for sums of each chunk.

!t = tensor<1x2x600x2xf64>
!r = tensor<1x2x600xf64>
!rows = tensor<2x600x1xf64>
!keys = tensor<600xf64>
!few = tensor<2xf64>
!many = tensor<300000xf64>
#window = #lattn.window<left = 30, right = 0>
#ofRows = affine_map<(b, h, q, k) -> (h, q, 0)>
#ofKeys = affine_map<(b, h, q, k) -> (k)>
func.func @main(%q: !t, %k: !t, %v: !t, %do: !t, %rows: !rows, %keys: !keys, %few: !few,
    %many: !many) -> (!t, !t, !t, !rows, !t, !t, !t, !keys, !few, !t, !t, !t, !many) {
  %e = tensor.empty() : !t
  %l = tensor.empty() : !r
  %o1:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) bias(%rows : !rows)
      outs(%e : !t, %l : !r) {bias_map = #ofRows, window = #window}
  %g1:4 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t) bias(%rows : !rows)
      output(%o1#0 : !t) lse(%o1#1 : !r) d_output(%do : !t)
      outs(%e, %e, %e : !t, !t, !t) d_bias(%rows : !rows)
      {bias_map = #ofRows, window = #window}
  %o2:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) bias(%keys : !keys) captures(%few : !few)
      outs(%e : !t, %l : !r) {bias_map = #ofKeys, window = #window} score {
    ^bb0(%x: f64, %b: i32, %h: i32, %i: i32, %j: i32, %slopes: !few):
      %head = arith.index_cast %h : i32 to index
      %slope = tensor.extract %slopes[%head] : !few
      %y = arith.mulf %slope, %x : f64
      lattn.yield %y : f64
    }
  %g2:5 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t) bias(%keys : !keys) captures(%few : !few)
      output(%o2#0 : !t) lse(%o2#1 : !r) d_output(%do : !t)
      outs(%e, %e, %e : !t, !t, !t) d_bias(%keys : !keys) d_captures(%few : !few)
      {bias_map = #ofKeys, window = #window} score {
    ^bb0(%x: f64, %b: i32, %h: i32, %i: i32, %j: i32, %slopes: !few):
      %head = arith.index_cast %h : i32 to index
      %slope = tensor.extract %slopes[%head] : !few
      %y = arith.mulf %slope, %x : f64
      lattn.yield %y : f64
    }
  %o3:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) captures(%many : !many)
      outs(%e : !t, %l : !r) {window = #window} score {
    ^bb0(%x: f64, %b: i32, %h: i32, %i: i32, %j: i32, %slopes: !many):
      %head = arith.index_cast %h : i32 to index
      %slope = tensor.extract %slopes[%head] : !many
      %y = arith.mulf %slope, %x : f64
      lattn.yield %y : f64
    }
  %g3:4 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t) captures(%many : !many)
      output(%o3#0 : !t) lse(%o3#1 : !r) d_output(%do : !t)
      outs(%e, %e, %e : !t, !t, !t) d_captures(%many : !many)
      {window = #window} score {
    ^bb0(%x: f64, %b: i32, %h: i32, %i: i32, %j: i32, %slopes: !many):
      %head = arith.index_cast %h : i32 to index
      %slope = tensor.extract %slopes[%head] : !many
      %y = arith.mulf %slope, %x : f64
      lattn.yield %y : f64
    }
  return %g1#0, %g1#1, %g1#2, %g1#3, %g2#0, %g2#1, %g2#2, %g2#3, %g2#4, %g3#0, %g3#1, %g3#2, %g3#3
      : !t, !t, !t, !rows, !t, !t, !t, !keys, !few, !t, !t, !t, !many
}
