// --explain says how products of bf16 are made.
// REQUIRES: slow
// DEFINE: %{run} = lattn-run %s --random=1 --cache=off --explain
// RUN: %{run} --bf16=widened | FileCheck %s --check-prefix=WIDENED
// RUN: %{run} --bf16=emulated-dot | FileCheck %s --check-prefix=EMULATED
// RUN: %{run} --target=loops | FileCheck %s --check-prefix=WIDENED
// RUN: %{run} | FileCheck %s
// WIDENED: products {{ *}}bf16 widened to f32
// WIDENED: bound {{.*}} of the FMA peak
// EMULATED: products {{ *}}dot products of bf16 pairs, emulated
// EMULATED: bound {{.*}} of the FMA peak
// CHECK: products {{ *}}{{bf16 widened to f32|dot products of bf16 pairs \(AVX512-BF16\)|AMX tiles of bf16}}

!t = tensor<1x2x32x16xbf16>
func.func @f(%q: !t, %k: !t, %v: !t) -> !t {
  %e = tensor.empty() : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%e : !t)
  return %0 : !t
}
