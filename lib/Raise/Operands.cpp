//===- Operands.cpp - Arrays of an attention ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;

//===----------------------------------------------------------------------===//
// Finding them
//===----------------------------------------------------------------------===//

static std::optional<Part> parseAtom(Expr e, const Place &place) {
  if (e == place.position)
    return Part{Role::Position, 0, 1, e->operands[0]};
  if (e == place.feature)
    return Part{Role::Feature, 0, 1, e->operands[0]};
  for (auto [i, atom] : llvm::enumerate(place.frame.batch))
    if (e == atom)
      return Part{Role::Batch, unsigned(i), 1, e->operands[0]};
  for (auto [i, atom] : llvm::enumerate(place.frame.heads)) {
    if (e == atom)
      return Part{Role::Head, unsigned(i), 1, e->operands[0]};
    if (!e->is(Kind::FloorDiv) || e->operands[0] != atom ||
        !e->operands[1]->is(Kind::Const) || !atom->operands[0]->is(Kind::Const))
      continue;
    int64_t shared = e->operands[1]->number, all = atom->operands[0]->number;
    if (all % shared == 0)
      return Part{Role::Head, unsigned(i), shared, e};
  }
  return std::nullopt;
}

int64_t lattn::raise::getSize(const Part &part) {
  if (part.role == Role::Unit)
    return 1;
  Expr extent =
      part.sharedBy > 1 ? part.extent->operands[0]->operands[0] : part.extent;
  return extent->is(Kind::Const) ? extent->number / part.sharedBy
                                 : ShapedType::kDynamic;
}

std::optional<Axis> lattn::raise::parseIndex(Expr index, const Place &place) {
  if (index->isNumber(0))
    return Axis{Part{Role::Unit}};
  if (getConstantTerm(index))
    return std::nullopt;
  SmallVector<std::pair<int64_t, Part>> parts;
  bool known = true;
  forEachTerm(index, [&](Expr term, int64_t factor) {
    std::optional<Part> part = parseAtom(term, place);
    known &= part.has_value();
    if (part)
      parts.push_back({factor, *part});
  });
  if (!known)
    return std::nullopt;
  llvm::sort(parts, [](auto &a, auto &b) { return a.first > b.first; });
  Axis axis;
  int64_t below = 1;
  for (auto &[factor, part] : llvm::reverse(parts)) {
    if (factor != below || below < 0)
      return std::nullopt;
    int64_t size = getSize(part);
    below = ShapedType::isDynamic(size) ? -1 : below * size;
    axis.insert(axis.begin(), part);
  }
  return axis;
}

/// What `product`, a multiplication or division in the body of `op`, scales by
/// a constant; `factor` becomes as much larger.
static Value dropConstant(Evaluator &evaluator, linalg::LinalgOp op,
                          Operation *product, ArrayRef<Expr> loops,
                          double &factor) {
  auto getConstant = [&](Value operand) {
    Expr e = evaluator.getInBody(op, operand, loops);
    return e && e->is(Kind::Const) ? e : nullptr;
  };
  bool multiplies = isa<arith::MulFOp>(product);
  Expr right = getConstant(product->getOperand(1));
  Expr left =
      multiplies && !right ? getConstant(product->getOperand(0)) : nullptr;
  if (!right && !left)
    return {};
  double by = (right ? right : left)->real;
  factor = multiplies ? factor * by : factor / by;
  return product->getOperand(right ? 0 : 1);
}

/// Through elementwise work that at most multiplies by a constant.
static Value getScaled(Evaluator &evaluator, Value tensor,
                       SmallVectorImpl<Expr> &indices, double &factor) {
  auto result = dyn_cast<OpResult>(tensor);
  auto op = result ? dyn_cast<linalg::LinalgOp>(result.getOwner()) : nullptr;
  if (!op || op.getNumReductionLoops())
    return {};
  unsigned number = result.getResultNumber();
  std::optional<SmallVector<Expr>> loops =
      evaluator.getLoops(op, number, indices);
  if (!loops || llvm::is_contained(*loops, nullptr))
    return {};
  Value value = op.getBlock()->getTerminator()->getOperand(number);
  while (Operation *inner = value.getDefiningOp()) {
    if (inner->getBlock() != op.getBlock())
      return {};
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      SmallVector<Expr> at;
      for (Value index : extract.getIndices()) {
        Expr e = evaluator.getInBody(op, index, *loops);
        if (!e)
          return {};
        at.push_back(e);
      }
      indices.assign(at);
      return extract.getTensor();
    }
    if (isa<arith::ExtFOp, arith::TruncFOp>(inner)) {
      value = inner->getOperand(0);
      continue;
    }
    if (!isa<arith::MulFOp, arith::DivFOp>(inner))
      return {};
    value = dropConstant(evaluator, op, inner, *loops, factor);
    if (!value)
      return {};
  }
  auto argument = cast<BlockArgument>(value);
  if (argument.getOwner() != op.getBlock())
    return {};
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (op.isDpsInit(operand) || !isa<RankedTensorType>(operand->get().getType()))
    return {};
  SmallVector<Expr> at;
  for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
    at.push_back(evaluator.apply(expr, *loops));
    if (!at.back())
      return {};
  }
  indices.assign(at);
  return operand->get();
}

