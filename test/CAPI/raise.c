/*===- raise.c - Attention that linalg says ------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// LattnCompileOptions::raise: the pass says what it did not find.

// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: %t | FileCheck %s

#include "lattn-c/Module.h"
#include <stdio.h>
#include <string.h>

// A softmax along axis 2, and 1.
static const char head[] =
    "func.func @attend(%q: tensor<1x2x1xf32>, %k: tensor<1x1x2xf32>,\n"
    "    %v: tensor<1x2x1xf32>) -> tensor<1x2x1xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<1x2x2xf32>\n"
    "  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>)\n"
    "      -> tensor<1x2x2xf32>\n"
    "  %s = linalg.batch_matmul\n"
    "      ins(%q, %k : tensor<1x2x1xf32>, tensor<1x1x2xf32>)\n"
    "      outs(%f : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>\n"
    "  %w = linalg.softmax dimension(";
static const char tail[] =
    ") ins(%s : tensor<1x2x2xf32>)\n"
    "      outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>\n"
    "  %o = tensor.empty() : tensor<1x2x1xf32>\n"
    "  %g = linalg.fill ins(%zero : f32) outs(%o : tensor<1x2x1xf32>)\n"
    "      -> tensor<1x2x1xf32>\n"
    "  %r = linalg.batch_matmul\n"
    "      ins(%w, %v : tensor<1x2x2xf32>, tensor<1x2x1xf32>)\n"
    "      outs(%g : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>\n"
    "  return %r : tensor<1x2x1xf32>\n"
    "}\n";

static void run(LattnContext *context, const char *axis, bool raise) {
  char text[2048], *warnings;
  LattnModule *module = NULL;
  LattnCallable *callable = NULL;
  LattnArray result;
  float q[2] = {1, 3}, v[2] = {1, 3};
  const int64_t column[3] = {1, 2, 1}, row[3] = {1, 1, 2};
  LattnArray arguments[3] = {{q, LattnF32, 3, column, NULL, NULL},
                             {q, LattnF32, 3, row, NULL, NULL},
                             {v, LattnF32, 3, column, NULL, NULL}};
  LattnCompileOptions options = {NULL, NULL, NULL, "off", raise, false};
  sprintf(text, "%s%s%s", head, axis, tail);
  if (lattnModuleParse(context, text, strlen(text), "t", &module) ||
      lattnModuleCompile(module, NULL, &options, &callable) ||
      lattnCallableCall(callable, arguments, 3, &result)) {
    puts("error");
    return;
  }
  warnings = lattnContextTakeWarnings(context);
  printf("axis %s, raise %d: %.3f %.3f\n%s\n", axis, raise,
         ((float *)result.data)[0], ((float *)result.data)[1],
         warnings ? warnings : "no warnings");
  lattnTextFree(warnings);
  lattnArrayRelease(&result);
  lattnCallableDestroy(callable);
  lattnModuleDestroy(module);
}

int main(void) {
  LattnContext *context = lattnContextCreate();
  // CHECK: axis 2, raise 0: 2.762 2.995
  run(context, "2", false);
  // CHECK: axis 2, raise 1: 2.762 2.995
  // CHECK-NOT: lattn-raise
  run(context, "2", true);
  // CHECK: axis 1, raise 0: 0.127 3.873
  // CHECK-NEXT: no warnings
  run(context, "1", false);
  // CHECK: axis 1, raise 1: 0.127 3.873
  // CHECK: remark: not raised to lattn.attention: the softmax is not along the
  // CHECK-SAME: keys
  // CHECK: warning: lattn-raise found no attention
  run(context, "1", true);
  lattnContextDestroy(context);
  return 0;
}
