//===- KeyRuns.cpp - Which keys a tile of queries visits ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeyRuns.h"
#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace lattn;

/// A local coordinate as a global one.
static Value toGlobal(OpBuilder &b, AttentionOpInterface op, Value local,
                      unsigned coordinate) {
  if (op.getOrigin().empty())
    return local;
  return b.createOrFold<arith::AddIOp>(op.getLoc(), local,
                                       op.getOrigin()[coordinate]);
}

TileKeyValues lattn::findTileKeys(OpBuilder &b, AttentionOpInterface op,
                                  const QueryRows &tile, Value numKeys,
                                  bool onePosition, MaskedSteps masked) {
  Location loc = op.getLoc();
  Value keyOrigin = op.getOrigin().empty() ? Value() : op.getOrigin()[3];
  Value batch = toGlobal(b, op, tile.batch, 0);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (Value lens = op.getKvLens()) {
    Value len = readBatchNumber(b, loc, lens, batch);
    len = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), len);
    if (keyOrigin)
      len = b.createOrFold<arith::SubIOp>(loc, len, keyOrigin);
    len = b.createOrFold<arith::MaxSIOp>(loc, len, zero);
    numKeys = b.createOrFold<arith::MinSIOp>(loc, len, numKeys);
  }
  TileKeyValues keys = {zero, zero, numKeys, numKeys};
  if (WindowAttrInterface window = op.getEffectiveWindow()) {
    Value first = buildPosition(b, loc, tile.offset, batch,
                                toGlobal(b, op, tile.first, 2));
    Value last = first;
    if (!onePosition) {
      Value one = arith::ConstantIndexOp::create(b, loc, 1);
      last = b.createOrFold<arith::AddIOp>(loc, first, tile.rows);
      last = b.createOrFold<arith::SubIOp>(loc, last, one);
    }
    keys = buildTileKeys(b, loc, window, first, last, numKeys, keyOrigin);
  }
  // Any key may be hidden: there is no interior.
  if (op.getKeyMask() && masked == MaskedSteps::Edges)
    keys.interiorBegin = keys.interiorEnd = keys.end;
  return keys;
}

void lattn::beginAtMultiple(OpBuilder &b, Location loc, TileKeyValues &keys,
                            int64_t unit) {
  keys.begin = getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, b.getAffineSymbolExpr(0).floorDiv(unit) * unit,
          {OpFoldResult(keys.begin)}));
}

SmallVector<Value> lattn::sweepKeys(OpBuilder &b, AttentionOpInterface op,
                                    TileKeyValues keys, int64_t keyTile,
                                    bool onePosition, ValueRange state,
                                    KeyStep step, int64_t unit,
                                    MaskedSteps masked) {
  Location loc = op.getLoc();
  auto index = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  };
  AffineExpr s0, s1, s2;
  bindSymbols(b.getContext(), s0, s1, s2);
  SmallVector<Value> bounds = {keys.begin};
  SmallVector<SweepRun> runs;
  if (unit && op.getEffectiveWindow() && onePosition) {
    // No step knows the window: the first one ends early.
    keys.begin = index(affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(0, 2, {(s0 + (keyTile - unit)).ceilDiv(unit) * unit, s1},
                       b.getContext()),
        {OpFoldResult(keys.begin), OpFoldResult(keys.end)}));
    runs.push_back(SweepRun::Edge);
    bounds.push_back(keys.begin);
  }
  WindowAttrInterface window = op.getEffectiveWindow();
  bool maskMakesEdges = op.getKeyMask() && masked == MaskedSteps::Edges;
  bool hasEdges = (window && !onePosition) || maskMakesEdges;
  if (hasEdges && !mayHaveInterior(window, maskMakesEdges, keyTile)) {
    runs.push_back(SweepRun::Edge);
    bounds.push_back(keys.end);
  } else {
    // Runs end on multiples of the key tile from the first key, so that only
    // the right edge may hold a partial tile.
    if (hasEdges) {
      OpFoldResult leftEnd = affine::makeComposedFoldedAffineMin(
          b, loc,
          AffineMap::get(0, 3, {s0 + (s1 - s0).ceilDiv(keyTile) * keyTile, s2},
                         b.getContext()),
          {OpFoldResult(keys.begin), OpFoldResult(keys.interiorBegin),
           OpFoldResult(keys.end)});
      runs.push_back(SweepRun::Edge);
      bounds.push_back(index(leftEnd));
    }
    OpFoldResult rightBegin = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 2, {s0 + (s1 - s0).floorDiv(keyTile) * keyTile, s0},
                       b.getContext()),
        {OpFoldResult(bounds.back()), OpFoldResult(keys.interiorEnd)});
    runs.append({SweepRun::Interior, SweepRun::Edge});
    bounds.append({index(rightBegin), keys.end});
  }
  auto sweep = SweepKeysOp::create(b, loc, bounds, runs, keyTile, state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&sweep.getBody().front());
  YieldOp::create(b, loc,
                  step(sweep.getKey(), sweep.getSize(), sweep.getState()));
  return SmallVector<Value>(sweep.getResults());
}

