// Objects and shared libraries are linked with programs in C, and compute the
// bits that lattn-run computes.

// REQUIRES: python, slow
// UNSUPPORTED: sanitizer
// RUN: %python %S/Inputs/arrays.py make %t
// RUN: cd %t
// RUN: lattn-run %s --entry=main --inputs in.npz --output out.npz > /dev/null
// RUN: lattn-compile %s --emit=header -o f.h
// RUN: lattn-compile %s -o f.o
// RUN: lattn-compile %s --emit=shared -o libf.so
// RUN: sed 's/@main/@other/; s/@odd/@even/' %s | lattn-compile - -o g.o
// DEFINE: %{cc} = %cc -std=c99 -Wall -Wextra -Werror -include f.h %S/Inputs/driver.c
// ODD: {{^1$}}

// On one thread, with nothing of lattn's.
// RUN: %{cc} f.o g.o -lm -o serial
// RUN: ./serial | FileCheck %s --check-prefix=ODD
// RUN: %python %S/Inputs/arrays.py compare .

// On threads.
// RUN: %{cc} f.o -Wl,--whole-archive %lattn_lib/liblattn_runtime.a \
// RUN:   -Wl,--no-whole-archive -lm -o threads
// RUN: ./threads | FileCheck %s --check-prefix=ODD
// RUN: %python %S/Inputs/arrays.py compare .

// RUN: %{cc} ./libf.so -o shared -Wl,-rpath,.
// RUN: ./shared | FileCheck %s --check-prefix=ODD
// RUN: %python %S/Inputs/arrays.py compare .

// It needs the C library alone, and shows C's functions alone.
// RUN: %llvm_bin/llvm-readelf -d libf.so | FileCheck %s --check-prefix=NEEDED
// NEEDED-NOT: (NEEDED) {{.*(libomp|libstdc|LLVM|MLIR)}}
// NEEDED: SONAME{{.*}}[libf.so]
// RUN: %llvm_bin/llvm-nm -D --defined-only --format=just-symbols libf.so \
// RUN:   | sort | FileCheck %s --check-prefix=NAMES
// NAMES:      {{^}}_mlir_ciface_main
// NAMES-NEXT: {{^}}_mlir_ciface_odd
// NAMES-NEXT: {{^}}lattn_check_sizes_main
// NAMES-NEXT: {{^}}lattn_check_sizes_odd
// NAMES-NEXT: {{^}}lattn_get_num_threads
// NAMES-NEXT: {{^}}lattn_requested_threads
// NAMES-NEXT: {{^}}lattn_set_num_threads
// NAMES-NOT:  {{.}}

!t = tensor<?x4x?x16xf32>
func.func @main(%q: !t {lattn.name = "q"}, %k: !t {lattn.name = "k"},
                %v: !t {lattn.name = "v"})
    -> (!t {lattn.name = "o"}, tensor<?x4x?xf32> {lattn.name = "l"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !t
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%b, %n) : !t
  %l = tensor.empty(%b, %n) : tensor<?x4x?xf32>
  %0:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t, %l : tensor<?x4x?xf32>)
      {window = #lattn.window<left = 50, right = 0>}
  return %0#0, %0#1 : !t, tensor<?x4x?xf32>
}

// Neither an object nor a library shows it.
func.func private @keep(%n: i32) -> i32 {
  return %n : i32
}

// A bool is 0 or 1.
func.func @odd(%n: i32) -> i1 {
  %m = call @keep(%n) : (i32) -> i32
  %0 = arith.trunci %m : i32 to i1
  return %0 : i1
}
