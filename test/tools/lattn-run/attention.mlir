// REQUIRES: python, slow
// RUN: %python %S/Inputs/make.py %t
// RUN: lattn-run %s --input %t/in.npz --expect %t/out.npz | FileCheck %s
// RUN: lattn-run %s --inputs=%t/in.npz --expect=%t/out.npz --verify-loops \
// RUN:   --threads=1 | FileCheck %s --check-prefixes=CHECK,VERIFY
// RUN: lattn-run %s --input %t/q.npy --input %t/k.npy --input %t/v.npy \
// RUN:   --target=loops --expect %t/out.npz | FileCheck %s
// RUN: cat %s | lattn-run - --input %t/in.npz --expect %t/out.npz \
// RUN:   | FileCheck %s

// What is written is what was compared, byte for byte the second time.
// RUN: lattn-run %s --input %t/in.npz --output %t/first.npz > /dev/null
// RUN: lattn-run %s --input %t/in.npz --output %t/second.npz --threads=1 \
// RUN:   --expect %t/first.npz --rtol=0 --atol=0 > /dev/null
// RUN: cmp %t/first.npz %t/second.npz

// RUN: not lattn-run %s --input %t/in.npz --expect %t/wrong.npz \
// RUN:   | FileCheck %s --check-prefix=WRONG

// RUN: lattn-run %s --random=1 --shape=q:1x2x50x16 --shape=1:1x2x60x16 \
// RUN:   --shape=v:1x2x60x16 --verify-loops --benchmark=3 --explain \
// RUN:   | FileCheck %s --check-prefix=RANDOM

// CHECK: entry {{ *}}att
// CHECK-NEXT: arguments {{ *}}q, k, v 1x2x37x16xf32
// CHECK-NEXT: results {{ *}}o 1x2x37x16xf32
// CHECK-NEXT: threads
// CHECK-NEXT: compile time
// CHECK-NEXT: run time {{.*}}s, the first run; --benchmark times warm ones
// CHECK-NEXT: rate {{.*}} GFLOP/s useful
// CHECK: o agrees with {{.*}}: 0 of 1184 elements differ (rtol {{.*}}, NaN equals NaN)
// VERIFY: o agrees with lattn-to-loops: 0 of 1184

// WRONG: o differs from {{.*}}: 1 of 1184 elements differ {{.*}}; largest error {{.*}} at [0, 1, 3, 2]
// WRONG-NEXT: [0, 1, 3, 2]: got {{.*}}, expected 7

// RANDOM: entry
// RANDOM-NEXT: arguments {{ *}}q 1x2x50x16xf32
// RANDOM-NEXT: {{^ +}}k, v 1x2x60x16xf32
// RANDOM: least of 3 runs
// RANDOM-NEXT: rate
// RANDOM-NEXT: reached {{.*}} % of peak, {{.*}} % of the bound
// RANDOM-NEXT: o agrees with lattn-to-loops: 0 of 1600
// RANDOM-EMPTY:
// RANDOM-NEXT: attention 0
// RANDOM-NEXT: shape {{.*}} N 50, M 60, D 16
// RANDOM: window #lattn.window<left = 5, right = 0>
// RANDOM: useful
// RANDOM: executed
// RANDOM: bound
// RANDOM-NEXT: memory {{.*}} results
// RANDOM: measured peak

!t = tensor<1x2x?x16xf32>
func.func @att(%q: !t {lattn.name = "q"}, %k: !t {lattn.name = "k"},
               %v: !t {lattn.name = "v"}) -> (!t {lattn.name = "o"}) {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%n) : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
         outs(%e : !t) {window = #lattn.window<left = 5, right = 0>}
  return %0 : !t
}
