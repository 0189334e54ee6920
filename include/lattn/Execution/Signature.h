//===- Signature.h - What compiled functions take and return ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_SIGNATURE_H
#define LATTN_EXECUTION_SIGNATURE_H

#include "lattn/Execution/NumpyFiles.h"
#include <optional>
#include <vector>

namespace mlir {
class ModuleOp;
class Type;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace lattn {

/// The attribute of arguments and results that names them in files.
constexpr llvm::StringRef kNameAttribute = "lattn.name";

/// An argument or a result, as the source module declares it.
struct ValueInfo {
  std::string name; // the attribute `lattn.name`, else arg0.. or out0..
  ElementKind kind = ElementKind::F32;
  bool isShaped = false;
  llvm::SmallVector<int64_t> shape; // mlir::ShapedType::kDynamic where dynamic
  /// In elements, as for the shape. Empty for a tensor, which may have any
  /// strides.
  llvm::SmallVector<int64_t> strides;
  std::string type; // in MLIR's spelling

  bool hasStaticShape() const;
  /// An error unless an array of `kind` and `actual` can be passed.
  llvm::Error check(ElementKind kind, llvm::ArrayRef<int64_t> actual) const;
  /// An error unless an array of `actual` sizes may have `actualStrides`.
  llvm::Error checkStrides(llvm::ArrayRef<int64_t> actual,
                           llvm::ArrayRef<int64_t> actualStrides) const;
};

/// The kind of element that files hold `type` in, if any.
std::optional<ElementKind> getElementKind(mlir::Type type);

struct Signature {
  std::string entry;
  std::vector<ValueInfo> arguments, results;
  /// Numbers of the memref arguments that the function may write to. Their
  /// contents after a call are results, too.
  std::vector<unsigned> written;
};

/// The function to run: `name`, or, if that is empty, the only public function,
/// or `main`.
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                             llvm::StringRef name);

/// An error if a type has no counterpart in an array file.
llvm::Expected<Signature> getSignature(mlir::func::FuncOp function);

/// Where results lie in the struct that a call fills.
struct ResultLayout {
  ResultLayout() = default;
  explicit ResultLayout(const Signature &signature);

  llvm::SmallVector<unsigned> offsets; // bytes
  unsigned bytes = 0;
  /// Whether the pointer to the struct is the first of the call's pointers;
  /// else it is the last.
  bool inFront = false;
};

} // namespace lattn

#endif // LATTN_EXECUTION_SIGNATURE_H
