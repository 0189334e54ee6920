//===- OnlineAttentionKernel.cpp - Micro-kernel of online_attention -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One step of online softmax with queries on the lanes:
//
//   S^T[key, query] = K Q^T            register blocks of keys x query vectors
//   row maximum, scores modified
//   P = exp2((S - max) log2 e), sums   in place, then dropout
//   O^T[v, query] = corr O^T + V^T P   register blocks of v x query vectors
//
// Keys and values are read one scalar at a time as the broadcast operand of an
// FMA, queries and weights as vectors; nothing is transposed or shuffled. A
// large query tile is worked on in groups of vectors, one after the other,
// while the keys and values stay in L1.

#include "OnlineAttentionKernel.h"
#include "DropWeights.h"
#include "Exponents.h"
#include "KeyProducts.h"
#include "Lowering.h"
#include "OnlineAttentionRows.h"
#include "StageRows.h"
#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;
using namespace lattn;

OnlineAttentionKernel::OnlineAttentionKernel(KernelBuilder &k,
                                             KernelFunctions &functions,
                                             OnlineAttentionOp op,
                                             AttentionBlock block,
                                             int64_t registers, int64_t maxKeys,
                                             BF16Products bf16, bool byAMX)
    : k(k), functions(functions), op(op), rowSums(k, functions, registers),
      block(block.rows), maxKeys(maxKeys), vectors(block.vectors),
      isMixed(isOfMixedLanes(op)) {
  auto query = cast<MemRefType>(op.getQuery().getType());
  scoresByPairs = query.getElementType().isBF16();
  if (bf16 != BF16Products::Widened)
    pairs.emplace(k, bf16);
  if (byAMX)
    amx.emplace(k);
  headDim = query.getDimSize(0);
  columns = query.getDimSize(1);
  valueDim =
      cast<MemRefType>(op.getAcc().getType()).getDimSize(isMixed ? 1 : 0);
  valueBlock = chooseValueBlock(registers, k.lanes, valueDim);
  valueBlock.rows = std::min(valueBlock.rows, vectors * k.lanes);
  // Few keys are in a cache, and lattn-prefetch-tiles prefetches the next ones.
  WindowAttrInterface window = op.getEffectiveWindow();
  isStreaming = isMixed && op.getQueryRows() && op.getAhead().empty() &&
                !(window && getMostSeenKeys(window, columns));
}

