//===- Evaluator.h - What a tensor holds at an index ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Looks through reshapes, transposes, slices, broadcasts, casts and elementwise
// work, in any ops. Sums, maxima and products of matrices are loaded elements.
// So is everything else that is not understood.

#ifndef LATTN_LIB_RAISE_EVALUATOR_H
#define LATTN_LIB_RAISE_EVALUATOR_H

#include "Expr.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn::raise {

/// A reduction along one dimension. `body` is its term at a given coordinate.
struct Reduction {
  Kind kind; // Add, Max, And, Or
  Expr body;
  Expr extent; // how many terms
};

class Evaluator {
public:
  explicit Evaluator(Exprs &exprs) : exprs(exprs) {}

  Expr getElement(mlir::Value tensor, llvm::ArrayRef<Expr> indices);
  /// A scalar outside of any region.
  Expr getScalar(mlir::Value scalar);
  Expr getExtent(mlir::Value tensor, int64_t axis);
  /// The element at `indices` of `view` is an element of another tensor.
  /// Returns that tensor, one operation further, and changes `indices`. Null if
  /// `view` is not a view.
  mlir::Value getViewed(mlir::Value view, llvm::SmallVectorImpl<Expr> &indices);
  Expr getSize(mlir::OpFoldResult size);
  /// The indices of `wide`, in which one axis stands for several, and the other
  /// way round.
  llvm::SmallVector<Expr>
  splitIndices(llvm::ArrayRef<Expr> indices,
               llvm::ArrayRef<mlir::ReassociationIndices> groups,
               mlir::Value wide);
  llvm::SmallVector<Expr>
  mergeIndices(llvm::ArrayRef<Expr> indices,
               llvm::ArrayRef<mlir::ReassociationIndices> groups,
               mlir::Value wide);
  /// If `load` is an element of a reduction, that reduction with its term at
  /// `at`.
  std::optional<Reduction> getReduction(Expr load, Expr at);
  /// A scalar of the body at the given coordinates; null if it is not known.
  Expr getInBody(mlir::linalg::LinalgOp op, mlir::Value value,
                 llvm::ArrayRef<Expr> loops) {
    llvm::DenseMap<mlir::Value, Expr> known;
    return evaluateBody(op, value, loops, known);
  }
  /// `map` at `dims`.
  Expr apply(mlir::AffineExpr map, llvm::ArrayRef<Expr> dims);
  /// The coordinates of the loops that write the element at `indices` of the
  /// result. Null for those that the element does not determine.
  std::optional<llvm::SmallVector<Expr>> getLoops(mlir::linalg::LinalgOp op,
                                                  unsigned result,
                                                  llvm::ArrayRef<Expr> indices);

  Exprs &exprs;
  /// Views of pads and concatenations are guesses. The caller must prove that
  /// the element is inside, and in the last part that is not constant.
  bool guessesParts = false;
  /// The values of dimensions that are known at run time (Extents.h).
  llvm::DenseMap<Expr, Expr> knownExtents;
  /// Sizes that are sums stay sums, even if one might be negative.
  bool keepsSums = false;
  /// Splits axes that a reshape merged, even if sizes are known only at run
  /// time.
  /// time.
  bool splitsOpenAxes = false;

private:
  using Lookup = llvm::function_ref<Expr(mlir::Value)>;
  Expr evaluate(mlir::Value tensor, llvm::ArrayRef<Expr> indices);
  Expr evaluateLinalg(mlir::linalg::LinalgOp op, unsigned result,
                      llvm::ArrayRef<Expr> indices);
  Expr evaluateBody(mlir::linalg::LinalgOp op, mlir::Value value,
                    llvm::ArrayRef<Expr> loops,
                    llvm::DenseMap<mlir::Value, Expr> &known);
  Expr evaluatePad(mlir::tensor::PadOp op, llvm::ArrayRef<Expr> indices);
  Expr evaluateConcat(mlir::tensor::ConcatOp op, llvm::ArrayRef<Expr> indices);
  Expr evaluateExtent(mlir::Value tensor, int64_t axis);
  Expr getDim(mlir::Value tensor, int64_t axis);
  /// Applies `map`, which has one result, to dimensions and symbols.
  Expr applyToOperands(mlir::AffineMap map, llvm::ArrayRef<Expr> operands);

  std::map<std::pair<void *, std::vector<Expr>>, Expr> elements;
  llvm::DenseMap<mlir::Value, Expr> scalars;
  /// The extents of scalars that are not known to be at least 0.
  llvm::DenseMap<Expr, Expr> extents;
  unsigned depth = 0, scalarDepth = 0; // of what is being evaluated
};

/// The result of `op`, an operation of arith or math on scalars. Null for
/// another operation, or for one with side effects.
Expr evaluateScalarOp(Exprs &exprs, mlir::Operation *op,
                      llvm::ArrayRef<Expr> operands);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_EVALUATOR_H
