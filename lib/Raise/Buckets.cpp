//===- Buckets.cpp - Rows of keys for buckets of queries ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buckets.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn::raise;

namespace {
class Joining {
public:
  Joining(Evaluator &evaluator, const ValueProduct &values,
          const Softmax &softmax, Expr load, const Frame &frame)
      : evaluator(evaluator), exprs(evaluator.exprs), values(values),
        softmax(softmax), load(load), frame(frame) {}

  std::optional<JoinedBuckets> run();

private:
  bool readSizes();
  Expr translate(Expr e);
  std::optional<SmallVector<Expr>> translateAll(ArrayRef<Expr> from);
  std::optional<JoinedBuckets> tryBack(int64_t back);
  std::optional<ProvenWindow> proveWindow();
  bool isProven(const Source &source, Value operand, ArrayRef<Expr> indices,
                Expr key);
  bool keepProven(SmallVectorImpl<Source> &sources, Value operand,
                  ArrayRef<Expr> indices, Expr key);
  bool findKeys(JoinedBuckets &joined, ArrayRef<Expr> indices);
  bool findValues(JoinedBuckets &joined);
  bool readsOnlyProduct(Expr e);

  Evaluator &evaluator;
  Exprs &exprs;
  const ValueProduct &values;
  const Softmax &softmax;
  Expr load;
  const Frame &frame;

  BucketCoordinates at;
  int64_t length = 0, keys = 0; // positions, and keys of a bucket
  llvm::DenseMap<Expr, Expr> translated;
};
} // namespace

bool Joining::readSizes() {
  if (frame.heads.empty())
    return false;
  Expr bucket = frame.heads.back();
  for (Expr var : {bucket, frame.query, frame.key})
    if (!var->operands[0]->is(Kind::Const))
      return false;
  at = {bucket,
        frame.query,
        frame.key,
        bucket->operands[0]->number,
        frame.query->operands[0]->number,
        0};
  length = at.count * at.size;
  keys = frame.key->operands[0]->number;
  return at.count > 1 && keys % at.size == 0;
}

/// Null for what is no index made of coordinates.
Expr Joining::translate(Expr e) {
  if (Expr found = translated.lookup(e))
    return found;
  switch (e->kind) {
  case Kind::Const:
  case Kind::Var:
    return e;
  case Kind::Linear: {
    Expr sum = exprs.number(e->number);
    for (auto [operand, factor] : llvm::zip(e->operands, e->coefficients)) {
      Expr term = translate(operand);
      if (!term)
        return nullptr;
      sum = exprs.add(sum, exprs.scale(term, factor));
    }
    return sum;
  }
  case Kind::FloorDiv: {
    Expr inner = translate(e->operands[0]);
    return inner ? exprs.floorDiv(inner, e->operands[1]) : nullptr;
  }
  default:
    return nullptr;
  }
}

std::optional<SmallVector<Expr>> Joining::translateAll(ArrayRef<Expr> from) {
  SmallVector<Expr> to;
  for (Expr e : from) {
    to.push_back(translate(e));
    if (!to.back())
      return std::nullopt;
  }
  return to;
}

/// Whether it does not depend on positions but by the product.
bool Joining::readsOnlyProduct(Expr e) {
  if (e == load)
    return true;
  if (e == at.bucket || e == at.query || e == at.key)
    return false;
  return e->is(Kind::Var) || llvm::all_of(e->operands, [&](Expr operand) {
           return readsOnlyProduct(operand);
         });
}

std::optional<ProvenWindow> Joining::proveWindow() {
  MaskedScores masked = separateMask(exprs, softmax.scores, true);
  if (!readsOnlyProduct(masked.scores))
    return std::nullopt;
  std::optional<Band> band = enumerateBuckets(at, masked.visible);
  if (!band || !band->isExact || !band->showsAllRows)
    return std::nullopt;
  ProvenWindow window;
  window.offset = exprs.number(0);
  window.showsAllRows = true;
  window.bucket = at.size;
  window.back = at.back;
  window.forward = keys / at.size - 1 - at.back;
  // Bounds that reach over all buckets do not bound.
  auto bound = [&](int64_t distance, int64_t buckets) {
    bool isBound = distance < std::min(length, (buckets + 1) * at.size) - 1;
    return isBound ? std::optional(distance) : std::nullopt;
  };
  window.left = bound(band->left, window.back);
  window.right = bound(band->right, window.forward);
  for (std::optional<int64_t> side : {window.left, window.right})
    if (side && *side < 0)
      return std::nullopt;
  return window;
}

