//===- TileAttentionJvp.cpp - Tile the tangents of attention --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// attention_jvp -> forall (batch, head, query tile):
//                    sweep_keys(attention_jvp_step of the state of no keys),
//                    finalize, and the tangents by the state

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// The score region of a step
//===----------------------------------------------------------------------===//

/// Arguments of a score region before its captures: score, batch, head, query,
/// key.
static constexpr unsigned kScoreCoordinates = 5;

/// What the region of a step reads: a tangent of the bias is one more array.
static SmallVector<Value> getStepCaptures(AttentionJvpOp op) {
  SmallVector<Value> captures(op.getCaptures());
  if (op.getDBias())
    captures.push_back(op.getDBias());
  llvm::append_range(captures, op.getDCaptures());
  return captures;
}

/// The element of `dBias` at the region's coordinates.
static Value readBiasTangent(OpBuilder &b, AttentionJvpOp op, Block &block,
                             Value dBias) {
  Location loc = op.getLoc();
  SmallVector<Value> dims, indices;
  for (Value coordinate : block.getArguments().slice(1, 4))
    dims.push_back(
        arith::IndexCastOp::create(b, loc, b.getIndexType(), coordinate));
  for (AffineExpr index : op.getEffectiveBiasMap().getResults())
    indices.push_back(affine::expandAffineExpr(b, loc, index, dims, {}));
  Value element = tensor::ExtractOp::create(b, loc, dBias, indices);
  return convertFloat(b, loc, element, op.getAccumulatorType());
}

/// What the op's region makes of `arguments`, its derivative by the score, and
/// the tangent that `dCaptures` add; null: zero.
static LogicalResult deriveScore(OpBuilder &b, AttentionJvpOp op,
                                 ValueRange arguments, ValueRange dCaptures,
                                 Value one, SmallVectorImpl<Value> &made) {
  DenseMap<Value, Value> tangents;
  auto derive = [&] {
    return buildForward(b, op.getScore().front(), arguments,
                        [&](Value x) { return tangents.lookup(x); });
  };
  if (op.getDQuery() || op.getDKey())
    tangents[arguments[0]] = one;
  FailureOr<ForwardBlock> ofScore = derive();
  if (failed(ofScore))
    return failure();
  made.assign({ofScore->results[0], ofScore->tangents[0], Value()});
  if (dCaptures.empty())
    return success();
  tangents.clear();
  unsigned number = 0;
  for (Value array : arguments.drop_front(kScoreCoordinates))
    if (isa<FloatType>(getElementTypeOrSelf(array.getType())))
      tangents[array] = dCaptures[number++];
  FailureOr<ForwardBlock> ofCaptures = derive();
  if (failed(ofCaptures))
    return failure();
  made[2] = ofCaptures->tangents[0];
  return success();
}

LogicalResult lattn::buildJvpScore(OpBuilder &b, AttentionJvpOp op,
                                   Region &score) {
  if (op.getScore().empty() && !op.getDBias())
    return success();
  OpBuilder::InsertionGuard guard(b);
  Location loc = op.getLoc();
  Type type = op.getAccumulatorType();
  SmallVector<Type> types = {type};
  types.append(4, b.getI32Type());
  llvm::append_range(types, TypeRange(ValueRange(getStepCaptures(op))));
  Block *block = b.createBlock(&score, score.end(), types,
                               SmallVector<Location>(types.size(), loc));
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  };
  Value one = constant(1.0);
  unsigned taken = kScoreCoordinates + op.getCaptures().size();
  SmallVector<Value> arguments(block->getArguments());
  SmallVector<Value> made = {arguments[0], one, Value()};
  ArrayRef<Value> all = arguments;
  if (!op.getScore().empty() &&
      failed(deriveScore(b, op, all.take_front(taken),
                         all.take_back(op.getDCaptures().size()), one, made)))
    return failure();
  if (op.getDBias()) {
    Value more = readBiasTangent(b, op, *block, arguments[taken]);
    made[2] = made[2] ? arith::AddFOp::create(b, loc, made[2], more).getResult()
                      : more;
  }
  for (Value &x : made)
    if (!x)
      x = constant(0.0);
  YieldOp::create(b, loc, made);
  return success();
}

