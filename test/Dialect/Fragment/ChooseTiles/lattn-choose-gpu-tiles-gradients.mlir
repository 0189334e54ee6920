// RUN: lattn-opt %s --lattn-choose-gpu-tiles=chip=sm_80 | FileCheck %s
// RUN: lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_80 query-tile=128 key-tile=32" | FileCheck %s --check-prefix=GIVEN

// Rows of a block, and positions of a step: fewer of wide heads.

!l = tensor<1x2x?xf32>
!t = tensor<1x2x?x64xbf16>
!w = tensor<1x2x?x192xbf16>

// CHECK-LABEL: func.func @narrow(
// CHECK: schedule = #lattn.schedule<query_tile = 64, key_tile = 32>
// GIVEN: schedule = #lattn.schedule<query_tile = 128, key_tile = 32>
func.func @narrow(%q: !t, %l: !l) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// CHECK-LABEL: func.func @wide(
// CHECK: schedule = #lattn.schedule<query_tile = 64, key_tile = 16>
func.func @wide(%q: !w, %l: !l) -> (!w, !w, !w) {
  %0:3 = lattn.attention_grad query(%q : !w) key(%q : !w) value(%q : !w)
      output(%q : !w) lse(%l : !l) d_output(%q : !w) outs(%q, %q, %q : !w, !w, !w)
  return %0#0, %0#1, %0#2 : !w, !w, !w
}

// CHECK-LABEL: func.func @asked(
// CHECK: schedule = #lattn.schedule<query_tile = 128, key_tile = 48>
func.func @asked(%q: !t, %l: !l) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
      {schedule = #lattn.schedule<query_tile = 128, key_tile = 48>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}
