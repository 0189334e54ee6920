/*===- threads.c - Many threads at once ----------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// REQUIRES: slow
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t -pthread \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: %t | FileCheck %s
// CHECK: 4 threads agree

#include "lattn-c/Module.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { Threads = 4, Calls = 50, Size = 8 * 33 };

static const char *const text =
    "!t = tensor<?x1x?x8xf32>\n"
    "func.func @attention(%q: !t) -> !t {\n"
    "  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)\n"
    "      outs(%q : !t) {window = #lattn.window<left = 5>}\n"
    "  return %0 : !t\n"
    "}\n";

static LattnCallable *shared;

/* Copies of one result; the first thread's call decides. */
static int call(const LattnCallable *callable, float *to) {
  float q[Size];
  const int64_t sizes[4] = {1, 1, 33, 8};
  LattnArray argument = {q, LattnF32, 4, sizes, NULL, NULL}, result;
  for (int i = 0; i < Size; ++i)
    q[i] = (float)(i % 17) / 8 - 1;
  if (lattnCallableCall(callable, &argument, 1, &result))
    return 1;
  memcpy(to, result.data, sizeof(q));
  lattnArrayRelease(&result);
  return 0;
}

/* Compiles in a context of its own, and calls its own and the shared one. */
static void *work(void *failed) {
  LattnContext *context = lattnContextCreate();
  LattnModule *module = NULL;
  LattnCallable *own = NULL;
  float expected[Size], got[Size];
  int *isFailed = failed;
  *isFailed =
      lattnModuleParse(context, text, strlen(text), "t", &module) != NULL ||
      lattnModuleCompile(module, NULL, NULL, &own) != NULL ||
      call(shared, expected);
  lattnModuleDestroy(module);
  lattnContextDestroy(context);
  for (int i = 0; i < Calls && !*isFailed; ++i)
    *isFailed = call(i % 2 ? own : shared, got) ||
                memcmp(got, expected, sizeof(got)) != 0;
  lattnCallableDestroy(own);
  return NULL;
}

int main(void) {
  pthread_t threads[Threads];
  int failed[Threads], agree = 0;
  if (lattnCallableCreate(text, strlen(text), "t", NULL, NULL, &shared))
    return 1;
  for (int i = 0; i < Threads; ++i)
    if (pthread_create(&threads[i], NULL, work, &failed[i]))
      return 2;
  for (int i = 0; i < Threads; ++i) {
    pthread_join(threads[i], NULL);
    agree += !failed[i];
  }
  lattnCallableDestroy(shared);
  printf("%d threads agree\n", agree);
  return 0;
}
