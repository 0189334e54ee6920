/*===- memory.c - Calls that get no memory -------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// Such a call is an error, and the next one works, also where threads of the
// call's own asked for it.

// REQUIRES: slow
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: %t | FileCheck %s

#include "lattn-c/Callable.h"
#include <stdio.h>
#include <string.h>

static const char *const text =
    "func.func @one(%n: index, %x: tensor<64xf32>) -> tensor<?xf32> {\n"
    "  %c = arith.constant 1.0 : f32\n"
    "  %e = tensor.empty(%n) : tensor<?xf32>\n"
    "  %0 = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>)\n"
    "      -> tensor<?xf32>\n"
    "  return %0 : tensor<?xf32>\n"
    "}\n"
    "func.func @many(%n: index, %x: tensor<64xf32>) -> tensor<64xf32> {\n"
    "  %c = arith.constant 1.0 : f32\n"
    "  %c9 = arith.constant 9 : index\n"
    "  %few = arith.constant 100000 : index\n"
    "  %0 = scf.forall (%i) in (64) shared_outs(%o = %x) -> tensor<64xf32> {\n"
    "    %late = arith.cmpi sgt, %i, %c9 : index\n"
    "    %m = arith.select %late, %n, %few : index\n"
    "    %e = tensor.empty(%m) : tensor<?xf32>\n"
    "    %f = linalg.fill ins(%c : f32) outs(%e : tensor<?xf32>)\n"
    "        -> tensor<?xf32>\n"
    "    %s = tensor.extract_slice %f[%i] [1] [1]\n"
    "        : tensor<?xf32> to tensor<1xf32>\n"
    "    scf.forall.in_parallel {\n"
    "      tensor.parallel_insert_slice %s into %o[%i] [1] [1]\n"
    "          : tensor<1xf32> into tensor<64xf32>\n"
    "    }\n"
    "  }\n"
    "  return %0 : tensor<64xf32>\n"
    "}\n";

static float elements[64];

static void call(const char *entry) {
  LattnCallable *callable = NULL;
  LattnError error =
      lattnCallableCreate(text, strlen(text), "t", entry, NULL, &callable);
  const int64_t counts[] = {1000000, INT64_C(1) << 52, INT64_C(1) << 52, -1,
                            1000000};
  puts(error ? error : entry);
  for (int i = 0; i < 5 && !error; ++i) {
    int64_t count = counts[i], size = 64;
    LattnArray result,
        arguments[2] = {{&count, LattnI64, 0, NULL, NULL, NULL},
                        {elements, LattnF32, 1, &size, NULL, NULL}};
    LattnError failed = lattnCallableCall(callable, arguments, 2, &result);
    puts(failed ? failed : "none");
    if (!failed) {
      printf("%g\n", ((float *)result.data)[63]);
      lattnArrayRelease(&result);
    }
    lattnErrorFree(failed);
  }
  lattnCallableDestroy(callable);
}

// CHECK:      {{^}}one
// CHECK-NEXT: none
// CHECK-NEXT: 1
// CHECK-NEXT: out of memory: compiled code asked for 18014398509{{[0-9]+}}
// CHECK-NEXT: out of memory: compiled code asked for 18014398509{{[0-9]+}}
// CHECK-NEXT: t:3:8: 'tensor.empty' op expected a size of at least 0, got -1
// CHECK-NEXT: none
// CHECK-NEXT: 1
// CHECK:      {{^}}many
// CHECK-NEXT: none
// CHECK-NEXT: 1
// CHECK-NEXT: out of memory: compiled code asked for 18014398509{{[0-9]+}}
// CHECK-NEXT: out of memory: compiled code asked for 18014398509{{[0-9]+}}
// CHECK-NEXT: t:15:10: 'tensor.empty' op expected a size of at least 0, got -1
// CHECK-NEXT: none
// CHECK-NEXT: 1
int main(void) {
  lattnSetNumThreads(4);
  call("one");
  call("many");
  return 0;
}
