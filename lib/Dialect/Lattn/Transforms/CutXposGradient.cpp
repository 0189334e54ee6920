//===- CutXposGradient.cpp - Gradients of rows with xpos scales ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Over a long sequence xpos scales overflow, although those of a query and of
// the keys that it sees cancel. So queries are cut into segments. Each has
// scales that count from the middle of its keys.
//
//   rotary(query), rotary(key) -> attention_grad -> rotary(d_query, d_key)
//
// becomes
//
//   for each segment
//     rotary(its queries), rotary(their keys) -> attention_grad, a tile
//       -> d_query's rows, and sums of d_key, d_value and the other gradients

#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Differentiation/Differentiation.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace lattn;
using OFR = OpFoldResult;

/// Positions of a segment spread over at most this many times the base: scales
/// are then 1e-15 to 1e15, as in the forward pass.
static constexpr double kMaxSpread = 55;

namespace {
class Cutter {
public:
  Cutter(RewriterBase &b, AttentionGradOp op)
      : b(b), op(op), loc(op.getLoc()),
        query(op.getQuery().getDefiningOp<RotaryOp>()),
        key(op.getKey().getDefiningOp<RotaryOp>()) {}
  bool isCandidate() {
    return query && key && query.getXposScaleBase() && key.getXposScaleBase();
  }
  /// Fails, the rewriter told why, where segments cannot be made.
  LogicalResult plan();
  void cut();

private:
  /// The rows of a segment along an axis of positions.
  struct Rows {
    Value first, count;
  };
  LogicalResult fail(const Twine &reason) {
    return b.notifyMatchFailure(op, reason);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value sizeOf(Value array, unsigned axis) {
    return getValueOrCreateConstantIndexOp(
        b, loc, tensor::getMixedSize(b, loc, array, axis));
  }
  LogicalResult planBack(Value gradient, RotaryOp rotary, RotaryOp &back);
  Rows findKeys(Rows rows);
  Value take(Value array, Rows rows, unsigned axis);
  Value put(Value part, Value array, Rows rows, unsigned axis);
  Value addTo(Value array, Value part, Rows rows, unsigned axis);
  Value add(Value x, Value y);
  Value rotate(RotaryOp like, Value rows, Value first, Value center,
               Value destination);
  Value emptyWide(Value like);
  AttentionGradOp buildTile(Rows rows, Rows keys, Value center);
  SmallVector<Value> buildSegment(Value number, ValueRange carried);

  RewriterBase &b;
  AttentionGradOp op;
  Location loc;
  RotaryOp query, key, queryBack, keyBack;
  int64_t offset = 0, before = 0, after = 0, segment = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Whether and how
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getStart(Value start) {
  return start ? getConstantIntValue(start) : 0;
}

/// What rotates a gradient back, if anything reads it.
LogicalResult Cutter::planBack(Value gradient, RotaryOp rotary,
                               RotaryOp &back) {
  if (gradient.use_empty())
    return success();
  if (gradient.hasOneUse())
    back = dyn_cast<RotaryOp>(*gradient.user_begin());
  if (!back || back.getTransposed() == rotary.getTransposed() ||
      back.getXposScaleBase() != rotary.getXposScaleBase() ||
      back.getDownscale() != rotary.getDownscale() ||
      getStart(back.getStart()) != getStart(rotary.getStart()))
    return fail("something else than a rotation reads its gradients");
  return success();
}

LogicalResult Cutter::plan() {
  if (!op.getOrigin().empty() || op.getSink())
    return fail("it is a tile or has a sink");
  if (query.getXposScaleBase() != key.getXposScaleBase() ||
      query.getDownscale() || !key.getDownscale() || query.getCenter() ||
      key.getCenter() || query.getRowAxis() != op.getPositionAxis() ||
      key.getRowAxis() != op.getPositionAxis())
    return fail("xpos scales do not cancel");
  APInt given;
  if (!op.getOffset() || isa<ShapedType>(op.getOffset().getType()) ||
      !matchPattern(op.getOffset(), m_ConstantInt(&given)))
    return fail("its offset is not a constant");
  offset = given.getSExtValue();
  auto queryStart = getStart(query.getStart()),
       keyStart = getStart(key.getStart());
  WindowAttrInterface window = op.getEffectiveWindow();
  Halo halo = window ? getHalo(window) : Halo();
  constexpr int64_t limit = int64_t(1) << 40; // sums do not overflow
  if (!queryStart || !keyStart || !halo.before || !halo.after ||
      *halo.before > limit || *halo.after > limit)
    return fail("its window or its positions are not bounded");
  before = *halo.before, after = *halo.after;
  double base = std::abs(query.getXposScaleBase()->convertToDouble());
  double shift = std::abs(double(*queryStart - *keyStart - offset));
  double most = kMaxSpread * base - shift - before - after;
  constexpr int64_t longest = int64_t(1) << 30;
  segment = std::max<int64_t>(1, std::min<double>(most, longest));
  if (failed(planBack(op->getResult(0), query, queryBack)) ||
      failed(planBack(op->getResult(1), key, keyBack)))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// The keys that the queries `rows` may see.
Cutter::Rows Cutter::findKeys(Rows rows) {
  AffineExpr s0, s1, s2;
  bindSymbols(b.getContext(), s0, s1, s2);
  AffineExpr none = getAffineConstantExpr(0, b.getContext());
  OFR keys = tensor::getMixedSize(b, loc, op.getKey(), op.getPositionAxis());
  OFR first = affine::makeComposedFoldedAffineMax(
      b, loc,
      AffineMap::get(0, 1, {s0 + (offset - before), none}, b.getContext()),
      {OFR(rows.first)});
  first = affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(0, 2, {s0, s1}, b.getContext()), {first, keys});
  OFR end = affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(0, 3, {s0 + s1 + (offset + after), s2}, b.getContext()),
      {OFR(rows.first), OFR(rows.count), keys});
  OFR count = affine::makeComposedFoldedAffineMax(
      b, loc, AffineMap::get(0, 2, {s0 - s1, none}, b.getContext()),
      {end, first});
  return {getValueOrCreateConstantIndexOp(b, loc, first),
          getValueOrCreateConstantIndexOp(b, loc, count)};
}

/// The offsets and sizes of rows of `array`.
static std::pair<SmallVector<OFR>, SmallVector<OFR>>
getPlace(OpBuilder &b, Value array, Value first, Value count, unsigned axis) {
  SmallVector<OFR> sizes = tensor::getMixedSizes(b, array.getLoc(), array);
  SmallVector<OFR> offsets(sizes.size(), b.getIndexAttr(0));
  offsets[axis] = first, sizes[axis] = count;
  return {offsets, sizes};
}

Value Cutter::take(Value array, Rows rows, unsigned axis) {
  auto [offsets, sizes] = getPlace(b, array, rows.first, rows.count, axis);
  SmallVector<OFR> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, array, offsets, sizes, ones);
}

Value Cutter::put(Value part, Value array, Rows rows, unsigned axis) {
  auto [offsets, sizes] = getPlace(b, array, rows.first, rows.count, axis);
  SmallVector<OFR> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, loc, part, array, offsets, sizes,
                                       ones);
}

