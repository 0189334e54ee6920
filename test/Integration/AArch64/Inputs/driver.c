//===- driver.c - Calls attention programs, and computes them in f64 ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH, HEAD, POSITION, DIM, RANK };
typedef enum { F16, BF16, F32, F64 } Kind;

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[RANK], strides[RANK];
} Array;

typedef void Function(Array *result, Array *q, Array *k, Array *v, Array *out);
Function _mlir_ciface_window, _mlir_ciface_half, _mlir_ciface_brain,
    _mlir_ciface_double, _mlir_ciface_grouped, _mlir_ciface_softcap,
    _mlir_ciface_long;

typedef struct {
  const char *name;
  Function *function;
  Kind kind;
  int64_t batches, heads, kvHeads, queries, keys, dim, valueDim;
  int64_t left, right; // -1: not bounded
  int bnhd, softcap;
  double tolerance;
} Case;

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static int64_t getBytes(Kind kind) {
  return kind == F64 ? 8 : kind == F32 ? 4 : 2;
}

static void *getElement(const Array *a, Kind kind, int64_t b, int64_t h,
                        int64_t i, int64_t d) {
  int64_t at = a->offset + b * a->strides[BATCH] + h * a->strides[HEAD] +
               i * a->strides[POSITION] + d * a->strides[DIM];
  return (char *)a->aligned + at * getBytes(kind);
}

static double load(const void *element, Kind kind) {
  switch (kind) {
  case F16:
    return *(const __fp16 *)element;
  case BF16: {
    uint32_t bits = (uint32_t)*(const uint16_t *)element << 16;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
  }
  case F32:
    return *(const float *)element;
  default:
    return *(const double *)element;
  }
}

static void store(void *element, Kind kind, float value) {
  uint32_t bits;
  switch (kind) {
  case F16:
    *(__fp16 *)element = value;
    return;
  case BF16:
    memcpy(&bits, &value, sizeof(value));
    *(uint16_t *)element = bits >> 16;
    return;
  case F32:
    *(float *)element = value;
    return;
  default:
    *(double *)element = value;
  }
}

/// Axes as (batch, head, position, size), however they lie in memory.
static Array makeArray(Kind kind, int bnhd, int64_t batches, int64_t heads,
                       int64_t positions, int64_t dim) {
  Array a = {0};
  int64_t sizes[RANK] = {batches, heads, positions, dim};
  memcpy(a.sizes, sizes, sizeof(sizes));
  a.strides[DIM] = 1;
  a.strides[HEAD] = bnhd ? dim : positions * dim;
  a.strides[POSITION] = bnhd ? heads * dim : dim;
  a.strides[BATCH] = heads * positions * dim;
  int64_t count = batches * a.strides[BATCH];
  a.allocated = a.aligned = malloc(count * getBytes(kind));
  for (int64_t i = 0; i < count; ++i)
    store((char *)a.aligned + i * getBytes(kind), kind,
          2.0f * rand() / RAND_MAX - 1);
  return a;
}

/// As the function takes it: bnhd has heads and positions in that order.
static Array permute(Array a, int bnhd) {
  if (!bnhd)
    return a;
  Array p = a;
  p.sizes[1] = a.sizes[POSITION], p.sizes[2] = a.sizes[HEAD];
  p.strides[1] = a.strides[POSITION], p.strides[2] = a.strides[HEAD];
  return p;
}

//===----------------------------------------------------------------------===//
// Reference
//===----------------------------------------------------------------------===//

