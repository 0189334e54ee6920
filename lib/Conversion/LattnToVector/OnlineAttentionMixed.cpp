//===- OnlineAttentionMixed.cpp - Weights and values of rows of queries ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The last part of a step whose scores have queries on the lanes and whose acc
// has features there:
//
//   acc[q, v] = corr[q] acc + P[key, q] value[key, v]    blocks of a few
//   queries
//
// A block reads only those keys that one of its queries sees: at the edges of a
// window these are fewer than those of a whole vector of queries. A weight is
// the broadcast operand, and acc is never transposed.

#include "OnlineAttentionKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace lattn;

/// Keys at a time.
static constexpr int64_t kUnroll = 4;

//===----------------------------------------------------------------------===//
// Rows that come next
//===----------------------------------------------------------------------===//

static constexpr int64_t kLineBits = 64 * 8;

static int64_t countElementsOfLine(MemRefType type) {
  return std::max<int64_t>(1, kLineBits / type.getElementTypeBitWidth());
}

int64_t OnlineAttentionKernel::countLines(const Ahead &ahead) {
  auto type = cast<MemRefType>(ahead.matrix.getType());
  return ahead.rows *
         llvm::divideCeil(type.getDimSize(1), countElementsOfLine(type));
}

void OnlineAttentionKernel::prefetchLines(const Ahead &ahead, Value firstLine,
                                          int64_t count) {
  constexpr int64_t localityInL2 = 2;
  auto type = cast<MemRefType>(ahead.matrix.getType());
  int64_t elements = countElementsOfLine(type);
  Value linesOfRow = k.index(llvm::divideCeil(type.getDimSize(1), elements));
  for (int64_t i = 0; i < count; ++i) {
    Value line = k.add(firstLine, i);
    Value row = arith::DivUIOp::create(k.b, k.loc, line, linesOfRow);
    Value inRow = arith::RemUIOp::create(k.b, k.loc, line, linesOfRow);
    memref::PrefetchOp::create(
        k.b, k.loc, ahead.matrix,
        ValueRange{k.add(ahead.first, row), k.times(inRow, elements)},
        ahead.isWrite, localityInL2, /*isDataCache=*/true);
  }
}

/// Whether this group prefetches; null if each does. The next keys are those of
/// all groups, and a whole tile computes long enough for what comes by itself.
Value OnlineAttentionKernel::isPrefetching() {
  if (!isStreaming || columns == vectors * k.lanes)
    return Value();
  Value isFirst = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                        group, k.index(0));
  Value isPart = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::slt,
                                       op.getQueryRows(), k.index(columns));
  return arith::AndIOp::create(k.b, k.loc, isFirst, isPart);
}

/// What comes after the tile's values, and its outputs; of many keys the next
/// ones.
SmallVector<OnlineAttentionKernel::Ahead>
OnlineAttentionKernel::getAheadOfScores() {
  int64_t width = vectors * k.lanes;
  auto getBlocks = [&](int64_t parts) {
    return int64_t(llvm::bit_floor(
        uint64_t(std::clamp<int64_t>(maxKeys / block / parts, 1, 4))));
  };
  if (isStreaming)
    return {{op.getKey(), numKeys, maxKeys, false, getBlocks(1)}};
  return {{op.getValue(), k.add(numKeys, group), width, false, getBlocks(2)},
          {op.getAhead()[1], group, width, true, getBlocks(2)}};
}

/// What block `number` prefetches of `ahead`, at most `most` times: the first
/// blocks prefetch the rows of the first element of `ahead`, the blocks
/// behind these those of the next.
SmallVector<OnlineAttentionKernel::BlockAhead>
OnlineAttentionKernel::getAheadOfBlock(ArrayRef<Ahead> ahead, Value number,
                                       int64_t most) {
  SmallVector<BlockAhead> result;
  int64_t firstBlock = 0;
  for (const Ahead &rows : ahead) {
    int64_t lines = llvm::divideCeil(countLines(rows), rows.blocks);
    int64_t each = llvm::divideCeil(lines, most);
    // Negative for earlier blocks, which as an unsigned number is too large.
    Value done = k.add(number, -firstBlock);
    Value isOfBlock = arith::CmpIOp::create(
        k.b, k.loc, arith::CmpIPredicate::ult, done, k.index(rows.blocks));
    if (Value condition = isPrefetching())
      isOfBlock = arith::AndIOp::create(k.b, k.loc, isOfBlock, condition);
    int64_t count = llvm::divideCeil(lines, each);
    result.push_back(
        {rows, each, count, isOfBlock, k.times(done, count * each)});
    firstBlock += rows.blocks;
  }
  return result;
}

/// How often a block prefetches.
Value OnlineAttentionKernel::countTimes(ArrayRef<BlockAhead> ahead) {
  Value count = k.index(0);
  for (const BlockAhead &part : ahead)
    count = k.select(part.isOfBlock, k.index(part.times), count);
  return count;
}

/// Prefetches the share number `time`, if the block has so many.
void OnlineAttentionKernel::prefetchInBlock(ArrayRef<BlockAhead> ahead,
                                            Value time) {
  Value isTime = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ult,
                                       time, countTimes(ahead));
  k.ifThenElse(isTime, [&] { prefetchPart(ahead, time); });
}

