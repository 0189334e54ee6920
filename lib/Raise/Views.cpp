//===- Views.cpp - Elements of views, pads and concatenations -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn::raise;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

SmallVector<Expr> Evaluator::splitIndices(ArrayRef<Expr> indices,
                                          ArrayRef<ReassociationIndices> groups,
                                          Value wide) {
  SmallVector<Expr> split(cast<RankedTensorType>(wide.getType()).getRank());
  for (auto [index, group] : llvm::zip_equal(indices, groups)) {
    Expr rest = index;
    for (int64_t axis : llvm::reverse(group)) {
      Expr extent = getExtent(wide, axis);
      bool isFirst = axis == group.front();
      split[axis] = isFirst ? rest : exprs.mod(rest, extent);
      if (extent->isNumber(1))
        split[axis] = exprs.number(0);
      rest = isFirst ? rest : exprs.floorDiv(rest, extent);
    }
  }
  return split;
}

SmallVector<Expr> Evaluator::mergeIndices(ArrayRef<Expr> indices,
                                          ArrayRef<ReassociationIndices> groups,
                                          Value wide) {
  SmallVector<Expr> merged;
  for (const ReassociationIndices &group : groups) {
    Expr index = exprs.number(0);
    for (int64_t axis : group)
      index = exprs.add(exprs.multiply(index, getExtent(wide, axis)),
                        indices[axis]);
    merged.push_back(index);
  }
  return merged;
}

static bool sliceIndices(Evaluator &evaluator, tensor::ExtractSliceOp op,
                         SmallVectorImpl<Expr> &indices) {
  Exprs &exprs = evaluator.exprs;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Expr> source;
  unsigned next = 0;
  for (unsigned axis = 0; axis < dropped.size(); ++axis) {
    Expr offset = evaluator.getSize(op.getMixedOffsets()[axis]);
    if (dropped[axis]) {
      source.push_back(offset);
      continue;
    }
    Expr stride = evaluator.getSize(op.getMixedStrides()[axis]);
    source.push_back(
        exprs.add(offset, exprs.multiply(indices[next++], stride)));
  }
  indices.assign(source);
  return true;
}

/// Of static shapes, and where extents of 1 come and go.
static bool reshapeIndices(Evaluator &evaluator, tensor::ReshapeOp op,
                           SmallVectorImpl<Expr> &indices) {
  Exprs &exprs = evaluator.exprs;
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!source)
    return false;
  Expr linear = exprs.number(0);
  for (auto [axis, index] : llvm::enumerate(indices))
    linear = exprs.add(
        exprs.multiply(linear, evaluator.getExtent(op.getResult(), axis)),
        index);
  SmallVector<Expr> found(source.getRank(), exprs.number(0));
  for (int64_t axis = source.getRank() - 1; axis >= 0; --axis) {
    Expr extent = evaluator.getExtent(op.getSource(), axis);
    found[axis] = axis ? exprs.mod(linear, extent) : linear;
    linear = axis ? exprs.floorDiv(linear, extent) : linear;
  }
  indices.assign(found);
  return true;
}

/// The indices in what is padded, which may lie outside of it.
static SmallVector<Expr> getUnpadded(Evaluator &evaluator, tensor::PadOp op,
                                     ArrayRef<Expr> indices) {
  SmallVector<Expr> inner;
  for (auto [index, low] : llvm::zip_equal(indices, op.getMixedLowPad()))
    inner.push_back(evaluator.exprs.sub(index, evaluator.getSize(low)));
  return inner;
}

/// Where the element is none of the padding's.
static Value viewPadded(Evaluator &evaluator, tensor::PadOp op,
                        SmallVectorImpl<Expr> &indices) {
  SmallVector<Expr> inner = getUnpadded(evaluator, op, indices);
  llvm::SmallBitVector padded = op.getPaddedDims();
  for (unsigned axis : padded.set_bits())
    if (!evaluator.guessesParts &&
        !evaluator.exprs.isBelow(inner[axis],
                                 evaluator.getExtent(op.getSource(), axis)))
      return {};
  indices.assign(inner);
  return op.getSource();
}

