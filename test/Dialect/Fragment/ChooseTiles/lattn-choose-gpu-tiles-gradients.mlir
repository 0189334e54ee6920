// RUN: lattn-opt %s --lattn-choose-gpu-tiles=chip=sm_80 | FileCheck %s
// RUN: lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_80 query-tile=128 key-tile=32" | FileCheck %s --check-prefix=GIVEN
// RUN: lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_90a warps=0" | FileCheck %s --check-prefix=GROUPS
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_90a warps=6" 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_90a warps=0 query-tile=96" 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_90a warps=0 stages=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not lattn-opt %s --lattn-choose-gpu-tiles="chip=sm_90a warps=0 key-tile=256 stages=4" 2>&1 | FileCheck %s --check-prefix=SHARED
// WARPS: remark: the kernel is that of earlier GPUs: warpgroups are of four warps, got 6
// ROWS: error: {{.*}}cannot become GPU kernels: expected a multiple of 64 queries a tile for 4 warps, got 96
// STAGES: error: {{.*}}cannot become GPU kernels: expected 2 to 256 stages, got 9223372036854775807
// SHARED: error: {{.*}}cannot become GPU kernels: tiles of 128 queries and 256 keys in 4 stages take 303104 bytes of shared memory; a block has at most 231392

// Rows of a block, and positions of a step: fewer of wide heads. Warpgroups have
// tiles of their own, and those of the kernels for arrays without tensor maps.

!l = tensor<1x2x?xf32>
!t = tensor<1x2x?x64xbf16>
!w = tensor<1x2x?x192xbf16>

// CHECK-LABEL: func.func @narrow(
// CHECK: schedule = #lattn.schedule<query_tile = 64, key_tile = 32>
// GIVEN: schedule = #lattn.schedule<query_tile = 128, key_tile = 32>
// GROUPS: schedule = #lattn.schedule<query_tile = 128, key_tile = 64, fallback = <query_tile = 64, key_tile = 32>>
func.func @narrow(%q: !t, %l: !l) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// CHECK-LABEL: func.func @wide(
// CHECK: schedule = #lattn.schedule<query_tile = 64, key_tile = 16>
// GROUPS: schedule = #lattn.schedule<query_tile = 128, key_tile = 64, fallback = <query_tile = 64, key_tile = 16>>
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
