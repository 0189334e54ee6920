/*===- module.c - MLIR in and out, passes, diagnostics -------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: %t %t.mlir 2>%t.err | FileCheck %s
// RUN: count 0 <%t.err

#include "lattn-c/Module.h"
#include <stdio.h>
#include <string.h>

static const char *const text =
    "!t = tensor<1x1x?x?xf32>\n"
    "func.func @attention(%q: !t) -> !t {\n"
    "  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)\n"
    "      outs(%q : !t)\n"
    "  return %0 : !t\n"
    "}\n";

static void fail(LattnError error) {
  printf("error: %s\n", error ? error : "none");
  lattnErrorFree(error);
}

static void print(char *taken) {
  printf("%s", taken ? taken : "nothing\n");
  lattnTextFree(taken);
}

// CHECK-LABEL: errors
static void testErrors(LattnContext *context, LattnModule *module) {
  LattnModule *none = NULL;
  LattnCallable *callable = NULL;
  char *ptx = NULL;
  LattnCompileOptions options = {"nothing", NULL, NULL, NULL, false, false};
  puts("errors");
  // CHECK-NEXT: error: broken.mlir:1:1: custom op 'nonsense' is unknown
  fail(lattnModuleParse(context, "nonsense", 8, "broken.mlir", &none));
  // CHECK-NEXT: error: cannot read 'no/such/file.mlir': No such file
  fail(lattnModuleParseFile(context, "no/such/file.mlir", &none));
  // CHECK-NEXT: error: {{.*}}'no-such-pass' does not refer to a registered pass
  fail(lattnModuleRunPipeline(module, "no-such-pass"));
  // CHECK: error: {{.*}}expected {{.*}} of 1 to 512 queries
  fail(lattnModuleRunPipeline(module, "lattn-tile{query-tile=0}"));
  // CHECK-NEXT: error: no public function 'none', expected one of: attention
  fail(lattnModuleCompile(module, "none", NULL, &callable));
  // CHECK-NEXT: error: {{.*}}nothing
  fail(lattnModuleCompile(module, NULL, &options, &callable));
  // CHECK-NEXT: error: {{.*}}unknown GPU 'sm_1': expected one of sm_80, {{.*}}
  fail(lattnModuleCompilePTX(module, "sm_1", &ptx));
  // CHECK-NEXT: error: expected a chip, got NULL
  fail(lattnModuleCompilePTX(module, NULL, &ptx));
  // CHECK-NEXT: 1 nothing
  printf("%d ", none == NULL && callable == NULL && ptx == NULL);
  print(lattnContextTakeWarnings(context));
}

// CHECK-LABEL: compile
static void testCompile(LattnContext *context, LattnModule *module) {
  LattnCallable *callable = NULL;
  LattnArray result;
  float q[2] = {1, 3};
  const int64_t sizes[4] = {1, 1, 2, 1};
  LattnArray argument = {q, LattnF32, 4, sizes, NULL, NULL};
  puts("compile");
  // CHECK-NEXT: error: none
  fail(lattnModuleCompile(module, NULL, NULL, &callable));
  // CHECK-NEXT: mine.mlir:3:8: warning: attention stays untiled
  print(lattnContextTakeWarnings(context));
  // CHECK: nothing
  print(lattnContextTakeWarnings(context));
  // CHECK-NEXT: error: none
  fail(lattnCallableCall(callable, &argument, 1, &result));
  // exp(3) / (exp(1) + exp(3)) is 0.8808.
  // CHECK-NEXT: 2.762 2.995
  printf("%.3f %.3f\n", ((float *)result.data)[0], ((float *)result.data)[1]);
  lattnArrayRelease(&result);
  lattnCallableDestroy(callable);
}

// CHECK-LABEL: passes
static void testPasses(LattnContext *context, LattnModule *module,
                       const char *path) {
  LattnModule *copy = NULL;
  FILE *file = fopen(path, "w");
  char *printed = lattnModulePrint(module);
  puts("passes");
  fputs(printed, file);
  fclose(file);
  // CHECK-NEXT: error: none
  fail(lattnModuleParseFile(context, path, &copy));
  // CHECK-NEXT: error: none
  fail(lattnModuleRunPipeline(copy, "lattn-convert-to-online, canonicalize"));
  // CHECK: module {
  // CHECK: lattn.online_attention
  print(lattnModulePrint(copy));
  // CHECK: error: none
  fail(lattnModuleRunPipeline(copy,
                              "builtin.module(lattn-decompose,canonicalize)"));
  // CHECK: module {
  // CHECK: linalg.generic
  print(lattnModulePrint(copy));
  lattnModuleDestroy(copy);
  // The other is as it was.
  print(lattnModulePrint(module)); // CHECK: = lattn.attention
  lattnTextFree(printed);
}

int main(int argc, char **argv) {
  LattnContext *context = lattnContextCreate();
  LattnModule *module = NULL;
  if (argc != 2 ||
      lattnModuleParse(context, text, strlen(text), "mine.mlir", &module))
    return 1;
  testErrors(context, module);
  testCompile(context, module);
  testPasses(context, module, argv[1]);
  lattnModuleDestroy(module);
  lattnContextDestroy(context);
  lattnModuleDestroy(NULL);
  lattnContextDestroy(NULL);
  lattnTextFree(NULL);
  return 0;
}
