// REQUIRES: ptxas, slow
// RUN: lattn-compile %s --emit=cubin --chip=sm_80 -o %t 2>&1 | count 0

// ptxas says nothing of registers that are spilled: query heads are wider than
// value heads, and a bias and a mask take registers, too.
!q = memref<?x?x?x192xbf16>
!v = memref<?x?x?x128xbf16>
!bias = memref<?x?x?x?xf32>
!mask = memref<?x?xi1>
!lens = memref<?xi32>
func.func @causal(%q: !q, %k: !q, %v: !v, %o: !v, %l: !lens, %m: !mask, %bias: !bias) {
  lattn.attention query(%q : !q) key(%k : !q) value(%v : !v) bias(%bias : !bias)
      key_mask(%m : !mask) kv_lens(%l : !lens) outs(%o : !v) {causal}
  return
}
