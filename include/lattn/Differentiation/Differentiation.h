//===- Differentiation.h - Derivatives of code ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reverse mode takes cotangents (derivatives of one scalar by each value) from
// results to operands; forward mode takes tangents from operands to results.
// Each op has a rule for both: DifferentiableOpInterface. A block of ops
// without control flow is differentiated op by op.

#ifndef LATTN_DIFFERENTIATION_DIFFERENTIATION_H
#define LATTN_DIFFERENTIATION_DIFFERENTIATION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

namespace lattn {

/// Whether a value of `type` has derivatives: floats, and arrays of them.
bool isDifferentiable(mlir::Type type);

/// The values that depend on others, through floats.
class Activity {
public:
  using IsActive = llvm::function_ref<bool(mlir::Value)>;
  /// `ops` is in an order in which each op comes after those whose results it
  /// uses. `isActive` says whether a value from outside of `ops` is active.
  /// Values that `results` do not need are not active.
  Activity(llvm::ArrayRef<mlir::Operation *> ops, mlir::ValueRange results,
           IsActive isActive);

  /// Whether derivatives by `value` are wanted.
  bool isActive(mlir::Value value) const { return active.contains(value); }
  /// An error if an active op of `ops` has no derivative.
  llvm::LogicalResult verify(llvm::ArrayRef<mlir::Operation *> ops) const;

private:
  bool readsActive(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Value> active;
};

/// The cotangents of reverse mode.
class Reverse {
public:
  explicit Reverse(Activity activity) : activity(std::move(activity)) {}

  bool isActive(mlir::Value value) const { return activity.isActive(value); }
  /// It has the type of `value`; null stands for zero.
  mlir::Value getCotangent(mlir::OpBuilder &b, mlir::Value value);
  /// It may be wider than `value`, so that sums are not rounded to bf16 or f16.
  mlir::Value getWideCotangent(mlir::Value value) const {
    return cotangents.lookup(value);
  }
  /// Adds `cotangent` to that of `value`. It has the type of `value` or a wider
  /// one. Does nothing if `value` is not active.
  void add(mlir::OpBuilder &b, mlir::Value value, mlir::Value cotangent);

  /// What a sum that goes on from the cotangent of `value` starts with, in
  /// elements of `type`. The sum must come back by `add`. So sums in loops do
  /// not add up whole arrays.
  mlir::Value takeSum(mlir::OpBuilder &b, mlir::Value value, mlir::Type type);

  /// `onRead`, if it is set, gets each read of an element or slice. If it
  /// returns false, the op's own rule is used.
  using ReadHandler = llvm::function_ref<bool(mlir::Operation *read)>;
  /// Adds to the cotangents of all values that `ops` read, from the last op to
  /// the first.
  llvm::LogicalResult run(mlir::OpBuilder &b,
                          llvm::ArrayRef<mlir::Operation *> ops,
                          ReadHandler onRead = {});

private:
  Activity activity;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

/// The tangents of forward mode.
class Forward {
public:
  explicit Forward(Activity activity) : activity(std::move(activity)) {}

  /// Null stands for zero.
  mlir::Value getTangent(mlir::Value value) const {
    return tangents.lookup(value);
  }
  void setTangent(mlir::Value value, mlir::Value tangent) {
    tangents[value] = tangent;
  }
  /// Sets the tangents of the results of `ops`, in their order.
  llvm::LogicalResult run(mlir::OpBuilder &b,
                          llvm::ArrayRef<mlir::Operation *> ops);

private:
  Activity activity;
  llvm::DenseMap<mlir::Value, mlir::Value> tangents;
};

/// A read of an element by tensor.extract or memref.load, with the term that
/// its value adds to the cotangent of `array` at `indices`. `cotangent` may be
/// wider than the element.
struct ReadCotangent {
  mlir::Value array;
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value cotangent;
};

/// The values that `op` reads: its operands, and values from outside that its
/// regions use.
llvm::SetVector<mlir::Value> getReadValues(mlir::Operation *op);

/// The values that a block computes, and its derivatives.
struct ReverseBlock {
  llvm::SmallVector<mlir::Value> results;
  /// The cotangents of the block's arguments, maybe wider. Null for zero, and
  /// for arrays.
  llvm::SmallVector<mlir::Value> cotangents;
  /// In the order of the reads in the block. Reads that add zero are left out.
  llvm::SmallVector<ReadCotangent> reads;
};

/// Writes the computations of `block` for `arguments`, without its terminator,
/// and then its derivatives. Floats among `arguments` are different values.
/// `cotangents` are those of the terminator's operands (null: zero). `isActive`
/// is asked about `arguments` (also about arrays) and about values from outside
/// of `block`. If an op on a path from an active value to a result has no
/// derivative, an error names it.
mlir::FailureOr<ReverseBlock>
buildReverse(mlir::OpBuilder &b, mlir::Block &block, mlir::ValueRange arguments,
             llvm::ArrayRef<mlir::Value> cotangents,
             Activity::IsActive isActive);

/// Does so for a block without arguments. Returns the cotangents of `reads`,
/// which are values from outside of `block`, each in the value's type.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildReverseOfReads(mlir::OpBuilder &b, mlir::Block &block,
                    llvm::ArrayRef<mlir::Value> cotangents,
                    Activity::IsActive isActive,
                    llvm::ArrayRef<mlir::Value> reads);

/// The values that a block computes, and its tangents.
struct ForwardBlock {
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::Value> tangents; // null: zero
};

/// Writes the computations of `block` for `arguments`, without its terminator,
/// and their tangents. `getTangent` returns the tangents of `arguments` and of
/// values from outside of `block` (null: zero). The tangent of an array is an
/// array of its type.
mlir::FailureOr<ForwardBlock>
buildForward(mlir::OpBuilder &b, mlir::Block &block, mlir::ValueRange arguments,
             llvm::function_ref<mlir::Value(mlir::Value)> getTangent);

/// x + y, of floats or of arrays of them.
mlir::Value buildSum(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                     mlir::Value y);

/// A part of an array. `type` is the slice's type and may have fewer axes.
struct ArraySlice {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
  mlir::RankedTensorType type;

  mlir::Value read(mlir::OpBuilder &b, mlir::Location loc,
                   mlir::Value array) const;
};

/// `array` after `more` was added to one element, to a slice or to all of it. A
/// loop that carries arrays and changes them only by this function has
/// derivatives.
mlir::Value addToElement(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value array, mlir::ValueRange indices,
                         mlir::Value more);
mlir::Value addToSlice(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value array, const ArraySlice &slice,
                       mlir::Value more);
mlir::Value addToAll(mlir::OpBuilder &b, mlir::Location loc, mlir::Value array,
                     mlir::Value more);

/// Zeros of the type and the sizes of `like`, or of elements of type `element`.
mlir::Value buildZeros(mlir::OpBuilder &b, mlir::Location loc, mlir::Value like,
                       mlir::Type element = {});

/// `x`, or its elements, extended or truncated to `type`.
mlir::Value convertElements(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value x, mlir::Type type);

/// The type in which floats of `type` are summed: f32, or f64 for f64.
mlir::FloatType getAccumulatorElement(mlir::Type type);

/// Gives upstream's ops DifferentiableOpInterface.
void registerDerivatives(mlir::DialectRegistry &registry);

} // namespace lattn

#include "lattn/Differentiation/DifferentiationInterfaces.h.inc"

#endif // LATTN_DIFFERENTIATION_DIFFERENTIATION_H