namespace {
/// A tile of queries of an attention and its tangent.
class JvpTile : QueryTile {
public:
  JvpTile(OpBuilder &b, const TiledAttention &whole, AttentionJvpOp jvp,
          Region &score, ValueRange ivs);
  /// To the tile's place in the destinations of the scf.forall around it.
  void build(ValueRange destinations);

private:
  SmallVector<Value> buildStep(Value key, Value size, ValueRange state);
  /// What the tangent of the sink starts the tangents of `sum` with.
  Value addSinkTangent(Value sum);
  /// The front of an array of the state: the tile's queries.
  Value takeRows(Value array);
  Value takePlace(Value array, int64_t width);
  void putPlace(Value tile, Value array, int64_t width);

  AttentionJvpOp jvp;
  Region &score;
  Value dQuery, dKey, dValue;
};
} // namespace

JvpTile::JvpTile(OpBuilder &b, const TiledAttention &whole, AttentionJvpOp jvp,
                 Region &score, ValueRange ivs)
    : QueryTile(b, whole, ivs[0], ivs[1], ivs[2]), jvp(jvp), score(score) {
  if (jvp.getDQuery())
    dQuery = getQueryRows(jvp.getDQuery());
  if (jvp.getDKey())
    dKey = getMatrix(jvp.getDKey(), whole.headDim);
  if (jvp.getDValue())
    dValue = getMatrix(jvp.getDValue(), whole.valueDim);
}

SmallVector<Value> JvpTile::buildStep(Value key, Value size, ValueRange state) {
  auto slice = [&](Value matrix) {
    return matrix ? sliceKeys(matrix, key, size) : Value();
  };
  WindowAttrInterface window = getStepWindow();
  SmallVector<Value> stepCaptures = getStepCaptures(jvp);
  auto step = AttentionJvpStepOp::create(
      b, loc, query, slice(keyMatrix), slice(valueMatrix), op.getBias(),
      op.getKeyMask(), /*kv_lens=*/Value(), window ? offset : Value(),
      getGlobalOrigin(key), stepCaptures, rows, dQuery, slice(dKey),
      slice(dValue), state[0], state[1], state[2], state[3], state[4],
      whole.dropout, window, /*causal=*/false, b.getF64FloatAttr(1.0),
      op.getBiasMapAttr(), jvp.getScheduleAttr());
  IRMapping mapping;
  score.cloneInto(&step.getScore(), mapping);
  return SmallVector<Value>(step.getResults());
}

Value JvpTile::addSinkTangent(Value sum) {
  AffineMap row = AffineMap::getMultiDimIdentityMap(1, b.getContext());
  Value first = global(firstHead, 1);
  Value last = b.createOrFold<arith::SubIOp>(loc, rows, index(int64_t(1)));
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, sum), op.getAccumulatorType());
  return buildGeneric(
      b, loc, sum, empty, {row, row}, [&](OpBuilder &at, ValueRange args) {
        Value here = first;
        if (whole.grouped) { // rows beyond the last read nothing out of bounds
          Value i = linalg::IndexOp::create(at, loc, 0);
          i = arith::MinSIOp::create(at, loc, i, last);
          here = arith::AddIOp::create(at, loc, here, i);
        }
        Value x = readElement(at, loc, jvp.getDSink(), here);
        x = convertFloat(at, loc, x, args[0].getType());
        return arith::MulFOp::create(at, loc, args[0], x);
      });
}

Value JvpTile::takeRows(Value array) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, array);
  sizes[0] = rows;
  return tensor::ExtractSliceOp::create(
      b, loc, array, SmallVector<OpFoldResult>(sizes.size(), b.getIndexAttr(0)),
      sizes, SmallVector<OpFoldResult>(sizes.size(), b.getIndexAttr(1)));
}

Value JvpTile::takePlace(Value array, int64_t width) {
  SmallVector<OpFoldResult> offsets, sizes;
  getRows(width, offsets, sizes);
  SmallVector<int64_t> shape = {ShapedType::kDynamic};
  if (width)
    shape.push_back(width);
  return tensor::ExtractSliceOp::create(
      b, loc,
      RankedTensorType::get(shape, getElementTypeOrSelf(array.getType())),
      array, offsets, sizes,
      SmallVector<OpFoldResult>(sizes.size(), b.getIndexAttr(1)));
}

void JvpTile::putPlace(Value tile, Value array, int64_t width) {
  SmallVector<OpFoldResult> offsets, sizes;
  getRows(width, offsets, sizes);
  tensor::ParallelInsertSliceOp::create(
      b, loc, tile, array, offsets, sizes,
      SmallVector<OpFoldResult>(sizes.size(), b.getIndexAttr(1)));
}

