// RUN: lattn-opt %s --lattn-expand-local-attention=whole --lattn-narrow-rows -split-input-file -verify-diagnostics

// Rotated rows are rounded to the type of tensor cores, which must hold the scales of
// xpos. A sixteenth of its range is left to the values.

!t = tensor<1x4x100x8xf16>
func.func @fits(%q: !t, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%o : !t)
      {window_size = 32 : i64, dim = 8 : i64, use_xpos, causal, autopad}
  return %0 : !t
}

// -----

// The scale of position 107 is 3.5^(107 / 16) = 4,340 and that of the next 4,690.
!t = tensor<1x4x107x8xf16>
func.func @too_long(%q: !t, %o: !t) -> !t {
  // expected-error @+1 {{'lattn.rotary' op expected at most 106 positions with xpos_scale_base = 16 and f16 on a GPU, where larger scales overflow, got 107}}
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%o : !t)
      {window_size = 32 : i64, dim = 8 : i64, use_xpos, causal, autopad}
  return %0 : !t
}

// -----

// Queries turn as if 32 positions later.
!t = tensor<1x4x100x8xf16>
func.func @forward(%q: !t, %o: !t) -> !t {
  // expected-error @+1 {{expected at most 106 positions with xpos_scale_base = 16 and f16 on a GPU, where larger scales overflow, got 132}}
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%o : !t)
      {window_size = 32 : i64, dim = 8 : i64, use_xpos, look_forward = 1 : i64, autopad}
  return %0 : !t
}