/// x + y, where x is.
Value Cutter::add(Value x, Value y) {
  unsigned rank = cast<ShapedType>(x.getType()).getRank();
  AffineMap whole = b.getMultiDimIdentityMap(rank);
  return buildGeneric(b, loc, y, x, {whole, whole},
                      SmallVector(rank, utils::IteratorType::parallel),
                      [&](OpBuilder &nested, ValueRange args) -> Value {
                        return arith::AddFOp::create(nested, loc, args[1],
                                                     args[0]);
                      });
}

Value Cutter::addTo(Value array, Value part, Rows rows, unsigned axis) {
  return put(add(take(array, rows, axis), part), array, rows, axis);
}

/// As `like` does, for rows from `first` on.
Value Cutter::rotate(RotaryOp like, Value rows, Value first, Value center,
                     Value destination) {
  Value start = b.createOrFold<arith::AddIOp>(
      loc, first, index(*getStart(like.getStart())));
  return RotaryOp::create(b, loc, rows, start, center, destination,
                          like.getDimAttr(), like.getThetaAttr(),
                          like.getInterleavedAttr(),
                          like.getXposScaleBaseAttr(), like.getDownscaleAttr(),
                          like.getTransposedAttr(), like.getPositionAxisAttr())
      .getResult(0);
}

Value Cutter::emptyWide(Value like) {
  return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                 op.getAccumulatorType());
}

