//===- Evaluator.cpp - What a tensor holds at an index --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn::raise;

/// Deeper chains of operations are not looked through.
static constexpr unsigned kMaxDepth = 256, kMaxScalarDepth = 4096;

Expr Evaluator::apply(AffineExpr map, ArrayRef<Expr> dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(map))
    return dims[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(map))
    return exprs.number(constant.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(map);
  if (!binary)
    return nullptr;
  Expr a = apply(binary.getLHS(), dims), b = apply(binary.getRHS(), dims);
  if (!a || !b)
    return nullptr;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return exprs.add(a, b);
  case AffineExprKind::Mul:
    return exprs.multiply(a, b);
  case AffineExprKind::FloorDiv:
    return b->range.low > 0 ? exprs.floorDiv(a, b) : nullptr;
  case AffineExprKind::Mod:
    return b->range.low > 0 ? exprs.mod(a, b) : nullptr;
  default:
    return nullptr;
  }
}

Expr Evaluator::applyToOperands(AffineMap map, ArrayRef<Expr> operands) {
  SmallVector<AffineExpr> symbols;
  for (unsigned i = 0; i < map.getNumSymbols(); ++i)
    symbols.push_back(getAffineDimExpr(map.getNumDims() + i, map.getContext()));
  return apply(map.getResult(0).replaceSymbols(symbols), operands);
}

//===----------------------------------------------------------------------===//
// Extents and scalars
//===----------------------------------------------------------------------===//

Expr Evaluator::getSize(OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return exprs.number(*known);
  return getScalar(cast<Value>(size));
}

Expr Evaluator::evaluateExtent(Value tensor, int64_t axis) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return nullptr;
  return llvm::TypeSwitch<Operation *, Expr>(result.getOwner())
      .Case([&](tensor::EmptyOp op) {
        return getScalar(op.getDynamicSize(axis));
      })
      .Case([&](tensor::CastOp op) { return getExtent(op.getSource(), axis); })
      .Case([&](tensor::ExpandShapeOp op) {
        return getSize(op.getMixedOutputShape()[axis]);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        Expr size = exprs.number(1);
        ReassociationIndices axes = op.getReassociationIndices()[axis];
        for (int64_t of : axes)
          size = exprs.multiply(size, getExtent(op.getSrc(), of));
        return size;
      })
      .Case([&](tensor::ExtractSliceOp op) -> Expr {
        llvm::SmallBitVector dropped = op.getDroppedDims();
        int64_t kept = axis; // in the source
        for (int64_t of = 0; of <= kept; ++of)
          kept += dropped[of];
        return getSize(op.getMixedSizes()[kept]);
      })
      .Case([&](tensor::ConcatOp op) {
        if (uint64_t(axis) != op.getDim())
          return getExtent(op.getInputs()[0], axis);
        Expr size = exprs.number(0);
        for (Value input : op.getInputs())
          size = exprs.add(size, getExtent(input, axis));
        return size;
      })
      .Case([&](tensor::PadOp op) {
        Expr size = getExtent(op.getSource(), axis);
        for (OpFoldResult more :
             {op.getMixedLowPad()[axis], op.getMixedHighPad()[axis]})
          size = exprs.add(size, getSize(more));
        return size;
      })
      .Case([&](tensor::ReshapeOp op) -> Expr {
        auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>();
        return shape ? getScalar(shape.getElements()[axis]) : nullptr;
      })
      .Case([&](DestinationStyleOpInterface op) {
        return getExtent(op.getTiedOpOperand(result)->get(), axis);
      })
      .Default([](Operation *) { return nullptr; });
}

Expr Evaluator::getDim(Value tensor, int64_t axis) {
  Expr dim = exprs.dim(tensor, axis);
  Expr known = knownExtents.lookup(dim);
  return known ? known : dim;
}

Expr Evaluator::getExtent(Value tensor, int64_t axis) {
  int64_t known = cast<RankedTensorType>(tensor.getType()).getDimSize(axis);
  if (!ShapedType::isDynamic(known))
    return exprs.number(known);
  Expr found = evaluateExtent(tensor, axis);
  if (!found)
    return getDim(tensor, axis);
  if (found->range.low >= 0 || (keepsSums && found->is(Kind::Linear)))
    return found;
  // A size is not negative, and equal scalars are equal sizes.
  Expr &extent = extents[found];
  if (!extent)
    extent = getDim(tensor, axis);
  return extent;
}

