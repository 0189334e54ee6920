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

namespace {
/// Numbers that are known.
struct Known {
  using Number = int64_t;
  int64_t constant(int64_t value) const { return value; }
  int64_t divide(int64_t a, int64_t b) const { return a / b; }
  int64_t min(int64_t a, int64_t b) const { return std::min(a, b); }
  int64_t max(int64_t a, int64_t b) const { return std::max(a, b); }
};

/// Numbers that compiled code computes.
struct Built {
  using Number = Value;
  Value constant(int64_t value) const {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value divide(Value a, Value c) const {
    return b.createOrFold<arith::DivUIOp>(loc, a, c);
  }
  Value min(Value a, Value c) const {
    return b.createOrFold<arith::MinSIOp>(loc, a, c);
  }
  Value max(Value a, Value c) const {
    return b.createOrFold<arith::MaxSIOp>(loc, a, c);
  }
  OpBuilder &b;
  Location loc;
};
} // namespace

/// Parts of `keys` for tiles of these extents (batches, heads, query tiles), of
/// which each visits `mostSeen` keys at most.
template <typename Numbers, typename Number = typename Numbers::Number>
static Number countFor(ArrayRef<Number> extents, Number keys,
                       std::optional<int64_t> mostSeen, const SplitRule &rule,
                       Numbers n) {
  // Not by the number of tiles: static sizes may be near INT64_MAX.
  Number free = n.constant(rule.slots);
  for (Number extent : extents)
    free = n.divide(free, n.max(extent, n.constant(1)));
  if (mostSeen) // only keys that some tile sees count
    keys = n.min(keys, n.constant(*mostSeen));
  Number wanted = n.divide(keys, n.constant(rule.keysPerPart));
  Number parts = n.min(n.min(free, wanted), n.constant(rule.mostParts));
  return n.max(parts, n.constant(1));
}

using Extent = std::optional<int64_t>; // none: not known

/// The same as far as sizes are known.
static Extent countKnown(ArrayRef<Extent> extents, Extent keys, Extent mostSeen,
                         const SplitRule &rule) {
  if (llvm::is_contained(extents, Extent(0)))
    return 1; // there is no tile
  auto known = llvm::map_to_vector(
      extents, [](Extent extent) { return extent.value_or(1); });
  int64_t most = countFor(ArrayRef<int64_t>(known), keys.value_or(INT64_MAX),
                          mostSeen, rule, Known());
  bool isKnown = keys && !llvm::is_contained(extents, Extent());
  return isKnown || most == 1 ? Extent(most) : Extent();
}

PartCount lattn::countParts(OpBuilder &b, const TiledAttention &whole,
                            const SplitRule &rule) {
  OpFoldResult extents[] = {whole.batches, whole.heads, whole.queryTiles};
  AttentionOp op = whole.op;
  Extent mostSeen = getMostSeenKeys(op.getEffectiveWindow(),
                                    whole.grouped ? 1 : whole.sizes.query);
  auto sizes = llvm::map_to_vector(
      extents, [](OpFoldResult size) { return getConstantIntValue(size); });
  Extent known =
      countKnown(sizes, getConstantIntValue(whole.keys), mostSeen, rule);
  if (known)
    return {b.getIndexAttr(*known), *known > 1};
  Location loc = op.getLoc();
  auto build = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, loc, size);
  };
  auto values = llvm::map_to_vector(extents, build);
  Value parts = countFor(ArrayRef<Value>(values), build(whole.keys), mostSeen,
                         rule, Built{b, loc});
  return {parts, true};
}

int64_t lattn::chooseParts(AttentionOp op, TileSizes sizes) {
  if (!sizes.query)
    return 1; // there are no tiles
  auto getSize = [](Value array, unsigned axis) -> Extent {
    int64_t size = cast<ShapedType>(array.getType()).getDimSize(axis);
    return ShapedType::isDynamic(size) ? Extent() : Extent(size);
  };
  Extent batches = getSize(op.getQuery(), 0);
  Extent heads = getSize(op.getQuery(), op.getHeadAxis());
  Extent queries = getSize(op.getQuery(), op.getPositionAxis());
  Extent keys = getSize(op.getKey(), op.getPositionAxis());
  bool grouped = canGroupHeads(op, TileForm::Packed);
  if (grouped) {
    Extent kvHeads = getSize(op.getKey(), op.getHeadAxis());
    queries =
        heads && kvHeads.value_or(0) ? Extent(*heads / *kvHeads) : Extent();
    heads = kvHeads;
  }
  if (queries)
    queries = llvm::divideCeil(*queries, sizes.query);
  Extent mostSeen =
      getMostSeenKeys(op.getEffectiveWindow(), grouped ? 1 : sizes.query);
  return countKnown({batches, heads, queries}, keys, mostSeen,
                    SplitRule::forCPU())
      .value_or(1);
}