/// The gradients of a segment, of rows that are rotated.
AttentionGradOp Cutter::buildTile(Rows rows, Rows keys, Value center) {
  unsigned axis = op.getPositionAxis();
  Value q = take(query.getInput(), rows, axis);
  Value k = take(key.getInput(), keys, axis);
  q = rotate(query, q, rows.first, center, emptyWide(q));
  k = rotate(key, k, keys.first, center, emptyWide(k));
  Value v = take(op.getValue(), keys, axis);
  Value dBias = op.getDBias() ? emptyWide(op.getDBias()) : Value();
  SmallVector<Value> dCaptures;
  for (Value array : op.getDCaptures())
    dCaptures.push_back(emptyWide(array));
  Value zero = index(0);
  SmallVector<Value> origin = {zero, zero, rows.first, keys.first};
  auto tile = AttentionGradOp::create(
      b, loc, q, k, v, op.getBias(), op.getKeyMask(), op.getKvLens(),
      op.getOffset(), origin, op.getCaptures(), /*sink=*/Value(),
      buildExplicitDropout(b, op), take(op.getOutput(), rows, axis),
      take(op.getLse(), rows, 2), take(op.getDOutput(), rows, axis),
      op.getDLse() ? take(op.getDLse(), rows, 2) : Value(), emptyWide(q),
      emptyWide(k), emptyWide(v), /*d_sink=*/Value(), dBias, dCaptures,
      op.getWindowAttr(), op.getCausal(), op.getScaleAttr(),
      op.getBiasMapAttr(), op.getLayout(), op.getScheduleAttr());
  IRMapping mapping;
  op.getScore().cloneInto(&tile.getScore(), mapping);
  return tile;
}

/// `carried` are the gradients, all but d_query of the accumulator type.
SmallVector<Value> Cutter::buildSegment(Value number, ValueRange carried) {
  unsigned axis = op.getPositionAxis();
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  Rows rows;
  rows.first =
      affine::makeComposedAffineApply(b, loc, s0 * segment, {OFR(number)});
  rows.count = getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineMin(
          b, loc,
          AffineMap::get(
              0, 2, {getAffineConstantExpr(segment, b.getContext()), s0 - s1},
              b.getContext()),
          {tensor::getMixedSize(b, loc, op.getQuery(), axis),
           OFR(rows.first)}));
  Rows keys = findKeys(rows);
  Value center = affine::makeComposedAffineApply(
      b, loc, s0 + s1.floorDiv(2) + *getStart(key.getStart()),
      {OFR(keys.first), OFR(keys.count)});
  AttentionGradOp tile = buildTile(rows, keys, center);
  SmallVector<Value> next(carried), made(tile->getResults());
  if (queryBack) {
    Value part = rotate(queryBack, made[0], rows.first, center,
                        take(carried[0], rows, axis));
    next[0] = put(part, carried[0], rows, axis);
  }
  if (keyBack) {
    Value part =
        rotate(keyBack, made[1], keys.first, center, emptyWide(made[1]));
    next[1] = addTo(carried[1], part, keys, axis);
  }
  next[2] = addTo(carried[2], made[2], keys, axis);
  for (unsigned i = 3; i < next.size(); ++i)
    next[i] = add(carried[i], made[i]);
  return next;
}

void Cutter::cut() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  SmallVector<Value> inits = {queryBack ? queryBack.getOutput()
                                        : op.getDQuery()};
  for (Value array : ValueRange(op.getDpsInits()).drop_front())
    inits.push_back(buildZeros(b, loc, array, op.getAccumulatorType()));
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  Value count = getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, s0.ceilDiv(segment),
          {tensor::getMixedSize(b, loc, op.getQuery(), op.getPositionAxis())}));
  auto loop = scf::ForOp::create(b, loc, index(0), count, index(1), inits);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc, buildSegment(loop.getInductionVar(), loop.getRegionIterArgs()));
  }
  SmallVector<Value> made;
  for (auto [i, value] : llvm::enumerate(loop.getResults())) {
    Value like = i == 1 && keyBack ? keyBack->getResult(0) : op->getResult(i);
    made.push_back(
        i == 0 ? value
               : convertElements(b, loc, value, getElementTypeOrSelf(like)));
  }
  if (queryBack)
    b.replaceOp(queryBack, made[0]);
  if (keyBack)
    b.replaceOp(keyBack, made[1]);
  for (unsigned i = 2; i < made.size(); ++i)
    b.replaceAllUsesWith(op->getResult(i), made[i]);
  Block *block = op->getBlock();
  b.eraseOp(op);
  // Destinations may stand behind the loop.
  sortTopologically(block);
}

void lattn::cutXposGradients(ReportingRewriter &rewriter, Operation *root) {
  for (AttentionGradOp op : collectOps<AttentionGradOp>(root)) {
    Cutter cutter(rewriter, op);
    if (!cutter.isCandidate())
      continue;
    if (succeeded(cutter.plan()))
      cutter.cut();
    else
      emitRemark(op.getLoc())
          << "xpos scales of its gradients grow along the whole sequence: "
          << rewriter.getReason();
  }
}
