//===- Products.h - The two products of an attention ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_PRODUCTS_H
#define LATTN_LIB_RAISE_PRODUCTS_H

#include "Operands.h"
#include "Softmax.h"

namespace lattn::raise {

/// A zero-filled product of two arrays, summed over one loop.
struct Product {
  mlir::linalg::LinalgOp op;
  unsigned summed;
  llvm::SmallVector<unsigned> batch, left, right; // in the result's order

  llvm::SmallVector<Expr> getIndices(Evaluator &evaluator, unsigned operand,
                                     llvm::ArrayRef<Expr> loops) const;
};
std::optional<Product> getProduct(Evaluator &evaluator,
                                  mlir::linalg::LinalgOp op);

/// Weights times values, with the coordinates of all loops.
struct ValueProduct {
  ValueProduct(Product product, unsigned weightsOperand)
      : product(std::move(product)), weightsOperand(weightsOperand) {}

  Product product;
  unsigned weightsOperand; // 0 or 1
  llvm::SmallVector<Expr> loops;
  llvm::SmallVector<Expr> batchAtoms, rows; // rows: loops of weights alone
  Expr key, feature;
  Expr weights;
  /// If the division by the sum of exponentials comes after the product: the
  /// result of the division, and its operand that is the (reshaped) product.
  mlir::OpResult divided;
  mlir::Value dividend;
};

/// Null if the operands have no exponentials. With `reason` if they have, but
/// do not form a softmax.
std::optional<ValueProduct> getValueProduct(Evaluator &evaluator,
                                            mlir::linalg::LinalgOp op,
                                            std::string &reason);

/// The product of queries and keys in the scores.
struct ScoreProduct {
  Expr load;               // in the scores
  bool keyIsFirst = false; // of the product's operands
  Expr feature = nullptr;
  llvm::SmallVector<Source> queries, keys;
};
llvm::SmallVector<Expr> findScoreProducts(Expr scores, Expr key);
/// `indices` are those of `load`, in the frame's coordinates.
std::optional<ScoreProduct> matchScoreProduct(Evaluator &evaluator, Expr load,
                                              llvm::ArrayRef<Expr> indices,
                                              const Frame &frame);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_PRODUCTS_H
