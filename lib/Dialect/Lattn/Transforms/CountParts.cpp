//===- CountParts.cpp - How many parts keys are split into ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A function of the shape and of the target alone: results do not depend on how
// many threads there are.

#include "QueryTile.h"
#include "lattn/Analysis/TilePlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;

PartCount lattn::countParts(OpBuilder &b, const TiledAttention &whole,
                            const SplitRule &rule) {
  AttentionOp op = whole.op;
  Location loc = op.getLoc();
  auto index = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  // Not by the number of tiles: static sizes may be near INT64_MAX.
  Value free = constant(rule.slots);
  bool anyTile = true;
  for (OpFoldResult extent : {whole.batches, whole.heads, whole.queryTiles}) {
    anyTile &= getConstantIntValue(extent) != 0;
    Value divisor =
        b.createOrFold<arith::MaxSIOp>(loc, index(extent), constant(1));
    free = b.createOrFold<arith::DivUIOp>(loc, free, divisor);
  }
  // Only keys that some tile sees count.
  Value keys = index(whole.keys);
  int64_t most = getConstantIntValue(whole.keys).value_or(INT64_MAX);
  int64_t queries = whole.grouped ? 1 : whole.sizes.query;
  if (auto seen = getMostSeenKeys(op.getEffectiveWindow(), queries)) {
    most = std::min(most, *seen);
    keys = b.createOrFold<arith::MinSIOp>(loc, keys, constant(most));
  }
  Value wanted =
      b.createOrFold<arith::DivUIOp>(loc, keys, constant(rule.keysPerPart));
  Value parts = b.createOrFold<arith::MinSIOp>(loc, free, wanted);
  parts = b.createOrFold<arith::MinSIOp>(loc, parts, constant(rule.mostParts));
  parts = b.createOrFold<arith::MaxSIOp>(loc, parts, constant(1));
  bool mayBeMany = anyTile && most / rule.keysPerPart > 1 &&
                   getConstantIntValue(free).value_or(rule.slots) > 1;
  return {getAsOpFoldResult(parts), mayBeMany};
}

int64_t lattn::chooseParts(AttentionOp op, TileSizes sizes) {
  OpBuilder b(op);
  TiledAttention whole(b, op, sizes);
  PartCount count = countParts(b, whole, SplitRule::forCPU());
  return count.mayBeMany ? getConstantIntValue(count.parts).value_or(1) : 1;
}
