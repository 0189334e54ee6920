//===- KnownAttributes.h - Ops that know all their attributes ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// MLIR keeps attributes that an op does not define. So a misspelt attribute
// would have no effect, and nobody would be told.

#ifndef LATTN_DIALECT_KNOWNATTRIBUTES_H
#define LATTN_DIALECT_KNOWNATTRIBUTES_H

#include "mlir/IR/OpDefinition.h"

namespace lattn {

/// The name in `known` that `name` is most likely a misspelling of, or "".
llvm::StringRef getNearestName(llvm::StringRef name,
                               llvm::ArrayRef<llvm::StringRef> known);

/// Fails on an attribute of `op` that `op` does not define, unless its name has
/// a dialect's prefix (`foo.bar`) or is a mark of upstream's passes (`__bar`).
mlir::LogicalResult verifyKnownAttributes(mlir::Operation *op);

template <typename ConcreteType>
class KnownAttributes
    : public mlir::OpTrait::TraitBase<ConcreteType, KnownAttributes> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyKnownAttributes(op);
  }
};

} // namespace lattn

#endif // LATTN_DIALECT_KNOWNATTRIBUTES_H
