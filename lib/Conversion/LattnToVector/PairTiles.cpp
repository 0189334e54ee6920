//===- PairTiles.cpp - Arrays of pairs of queries and keys on vectors -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A bias, and masks that a score region reads, lie with their keys side by
// side, while queries are on the lanes: a tile of them is transposed in
// squares, before the scores that it is for.

#include "ScoreVectorizer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

/// A lane of a vector, or the scalar itself.
static Value getLane(KernelBuilder &k, Value index, int64_t lane) {
  if (!isa<VectorType>(index.getType()))
    return index;
  return vector::ExtractOp::create(k.b, k.loc, index, lane);
}

//===----------------------------------------------------------------------===//
// Which arrays
//===----------------------------------------------------------------------===//

ScoreVectorizer::PairArray ScoreVectorizer::getBias() {
  AffineMap map = op.getEffectiveBiasMap();
  unsigned rank = map.getNumResults(), key = OnlineAttentionOp::KeyPos;
  // A bias may be one number.
  auto last = rank ? dyn_cast<AffineDimExpr>(map.getResult(rank - 1))
                   : AffineDimExpr(nullptr);
  bool areKeysLast =
      last && last.getPosition() == key &&
      llvm::none_of(map.getResults().drop_back(),
                    [&](AffineExpr e) { return e.isFunctionOfDim(key); });
  auto locate = [=](Value query, Value key) {
    SmallVector<Value> dims = {originAt(0), originAt(1), query, key}, at;
    for (unsigned i = 0; i < rank; ++i)
      at.push_back(
          affine::AffineApplyOp::create(k.b, k.loc, map.getSubMap({i}), dims));
    return at;
  };
  return {op.getBias(), k.element, areKeysLast, locate};
}

/// The region's argument that an index of a read is, or none.
static std::optional<unsigned> getCoordinate(Value index, Block &region) {
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  auto argument = cast ? dyn_cast<BlockArgument>(cast.getIn()) : nullptr;
  if (!argument || argument.getOwner() != &region)
    return std::nullopt;
  return argument.getArgNumber();
}

/// A read of a captured array at its query and, by the last index, its key.
/// Booleans are not bytes to a vector.
std::optional<ScoreVectorizer::PairArray>
ScoreVectorizer::getPairRead(memref::LoadOp load) {
  constexpr unsigned query = 3, key = 4, firstCapture = 5;
  Block &region = op.getScore().front();
  auto argument = dyn_cast<BlockArgument>(load.getMemRef());
  if (!argument || argument.getArgNumber() < firstCapture ||
      load.getIndices().empty() || load.getType().isInteger(1))
    return std::nullopt;
  // For each index the argument that it is, or 0 and a constant.
  using Source = std::pair<unsigned, int64_t>;
  SmallVector<Source> sources;
  for (Value index : load.getIndices()) {
    std::optional<int64_t> known = getConstantIntValue(index);
    std::optional<unsigned> argument = getCoordinate(index, region);
    if (!known && !argument)
      return std::nullopt;
    sources.emplace_back(argument.value_or(0), known.value_or(0));
  }
  auto count = [&](unsigned argument) {
    return llvm::count_if(
        sources, [&](Source source) { return source.first == argument; });
  };
  if (sources.back().first != key || count(key) != 1 || count(query) == 0)
    return std::nullopt;
  auto locate = [=](Value query, Value key) {
    Value coordinates[] = {originAt(0), originAt(1), query, key};
    return llvm::map_to_vector(sources, [&](Source source) {
      return source.first ? coordinates[source.first - 1]
                          : k.index(source.second);
    });
  };
  return PairArray{op.getCaptures()[argument.getArgNumber() - firstCapture],
                   load.getType(), true, locate};
}

//===----------------------------------------------------------------------===//
// Tiles of them
//===----------------------------------------------------------------------===//

static Value toElement(KernelBuilder &k, Value value, Type element) {
  if (!isa<FloatType>(element))
    return value;
  Type type = element;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(element);
  return convertFloat(k, value, type);
}

