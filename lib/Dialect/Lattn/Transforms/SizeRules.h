//===- SizeRules.h - Checks of sizes at run time ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_SIZERULES_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_SIZERULES_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace lattn {

/// const char *(const char *text, int64_t first, int64_t second): the text with
/// these numbers, by printf's rules. It is valid until this thread's next call.
constexpr llvm::StringLiteral kDescribeSizes = "lattn_describe_sizes";
/// void (const char **slot, bool broken, const char *text, size_t first, size_t
/// second): describes the sizes in the slot if `broken` and the slot is empty.
constexpr llvm::StringLiteral kNoteSize = "lattn_note_size";
/// void (const char **slot, descriptor, size_t rank, const int64_t *sizes,
/// const char *texts, size_t length): checks the sizes of an array, of which -1
/// is any, and its address. Texts are `length` bytes each: of the axes, of the
/// address.
constexpr llvm::StringLiteral kCheckArray = "lattn_check_array";
/// The prefix of the names of texts and numbers; a number follows.
constexpr llvm::StringLiteral kSizeText = "lattn_size_text";

/// Writes checks of an op's sizes into another function. That function knows
/// only the sizes of arguments. Sizes are index values in it. Null is a size
/// that cannot be computed there; checks that need it are left out.
class SizeChecker {
public:
  /// `slot` holds the message of the first check that fails; `getArgument`
  /// yields the sizes of arrays that are arguments, and scalar arguments.
  SizeChecker(mlir::OpBuilder &b, mlir::Value slot,
              llvm::function_ref<mlir::Value(mlir::BlockArgument, unsigned)>
                  getArgument)
      : b(b), slot(slot), getArgument(getArgument) {}

  /// Checks all ops of a block, and of the blocks in its branches and loops.
  void checkBlock(mlir::Block &block);

  mlir::Value getSize(mlir::Value array, unsigned axis);
  /// The size of each axis. For an array that does not exist, many nulls.
  llvm::SmallVector<mlir::Value> getSizes(mlir::Value array);
  mlir::Value getScalar(mlir::Value scalar);
  mlir::Value get(mlir::OpFoldResult scalar);
  mlir::Value constant(int64_t value);
  /// Null if one of them is null.
  mlir::Value add(mlir::Value a, mlir::Value c);
  mlir::Value multiply(mlir::Value a, mlir::Value c);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value c);
  /// Whether `a` is not a multiple of `c`. The only multiple of 0 is 0.
  mlir::Value isNoMultiple(mlir::Value a, mlir::Value c);
  /// The least multiple of `unit` that is at least `a`.
  mlir::Value roundUp(mlir::Value a, int64_t unit);
  mlir::Value both(mlir::Value a, mlir::Value c);

  /// Axis `axis` of `array`, if there is one, must have this size.
  void equal(mlir::Operation *op, mlir::Value array, llvm::StringRef name,
             unsigned axis, mlir::Value expected, llvm::StringRef meaning);
  /// `index` of axis `what` with `size` elements must be inside wherever its
  /// dimensions are in [0, extents). Left out where an extent is null.
  void inside(mlir::Operation *op, mlir::AffineExpr index,
              llvm::ArrayRef<mlir::Value> extents, mlir::Value size,
              llvm::StringRef what);
  /// Fails if `broken`; `text` prints `first` and `second` by %lld.
  void fail(mlir::Operation *op, mlir::Value broken, const llvm::Twine &text,
            mlir::Value first, mlir::Value second);
  /// The same with a text without numbers.
  void fail(mlir::Location loc, mlir::Value broken, llvm::StringRef text,
            mlir::Value first, mlir::Value second);
  /// The address of a constant text, and of constant numbers.
  mlir::Value addText(mlir::Location loc, llvm::StringRef text);
  mlir::Value addNumbers(mlir::Location loc, llvm::ArrayRef<int64_t> numbers);

private:
  mlir::Value computeSize(mlir::Value array, unsigned axis);
  mlir::Value computeScalar(mlir::Value scalar);
  void checkRegions(mlir::Operation &op);
  mlir::Value addConstant(mlir::Location loc, mlir::Type type,
                          mlir::Attribute value);

  mlir::OpBuilder &b;
  mlir::Value slot;
  llvm::function_ref<mlir::Value(mlir::BlockArgument, unsigned)> getArgument;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> sizes;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
};

/// The rules of one op.
void checkSizes(mlir::Operation *op, SizeChecker &checker);
/// Those of keys and values in pages; the number of keys, or null.
mlir::Value checkPagedKeys(OnlineAttentionOp op, SizeChecker &checker);
/// The rules of the other ops, and of other dialects.
void checkOtherSizes(mlir::Operation *op, SizeChecker &checker);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_SIZERULES_H
