//===- AttentionJvpProducts.cpp - Products of attention and its tangent ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where registers are many, one pass makes the sums of both: scores and their
// tangents share the elements of keys, and the outputs rows of values.

#include "AttentionJvpKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Scores and their tangents
//===----------------------------------------------------------------------===//

/// `sums` are a row's score and its tangent, row after row.
SmallVector<Value> AttentionJvpKernel::addBoth(bool isDense,
                                               ArrayRef<Value> rows,
                                               ValueRange sums) {
  BlockProduct product(k);
  return k.unrolledLoop(keys.width, 4, sums, [&](Value d, ValueRange carried) {
    auto load = [&](Value packed) {
      return packed ? k.load(packed, {d, column(0)}) : Value();
    };
    Value query = load(op.getQuery()), dQuery = load(op.getDQuery());
    Vectors next;
    for (auto [i, row] : llvm::enumerate(rows)) {
      auto add = [&, at = row](ValueRange sums, const KeyRows &matrix,
                               Value ofScore, Value ofTangent) {
        Value x =
            product.broadcast(isDense ? matrix.dense : matrix.any, {at, d});
        return product.add(sums, x, {ofScore, ofTangent});
      };
      Vectors both = add(carried.slice(2 * i, 2), keys, query, dQuery);
      if (op.getDKey())
        both = add(both, dKeys, Value(), query);
      next.append(both);
    }
    return next;
  });
}

/// `clamped` as in forEachBlock.
void AttentionJvpKernel::multiplyBoth(Value firstKey, bool clamped) {
  Vectors sums(2 * blocks.keys, k.splat(0.0));
  Vectors rows = getKeyNumbers(k, firstKey, blocks.keys, numKeys, clamped);
  if (clamped) {
    sums = addBoth(/*isDense=*/false, rows, sums);
  } else {
    Value isDense = keys.isDense;
    if (op.getDKey())
      isDense = arith::AndIOp::create(k.b, k.loc, isDense, dKeys.isDense);
    auto build = [&](bool isDense) {
      return [&, isDense](OpBuilder &, Location) {
        scf::YieldOp::create(k.b, k.loc, addBoth(isDense, rows, sums));
      };
    };
    auto added =
        scf::IfOp::create(k.b, k.loc, isDense, build(true), build(false));
    sums.assign(added.result_begin(), added.result_end());
  }
  Vectors ofBlock, tangents;
  for (int64_t i = 0; i < blocks.keys; ++i) {
    ofBlock.push_back(sums[2 * i]);
    tangents.push_back(sums[2 * i + 1]);
  }
  if (modify && !hasScore())
    modify->applyToBlock(ofBlock, firstKey, rows);
  for (int64_t i = 0; i < blocks.keys; ++i) {
    Vectors at = {k.add(firstKey, i), column(0)};
    k.store(ofBlock[i], scores, at);
    k.store(tangents[i], ofScores, at);
  }
}

void AttentionJvpKernel::multiply() {
  if (fitsBoth())
    return forEachBlock(k, numKeys, blocks.keys, [&](Value key, bool clamped) {
      multiplyBoth(key, clamped);
    });
  multiplyKeys(KeyProducts::Factors{keys.any, op.getQuery()}, scores);
  if (modify && !hasScore())
    modify->applyInPlace(scores, group, numKeys, /*scales=*/true);
  SmallVector<KeyProducts::Factors> products;
  if (op.getDQuery())
    products.push_back({keys.any, op.getDQuery()});
  if (op.getDKey())
    products.push_back({dKeys.any, op.getQuery()});
  if (changesProducts())
    multiplyKeys(products, ofScores);
}

//===----------------------------------------------------------------------===//
// Weighted values
//===----------------------------------------------------------------------===//

/// `skipsZeros`: a weight of 0 takes nothing from a value, not even NaN.
SmallVector<Value>
AttentionJvpKernel::addBothValues(const RowSums::Block &block, Value key,
                                  ValueRange sums, bool skipsZeros) {
  BlockProduct product(k);
  Vectors next(sums);
  MutableArrayRef<Value> acc(next), dAcc = acc.drop_front(sums.size() / 2);
  Vectors value = rowSums.loadRow(values.any, key, block), dValue;
  if (op.getDValue())
    dValue = rowSums.loadRow(dValues.any, key, block);
  for (int64_t i = 0; i < block.rows; ++i) {
    SmallVector<Value> at = {key, k.add(block.firstRow, i)};
    Value weight = product.broadcast(scores, at), zero = k.splat(0.0);
    Value tangent = product.broadcast(ofScores, at);
    auto add = [&](MutableArrayRef<Value> sums, Value factor, Vectors row) {
      if (skipsZeros)
        for (Value &x : row)
          x = k.select(k.isEqual(weight, zero), zero, x);
      MutableArrayRef<Value> ofRow =
          sums.slice(i * block.vectors, block.vectors);
      llvm::copy(product.add(Vectors(ofRow), factor, row), ofRow.begin());
    };
    add(acc, weight, value);
    add(dAcc, tangent, value);
    if (op.getDValue())
      add(dAcc, weight, dValue);
  }
  return next;
}

