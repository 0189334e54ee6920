//===- ScoreMask.cpp - A mask in a score region as a window ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A score region hides a pair by -inf, and a kernel visits the pair to find
// that out. What is proven of the conditions becomes the window, so that it
// does not. The region keeps the others, and its scores as they are written.

#include "Emit.h"
#include "Mask.h"
#include "lattn/Raise/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;

/// Coordinates of a region are i32. Sums and differences of those of fewer rows
/// do not overflow.
static constexpr int64_t kMaxRows = int64_t(1) << 30;

static bool isMinusInfinity(Value value) {
  FloatAttr number;
  return matchPattern(value, m_Constant(&number)) &&
         number.getValue().isInfinity() && number.getValue().isNegative();
}

namespace {
template <typename OpTy> class RegionMask {
public:
  RegionMask(RewriterBase &b, OpTy op)
      : b(b), op(op), evaluator(exprs), block(op.getScore().front()) {}

  LogicalResult run();

private:
  bool collectConditions();
  void evaluateRegion();
  Expr evaluateOp(Operation &inner, ArrayRef<Expr> operands);
  Expr evaluateLoad(tensor::ExtractOp load, ArrayRef<Expr> indices);
  bool canBuild(Expr e);
  void buildScore(Expr rest);
  void setWindow(const ProvenWindow &window);
  void dropIdentity();
  Expr getExtent(Value array) {
    return exprs.make(Kind::Min,
                      {evaluator.getExtent(array, op.getPositionAxis()),
                       exprs.number(kMaxRows)});
  }

  RewriterBase &b;
  OpTy op;
  Exprs exprs;
  Evaluator evaluator;
  Block &block;
  Frame frame;
  llvm::DenseMap<Value, Expr> known;
  /// Conditions of the region, which stay as they are written.
  llvm::DenseMap<Expr, Value> written;
  /// The score where all conditions hold: (condition, whether it must be true).
  Value score;
  SmallVector<std::pair<Value, bool>> conditions;
};
} // namespace

/// The selects of -inf before the yield; there may be none.
template <typename OpTy> bool RegionMask<OpTy>::collectConditions() {
  score = block.getTerminator()->getOperand(0);
  while (auto select = score.getDefiningOp<arith::SelectOp>()) {
    bool hidesFalse = isMinusInfinity(select.getFalseValue());
    if (!hidesFalse && !isMinusInfinity(select.getTrueValue()))
      break;
    if (!select.getCondition().getType().isInteger(1))
      break;
    conditions.push_back({select.getCondition(), hidesFalse});
    score = hidesFalse ? select.getTrueValue() : select.getFalseValue();
  }
  return !conditions.empty();
}

/// An element of a capture. What is known of it without reading it is simpler.
template <typename OpTy>
Expr RegionMask<OpTy>::evaluateLoad(tensor::ExtractOp load,
                                    ArrayRef<Expr> indices) {
  auto argument = dyn_cast<BlockArgument>(load.getTensor());
  if (!argument || argument.getOwner() != &block)
    return exprs.symbol(load.getResult());
  Value array = op.getCaptures()[argument.getArgNumber() - 5];
  Expr element = evaluator.getElement(array, indices);
  return collectReads(element, nullptr).tensors.empty()
             ? element
             : exprs.load(array, indices);
}

template <typename OpTy>
Expr RegionMask<OpTy>::evaluateOp(Operation &inner, ArrayRef<Expr> operands) {
  if (auto load = dyn_cast<tensor::ExtractOp>(inner))
    return evaluateLoad(load, operands.drop_front());
  Expr found = nullptr;
  if (!llvm::is_contained(operands, nullptr))
    found = evaluateScalarOp(exprs, &inner, operands);
  if (!found && inner.getNumResults() == 1)
    found = exprs.symbol(inner.getResult(0));
  return found;
}

template <typename OpTy> void RegionMask<OpTy>::evaluateRegion() {
  ValueRange arguments = block.getArguments();
  int64_t headAxis = op.getHeadAxis();
  frame.batch = {exprs.var(evaluator.getExtent(op.getQuery(), 0))};
  frame.heads = {exprs.var(evaluator.getExtent(op.getQuery(), headAxis))};
  frame.query = exprs.var(getExtent(op.getQuery()));
  frame.key = exprs.var(getExtent(op.getKey()));
  known[arguments[0]] = exprs.symbol(arguments[0]);
  Expr coordinates[] = {frame.batch[0], frame.heads[0], frame.query, frame.key};
  for (auto [i, coordinate] : llvm::enumerate(coordinates))
    known[arguments[i + 1]] = coordinate;
  for (Operation &inner : block.without_terminator()) {
    SmallVector<Expr> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(known.lookup(operand));
    Expr found = evaluateOp(inner, operands);
    if (!found)
      continue;
    Value result = inner.getResult(0);
    known[result] = found;
    if (result.getType().isInteger(1))
      written.try_emplace(found, result);
  }
}

