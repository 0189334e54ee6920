//===- EmptyArrays.h - Operations on arrays without elements ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_IR_EMPTYARRAYS_H
#define LATTN_LIB_DIALECT_LATTN_IR_EMPTYARRAYS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace lattn {

/// Canonicalizations of operations whose arrays have a static extent of 0.
void addEmptyArrayPatterns(mlir::RewritePatternSet &patterns);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_IR_EMPTYARRAYS_H
