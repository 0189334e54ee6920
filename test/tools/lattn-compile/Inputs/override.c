//===- override.c - A program with a runtime of its own -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[4], strides[4];
} Array;

void _mlir_ciface_local(Array *result, Array *q);

static int loops, alive;

#ifndef PLAIN
void lattn_parallel_for(void (*body)(void *, int64_t, int64_t), void *context,
                        int64_t count) {
  ++loops;
  for (int64_t i = count; i-- > 0;)
    body(context, i, i + 1);
}

void lattn_fail(const char *message) { printf("failed: %s\n", message); }

void *_mlir_memref_to_llvm_alloc(int64_t bytes) {
  ++alive;
  return malloc(bytes);
}

void _mlir_memref_to_llvm_free(void *pointer) {
  alive -= pointer != 0;
  free(pointer);
}
#endif

int main(void) {
  static float elements[80];
  Array q = {elements, elements, 0, {1, 1, 10, 8}, {80, 80, 8, 1}}, result;
  _mlir_ciface_local(&result, &q); // 10 is no multiple of 4
  q.sizes[2] = 8;
  alive = 0;
  _mlir_ciface_local(&result, &q);
  printf("loops: %s, blocks alive: %d\n", loops ? "yes" : "no", alive);
  free(result.allocated);
  return 0;
}
