//===- Buckets.cpp - Rows of keys for buckets of queries ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buckets.h"
#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace lattn::raise;

namespace {
class Joining {
public:
  Joining(Evaluator &evaluator, const ValueProduct &values,
          const Softmax &softmax, Expr load, const Frame &frame,
          BucketRefusal &refusal)
      : evaluator(evaluator), exprs(evaluator.exprs), values(values),
        softmax(softmax), load(load), frame(frame), refusal(refusal) {}

  std::optional<JoinedBuckets> run();

private:
  bool readSizes();
  std::optional<JoinedBuckets> tryBack(int64_t back);
  bool proveWindow(JoinedBuckets &joined, Substitution &whole, double limit);
  void setWindow(ProvenWindow &window, const Band &band);
  bool isInside(Expr e, const Frame &whole, llvm::DenseSet<Expr> &seen);
  bool isProven(const Source &source, Value operand, ArrayRef<Expr> indices,
                Expr key);
  bool keepProven(SmallVectorImpl<Source> &sources, Value operand,
                  ArrayRef<Expr> indices, Expr key);
  bool findKeys(JoinedBuckets &joined, ArrayRef<Expr> indices);
  bool findValues(JoinedBuckets &joined);
  bool fail(const Twine &reason, Operation *op) {
    if (refusal.reason.empty())
      refusal = {reason.str(), (op ? op : values.product.op)->getLoc()};
    return false;
  }

  Evaluator &evaluator;
  Exprs &exprs;
  const ValueProduct &values;
  const Softmax &softmax;
  Expr load;
  const Frame &frame;
  BucketRefusal &refusal;

  BucketCoordinates at;
  std::optional<BucketPairs> pairs;
  Expr query, key; // of all buckets
};
} // namespace

