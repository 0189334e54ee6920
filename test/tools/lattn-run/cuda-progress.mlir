// Kernels that a call needs are compiled when it needs them: a terminal shows it.
// REQUIRES: host-x86, slow
// UNSUPPORTED: sanitizer
// RUN: printf '#!/bin/sh\nsleep 3\n{ printf "\\177ELF"; head -c 124 /dev/zero; } > "$6"\n' > %t.ptxas
// RUN: chmod +x %t.ptxas
// RUN: env NO_COLOR=1 TERM=xterm LATTN_PTXAS=%t.ptxas LATTN_LIBCUDA=%fake_cuda \
// RUN:   script -qec 'lattn-run %s --target=cuda --random=1 --cache=off' /dev/null \
// RUN:   | tr '\r\033' '\n~' | FileCheck %s
// CHECK-NOT: {{ 0 s$}}
// CHECK: {{^}}~[Kcompiling kernels [....................] 0 of 1, 1 s{{$}}
// CHECK: {{^}}~[Kentry
// CHECK-NOT: ~

!t = tensor<1x2x70x64xf16>
func.func @attend(%q: !t, %k: !t, %v: !t) -> !t {
  %e = tensor.empty() : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) {window = #lattn.window<left = 10, right = 0>}
  return %0 : !t
}
