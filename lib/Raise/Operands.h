//===- Operands.h - Arrays of an attention ----------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The coordinates of an attention are atoms, which are vars. Several of them
// may make up the batch, and several the head. An axis of an array is no atom,
// one atom, or several in a row.

#ifndef LATTN_LIB_RAISE_OPERANDS_H
#define LATTN_LIB_RAISE_OPERANDS_H

#include "Evaluator.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn::raise {

struct Frame {
  llvm::SmallVector<Expr> batch, heads; // major to minor
  Expr query, key;
};

enum class Role { Batch, Head, Position, Feature, Unit };

/// A part of an axis.
struct Part {
  Role role;
  unsigned atom = 0;    // the number of the batch's or head's atom
  int64_t sharedBy = 1; // heads of that atom that share an element
  Expr extent = nullptr;
};
/// kDynamic if it is known only at run time.
int64_t getSize(const Part &part);
using Axis = llvm::SmallVector<Part, 1>;

/// An array whose elements, times `factor`, are those of query, key or value.
struct Source {
  mlir::Value tensor;
  llvm::SmallVector<Axis> axes;
  llvm::SmallVector<Expr> indices;
  double factor = 1;
  int64_t heads = 1; // of how many it has elements
};

/// `position` and `feature` are the coordinates in the frame's product.
struct Place {
  const Frame &frame;
  Expr position, feature;
  bool isQuery;
};

/// The arrays from which the operand of a product may be read, the nearest
/// first: the product's own operand, and the arrays of which it is a view or
/// multiple.
llvm::SmallVector<Source> getSources(Evaluator &evaluator, mlir::Value tensor,
                                     llvm::ArrayRef<Expr> indices,
                                     const Place &place);

/// The array of which `tensor` is a view or multiple, one operation further.
/// Null if it is neither.
mlir::Value getSource(Evaluator &evaluator, mlir::Value tensor,
                      llvm::SmallVectorImpl<Expr> &indices, double &factor);

/// Whether its axes must change their order for the layout.
bool needsTranspose(const Source &source, Layout layout);

/// The array as an operand of lattn.attention.
mlir::Value buildOperand(mlir::OpBuilder &b, mlir::Location loc,
                         const Source &source, Layout layout);

/// `output` of lattn.attention with the given axes.
mlir::Value buildResult(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value output, const Frame &frame, Layout layout,
                        llvm::ArrayRef<Axis> axes, mlir::Type type);

/// The part of the frame that an index is; null if it is something else.
std::optional<Axis> parseIndex(Expr index, const Place &place);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_OPERANDS_H
