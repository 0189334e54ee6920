/*===- sizes.c - Arrays that no call can take ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// REQUIRES: slow
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: %t llvm | FileCheck %s
// RUN: %t loops | FileCheck %s

#include "lattn-c/Callable.h"
#include "lattn-c/Module.h"
#include <stdio.h>
#include <string.h>

static const char *const text =
    "!t = tensor<1x?x?x8xf32>\n"
    "func.func @attention(%q: !t, %k: !t, %v: !t, %n: i64) -> !t {\n"
    "  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)\n"
    "      outs(%q : !t)\n"
    "  return %0 : !t\n"
    "}\n";

static void print(LattnError error) {
  printf("%s\n", error ? error : "none");
  lattnErrorFree(error);
}

static float elements[4 * 64 * 8];
static int64_t number, q[4], k[4], v[4];
static LattnArray arguments[4], result;

/* Heads and lengths of query, key and value. */
static void set(int64_t heads, int64_t length, int64_t kvHeads, int64_t keys,
                int64_t values) {
  int64_t *sizes[3] = {q, k, v};
  int64_t given[3][2] = {{heads, length}, {kvHeads, keys}, {kvHeads, values}};
  for (int i = 0; i < 3; ++i) {
    LattnArray array = {elements, LattnF32, 4, sizes[i], NULL, NULL};
    sizes[i][0] = 1;
    sizes[i][1] = given[i][0];
    sizes[i][2] = given[i][1];
    sizes[i][3] = 8;
    arguments[i] = array;
  }
  LattnArray scalar = {&number, LattnI64, 0, NULL, NULL, NULL};
  arguments[3] = scalar;
}

static void call(LattnCallable *callable) {
  print(lattnCallableCall(callable, arguments, 4, &result));
  lattnArrayRelease(&result);
}

// CHECK-LABEL: sizes
static void testSizes(LattnCallable *callable) {
  puts("sizes");
  set(4, 16, 2, 64, 64);
  call(callable); // CHECK-NEXT: none
  set(4, 16, 2, 64, 3);
  // CHECK-NEXT: t:3:8: 'lattn.attention' op {{.*}} axis 2 of value {{.*}} got 3
  call(callable);
  set(4, 16, 2, 4000000, 1);
  // CHECK-NEXT: {{.*}} to be key's length = 4000000, got 1
  call(callable);
  set(3, 16, 2, 64, 64);
  // CHECK-NEXT: {{.*}} heads to be a multiple of key heads, got 3 and 2
  call(callable);
  set(3, 16, 0, 64, 64);
  // CHECK-NEXT: {{.*}} heads to be a multiple of key heads, got 3 and 0
  call(callable);
  set(4, 0, 2, 0, 0);
  call(callable); // CHECK-NEXT: none
  set(4, 16, 2, 64, 64);
  call(callable); // CHECK-NEXT: none
}

// CHECK-LABEL: arrays
static void testArrays(LattnCallable *callable) {
  int64_t strides[4] = {1, 1, INT64_MAX / 4, 1};
  puts("arrays");
  set(4, -1, 2, 64, 64);
  // CHECK-NEXT: 'arg0': expected sizes of at least 0, got the {{.*}} -1, 8)
  call(callable);
  set(4, 16, 2, 64, 64);
  arguments[1].data = NULL;
  // CHECK-NEXT: 'arg1': expected the address of its elements, got NULL
  call(callable);
  set(4, 16, 2, 64, 64);
  arguments[3].data = NULL;
  // CHECK-NEXT: 'arg3': expected the address of its elements, got NULL
  call(callable);
  set(4, 16, 2, 64, 64);
  arguments[0].rank = -1;
  // CHECK-NEXT: 'arg0': expected a rank of at least 0, got -1
  call(callable);
  arguments[0].rank = 3;
  // CHECK-NEXT: 'arg0': expected tensor<1x?x?x8xf32>, got {{.*}} (1, 4, 16)
  call(callable);
  arguments[0].rank = 4;
  arguments[0].sizes = NULL;
  call(callable); // CHECK-NEXT: 'arg0': expected 4 sizes, got NULL
  set(4, 16, 2, 64, 64);
  arguments[0].type = (LattnElementType)77;
  call(callable); // CHECK-NEXT: 'arg0': expected a LattnElementType, got 77
  set(INT64_MAX / 8, INT64_MAX / 8, 2, 64, 64);
  // CHECK-NEXT: 'arg0': the shape {{.*}} needs more bytes than the addr
  call(callable);
  set(4, 16, 2, 64, 64);
  arguments[0].strides = strides;
  // CHECK-NEXT: 'arg0': its sizes and strides reach beyond the address
  call(callable);
}

// CHECK-LABEL: null
static void testNull(LattnCallable *callable) {
  puts("null");
  set(4, 16, 2, 64, 64);
  // CHECK-NEXT: 'attention' takes 4 arguments, got -1
  print(lattnCallableCall(callable, arguments, -1, &result));
  // CHECK-NEXT: expected arguments, got NULL
  print(lattnCallableCall(callable, NULL, 4, &result));
  // CHECK-NEXT: expected results, got NULL
  print(lattnCallableCall(callable, arguments, 4, NULL));
  // CHECK-NEXT: expected a callable, got NULL
  print(lattnCallableCall(NULL, arguments, 4, &result));
  // CHECK-NEXT: expected text, got NULL
  print(lattnCallableCreate(NULL, 8, "t", NULL, NULL, &callable));
  // CHECK-NEXT: expected a place for the callable, got NULL
  print(lattnCallableCreate(text, strlen(text), "t", NULL, NULL, NULL));
  // CHECK-NEXT: expected a path, got NULL
  print(lattnCallableCreateFromFile(NULL, NULL, NULL, &callable));
  // CHECK-NEXT: expected a context, got NULL
  print(lattnModuleParse(NULL, text, strlen(text), "t", NULL));
  // CHECK-NEXT: expected a module, got NULL
  print(lattnModuleRunPipeline(NULL, "canonicalize"));
  // CHECK-NEXT: expected a module, got NULL
  print(lattnModuleCompile(NULL, NULL, NULL, &callable));
  // CHECK-NEXT: '' 0 0 '' ''
  printf("'%s' %d %d '%s' '%s'\n", lattnCallableGetEntry(NULL),
         (int)lattnCallableGetNumArguments(NULL),
         (int)lattnCallableGetNumResults(NULL),
         lattnCallableGetArgument(callable, 4).name,
         lattnCallableGetResult(callable, -1).name);
  lattnArrayRelease(NULL);
}

int main(int argc, char **argv) {
  LattnCallable *callable = NULL;
  LattnCompileOptions options = {NULL,  NULL,  argv[argc - 1],
                                 "off", false, false};
  LattnError error =
      lattnCallableCreate(text, strlen(text), "t", NULL, &options, &callable);
  if (error) {
    print(error);
    return 1;
  }
  testSizes(callable);
  testArrays(callable);
  testNull(callable);
  lattnCallableDestroy(callable);
  return 0;
}
