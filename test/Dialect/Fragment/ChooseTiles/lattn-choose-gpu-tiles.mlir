// RUN: lattn-opt %s --lattn-choose-gpu-tiles | FileCheck %s
// RUN: lattn-opt %s --lattn-choose-gpu-tiles="warps=8" | FileCheck %s --check-prefix=WARPS
// RUN: lattn-opt %s --lattn-choose-gpu-tiles="shared-bytes=65536" | FileCheck %s --check-prefix=SMALL
// RUN: lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_86 stages=3" | FileCheck %s --check-prefix=SMALL
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_42" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="query-tile=40" 2>&1 | FileCheck %s --check-prefix=QUERIES
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="key-tile=24" 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="key-tile=128 shared-bytes=50000" 2>&1 | FileCheck %s --check-prefix=LARGE

// CHIP: error: lattn-choose-gpu-tiles: unknown GPU 'sm_42': expected one of sm_80,
// QUERIES: error: 'lattn.attention' op cannot become a GPU kernel: expected a multiple of 64 queries a tile for 4 warps, got 40
// KEYS: error: 'lattn.attention' op cannot become a GPU kernel: expected a multiple of 16 keys a tile, got 24
// LARGE: error: 'lattn.attention' op cannot become a GPU kernel: tiles of 64 queries and 128 keys in 2 stages take 73728 bytes of shared memory; a block has at most 50000

!t = tensor<1x2x?x64xbf16>
!w = tensor<1x2x?x256xf16>

// CHECK-LABEL: func.func @small(
// CHECK:         lattn.attention
// CHECK-SAME:    {schedule = #lattn.schedule<query_tile = 128, key_tile = 64>}
// WARPS:         query_tile = 128
func.func @small(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}

// Larger tiles would execute more hidden pairs of a narrow window.
// CHECK-LABEL: func.func @narrow(
// CHECK:         {schedule = #lattn.schedule<query_tile = 64, key_tile = 64>, window
// CHECK:         {schedule = #lattn.schedule<query_tile = 128, key_tile = 64>, window
func.func @narrow(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 100, right = 0>}
  %1 = lattn.attention query(%0 : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 1024, right = 0>}
  return %1 : !t
}

// CHECK-LABEL: func.func @large(
// CHECK:         schedule = #lattn.schedule<query_tile = 64, key_tile = 32>
// SMALL-LABEL: func.func @large(
// SMALL:         key_tile = 16>
func.func @large(%q: !w, %k: !w, %v: !w, %o: !w) -> !w {
  %0 = lattn.attention query(%q : !w) key(%k : !w) value(%v : !w) outs(%o : !w)
  return %0 : !w
}

// A mask takes registers beside wide query heads.
// CHECK-LABEL: func.func @wide_queries(
// CHECK:         key_tile = 64>
// CHECK-LABEL: func.func @masked(
// CHECK:         key_tile = 32>
!wide = tensor<1x2x?x192xbf16>
!v = tensor<1x2x?x128xbf16>
func.func @wide_queries(%q: !wide, %k: !wide, %v: !v, %o: !v) -> !v {
  %0 = lattn.attention query(%q : !wide) key(%k : !wide) value(%v : !v) outs(%o : !v)
  return %0 : !v
}
func.func @masked(%q: !wide, %k: !wide, %v: !v, %o: !v, %m: tensor<1x?xi1>) -> !v {
  %0 = lattn.attention query(%q : !wide) key(%k : !wide) value(%v : !v)
      key_mask(%m : tensor<1x?xi1>) outs(%o : !v)
  return %0 : !v
}

// What a schedule says already stays.
// CHECK-LABEL: func.func @given(
// CHECK:         {schedule = #lattn.schedule<query_tile = 128, key_tile = 48>}
// CHECK:         {schedule = #lattn.schedule<query_tile = 128, key_tile = 16>}
func.func @given(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {schedule = #lattn.schedule<query_tile = 128, key_tile = 48>}
  %1 = lattn.attention query(%0 : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {schedule = #lattn.schedule<key_tile = 16>}
  return %1 : !t
}
