//===- Softmax.h - Softmax in an expression ---------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_SOFTMAX_H
#define LATTN_LIB_RAISE_SOFTMAX_H

#include "Evaluator.h"
#include <string>

namespace lattn::raise {

struct Softmax {
  Expr scores;
  /// One more score, which has no key; null if there is none.
  Expr sink = nullptr;
  /// Whether a row whose scores are all -inf has weights 0 (NaN otherwise).
  bool emptyRowsAreZero = false;
};

/// Whether `weights` has an exponential, or a softmax op, above its loads.
bool mayBeSoftmax(Expr weights);

/// exp of scores, without a division: for products that are divided later.
bool isExponential(Exprs &exprs, Expr weights);

/// Matches `weights` as a softmax along `key`. If the result is null, `reason`
/// says why.
std::optional<Softmax> matchSoftmax(Evaluator &evaluator, Expr weights,
                                    Expr key, std::string &reason);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_SOFTMAX_H