Value OnlineAttentionKernel::column(int64_t v) {
  return k.b.createOrFold<arith::AddIOp>(k.loc, group, scratchColumn(v));
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// `sums` and the products of a step's features of `rows` of `keys` and
/// queries; of pairs only the first one if `isLast`.
SmallVector<Value> OnlineAttentionKernel::addProducts(Value keys,
                                                      ArrayRef<Value> rows,
                                                      Value step, bool isLast,
                                                      ValueRange sums) {
  BlockProduct product(k, scoresByPairs ? &*pairs : nullptr);
  Value d = product.getPlace(step);
  SmallVector<Value> query = perVector([&](int64_t v) -> Value {
    Value first = k.load(op.getQuery(), {d, column(v)});
    if (!scoresByPairs)
      return first;
    return isLast ? pairs->pair(first)
                  : pairs->pair(
                        first, k.load(op.getQuery(), {k.add(d, 1), column(v)}));
  });
  auto getKey = [&](int64_t i) {
    return product.broadcast(keys, {rows[i], d}, isLast);
  };
  return product.add(sums, getKey, query);
}

/// Products of the queries and a block of `keys` from `firstKey` on, `unroll`
/// features at a time.
SmallVector<Value> OnlineAttentionKernel::multiplyRows(Value keys,
                                                       Value firstKey,
                                                       int64_t unroll,
                                                       ArrayRef<Ahead> ahead) {
  Value number = arith::DivUIOp::create(k.b, k.loc, firstKey, k.index(block));
  if (lastBlock) {
    BlockOfRows chosen = chooseBlock(k, keys, firstKey, numKeys, lastBlock);
    keys = chosen.matrix;
    firstKey = chosen.firstRow;
  }
  SmallVector<Value> rows;
  for (int64_t i = 0; i < block; ++i)
    rows.push_back(k.add(firstKey, i));
  int64_t step = scoresByPairs ? 2 : 1, steps = headDim / step;
  auto add = [&](Value first, int64_t count, ValueRange carried) {
    SmallVector<Value> sums(carried);
    for (int64_t j = 0; j < count; ++j)
      sums = addProducts(keys, rows, k.add(first, j), /*isLast=*/false, sums);
    return sums;
  };
  auto addAll = [&](Value from, Value to, ValueRange carried) {
    return k.loop(from, to, unroll, carried, [&](Value i, ValueRange carried) {
      return add(i, unroll, carried);
    });
  };
  SmallVector<Value> sums(block * vectors, k.splat(0.0));
  constexpr int64_t chunk = 4; // steps that a prefetch goes with
  int64_t chunks = ahead.empty() ? 0 : steps / chunk;
  if (chunks) {
    SmallVector<BlockAhead> ofBlock = getAheadOfBlock(ahead, number, chunks);
    auto addChunk = [&](Value i, ValueRange carried) {
      prefetchInBlock(ofBlock,
                      arith::DivUIOp::create(k.b, k.loc, i, k.index(chunk)));
      return unroll == chunk ? add(i, chunk, carried)
                             : addAll(i, k.add(i, chunk), carried);
    };
    sums = k.loop(k.index(0), k.index(chunks * chunk), chunk, sums, addChunk);
  }
  int64_t done = chunks * chunk, whole = llvm::alignDown(steps, unroll);
  if (done < whole)
    sums = addAll(k.index(done), k.index(whole), sums);
  done = std::max(done, whole);
  sums = add(k.index(done), steps - done, sums);
  if (headDim % step)
    sums = addProducts(keys, rows, k.index(steps), /*isLast=*/true, sums);
  return sums;
}

/// Products of the queries and the block of keys from `firstKey` on.
SmallVector<Value> OnlineAttentionKernel::multiplyBlock(Value firstKey,
                                                        ArrayRef<Ahead> ahead) {
  constexpr int64_t unrolled = 4;
  int64_t unroll = k.countUnrolled(block * vectors);
  if (!dense.rows)
    return multiplyRows(keys, firstKey, unroll, ahead);
  // Addresses of rows at any distance take many instructions.
  return k.choose(
      dense.isDense, SmallVector<Type>(block * vectors, k.vector),
      [&] { return multiplyRows(dense.rows, firstKey, unroll, ahead); },
      [&] { return multiplyRows(keys, firstKey, unrolled, ahead); });
}

/// Scores of `block` keys from `firstKey` on; returns the maxima with `max`.
/// Without `max` they stay products, which modifyScores goes over. Keys beyond
/// the last repeat it; their scores land in scratch that nobody reads.
SmallVector<Value> OnlineAttentionKernel::scoreBlock(Value firstKey,
                                                     ValueRange max,
                                                     ArrayRef<Ahead> ahead) {
  SmallVector<Value> sums = multiplyBlock(firstKey, ahead);
  SmallVector<Value> rows = getKeyNumbers(k, firstKey, block, numKeys,
                                          /*clamped=*/bool(lastBlock));
  SmallVector<Value> next(max);
  if (modify && !next.empty())
    modify->applyToBlock(sums, firstKey, rows);
  for (int64_t i = 0; i < block; ++i)
    for (int64_t v = 0; v < vectors; ++v) {
      Value score = sums[i * vectors + v];
      k.store(score, scores, {k.add(firstKey, i), scratchColumn(v)});
      if (!next.empty())
        next[v] = k.max(score, next[v]);
    }
  return next;
}

/// Products of all keys; returns the maxima with `max`, which may be empty.
SmallVector<Value> OnlineAttentionKernel::computeScores(ArrayRef<Value> max) {
  SmallVector<Ahead> ahead;
  if (isStreaming || !op.getAhead().empty())
    ahead = getAheadOfScores();
  return k.loop(k.index(0), numKeys, block, max,
                [&](Value key, ValueRange carried) {
                  return scoreBlock(key, carried, ahead);
                });
}

/// Products to final scores in place; returns the maxima with `max`.
SmallVector<Value> OnlineAttentionKernel::modifyScores(ArrayRef<Value> max) {
  return k.loop(k.index(0), numKeys, 1, max,
                [&](Value key, ValueRange carried) {
                  return perVector([&](int64_t v) {
                    Value s = k.load(scores, {key, scratchColumn(v)});
                    s = modify->apply(s, v, key);
                    k.store(s, scores, {key, scratchColumn(v)});
                    return k.max(s, carried[v]);
                  });
                });
}

/// Scores to weights in place; returns the row sums added to `sum`.
SmallVector<Value> OnlineAttentionKernel::exponentiate(ArrayRef<Value> max,
                                                       ArrayRef<Value> sum) {
  Exponents exponents =
      getExponents(k, scores, scale, max, [&](VisitScore visit) {
        k.forEach(k.index(0), numKeys, 1, [&](Value key) {
          for (int64_t v = 0; v < vectors; ++v)
            visit({key, scratchColumn(v)}, v);
        });
      });
  auto step = [&](Value first, int64_t count, ValueRange carried) {
    SmallVector<Value> scaled;
    auto forEach = [&](auto operation) {
      for (int64_t i = 0; i < count; ++i)
        for (int64_t v = 0; v < vectors; ++v)
          operation(i * vectors + v, v,
                    SmallVector<Value>{k.add(first, i), scratchColumn(v)});
    };
    forEach([&](int64_t, int64_t v, ValueRange at) {
      scaled.push_back(
          k.fma(k.load(scores, at), exponents.factor, exponents.addends[v]));
    });
    SmallVector<Value> weights = k.exp2(scaled);
    SmallVector<Value> sums(carried);
    forEach([&](int64_t i, int64_t v, ValueRange at) {
      k.store(weights[i], scores, at);
      sums[v] = k.plus(sums[v], weights[i]);
    });
    return sums;
  };
  return k.loopBySteps(numKeys, std::max<int64_t>(1, 4 / vectors), sum, step);
}

//===----------------------------------------------------------------------===//
// The whole step
//===----------------------------------------------------------------------===//

void OnlineAttentionKernel::buildGroup() {
  SmallVector<Value> oldMax =
      perVector([&](int64_t v) { return k.load(op.getMax(), column(v)); });
  SmallVector<Value> max;
  bool isLonger = !op.getScore().empty();
  double scaled = op.getScaleAttr() ? op.getScaleAttr().getValueAsDouble() : 1;
  if (amx && !isLonger && !op.getBias() && !op.hasMask() && scaled > 0)
    scale = scaled;
  else if (ScoreVectorizer::isNeeded(op))
    modify.emplace(k, op, vectors, group, op.getQueryRows());
  if (modify)
    modify->stagePairs(numKeys, maxKeys);
  // A mask is applied in registers: over memory, LLVM would make masked stores
  // of it, which some CPUs are slow at. A region may be long: once, in a loop.
  if (amx) {
    amx->packQuery(op.getQuery(), group, vectors, queryPairs);
    multiplyKeys();
    max = modify ? modifyScores(oldMax) : maximize(oldMax);
  } else if (isLonger) {
    computeScores({});
    max = modifyScores(oldMax);
  } else {
    max = computeScores(oldMax);
  }
  // Without any key so far the shift must not be -inf - -inf.
  SmallVector<Value> safeMax = perVector([&](int64_t v) {
    Value none = k.isEqual(max[v], k.splat(-INFINITY));
    return k.select(none, k.splat(0.0), max[v]);
  });
  SmallVector<Value> correction = perVector([&](int64_t v) {
    Value difference = arith::SubFOp::create(k.b, k.loc, oldMax[v], safeMax[v]);
    return k.exp2(k.mul(difference, k.splat(llvm::numbers::log2e)));
  });
  SmallVector<Value> sum = perVector([&](int64_t v) {
    return k.mul(k.load(op.getSum(), column(v)), correction[v]);
  });
  sum = exponentiate(safeMax, sum);
  for (int64_t v = 0; v < vectors; ++v) {
    k.store(max[v], op.getMax(), column(v));
    k.store(sum[v], op.getSum(), column(v));
  }
  if (!op.getDropout().empty())
    dropWeights(k, op, op.getDropout(), scores, numKeys, group, k.index(0),
                vectors);
  if (amx)
    return accumulateByAMX(correction);
  if (isMixed)
    return accumulateInRows(correction);
  if (pairs)
    pairs->packWeights(scores, numKeys, vectors, weightPairs);
  accumulate(correction);
}

/// Keys and values as the products read them.
void OnlineAttentionKernel::prepare() {
  constexpr int64_t manyRows = 16;
  if (amx)
    return prepareForAMX();
  scores =
      k.scratch({int64_t(llvm::alignTo(maxKeys, block)), vectors * k.lanes});
  Type bf16 = k.b.getBF16Type();
  keys = stageRows(k, functions, op.getKey(), maxKeys,
                   scoresByPairs ? bf16 : k.element);
  if (block >= manyRows)
    dense = findDenseRows(k, keys);
  int64_t extent = cast<MemRefType>(op.getKey().getType()).getDimSize(0);
  if (ShapedType::isDynamic(extent) || extent % block)
    lastBlock = copyLastBlock(k, keys, numKeys, block, /*repeatsLast=*/true);
  if (isMixed)
    corrections = k.scratch({vectors * k.lanes});
  if (!pairs) {
    values = stageRows(k, functions, op.getValue(), maxKeys, k.element);
    return;
  }
  int64_t rows = llvm::divideCeil(maxKeys, 2);
  weightPairs = k.scratch({rows, 2 * vectors * k.lanes}, bf16);
  valuePairs = k.scratch({rows, 2 * valueDim}, bf16);
  pairs->packValues(values, numKeys, valuePairs);
}

void OnlineAttentionKernel::build() {
  numKeys = memref::DimOp::create(k.b, k.loc, op.getKey(), 0);
  values = op.getValue();
  prepare();
  hasZeroWeights = op.hasMask() || op.getBias() || !op.getScore().empty() ||
                   !op.getDropout().empty();
  int64_t width = vectors * k.lanes;
  Value end = k.index(columns);
  if (op.getQueryRows() && columns > width)
    end = arith::MinSIOp::create(k.b, k.loc, end, op.getQueryRows());
  if (columns == width) {
    group = k.index(0);
    return buildGroup();
  }
  k.forEach(k.index(0), end, width, [&](Value first) {
    group = first;
    buildGroup();
  });
}

/// The function that `op` stands in asks for AMX before it does anything.
static void requestTileData(RewriterBase &rewriter, OnlineAttentionOp op,
                            KernelFunctions &functions) {
  constexpr StringLiteral name = "lattn_request_tile_data";
  auto function = op->getParentOfType<func::FuncOp>();
  auto first = dyn_cast<func::CallOp>(function.front().front());
  if (first && first.getCallee() == name)
    return;
  functions.declare(op.getLoc(), name);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&function.front());
  func::CallOp::create(rewriter, op.getLoc(), name, TypeRange());
}

