//===- Case.h - What one case of the sweep compiles and runs ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_CASE_H
#define LATTN_TEST_SWEEP_CASE_H

#include "lattn/Execution/Program.h"
#include "lattn/Reference/Attention.h"

namespace lattn::sweep {

/// Which extents the module leaves open.
enum class Extents {
  Static,
  Sequence, // lengths of query and key
  Outer,    // those, batches and heads
  All       // those and the sizes of heads
};
enum class Bias {
  None,
  Full,    // (B, H, N, M)
  HeadKey, // (H, 1, M)
  Key,     // (M)
  Query,   // (N, 1)
  Batch,   // (B, 1, 1, M)
  Mod,     // (h, (q - k) mod 7)
  FloorDiv // ((k - q) floordiv 4 + 128, q ceildiv 3)
};
enum class Score {
  None,
  Softcap,   // 3 * tanh(s / 3)
  Alibi,     // s + slopes[h] * (k - q)
  Table,     // s + table[q, k]
  Documents, // queryDocs[q] == keyDocs[k] ? s : -inf
  Constant,  // 1/4, whatever s is
  PerHead    // s * (1 + ((b + h) mod 4) / 8)
};
enum class Offset { None, Scalar, PerBatch };
enum class Sink { None, Element, Accumulator };

// How a run fills its arrays.
enum class Strides { Dense, Padded, Permuted, Page, Unaligned };
enum class Lens { Random, Zero, Beyond, Negative, Mixed };
enum class Mask { Random, AllFalse, AllTrue, OneBatchFalse };
enum class Offsets { Aligned, Zero, Negative, Positive, Huge };
enum class Poison {
  None,
  Hidden, // NaN and infinities in everything that no row may see
  Visible // in a few queries, keys and values: their rows, and no others, show
          // it
};

enum class Range {
  Plain,  // products of normal numbers
  Extreme // scores of a row are equal, or far apart, up to the type's largest
};

struct Shape {
  int64_t batch = 1, heads = 1, kvHeads = 1, queries = 1, keys = 1;
};

/// One call of the compiled function.
struct Run {
  Shape shape;
  /// Where the op is a tile: what the larger op has before it and behind, along
  /// batch, kv heads, queries, keys.
  std::array<int64_t, 4> before = {}, behind = {};
  Strides strides = Strides::Dense;
  Lens lens = Lens::Random;
  Mask mask = Mask::Random;
  Offsets offsets = Offsets::Aligned;
  Poison poison = Poison::None;
  Range range = Range::Plain;
  uint64_t seed = 0;
};

struct Case {
  uint64_t seed = 0;
  int64_t index = 0;

  ElementKind kind = ElementKind::F32;
  int64_t headDim = 1, valueDim = 1;
  Extents extents = Extents::Sequence;
  bool memrefs = false, bnhd = false, lse = false, causal = false;
  bool origin = false, mask = false, dropout = false;
  reference::Window window;
  std::optional<double> scale;
  std::optional<ElementKind> lens; // I32 or I64
  Offset offset = Offset::None;
  Sink sink = Sink::None;
  Bias bias = Bias::None;
  bool biasIsAccumulator = false;
  Score score = Score::None;

  bool isMixed = false;    // lanes are
  CompileOptions options;  // of the fast pipeline
  bool isEmulated = false; // AMX and AVX512-BF16 are
  std::vector<Run> runs;

  /// f32, f64 for f64.
  ElementKind getAccumulator() const {
    return kind == ElementKind::F64 ? ElementKind::F64 : ElementKind::F32;
  }
};

/// Case `index` of the sweep of `seed`, whatever other cases are run.
Case makeCase(uint64_t seed, int64_t index);

/// Another target for a case, which this machine can stand in for.
void setTarget(Case &c, std::string cpu, std::string attributes);

/// One line.
std::string describe(const Case &c);
std::string describe(const Run &run);

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_CASE_H
