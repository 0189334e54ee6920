//===- KeptPairs.cpp - Dropout on fragments -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One call of the generator serves four keys, 4 n to 4 n + 3. So tiles of keys
// begin at multiples of 4 wherever the passes that make them can choose. Where
// that is not known, each pair has a call of its own.

#include "KeptPairs.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;

/// Whether `value` is known to be a multiple of kKeysOfRandomCall.
static bool isMultiple(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % kKeysOfRandomCall == 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Steps are whole tiles from the first key on, but at its end.
    auto sweep = dyn_cast<SweepKeysOp>(argument.getOwner()->getParentOp());
    return sweep && argument == sweep.getKey() &&
           sweep.getKeyTile() % kKeysOfRandomCall == 0 &&
           isMultiple(sweep.getFirstKey());
  }
  Operation *op = value.getDefiningOp();
  auto isOperand = [](Value operand) { return isMultiple(operand); };
  if (isa<arith::MulIOp>(op))
    return llvm::any_of(op->getOperands(), isOperand);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return llvm::all_of(op->getOperands(), isOperand);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isMultiple(select.getTrueValue()) &&
           isMultiple(select.getFalseValue());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return apply.getAffineMap().getResult(0).isMultipleOf(kKeysOfRandomCall);
  return false;
}

Value lattn::buildKeptPairs(TileMath &math, AttentionOpInterface op,
                            ValueRange dropout, int64_t columns,
                            bool rowsAreKeys) {
  OpBuilder &b = math.b;
  Location loc = math.loc;
  DropoutBuilder random(b, loc, dropout, math.f32);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Coordinates origin = addOrigin(b, loc, op, {zero, zero, zero, zero});
  Value word = random.buildRow(b, loc, origin.batch, origin.head);
  fragment::TileType tile =
      math.type(fragment::Part::Accumulator, columns, b.getI1Type());
  Type i32 = b.getI32Type();
  auto integer = [&](OpBuilder &nested, int64_t value) -> Value {
    return arith::ConstantIntOp::create(nested, loc, value, 32);
  };
  auto getKept = [&](OpBuilder &nested, ValueRange args) {
    auto at = [&](Value local, Value first) -> Value {
      Value sum = arith::AddIOp::create(nested, loc, first, local);
      return arith::IndexCastOp::create(nested, loc, i32, sum);
    };
    Value query = at(args[rowsAreKeys ? 1 : 0], origin.query);
    Value key = at(args[rowsAreKeys ? 0 : 1], origin.key);
    // A key before the sequence is negative.
    Value group = arith::ShRSIOp::create(nested, loc, key, integer(nested, 2));
    return std::pair(key, random.buildKept(nested, loc, word, query, group));
  };
  if (isMultiple(origin.key))
    return fragment::MapFoursOp::create(
        b, loc, tile, rowsAreKeys, [&](OpBuilder &nested, ValueRange args) {
          return llvm::to_vector(getKept(nested, args).second);
        });
  return math.map(tile, {}, [&](OpBuilder &nested, ValueRange args) {
    auto [key, kept] = getKept(nested, args);
    return chooseOfFour(nested, loc, key, kept);
  });
}

Value lattn::dropPairs(TileMath &math, Value tile, Value kept) {
  return math.map(cast<fragment::TileType>(tile.getType()), {tile, kept},
                  [&](OpBuilder &nested, ValueRange args) -> Value {
                    return arith::SelectOp::create(nested, math.loc, args[3],
                                                   args[2],
                                                   math.constant(nested, 0.0));
                  });
}

Value lattn::buildDropoutScale(TileMath &math, ValueRange dropout) {
  OpBuilder &b = math.b;
  DropoutBuilder random(b, math.loc, dropout, math.f32);
  Value scale = random.getScale();
  Value isFinite = arith::CmpFOp::create(b, math.loc, arith::CmpFPredicate::OLT,
                                         scale, math.constant(b, INFINITY));
  return arith::SelectOp::create(b, math.loc, isFinite, scale,
                                 math.constant(b, 0.0));
}
