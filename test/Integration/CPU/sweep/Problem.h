//===- Problem.h - The numbers of one run, and what should come out -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_PROBLEM_H
#define LATTN_TEST_SWEEP_PROBLEM_H

#include "Case.h"

namespace lattn::sweep {

/// A dense array of numbers that its element type can hold.
struct Numbers {
  ElementKind kind = ElementKind::F32;
  std::string axes; // letters as Module.cpp explains them
  llvm::SmallVector<int64_t> shape;
  std::vector<double> values;

  double &at(llvm::ArrayRef<int64_t> index);
  double at(llvm::ArrayRef<int64_t> index) const {
    return const_cast<Numbers *>(this)->at(index);
  }
};

/// The larger op that the run's is a tile of; without an origin they are one.
struct Problem {
  Shape whole, tile;
  int64_t first[4]; // the tile's first batch, head, query, key

  Numbers query, key, value; // (B, H, N, D) of the whole, in either layout
  std::optional<Numbers> bias, mask, lens, offset, sink;
  std::vector<Numbers> captures;
  std::optional<reference::Dropout> dropout;

  /// Where query `q` of the whole stands; whether it sees key `k`.
  int64_t getPosition(int64_t b, int64_t q) const;
  bool sees(const Case &c, int64_t b, int64_t q, int64_t k) const;
};

Problem makeProblem(const Case &c, const Run &run);

/// Changes the query, key, bias and captures of `p`.
class Random;
void makeExtreme(const Case &c, Problem &p, Random &random);

/// From the oracle, in float64: of the tile, (B, H, N, Dv) and (B, H, N).
reference::AttentionResult getExpected(const Case &c, const Problem &problem);

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_PROBLEM_H
