//===- Extents.h - Sizes that a valid program has equal ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_EXTENTS_H
#define LATTN_LIB_RAISE_EXTENTS_H

#include "Evaluator.h"

namespace lattn::raise {

/// Dimensions that are known at run time, as expressions of fewer others. Sizes
/// that reshapes keep, and sizes that two operands share, relate them. Looks at
/// everything that `op` is computed from.
llvm::DenseMap<Expr, Expr> collectExtents(Exprs &exprs, mlir::Operation *op);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_EXTENTS_H
