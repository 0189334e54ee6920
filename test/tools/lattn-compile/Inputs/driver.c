//===- driver.c - Calls compiled functions --------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reads query, key and value, each 2x4x300x16, from the folder's .bin files and
// writes the output and the sums' logarithms.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lattn_4d_f32 read(const char *path) {
  lattn_4d_f32 a = {0};
  const int64_t sizes[] = {2, 4, 300, 16}, strides[] = {19200, 4800, 16, 1};
  size_t count = 2 * 4 * 300 * 16;
  memcpy(a.sizes, sizes, sizeof(sizes));
  memcpy(a.strides, strides, sizeof(strides));
  a.allocated = a.aligned = malloc(count * sizeof(float));
  FILE *file = fopen(path, "rb");
  if (!file || fread(a.aligned, sizeof(float), count, file) != count)
    exit(2);
  fclose(file);
  return a;
}

/// Results are dense.
static void write(const char *path, const float *elements, size_t count) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(elements, sizeof(float), count, file) != count)
    exit(2);
  fclose(file);
}

int main(void) {
  lattn_4d_f32 q = read("q.bin"), k = read("k.bin"), v = read("v.bin");
  main_results results;
  for (int i = 0; i < 3; ++i) {
    _mlir_ciface_main(&results, &q, &k, &v);
    if (i < 2) {
      free(results.result0.allocated);
      free(results.result1.allocated);
    }
  }
  write("o.bin", results.result0.aligned + results.result0.offset,
        2 * 4 * 300 * 16);
  write("l.bin", results.result1.aligned + results.result1.offset, 2 * 4 * 300);
  printf("%d\n", _mlir_ciface_odd(3) + 2 * _mlir_ciface_odd(4));
  return 0;
}
