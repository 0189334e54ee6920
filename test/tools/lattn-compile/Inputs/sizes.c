//===- sizes.c - Calls with sizes that contradict each other --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#include <string.h>

#ifndef PLAIN
void lattn_fail(const char *message);
void lattn_fail(const char *message) { printf("failed: %s\n", message); }
#endif

static float elements[4 * 5 * 64];

static lattn_4d_f32 make(int64_t heads, int64_t length, int64_t size) {
  lattn_4d_f32 a = {elements, elements, 0, {1, heads, length, size}, {0}};
  a.strides[3] = 1;
  a.strides[2] = size;
  a.strides[1] = length * size;
  a.strides[0] = heads * length * size;
  return a;
}

static void print(const char *name, const char *message) {
  printf("%s: %s\n", name, message ? message : "none");
}

int main(void) {
  lattn_4d_f32 query = make(4, 5, 64), key = make(2, 5, 64), value = key;
  print("good", lattn_check_sizes_attend(&query, &key, &value));
  lattn_4d_f32 other = make(4, 5, 32);
  print("size", lattn_check_sizes_attend(&other, &key, &value));
  other = make(3, 5, 64);
  print("heads", lattn_check_sizes_attend(&query, &other, &other));
  other = key;
  other.aligned = NULL;
  print("null", lattn_check_sizes_attend(&query, &other, &value));
  print("descriptor", lattn_check_sizes_attend(&query, &key, NULL));
  value = make(2, 3, 64);
  print("values", lattn_check_sizes_attend(&query, &key, &value));
  fflush(stdout);
  lattn_4d_f32 result;
  memset(&result, 1, sizeof(result));
  _mlir_ciface_attend(&result, &query, &key, &value);
  printf("no result: %d\n", !result.allocated && !result.aligned);
  return 0;
}
