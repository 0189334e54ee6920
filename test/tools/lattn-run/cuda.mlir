// --target=cuda, on a stand-in for the driver: what reaches a kernel, and what
// comes back. The kernel's own work is done by C on the host.

// REQUIRES: host-x86, slow
// UNSUPPORTED: sanitizer
// RUN: %cc -O2 -Wall -Wextra -Werror -shared -fPIC %S/Inputs/attend_kernel.c -lm -o %t.so
// DEFINE: %{env} = env LATTN_PTXAS=nothing LATTN_LIBCUDA=%fake_cuda FAKECUDA_KERNELS=%t.so FAKECUDA_LOG=%t.log
// DEFINE: %{shapes} = --shape=0:2x3x70x64 --shape=1:2x3x70x64 --shape=2:2x3x70x64
// DEFINE: %{attend} = lattn-run %s --target=cuda --random=1 %{shapes} --entry
// DEFINE: %{run} = %{attend}=attend
// RUN: rm -f %t.log
// RUN: %{env} %{run} --benchmark=2 --verify-loops | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: FileCheck %s --check-prefix=LOADED < %t.log
// CHECK: results out0 2x3x70x64xf16
// CHECK: device the device 'Fake GPU' is sm_90
// CHECK: run time 1 ms median, 1 ms least of 2 runs
// CHECK: rate {{.*}} GFLOP/s useful
// CHECK-NOT: peak
// CHECK: out0 agrees with lattn-to-loops

// RUN: %{env} %{run} --format=json | FileCheck %s --check-prefix=JSON
// JSON: "agrees": true
// JSON: "device": "the device 'Fake GPU' is sm_90"
// JSON: "peak": null
// JSON: "share_of_peak": null
// JSON: "target": "cuda"
// JSON: "threads": null
// JSON: "benchmark": false
// JSON: "median_seconds": 0.001
// JSON: "result_bytes": 53824
// JSON: "scratch_bytes": 0

// Three runs, each of which frees what it allocated, on a stream of its own.
// LOG-COUNT-3: cuLaunchKernel attend_kernel grid {{[1-9][0-9]*}}x1x1 block {{.*}} own stream
// LOG-NOT: cuLaunchKernel
// LOG-NOT: legacy stream
// LOG: alive: ''

// The time has no compiling in it.
// LOADED-NOT: cuEventRecord
// LOADED: cuModuleLoadDataEx
// LOADED: cuEventRecord
// LOADED-NOT: cuModuleLoadDataEx

// It runs what a program with lattn's libraries would load from the cache.
// RUN: rm -rf %t.cache
// RUN: %{env} %{run} --cache=%t.cache | FileCheck %s --check-prefix=COMPILED
// RUN: %{env} %{run} --cache=%t.cache | FileCheck %s --check-prefix=CACHED
// COMPILED-NOT: loaded from the cache
// CACHED: compile time {{.*}}, loaded from the cache
// CACHED: run time 1 ms

// Each run writes to a copy of the same array, and the last to the array.
// RUN: %{env} %{attend}=write --shape=3:2x3x70x64 --benchmark=2 --verify-loops | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: results o 2x3x70x64xf16
// WRITTEN: o agrees with lattn-to-loops

// A result may be an argument.
// RUN: %{env} lattn-run %s --target=cuda --entry=both --random=1 %{shapes} \
// RUN:   --verify-loops | FileCheck %s --check-prefix=BOTH
// BOTH: out0 agrees with lattn-to-loops
// BOTH: out1 agrees with lattn-to-loops: 0 of

