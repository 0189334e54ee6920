//===- OnlineAttentionRowScores.cpp - Scores of few queries ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Scores of a block of keys, as many as lanes:
//
//   one query    its features on the lanes; a vector of sums for each key, all
//                of which are summed over lanes and transposed
//   a group      units of 128 bits, a query each, of a few features; a key's
//                features are loaded once for all units, and only the lanes of
//                a unit remain to be summed

#include "OnlineAttentionRows.h"
#include "ScoreVectorizer.h"
#include "StageRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Groups of queries
//===----------------------------------------------------------------------===//

/// `count` elements from `at` on, then zeros, in each unit of a vector. Units
/// are broadcast as words of 64 bits: narrower lanes have no instruction for
/// it.
Value RowAttentionKernel::loadUnit(Value matrix, ValueRange at, int64_t count) {
  int64_t features = countFeatures();
  Type element = byPairs ? k.b.getBF16Type() : k.element;
  auto type = VectorType::get(features, element);
  Value loaded;
  if (count == features)
    loaded = vector::LoadOp::create(k.b, k.loc, type, matrix, at);
  else
    loaded = vector::ExtractStridedSliceOp::create(
        k.b, k.loc, loadFront(k, matrix, at, count), 0, features, 1);
  constexpr int64_t wordBits = 64;
  Type word = k.b.getIntegerType(wordBits);
  int64_t bits = element.getIntOrFloatBitWidth();
  int64_t words = features * bits / wordBits;
  Value inWords = vector::BitCastOp::create(
      k.b, k.loc, VectorType::get(words, word), loaded);
  auto order = llvm::map_to_vector(llvm::seq(words * groupRows),
                                   [&](int64_t i) { return i % words; });
  Value all = vector::ShuffleOp::create(k.b, k.loc, inWords, inWords, order);
  return vector::BitCastOp::create(
      k.b, k.loc, VectorType::get(features * groupRows, element), all);
}

/// The units of `row` to their places in its group; zeros where there is no
/// such row.
void RowAttentionKernel::storeUnits(Value row) {
  int64_t features = countFeatures();
  int64_t units = llvm::divideCeil(headDim, features);
  auto type = VectorType::get(features, k.element);
  Value zero = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
  Value isThere =
      arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ult, row, rows);
  Value from = arith::MinSIOp::create(k.b, k.loc, row, k.add(rows, -1));
  Value size = k.index(groupRows);
  Value group = k.times(arith::DivUIOp::create(k.b, k.loc, row, size), units);
  Value place =
      k.times(arith::RemUIOp::create(k.b, k.loc, row, size), features);
  k.forEach(k.index(0), k.index(units), 1, [&](Value i) {
    Value elements = vector::LoadOp::create(
        k.b, k.loc, type, query, ValueRange{from, k.times(i, features)});
    elements = k.select(isThere, elements, zero);
    if (byPairs) // exact: they were bf16
      elements = arith::TruncFOp::create(
          k.b, k.loc, type.clone(k.b.getBF16Type()), elements);
    Value unit = arith::AddIOp::create(k.b, k.loc, group, i);
    k.store(elements, groups, {unit, place});
  });
}

/// Rows in groups, unit by unit. A group may lack a few rows, which are 0;
/// fewer rows stay alone.
void RowAttentionKernel::groupQueries() {
  int64_t fewest = groupRows / 2 + 1;
  groups = Value();
  if (groupRows == 1 || mostRows < fewest)
    return;
  int64_t features = countFeatures();
  int64_t units = llvm::divideCeil(headDim, features);
  groups = k.scratch({int64_t(llvm::divideCeil(mostRows, groupRows)) * units,
                      features * groupRows},
                     byPairs ? k.b.getBF16Type() : k.element);
  groupedRows = k.add(rows, groupRows - fewest);
  Value left =
      arith::RemSIOp::create(k.b, k.loc, groupedRows, k.index(groupRows));
  groupedRows = arith::SubIOp::create(k.b, k.loc, groupedRows, left);
  endOfGroups = arith::MinSIOp::create(k.b, k.loc, rows, groupedRows);
  k.forEach(k.index(0), groupedRows, 1, [&](Value row) { storeUnits(row); });
}

/// Prefetches the `step`-th of `steps` shares of the rows for a block of
/// keys. All of them at once would fill the miss buffers and hold up the
/// products.
void RowAttentionKernel::prefetchShare(const KeyRows &keys, Value step,
                                       int64_t steps) {
  constexpr int64_t lineBits = 64 * 8, localityInL1 = 3;
  auto type = cast<MemRefType>(keys.ahead.matrix.getType());
  int64_t line = lineBits / type.getElementTypeBitWidth();
  int64_t linesOfRow = llvm::divideCeil(type.getDimSize(1), line);
  int64_t share = llvm::divideCeil(k.lanes * linesOfRow, steps);
  Value size = k.index(linesOfRow);
  for (int64_t i = 0; i < share; ++i) {
    Value number = k.add(k.times(step, share), i);
    Value row = arith::DivUIOp::create(k.b, k.loc, number, size);
    Value column = arith::RemUIOp::create(k.b, k.loc, number, size);
    memref::PrefetchOp::create(
        k.b, k.loc, keys.ahead.matrix,
        ValueRange{k.add(keys.ahead.first, row), k.times(column, line)},
        /*isWrite=*/false, localityInL1, /*isDataCache=*/true);
  }
}