std::pair<Value, Value>
AttentionJvpKernel::getSeenKeys(const RowSums::Block &block) {
  Value begin = k.index(0), end = numKeys;
  if (!op.getEffectiveWindow())
    return {begin, end};
  auto toIndex = [&](Value bound) {
    return arith::IndexCastOp::create(k.b, k.loc, k.b.getIndexType(), bound);
  };
  Value last = k.add(block.firstRow, block.rows - 1);
  if (Value bound = ScoreVectorizer(k, op, block.firstRow).getLowerBound())
    begin = toIndex(bound);
  if (Value bound = ScoreVectorizer(k, op, last).getUpperBound())
    end = toIndex(bound);
  Value count = arith::SubIOp::create(k.b, k.loc, end, begin);
  return {begin, arith::MaxSIOp::create(k.b, k.loc, count, k.index(0))};
}

/// One pass over the keys for all sums: a row of values is read once for both.
void AttentionJvpKernel::accumulateBlock(const RowSums::Block &block) {
  Vectors before;
  for (Value target : {op.getAcc(), op.getDAcc()})
    for (auto [i, x] : llvm::enumerate(rowSums.load(target, block))) {
      Value row = k.add(block.firstRow, i / block.vectors);
      before.push_back(k.mul(x, k.splat(k.loadScalar(corrections, row))));
    }
  auto store = [&](ArrayRef<Value> all) {
    rowSums.store(all.take_front(all.size() / 2), op.getAcc(), block);
    rowSums.store(all.take_back(all.size() / 2), op.getDAcc(), block);
  };
  std::pair<Value, Value> seen = getSeenKeys(block);
  auto addAll = [&](bool skipsZeros) {
    return k.loopBySteps(seen.second, skipsZeros ? 1 : 4, before,
                         [&](Value key, int64_t keys, ValueRange carried) {
                           Vectors next(carried);
                           for (int64_t j = 0; j < keys; ++j)
                             next = addBothValues(
                                 block, k.add(k.add(seen.first, key), j), next,
                                 skipsZeros);
                           return next;
                         });
  };
  Vectors sums = addAll(/*skipsZeros=*/false);
  if (!hasZeroWeights)
    return store(sums);
  // 0 * x is not 0 where x is NaN or Inf: then once more, in the same order.
  k.ifThenElse(
      isAnyNaN(k, sums), [&] { store(addAll(/*skipsZeros=*/true)); },
      [&] { store(sums); });
}

void AttentionJvpKernel::accumulate() {
  if (unit.registers >= 32 && changesScores()) {
    int64_t rows = std::min(blocks.values.rows, queries);
    Value rest =
        k.b.createOrFold<arith::RemSIOp>(k.loc, numQueries, k.index(rows));
    Value whole = k.b.createOrFold<arith::SubIOp>(k.loc, numQueries, rest);
    auto accumulateRows = [&](Value firstRow, int64_t rows) {
      rowSums.forEachBlock(
          firstRow, rows, values.width, blocks.values.vectors,
          [&](const RowSums::Block &block) { accumulateBlock(block); });
    };
    k.forEach(k.index(0), whole, rows,
              [&](Value row) { accumulateRows(row, rows); });
    k.forEach(whole, numQueries, 1, [&](Value row) { accumulateRows(row, 1); });
    return;
  }
  rescale(op.getAcc());
  rescale(op.getDAcc());
  auto add = [&](Value target, Value weights, const KeyRows &rows) {
    rowSums.add(
        {target, weights, rows.any, true, numQueries, numKeys, values.width},
        queries, hasZeroWeights);
  };
  add(op.getAcc(), scores, values);
  if (changesScores())
    add(op.getDAcc(), ofScores, values);
  if (op.getDValue())
    add(op.getDAcc(), scores, dValues);
}
