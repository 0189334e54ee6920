//===- Substitution.h - Expressions at other coordinates --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_SUBSTITUTION_H
#define LATTN_LIB_RAISE_SUBSTITUTION_H

#include "Evaluator.h"

namespace lattn::raise {

/// Replaces expressions by others, and simplifies the expressions that contain
/// them. Elements of tensors are read at their new indices.
class Substitution {
public:
  explicit Substitution(Evaluator &evaluator) : evaluator(evaluator) {}

  void set(Expr from, Expr to) {
    known[from] = to;
    changed |= from->vars;
  }
  /// Null where the result is too large.
  Expr apply(Expr e);
  std::optional<llvm::SmallVector<Expr>> apply(llvm::ArrayRef<Expr> from);

private:
  Expr rebuild(Expr e, llvm::ArrayRef<Expr> operands);

  Evaluator &evaluator;
  llvm::DenseMap<Expr, Expr> known;
  uint64_t changed = 0; // vars
};

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_SUBSTITUTION_H
