// Gradients by --target=cuda, on a stand-in for the driver that does no kernel's work:
// which kernels are launched, in order, on one stream, and with which tensor maps.

// REQUIRES: host-x86, slow
// UNSUPPORTED: sanitizer
// DEFINE: %{env} = env LATTN_PTXAS=nothing LATTN_LIBCUDA=%fake_cuda FAKECUDA_LOG=%t.log
// DEFINE: %{n} = 72
// DEFINE: %{q} = 1x4x%{n}x64
// DEFINE: %{k} = 1x2x90x64
// DEFINE: %{shapes} = --shape=0:%{q} --shape=1:%{k} --shape=2:%{k} --shape=3:%{q} --shape=4:1x4x%{n} --shape=5:%{q} --shape=6:%{q} --shape=7:%{k} --shape=8:%{k}
// DEFINE: %{run} = %{env} lattn-run %s --target=cuda --random=1 %{shapes}
// RUN: rm -f %t.log
// RUN: %{run} | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// CHECK: results arg6 1x4x72x64xbf16
// CHECK-NEXT:    arg7, arg8 1x2x90x64xbf16
// CHECK: device the device 'Fake GPU' is sm_90

// One tile of queries for each head, and one of keys for each head of keys. Maps
// of what a tile reads once, of what steps read, and of what is written. Log-sum-
// exps and row sums are vectors of f32 without a swizzle.
// LOG: cuLaunchKernel grad_fill {{.*}} own stream
// LOG: cuLaunchKernel grad_generic {{.*}} own stream
// LOG-COUNT-2: cuTensorMapEncodeTiled type 9 sizes 64x72x4x1 strides 128x9216x36864 box 64x128x1x1 swizzle 3
// LOG-COUNT-2: cuTensorMapEncodeTiled type 9 sizes 64x90x2x1 strides 128x11520x23040 box 64x64x1x1 swizzle 3
// LOG: cuTensorMapEncodeTiled type 9 sizes 64x72x4x1 strides 128x9216x36864 box 64x64x1x1 swizzle 3
// LOG: cuLaunchKernel grad_query grid 4x1x1 block 384x1x1 {{.*}} own stream
// LOG-COUNT-2: cuTensorMapEncodeTiled type 9 sizes 64x90x2x1 strides 128x11520x23040 box 64x128x1x1 swizzle 3
// LOG-COUNT-2: cuTensorMapEncodeTiled type 9 sizes 64x72x4x1 strides 128x9216x36864 box 64x64x1x1 swizzle 3
// LOG-COUNT-2: cuTensorMapEncodeTiled type 7 sizes 72x4x1 strides 288x1152 box 64x1x1 swizzle 0
// LOG-COUNT-2: cuTensorMapEncodeTiled type 9 sizes 64x90x2x1 strides 128x11520x23040 box 64x64x1x1 swizzle 3
// LOG: cuLaunchKernel grad_key_value grid 2x1x1 block 384x1x1 {{.*}} own stream
// LOG-NOT: cuLaunchKernel
// LOG: alive: ''

// Rows of 70 numbers do not begin at multiples of 16 bytes: no maps.
// REDEFINE: %{n} = 70
// RUN: rm -f %t.log
// RUN: %{run}
// RUN: FileCheck %s --check-prefix=MMA < %t.log
// MMA-NOT: cuTensorMapEncodeTiled
// MMA: cuLaunchKernel grad_query_{{[0-9]}} grid 8x1x1 block 128x1x1 {{.*}} own stream
// MMA: cuLaunchKernel grad_key_value_{{[0-9]}} grid 4x1x1 block 128x1x1 {{.*}} own stream
// MMA: alive: ''

!q = memref<?x?x?x64xbf16>
!l = memref<?x?x?xf32>
func.func @grad(%q: !q, %k: !q, %v: !q, %o: !q, %l: !l, %do: !q, %dq: !q, %dk: !q, %dv: !q) {
  lattn.attention_grad query(%q : !q) key(%k : !q) value(%v : !q)
      output(%o : !q) lse(%l : !l) d_output(%do : !q) outs(%dq, %dk, %dv : !q, !q, !q)
      {window = #lattn.window<left = 37, right = 5>}
  return
}
