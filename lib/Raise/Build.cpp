//===- Build.cpp - What was found becomes lattn.attention -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "BuildArrays.h"
#include "Emit.h"
#include "Mask.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;

namespace {
struct Arrays {
  Layout layout;
  Source query, key, value;
};

class AttentionBuilder {
public:
  AttentionBuilder(RewriterBase &b, Evaluator &evaluator, const Match &match)
      : b(b), exprs(evaluator.exprs), evaluator(evaluator), match(match),
        frame(match.frame), op(match.values.product.op), loc(op.getLoc()) {}

  LogicalResult run(std::string &reason);

private:
  std::optional<Arrays> chooseArrays(std::string &reason);
  LogicalResult checkSink(std::string &reason);
  LogicalResult setTypes(const Arrays &arrays, std::string &reason);
  std::optional<SmallVector<Axis>> getResultAxes(std::string &reason);
  AttentionOp buildOp(const Arrays &arrays);
  void separateScores(Expr scaled);
  void splitScore();
  Value buildOffset();
  void takeBias();
  void buildRegion(AttentionOp attention, ArrayRef<Expr> scalars);
  void replace(Value result);

  RewriterBase &b;
  Exprs &exprs;
  Evaluator &evaluator;
  const Match &match;
  const Frame &frame;
  linalg::LinalgOp op;
  Location loc;

