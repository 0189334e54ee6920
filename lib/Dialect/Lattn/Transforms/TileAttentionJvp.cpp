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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace lattn;

namespace {
/// A tile of queries of an attention and its tangent.
class JvpTile : QueryTile {
public:
  JvpTile(OpBuilder &b, const TiledAttention &whole, AttentionJvpOp jvp,
          ValueRange ivs);
  /// To the tile's place in the destinations of the scf.forall around it.
  void build(ValueRange destinations);

private:
  SmallVector<Value> buildStep(Value key, Value size, ValueRange state);
  /// The front of an array of the state: the tile's queries.
  Value takeRows(Value array);
  Value takePlace(Value array, int64_t width);
  void putPlace(Value tile, Value array, int64_t width);

  AttentionJvpOp jvp;
  Value dQuery, dKey, dValue;
};
} // namespace

JvpTile::JvpTile(OpBuilder &b, const TiledAttention &whole, AttentionJvpOp jvp,
                 ValueRange ivs)
    : QueryTile(b, whole, ivs[0], ivs[1], ivs[2]), jvp(jvp) {
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
  auto step = AttentionJvpStepOp::create(
      b, loc, query, slice(keyMatrix), slice(valueMatrix), op.getBias(),
      op.getKeyMask(), /*kv_lens=*/Value(), window ? offset : Value(),
      getGlobalOrigin(key), op.getCaptures(), rows, dQuery, slice(dKey),
      slice(dValue), state[0], state[1], state[2], state[3], state[4], window,
      /*causal=*/false, b.getF64FloatAttr(1.0), op.getBiasMapAttr(),
      jvp.getScheduleAttr());
  return SmallVector<Value>(step.getResults());
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
  state.append({state[0], state[2]}); // tangents start from 0, too
  state = sweepKeys(b, op, getKeys(), whole.sizes.key, whole.grouped, state,
                    [&](Value key, Value size, ValueRange state) {
                      return buildStep(key, size, state);
                    });
  FloatType type = op.getAccumulatorType();
  auto constant = [&](OpBuilder &at, double value) -> Value {
    return arith::ConstantOp::create(at, loc, at.getFloatAttr(type, value));
  };
  AffineMap row = AffineMap::getMultiDimIdentityMap(1, b.getContext());
  AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  AffineMap first =
      AffineMap::getMultiDimMapWithTargets(2, {0}, b.getContext());
  Value sum = takeRows(state[2]), dSum = takeRows(state[4]);
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{OpFoldResult(rows)}, type);
  Value inverse = buildGeneric(
      b, loc, sum, empty, {row, row}, [&](OpBuilder &at, ValueRange args) {
        Value isNone = arith::CmpFOp::create(at, loc, arith::CmpFPredicate::OEQ,
                                             args[0], constant(at, 0.0));
        Value quotient =
            arith::DivFOp::create(at, loc, constant(at, 1.0), args[0]);
        return arith::SelectOp::create(at, loc, isNone, constant(at, 0.0),
                                       quotient);
      });
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
  finalize(ArrayRef(state).take_front(3), destinations[0], destinations[1]);
  putPlace(dOutput, destinations[2], whole.valueDim);
  putPlace(dLse, destinations[3], 0);
}

AttentionOp lattn::buildPrimal(OpBuilder &b, AttentionJvpOp op) {
  return AttentionOp::create(
      b, op.getLoc(), op.getQuery(), op.getKey(), op.getValue(), op.getBias(),
      op.getKeyMask(), op.getKvLens(), op.getOffset(), op.getOrigin(),
      op.getCaptures(), /*sink=*/Value(), /*dropout=*/ValueRange(),
      op.getOutput(), op.getLse(), op.getWindowAttr(), op.getCausal(),
      op.getScaleAttr(), op.getBiasMapAttr(), op.getLayout(),
      op.getScheduleAttr());
}

LogicalResult lattn::tileAttentionJvp(RewriterBase &rewriter, AttentionJvpOp op,
                                      TileSizes sizes) {
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
  JvpTile(rewriter, whole, op, forall.getInductionVars())
      .build(forall.getRegionIterArgs());
  rewriter.replaceOp(op, forall.getResults());
  return success();
}
