//===- Exponents.h - Exponents of weights, of any finite score --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A weight is exp(scale * score - shift), for the row's maximum or log-sum-exp
// as shift. One FMA makes its exponent of base 2: scale log2(e) * score -
// log2(e) * shift. That rounds log2(e) * shift, which also becomes infinite
// from 2.4e38 on. If a shift is large, it must be subtracted before anything is
// multiplied by log2(e).

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_EXPONENTS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_EXPONENTS_H

#include "KernelBuilder.h"

namespace lattn {

/// The exponent of base 2 of a weight is fma(score, factor, addends[v]).
struct Exponents {
  mlir::Value factor;
  llvm::SmallVector<mlir::Value> addends;
};

/// Builds a loop that visits the vectors of a tile's scores: where a vector
/// lies, and the index of its shift.
using VisitScore = llvm::function_ref<void(mlir::ValueRange at, int64_t v)>;
using ForEachScore = llvm::function_ref<void(VisitScore visit)>;

/// If any of `shifts` is finite and large, this subtracts them from `scores` in
/// place, which is rare. Else it costs some instructions for a whole tile.
Exponents getExponents(KernelBuilder &k, mlir::Value scores, double scale,
                       mlir::ValueRange shifts, ForEachScore forEachScore);

/// min(scale * score - shift, 0), rounded twice. -inf and NaN stay. Larger
/// differences are rounding errors: a sum of exponentials is no less than any
/// of its terms.
mlir::Value subtractShift(KernelBuilder &k, mlir::Value score, double scale,
                          mlir::Value shift);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_EXPONENTS_H