/// With numbers for buckets and keys, whether each element of `operand` is that
/// of the source at the key's position.
bool Joining::isProven(const Source &source, Value operand,
                       ArrayRef<Expr> indices, Expr key) {
  llvm::DenseMap<Expr, Expr> symbolic = translated;
  bool isProven = true;
  for (int64_t bucket = 0; bucket < at.count && isProven; ++bucket)
    for (int64_t place = 0; place < keys && isProven; ++place) {
      int64_t position = (bucket - at.back) * at.size + place;
      if (position < 0 || position >= length)
        continue; // hidden
      translated.clear();
      translated[at.bucket] = exprs.number(bucket);
      translated[at.key] = exprs.number(place);
      SmallVector<Expr> here = *translateAll(indices);
      Value tensor = operand;
      double factor = 1;
      while (tensor && tensor != source.tensor)
        tensor = getSource(evaluator, tensor, here, factor);
      translated.clear();
      translated[key] = exprs.number(position);
      std::optional<SmallVector<Expr>> wanted = translateAll(source.indices);
      isProven = tensor && factor == source.factor && wanted == here;
    }
  translated = symbolic;
  return isProven;
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
                    joined.frame.key);
}

std::optional<JoinedBuckets> Joining::tryBack(int64_t back) {
  at.back = back;
  JoinedBuckets joined{values, frame, {}, {}, {}, at.size};
  Frame &whole = joined.frame;
  whole.heads.pop_back();
  whole.query = exprs.var(exprs.number(length));
  whole.key = exprs.var(exprs.number(length));
  Expr bucket = joined.getBucket(exprs);
  translated.clear();
  translated[at.bucket] = bucket;
  translated[at.query] = joined.getPlace(exprs);
  translated[at.key] =
      exprs.add(exprs.sub(whole.key, exprs.scale(bucket, at.size)),
                exprs.number(back * at.size));
  std::optional<SmallVector<Expr>> indices = translateAll(load->operands);
  std::optional<SmallVector<Expr>> loops = translateAll(values.loops);
  if (!indices || !loops)
    return std::nullopt;
  joined.values.loops = *loops;
  joined.values.key = whole.key;
  if (!findKeys(joined, *indices) || !findValues(joined))
    return std::nullopt;
  std::optional<ProvenWindow> window = proveWindow();
  if (!window)
    return std::nullopt;
  joined.window = *window;
  return joined;
}

std::optional<JoinedBuckets> Joining::run() {
  if (softmax.sink || !readSizes())
    return std::nullopt;
  for (int64_t back = 0; back < std::min<int64_t>(keys / at.size, 8); ++back)
    if (std::optional<JoinedBuckets> joined = tryBack(back))
      return joined;
  return std::nullopt;
}

std::optional<JoinedBuckets>
lattn::raise::joinBuckets(Evaluator &evaluator, const ValueProduct &values,
                          const Softmax &softmax, Expr load,
                          const Frame &frame) {
  return Joining(evaluator, values, softmax, load, frame).run();
}

std::optional<JoinedResult>
lattn::raise::joinResult(Exprs &exprs, const JoinedBuckets &joined,
                         ArrayRef<Expr> indices, RankedTensorType type) {
  Expr bucket = joined.getBucket(exprs), place = joined.getPlace(exprs);
  int64_t length = joined.frame.query->operands[0]->number;
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
    int64_t count = length / joined.size;
    result.isMerged = !before->isNumber(0);
    if (result.isMerged) {
      Expr outer = exprs.floorDiv(before, exprs.number(count));
      if (exprs.scale(outer, count) != before)
        return std::nullopt;
      result.indices.push_back(outer);
      shape.push_back(ShapedType::isDynamic(type.getDimSize(axis))
                          ? ShapedType::kDynamic
                          : type.getDimSize(axis) / count);
    }
    result.axis = shape.size();
    result.indices.push_back(joined.frame.query);
    shape.push_back(length);
    ++axis; // the place
  }
  if (!isFound)
    return std::nullopt;
  result.type = RankedTensorType::get(shape, type.getElementType());
  return result;
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
  int64_t length = axes.type.getDimSize(axes.axis);
  for (auto [axis, size] : llvm::enumerate(axes.type.getShape())) {
    expand.emplace_back();
    if (axis != axes.axis) {
      merge.push_back({int64_t(shape.size())});
      add(size, tensor::getMixedSize(b, loc, result, axis));
      continue;
    }
    int64_t count = length / joined.size;
    if (axes.isMerged)
      merge.back().push_back(shape.size());
    else
      merge.push_back({int64_t(shape.size())});
    add(count, b.getIndexAttr(count));
    merge.push_back({int64_t(shape.size())});
    add(joined.size, b.getIndexAttr(joined.size));
  }
  auto type = RankedTensorType::get(shape, axes.type.getElementType());
  result = tensor::ExpandShapeOp::create(b, loc, type, result, expand, sizes);
  return axes.isMerged ? tensor::CollapseShapeOp::create(b, loc, result, merge)
                       : result;
}
