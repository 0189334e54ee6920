// RUN: lattn-opt %s --lattn-fuse-query-key -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not lattn-opt %s --lattn-fuse-query-key="block=0" -split-input-file 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not lattn-opt %s --lattn-fuse-query-key="block=9223372036854775807" -split-input-file 2>&1 | FileCheck %s --check-prefix=HUGE

// What cannot be fused stays as it is, and a remark says why.

// BLOCK: error: lattn-fuse-query-key: expected a block of 1 to 16777216 queries, got 0
// HUGE: error: lattn-fuse-query-key: {{.*}} got 9223372036854775807
// CHECK-NOT: scf.forall

!t = tensor<1x2x?x8xf32>
func.func @unbounded(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %k1 = lattn.l2_normalize ins(%k : !t) outs(%o : !t)
  // expected-remark @below {{rotary and normalisation before attention are not fused and run over the whole sequence: its window does not bound the keys of a block}}
  %0 = lattn.attention query(%q : !t) key(%k1 : !t) value(%v : !t) outs(%o : !t)
      {causal}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x8xf32>
func.func @one_turned(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 8 : i64}
  // expected-remark @below {{only one of query and key is rotated}}
  %0 = lattn.attention query(%q : !t) key(%k1 : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x8xf32>
func.func @different(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %q1 = lattn.rotary ins(%q : !t) outs(%o : !t) {dim = 8 : i64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 8 : i64, theta = 500.0 : f64}
  // expected-remark @below {{query and key are rotated differently}}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x8xf32>
func.func @both_up(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %q1 = lattn.rotary ins(%q : !t) outs(%o : !t) {dim = 8 : i64, xpos_scale_base = 4.0 : f64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 8 : i64, xpos_scale_base = 4.0 : f64}
  // expected-remark @below {{xpos scales do not cancel}}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x8xf32>
func.func @centers(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : index
  %q1 = lattn.rotary ins(%q : !t) center(%one) outs(%o : !t) {dim = 8 : i64, xpos_scale_base = 4.0 : f64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 8 : i64, xpos_scale_base = 4.0 : f64, downscale}
  // expected-remark @below {{the centers of xpos scales are not equal constants}}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}

// -----

// Lengths that are not known leave the default offset, M - N, open.
!t = tensor<1x2x?x8xf32>
func.func @no_offset(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %q1 = lattn.rotary ins(%q : !t) outs(%o : !t) {dim = 8 : i64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 8 : i64}
  // expected-remark @below {{where positions start is not a constant}}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x8xf32>
func.func @far(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %far = arith.constant 2000000000000 : index
  %q1 = lattn.rotary ins(%q : !t) start(%far) outs(%o : !t) {dim = 8 : i64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 8 : i64}
  // expected-remark @below {{positions start too far away}}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x8xf32>
func.func @apart(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %far = arith.constant 65537 : index
  %q1 = lattn.rotary ins(%q : !t) start(%far) outs(%o : !t) {dim = 8 : i64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 8 : i64}
  // expected-remark @below {{query and key are rotated from positions too far apart}}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x8xf32>
func.func @tile(%q: !t, %k: !t, %v: !t, %o: !t, %i: index) -> !t {
  %zero = arith.constant 0 : i64
  %k1 = lattn.l2_normalize ins(%k : !t) outs(%o : !t)
  // expected-remark @below {{it is a tile already}}
  %0 = lattn.attention query(%q : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) origin(%i, %i, %i, %i) outs(%o : !t)
      {window = #lattn.window<left = 4, right = 0>}
  return %0 : !t
}
