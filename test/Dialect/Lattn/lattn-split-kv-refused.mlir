// RUN: lattn-opt %s --lattn-choose-tiles --lattn-split-kv -verify-diagnostics | FileCheck %s

// What can't be split stays as it is: no branch is built before all is known to be
// possible. The number of parts would depend on the number of keys here.
// CHECK-LABEL: @head_size
// CHECK-NOT:   scf.if
// CHECK:       lattn.attention
// CHECK-NOT:   lattn.attention
!q = tensor<2x1x2x?xbf16>
!k = tensor<2x?x1x?xbf16>
!v = tensor<2x?x1x33xbf16>
!o = tensor<2x1x2x33xbf16>
func.func @head_size(%q: !q, %k: !k, %v: !v, %mask: tensor<2x?xi1>, %o: !o) -> !o {
  // expected-warning @+1 {{is not split along keys: the head size is not known at compile time}}
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !v) key_mask(%mask : tensor<2x?xi1>)
      outs(%o : !o) {layout = #lattn.layout<bnhd>}
  return %0 : !o
}
