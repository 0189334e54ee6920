/*===- callable.c - Compile, describe and call from C --------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// REQUIRES: slow
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: %t %t.mlir | FileCheck %s

#include "lattn-c/Callable.h"
#include <stdio.h>
#include <string.h>

static const char *const text =
    "func.func @sums(%x: memref<?x4xf32, strided<[?, ?]>> {lattn.name = \"x\"},"
    "                %c: f32, %y: memref<?x4xf32>)\n"
    "    -> (memref<?x4xf32>, i64, memref<?x4xf32>) {\n"
    "  linalg.add ins(%x, %x : memref<?x4xf32, strided<[?, ?]>>,"
    "                 memref<?x4xf32, strided<[?, ?]>>)"
    "             outs(%y : memref<?x4xf32>)\n"
    "  %zero = arith.constant 0 : index\n"
    "  %n = memref.dim %x, %zero : memref<?x4xf32, strided<[?, ?]>>\n"
    "  %new = memref.alloc(%n) : memref<?x4xf32>\n"
    "  linalg.fill ins(%c : f32) outs(%new : memref<?x4xf32>)\n"
    "  %i = arith.index_cast %n : index to i64\n"
    "  return %new, %i, %y : memref<?x4xf32>, i64, memref<?x4xf32>\n"
    "}\n"
    "func.func @other() { return }\n";

static void fail(LattnError error) {
  printf("error: %s\n", error ? error : "none");
  lattnErrorFree(error);
}

static void describe(const LattnValueInfo *info) {
  printf("%s %s %s rank %d sizes", info->name, info->spelling,
         lattnElementTypeGetName(info->type), (int)info->rank);
  for (int i = 0; i < info->rank; ++i)
    printf(" %d", (int)info->sizes[i]);
  printf("%s%s\n", info->isArray ? "" : " scalar",
         info->isWritten ? " written" : "");
}

// CHECK-LABEL: errors
static void testErrors(void) {
  LattnCallable *callable = NULL;
  LattnCompileOptions options = {NULL, NULL, "quick", NULL, false, false};
  puts("errors");
  // CHECK-NEXT: error: broken.mlir:1:1: custom op 'nonsense' is unknown
  fail(
      lattnCallableCreate("nonsense", 8, "broken.mlir", NULL, NULL, &callable));
  // CHECK-NEXT: error: more than one public function{{.*}} sums, other
  fail(lattnCallableCreate(text, strlen(text), "t", NULL, NULL, &callable));
  // CHECK-NEXT: error: no public function 'none', expected one of: sums, other
  fail(lattnCallableCreate(text, strlen(text), "t", "none", NULL, &callable));
  // CHECK-NEXT: error: pipeline: expected 'llvm' or 'loops', got 'quick'
  fail(lattnCallableCreate(text, strlen(text), "t", "sums", &options,
                           &callable));
  // CHECK-NEXT: error: cannot read 'no/such/file.mlir': No such file
  fail(lattnCallableCreateFromFile("no/such/file.mlir", NULL, NULL, &callable));
  printf("%d\n", callable == NULL); // CHECK-NEXT: 1
}

// CHECK-LABEL: describe
// CHECK-NEXT: sums
// CHECK-NEXT: x memref<?x4xf32, strided<[?, ?]>> f32 rank 2 sizes -1 4
// CHECK-NEXT: arg1 f32 f32 rank 0 sizes scalar
// CHECK-NEXT: arg2 memref<?x4xf32> f32 rank 2 sizes -1 4 written
// CHECK-NEXT: out0 memref<?x4xf32> f32 rank 2 sizes -1 4
// CHECK-NEXT: out1 i64 i64 rank 0 sizes scalar
// CHECK-NEXT: out2 memref<?x4xf32> f32 rank 2 sizes -1 4
static void describeAll(const LattnCallable *callable) {
  puts("describe");
  printf("%s\n", lattnCallableGetEntry(callable));
  for (int i = 0; i < lattnCallableGetNumArguments(callable); ++i) {
    LattnValueInfo info = lattnCallableGetArgument(callable, i);
    describe(&info);
  }
  for (int i = 0; i < lattnCallableGetNumResults(callable); ++i) {
    LattnValueInfo info = lattnCallableGetResult(callable, i);
    describe(&info);
  }
}

// CHECK-LABEL: call
static void testCall(const LattnCallable *callable) {
  float x[16], y[8], c = 0.5f;
  const int64_t sizes[2] = {2, 4}, wide[2] = {4, 2}, strides[2] = {8, -2};
  LattnArray arguments[3] = {{x + 6, LattnF32, 2, sizes, strides, NULL},
                             {&c, LattnF32, 0, NULL, NULL, NULL},
                             {y, LattnF32, 2, sizes, NULL, NULL}};
  LattnArray results[3];
  puts("call");
  for (int i = 0; i < 16; ++i)
    x[i] = (float)i;
  // CHECK-NEXT: error: none
  fail(lattnCallableCall(callable, arguments, 3, results));
  /* Every second element of a row, backwards, twice. */
  printf("%g %g %g %g\n", y[0], y[3], y[4], y[7]); // CHECK-NEXT: 12 0 28 16
  // CHECK-NEXT: 2x4: 0.5 0.5, 2, 12 16
  printf("%dx%d: %g %g, %d, %g %g\n", (int)results[0].sizes[0],
         (int)results[0].sizes[1], ((float *)results[0].data)[0],
         ((float *)results[0].data)[7], (int)*(int64_t *)results[1].data,
         ((float *)results[2].data)[0], ((float *)results[2].data)[7]);
  /* A result is no argument's memory. */
  printf("%d\n", results[2].data != (void *)y); // CHECK-NEXT: 1
  for (int i = 0; i < 3; ++i) {
    lattnArrayRelease(&results[i]);
    lattnArrayRelease(&results[i]);
  }
  // CHECK-NEXT: error: 'sums' takes 3 arguments, got 2
  fail(lattnCallableCall(callable, arguments, 2, results));
  arguments[2].strides = strides;
  // CHECK-NEXT: error: 'arg2': expected memref<?x4xf32>, {{.*}} strides (8, -2)
  fail(lattnCallableCall(callable, arguments, 3, results));
  arguments[0].sizes = wide;
  // CHECK-NEXT: error: 'x': expected memref<?x4xf32, {{.*}} the shape (4, 2)
  fail(lattnCallableCall(callable, arguments, 3, results));
  arguments[0].type = LattnF64;
  // CHECK-NEXT: error: 'x': expected elements of f32, got f64
  fail(lattnCallableCall(callable, arguments, 3, results));
}

