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
  /// `isActive` says so of values from outside of `ops`, of which each comes
  /// after those that it uses. What `results` do not need is not active.
  Activity(llvm::ArrayRef<mlir::Operation *> ops, mlir::ValueRange results,
           IsActive isActive);

  /// Whether derivatives by `value` are wanted.
  bool isActive(mlir::Value value) const { return active.contains(value); }
  /// An error where an active op of `ops` has no derivative.
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
  /// Of the type of `value`; null: zero.
  mlir::Value getCotangent(mlir::OpBuilder &b, mlir::Value value);
  /// Maybe wider than `value`, so that sums are not rounded to bf16 or f16.
  mlir::Value getWideCotangent(mlir::Value value) const {
    return cotangents.lookup(value);
  }
  /// Adds `cotangent`, of the type of `value` or a wider one, to what it has.
  /// Does nothing where `value` is not active.
  void add(mlir::OpBuilder &b, mlir::Value value, mlir::Value cotangent);

  /// Reads of elements and slices go to `onRead`, if it is set, and to their
  /// rule where it returns false.
  using ReadHandler = llvm::function_ref<bool(mlir::Operation *read)>;
  /// Adds the cotangents of what `ops` read, from the last op to the first.
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

  /// Null: zero.
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

/// A read of an element by tensor.extract or memref.load, and what its value
/// adds to the cotangent of `array` at `indices`. `cotangent` may be wider than
/// the element.
struct ReadCotangent {
  mlir::Value array;
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value cotangent;
};

/// What `op` reads: its operands, and what its regions use from outside.
llvm::SetVector<mlir::Value> getReadValues(mlir::Operation *op);

/// What a block computes, and its derivatives.
struct ReverseBlock {
  llvm::SmallVector<mlir::Value> results;
  /// Of the block's arguments, maybe wider; null: zero, and for arrays.
  llvm::SmallVector<mlir::Value> cotangents;
  /// In the order of the reads in the block, without those that add zero.
  llvm::SmallVector<ReadCotangent> reads;
};

/// Writes what `block` computes of `arguments`, without its terminator, and
/// then its derivatives. Floats among `arguments` are different values.
/// `cotangents` are those of the terminator's operands (null:
/// zero). `isActive` is asked about `arguments` (of arrays, too) and about
/// values from outside of `block`. An op without a derivative on a path from an
/// active value to a result is an error that names it.
mlir::FailureOr<ReverseBlock>
buildReverse(mlir::OpBuilder &b, mlir::Block &block, mlir::ValueRange arguments,
             llvm::ArrayRef<mlir::Value> cotangents,
             Activity::IsActive isActive);

/// The same without arguments: the cotangents of `reads`, values from outside
/// of `block`, each of the value's type.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildReverseOfReads(mlir::OpBuilder &b, mlir::Block &block,
                    llvm::ArrayRef<mlir::Value> cotangents,
                    Activity::IsActive isActive,
                    llvm::ArrayRef<mlir::Value> reads);

/// What a block computes, and its tangents.
struct ForwardBlock {
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<mlir::Value> tangents; // null: zero
};

/// Writes what `block` computes of `arguments`, without its terminator, and the
/// tangents of that. `getTangent` has the tangents of `arguments` and of values
/// from outside of `block` (null: zero); for an array, an array of its type.
mlir::FailureOr<ForwardBlock>
buildForward(mlir::OpBuilder &b, mlir::Block &block, mlir::ValueRange arguments,
             llvm::function_ref<mlir::Value(mlir::Value)> getTangent);

/// x + y, of floats or of arrays of them.
mlir::Value buildSum(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                     mlir::Value y);

/// A part of an array; `type`, that of the slice, may have fewer axes.
struct ArraySlice {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
  mlir::RankedTensorType type;

  mlir::Value read(mlir::OpBuilder &b, mlir::Location loc,
                   mlir::Value array) const;
};

/// `array` after `more` was added to an element, a slice or all of it: loops
/// that do nothing else to the arrays that they carry have derivatives.
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

/// In what floats of `type` are summed: f32, f64 for f64.
mlir::FloatType getAccumulatorElement(mlir::Type type);

/// Gives upstream's ops DifferentiableOpInterface.
void registerDerivatives(mlir::DialectRegistry &registry);

} // namespace lattn

#include "lattn/Differentiation/DifferentiationInterfaces.h.inc"

#endif // LATTN_DIFFERENTIATION_DIFFERENTIATION_H
