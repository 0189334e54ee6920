// REQUIRES: slow
// RUN: lattn-opt %s --lattn-to-nvvm | FileCheck %s
// RUN: lattn-opt %s --lattn-to-nvvm="chip=sm_90a" | FileCheck %s --check-prefix=CHIP
// RUN: not lattn-opt %s --lattn-to-nvvm="chip=sm_42" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: lattn-compile %s --emit=ptx --chip=sm_80 -o - | FileCheck %s --check-prefix=PTX
// UNKNOWN: unknown GPU 'sm_42': expected one of sm_80, sm_86, {{.*}}sm_90a
// CHIP: #nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">

// CHECK:         gpu.launch_func @attend_kernel::@attend_kernel {{.*}} args(%arg0 : {{.*}}, %arg1 : {{.*}}, %arg2 : {{.*}}, %arg3 :
// CHECK:       gpu.module @attend_kernel [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80">]
// CHECK-NOT:     llvm.func @__nv_
// CHECK:         llvm.func @attend_kernel(
// CHECK:           nvvm.cp.async.shared.global
// CHECK:           nvvm.ldmatrix
// CHECK:           nvvm.mma.sync

// PTX:      // attend_kernel: blocks of 128 threads, 40960 bytes of dynamic shared memory, tiles of 64 queries of a head
// PTX:      // short_kernel: blocks of 128 threads, {{.*}} tiles of 128 queries of a head
// PTX:      .target sm_80
// PTX:      .entry attend_kernel(
// PTX:      cp.async.cg.shared.global
// PTX:      mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// PTX:      ex2.approx.ftz.f32
// PTX-NOT:  .extern .func

!t = memref<?x?x?x64xbf16>
func.func @attend(%q: !t, %k: !t, %v: !t, %o: !t) {
  lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window = #lattn.window<left = 100, right = 0>}
  return
}

// One tile holds all keys.
// CHECK:       llvm.func @short_kernel(
// CHECK:         nvvm.mma.sync
!s = memref<1x2x33x64xbf16>
func.func @short(%q: !s, %k: !s, %v: !s, %o: !s) {
  lattn.attention query(%q : !s) key(%k : !s) value(%v : !s)
      outs(%o : !s) {causal, schedule = #lattn.schedule<query_tile = 128>}
  return
}