// CHECK-LABEL: overlap
static void testOverlap(const LattnCallable *callable) {
  float packed[24] = {0}, c = 0;
  const int64_t sizes[2] = {2, 4}, strides[2] = {16, 1};
  LattnArray arguments[3] = {{packed, LattnF32, 2, sizes, strides, NULL},
                             {&c, LattnF32, 0, NULL, NULL, NULL},
                             {packed + 4, LattnF32, 2, sizes, NULL, NULL}};
  LattnArray results[3];
  puts("overlap");
  // CHECK-NEXT: error: none
  fail(lattnCallableCall(callable, arguments, 3, results));
  for (int i = 0; i < 3; ++i)
    lattnArrayRelease(&results[i]);
  /* The last element of one, and the first of the other's second row. */
  arguments[2].data = packed + 9;
  // CHECK-NEXT: error: 'arg2': expected memory of its own, got an array that
  // overlaps 'x'
  fail(lattnCallableCall(callable, arguments, 3, results));
  arguments[2].data = packed + 8;
  // CHECK-NEXT: error: none
  fail(lattnCallableCall(callable, arguments, 3, results));
  for (int i = 0; i < 3; ++i)
    lattnArrayRelease(&results[i]);
}

// CHECK-LABEL: file
static void testFile(const char *path) {
  LattnCallable *callable = NULL;
  LattnCompileOptions options = {NULL, NULL, "loops", "off", false, false};
  FILE *file = fopen(path, "w");
  puts("file");
  fputs(text, file);
  fclose(file);
  // CHECK-NEXT: error: none
  fail(lattnCallableCreateFromFile(path, "other", &options, &callable));
  // CHECK-NEXT: error: none
  fail(lattnCallableCall(callable, NULL, 0, NULL));
  lattnCallableDestroy(callable);
}

int main(int argc, char **argv) {
  LattnCallable *callable = NULL;
  if (argc != 2)
    return 1;
  testErrors();
  if (lattnCallableCreate(text, strlen(text), "t", "sums", NULL, &callable))
    return 2;
  describeAll(callable);
  testCall(callable);
  testOverlap(callable);
  lattnCallableDestroy(callable);
  testFile(argv[1]);
  // CHECK: error: none
  // CHECK-NEXT: error: threads: expected at most 4096, got 4097
  // CHECK-NEXT: 5 threads, version {{[0-9]+\.[0-9]+\.[0-9]+}}
  fail(lattnSetNumThreads(5));
  fail(lattnSetNumThreads(4097));
  printf("%d threads, version %s\n", (int)lattnGetNumThreads(),
         lattnGetVersion());
  return 0;
}
