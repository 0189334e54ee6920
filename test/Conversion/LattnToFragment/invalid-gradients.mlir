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

// -----

!r = tensor<?x16xbf16>
!s = tensor<?x16xf32>
!n = tensor<?xf32>
!p = tensor<?x?xf32>
func.func @scores(%q: !r, %k: !r, %n: !n, %dq: !s, %p: !p, %keys: index) -> !p {
  %c0 = arith.constant 0 : index
  %0 = scf.forall (%i) in (1) shared_outs(%o = %p) -> (!p) {
    // expected-error @below {{expected it to yield sums of its step's gradients}}
    %sum = lattn.sweep_keys (%key, %size, %edge) in (%c0 edge %keys) by 16 iter_args(%s = %p) -> (!p) {
      %1:5 = lattn.attention_grad_step query(%q : !r) key(%k : !r) value(%k : !r) lse(%n : !n) row_sums(%n : !n) d_output(%q : !r)
          outs(%dq, %dq, %dq : !s, !s, !s) pairs(%p, %p : !p, !p) {schedule = #lattn.schedule<query_tile = 64>}
      lattn.yield %1#4 : !p
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %o[0, 0] [%c0, %c0] [1, 1] : !p into !p
    }
  } {mapping = [#gpu.block<x>]}
  return %0 : !p
}