bool lattn::hasMaps(OnlineAttentionOp op,
                    ArrayRef<SmallVector<unsigned>> maps) {
  for (auto [map, dims] : llvm::zip_equal(op.getEffectiveMaps(), maps))
    if (map != AffineMap::getMultiDimMapWithTargets(6, dims, op.getContext()))
      return false;
  return true;
}

/// Whether `op`'s maps are the packed ones: query (d, q), key (k, d), value
/// (k, v), acc as given, max and sum (q).
static bool isPacked(OnlineAttentionOp op, ArrayRef<unsigned> acc) {
  using Op = OnlineAttentionOp;
  return hasMaps(op, {{Op::HeadDim, Op::QueryPos},
                      {Op::KeyPos, Op::HeadDim},
                      {Op::KeyPos, Op::ValueDim},
                      llvm::to_vector(acc),
                      {Op::QueryPos},
                      {Op::QueryPos}});
}

bool lattn::isOfMixedLanes(OnlineAttentionOp op) {
  using Op = OnlineAttentionOp;
  return isPacked(op, {Op::QueryPos, Op::ValueDim});
}

LogicalResult lattn::lowerToVector(OnlineAttentionOp op, Lowering &to) {
  if (isOfRows(op))
    return lowerRowAttention(op, to);
  VectorUnit unit = to.unit;
  auto query = cast<MemRefType>(op.getQuery().getType());
  Type element = op.getAccumulatorType();
  int64_t lanes = unit.getLanes(element);
  Products products = op.getProducts();
  bool byAMX = products == Products::AMX;
  if ((products != Products::Widened && unit.bf16 == BF16Products::Widened) ||
      (byAMX && unit.bf16 != BF16Products::AMX))
    return to.rewriter.notifyMatchFailure(
        op, "the target does not have the products of its schedule");
  bool byPairs = products == Products::Dot || byAMX;
  bool isMixed = isOfMixedLanes(op);
  if (isMixed && products != Products::Widened)
    return to.rewriter.notifyMatchFailure(op, "its products are not widened");
  using Op = OnlineAttentionOp;
  if ((!isMixed && !isPacked(op, {Op::ValueDim, Op::QueryPos})) ||
      (query.getElementType() != element && !byPairs))
    return to.rewriter.notifyMatchFailure(op, "is not packed by lattn-tile");
  for (Value operand : {op.getQuery(), op.getAcc(), op.getMax(), op.getSum()}) {
    auto type = cast<MemRefType>(operand.getType());
    bool mayEndAnywhere = isMixed && operand == op.getAcc();
    // Parts of a split are slices: rows may lie anywhere.
    if (!type.hasStaticShape() || !type.isLastDimUnitStride() ||
        (type.getShape().back() % lanes && !mayEndAnywhere))
      return to.rewriter.notifyMatchFailure(
          op, "the rows of its query and state are no whole vectors");
  }
  int64_t tileVectors = query.getDimSize(1) / lanes;
  AttentionBlock block =
      byAMX ? AMXTile::chooseBlock(tileVectors)
            : chooseAttentionBlock(unit.bits, unit.registers, tileVectors);
  if (byAMX)
    requestTileData(to.rewriter, op, to.functions);
  return to.outlineByKeys<OnlineAttentionOp>(
      op, "lattn_online_attention",
      [&](KernelBuilder &k, OnlineAttentionOp copy, int64_t maxKeys) {
        OnlineAttentionKernel(
            k, to.functions, copy, block, unit.registers, maxKeys,
            products == Products::Widened ? BF16Products::Widened : unit.bf16,
            byAMX)
            .build();
      });
}
