//===- attention_kernel.c - The bundle's kernels on the host --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For the stand-in of the CUDA driver: what the kernels of small.toml compute,
// from the parameters that they are launched with.

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { QUERY, KEY, VALUE, OUT, FIELDS = 11 };

typedef struct {
  uint16_t *data;
  int64_t sizes[4], strides[4];
} Array;

static int64_t getField(void **parameters, int array, int field) {
  return *(int64_t *)parameters[array * FIELDS + field];
}

static Array getArray(void **parameters, int array) {
  Array a;
  a.data = (uint16_t *)getField(parameters, array, 1) +
           getField(parameters, array, 2);
  for (int axis = 0; axis < 4; ++axis) {
    a.sizes[axis] = getField(parameters, array, 3 + axis);
    a.strides[axis] = getField(parameters, array, 7 + axis);
  }
  return a;
}

static uint16_t *getElement(Array a, int64_t b, int64_t h, int64_t i,
                            int64_t d) {
  return a.data + b * a.strides[0] + h * a.strides[1] + i * a.strides[2] +
         d * a.strides[3];
}

static float widen(uint16_t bits, int isBF16) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  _Float16 half;
  memcpy(&value, &wide, 4);
  memcpy(&half, &bits, 2);
  return isBF16 ? value : (float)half;
}

static uint16_t narrow(float value, int isBF16) {
  uint32_t wide;
  uint16_t bits;
  _Float16 half = (_Float16)value;
  memcpy(&wide, &value, 4);
  memcpy(&bits, &half, 2);
  return isBF16 ? (uint16_t)((wide + 0x7fff + (wide >> 16 & 1)) >> 16) : bits;
}

/// Sizes of 64 are causal attention of bf16, others of f16 with 30 keys before
/// and 5 behind.
static void attend(Array q, Array k, Array v, Array o, int64_t b, int64_t h,
                   int64_t i) {
  int64_t dim = q.sizes[3], group = q.sizes[1] / k.sizes[1];
  int64_t p = k.sizes[2] - q.sizes[2] + i;
  int isBF16 = dim == 64;
  int64_t left = isBF16 ? p : 30, right = isBF16 ? 0 : 5;
  float sum = 0, row[64] = {0};
  for (int64_t t = p > left ? p - left : 0; t <= p + right && t < k.sizes[2];
       ++t) {
    float score = 0;
    for (int64_t d = 0; d < dim; ++d)
      score += widen(*getElement(q, b, h, i, d), isBF16) *
               widen(*getElement(k, b, h / group, t, d), isBF16);
    float weight = expf(score / sqrtf(dim));
    sum += weight;
    for (int64_t d = 0; d < dim; ++d)
      row[d] += weight * widen(*getElement(v, b, h / group, t, d), isBF16);
  }
  for (int64_t d = 0; d < dim; ++d)
    *getElement(o, b, h, i, d) = narrow(sum > 0 ? row[d] / sum : 0, isBF16);
}

void attention_kernel(void **parameters, const unsigned *grid,
                      const unsigned *block) {
  Array q = getArray(parameters, QUERY), k = getArray(parameters, KEY),
        v = getArray(parameters, VALUE), o = getArray(parameters, OUT);
  (void)grid, (void)block;
  for (int64_t b = 0; b < q.sizes[0]; ++b)
    for (int64_t h = 0; h < q.sizes[1]; ++h)
      for (int64_t i = 0; i < q.sizes[2]; ++i)
        attend(q, k, v, o, b, h, i);
}
