// RUN: lattn-opt %s --lattn-tile-grad=gpu --convert-lattn-to-fragment -split-input-file -verify-diagnostics

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
func.func @rows(%q: !t, %l: !l) -> (!t, !t, !t) {
  // expected-error @below {{expected a multiple of 64 rows a tile for 4 warps, got 48}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
      {schedule = #lattn.schedule<query_tile = 48>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
func.func @no_schedule(%q: !t, %l: !l) -> (!t, !t, !t) {
  // expected-error @below {{expected a schedule with a query tile, which lattn-choose-gpu-tiles gives}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
  return %0#0, %0#1, %0#2 : !t, !t, !t
}