  FloatType accumulator;
  RankedTensorType resultType;
  double scale = 1;
  Expr base = nullptr;   // the score before the region
  Expr scores = nullptr; // after it, with the conditions that remain in it
  Expr biasLoad = nullptr;
  AffineMap biasMap;
  std::optional<JoinedResult> joinedResult;
  ProvenWindow window;
  SmallVector<Expr> keyMask;
  bool mayBeEmpty = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

std::optional<Arrays> AttentionBuilder::chooseArrays(std::string &reason) {
  const ValueProduct &values = match.values;
  SmallVector<Source> sources =
      match.joined
          ? match.joined->valueSources
          : getSources(evaluator, op->getOperand(!values.weightsOperand),
                       values.product.getIndices(
                           evaluator, !values.weightsOperand, values.loops),
                       {frame, frame.key, values.feature, false});
  // The op does not multiply values.
  llvm::erase_if(sources,
                 [](const Source &source) { return source.factor != 1; });
  if (sources.empty()) {
    reason = "the axes of the values are not those of an attention";
    return std::nullopt;
  }
  std::optional<Arrays> best;
  std::pair<int64_t, int64_t> least;
  for (Layout layout : {Layout::BHND, Layout::BNHD}) {
    auto pick = [&](ArrayRef<Source> from, int64_t heads) {
      const Source *chosen = nullptr; // the last of those without a transpose
      for (const Source &source : from)
        if (source.heads == heads &&
            (!chosen || !needsTranspose(source, layout)))
          chosen = &source;
      return chosen;
    };
    for (const Source &key : match.scores.keys) {
      const Source *k = pick(match.scores.keys, key.heads);
      const Source *v = pick(sources, key.heads);
      const Source *q =
          pick(match.scores.queries, match.scores.queries.front().heads);
      if (!v)
        continue;
      int64_t moved = needsTranspose(*q, layout) + needsTranspose(*k, layout) +
                      needsTranspose(*v, layout);
      std::pair<int64_t, int64_t> cost{key.heads, moved};
      if (!best || cost < least) {
        best = Arrays{layout, *q, *k, *v};
        least = cost;
      }
    }
  }
  if (!best)
    reason = "keys and values have different numbers of heads";
  return best;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

static void countUses(Expr e, Expr of, llvm::DenseSet<Expr> &seen,
                      SmallVectorImpl<Expr> &users) {
  if (!seen.insert(e).second)
    return;
  for (Expr operand : e->operands) {
    if (operand == of)
      users.push_back(e);
    countUses(operand, of, seen, users);
  }
}

/// The product times a constant, where it is used only so.
void AttentionBuilder::splitScore() {
  llvm::DenseSet<Expr> seen;
  SmallVector<Expr> users;
  countUses(scores, base, seen, users);
  if (users.size() == 1 && users[0]->is(Kind::Mul) &&
      users[0]->operands[1]->is(Kind::Const)) {
    base = users[0];
    scale *= base->operands[1]->real;
  }
}

void AttentionBuilder::separateScores(Expr all) {
  if (match.joined) {
    window = match.joined->window;
    scores = all;
  }
  for (double limit : getMaskLimits(exprs, all)) {
    if (match.joined || window.showsAllRows)
      break;
    MaskedScores masked = separateMask(exprs, all, limit);
    window = proveWindow(exprs, frame, masked.visible);
    scores = masked.scores;
  }
  SmallVector<Expr> others;
  for (Expr e : window.rest) {
    bool ofKey = !e->dependsOn(frame.query) &&
                 llvm::none_of(frame.heads,
                               [&](Expr head) { return e->dependsOn(head); });
    (ofKey ? keyMask : others).push_back(e);
  }
  mayBeEmpty =
      !match.softmax.emptyRowsAreZero &&
      ((!window.showsAllRows && !(window.isFull() && window.rest.empty())) ||
       mayBeMinusInfinity(scores, base));
  for (Expr e : others)
    scores = exprs.select(e, scores, exprs.real(-INFINITY));
}

/// bias, where the scores are the base plus an element of an array.
void AttentionBuilder::takeBias() {
  if (!scores->is(Kind::Add) || frame.batch.size() > 1 ||
      frame.heads.size() > 1)
    return;
  Expr load = nullptr;
  for (bool swap : {false, true})
    if (scores->operands[swap] == base &&
        scores->operands[!swap]->is(Kind::Load))
      load = scores->operands[!swap];
  if (!load)
    return;
  auto type = cast<RankedTensorType>(load->value.getType());
  if (type.getElementType().isF64() != accumulator.isF64())
    return;
  MLIRContext *context = b.getContext();
  SmallVector<AffineExpr> results;
  for (Expr index : load->operands) {
    if (!index->is(Kind::Const) && !index->is(Kind::Var) &&
        !index->is(Kind::Linear))
      return;
    AffineExpr result = getAffineConstantExpr(getConstantTerm(index), context);
    bool known = true;
    forEachTerm(index, [&](Expr term, int64_t factor) {
      std::optional<unsigned> dim;
      if (term == frame.query || term == frame.key)
        dim = term == frame.query ? 2 : 3;
      else if (!frame.batch.empty() && term == frame.batch[0])
        dim = 0;
      else if (!frame.heads.empty() && term == frame.heads[0])
        dim = 1;
      known &= dim.has_value();
      if (dim)
        result = result + getAffineDimExpr(*dim, context) * factor;
    });
    if (!known)
      return;
    results.push_back(result);
  }
  biasLoad = load;
  biasMap = AffineMap::get(4, 0, results, context);
  scores = base;
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

Value AttentionBuilder::buildOffset() {
  if (window.isFull())
    return {};
  Expr usual = exprs.sub(frame.key->operands[0], frame.query->operands[0]);
  if (window.offset == usual)
    return {};
  return Emitter(b, loc, accumulator, b.getI64Type()).emit(window.offset);
}

void AttentionBuilder::buildRegion(AttentionOp attention,
                                   ArrayRef<Expr> scalars) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types(5, b.getI32Type());
  types[0] = accumulator;
  llvm::append_range(types, attention.getCaptures().getTypes());
  Block *block = b.createBlock(&attention.getScore(), {}, types,
                               SmallVector<Location>(types.size(), loc));
  Emitter emitter(b, loc, accumulator, chooseInteger(b.getContext(), scores));
  emitter.define(base, block->getArgument(0));
  emitter.defineAtoms(frame.batch, block->getArgument(1));
  emitter.defineAtoms(frame.heads, block->getArgument(2));
  emitter.defineAtoms(frame.query, block->getArgument(3));
  emitter.defineAtoms(frame.key, block->getArgument(4));
  unsigned tensors = attention.getCaptures().size() - scalars.size();
  for (unsigned i = 0; i < tensors; ++i)
    emitter.replace(attention.getCaptures()[i], block->getArgument(5 + i));
  for (auto [i, scalar] : llvm::enumerate(scalars))
    emitter.defineArray(scalar, block->getArgument(5 + tensors + i));
  YieldOp::create(b, loc, emitter.emit(scores));
}

void AttentionBuilder::replace(Value result) {
  if (match.values.divided)
    b.replaceAllUsesWith(match.values.divided, match.values.dividend);
  b.replaceOp(op, result);
}

LogicalResult AttentionBuilder::setTypes(const Arrays &arrays,
                                         std::string &reason) {
  auto getElement = [](const Source &source) {
    return getElementTypeOrSelf(source.tensor.getType());
  };
  auto element = cast<FloatType>(getElement(arrays.query));
  accumulator = element.isF64() ? b.getF64Type() : b.getF32Type();
  resultType = cast<RankedTensorType>(op->getResult(0).getType());
  for (Type type : {getElement(arrays.key), getElement(arrays.value),
                    resultType.getElementType()})
    if (type.isF64() != accumulator.isF64() ||
        !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type)) {
      reason = "the arrays have element types that no attention has together";
      return failure();
    }
  return success();
}

std::optional<SmallVector<Axis>>
AttentionBuilder::getResultAxes(std::string &reason) {
  SmallVector<Expr> indices =
      match.values.product.getIndices(evaluator, 2, match.values.loops);
  if (match.joined) {
    joinedResult = joinResult(exprs, *match.joined, indices, resultType);
    if (!joinedResult) {
      reason = "the buckets and places of the result are apart";
      return std::nullopt;
    }
    indices = joinedResult->indices;
    resultType = joinedResult->type;
  }
  SmallVector<Axis> axes;
  for (Expr index : indices) {
    std::optional<Axis> axis =
        parseIndex(index, {frame, frame.query, match.values.feature, true});
    if (!axis) {
      reason = "the axes of the result are not those of an attention";
      return std::nullopt;
    }
    axes.push_back(*axis);
  }
  return axes;
}

/// One logit for each head.
LogicalResult AttentionBuilder::checkSink(std::string &reason) {
  Expr sink = match.softmax.sink;
  uint64_t ofHeads = 0;
  for (Expr head : frame.heads)
    ofHeads |= head->vars;
  if (!sink || !(sink->vars & ~ofHeads))
    return success();
  reason = "the sink is not the same for all batches and queries";
  return failure();
}

AttentionOp AttentionBuilder::buildOp(const Arrays &arrays) {
  Value q = buildOperand(b, loc, arrays.query, arrays.layout);
  Value k = buildOperand(b, loc, arrays.key, arrays.layout);
  Value v = buildOperand(b, loc, arrays.value, arrays.layout);
  SmallVector<Value> captures;
  SmallVector<Expr> scalars;
  if (scores != base) {
    Reads reads = collectReads(scores, base);
    captures.assign(reads.tensors.begin(), reads.tensors.end());
    for (Expr scalar : reads.scalars) {
      scalars.push_back(scalar);
      captures.push_back(buildCapture(b, loc, scalar));
    }
  }
  bool isBnhd = arrays.layout == Layout::BNHD;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, q);
  SmallVector<OpFoldResult> rows = {sizes[0], sizes[isBnhd ? 2 : 1],
                                    sizes[isBnhd ? 1 : 2]};
  sizes.back() = tensor::getMixedSize(b, loc, v, 3);
  Value output =
      tensor::EmptyOp::create(b, loc, sizes, resultType.getElementType());
  Value lse =
      mayBeEmpty ? tensor::EmptyOp::create(b, loc, rows, accumulator) : Value();
  Value mask = keyMask.empty()
                   ? Value()
                   : buildKeyMask(b, loc, frame, accumulator, keyMask);
  Value sink = match.softmax.sink
                   ? buildSink(b, loc, frame, accumulator, match.softmax.sink)
                   : Value();
  WindowAttr attr;
  if (!window.isFull())
    attr = WindowAttr::get(b.getContext(), window.left, window.right,
                           window.bucket, window.back, window.forward);
  auto attention = AttentionOp::create(
      b, loc, q, k, v, biasLoad ? biasLoad->value : Value(), mask,
      /*kv_lens=*/Value(), buildOffset(), /*origin=*/ValueRange(), captures,
      sink, /*dropout=*/ValueRange(), output, lse, attr,
      /*causal=*/false, b.getF64FloatAttr(scale),
      biasLoad ? AffineMapAttr::get(biasMap) : AffineMapAttr(), arrays.layout,
      /*schedule=*/ScheduleAttr());
  if (scores != base)
    buildRegion(attention, scalars);
  return attention;
}

LogicalResult AttentionBuilder::run(std::string &reason) {
  std::optional<Arrays> arrays = chooseArrays(reason);
  if (!arrays || failed(setTypes(*arrays, reason)) || failed(checkSink(reason)))
    return failure();
  scale = arrays->query.factor * arrays->key.factor;
  Expr all = match.joined ? match.joined->score : match.softmax.scores;
  base = match.scores.load;
  separateScores(all);
  splitScore();
  takeBias();
  if (!std::isfinite(scale)) {
    reason = "the scale is not finite";
    return failure();
  }
  std::optional<SmallVector<Axis>> axes = getResultAxes(reason);
  if (!axes)
    return failure();
  b.setInsertionPoint(op);
  AttentionOp attention = buildOp(*arrays);
  Value attended = attention.getResult(0);
  if (mayBeEmpty)
    attended = replaceEmptyRows(b, loc, attended, attention.getResult(1),
                                arrays->layout == Layout::BNHD);
  Value result =
      buildResult(b, loc, attended, frame, arrays->layout, *axes, resultType);
  if (joinedResult)
    result = splitResult(b, loc, result, *match.joined, *joinedResult);
  replace(result);
  return success();
}

LogicalResult lattn::raise::buildAttention(RewriterBase &rewriter,
                                           Evaluator &evaluator,
                                           const Match &match,
                                           std::string &reason) {
  return AttentionBuilder(rewriter, evaluator, match).run(reason);
}
