//===- Attention.h - Plain float64 reference attention ----------*- C++ -*-===//
//
// Part of lattn, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle: attention in float64, one row at a time, written for reading. It
// shares no code with the compiler, so that the two cannot make the same
// mistake.
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_REFERENCE_ATTENTION_H
#define LATTN_REFERENCE_ATTENTION_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lattn::reference {

/// Which keys a position sees. An absent field does not restrict. No field may
/// be negative, and `bucket` is at least 1. `back` and `forward` count buckets
/// and have no meaning without `bucket`.
struct Window {
  std::optional<int64_t> left, right, bucket;
  int64_t back = 0, forward = 0;
};

/// Key t is visible from position p iff
///   p - left <= t <= p + right  and
///   floor(p/bucket) - back <= floor(t/bucket) <= floor(p/bucket) + forward.
bool isVisible(const Window &window, int64_t p, int64_t t);

/// Which weights are multiplied by 0, and the others by 1 / (1 - p).
struct Dropout {
  double p = 0;
  int64_t seed = 0, offset = 0;
};

/// Whether pair (row, q, k) is kept, row = b * H + h.
bool isKept(const Dropout &dropout, int64_t row, int64_t q, int64_t k);

/// Letters: B batch, H heads, Hkv kvHeads, N queries, M keys, D headDim,
/// Dv valueDim. H is a multiple of Hkv; query head h reads head h / (H / Hkv).
struct AttentionProblem {
  int64_t batch = 0, heads = 0, kvHeads = 0;
  int64_t queries = 0, keys = 0, headDim = 0, valueDim = 0;

  /// Dense, last index fastest.
  const double *query = nullptr; ///< (B, H, N, D)
  const double *key = nullptr;   ///< (B, Hkv, M, D)
  const double *value = nullptr; ///< (B, Hkv, M, Dv)

  Window window;

  /// Factor on the products; absent = D^-0.5.
  std::optional<double> scale;

  /// Query i of batch b stands at position offset[b] + i. Empty = kvLens[b] - N
  /// (after clamping), one entry = the same for all b, else (B).
  std::vector<int64_t> offset;

  /// (B), clamped to [0, M]: keys from kvLens[b] on do not exist. Empty = M.
  std::vector<int64_t> kvLens;

  /// (B, M), nonzero = the key takes part. Empty = all do.
  std::vector<uint8_t> keyMask;

  /// (H), an extra score for each query head: part of max, sum and LSE, but
  /// without a value. Empty = none.
  std::vector<double> sink;

  std::optional<Dropout> dropout;

  /// Added to the score, after `score`. Called for visible pairs only.
  std::function<double(int64_t b, int64_t h, int64_t q, int64_t k)> bias;

  /// Maps the scaled product to a score; q is the row index, not the position.
  /// Called for visible pairs only.
  std::function<double(double s, int64_t b, int64_t h, int64_t q, int64_t k)>
      score;
};

struct AttentionResult {
  std::vector<double> out; ///< (B, H, N, Dv)
  std::vector<double> lse; ///< (B, H, N), natural log of the sum of exp
};

/// Computes all rows. A key that is not visible, or whose score is -inf, never
/// influences the result. A row without keys and sink is 0, and its LSE is
/// -inf.
AttentionResult attention(const AttentionProblem &problem);

/// One row: writes Dv values to `outRow` and one to `lse`.
void attentionRow(const AttentionProblem &problem, int64_t b, int64_t h,
                  int64_t q, double *outRow, double *lse);

/// The number of pairs (b, h, query, key) that window, key mask and kvLens
/// leave visible.
int64_t visiblePairs(const AttentionProblem &problem);

} // namespace lattn::reference

#endif // LATTN_REFERENCE_ATTENTION_H
