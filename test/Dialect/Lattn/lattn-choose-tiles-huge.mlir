// RUN: lattn-opt %s --lattn-choose-tiles | FileCheck %s
// RUN: lattn-opt %s --lattn-split-kv | FileCheck %s --check-prefix=PARTS
// RUN: lattn-opt %s --canonicalize | FileCheck %s --check-prefix=WINDOW

// Types may have sizes up to INT64_MAX. What is computed from them does not
// overflow: long sequences get the tiles of long sequences.

// CHECK-LABEL: func.func @length(
// CHECK:       lattn.attention {{.*}}{causal, schedule = #lattn.schedule<query_tile = 64, key_tile = 72>}
!n = tensor<1x2x9223372036854775807x8xf32>
func.func @length(%q: !n, %k: !n, %v: !n, %o: !n) -> !n {
  %0 = lattn.attention query(%q : !n) key(%k : !n) value(%v : !n) outs(%o : !n) {causal}
  return %0 : !n
}

// As many heads that share keys are as many queries.
// CHECK-LABEL: func.func @heads(
// CHECK:       lattn.attention {{.*}}{schedule = #lattn.schedule<query_tile = 64, key_tile = 72>}
!h = tensor<1x9223372036854775807x1x8xf32>
!g = tensor<1x1x9000x8xf32>
func.func @heads(%q: !h, %k: !g, %v: !g, %o: !h) -> !h {
  %0 = lattn.attention query(%q : !h) key(%k : !g) value(%v : !g) outs(%o : !h)
  return %0 : !h
}

// CHECK-LABEL: func.func @head_size(
// CHECK:       lattn.attention {{.*}}{schedule = #lattn.schedule<query_tile = 64, key_tile = 72>}
!d = tensor<1x2x?x4611686018427387904xf32>
func.func @head_size(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d)
  return %0 : !d
}

// There is work for all threads without parts of the keys.
// PARTS-LABEL: func.func @batches(
// PARTS-NOT:   scf.forall
!b = tensor<4611686018427387904x8x1x8xf32>
!k = tensor<4611686018427387904x8x64000x8xf32>
func.func @batches(%q: !b, %k: !k, %v: !k, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !k) value(%v : !k) outs(%o : !b)
  return %0 : !b
}

// The window hides all keys from the last query, which stands at 2^63 + 2^40.
// WINDOW-LABEL: func.func @offset(
// WINDOW:       window = #lattn.window<left = 1099511627776, right = 1099511627776>
!s = tensor<1x2x4x8xf32>
func.func @offset(%q: !n, %k: !s, %v: !s, %o: !n) -> !n {
  %p = arith.constant 1099511627776 : i64
  %0 = lattn.attention query(%q : !n) key(%k : !s) value(%v : !s) offset(%p : i64) outs(%o : !n)
      {window = #lattn.window<left = 1099511627776, right = 1099511627776>}
  return %0 : !n
}
