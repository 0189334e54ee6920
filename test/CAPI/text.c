/*===- text.c - Texts and their lengths ----------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// A length that is no text's is an error, and nothing behind the text is read.

// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: %t | FileCheck %s

#include "lattn-c/CUDACallable.h"
#include "lattn-c/Module.h"
#include <stdio.h>
#include <string.h>

static const char text[] = "func.func @none() { return }";

static void fail(LattnError error) {
  printf("error: %s\n", error ? error : "none");
  lattnErrorFree(error);
}

static void create(const char *given, size_t length) {
  LattnCallable *callable = NULL;
  LattnCompileOptions options = {NULL, NULL, "loops", "off", false, false};
  fail(lattnCallableCreate(given, length, "t", NULL, &options, &callable));
  lattnCallableDestroy(callable);
}

int main(void) {
  LattnCudaCallable *onDevice = NULL;
  LattnModule *module = NULL;
  LattnContext *context = lattnContextCreate();
  int64_t rows;
  // CHECK:      error: none
  create(text, strlen(text));
  // CHECK-NEXT: error: none
  create(text, sizeof(text));
  // CHECK-NEXT: error: t:1:20: expected operation name in quotes
  create(text, 20);
  // CHECK-NEXT: error: the outermost module has no public function to run
  create(text, 0);
  // CHECK-NEXT: error: expected text of 30 bytes, got one that ends with a zero
  // after 28
  create(text, sizeof(text) + 1);
  // CHECK-NEXT: error: expected text of 18446744073709551615 bytes, {{.*}}
  // after 28
  create(text, SIZE_MAX);
  // CHECK-NEXT: error: expected text of 18446744073709551615 bytes, {{.*}}
  // after 4
  create("ML\357R", SIZE_MAX);
  // CHECK-NEXT: error: expected text, got NULL
  create(NULL, 4);
  // CHECK-NEXT: error: expected text of 1099511627776 bytes, {{.*}} after 28
  fail(lattnModuleParse(context, text, (size_t)1 << 40, "t", &module));
  // CHECK-NEXT: error: expected text of 1099511627776 bytes, {{.*}} after 28
  fail(lattnCudaCallableCreate(text, (size_t)1 << 40, "t", NULL, NULL, 0, NULL,
                               &onDevice));
  // CHECK-NEXT: error: expected a place for the columns, got NULL
  fail(lattnGetMatmulBlock(&rows, NULL));
  lattnContextDestroy(context);
  return 0;
}
