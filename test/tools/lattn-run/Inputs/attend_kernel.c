//===- attend_kernel.c - A kernel's work on the host ----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For the stand-in of the CUDA driver: what the kernel of cuda.mlir is to
// compute, from the parameters that it is launched with.

#include <math.h>
#include <stdint.h>

// Where their descriptors begin: tensor maps stand before the output's.
enum { FIELDS = 11, QUERY = 0, KEY = FIELDS, VALUE = 2 * FIELDS, MAPS = 4 };
enum { OUT = 3 * FIELDS + MAPS };

typedef struct {
  _Float16 *data;
  int64_t sizes[4], strides[4];
} Array;

static int64_t getField(void **parameters, int array, int field) {
  return *(int64_t *)parameters[array + field];
}

/// Of a descriptor's fields: two pointers, offset, sizes, strides.
static Array getArray(void **parameters, int array) {
  Array a;
  a.data = (_Float16 *)getField(parameters, array, 1) +
           getField(parameters, array, 2);
  for (int axis = 0; axis < 4; ++axis) {
    a.sizes[axis] = getField(parameters, array, 3 + axis);
    a.strides[axis] = getField(parameters, array, 7 + axis);
  }
  return a;
}

static _Float16 *getRow(Array a, int64_t b, int64_t h, int64_t i) {
  return a.data + b * a.strides[0] + h * a.strides[1] + i * a.strides[2];
}

/// One query over itself and the ten keys before it.
static void attend(Array q, Array k, Array v, Array o, int64_t b, int64_t h,
                   int64_t i) {
  int64_t dim = q.sizes[3];
  float sum = 0, row[64] = {0};
  for (int64_t t = i > 10 ? i - 10 : 0; t <= i; ++t) {
    float score = 0;
    for (int64_t d = 0; d < dim; ++d)
      score += (float)getRow(q, b, h, i)[d] * (float)getRow(k, b, h, t)[d];
    float weight = expf(score / sqrtf(dim));
    sum += weight;
    for (int64_t d = 0; d < dim; ++d)
      row[d] += weight * (float)getRow(v, b, h, t)[d];
  }
  for (int64_t d = 0; d < dim; ++d)
    getRow(o, b, h, i)[d] = (_Float16)(row[d] / sum);
}

static void attendAll(void **parameters, int out) {
  Array q = getArray(parameters, QUERY), k = getArray(parameters, KEY),
        v = getArray(parameters, VALUE), o = getArray(parameters, out);
  for (int64_t b = 0; b < q.sizes[0]; ++b)
    for (int64_t h = 0; h < q.sizes[1]; ++h)
      for (int64_t i = 0; i < q.sizes[2]; ++i)
        attend(q, k, v, o, b, h, i);
}

void attend_kernel(void **parameters, const unsigned *grid,
                   const unsigned *block) {
  (void)grid, (void)block;
  attendAll(parameters, OUT);
}

void both_kernel(void **parameters, const unsigned *grid, const unsigned *block)
    __attribute__((alias("attend_kernel")));

/// The output is an argument of the function.
void write_kernel(void **parameters, const unsigned *grid,
                  const unsigned *block) {
  (void)grid, (void)block;
  attendAll(parameters, OUT - MAPS);
}