/// query . key of each query of the group whose vectors start at `group`: a
/// vector of keys for each.
SmallVector<Value> RowAttentionKernel::multiplyGroup(Value group,
                                                     const KeyRows &keys) {
  // LLVM moves the loads of several steps ahead of dot products, and spills.
  const int64_t mostUnrolled = byPairs ? 1 : k.countUnrolled(k.lanes);
  int64_t features = countFeatures(), whole = headDim / features;
  int64_t units = llvm::divideCeil(headDim, features);
  BlockProduct product(k, byPairs ? &pairProducts : nullptr);
  auto add = [&](Value step, int64_t count, ValueRange sums) {
    if (keys.ahead.matrix)
      prefetchShare(keys, step, units);
    Value elements = product.load(groups, k.add(group, step), k.index(0));
    auto getKey = [&](int64_t i) {
      return loadUnit(keys.matrix, {keys.rows[i], k.times(step, features)},
                      count);
    };
    return product.add(sums, getKey, elements);
  };
  SmallVector<Value> sums(keys.rows.size(), k.splat(0.0));
  // In a loop, so that no load is moved out of the one over groups.
  sums = k.unrolledLoop(whole, std::clamp<int64_t>(whole / 2, 1, mostUnrolled),
                        sums, [&](Value step, ValueRange carried) {
                          return add(step, features, carried);
                        });
  if (headDim % features)
    sums = add(k.index(whole), headDim % features, sums);
  return transposeSquare(k, sumUnits(k, sums, unit), unit);
}

/// Scores of all rows in groups. Where nothing but a scale follows the
/// products, they are finished in registers; those of rows that a group lacks
/// are not used.
void RowAttentionKernel::scoreGroups(const KeyRows &keys) {
  int64_t units = llvm::divideCeil(headDim, countFeatures());
  bool isPlain = !op.hasMask() && !op.getBias() && op.getScore().empty();
  k.forEach(k.index(0), groupedRows, groupRows, [&](Value row) {
    Value group = arith::DivUIOp::create(k.b, k.loc, row, k.index(groupRows));
    for (auto [i, products] :
         llvm::enumerate(multiplyGroup(k.times(group, units), keys))) {
      if (isPlain)
        finishScore(products, k.add(row, i), keys);
      else
        k.store(products, scores, {k.add(row, i), keys.first});
    }
  });
  if (isPlain)
    return;
  k.forEach(k.index(0), endOfGroups, 1, [&](Value row) {
    finishScore(k.load(scores, {row, keys.first}), row, keys);
  });
}

//===----------------------------------------------------------------------===//
// One query
//===----------------------------------------------------------------------===//

/// query . key of each of `keys`.
Value RowAttentionKernel::multiply(Value row, const KeyRows &keys) {
  return dotEach(k, query, row, keys.matrix, keys.rows, headDim,
                 2 * k.countUnrolled(k.lanes), /*isAlone=*/mostRows == 1);
}

//===----------------------------------------------------------------------===//
// Blocks of keys
//===----------------------------------------------------------------------===//

/// Narrow keys, once for all rows.
RowAttentionKernel::KeyRows RowAttentionKernel::widen(const KeyRows &keys) {
  auto type = cast<MemRefType>(keys.matrix.getType());
  if (mostRows == 1 || byPairs || type.getElementType() == k.element)
    return keys;
  KeyRows wide = {k.scratch({k.lanes, countVectors(headDim) * k.lanes}),
                  keys.first, keys.end, keys.isPartial};
  for (auto [i, row] : llvm::enumerate(keys.rows)) {
    wide.rows.push_back(k.index(i));
    for (int64_t v = 0; v < countVectors(headDim); ++v)
      k.store(loadVector(keys.matrix, row, v), wide.matrix,
              {wide.rows.back(), k.index(v * k.lanes)});
  }
  return wide;
}

/// What bias, masks and the score region make of the products `score` of a row
/// and a block of keys. Those beyond the last score -inf.
void RowAttentionKernel::finishScore(Value score, Value row,
                                     const KeyRows &keys) {
  Value index = k.add(laneNumbers(k), k.splat(keys.first));
  if (ScoreVectorizer::isNeeded(op)) {
    Value known = index;
    if (keys.end)
      known = arith::MinSIOp::create(k.b, k.loc, index,
                                     k.splat(k.add(keys.end, -1)));
    score = ScoreVectorizer(k, op, row).apply(score, 0, known);
  }
  if (keys.isPartial)
    score = k.choose(
        keys.isPartial, score.getType(),
        [&] {
          Value isKey = arith::CmpIOp::create(
              k.b, k.loc, arith::CmpIPredicate::slt, index, k.splat(keys.end));
          return SmallVector<Value>{k.select(isKey, score, k.splat(-INFINITY))};
        },
        [&] { return SmallVector<Value>{score}; })[0];
  k.store(score, scores, {row, keys.first});
  SmallVector<Value> at = {row, k.index(0)};
  k.store(k.max(score, k.load(maxima, at)), maxima, at);
}

