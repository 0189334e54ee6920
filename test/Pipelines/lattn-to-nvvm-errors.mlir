// RUN: rm -rf %t && split-file %s %t && cd %t
// DEFINE: %{run} = not lattn-opt
// DEFINE: %{check} = FileCheck %s --check-prefix

// RUN: %{run} good.mlir --lattn-to-nvvm=chip=sm_1 2>&1 | %{check}=CHIP
// CHIP: unknown GPU 'sm_1': expected one of sm_80, {{.*}}sm_90, sm_90a,
// RUN: %{run} good.mlir --lattn-to-nvvm=chip=sm_75 2>&1 | %{check}=OLD
// OLD: GPU 'sm_75': expected sm_80 or later
// RUN: %{run} good.mlir --lattn-to-nvvm=key-tile=1024 2>&1 | %{check}=SHARED
// SHARED: 'lattn.attention' op cannot become a GPU kernel: tiles of 64 queries and 1024 keys in 2 stages take 532480 bytes of shared memory; a block has at most 166912
// RUN: %{run} good.mlir --lattn-to-nvvm="chip=sm_86 stages=5 key-tile=128" 2>&1 | %{check}=SMALL
// SMALL: a block has at most 101376
// RUN: %{run} good.mlir --lattn-to-nvvm=query-tile=40 2>&1 | %{check}=QUERIES
// QUERIES: expected a multiple of 64 queries a tile for 4 warps, got 40
// RUN: %{run} good.mlir --lattn-to-nvvm=parts=-1 2>&1 | %{check}=PARTS
// PARTS: lattn-split-kv: expected 0 to 64 parts
// RUN: %{run} good.mlir --lattn-to-nvvm=stages=1 2>&1 | %{check}=STAGES
// STAGES: expected 2 to 256 stages, got 1
// RUN: %{run} good.mlir --lattn-to-nvvm=warps=33 2>&1 | %{check}=WARPS
// WARPS: expected 1 to 32 warps of a block, got 33

// What has no kernel is named, and nothing is made of the rest.
// RUN: %{run} f32.mlir --lattn-to-nvvm 2>&1 | %{check}=F32 --implicit-check-not='cannot become'
// F32: f32.mlir:3:8: error: 'lattn.attention' op cannot become a GPU kernel: expected query, key and value of f16 or bf16, got f32
// RUN: %{run} host.mlir --lattn-to-nvvm 2>&1 | %{check}=HOST
// HOST: host.mlir:5:8: {{(error: )?}}'memref.load' is computed on the host, which cannot read a GPU's memory: it has no kernel
// RUN: not lattn-compile host.mlir --emit=ptx -o host.ptx 2>&1 | %{check}=HOST
// RUN: not ls host.ptx
// RUN: %{run} local.mlir --lattn-to-nvvm 2>&1 | %{check}=LOCAL
// LOCAL: local.mlir:3:8: error: 'lattn.attention' op cannot become a GPU kernel: expected query, key and value of f16 or bf16, got f32
// RUN: %{run} loop.mlir --lattn-to-nvvm 2>&1 | %{check}=LOOP
// LOOP: loop.mlir:6:10: error: 'lattn.attention' op cannot become a GPU kernel: it is in a loop, 'scf.for', that carries an array: expected each iteration to write its result to that array, got another destination
// RUN: lattn-opt in-place.mlir --lattn-to-nvvm | %{check}=LARGE

// Sizes beyond 2^31 are no matter.
// RUN: lattn-opt large.mlir --lattn-to-nvvm | %{check}=LARGE
// LARGE: llvm.func @large_kernel(

//--- good.mlir
!t = memref<?x?x?x64xbf16>
func.func @good(%q: !t, %k: !t, %v: !t, %o: !t) {
  lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return
}
//--- f32.mlir
!t = tensor<?x?x?x64xf32>
func.func @f32(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}
//--- host.mlir
!t = memref<?x?x?x64xbf16>
func.func @host(%q: !t, %k: !t, %v: !t, %o: !t, %x: memref<f32>) -> f32 {
  lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 9, right = 0>}
  %0 = memref.load %x[] : memref<f32>
  return %0 : f32
}
//--- local.mlir
!t = tensor<1x2x64x32xf32>
func.func @local(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {window_size = 16 : i64}
  return %0 : !t
}
//--- loop.mlir
!t = tensor<1x2x64x64xf16>
func.func @loop(%q: !t, %k: !t, %e: !t, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %q) -> !t {
    %y = lattn.attention query(%x : !t) key(%k : !t) value(%k : !t) outs(%e : !t)
    scf.yield %y : !t
  }
  return %r : !t
}
//--- in-place.mlir
!t = tensor<1x2x64x64xf16>
func.func @large(%q: !t, %k: !t, %e: !t, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %e) -> !t {
    %y = lattn.attention query(%q : !t) key(%k : !t) value(%k : !t) outs(%x : !t)
    scf.yield %y : !t
  }
  return %r : !t
}
//--- large.mlir
!t = memref<4x64x16777216x64xbf16>
func.func @large(%q: !t, %k: !t, %v: !t, %o: !t) {
  lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 256, right = 0>}
  return
}
