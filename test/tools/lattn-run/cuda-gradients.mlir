// Gradients by --target=cuda, on a stand-in for the driver that does no kernel's work:
// which kernels are launched, in order, on one stream.

// REQUIRES: host-x86, slow
// UNSUPPORTED: sanitizer
// DEFINE: %{env} = env LATTN_PTXAS=nothing LATTN_LIBCUDA=%fake_cuda FAKECUDA_LOG=%t.log
// DEFINE: %{q} = 1x4x70x64
// DEFINE: %{k} = 1x2x90x64
// DEFINE: %{shapes} = --shape=0:%{q} --shape=1:%{k} --shape=2:%{k} --shape=3:%{q} --shape=4:1x4x70 --shape=5:%{q} --shape=6:%{q} --shape=7:%{k} --shape=8:%{k}
// RUN: rm -f %t.log
// RUN: %{env} lattn-run %s --target=cuda --random=1 %{shapes} | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// CHECK: results arg6 1x4x70x64xbf16
// CHECK-NEXT:    arg7, arg8 1x2x90x64xbf16
// CHECK: device the device 'Fake GPU' is sm_90

// Two tiles of queries for each head, and two of keys for each head of keys.
// LOG: cuLaunchKernel grad_fill {{.*}} own stream
// LOG: cuLaunchKernel grad_generic {{.*}} own stream
// LOG: cuLaunchKernel grad_query grid 8x1x1 block 128x1x1 {{.*}} own stream
// LOG: cuLaunchKernel grad_key_value grid 4x1x1 block 128x1x1 {{.*}} own stream
// LOG-NOT: cuLaunchKernel
// LOG: alive: ''

!q = memref<?x?x?x64xbf16>
!l = memref<?x?x?xf32>
func.func @grad(%q: !q, %k: !q, %v: !q, %o: !q, %l: !l, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  lattn.attention_grad query(%q : !q) key(%k : !q) value(%v : !q)
      output(%o : !q) lse(%l : !l) d_output(%do : !q) outs(%dq, %dk, %dv : !q, !q, !q)
      {window = #lattn.window<left = 37, right = 5>}
  return
}
