// RUN: lattn-opt %s --lattn-choose-tiles | FileCheck %s
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32" | FileCheck %s --check-prefix=W512
// RUN: lattn-opt %s --lattn-choose-tiles="query-tile=32 key-tile=24" | FileCheck %s --check-prefix=FORCED
// RUN: lattn-opt %s --lattn-choose-tiles --lattn-tile | FileCheck %s --check-prefix=TILED
// RUN: lattn-opt %s --lattn-choose-tiles="tuned=f32.bhnd.d64.v64.window-left-256-right-0=32x96,f32.bhnd.d64.v64=16x24" --remark-format=emitRemark --remarks-filter-passed="lattn.*" 2>&1 | FileCheck %s --check-prefix=TUNED
// RUN: lattn-opt %s --lattn-choose-tiles="tuned=f32.bhnd.d64.v64.window-left-256-right-0=32x96 query-tile=8" | FileCheck %s --check-prefix=ASKED
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 query-tile=8" 2>&1 | FileCheck %s --check-prefix=ROUNDED

// Measured sizes are taken for kernels of just this name, unless others are
// asked for.
// TUNED:       :[[#@LINE+27]]:8: remark: {{.*}} Category:lattn-choose-tiles | Keys=96, Queries=32, Remark="tile sizes as measured"
// TUNED:       remark: {{.*}} Keys=24, Queries=16
// TUNED-NOT:   remark:
// TUNED-LABEL: func.func @window(
// TUNED:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 32, key_tile = 96>, window =
// TUNED-LABEL: func.func @one(
// TUNED:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 8, key_tile = 64>}
// ASKED:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 8, key_tile = 72>, window =

// Queries lie on lanes: half a vector of them becomes a whole one.
// ROUNDED:       remark: query tile of 8 rounded up to 16: a vector holds 16 queries in 'f32'
// ROUNDED-LABEL: func.func @window(
// ROUNDED:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 16,
// ROUNDED-LABEL: func.func @noted(
// ROUNDED:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = 40, lanes = mixed>}

// A tile of a short window sees few hidden pairs only if it has few queries.
// CHECK-LABEL: func.func @window(
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = 72>, window =
// W512-LABEL:  func.func @window(
// W512:        lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 16,
// FORCED:      lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 32, key_tile = 24>
// TILED-LABEL: func.func @window(
// TILED:       lattn.sweep_keys {{.*}} by 72
// TILED:       lattn.online_attention query({{.*}} : tensor<64x16xf32>) {{.*}}schedule = #lattn.schedule<query_tile = 16, key_tile = 72>
!t = tensor<1x8x?x64xf32>
func.func @window(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {window = #lattn.window<left = 256, right = 0>}
  return %0 : !t
}

// Keys and values that no cache near the core holds are read for many queries.
// CHECK-LABEL: func.func @full(
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 64,
func.func @full(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}

// Few queries would leave lanes empty: features lie there. A query tile that is
// asked for is one of packed queries.
// CHECK-LABEL: func.func @one(
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 1, key_tile = 256, lanes = features>
// W512-LABEL:  func.func @one(
// W512:        lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 1, key_tile = 256, lanes = features>
// FORCED-LABEL: func.func @one(
// FORCED:      lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 32, key_tile = 24>}
// TILED-LABEL: func.func @one(
// TILED-NOT:   lattn.pack_query
// TILED:       lattn.sweep_keys {{.*}} by 256
// TILED:       lattn.online_attention query({{.*}} : tensor<?x64xf32>) {{.*}} : tensor<1x64xf32>, tensor<1xf32>, tensor<1xf32>) {{.*}} lanes = features
// TILED:       lattn.finalize {{.*}} {value_axis = 1 : i64}
!q = tensor<1x8x1x64xf32>
!k = tensor<1x8x9000x64xf32>
func.func @one(%q: !q, %k: !k, %v: !k, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q)
  return %0 : !q
}

