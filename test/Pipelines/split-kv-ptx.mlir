// RUN: lattn-compile %s --emit=ptx --chip=sm_80 -o - | FileCheck %s
// RUN: lattn-compile %s --emit=ptx --chip=sm_90a -o - | FileCheck %s

// Parts of the keys are merged in registers: for each part three loads and one
// exponential in a thread, and none of them in memory of the thread.

// CHECK-LABEL: .entry decode_merge(
// CHECK-NOT:   .local
// CHECK-COUNT-7: max.NaN.f32
// CHECK-NOT:   max.NaN.f32
// CHECK-COUNT-9: ex2.approx.ftz.f32
// CHECK-NOT:   {{ex2|lg2|\.local}}
// CHECK:       div.full.f32
// CHECK:       cvt.rn.bf16.f32
// CHECK:       st.global.b16
// CHECK:       ret;

// Of the log-sum-exp no part's output is read.
// CHECK-LABEL: .entry decode_merge_lse(
// CHECK-COUNT-16: ld.global
// CHECK-NOT:   {{ld.global|\.local|div}}
// CHECK:       lg2.approx.ftz.f32
// CHECK:       st.global.b32
// CHECK:       ret;

!q = tensor<1x2x1x64xbf16>
!k = tensor<1x2x2048x64xbf16>
!l = tensor<1x2x1xf32>
func.func @decode(%q: !q, %k: !k, %v: !k, %o: !q, %l: !l) -> (!q, !l) {
  %0:2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q, %l : !l)
  return %0#0, %0#1 : !q, !l
}