/// Where the element is one of a certain part's.
static Value viewPart(Evaluator &evaluator, tensor::ConcatOp op,
                      SmallVectorImpl<Expr> &indices) {
  uint64_t axis = op.getDim();
  SmallVector<Expr> inner(indices.begin(), indices.end()), guess;
  Value guessed;
  for (Value input : op.getInputs()) {
    Expr extent = evaluator.getExtent(input, axis);
    if (evaluator.exprs.isBelow(inner[axis], extent)) {
      indices.assign(inner);
      return input;
    }
    if (!evaluator.getElement(input, inner)->is(Kind::Const)) {
      guess = inner;
      guessed = input;
    }
    inner[axis] = evaluator.exprs.sub(inner[axis], extent);
  }
  if (!evaluator.guessesParts || !guessed)
    return {};
  indices.assign(guess);
  return guessed;
}

Value Evaluator::getViewed(Value view, SmallVectorImpl<Expr> &indices) {
  return llvm::TypeSwitch<Operation *, Value>(view.getDefiningOp())
      .Case([&](tensor::CastOp op) { return op.getSource(); })
      .Case([&](linalg::TransposeOp op) {
        SmallVector<Expr> source(indices.size());
        for (auto [i, axis] : llvm::enumerate(op.getPermutation()))
          source[axis] = indices[i];
        indices.assign(source);
        return op.getInput();
      })
      .Case([&](tensor::CollapseShapeOp op) {
        indices.assign(
            splitIndices(indices, op.getReassociationIndices(), op.getSrc()));
        return op.getSrc();
      })
      .Case([&](tensor::ExpandShapeOp op) {
        indices.assign(mergeIndices(indices, op.getReassociationIndices(),
                                    op.getResult()));
        return op.getSrc();
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return sliceIndices(*this, op, indices) ? op.getSource() : Value();
      })
      .Case([&](tensor::ReshapeOp op) {
        return reshapeIndices(*this, op, indices) ? op.getSource() : Value();
      })
      .Case([&](tensor::PadOp op) { return viewPadded(*this, op, indices); })
      .Case([&](tensor::ConcatOp op) { return viewPart(*this, op, indices); })
      .Default([](Operation *) { return Value(); });
}

//===----------------------------------------------------------------------===//
// Elements that one of several arrays has
//===----------------------------------------------------------------------===//

// Their extents must be known: what reads them in a region stays inside.

Expr Evaluator::evaluatePad(tensor::PadOp op, ArrayRef<Expr> indices) {
  Value value = op.getConstantPaddingValue();
  if (!value)
    return nullptr;
  SmallVector<Expr> inner = getUnpadded(*this, op, indices);
  llvm::SmallBitVector padded = op.getPaddedDims();
  for (unsigned axis : padded.set_bits()) {
    Expr behind = exprs.sub(inner[axis], getExtent(op.getSource(), axis));
    if (inner[axis]->range.high < 0 || behind->range.low >= 0)
      return getScalar(value);
  }
  if (!op.getSourceType().hasStaticShape())
    return nullptr;
  Expr isInside = exprs.boolean(true);
  for (unsigned axis : padded.set_bits()) {
    Expr last = exprs.number(op.getSourceType().getDimSize(axis) - 1);
    for (Expr condition : {exprs.notNegative(inner[axis]),
                           exprs.notNegative(exprs.sub(last, inner[axis]))})
      isInside = exprs.make(Kind::And, {isInside, condition});
  }
  return exprs.select(isInside, getElement(op.getSource(), inner),
                      getScalar(value));
}

Expr Evaluator::evaluateConcat(tensor::ConcatOp op, ArrayRef<Expr> indices) {
  uint64_t axis = op.getDim();
  SmallVector<Expr> inner(indices);
  Expr found = nullptr;
  for (Value input : llvm::reverse(op.getInputs()))
    if (!cast<RankedTensorType>(input.getType()).hasStaticShape())
      return nullptr;
  SmallVector<std::pair<Expr, Expr>> parts; // is behind it, element
  for (Value input : op.getInputs()) {
    Expr extent = getExtent(input, axis);
    parts.push_back({exprs.notNegative(exprs.sub(inner[axis], extent)),
                     getElement(input, inner)});
    inner[axis] = exprs.sub(inner[axis], extent);
  }
  for (auto [isBehind, element] : llvm::reverse(parts))
    found = found ? exprs.select(isBehind, found, element) : element;
  return found;
}