// As many queries as lanes with AVX2; with AVX-512 half as many, and three quarters
// where keys are narrow.
// CHECK-LABEL: func.func @few(
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 4, key_tile = 256, lanes = features>
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 8, key_tile = 256, lanes = features>
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 6, key_tile = 256, lanes = features>
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 16, key_tile = {{[0-9]+}}>
// W512-LABEL:  func.func @few(
// W512:        lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 4, key_tile = 256, lanes = features>
// W512:        lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 8, key_tile = 256, lanes = features>
// W512:        lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 6, key_tile = 256, lanes = features>
// W512:        lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 16, key_tile = {{[0-9]+}}, lanes = mixed>
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 8, key_tile = 256, lanes = features>
// W512:        lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 8, key_tile = 256, lanes = features>
!q4 = tensor<1x8x4x64xf32>
!q8 = tensor<1x8x8x64xf32>
!q9 = tensor<1x8x9x64xf32>
!q6 = tensor<1x8x6x64xbf16>
!k6 = tensor<1x8x?x64xbf16>
func.func @few(%q4: !q4, %q8: !q8, %k: !t, %o4: !q4, %o8: !q8, %q6: !q6, %k6: !k6, %o6: !q6, %q9: !q9, %o9: !q9) -> (!q4, !q8, !q6, !q9, !q8) {
  %0 = lattn.attention query(%q4 : !q4) key(%k : !t) value(%k : !t) outs(%o4 : !q4)
  %1 = lattn.attention query(%q8 : !q8) key(%k : !t) value(%k : !t) outs(%o8 : !q8)
  %2 = lattn.attention query(%q6 : !q6) key(%k6 : !k6) value(%k6 : !k6) outs(%o6 : !q6)
  %3 = lattn.attention query(%q9 : !q9) key(%k : !t) value(%k : !t) outs(%o9 : !q9)
  %4 = lattn.attention query(%q8 : !q8) key(%k : !t) value(%k : !t) outs(%o8 : !q8) {schedule = #lattn.schedule<query_tile = 8, lanes = features>}
  return %0, %1, %2, %3, %4 : !q4, !q8, !q6, !q9, !q8
}

// Two groups of doubles are as wide as one of floats.
// CHECK-LABEL: func.func @double(
// CHECK:       lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 8,
!d = tensor<1x8x?x64xf64>
func.func @double(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d) {window = #lattn.window<left = 256, right = 0>}
  return %0 : !d
}

// W512-LABEL:  func.func @asked(
// W512:        lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = {{[0-9]+}}, lanes = queries>, window =
func.func @asked(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 64, right = 0>, schedule = #lattn.schedule<lanes = queries>}
  return %0 : !t
}

// Packed queries, and a state of rows.
// TILED-LABEL: func.func @mixed(
// TILED:       lattn.pack_query
// TILED:       lattn.online_attention query({{.*}} : tensor<64x16xf32>) {{.*}} : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>) {{.*}} lanes = mixed
// TILED:       lattn.finalize {{.*}} {value_axis = 1 : i64}
func.func @mixed(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 64, right = 0>, schedule = #lattn.schedule<query_tile = 16, key_tile = 80, lanes = mixed>}
  return %0 : !t
}

// What an op says itself, stays.
// CHECK-LABEL: func.func @noted(
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 8, key_tile = 40>}
// FORCED-LABEL: func.func @noted(
// FORCED:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 8, key_tile = 40>}
func.func @noted(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {schedule = #lattn.schedule<query_tile = 8, key_tile = 40>}
  return %0 : !t
}

// A size that a schedule lacks is taken from the options, or chosen.
// CHECK-LABEL: func.func @partial(
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 8, key_tile = {{[0-9]+}}>}
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = {{[0-9]+}}, key_tile = 40>}
// FORCED-LABEL: func.func @partial(
// FORCED:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 8, key_tile = 24>}
// FORCED:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 32, key_tile = 40>}
func.func @partial(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {schedule = #lattn.schedule<query_tile = 8>}
  %1 = lattn.attention query(%0 : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {schedule = #lattn.schedule<key_tile = 40>}
  return %1 : !t
}

// Few keys are seen in several steps all the same: each asks for as many of the
// next tile's rows as a CPU waits for at once.
// CHECK-LABEL: func.func @short_window(
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = 24>, window =
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = 12>, window =
// With 32 registers of 512 bits one step takes all keys of a tile, and blocks of
// queries read only those values that they see. A wish for queries stays.
// W512-LABEL:  func.func @short_window(
// W512:        lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = 80, lanes = mixed>, window =
// W512:        lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = 48, lanes = mixed>, window =
func.func @short_window(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {window = #lattn.window<left = 64, right = 0>}
  %1 = lattn.attention query(%0 : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {window = #lattn.window<left = 32, right = 0>}
  return %1 : !t
}

// Few queries take all keys that they see in one step, if these are not many.
// CHECK-LABEL: func.func @few_of_window(
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 3, key_tile = 272, lanes = features>, window =
// CHECK:       lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 3, key_tile = 256, lanes = features>, window =
!three = tensor<1x8x3x64xf32>
func.func @few_of_window(%q: !three, %k: !t, %v: !t, %o: !three) -> (!three, !three) {
  %0 = lattn.attention query(%q : !three) key(%k : !t) value(%v : !t) outs(%o : !three) {window = #lattn.window<left = 256, right = 0>}
  %1 = lattn.attention query(%q : !three) key(%k : !t) value(%v : !t) outs(%o : !three) {window = #lattn.window<left = 512, right = 0>}
  return %0, %1 : !three, !three
}