SmallVector<Value> lattn::sweepQueries(OpBuilder &b, Location loc,
                                       TileKeyValues queries, int64_t queryTile,
                                       Value heads, ValueRange state,
                                       QueryStep step) {
  using Predicate = arith::CmpIPredicate;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value zero = constant(0), tile = constant(queryTile);
  auto [begin, interiorBegin, interiorEnd, end] = queries;
  // Positions count the steps of one head after the other.
  Value steps = b.createOrFold<arith::SubIOp>(loc, end, begin);
  steps = b.createOrFold<arith::CeilDivSIOp>(loc, steps, tile);
  steps = b.createOrFold<arith::MaxSIOp>(loc, steps, zero);
  Value length = b.createOrFold<arith::MulIOp>(loc, steps, heads);
  length = b.createOrFold<arith::MulIOp>(loc, length, tile);
  auto sweep = SweepKeysOp::create(b, loc, ValueRange{zero, length},
                                   SweepRun::Edge, queryTile, state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&sweep.getBody().front());
  // In 32 bits, for which a GPU has division, and half of the registers.
  Type i32 = b.getI32Type(), index = b.getIndexType();
  auto cast = [&](Type type, Value value) -> Value {
    return b.createOrFold<arith::IndexCastOp>(loc, type, value);
  };
  auto narrow = [&](Value outside) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(sweep);
    return cast(i32, outside);
  };
  Value head = zero, query = cast(i32, sweep.getKey());
  if (getConstantIntValue(heads) != 1) {
    Value number =
        cast(i32, arith::DivUIOp::create(b, loc, sweep.getKey(), tile));
    Value inTile =
        cast(i32, arith::RemUIOp::create(b, loc, sweep.getKey(), tile));
    Value count = narrow(steps);
    head = cast(index, arith::DivUIOp::create(b, loc, number, count));
    query = arith::RemUIOp::create(b, loc, number, count);
    query = arith::MulIOp::create(b, loc, query, cast(i32, tile));
    query = arith::AddIOp::create(b, loc, query, inTile);
  }
  query = arith::AddIOp::create(b, loc, query, narrow(begin));
  Value last = narrow(end);
  Value size = arith::SubIOp::create(b, loc, last, query);
  size = arith::MaxSIOp::create(b, loc, size, cast(i32, zero));
  size = arith::MinSIOp::create(b, loc, size, cast(i32, sweep.getSize()));
  Value before = arith::CmpIOp::create(b, loc, Predicate::slt, query,
                                       narrow(interiorBegin));
  Value after = arith::AddIOp::create(b, loc, query, cast(i32, tile));
  after =
      arith::CmpIOp::create(b, loc, Predicate::sgt, after, narrow(interiorEnd));
  Value edge = arith::OrIOp::create(b, loc, before, after);
  // Code that repeats work takes smaller steps. Those behind the last query are
  // empty, and must not read behind the arrays.
  last = arith::SubIOp::create(b, loc, last, cast(i32, constant(1)));
  query = arith::MinSIOp::create(b, loc, query, last);
  query = cast(index, query);
  size = cast(index, size);
  YieldOp::create(b, loc, step(head, query, size, edge, sweep.getState()));
  return SmallVector<Value>(sweep.getResults());
}
