// RUN: lattn-opt %s --lattn-check-sizes | FileCheck %s
// RUN: lattn-opt %s --lattn-check-sizes | FileCheck %s --check-prefix=TEXTS

// Sizes of lattn.attention_grad that only a call knows; what an array shares with
// itself is not compared. The last one is written first.
// TEXTS-NOT: axis {{[0-9]}} of d_query
// TEXTS: 'lattn.attention_grad' op expected axis 0 of d_sink to be sink's extent
// TEXTS: 'lattn.attention_grad' op expected axis 2 of d_value to be value's extent
// TEXTS: 'lattn.attention_grad' op expected axis 2 of d_lse to be query's length
// TEXTS: 'lattn.attention_grad' op expected axis 1 of lse to be query's heads
// TEXTS: 'lattn.attention_grad' op expected axis 2 of d_output to be output's extent
// TEXTS: 'lattn.attention_grad' op expected axis 2 of output to be query's length
// TEXTS: 'lattn.attention_grad' op expected axis 2 of value to be key's length
// TEXTS: 'lattn.attention_grad' op expected query heads to be a multiple of key heads
// CHECK-LABEL: func @lattn_check_sizes_grad(
// CHECK-NOT:   lattn.attention_grad
// CHECK:       arith.remui
// CHECK:       call @lattn_note_size
// CHECK:       return
!t = tensor<1x?x?x8xf32>
!l = tensor<1x?x?xf32>
!s = tensor<?xf32>
func.func @grad(%q: !t, %k: !t, %v: !t, %o: !t, %do: !t, %l: !l, %dl: !l, %s: !s, %dv: !t, %ds: !s) -> (!t, !t, !t, !s) {
  %0:4 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t) sink(%s : !s) output(%o : !t)
      lse(%l : !l) d_output(%do : !t) d_lse(%dl : !l) outs(%q, %k, %dv : !t, !t, !t, %ds : !s)
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, !s
}