/// The number of heads that it has, if these are all it must have.
static std::optional<int64_t> countHeads(ArrayRef<Axis> axes,
                                         const Place &place) {
  SmallVector<const Part *> heads(place.frame.heads.size(), nullptr);
  SmallVector<bool> batch(place.frame.batch.size(), false);
  bool position = false, feature = false;
  for (const Axis &axis : axes)
    for (const Part &part : axis) {
      if (part.role == Role::Head) {
        if (heads[part.atom])
          return std::nullopt;
        heads[part.atom] = &part;
      }
      if (part.role == Role::Batch) {
        if (batch[part.atom])
          return std::nullopt;
        batch[part.atom] = true;
      }
      bool again =
          (part.role == Role::Position && std::exchange(position, true)) ||
          (part.role == Role::Feature && std::exchange(feature, true));
      if (again)
        return std::nullopt;
    }
  auto isOne = [](Expr var) { return var->operands[0]->isNumber(1); };
  if ((!position && !isOne(place.position)) ||
      (!feature && !isOne(place.feature)) || llvm::is_contained(batch, false))
    return std::nullopt;
  int64_t all = 1;
  bool shared = false; // from here on, heads must be
  for (const Part *part : heads) {
    if ((shared && part) || (place.isQuery && (!part || part->sharedBy > 1)))
      return std::nullopt;
    shared = !part || part->sharedBy > 1;
    if (part &&
        (all == ShapedType::kDynamic || ShapedType::isDynamic(getSize(*part))))
      all = ShapedType::kDynamic;
    else if (part)
      all *= getSize(*part);
  }
  return all;
}

Value lattn::raise::getSource(Evaluator &evaluator, Value tensor,
                              SmallVectorImpl<Expr> &indices, double &factor) {
  if (!tensor.getDefiningOp())
    return {};
  if (Value viewed = evaluator.getViewed(tensor, indices))
    return viewed;
  return getScaled(evaluator, tensor, indices, factor);
}

SmallVector<Source> lattn::raise::getSources(Evaluator &evaluator, Value tensor,
                                             ArrayRef<Expr> indices,
                                             const Place &place) {
  SmallVector<Source> sources;
  SmallVector<Expr> at(indices);
  double factor = 1;
  // As those of the product; parts of arrays may be smaller.
  bool sameSizes = !evaluator.guessesParts;
  for (unsigned steps = 0; tensor && steps < 64; ++steps) {
    Source source{tensor, {}, at, factor};
    bool known = true;
    for (auto [i, index] : llvm::enumerate(at)) {
      std::optional<Axis> axis = parseIndex(index, place);
      known &= axis.has_value();
      if (!axis)
        break;
      Expr size = evaluator.exprs.number(1);
      for (const Part &part : *axis)
        size = evaluator.exprs.multiply(
            size, ShapedType::isDynamic(getSize(part))
                      ? part.extent
                      : evaluator.exprs.number(getSize(part)));
      Expr extent = evaluator.getExtent(tensor, i);
      bool mayDiffer = extent->is(Kind::Const) && size->is(Kind::Const);
      known &= extent == size || (sameSizes && !mayDiffer);
      source.axes.push_back(*axis);
    }
    std::optional<int64_t> heads =
        known ? countHeads(source.axes, place) : std::nullopt;
    if (heads) {
      source.heads = *heads;
      sources.push_back(source);
    }
    Operation *op = tensor.getDefiningOp();
    if (!op)
      break;
    sameSizes &= !isa<tensor::ExtractSliceOp>(op);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      sameSizes &= isa<linalg::TransposeOp>(op) || linalgOp.getNumDpsInputs();
    tensor = getSource(evaluator, tensor, at, factor);
  }
  return sources;
}