Expr Evaluator::getScalar(Value scalar) {
  if (Expr known = scalars.lookup(scalar))
    return known;
  Expr found = nullptr;
  Operation *op = scalar.getDefiningOp();
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op)) {
    if (std::optional<int64_t> axis = dim.getConstantIndex())
      found = getExtent(dim.getSource(), *axis);
  } else if (auto extract = dyn_cast_or_null<tensor::ExtractOp>(op)) {
    SmallVector<Expr> indices;
    for (Value index : extract.getIndices())
      indices.push_back(getScalar(index));
    found = getElement(extract.getTensor(), indices);
  } else if (op && depth < kMaxDepth &&
             isa<arith::ArithDialect, affine::AffineDialect>(
                 op->getDialect())) {
    ++depth;
    SmallVector<Expr> operands;
    for (Value operand : op->getOperands())
      operands.push_back(getScalar(operand));
    found = evaluateScalarOp(exprs, op, operands);
    if (auto affineOp = dyn_cast<affine::AffineApplyOp>(op))
      found = applyToOperands(affineOp.getAffineMap(), operands);
    --depth;
  }
  // What it is made of can be computed where it is; a name is simpler.
  if (!found || found->is(Kind::Opaque))
    found = exprs.symbol(scalar);
  return scalars[scalar] = found;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Expr>> Evaluator::getLoops(linalg::LinalgOp op,
                                                     unsigned result,
                                                     ArrayRef<Expr> indices) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<Expr> loops(op.getNumLoops(), nullptr);
  for (auto [expr, index] : llvm::zip_equal(map.getResults(), indices)) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (loops[dim.getPosition()])
        return std::nullopt;
      loops[dim.getPosition()] = index;
    } else if (!isa<AffineConstantExpr>(expr)) {
      return std::nullopt;
    }
  }
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [loop, range] : llvm::zip_equal(loops, ranges))
    if (!loop && range == 1)
      loop = exprs.number(0);
  return loops;
}

Expr Evaluator::evaluateBody(linalg::LinalgOp op, Value value,
                             ArrayRef<Expr> loops,
                             llvm::DenseMap<Value, Expr> &known) {
  if (Expr found = known.lookup(value))
    return found;
  if (scalarDepth > kMaxScalarDepth || exprs.isExhausted())
    return nullptr;
  ++scalarDepth;
  auto leave = llvm::scope_exit([&] { --scalarDepth; });
  Expr found = nullptr;
  if (value.getParentBlock() != op.getBlock()) {
    found = getScalar(value);
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (op.getNumReductionLoops() && op.isDpsInit(operand))
      return nullptr; // what was summed up so far
    if (!isa<RankedTensorType>(operand->get().getType()))
      return known[value] = getScalar(operand->get());
    SmallVector<Expr> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults()) {
      indices.push_back(apply(expr, loops));
      if (!indices.back())
        return nullptr;
    }
    found = getElement(operand->get(), indices);
  } else if (auto index = value.getDefiningOp<linalg::IndexOp>()) {
    found = loops[index.getDim()];
  } else if (auto dim = value.getDefiningOp<tensor::DimOp>()) {
    found = getScalar(dim);
  } else {
    SmallVector<Expr> operands;
    Operation *inner = value.getDefiningOp();
    auto extract = dyn_cast<tensor::ExtractOp>(inner);
    for (Value operand : inner->getOperands()) {
      if (extract && operand == extract.getTensor())
        continue;
      operands.push_back(evaluateBody(op, operand, loops, known));
      if (!operands.back())
        return nullptr;
    }
    found = extract ? getElement(extract.getTensor(), operands)
                    : evaluateScalarOp(exprs, inner, operands);
  }
  if (found)
    known[value] = found;
  return found;
}

Expr Evaluator::evaluateLinalg(linalg::LinalgOp op, unsigned result,
                               ArrayRef<Expr> indices) {
  std::optional<SmallVector<Expr>> loops = getLoops(op, result, indices);
  if (!loops || llvm::is_contained(*loops, nullptr) ||
      op.getNumReductionLoops())
    return nullptr;
  llvm::DenseMap<Value, Expr> known;
  return evaluateBody(op, op.getBlock()->getTerminator()->getOperand(result),
                      *loops, known);
}

