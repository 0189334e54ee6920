//===- HostExpression.h - Numbers of the host's code as data ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CUDA_HOSTEXPRESSION_H
#define LATTN_LIB_EXECUTION_CUDA_HOSTEXPRESSION_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace lattn {

/// Writes values as numbers, ["size", array, axis], ["stride", array, axis],
/// ["address", array], ["scalar", argument], ["number", index] and [operator,
/// operands...]. What several others use is written once, in takeNumbers().
class HostExpressions {
public:
  void nameArray(mlir::Value array, std::string name) {
    arrays[array] = std::move(name);
  }
  void nameScalar(mlir::Value scalar, std::string name) {
    scalars[scalar] = std::move(name);
  }

  llvm::Expected<llvm::json::Value> get(mlir::Value value);
  /// The same where `value` is written several times.
  llvm::Expected<llvm::json::Value> getShared(mlir::Value value);
  llvm::json::Array takeNumbers() { return std::move(numbers); }
  /// The size, and the stride in elements, of a memref's axis.
  llvm::Expected<llvm::json::Value> getSize(mlir::Value array, int64_t axis);
  llvm::Expected<llvm::json::Value> getStride(mlir::Value array, int64_t axis);
  static mlir::Value skipCasts(mlir::Value array);
  /// The name of the array of which `array` is a cast.
  std::optional<std::string> findArray(mlir::Value array) const;

  /// "i64" for an index.
  static std::string getTypeName(mlir::Type type);

private:
  llvm::Expected<llvm::json::Value> build(mlir::Value value);
  llvm::Expected<llvm::json::Value> getConstant(mlir::Attribute attribute);
  llvm::Expected<llvm::json::Value> getOperation(llvm::StringRef sign,
                                                 mlir::Operation &op);
  llvm::Expected<llvm::json::Value> getMetadata(mlir::Value array,
                                                mlir::Value result);
  llvm::Expected<llvm::json::Value> getApply(mlir::Operation &op);

  llvm::DenseMap<mlir::Value, std::string> arrays, scalars;
  llvm::json::Array numbers;
  llvm::DenseMap<mlir::Value, int64_t> shared; // places in `numbers`
};

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CUDA_HOSTEXPRESSION_H