/// Row of the output; from the definition.
static void attend(const Case *c, const Array *q, const Array *k,
                   const Array *v, int64_t b, int64_t h, int64_t i,
                   double *row) {
  int64_t kvHead = h / (c->heads / c->kvHeads);
  int64_t position = c->keys - c->queries + i;
  double sum = 0;
  memset(row, 0, c->valueDim * sizeof(double));
  for (int64_t t = 0; t < c->keys; ++t) {
    if (c->left >= 0 && t < position - c->left)
      continue;
    if (c->right >= 0 && t > position + c->right)
      continue;
    double score = 0;
    for (int64_t d = 0; d < c->dim; ++d)
      score += load(getElement(q, c->kind, b, h, i, d), c->kind) *
               load(getElement(k, c->kind, b, kvHead, t, d), c->kind);
    score /= sqrt((double)c->dim);
    if (c->softcap)
      score = 2 * tanh(score);
    double weight = exp(score);
    sum += weight;
    for (int64_t d = 0; d < c->valueDim; ++d)
      row[d] += weight * load(getElement(v, c->kind, b, kvHead, t, d), c->kind);
  }
  for (int64_t d = 0; d < c->valueDim; ++d)
    row[d] = sum > 0 ? row[d] / sum : 0;
}

static double getLargestError(const Case *c, const Array *q, const Array *k,
                              const Array *v, const Array *out) {
  double largest = 0, row[256];
  for (int64_t b = 0; b < c->batches; ++b)
    for (int64_t h = 0; h < c->heads; ++h)
      for (int64_t i = 0; i < c->queries; ++i) {
        attend(c, q, k, v, b, h, i, row);
        for (int64_t d = 0; d < c->valueDim; ++d) {
          double got = load(getElement(out, c->kind, b, h, i, d), c->kind);
          double error = fabs(got - row[d]);
          if (!(error <= largest)) // NaN too
            largest = error;
        }
      }
  return largest;
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

/// Compiled code's; the last item first, for the order must not matter.
void lattn_parallel_for(void (*body)(void *, int64_t, int64_t), void *context,
                        int64_t count) {
  for (int64_t i = count; i-- > 0;)
    body(context, i, i + 1);
}

static int run(const Case *c) {
  srand(1);
  Array q =
      makeArray(c->kind, c->bnhd, c->batches, c->heads, c->queries, c->dim);
  Array k =
      makeArray(c->kind, c->bnhd, c->batches, c->kvHeads, c->keys, c->dim);
  Array v =
      makeArray(c->kind, c->bnhd, c->batches, c->kvHeads, c->keys, c->valueDim);
  Array o = makeArray(c->kind, c->bnhd, c->batches, c->heads, c->queries,
                      c->valueDim);
  Array pq = permute(q, c->bnhd), pk = permute(k, c->bnhd),
        pv = permute(v, c->bnhd), po = permute(o, c->bnhd), result;
  c->function(&result, &pq, &pk, &pv, &po);
  result = permute(result, c->bnhd);
  double error = getLargestError(c, &q, &k, &v, &result);
  int ok = error <= c->tolerance;
  printf("%s: %s", c->name, ok ? "ok\n" : "");
  if (!ok)
    printf("largest error %g, expected %g at most\n", error, c->tolerance);
  return ok;
}

int main(void) {
  const Case cases[] = {
      {"window", _mlir_ciface_window, F32, 2, 3, 3, 70, 70, 64, 64, 20, 3, 0, 0,
       3e-6},
      {"half", _mlir_ciface_half, F16, 1, 2, 2, 65, 65, 40, 40, -1, 0, 0, 0,
       1e-3},
      {"brain", _mlir_ciface_brain, BF16, 1, 2, 2, 31, 50, 33, 17, -1, -1, 0, 0,
       4e-3},
      {"double", _mlir_ciface_double, F64, 1, 2, 2, 40, 50, 16, 16, 7, -1, 0, 0,
       1e-14},
      {"grouped", _mlir_ciface_grouped, F32, 1, 6, 2, 37, 60, 64, 64, -1, 0, 1,
       0, 3e-6},
      {"softcap", _mlir_ciface_softcap, F32, 1, 1, 1, 33, 33, 64, 64, -1, -1, 0,
       1, 3e-6},
      {"long", _mlir_ciface_long, F32, 1, 2, 2, 1, 5000, 64, 64, -1, -1, 0, 0,
       3e-6},
  };
  int ok = 1;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    ok &= run(&cases[i]);
  return ok ? 0 : 1;
}
