//===- AttentionBlockPairs.cpp - Products and weights of a block ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

Value AttentionBlocks::multiply(Value x, Value y, bool turnX, bool turnY) {
  OpFoldResult rows = tensor::getMixedSize(b, loc, x, turnX ? 1 : 0);
  OpFoldResult columns = tensor::getMixedSize(b, loc, y, turnY ? 0 : 1);
  AffineMap ofX = turnX ? map({2, 0}, 3) : map({0, 2}, 3);
  AffineMap ofY = turnY ? map({1, 2}, 3) : map({2, 1}, 3);
  return buildGeneric(
      b, loc, {x, y}, filled({rows, columns}, 0.0), {ofX, ofY, map({0, 1}, 3)},
      [&](OpBuilder &at, ValueRange args) -> Value {
        Value product = arith::MulFOp::create(at, loc, args[0], args[1]);
        return arith::AddFOp::create(at, loc, args[2], product);
      },
      /*reduce=*/true);
}

Value AttentionBlocks::forPairs(const Block &block, ValueRange ins,
                                ArrayRef<AffineMap> maps, ElementBody body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(map({0, 1}));
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{block.rows, block.keys}, type);
  return buildGeneric(b, loc, ins, empty, all, body);
}

Value AttentionBlocks::sumRows(Value pairs, OpFoldResult rows) {
  return buildGeneric(
      b, loc, pairs, filled(rows, 0.0), {map({0, 1}), map({0})},
      [&](OpBuilder &at, ValueRange args) -> Value {
        return arith::AddFOp::create(at, loc, args[1], args[0]);
      },
      /*reduce=*/true);
}

void AttentionBlocks::buildHidden(Block &block, Value position) {
  WindowAttrInterface window = op.getEffectiveWindow();
  if (!window && !op.getKeyMask()) // kv_lens shorten the block
    return;
  Type flag = b.getI8Type();
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{block.rows, block.keys}, flag);
  block.hidden = buildGeneric(
      b, loc, {}, empty, {map({0, 1})}, [&](OpBuilder &at, ValueRange) {
        Coordinates where = coordinates(at, block);
        Value visible;
        if (window)
          visible = buildIsVisible(
              at, loc, window,
              buildPosition(at, loc, position, where.batch, where.query),
              where.key);
        if (Value mask = op.getKeyMask()) {
          Value seen = readElement(at, loc, mask, {where.batch, where.key});
          visible = visible ? at.createOrFold<arith::AndIOp>(loc, visible, seen)
                            : seen;
        }
        Value yes =
            arith::ConstantOp::create(at, loc, at.getIntegerAttr(flag, 1));
        Value no = arith::ConstantOp::create(at, loc, at.getZeroAttr(flag));
        if (!visible)
          return no;
        return arith::SelectOp::create(at, loc, visible, no, yes).getResult();
      });
}

std::optional<std::pair<ArraySlice, AffineMap>>
AttentionBlocks::sliceBias(const Block &block) {
  ArraySlice slice;
  SmallVector<unsigned> loops;
  SmallVector<OpFoldResult> kept;
  OpFoldResult single = b.getIndexAttr(1);
  const Coordinates &origin = block.origin;
  OpFoldResult from[] = {origin.batch, origin.head, origin.query, origin.key};
  OpFoldResult sizes[] = {single, single, block.rows, block.keys};
  for (AffineExpr expr : op.getEffectiveBiasMap().getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim && !isa<AffineConstantExpr>(expr))
      return {};
    if (!dim) {
      int64_t at = cast<AffineConstantExpr>(expr).getValue();
      slice.offsets.push_back(b.getIndexAttr(at));
      slice.sizes.push_back(single);
      continue;
    }
    slice.offsets.push_back(from[dim.getPosition()]);
    slice.sizes.push_back(sizes[dim.getPosition()]);
    if (dim.getPosition() < 2)
      continue;
    if (llvm::is_contained(loops, dim.getPosition() - 2))
      return {};
    loops.push_back(dim.getPosition() - 2);
    kept.push_back(slice.sizes.back());
  }
  slice.strides.assign(slice.sizes.size(), single);
  slice.type = getSliceType(kept, getElementTypeOrSelf(op.getBias().getType()));
  return std::make_pair(slice, map(loops));
}

