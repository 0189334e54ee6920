// Kernels for a GPU: PTX, and machine code where ptxas is.

// REQUIRES: slow
// RUN: lattn-compile %s --emit=ptx -o - | FileCheck %s
// RUN: lattn-compile %s --target=cuda --chip=sm_90a -o - | FileCheck %s --check-prefix=SM90A
// CHECK: // attend_kernel: blocks of {{[0-9]+}} threads, {{[0-9]+}} bytes of dynamic shared memory
// CHECK: .version 8.0
// CHECK-NEXT: .target sm_80
// CHECK: .entry attend_kernel(
// SM90A: .target sm_90a

// DEFINE: %{run} = not lattn-compile %s -o %t.none
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: rm -f %t.none
// RUN: %{run} --emit=ptx --chip=sm_999 2>&1 | %{check}=CHIP
// CHIP: lattn-compile: error: unknown GPU 'sm_999': expected one of sm_80, {{.*}}sm_90, sm_90a, 
// RUN: %{run} --emit=ptx --chip=sm_70 2>&1 | %{check}=OLD
// OLD: lattn-compile: error: GPU 'sm_70': expected sm_80 or later
// RUN: %{run} --emit=ptx --target=host 2>&1 | %{check}=HOST
// HOST: lattn-compile: error: --target=host: --emit=ptx is for cuda
// RUN: %{run} --emit=shared --target=cuda 2>&1 | %{check}=CUDA
// CUDA: lattn-compile: error: --target=cuda: --emit=shared is for host
// RUN: %{run} --emit=cubin --mcpu=native 2>&1 | %{check}=CPU
// CPU: lattn-compile: error: --mcpu and --mattr: --emit=cubin is for a GPU, which --chip names
// RUN: %{run} --chip=sm_80 2>&1 | %{check}=NOCHIP
// NOCHIP: lattn-compile: error: --chip: --emit=obj is for the host, whose CPU --mcpu names
// RUN: env LATTN_PTXAS=/no/ptxas %{run} --emit=cubin 2>&1 | %{check}=PTXAS
// PTXAS: lattn-compile: error: cannot run '/no/ptxas': No such file or directory (--emit=ptx needs no ptxas)
// RUN: env LATTN_PTXAS=/bin/false %{run} --emit=cubin 2>&1 | %{check}=FALSE
// FALSE: lattn-compile: error: '/bin/false' ended with exit code 1
// RUN: not ls %t.none

!t = tensor<?x?x?x64xf16>
func.func @attend(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window = #lattn.window<left = 100, right = 0>}
  return %0 : !t
}