Expr Evaluator::evaluate(Value tensor, ArrayRef<Expr> indices) {
  Operation *op = tensor.getDefiningOp();
  if (!op || depth > kMaxDepth || exprs.isExhausted())
    return nullptr;
  ++depth;
  auto leave = llvm::scope_exit([&] { --depth; });
  SmallVector<Expr> inner(indices);
  if (Value viewed = getViewed(tensor, inner))
    return getElement(viewed, inner);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return evaluateLinalg(linalgOp, cast<OpResult>(tensor).getResultNumber(),
                          indices);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return evaluatePad(pad, indices);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return evaluateConcat(concat, indices);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return getScalar(splat.getInput());
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op))
    return elements.getElements().size() == 1
               ? getScalar(elements.getElements()[0])
               : nullptr;
  return nullptr;
}

Expr Evaluator::getElement(Value tensor, ArrayRef<Expr> indices) {
  std::pair<void *, std::vector<Expr>> key{tensor.getAsOpaquePointer(),
                                           {indices.begin(), indices.end()}};
  if (auto it = elements.find(key); it != elements.end())
    return it->second;
  bool guesses = std::exchange(guessesParts, false);
  Expr found = evaluate(tensor, indices);
  guessesParts = guesses;
  if (!found)
    found = exprs.load(tensor, indices);
  elements[std::move(key)] = found;
  return found;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static bool isNeutral(Kind kind, Expr start) {
  if (!start->is(Kind::Const))
    return false;
  switch (kind) {
  case Kind::Add:
    return start->isReal(0);
  case Kind::Max:
    return start->type == Class::Float && start->real <= -3e38;
  default:
    return start->isNumber(kind == Kind::And);
  }
}

static Expr getReducedExtent(Evaluator &evaluator, linalg::LinalgOp op) {
  for (auto [dim, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    Value operand;
    unsigned axis;
    if (type == utils::IteratorType::reduction &&
        succeeded(op.mapIterationSpaceDimToOperandDim(dim, operand, axis)))
      return evaluator.getExtent(operand, axis);
  }
  return nullptr;
}

std::optional<Reduction> Evaluator::getReduction(Expr load, Expr at) {
  if (!load->is(Kind::Load))
    return std::nullopt;
  auto result = dyn_cast<OpResult>(load->value);
  auto op = result ? dyn_cast<linalg::LinalgOp>(result.getOwner()) : nullptr;
  if (!op || op.getNumReductionLoops() != 1)
    return std::nullopt;
  unsigned number = result.getResultNumber();
  std::optional<SmallVector<Expr>> loops = getLoops(op, number, load->operands);
  if (!loops)
    return std::nullopt;
  for (auto [loop, type] :
       llvm::zip_equal(*loops, op.getIteratorTypesArray())) {
    if (type == utils::IteratorType::reduction)
      loop = at;
    if (!loop)
      return std::nullopt;
  }
  Operation *combiner =
      op.getBlock()->getTerminator()->getOperand(number).getDefiningOp();
  Value state = op.getRegionOutputArgs()[number];
  Kind kind;
  if (isa_and_nonnull<arith::AddFOp>(combiner))
    kind = Kind::Add;
  else if (isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
    kind = Kind::Max;
  else if (isa_and_nonnull<arith::AndIOp>(combiner))
    kind = Kind::And;
  else if (isa_and_nonnull<arith::OrIOp>(combiner))
    kind = Kind::Or;
  else
    return std::nullopt;
  Value term = combiner->getOperand(combiner->getOperand(0) == state);
  if (combiner->getOperand(0) != state && combiner->getOperand(1) != state)
    return std::nullopt;
  if (!isNeutral(kind, getElement(op.getDpsInits()[number], load->operands)))
    return std::nullopt;
  llvm::DenseMap<Value, Expr> known;
  Expr body = evaluateBody(op, term, *loops, known);
  Expr extent = getReducedExtent(*this, op);
  if (!body || !extent)
    return std::nullopt;
  return Reduction{kind, body, extent};
}
