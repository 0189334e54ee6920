//===- Constants.h - Numbers of constant arrays -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_CONSTANTS_H
#define LATTN_LIB_RAISE_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace lattn::raise {

/// The elements of a constant array, or null. Resources, in which torch-mlir
/// writes a module's buffers, are copied unless they are too large for masks.
mlir::DenseElementsAttr readConstant(mlir::Value array);

template <typename T> bool readConstant(mlir::Value array, T &numbers) {
  numbers = llvm::dyn_cast_if_present<T>(readConstant(array));
  return bool(numbers);
}

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_CONSTANTS_H