void JvpTile::build(ValueRange destinations) {
  SmallVector<Value> state = emptyState(/*withSink=*/false);
  SmallVector<Value> tangents = {state[0], state[2]}; // from 0, too
  if (op.getSink())
    state = emptyState(/*withSink=*/true);
  if (jvp.getDSink())
    tangents[1] = addSinkTangent(state[2]);
  llvm::append_range(state, tangents);
  state = sweepKeys(
      b, op, getKeys(), whole.sizes.key, whole.grouped, state,
      [&](Value key, Value size, ValueRange state) {
        return buildStep(key, size, state);
      },
      whole.keyUnit);
  FloatType type = op.getAccumulatorType();
  auto constant = [&](OpBuilder &at, double value) -> Value {
    return arith::ConstantOp::create(at, loc, at.getFloatAttr(type, value));
  };
  AffineMap row = AffineMap::getMultiDimIdentityMap(1, b.getContext());
  AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  AffineMap first =
      AffineMap::getMultiDimMapWithTargets(2, {0}, b.getContext());
  Value dSum = takeRows(state[4]);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, state[2]), type);
  // Of the whole state, whose size is known: its buffer is on the stack.
  Value inverse = buildGeneric(
      b, loc, state[2], empty, {row, row}, [&](OpBuilder &at, ValueRange args) {
        Value isNone = arith::CmpFOp::create(at, loc, arith::CmpFPredicate::OEQ,
                                             args[0], constant(at, 0.0));
        Value quotient =
            arith::DivFOp::create(at, loc, constant(at, 1.0), args[0]);
        return arith::SelectOp::create(at, loc, isNone, constant(at, 0.0),
                                       quotient);
      });
  inverse = takeRows(inverse);
  Value dLse = buildGeneric(
      b, loc, {dSum, inverse}, takePlace(destinations[3], 0), {row, row, row},
      [&](OpBuilder &at, ValueRange args) -> Value {
        return arith::MulFOp::create(at, loc, args[0], args[1]);
      });
  Value place = takePlace(destinations[2], whole.valueDim);
  Value dOutput = buildGeneric(
      b, loc, {takeRows(state[3]), takeRows(state[0]), dLse, inverse}, place,
      {all, all, first, first, all}, [&](OpBuilder &at, ValueRange args) {
        Value x = arith::MulFOp::create(at, loc, args[1], args[2]);
        x = arith::SubFOp::create(at, loc, args[0], x);
        x = arith::MulFOp::create(at, loc, x, args[3]);
        return convertFloat(at, loc, x, getElementTypeOrSelf(place.getType()));
      });
  finalize(ArrayRef(state).take_front(3), destinations.take_front(2));
  putPlace(dOutput, destinations[2], whole.valueDim);
  putPlace(dLse, destinations[3], 0);
}

AttentionOp lattn::buildPrimal(OpBuilder &b, AttentionJvpOp op) {
  auto primal = AttentionOp::create(
      b, op.getLoc(), op.getQuery(), op.getKey(), op.getValue(), op.getBias(),
      op.getKeyMask(), op.getKvLens(), op.getOffset(), op.getOrigin(),
      op.getCaptures(), op.getSink(), op.getDropout(), op.getOutput(),
      op.getLse(), op.getWindowAttr(), op.getCausal(), op.getScaleAttr(),
      op.getBiasMapAttr(), op.getLayout(), op.getScheduleAttr());
  IRMapping mapping;
  op.getScore().cloneInto(&primal.getScore(), mapping);
  return primal;
}

LogicalResult lattn::tileAttentionJvp(RewriterBase &rewriter, AttentionJvpOp op,
                                      TileSizes sizes, Region &score) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  AttentionOp primal = buildPrimal(rewriter, op); // of which a tile is one
  llvm::scope_exit erase([&] { rewriter.eraseOp(primal); });
  if (failed(requireTileable(rewriter, primal, sizes)))
    return failure();
  TiledAttention whole(rewriter, primal, sizes, TileForm::Mixed);
  auto forall = scf::ForallOp::create(
      rewriter, op.getLoc(),
      ArrayRef<OpFoldResult>{whole.batches, whole.heads, whole.queryTiles},
      SmallVector<Value>(op.getDpsInits()), /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(forall.getTerminator());
  JvpTile(rewriter, whole, op, score, forall.getInductionVars())
      .build(forall.getRegionIterArgs());
  rewriter.replaceOp(op, forall.getResults());
  return success();
}
