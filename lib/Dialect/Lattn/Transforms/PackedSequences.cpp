//===- PackedSequences.cpp - Attention of packed sequences ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedSequences.h"
#include "lattn/Dialect/Lattn/IR/Pages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace lattn;

bool lattn::haveSameSequences(PadSequencesOp a, PadSequencesOp c) {
  return a && c && a.getCuSeqlens() == c.getCuSeqlens() &&
         a.getMaxSeqlen() == c.getMaxSeqlen();
}

PadSequencesOp lattn::getPaddedKeys(AttentionOpInterface op, unsigned rowAxis) {
  PadSequencesOp keys = getPaddedSequences(op.getKey());
  PadSequencesOp values = getPaddedSequences(op.getValue());
  if (!keys || !values || keys.getRowAxis() != rowAxis ||
      values.getRowAxis() != rowAxis || !haveSameSequences(keys, values) ||
      !op.getKvLens())
    return {};
  PadSequencesOp lengths = getPaddedSequences(op.getKvLens());
  if (!haveSameSequences(keys, lengths))
    return {};
  return keys;
}

bool lattn::isReadElsewhere(Value query, Value key) {
  return getPaddedSequences(query) || getPaddedSequences(key) ||
         getGatheredPages(key);
}

/// The number of rows that all of `arrays` have.
static Value buildRowCount(OpBuilder &b, Location loc,
                           ArrayRef<PackedArray> arrays) {
  Value rows;
  for (const PackedArray &array : arrays) {
    Value other = b.createOrFold<tensor::DimOp>(loc, array.rows, array.axis);
    rows = rows ? b.createOrFold<arith::MinSIOp>(loc, rows, other) : other;
  }
  return rows;
}

SequenceRows lattn::buildSequenceRows(OpBuilder &b, PadSequencesOp pad,
                                      ArrayRef<PackedArray> arrays,
                                      Value sequence) {
  Location loc = pad.getLoc();
  return buildSequenceRows(b, loc, pad.getCuSeqlens(), sequence,
                           buildRowCount(b, loc, arrays), pad.getMaxSeqlen());
}

/// The op that packs `result`, if nothing else uses it.
static PackSequencesOp getOnlyPack(Value result) {
  while (result.hasOneUse())
    if (auto cast = dyn_cast<tensor::CastOp>(*result.user_begin()))
      result = cast;
    else
      break;
  if (!result.hasOneUse())
    return {};
  auto pack = dyn_cast<PackSequencesOp>(*result.user_begin());
  return pack && pack.getPadded() == result ? pack : PackSequencesOp();
}

PackSequencesOp lattn::getPackedResult(Operation *op, Value result,
                                       PadSequencesOp pad) {
  PackSequencesOp pack = getOnlyPack(result);
  if (!pack || pack.getCuSeqlens() != pad.getCuSeqlens() ||
      pack.getRowAxis() != getRowAxis(result, pad.getLayout()))
    return {};
  DominanceInfo dominance;
  return dominance.properlyDominates(pack.getOutput(), op) ? pack
                                                           : PackSequencesOp();
}

void lattn::hoistDestinations(RewriterBase &rewriter, Operation *op) {
  for (OpResult result : op->getResults())
    if (PackSequencesOp pack = getOnlyPack(result))
      (void)moveValueDefinitions(rewriter, pack.getOutput(), op);
}

void lattn::eraseWithUsers(RewriterBase &rewriter, Operation *op) {
  while (!op->use_empty()) {
    Operation *last = *op->user_begin();
    while (!last->use_empty())
      last = *last->user_begin();
    rewriter.eraseOp(last);
  }
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Tiles of packed queries
//===----------------------------------------------------------------------===//

PackedQueries::PackedQueries(AttentionOp op) {
  PadSequencesOp queries = getPaddedSequences(op.getQuery());
  if (!queries || !op.getOrigin().empty() ||
      queries.getRowAxis() != op.getPositionAxis())
    return;
  for (OpResult result : op->getResults()) {
    PackSequencesOp pack = getPackedResult(op, result, queries);
    if (!pack)
      return;
    results.push_back(pack);
  }
  pad = queries;
}

SmallVector<Value> PackedQueries::getDestinations() const {
  SmallVector<Value> all;
  for (PackSequencesOp pack : results)
    all.push_back(pack.getOutput());
  return all;
}

SmallVector<PackedArray> PackedQueries::getArrays() const {
  SmallVector<PackedArray> all = {pad};
  llvm::append_range(all, results);
  return all;
}

// Sequence s begins with tile floor(begin / size) + s: each has one tile more
// than its rows between multiples of `size` need, at most.

Value PackedQueries::buildTileCount(OpBuilder &b, int64_t size) const {
  PadSequencesOp op = pad;
  Location loc = op.getLoc();
  Value count = buildSequenceCount(b, loc, op.getCuSeqlens());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value width = arith::ConstantIndexOp::create(b, loc, size);
  Value rows = buildRowCount(b, loc, getArrays());
  Value tiles = b.createOrFold<arith::DivUIOp>(loc, rows, width);
  tiles = b.createOrFold<arith::AddIOp>(loc, tiles, count);
  Value isNone =
      b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, count, zero);
  return b.createOrFold<arith::SelectOp>(loc, isNone, zero, tiles);
}