/// Scores of as many keys as lanes, those of the rows of `stretch` from `row`
/// on. `matrix` has these rows. A partial block is read from `lastBlock`, which
/// has as many rows as others, so that nothing is read out of bounds.
void RowAttentionKernel::scoreBlock(const Stretch &stretch, Value matrix,
                                    Value lastBlock, Value row) {
  KeyRows keys = {matrix, k.add(stretch.first, row), Value()};
  Value firstRow = row;
  if (lastBlock) {
    BlockOfRows chosen = chooseBlock(k, matrix, row, stretch.count, lastBlock);
    keys.matrix = chosen.matrix;
    firstRow = chosen.firstRow;
    keys.isPartial = chosen.isPartial;
    keys.end = k.add(stretch.first, stretch.count);
  }
  for (int64_t i = 0; i < k.lanes; ++i)
    keys.rows.push_back(k.add(firstRow, i));
  Ahead ahead = getAhead(stretch.ahead, matrix, row);
  auto prefetchRows = [&] {
    k.forEach(k.index(0), k.index(k.lanes), 1, [&](Value i) {
      Value row = arith::AddIOp::create(k.b, k.loc, ahead.first, i);
      prefetchColumns(ahead.matrix, row, 0, headDim);
    });
  };
  Type element = cast<MemRefType>(matrix.getType()).getElementType();
  if (groups && (byPairs || element == k.element)) {
    keys.ahead = ahead;
    if (!allInGroups) {
      Value areAlone = arith::CmpIOp::create(
          k.b, k.loc, arith::CmpIPredicate::eq, groupedRows, k.index(0));
      k.ifThenElse(areAlone, prefetchRows);
    }
  } else {
    prefetchRows();
  }
  keys = widen(keys);
  auto finishRow = [&](Value row) {
    finishScore(multiply(row, keys), row, keys);
  };
  if (!groups)
    return forEachRow(finishRow);
  scoreGroups(keys);
  if (!allInGroups)
    k.forEach(endOfGroups, rows, 1, finishRow);
}

/// Scores in units of `lanes` lanes. More queries than these have room for take
/// units of half the lanes: a broadcast of 64 bits is a plain load, one of 128
/// bits also takes a turn of a shuffle unit on CPUs of AMD, and a sum over
/// fewer lanes remains.
void RowAttentionKernel::scoreInUnits(int64_t lanes) {
  constexpr int64_t manyLanes = 16;
  auto scoreIn = [&](int64_t lanesOfUnit) {
    unit = lanesOfUnit;
    allInGroups = unit < lanes;
    groupRows = k.lanes / unit;
    groupQueries();
    Value tile = op.getPages() ? op.getKey() : keys;
    forEachStretch(tile, countRowsAhead(tile),
                   [&](const Stretch &stretch) { scoreStretch(stretch); });
  };
  int64_t few = k.lanes / lanes;
  if (k.lanes < manyLanes || mostRows <= few)
    return scoreIn(lanes);
  // If rows fill more than half of the last group, each of them is in a group.
  Value last =
      arith::RemUIOp::create(k.b, k.loc, k.add(rows, -1), k.index(2 * few));
  Value areMany = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::uge,
                                        last, k.index(few));
  k.ifThenElse(areMany, [&] { scoreIn(lanes / 2); }, [&] { scoreIn(lanes); });
}

bool RowAttentionKernel::isWhole(const Stretch &stretch) {
  return getConstantIntValue(stretch.count).value_or(1) % k.lanes == 0;
}

void RowAttentionKernel::scoreStretch(const Stretch &stretch) {
  constexpr int64_t manyRows = 16;
  Value lastBlock;
  if (!isWhole(stretch))
    lastBlock = copyLastBlock(k, stretch.rows, stretch.count, k.lanes,
                              /*repeatsLast=*/false);
  auto scoreAll = [&](Value matrix) {
    k.forEach(k.index(0), stretch.count, k.lanes,
              [&](Value row) { scoreBlock(stretch, matrix, lastBlock, row); });
  };
  DenseRows dense;
  if (k.lanes >= manyRows && (isWhole(stretch) || !op.getPages()))
    dense = findDenseRows(k, stretch.rows);
  if (dense.rows)
    k.ifThenElse(
        dense.isDense, [&] { scoreAll(dense.rows); },
        [&] { scoreAll(stretch.rows); });
  else
    scoreAll(stretch.rows);
}
