/*===- online_step.c - A kernel of this project --------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* One step of online softmax: acc, max and sum of each query take in the     *|
|* keys that it sees. own-opt calls it for lattn.online_attention.            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include <math.h>
#include <stdint.h>

typedef struct {
  float *allocated, *data;
  int64_t offset, sizes[4], strides[4];
} Array4;

typedef struct {
  float *allocated, *data;
  int64_t offset, sizes[3], strides[3];
} Array3;

static float *getRow(const Array4 *a, int64_t b, int64_t h, int64_t i) {
  return a->data + a->offset + b * a->strides[0] + h * a->strides[1] +
         i * a->strides[2];
}

static float *get(const Array3 *a, int64_t b, int64_t h, int64_t i) {
  return a->data + a->offset + b * a->strides[0] + h * a->strides[1] +
         i * a->strides[2];
}

static void takeKey(float score, const float *value, int64_t valueStride,
                    float *acc, int64_t accStride, int64_t width, float *max,
                    float *sum) {
  float raised = fmaxf(*max, score);
  float keep = *max == -INFINITY ? 0 : expf(*max - raised);
  float weight = expf(score - raised);
  *sum = keep * *sum + weight;
  *max = raised;
  for (int64_t d = 0; d < width; ++d)
    acc[d * accStride] =
        keep * acc[d * accStride] + weight * value[d * valueStride];
}

void _mlir_ciface_online_step(const Array4 *q, const Array4 *k, const Array4 *v,
                              const Array4 *acc, const Array3 *max,
                              const Array3 *sum, double scale, int64_t left,
                              int64_t right, int64_t firstQuery,
                              int64_t firstKey) {
  int64_t group = q->sizes[1] / k->sizes[1];
  for (int64_t b = 0; b < q->sizes[0]; ++b)
    for (int64_t h = 0; h < q->sizes[1]; ++h)
      for (int64_t i = 0; i < q->sizes[2]; ++i)
        for (int64_t j = 0; j < k->sizes[2]; ++j) {
          int64_t distance = firstQuery + i - firstKey - j;
          if ((left >= 0 && distance > left) ||
              (right >= 0 && -distance > right))
            continue;
          const float *query = getRow(q, b, h, i);
          const float *key = getRow(k, b, h / group, j);
          float score = 0;
          for (int64_t d = 0; d < q->sizes[3]; ++d)
            score += query[d * q->strides[3]] * key[d * k->strides[3]];
          takeKey(score * (float)scale, getRow(v, b, h / group, j),
                  v->strides[3], getRow(acc, b, h, i), acc->strides[3],
                  acc->sizes[3], get(max, b, h, i), get(sum, b, h, i));
        }
}