/// Whether the region can compute `e`: of what it has, without names of sizes.
template <typename OpTy> bool RegionMask<OpTy>::canBuild(Expr e) {
  if (written.contains(e) || e->is(Kind::Var))
    return true;
  if (e->is(Kind::Sym) || e->is(Kind::Dim) ||
      (e->is(Kind::Load) && !llvm::is_contained(op.getCaptures(), e->value)))
    return false;
  return llvm::all_of(e->operands, [&](Expr x) { return canBuild(x); });
}

/// Yields the score where `rest` holds.
template <typename OpTy> void RegionMask<OpTy>::buildScore(Expr rest) {
  Operation *yield = block.getTerminator();
  b.setInsertionPoint(yield);
  Location loc = op.getLoc();
  auto real = cast<FloatType>(score.getType());
  Value result = score;
  if (!rest->isTrue()) {
    Emitter emitter(b, loc, real, chooseInteger(b.getContext(), rest));
    emitter.defineAtoms(frame.batch, block.getArgument(1));
    emitter.defineAtoms(frame.heads, block.getArgument(2));
    emitter.defineAtoms(frame.query, block.getArgument(3));
    emitter.defineAtoms(frame.key, block.getArgument(4));
    for (auto [i, array] : llvm::enumerate(op.getCaptures()))
      emitter.replace(array, block.getArgument(5 + i));
    for (auto [e, value] : written)
      emitter.define(e, value);
    Value hidden = arith::ConstantOp::create(
        b, loc, b.getFloatAttr(real, -std::numeric_limits<double>::infinity()));
    result = arith::SelectOp::create(b, loc, emitter.emit(rest), score, hidden);
  }
  b.modifyOpInPlace(yield, [&] { yield->setOperand(0, result); });
  (void)runRegionDCE(b, op.getScore());
}

template <typename OpTy>
void RegionMask<OpTy>::setWindow(const ProvenWindow &window) {
  b.setInsertionPoint(op);
  Expr usual =
      exprs.sub(evaluator.getExtent(op.getKey(), op.getPositionAxis()),
                evaluator.getExtent(op.getQuery(), op.getPositionAxis()));
  Value offset;
  if (op.getKvLens() || window.offset != usual)
    offset = Emitter(b, op.getLoc(), op.getAccumulatorType(), b.getI64Type())
                 .emit(window.offset);
  b.modifyOpInPlace(op, [&] {
    op.getOffsetMutable().clear();
    if (offset)
      op.getOffsetMutable().assign(offset);
    op.setWindowAttr(WindowAttr::get(b.getContext(), window.left, window.right,
                                     window.bucket, window.back,
                                     window.forward));
  });
}

static bool hasCaptureGradients(AttentionOp) { return false; }
static bool hasCaptureGradients(AttentionGradOp op) {
  return !op.getDCaptures().empty();
}
static bool hasCaptureGradients(AttentionJvpOp op) {
  return !op.getDCaptures().empty();
}

/// A region that yields its score is none.
template <typename OpTy> void RegionMask<OpTy>::dropIdentity() {
  if (block.getTerminator()->getOperand(0) != block.getArgument(0) ||
      hasCaptureGradients(op))
    return;
  b.modifyOpInPlace(op, [&] { op.getCapturesMutable().clear(); });
  b.eraseBlock(&block);
}

template <typename OpTy> LogicalResult RegionMask<OpTy>::run() {
  if (!collectConditions())
    return b.notifyMatchFailure(op, "the score region hides nothing");
  evaluateRegion();
  SmallVector<Expr> visible;
  for (auto [condition, mustBeTrue] : conditions) {
    Expr e = known.lookup(condition);
    if (!e)
      return b.notifyMatchFailure(op, "a condition is not understood");
    visible.push_back(mustBeTrue ? e : exprs.make(Kind::Not, {e}));
  }
  if (exprs.isExhausted())
    return b.notifyMatchFailure(op, "the score region is too large");
  ProvenWindow window = proveWindow(exprs, frame, visible);
  if (window.isFull())
    return b.notifyMatchFailure(op, "the mask is no window");
  Expr rest = exprs.boolean(true);
  for (Expr condition : window.rest)
    rest = exprs.make(Kind::And, {rest, condition});
  if (!canBuild(rest))
    return b.notifyMatchFailure(op, "the rest of the mask depends on sizes");
  buildScore(rest);
  setWindow(window);
  dropIdentity();
  return success();
}

LogicalResult lattn::raiseScoreMask(RewriterBase &rewriter, Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AttentionOp, AttentionGradOp, AttentionJvpOp>(
          [&](auto attention) -> LogicalResult {
            // Windows with positions of their own are not joined.
            if (attention.getScore().empty() ||
                attention.getEffectiveWindow() ||
                !attention.getOrigin().empty() ||
                !isa<RankedTensorType>(attention.getQuery().getType()))
              return failure();
            return RegionMask<decltype(attention)>(rewriter, attention).run();
          })
      .Default([](Operation *) { return failure(); });
}