void OnlineAttentionKernel::prefetchPart(ArrayRef<BlockAhead> ahead,
                                         Value time) {
  const BlockAhead &part = ahead.front();
  auto prefetch = [&] {
    prefetchLines(part.rows, k.add(part.firstLine, k.times(time, part.lines)),
                  part.lines);
  };
  if (ahead.size() == 1)
    return prefetch();
  k.ifThenElse(part.isOfBlock, prefetch,
               [&] { prefetchPart(ahead.drop_front(), time); });
}

//===----------------------------------------------------------------------===//
// Blocks of queries
//===----------------------------------------------------------------------===//

/// The first key that one of the group's rows sees, and how many follow.
std::pair<Value, Value> OnlineAttentionKernel::getSeenKeys(Value firstRow,
                                                           int64_t rows) {
  Value begin = k.index(0), end = numKeys;
  if (!op.getEffectiveWindow())
    return {begin, end};
  auto toIndex = [&](Value bound) {
    return arith::IndexCastOp::create(k.b, k.loc, k.b.getIndexType(), bound);
  };
  Value first = k.add(group, firstRow);
  if (Value bound = ScoreVectorizer(k, op, first).getLowerBound())
    begin = toIndex(bound);
  if (Value bound =
          ScoreVectorizer(k, op, k.add(first, rows - 1)).getUpperBound())
    end = toIndex(bound);
  Value count = arith::SubIOp::create(k.b, k.loc, end, begin);
  return {begin, arith::MaxSIOp::create(k.b, k.loc, count, k.index(0))};
}

/// The block's sums so far, times what the new maxima make of them.
SmallVector<Value> OnlineAttentionKernel::loadAcc(Value acc,
                                                  const RowSums::Block &block) {
  SmallVector<Value> sums = rowSums.load(acc, block);
  for (auto [i, x] : llvm::enumerate(sums)) {
    Value row = k.add(block.firstRow, i / block.vectors);
    x = k.mul(x, k.splat(k.loadScalar(corrections, row)));
  }
  return sums;
}

/// Adds all features of the values to the block of queries that begins with
/// `firstRow`. Every few keys it prefetches a share of `ahead`.
void OnlineAttentionKernel::accumulateRows(Value firstRow,
                                           ArrayRef<BlockAhead> ahead) {
  BlockProduct product(k);
  int64_t rows = valueBlock.rows;
  auto [firstKey, count] = getSeenKeys(firstRow, rows);
  Value width = k.index(vectors * k.lanes);
  RowSum sum = {getRows(k, op.getAcc(), group, width),
                scores,
                getRows(k, values, firstKey, count),
                /*areColumns=*/true,
                width,
                count,
                valueDim};
  sum.firstTerm = firstKey, sum.corrections = corrections;
  SmallVector<RowSums::Block> blocks =
      rowSums.makeBlocks(firstRow, rows, valueDim, valueBlock.vectors);
  for (auto [number, block] : llvm::enumerate(blocks)) {
    auto step = [&, i = number, block = block](Value key, int64_t keys,
                                               ValueRange carried) {
      if (!ahead.empty() && keys == kUnroll) {
        Value done = arith::DivUIOp::create(k.b, k.loc, key, k.index(kUnroll));
        prefetchInBlock(ahead, k.add(k.times(done, blocks.size()), i));
      }
      SmallVector<Value> sums(carried);
      for (int64_t j = 0; j < keys; ++j)
        sums = rowSums.addStep(product, sum, block, k.add(key, j), sums);
      return sums;
    };
    SmallVector<Value> sums =
        k.loopBySteps(count, kUnroll, loadAcc(sum.target, block), step);
    rowSums.finish(sums, sum, block, hasZeroWeights);
  }
}

/// What sums of values prefetch: the queries and keys of the next tile or,
/// where a tile takes many steps, the values of the next step.
SmallVector<OnlineAttentionKernel::Ahead>
OnlineAttentionKernel::getAheadOfValues() {
  int64_t width = vectors * k.lanes, blocks = width / valueBlock.rows;
  if (isStreaming)
    return {{op.getValue(), numKeys, maxKeys, false, blocks}};
  if (op.getAhead().empty() || blocks < 2)
    return {};
  return {
      {op.getAhead()[0], k.add(group, columns), width, false, blocks / 2},
      {op.getKey(), k.add(numKeys, group), width, false, blocks - blocks / 2}};
}

void OnlineAttentionKernel::accumulateInRows(ArrayRef<Value> correction) {
  for (int64_t v = 0; v < vectors; ++v)
    k.store(correction[v], corrections, scratchColumn(v));
  int64_t width = vectors * k.lanes, rows = valueBlock.rows;
  SmallVector<Ahead> ahead = getAheadOfValues();
  // Of a window that fits the tile, a block sees about so many keys.
  int64_t seen = isStreaming ? maxKeys : std::max(rows, maxKeys - width + rows);
  int64_t chunks =
      llvm::divideCeil(llvm::divideCeil(valueDim, k.lanes), valueBlock.vectors);
  int64_t steps = llvm::divideCeil(seen, kUnroll) * chunks;
  Value end = k.index(width);
  if (op.getQueryRows()) { // the last tile may lack rows
    Value left = arith::SubIOp::create(k.b, k.loc, op.getQueryRows(), group);
    end = arith::MinSIOp::create(k.b, k.loc, end, left);
  }
  k.forEach(k.index(0), end, rows, [&](Value row) {
    Value number = arith::DivUIOp::create(k.b, k.loc, row, k.index(rows));
    accumulateRows(row, getAheadOfBlock(ahead, number, steps));
  });
}
