/*===- check.c - Calls attend and compares it with naive loops -----*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADS = 2, LENGTH = 48, WIDTH = 8, LEFT = 9 };
enum { COUNT = HEADS * LENGTH * WIDTH };

/* The first and last key that query i sees, also where they are outside. */
#ifdef CHUNK /* of own-window: the query's chunk and LEFT keys before it */
#define FIRST_KEY(i) ((i) / CHUNK * CHUNK - LEFT)
#define LAST_KEY(i) ((i) / CHUNK * CHUNK + CHUNK - 1)
#else
#define FIRST_KEY(i) ((i) - LEFT)
#define LAST_KEY(i) (i)
#endif

/** MLIR's descriptor of a memref with 4 axes. */
typedef struct {
  float *allocated, *data;
  int64_t offset, sizes[4], strides[4];
} Array;

/** What attend.mlir becomes. */
void _mlir_ciface_attend(Array *result, Array *q, Array *k, Array *v, Array *r);

static float q[COUNT], k[COUNT], v[COUNT], r[COUNT];

static void fill(float *x, uint32_t seed) {
  for (int i = 0; i < COUNT; ++i) {
    seed = seed * 1664525 + 1013904223;
    x[i] = (float)((seed >> 8) / 8388608.0 - 1);
  }
}

static Array describe(float *x) {
  Array array = {
      x, x, 0, {1, HEADS, LENGTH, WIDTH}, {COUNT, LENGTH * WIDTH, WIDTH, 1}};
  return array;
}

/** Element d of query i of head h, in double. */
static double expect(int h, int i, int d) {
  double sum = 0, acc = 0;
  int first = h * LENGTH;
  for (int j = 0; j < LENGTH; ++j) {
    if (j < FIRST_KEY(i) || j > LAST_KEY(i))
      continue;
    double score = 0;
    for (int e = 0; e < WIDTH; ++e)
      score += 2.0 * q[(first + i) * WIDTH + e] * k[(first + j) * WIDTH + e];
    double weight = exp(score / sqrt(WIDTH));
    sum += weight;
    acc += weight * v[(first + j) * WIDTH + d];
  }
  return acc / sum + r[(first + i) * WIDTH + d];
}

int main(void) {
  fill(q, 1), fill(k, 2), fill(v, 3), fill(r, 4);
  Array a = describe(q), b = describe(k), c = describe(v), e = describe(r);
  Array result;
  _mlir_ciface_attend(&result, &a, &b, &c, &e);
  double worst = 0;
  for (int h = 0; h < HEADS; ++h)
    for (int i = 0; i < LENGTH; ++i)
      for (int d = 0; d < WIDTH; ++d) {
        float found =
            result.data[result.offset + h * result.strides[1] +
                        i * result.strides[2] + d * result.strides[3]];
        double error = fabs(found - expect(h, i, d));
        worst = error > worst || isnan(error) ? error : worst;
      }
  free(result.allocated);
  printf("largest error %.1e of %d elements\n", worst, COUNT);
  return worst < 1e-5 ? 0 : 1;
}