// Errors, after which nothing is alive either.
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: env LATTN_LIBCUDA=libnothing.so not %{run} 2>&1 | %{check}=DRIVER
// DRIVER: lattn-run: error: no CUDA driver: libnothing.so: cannot open shared object file
// RUN: %{env} FAKECUDA_CAPABILITY=7.5 not %{run} 2>&1 | %{check}=OLD
// OLD: lattn-run: error: GPU 'sm_75': expected sm_80 or later
// RUN: %{env} FAKECUDA_VERSION=11080 not %{run} 2>&1 | %{check}=VERSION
// VERSION: lattn-run: error: the PTX is of ISA 8.0, which needs a driver of CUDA 12.0 or later; this one is of CUDA 11.8
// RUN: %{env} FAKECUDA_SHARED=1000 not %{run} 2>&1 | %{check}=SHARED
// SHARED: lattn-run: error: kernel 'attend_kernel' needs {{[0-9]+}} bytes of shared memory per block, but a block may have 1000
// RUN: FileCheck %s --check-prefix=ALIVE < %t.log
// RUN: %{env} FAKECUDA_FAIL=cuMemAlloc#4=2 not %{run} 2>&1 | %{check}=MEMORY
// MEMORY: lattn-run: error: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: out of memory
// RUN: FileCheck %s --check-prefix=ALIVE < %t.log
// RUN: %{env} FAKECUDA_FAIL=cuLaunchKernel=700 not %{run} 2>&1 | %{check}=LAUNCH
// LAUNCH: lattn-run: error: cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS: {{.*}}(kernel 'attend_kernel', grid
// RUN: FileCheck %s --check-prefix=ALIVE < %t.log
// RUN: %{env} FAKECUDA_FAIL=cuStreamSynchronize=700 not %{run} 2>&1 | %{check}=RUNS
// RUN: FileCheck %s --check-prefix=ALIVE < %t.log
// RUNS: lattn-run: error: cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS
// ALIVE: alive: ''
// RUN: %{env} not lattn-run %s --target=cuda --entry=first --random=1 2>&1 | %{check}=HOST
// HOST: lattn-run: error: {{.*}}cuda.mlir:[[#]]:{{[0-9]+}}: 'memref.load' is computed on the host, which cannot read a GPU's memory: it has no kernel
// RUN: %{env} not lattn-run %lattn_src/examples/windowed_attention.mlir --target=cuda --random=1 --shape=query:1x1x64x64 --shape=key:1x1x64x64 --shape=value:1x1x64x64 2>&1 | %{check}=WIDE --implicit-check-not='cannot become'
// WIDE: lattn-run: error: {{.*}}windowed_attention.mlir:[[#]]:{{[0-9]+}}: 'lattn.attention' op cannot become a GPU kernel: expected query, key and value of f16 or bf16, got f32
// RUN: %{env} not lattn-run %s --target=cuda --tune 2>&1 | %{check}=TUNE
// TUNE: lattn-run: error: --tune: not for --target=cuda

!t = tensor<?x?x?x64xf16>
func.func @attend(%q: !t, %k: !t, %v: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !t
  %h = tensor.dim %q, %c1 : !t
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%b, %h, %n) : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) {window = #lattn.window<left = 10, right = 0>}
  return %0 : !t
}
func.func @both(%q: !t, %k: !t, %v: !t) -> (!t, !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !t
  %h = tensor.dim %q, %c1 : !t
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%b, %h, %n) : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) {window = #lattn.window<left = 10, right = 0>}
  return %0, %k : !t, !t
}
!m = memref<?x?x?x64xf16>
func.func @write(%q: !m, %k: !m, %v: !m, %o: !m {lattn.name = "o"}) {
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m)
      outs(%o : !m) {window = #lattn.window<left = 10, right = 0>}
  return
}
func.func @first(%a: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %a[%c0] : tensor<4xf32>
  return %0 : f32
}

// A check of the program fails: the caller gets its message, and nothing is launched.
// RUN: rm -f %t.log
// RUN: %{env} not lattn-run %s --target=cuda --random=1 --entry=turn --shape=0:1x1x96x64 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: FileCheck %s --check-prefix=NONE < %t.log
// FAILS: lattn-run: error: {{.*}}lattn.rotary: expected at most 79 positions with xpos_scale_base = 12 and f16 on a GPU, where larger scales overflow
// NONE-NOT: cuLaunchKernel
func.func @turn(%q: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !t
  %h = tensor.dim %q, %c1 : !t
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%b, %h, %n) : !t
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      outs(%e : !t) {window_size = 16 : i64, causal, autopad, dim = 64 : i64, use_xpos, xpos_scale_base = 12.0 : f64}
  return %0 : !t
}
