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
#include <stdlib.h>
#include <string.h>

enum {
  QUERY,
  KEY,
  VALUE,
  OUT,
  LSE,
  D_OUT,
  D_QUERY,
  D_KEY,
  D_VALUE,
  FIELDS = 11
};

typedef struct {
  uint16_t *data;
  int64_t sizes[4], strides[4];
} Array;

static int64_t getField(void **parameters, int array, int field) {
  return *(int64_t *)parameters[array * FIELDS - (array > LSE ? 2 : 0) + field];
}

static Array getArray(void **parameters, int array) {
  Array a;
  a.data = (uint16_t *)getField(parameters, array, 1) +
           getField(parameters, array, 2);
  int rank = array == LSE ? 3 : 4;
  for (int axis = 0; axis < rank; ++axis) {
    a.sizes[axis] = getField(parameters, array, 3 + axis);
    a.strides[axis] = getField(parameters, array, 3 + rank + axis);
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
static int isBF16(Array q) { return q.sizes[3] == 64; }

static int sees(Array q, Array k, int64_t i, int64_t t) {
  int64_t p = k.sizes[2] - q.sizes[2] + i;
  return isBF16(q) ? t <= p : t >= p - 30 && t <= p + 5;
}

static float getDot(int64_t b, Array x, int64_t h, int64_t i, Array y,
                    int64_t g, int64_t t) {
  float sum = 0;
  for (int64_t d = 0; d < x.sizes[3]; ++d)
    sum += widen(*getElement(x, b, h, i, d), isBF16(x)) *
           widen(*getElement(y, b, g, t, d), isBF16(x));
  return sum;
}

static void attend(Array q, Array k, Array v, Array o, int64_t b, int64_t h,
                   int64_t i) {
  int64_t dim = q.sizes[3], g = h / (q.sizes[1] / k.sizes[1]);
  float sum = 0, row[64] = {0};
  for (int64_t t = 0; t < k.sizes[2]; ++t) {
    if (!sees(q, k, i, t))
      continue;
    float weight = expf(getDot(b, q, h, i, k, g, t) / sqrtf(dim));
    sum += weight;
    for (int64_t d = 0; d < dim; ++d)
      row[d] += weight * widen(*getElement(v, b, g, t, d), isBF16(q));
  }
  for (int64_t d = 0; d < dim; ++d)
    *getElement(o, b, h, i, d) = narrow(sum > 0 ? row[d] / sum : 0, isBF16(q));
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

/// The gradients of a head of keys and values, and of the queries that share
/// it.
static void differentiate(void **parameters, int64_t b, int64_t g) {
  Array q = getArray(parameters, QUERY), k = getArray(parameters, KEY),
        v = getArray(parameters, VALUE), o = getArray(parameters, OUT),
        lse = getArray(parameters, LSE), dO = getArray(parameters, D_OUT),
        dQ = getArray(parameters, D_QUERY), dK = getArray(parameters, D_KEY),
        dV = getArray(parameters, D_VALUE);
  int64_t dim = q.sizes[3], keys = k.sizes[2], group = q.sizes[1] / k.sizes[1];
  float *sums = calloc(2 * keys * dim, sizeof(float)), scale = 1 / sqrtf(dim);
  for (int64_t h = g * group; h < (g + 1) * group; ++h)
    for (int64_t i = 0; i < q.sizes[2]; ++i) {
      float row[64] = {0};
      float *l = (float *)lse.data + b * lse.strides[0] + h * lse.strides[1] +
                 i * lse.strides[2];
      for (int64_t t = 0; t < keys; ++t) {
        if (!sees(q, k, i, t))
          continue;
        float p = expf(getDot(b, q, h, i, k, g, t) * scale - *l);
        float ds =
            p * scale *
            (getDot(b, dO, h, i, v, g, t) - getDot(b, dO, h, i, o, h, i));
        for (int64_t d = 0; d < dim; ++d) {
          row[d] += ds * widen(*getElement(k, b, g, t, d), isBF16(q));
          sums[t * dim + d] +=
              ds * widen(*getElement(q, b, h, i, d), isBF16(q));
          sums[(keys + t) * dim + d] +=
              p * widen(*getElement(dO, b, h, i, d), isBF16(q));
        }
      }
      for (int64_t d = 0; d < dim; ++d)
        *getElement(dQ, b, h, i, d) = narrow(row[d], isBF16(q));
    }
  for (int64_t t = 0; t < keys; ++t)
    for (int64_t d = 0; d < dim; ++d) {
      *getElement(dK, b, g, t, d) = narrow(sums[t * dim + d], isBF16(q));
      *getElement(dV, b, g, t, d) =
          narrow(sums[(keys + t) * dim + d], isBF16(q));
    }
  free(sums);
}

/// Does the work of all kernels of a backward pass.
void attention_key_value(void **parameters, const unsigned *grid,
                         const unsigned *block) {
  (void)grid, (void)block;
  for (int64_t b = 0; b < getField(parameters, KEY, 3); ++b)
    for (int64_t g = 0; g < getField(parameters, KEY, 4); ++g)
      differentiate(parameters, b, g);
}
