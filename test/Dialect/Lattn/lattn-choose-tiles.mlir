// RUN: lattn-opt %s --lattn-choose-tiles | FileCheck %s
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32" | FileCheck %s --check-prefix=W512
// RUN: lattn-opt %s --lattn-choose-tiles="query-tile=32 key-tile=24" | FileCheck %s --check-prefix=FORCED
// RUN: lattn-opt %s --lattn-choose-tiles --lattn-tile | FileCheck %s --check-prefix=TILED
// RUN: lattn-opt %s --lattn-choose-tiles="query-tile=4096" --lattn-tile 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: lattn-opt %s --lattn-choose-tiles="query-tile=-1" --lattn-tile 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: lattn-opt %s --lattn-choose-tiles="tuned=f32.bhnd.d64.v64.window-left-256-right-0=32x96,f32.bhnd.d64.v64=16x24" --remark-format=emitRemark --remarks-filter-passed="lattn.*" 2>&1 | FileCheck %s --check-prefix=TUNED
// RUN: lattn-opt %s --lattn-choose-tiles="tuned=f32.bhnd.d64.v64.window-left-256-right-0=32x96 query-tile=8" | FileCheck %s --check-prefix=ASKED
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 query-tile=8" 2>&1 | FileCheck %s --check-prefix=ROUNDED

// Measured sizes are taken for kernels of just this name, unless others are
// asked for.
// TUNED:       :[[#@LINE+29]]:8: remark: {{.*}} Category:lattn-choose-tiles | Keys=96, Queries=32, Remark="tile sizes as measured"
// TUNED:       remark: {{.*}} Keys=24, Queries=16
// TUNED-NOT:   remark:
// TUNED-LABEL: func.func @window(
// TUNED:       lattn.attention {{.*}} {lattn.key_tile = 96 : i64, lattn.query_tile = 32 : i64, window =
// TUNED-LABEL: func.func @one(
// TUNED:       lattn.attention {{.*}} {lattn.key_tile = 64 : i64, lattn.query_tile = 8 : i64}
// ASKED:       lattn.attention {{.*}} {lattn.key_tile = 72 : i64, lattn.query_tile = 8 : i64, window =

// Queries lie on lanes: half a vector of them becomes a whole one.
// ROUNDED:       remark: query tile of 8 rounded up to 16: a vector holds 16 queries in 'f32'
// ROUNDED-LABEL: func.func @window(
// ROUNDED:       lattn.attention {{.*}} lattn.query_tile = 16 : i64
// ROUNDED-LABEL: func.func @noted(
// ROUNDED:       lattn.attention {{.*}} {lattn.key_tile = 40 : i64, lattn.query_tile = 16 : i64}

// A tile of a short window sees few hidden pairs only if it has few queries.
// CHECK-LABEL: func.func @window(
// CHECK:       lattn.attention {{.*}} {lattn.key_tile = 72 : i64, lattn.query_tile = 16 : i64, window =
// W512-LABEL:  func.func @window(
// W512:        lattn.attention {{.*}} lattn.query_tile = 16 : i64
// FORCED:      lattn.attention {{.*}} {lattn.key_tile = 24 : i64, lattn.query_tile = 32 : i64
// TILED-LABEL: func.func @window(
// TILED:       scf.for {{.*}} step %c72
// TILED:       lattn.online_attention query({{.*}} : tensor<64x16xf32>)
// NEGATIVE:    attention stays untiled and will run as slow loops: a tile of -1 queries and {{[0-9]+}} keys is none of 1 to 512 and 1 to 4096
// LARGE:       attention stays untiled and will run as slow loops: a tile of 4096 queries and {{[0-9]+}} keys is none of 1 to 512 and 1 to 4096
!t = tensor<1x8x?x64xf32>
func.func @window(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {window = #lattn.window<left = 256, right = 0>}
  return %0 : !t
}

// Keys and values that no cache near the core holds are read for many queries.
// CHECK-LABEL: func.func @full(
// CHECK:       lattn.attention {{.*}} lattn.query_tile = 64 : i64
func.func @full(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}

// One query needs one group of lanes.
// CHECK-LABEL: func.func @one(
// CHECK:       lattn.attention {{.*}} lattn.query_tile = 8 : i64
!q = tensor<1x8x1x64xf32>
!k = tensor<1x8x9000x64xf32>
func.func @one(%q: !q, %k: !k, %v: !k, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q)
  return %0 : !q
}

// Two groups of doubles are as wide as one of floats.
// CHECK-LABEL: func.func @double(
// CHECK:       lattn.attention {{.*}} lattn.query_tile = 8 : i64
!d = tensor<1x8x?x64xf64>
func.func @double(%q: !d, %k: !d, %v: !d, %o: !d) -> !d {
  %0 = lattn.attention query(%q : !d) key(%k : !d) value(%v : !d) outs(%o : !d) {window = #lattn.window<left = 256, right = 0>}
  return %0 : !d
}

// What an op says itself, stays.
// CHECK-LABEL: func.func @noted(
// CHECK:       lattn.attention {{.*}} {lattn.key_tile = 40 : i64, lattn.query_tile = 8 : i64}
// FORCED-LABEL: func.func @noted(
// FORCED:       lattn.attention {{.*}} {lattn.key_tile = 40 : i64, lattn.query_tile = 8 : i64}
func.func @noted(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {lattn.query_tile = 8, lattn.key_tile = 40}
  return %0 : !t
}

// Few keys are seen in several steps all the same: each asks for as many of the
// next tile's rows as a CPU waits for at once.
// CHECK-LABEL: func.func @short_window(
// CHECK:       lattn.attention {{.*}} {lattn.key_tile = 24 : i64, lattn.query_tile = 16 : i64, window =
// CHECK:       lattn.attention {{.*}} {lattn.key_tile = 12 : i64, lattn.query_tile = 16 : i64, window =
func.func @short_window(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {window = #lattn.window<left = 64, right = 0>}
  %1 = lattn.attention query(%0 : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {window = #lattn.window<left = 32, right = 0>}
  return %1 : !t
}
