// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,CHOSEN
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 query-tile=48 key-tile=24" | FileCheck %s --check-prefixes=CHECK,ASKED
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 key-tile=24" | FileCheck %s --check-prefix=KEYS
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 query-tile=9" --verify-diagnostics=only-expected | FileCheck %s --check-prefix=ROUNDED
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32" --lattn-tile-grad | FileCheck %s --check-prefix=TILED

// Derivatives take the tile sizes and the lanes that they are asked for, by options
// of the pass or by a schedule, which comes first.

!q = tensor<1x8x?x64xf32>
!l = tensor<1x8x?xf32>
!one = tensor<1x8x1x64xf32>
!row = tensor<1x8x1xf32>
#features = #lattn.schedule<lanes = features>
#sizes = #lattn.schedule<query_tile = 5, key_tile = 40, lanes = features>

// CHECK-LABEL: @gradients
// CHOSEN:      schedule = #lattn.schedule<query_tile = 32, key_tile = 64>
// ASKED:       schedule = #lattn.schedule<query_tile = 48, key_tile = 24>
// KEYS-LABEL:  @gradients
// KEYS:        schedule = #lattn.schedule<query_tile = 32, key_tile = 24>
// ROUNDED:     schedule = #lattn.schedule<query_tile = 16, key_tile = 64>
func.func @gradients(%q: !q, %l: !l) -> !q {
  // expected-remark @below {{query tile of 9 rounded up to 16: a vector holds 16 queries in 'f32'}}
  %0:3 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q)
  return %0#0 : !q
}

// CHECK-LABEL: @tangents
// CHOSEN:      schedule = #lattn.schedule<query_tile = 32, key_tile = 64>
// ASKED:       schedule = #lattn.schedule<query_tile = 48, key_tile = 24>
func.func @tangents(%q: !q, %l: !l) -> !q {
  // expected-remark @below {{query tile of 9 rounded up to 16: a vector holds 16 queries in 'f32'}}
  %0:4 = lattn.attention_jvp query(%q : !q) key(%q : !q) value(%q : !q) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !l, !q, !l)
  return %0#2 : !q
}

// A query tile that is asked for is one of packed queries.
// CHECK-LABEL: @one
// CHOSEN:      schedule = #lattn.schedule<query_tile = 1, key_tile = 64, lanes = features>
// ASKED:       schedule = #lattn.schedule<query_tile = 48, key_tile = 24>
// KEYS-LABEL:  @one
// KEYS:        schedule = #lattn.schedule<query_tile = 1, key_tile = 24, lanes = features>
func.func @one(%q: !one, %k: !q, %l: !row) -> !one {
  // expected-remark @below {{query tile of 9 rounded up to 16: a vector holds 16 queries in 'f32'}}
  %0:3 = lattn.attention_grad query(%q : !one) key(%k : !q) value(%k : !q) output(%q : !one)
      lse(%l : !row) d_output(%q : !one) outs(%q, %k, %k : !one, !q, !q)
  return %0#0 : !one
}

// Any number of queries has a kernel with features on the lanes, which packs none.
// CHECK-LABEL: @features
// CHOSEN:      schedule = #lattn.schedule<query_tile = 8, key_tile = 64, lanes = features>
// ASKED:       schedule = #lattn.schedule<query_tile = 48, key_tile = 24, lanes = features>
// TILED-LABEL: @features
// TILED-NOT:   pack_query
// TILED:       lattn.attention_grad_step {{.*}}lanes = features
// TILED:       return
func.func @features(%q: !q, %l: !l) -> !q {
  %0:3 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q) {schedule = #features}
  return %0#0 : !q
}

// CHECK-LABEL: @sizes
// CHECK:       schedule = #lattn.schedule<query_tile = 5, key_tile = 40, lanes = features>
func.func @sizes(%q: !q, %l: !l) -> !q {
  %0:3 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %q, %q : !q, !q, !q) {schedule = #sizes}
  return %0#0 : !q
}
