// RUN: lattn-run %s --random=7 --verify-loops

// Dropout in several vectors of queries of a tile.

!t = tensor<1x2x40x16xf64>
!r = tensor<1x2x40xf64>
func.func @dropout(%q: !t, %k: !t, %v: !t, %do: !t) -> (!t, !t, !t) {
  %p = arith.constant 0.4 : f32
  %seed = arith.constant 7 : i64
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : !t
  %l = tensor.empty() : !r
  %o:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      dropout(%p, %seed, %zero : f32, i64, i64) outs(%e : !t, %l : !r) {}
  %g:3 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t)
      dropout(%p, %seed, %zero : f32, i64, i64) output(%o#0 : !t) lse(%o#1 : !r)
      d_output(%do : !t) outs(%e, %e, %e : !t, !t, !t) {}
  return %g#0, %g#1, %g#2 : !t, !t, !t
}