/// The products, NaN where what they are made of is not finite.
void AttentionBlocks::buildProducts(Block &block) {
  AffineMap row = map({0}), column = map({1}), pair = map({0, 1});
  auto take = [&](Value array, bool ofKeys) {
    return getVector(array, block, ofKeys).read(b, loc, array);
  };
  SmallVector<Value> ins = {multiply(block.query, block.key, false, true),
                            take(query.isBad, false), take(key.isBad, true)};
  SmallVector<AffineMap> maps = {pair, row, column};
  if (block.hidden) {
    ins.push_back(block.hidden);
    maps.push_back(pair);
  }
  block.products =
      forPairs(block, ins, maps, [&](OpBuilder &at, ValueRange args) -> Value {
        Value isBad = arith::OrIOp::create(at, loc, args[1], args[2]);
        Value x = addBad(at, args[0], isBad);
        if (!block.hidden)
          return x;
        return arith::SelectOp::create(at, loc, isHidden(at, args[3]),
                                       constant(at, 1.0), x);
      });
}

/// The weights, and the factors of dropout.
void AttentionBlocks::buildWeights(Block &block) {
  SmallVector<Value> ins = {block.products,
                            getVector(lse, block, false).read(b, loc, lse)};
  SmallVector<AffineMap> maps = {map({0, 1}), map({0})};
  if (block.hidden) {
    ins.push_back(block.hidden);
    maps.push_back(map({0, 1}));
  }
  bool hasBias = bool(op.getBias());
  auto bias = hasBias ? sliceBias(block) : std::nullopt;
  if (bias) {
    ins.push_back(bias->first.read(b, loc, op.getBias()));
    maps.push_back(bias->second);
  }
  block.weights =
      forPairs(block, ins, maps, [&](OpBuilder &at, ValueRange args) -> Value {
        Coordinates where = coordinates(at, block);
        Value score = arith::MulFOp::create(at, loc, args[0], scale);
        score = buildModifiedScore(at, loc, op, score, where);
        if (hasBias) {
          Value more = bias ? args[args.size() - 2]
                            : readElement(at, loc, op.getBias(),
                                          buildBiasIndices(at, loc, op, where));
          score = arith::AddFOp::create(at, loc, score,
                                        convertFloat(at, loc, more, type));
        }
        Value none = buildIsNone(at, score, args[1]);
        if (block.hidden)
          none = arith::OrIOp::create(at, loc, none, isHidden(at, args[2]));
        return buildExp(at, none, score, args[1]);
      });
  if (dropout)
    block.factors =
        forPairs(block, {}, {}, [&](OpBuilder &at, ValueRange) -> Value {
          return lattn::buildDropped(at, loc, *dropout, constant(at, 1.0),
                                     coordinates(at, block));
        });
}

Value AttentionBlocks::isHidden(OpBuilder &at, Value flag) {
  Value none =
      arith::ConstantOp::create(at, loc, at.getZeroAttr(flag.getType()));
  return arith::CmpIOp::create(at, loc, arith::CmpIPredicate::ne, flag, none);
}

Value AttentionBlocks::buildIsNone(OpBuilder &at, Value x, Value y) {
  Value least = constant(at, -std::numeric_limits<double>::infinity());
  auto isLeast = [&](Value value) -> Value {
    return arith::CmpFOp::create(at, loc, arith::CmpFPredicate::OEQ, value,
                                 least);
  };
  return arith::OrIOp::create(at, loc, isLeast(x), isLeast(y));
}

Value AttentionBlocks::buildExp(OpBuilder &at, Value none, Value x, Value y) {
  Value nothing = constant(at, 0.0);
  Value difference = arith::SubFOp::create(at, loc, x, y);
  difference = arith::SelectOp::create(at, loc, none, nothing, difference);
  Value weight = math::ExpOp::create(at, loc, difference);
  return arith::SelectOp::create(at, loc, none, nothing, weight);
}

Value AttentionBlocks::buildDropped(const Block &block, Value isBad,
                                    AffineMap place) {
  SmallVector<Value> ins = {block.weights, isBad};
  SmallVector<AffineMap> maps = {map({0, 1}), place};
  if (block.factors) {
    ins.push_back(block.factors);
    maps.push_back(map({0, 1}));
  }
  return forPairs(block, ins, maps,
                  [&](OpBuilder &at, ValueRange args) -> Value {
                    Value x = args[0];
                    if (block.factors)
                      x = arith::MulFOp::create(at, loc, x, args[2]);
                    Value nothing = constant(at, 0.0);
                    Value none = arith::CmpFOp::create(
                        at, loc, arith::CmpFPredicate::OEQ, x, nothing);
                    return arith::SelectOp::create(at, loc, none, nothing,
                                                   addBad(at, x, args[1]));
                  });
}
