// DEFINE: %{options} =
// DEFINE: %{choose} = lattn-opt %s --lattn-raise-memrefs --lattn-choose-gpu-tiles="chip=sm_90a warps=0 %{options}"
// RUN: %{choose} --remarks-filter=lattn-choose-gpu-tiles 2>&1 | FileCheck %s --check-prefix=WORK
// RUN: %{choose} | FileCheck %s
// REDEFINE: %{options} = query-tile=192 key-tile=32
// RUN: %{choose} | FileCheck %s --check-prefix=GIVEN
// REDEFINE: %{options} = query-tile=96
// RUN: not %{choose} 2>&1 | FileCheck %s --check-prefix=QUERIES
// REDEFINE: %{options} = key-tile=272
// RUN: not %{choose} 2>&1 | FileCheck %s --check-prefix=KEYS
// REDEFINE: %{options} = query-tile=9223372036854775744
// RUN: not %{choose} 2>&1 | FileCheck %s --check-prefix=HUGE
// REDEFINE: %{options} = stages=9223372036854775807
// RUN: not %{choose} 2>&1 | FileCheck %s --check-prefix=STAGES
// REDEFINE: %{options} = key-tile=96 query-tile=192 stages=4
// RUN: not %{choose} 2>&1 | FileCheck %s --check-prefix=SHARED
// REDEFINE: %{options} = warps=6
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=WARPS
// REDEFINE: %{options} = warps=4 query-tile=128
// RUN: %{choose} 2>&1 | FileCheck %s --check-prefix=ROWS
// QUERIES: error: {{.*}}expected a multiple of 64 queries a tile for 4 warps, got 96
// KEYS: error: {{.*}}expected at most 256 queries and keys a tile of warpgroups, got 128 and 272
// HUGE: error: {{.*}}expected at most 512 queries and 4096 keys a tile, or 0 for those to choose, got 9223372036854775744 and 0
// STAGES: error: {{.*}}expected 2 to 256 stages, got 9223372036854775807
// SHARED: error: {{.*}}in 4 stages take 245760 bytes of shared memory; a block has at most 231392
// WARPS: remark: the kernel is that of earlier GPUs: warpgroups are of four warps, got 6
// WARPS: {{^}}module
// WARPS-NOT: fallback
// ROWS: remark: the kernel is that of earlier GPUs: a warp of a warpgroup has 16 queries, got 128 of 4 warps
// ROWS: {{^}}module
// ROWS-NOT: fallback

// 16 tiles of queries take 16 steps each, by two groups of warps.
// WORK: Cycles={{[1-9][0-9]*}}, EdgeSteps=0, Executed=4194304, FullSteps=512, Keys=128, Queries=128, {{.*}}Visible=4194304
// GIVEN: schedule = #lattn.schedule<query_tile = 192, key_tile = 32, fallback = <query_tile = 64, key_tile = 64>>
// CHECK-LABEL: func.func @all(
// CHECK:         query_tile = 128, key_tile = 128,
!t = memref<4x8x2048x128xbf16>
func.func @all(%q: !t, %k: !t, %v: !t, %o: !t) {
  lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return
}

// 32 tiles of 64 queries: one step over keys for the first tile, two for the
// second, then three, of which all queries see the one in the middle whole.
// WORK: EdgeSteps=62, Executed=380928, FullSteps=31, Keys=64, Queries=64, {{.*}}Visible=255936
// CHECK-LABEL: func.func @narrow(
// CHECK:         query_tile = 64, key_tile = 64,
!n = memref<4x8x2048x64xbf16>
func.func @narrow(%q: !n, %k: !n, %v: !n, %o: !n) {
  lattn.attention query(%q : !n) key(%k : !n) value(%v : !n)
      outs(%o : !n) {window = #lattn.window<left = 128, right = 0>}
  return
}

// Three groups hide more of each other's softmax than two do; a small head
// leaves them registers for 128 keys.
// CHECK-LABEL: func.func @small(
// CHECK:         query_tile = 192, key_tile = 128,
!s = memref<4x8x4096x64xbf16>
func.func @small(%q: !s, %k: !s, %v: !s, %o: !s) {
  lattn.attention query(%q : !s) key(%k : !s) value(%v : !s) outs(%o : !s)
  return
}

// Two blocks of one group: a wide head, a window of two tiles and more.
// CHECK-LABEL: func.func @window(
// CHECK:         query_tile = 64, key_tile = 64,
!w = memref<1x16x32768x128xbf16>
func.func @window(%q: !w, %k: !w, %v: !w, %o: !w) {
  lattn.attention query(%q : !w) key(%k : !w) value(%v : !w)
      outs(%o : !w) {window = #lattn.window<left = 256, right = 0>}
  return
}

// A large head leaves no registers for other numbers of queries.
// CHECK-LABEL: func.func @large(
// CHECK:         query_tile = 128, {{.*}}, fallback = <query_tile = 64, key_tile = 32>>
!l = memref<4x8x?x256xbf16>
func.func @large(%q: !l, %k: !l, %v: !l, %o: !l) {
  lattn.attention query(%q : !l) key(%k : !l) value(%v : !l) outs(%o : !l) {causal}
  return
}

// What a schedule says already stays.
// CHECK-LABEL: func.func @given(
// CHECK:         schedule = #lattn.schedule<query_tile = 192, key_tile = 64, fallback = <query_tile = 64, key_tile = 16>>
// GIVEN-LABEL: func.func @given(
// GIVEN:         schedule = #lattn.schedule<query_tile = 192, key_tile = 64, fallback = <query_tile = 64, key_tile = 16>>
func.func @given(%q: !n, %k: !n, %v: !n, %o: !n) {
  lattn.attention query(%q : !n) key(%k : !n) value(%v : !n) outs(%o : !n)
      {schedule = #lattn.schedule<query_tile = 192, key_tile = 64, fallback = <query_tile = 64, key_tile = 16>>}
  return
}

// A choice takes no longer for longer sequences, and nothing overflows.
// CHECK-LABEL: func.func @long(
// CHECK:         query_tile = 128, key_tile = 176,
!m = memref<4611686018427387904x4611686018427387904x4611686018427387904x128xbf16>
func.func @long(%q: !m, %k: !m, %v: !m, %o: !m) {
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m)
      outs(%o : !m) {window = #lattn.window<left = 1099511627776, right = 0>}
  return
}

// Two blocks of 96 keys a tile would take 64 bytes more than a multiprocessor
// has: 114688 of their tiles, 1056 beside those and 1024 of the system, each.
// CHECK-LABEL: func.func @two_blocks(
// CHECK:         query_tile = 64, key_tile = 64,
!b = memref<4x8x2048x96xbf16>
func.func @two_blocks(%q: !b, %k: !b, %v: !b, %o: !b) {
  lattn.attention query(%q : !b) key(%k : !b) value(%v : !b)
      outs(%o : !b) {window = #lattn.window<left = 112, right = 0>}
  return
}

// Three groups of warps, if heads of 96 leave registers: with a causal window alone.
// CHECK-LABEL: func.func @three_groups(
// CHECK:         query_tile = 192, key_tile = 112,
// CHECK:         query_tile = 128,
!c = memref<1x16x8192x96xbf16>
func.func @three_groups(%q: !c, %k: !c, %v: !c, %o: !c) {
  lattn.attention query(%q : !c) key(%k : !c) value(%v : !c) outs(%o : !c) {causal}
  lattn.attention query(%q : !c) key(%k : !c) value(%v : !c) outs(%o : !c)
  return
}