bool Joining::readSizes() {
  if (frame.heads.empty())
    return false;
  Expr bucket = frame.heads.back(), count = bucket->operands[0];
  Expr size = frame.query->operands[0], keys = frame.key->operands[0];
  if (!size->is(Kind::Const) || !keys->is(Kind::Const) || size->number < 1 ||
      (count->is(Kind::Const) && count->number < 2) ||
      keys->number % size->number)
    return false;
  at = {bucket, frame.query, frame.key, count, size->number, keys->number, 0};
  pairs.emplace(exprs, count, at.size);
  Expr length = exprs.scale(count, at.size);
  query = exprs.var(length);
  key = exprs.var(length);
  return true;
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// Whether what it reads lies in its arrays, or is brought there by the size
/// that is known.
bool Joining::isInside(Expr e, const Frame &whole, llvm::DenseSet<Expr> &seen) {
  if (e == load || e->is(Kind::Var) || !seen.insert(e).second)
    return true;
  if (e->is(Kind::Load))
    for (auto [axis, index] : llvm::enumerate(e->operands)) {
      bool isOpen =
          cast<RankedTensorType>(e->value.getType()).isDynamicDim(axis);
      if (isOpen &&
          (index->dependsOn(whole.query) || index->dependsOn(whole.key)) &&
          !exprs.isBelow(index, evaluator.getExtent(e->value, axis)))
        return fail("an array is read that may be shorter than the keys",
                    e->value.getDefiningOp());
    }
  return llvm::all_of(e->operands, [&](Expr operand) {
    return isInside(operand, whole, seen);
  });
}

void Joining::setWindow(ProvenWindow &window, const Band &band) {
  window.offset = exprs.number(0);
  window.bucket = at.size;
  window.back = at.back;
  window.forward = at.getForward();
  // Bounds that reach over all buckets do not bound.
  auto bound = [&](int64_t distance, int64_t buckets) {
    int64_t most = (buckets + 1) * at.size;
    if (at.count->is(Kind::Const))
      most = std::min(most, at.count->number * at.size);
    bool isBound = distance >= 0 && distance < most - 1;
    return isBound ? std::optional(distance) : std::nullopt;
  };
  window.left = bound(band.left, window.back);
  window.right = bound(band.right, window.forward);
}

bool Joining::proveWindow(JoinedBuckets &joined, Substitution &whole,
                          double limit) {
  MaskedScores masked = separateMask(exprs, softmax.scores, limit);
  Operation *product = load->value.getDefiningOp();
  std::string reason;
  std::optional<BucketMask> mask =
      proveBucketMask(evaluator, *pairs, at, masked.visible, reason);
  if (!mask)
    return fail(reason, product);
  ProvenWindow window;
  setWindow(window, mask->band);
  window.showsAllRows = mask->band.showsAllRows;
  if (std::isfinite(limit) && !window.showsAllRows)
    return fail("a query may see no key, and its mask is finite", product);
  // A band that does not reach the own position is no window.
  SmallVector<Expr> rest = mask->rest;
  if (!mask->band.isExact || mask->band.left < 0 || mask->band.right < 0)
    llvm::append_range(rest, mask->counted);
  std::optional<SmallVector<Expr>> conditions = whole.apply(rest);
  joined.score = whole.apply(masked.scores);
  if (!conditions || !joined.score)
    return fail("the scores are too large an expression", product);
  llvm::copy_if(*conditions, std::back_inserter(window.rest),
                [](Expr e) { return !e->isTrue(); });
  joined.window = window;
  llvm::DenseSet<Expr> seen;
  return isInside(joined.score, joined.frame, seen) &&
         llvm::all_of(window.rest,
                      [&](Expr e) { return isInside(e, joined.frame, seen); });
}

//===----------------------------------------------------------------------===//
// Keys and values
//===----------------------------------------------------------------------===//

/// For all pairs of buckets, whether each element of `operand` is that of the
/// source at the key's position.
bool Joining::isProven(const Source &source, Value operand,
                       ArrayRef<Expr> indices, Expr key) {
  for (int64_t away = -at.back; away <= at.getForward(); ++away) {
    std::optional<BucketPair> pair = pairs->getInside(away);
    if (!pair)
      continue;
    Substitution program(evaluator), position(evaluator);
    pairs->set(program, at, *pair);
    position.set(
        key, exprs.add(exprs.scale(pair->ofKey, at.size), pairs->getPlace()));
    std::optional<SmallVector<Expr>> here = program.apply(indices);
    std::optional<SmallVector<Expr>> wanted = position.apply(source.indices);
    if (!here || !wanted)
      return false;
    Value tensor = operand;
    double factor = 1;
    while (tensor && tensor != source.tensor)
      tensor = getSource(evaluator, tensor, *here, factor);
    if (!tensor || factor != source.factor || wanted != here)
      return false;
  }
  return true;
}

bool Joining::keepProven(SmallVectorImpl<Source> &sources, Value operand,
                         ArrayRef<Expr> indices, Expr key) {
  llvm::erase_if(sources, [&](const Source &source) {
    return !isProven(source, operand, indices, key);
  });
  return !sources.empty();
}

bool Joining::findKeys(JoinedBuckets &joined, ArrayRef<Expr> indices) {
  evaluator.guessesParts = true;
  std::optional<ScoreProduct> found =
      matchScoreProduct(evaluator, load, indices, joined.frame);
  evaluator.guessesParts = false;
  if (!found)
    return false;
  joined.scores = *found;
  auto op = load->value.getDefiningOp<linalg::LinalgOp>();
  Product product = *getProduct(evaluator, op);
  SmallVector<Expr> loops = *evaluator.getLoops(op, 0, load->operands);
  loops[product.summed] = found->feature;
  unsigned operand = !found->keyIsFirst;
  return keepProven(joined.scores.keys, op->getOperand(operand),
                    product.getIndices(evaluator, operand, loops),
                    joined.frame.key);
}

bool Joining::findValues(JoinedBuckets &joined) {
  unsigned number = !values.weightsOperand;
  Value operand = values.product.op->getOperand(number);
  auto getIndices = [&](ArrayRef<Expr> loops) {
    return values.product.getIndices(evaluator, number, loops);
  };
  evaluator.guessesParts = true;
  joined.valueSources =
      getSources(evaluator, operand, getIndices(joined.values.loops),
                 {joined.frame, joined.frame.key, values.feature, false});
  evaluator.guessesParts = false;
  return keepProven(joined.valueSources, operand, getIndices(values.loops),
                    joined.frame.key) ||
         fail("the values are not those of the keys' positions",
              operand.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// One attention
//===----------------------------------------------------------------------===//

std::optional<JoinedBuckets> Joining::tryBack(int64_t back) {
  at.back = back;
  JoinedBuckets joined{values, frame, {}, {}, {}, nullptr, at.count, at.size};
  joined.frame.heads.pop_back();
  joined.frame.query = query;
  joined.frame.key = key;
  Expr bucket = joined.getBucket(exprs);
  Substitution whole(evaluator);
  whole.set(load, load);
  whole.set(at.bucket, bucket);
  whole.set(at.query, joined.getPlace(exprs));
  whole.set(at.key, exprs.add(exprs.sub(key, exprs.scale(bucket, at.size)),
                              exprs.number(back * at.size)));
  std::optional<SmallVector<Expr>> indices =
      whole.apply(ArrayRef(load->operands));
  std::optional<SmallVector<Expr>> loops = whole.apply(values.loops);
  if (!indices || !loops)
    return std::nullopt;
  joined.values.loops = *loops;
  joined.values.key = key;
  if (findKeys(joined, *indices) && findValues(joined) &&
      llvm::any_of(getMaskLimits(exprs, softmax.scores), [&](double limit) {
        return proveWindow(joined, whole, limit);
      }))
    return joined;
  return std::nullopt;
}

std::optional<JoinedBuckets> Joining::run() {
  if (softmax.sink || !readSizes())
    return std::nullopt;
  for (int64_t back = 0; back < std::min<int64_t>(at.keys / at.size, 8); ++back)
    if (std::optional<JoinedBuckets> joined = tryBack(back))
      return joined;
  // As rotary embeddings by the place in a row do. A mask says what is meant.
  for (Expr e : separateMask(exprs, softmax.scores, -1e4).visible)
    if (at.keys > at.size && e->dependsOn(at.bucket))
      fail("the keys of the rows are not those of one array",
           load->value.getDefiningOp());
  return std::nullopt;
}

std::optional<JoinedBuckets>
lattn::raise::joinBuckets(Evaluator &evaluator, const ValueProduct &values,
                          const Softmax &softmax, Expr load, const Frame &frame,
                          BucketRefusal &refusal) {
  return Joining(evaluator, values, softmax, load, frame, refusal).run();
}

std::optional<JoinedResult>
lattn::raise::joinResult(Exprs &exprs, const JoinedBuckets &joined,
                         ArrayRef<Expr> indices, RankedTensorType type) {
  Expr bucket = joined.getBucket(exprs), place = joined.getPlace(exprs);
  Expr length = joined.frame.query->operands[0];
  JoinedResult result;
  SmallVector<int64_t> shape;
  bool isFound = false;
  for (unsigned axis = 0; axis < indices.size(); ++axis) {
    Expr before = exprs.sub(indices[axis], bucket);
    if (isFound || axis + 1 == indices.size() || indices[axis + 1] != place ||
        before->dependsOn(joined.frame.query)) {
      result.indices.push_back(indices[axis]);
      shape.push_back(type.getDimSize(axis));
      continue;
    }
    isFound = true;
    result.isMerged = !before->isNumber(0);
    if (result.isMerged) {
      Expr outer = exprs.floorDiv(before, joined.count);
      if (exprs.multiply(outer, joined.count) != before)
        return std::nullopt;
      result.indices.push_back(outer);
      bool isOpen = type.isDynamicDim(axis) || !joined.count->is(Kind::Const);
      shape.push_back(isOpen ? ShapedType::kDynamic
                             : type.getDimSize(axis) / joined.count->number);
    }
    result.axis = shape.size();
    result.indices.push_back(joined.frame.query);
    shape.push_back(length->is(Kind::Const) ? length->number
                                            : ShapedType::kDynamic);
    ++axis; // the place
  }
  if (!isFound)
    return std::nullopt;
  result.type = RankedTensorType::get(shape, type.getElementType());
  return result;
}

static Value buildCount(OpBuilder &b, Location loc, Expr count) {
  Emitter emitter(b, loc, b.getF32Type(), b.getI64Type());
  return arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                    emitter.emit(count));
}

Value lattn::raise::splitResult(OpBuilder &b, Location loc, Value result,
                                const JoinedBuckets &joined,
                                const JoinedResult &axes) {
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  SmallVector<ReassociationIndices> expand, merge;
  auto add = [&](int64_t size, OpFoldResult value) {
    expand.back().push_back(shape.size());
    shape.push_back(size);
    sizes.push_back(value);
  };
  bool isOpen = axes.type.isDynamicDim(axes.axis);
  for (auto [axis, size] : llvm::enumerate(axes.type.getShape())) {
    expand.emplace_back();
    if (axis != axes.axis) {
      merge.push_back({int64_t(shape.size())});
      add(size, tensor::getMixedSize(b, loc, result, axis));
      continue;
    }
    if (axes.isMerged)
      merge.back().push_back(shape.size());
    else
      merge.push_back({int64_t(shape.size())});
    if (isOpen)
      add(ShapedType::kDynamic, buildCount(b, loc, joined.count));
    else
      add(joined.count->number, b.getIndexAttr(joined.count->number));
    merge.push_back({int64_t(shape.size())});
    add(joined.size, b.getIndexAttr(joined.size));
  }
  auto type = RankedTensorType::get(shape, axes.type.getElementType());
  result = tensor::ExpandShapeOp::create(b, loc, type, result, expand, sizes);
  return axes.isMerged ? tensor::CollapseShapeOp::create(b, loc, result, merge)
                       : result;
}