/// The first tile of `sequence`.
static Value buildFirstTile(OpBuilder &b, PadSequencesOp pad, int64_t size,
                            Value sequence) {
  Location loc = pad.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value begin = tensor::ExtractOp::create(b, loc, pad.getCuSeqlens(), sequence);
  begin = arith::IndexCastOp::create(b, loc, b.getIndexType(), begin);
  begin = arith::MaxSIOp::create(b, loc, begin, zero);
  Value width = arith::ConstantIndexOp::create(b, loc, size);
  Value before = arith::DivUIOp::create(b, loc, begin, width);
  return arith::AddIOp::create(b, loc, before, sequence);
}

/// The last sequence whose first tile is not after `tile`, by bisection.
static Value findSequence(OpBuilder &b, PadSequencesOp pad, int64_t size,
                          Value tile) {
  Location loc = pad.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count = buildSequenceCount(b, loc, pad.getCuSeqlens());
  auto isWide = [&](OpBuilder &b, Location loc, ValueRange range) {
    Value width = arith::SubIOp::create(b, loc, range[1], range[0]);
    Value more =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, width, one);
    scf::ConditionOp::create(b, loc, more, range);
  };
  auto halve = [&](OpBuilder &b, Location loc, ValueRange range) {
    Value middle = arith::AddIOp::create(b, loc, range[0], range[1]);
    middle = arith::ShRUIOp::create(b, loc, middle, one);
    Value first = buildFirstTile(b, pad, size, middle);
    Value isAfter =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, first, tile);
    Value low = arith::SelectOp::create(b, loc, isAfter, range[0], middle);
    Value high = arith::SelectOp::create(b, loc, isAfter, middle, range[1]);
    scf::YieldOp::create(b, loc, ValueRange{low, high});
  };
  auto search = scf::WhileOp::create(
      b, loc, TypeRange{b.getIndexType(), b.getIndexType()},
      ValueRange{zero, count}, isWide, halve);
  return search.getResult(0);
}

SequenceTile lattn::buildSequenceTile(OpBuilder &b,
                                      const PackedQueries &queries,
                                      int64_t size, Value tile) {
  PadSequencesOp pad = queries.pad;
  Location loc = pad.getLoc();
  SequenceTile found;
  found.sequence = findSequence(b, pad, size, tile);
  found.rows = buildSequenceRows(b, pad, queries.getArrays(), found.sequence);
  Value first = buildFirstTile(b, pad, size, found.sequence);
  Value number = arith::SubIOp::create(b, loc, tile, first);
  Value width = arith::ConstantIndexOp::create(b, loc, size);
  Value begin = arith::MulIOp::create(b, loc, number, width);
  // Rows before a first border belong to no sequence: as unsigned, all those
  // tiles are past the end.
  found.first = arith::MinUIOp::create(b, loc, begin, found.rows.length);
  return found;
}

SmallVector<Value> PackedQueries::packAgain(OpBuilder &b,
                                            ValueRange padded) const {
  if (!*this)
    return SmallVector<Value>(padded);
  SmallVector<Value> packed;
  for (auto [pack, rows] : llvm::zip_equal(results, padded)) {
    PackSequencesOp op = pack;
    packed.push_back(PackSequencesOp::create(b, op.getLoc(), rows,
                                             op.getCuSeqlens(), op.getOutput(),
                                             op.getLayoutAttr())
                         .getResult());
  }
  return packed;
}

void PackedQueries::replace(RewriterBase &rewriter, AttentionOp op,
                            ValueRange packed) const {
  for (auto [pack, result] : llvm::zip_equal(results, packed))
    rewriter.replaceOp(pack, result);
  eraseWithUsers(rewriter, op);
}