/// The elements of each lane, for queries or keys as vectors.
Value ScoreVectorizer::gather(const PairArray &pairs, Value query, Value key) {
  auto type = VectorType::get(k.lanes, pairs.element);
  Value all = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
  for (int64_t lane = 0; lane < k.lanes; ++lane) {
    Value element =
        k.loadScalar(pairs.array, pairs.locate(getLane(k, query, lane),
                                               getLane(k, key, lane)));
    all = vector::InsertOp::create(
        k.b, k.loc, toElement(k, element, pairs.element), all, lane);
  }
  return all;
}

/// Squares of `rows` transposed, of the keys before `end`.
void ScoreVectorizer::transposeRows(const PairArray &pairs, Value rows,
                                    int64_t v, Value end) {
  SmallVector<SmallVector<Value>> places;
  for (int64_t lane = 0; lane < k.lanes; ++lane)
    places.push_back(pairs.locate(getLane(k, queries[v], lane), k.index(0)));
  k.forEach(k.index(0), end, k.lanes, [&](Value key) {
    SmallVector<Value> square;
    for (SmallVector<Value> at : places) {
      at.back() = toGlobal(key);
      square.push_back(toElement(k, k.load(rows, at), pairs.element));
    }
    for (auto [i, column] : llvm::enumerate(transposeSquare(k, square)))
      k.store(column, pairs.tile, {k.add(key, i), k.index(v * k.lanes)});
  });
}

void ScoreVectorizer::stage(PairArray &pairs, Value numKeys, int64_t maxKeys) {
  int64_t vectors = queries.size();
  pairs.tile = k.scratch({maxKeys, vectors * k.lanes}, pairs.element);
  auto gatherFrom = [&](Value from) {
    k.forEach(from, numKeys, 1, [&](Value key) {
      for (int64_t v = 0; v < vectors; ++v)
        k.store(gather(pairs, queries[v], toGlobal(key)), pairs.tile,
                {key, k.index(v * k.lanes)});
    });
  };
  if (!pairs.areKeysLast)
    return gatherFrom(k.index(0));
  auto transpose = [&] {
    Value rest = arith::RemUIOp::create(k.b, k.loc, numKeys, k.index(k.lanes));
    Value end = arith::SubIOp::create(k.b, k.loc, numKeys, rest);
    Value rows = asUnitStride(k, pairs.array);
    for (int64_t v = 0; v < vectors; ++v)
      transposeRows(pairs, rows, v, end);
    gatherFrom(end);
  };
  k.ifThenElse(hasUnitStride(k, pairs.array), transpose,
               [&] { gatherFrom(k.index(0)); });
}

void ScoreVectorizer::stagePairs(Value numKeys, int64_t maxKeys) {
  if (op.getBias()) {
    AffineMap map = op.getEffectiveBiasMap();
    if (map.isFunctionOfDim(OnlineAttentionOp::QueryPos) &&
        map.isFunctionOfDim(OnlineAttentionOp::KeyPos))
      stage(bias.emplace(getBias()), numKeys, maxKeys);
  }
  if (op.getScore().empty())
    return;
  for (auto load : op.getScore().front().getOps<memref::LoadOp>())
    if (std::optional<PairArray> pairs = getPairRead(load))
      stage(reads.insert({load, *pairs}).first->second, numKeys, maxKeys);
}

Value ScoreVectorizer::loadPairs(const PairArray &pairs, int64_t v, Value key) {
  return k.load(pairs.tile, {key, k.index(v * k.lanes)});
}

Value ScoreVectorizer::applyBias(Value score, int64_t v, Value key) {
  if (bias)
    return k.plus(score, loadPairs(*bias, v, key));
  AffineMap map = op.getEffectiveBiasMap();
  Value query = queries[v], keyIndex = toGlobal(key);
  auto differs = [&](unsigned dim, Value index) {
    return map.isFunctionOfDim(dim) && isa<VectorType>(index.getType());
  };
  PairArray pairs = getBias();
  if (differs(OnlineAttentionOp::QueryPos, query) ||
      differs(OnlineAttentionOp::KeyPos, keyIndex))
    return k.plus(score, gather(pairs, query, keyIndex));
  Value element = k.loadScalar(
      pairs.array, pairs.locate(getLane(k, query, 0), getLane(k, keyIndex, 0)));
  return k.plus(score, k.splat(convertFloat(k, element, k.element)));
}
