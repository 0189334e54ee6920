// Arithmetic on bf16 beside attention needs no library either.

// RUN: lattn-run %s --random=1 --verify-loops

!t = tensor<1x1x4x8xbf16>
func.func @main(%q: !t, %k: !t, %v: !t) -> !t {
  %e = tensor.empty() : !t
  %0 = arith.addf %q, %k : !t
  %1 = lattn.attention query(%0 : !t) key(%k : !t) value(%v : !t) outs(%e : !t)
  %2 = arith.mulf %1, %v : !t
  return %2 : !t
}
