//===- OnlineAttentionOp.cpp - lattn.online_attention: maps and verifier --===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kMappedNames[] = {"query", "key", "value",
                                                 "acc",   "max", "sum"};

SmallVector<AffineMap> OnlineAttentionOp::getEffectiveMaps() {
  if (std::optional<ArrayAttr> maps = getIndexingMaps())
    return llvm::to_vector(maps->getAsValueRange<AffineMapAttr>());
  MLIRContext *context = getContext();
  auto map = [&](ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(6, dims, context);
  };
  return {map({Batch, Head, QueryPos, HeadDim}),
          map({Batch, Head, KeyPos, HeadDim}),
          map({Batch, Head, KeyPos, ValueDim}),
          map({Batch, Head, QueryPos, ValueDim}),
          map({Batch, Head, QueryPos}),
          map({Batch, Head, QueryPos})};
}

std::optional<unsigned> OnlineAttentionOp::getAxis(unsigned mapped, Dim dim) {
  return getEffectiveMaps()[mapped].getResultPosition(
      getAffineDimExpr(dim, getContext()));
}

Value OnlineAttentionOp::getMappedOperand(unsigned mapped) {
  Value operands[] = {getQuery(), getKey(), getValue(),
                      getAcc(),   getMax(), getSum()};
  return operands[mapped];
}

int64_t OnlineAttentionOp::getPageSize() {
  return cast<ShapedType>(getKey().getType()).getDimSize(1);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// online_attention_c1 to online_attention_c3
static LogicalResult verifyMaps(OnlineAttentionOp op) {
  using Online = OnlineAttentionOp;
  // online_attention_c1
  if (std::optional<ArrayAttr> maps = op.getIndexingMaps();
      maps && maps->size() != 6)
    return op.emitOpError() << "expected 6 indexing_maps (query, key, value, "
                               "acc, max, sum), got "
                            << maps->size();
  // Which dimensions an operand must have and may have.
  constexpr unsigned b = 1 << Online::Batch, h = 1 << Online::Head,
                     q = 1 << Online::QueryPos, k = 1 << Online::KeyPos,
                     d = 1 << Online::HeadDim, v = 1 << Online::ValueDim;
  const unsigned required[] = {q | d, k | d, k | v, q | v, q, q};
  std::optional<unsigned> outer; // which of b and h the op has
  for (auto [i, map] : llvm::enumerate(op.getEffectiveMaps())) {
    unsigned dims = 0;
    bool projected = map.getNumDims() == 6 && map.isProjectedPermutation();
    for (unsigned axis = 0; projected && axis < map.getNumResults(); ++axis)
      dims |= 1u << map.getDimPosition(axis);
    if (!projected || (dims & required[i]) != required[i] ||
        (dims & ~(required[i] | b | h)))
      // online_attention_c2
      return op.emitOpError()
             << "expected indexing_maps[" << i << "] of " << kMappedNames[i]
             << " to be a projected permutation of (b, h, q, k, d, v) onto its "
                "own dimensions, got "
             << AffineMapAttr::get(map);
    // online_attention_c3
    if (outer.value_or(dims & (b | h)) != (dims & (b | h)))
      return op.emitOpError() << "expected all indexing_maps to name the same "
                                 "of b and h; indexing_maps["
                              << i << "] of " << kMappedNames[i] << " differs";
    outer = dims & (b | h);
    bool inPages = op.isInPages(i);
    if (failed(verifyRank(op, op.getMappedOperand(i), kMappedNames[i],
                          map.getNumResults() + inPages,
                          inPages ? "(page, and by its indexing map)"
                                  : "(by its indexing map)")))
      return failure();
  }
  return success();
}

/// online_attention_c4: an extent is the same wherever it appears; key and
/// value may have fewer heads. Sets `extents`, by dimension.
static LogicalResult verifyExtents(OnlineAttentionOp op,
                                   int64_t (&extents)[6]) {
  using Online = OnlineAttentionOp;
  int64_t kvHeads = ShapedType::kDynamic;
  std::fill_n(extents, 6, ShapedType::kDynamic);
  for (auto [i, map] : llvm::enumerate(op.getEffectiveMaps())) {
    auto type = cast<ShapedType>(op.getMappedOperand(i).getType());
    bool inPages = op.isInPages(i); // whose rows are not all keys
    for (unsigned result = inPages; result < map.getNumResults(); ++result) {
      unsigned dim = map.getDimPosition(result), axis = result + inPages;
      bool kv = dim == Online::Head && (i == 1 || i == 2);
      int64_t &extent = kv ? kvHeads : extents[dim];
      if (failed(verifyExtent(op, op.getMappedOperand(i), kMappedNames[i], axis,
                              extent, "the extent seen before")))
        return failure();
      if (ShapedType::isDynamic(extent))
        extent = type.getDimSize(axis);
    }
  }
  if (extents[Online::HeadDim] == 0)
    return op.emitOpError("expected a head size of at least 1, got 0");
  return verifyHeads(op, extents[Online::Head], kvHeads);
}

/// online_attention_c5: query, key and value have one accumulator type; it is
/// the state's.
static LogicalResult verifyElementTypes(OnlineAttentionOp op) {
  Type key = op.getKey().getType();
  Type state = getAccumulatorType(key);
  if (failed(verifyAccumulator(op, op.getQuery(), "query", key)) ||
      failed(verifyAccumulator(op, op.getValue(), "value", key)) ||
      failed(verifyElementType(op, op.getAcc(), "acc", state)) ||
      failed(verifyElementType(op, op.getMax(), "max", state)))
    return failure();
  return verifyElementType(op, op.getSum(), "sum", state);
}

/// online_attention_c10
static LogicalResult verifySchedule(OnlineAttentionOp op,
                                    const int64_t (&extents)[6]) {
  ScheduleAttr schedule = op.getScheduleAttr();
  if (!schedule)
    return success();
  auto fits = [&](StringRef name, int64_t extent,
                  std::optional<int64_t> tile) -> LogicalResult {
    if (!tile || ShapedType::isDynamic(extent) || extent <= *tile)
      return success();
    return op.emitOpError() << "expected at most " << *tile << " " << name
                            << " by its schedule, got " << extent;
  };
  if (failed(fits("queries", extents[OnlineAttentionOp::QueryPos],
                  schedule.getQueryTile())) ||
      failed(fits("keys", extents[OnlineAttentionOp::KeyPos],
                  schedule.getKeyTile())))
    return failure();
  return verifyProducts(op, schedule);
}

/// online_attention_c12
static LogicalResult verifyPages(OnlineAttentionOp op) {
  using Online = OnlineAttentionOp;
  Value table = op.getPages();
  if (bool(table) != bool(op.getFirstKey()) ||
      bool(table) != bool(op.getNumKeys()))
    return op.emitOpError(
        "expected pages, first_key and num_keys, or none of them");
  if (!table)
    return success();
  if (failed(verifyRank(op, table, "pages", 1, "(page of the sequence)")))
    return failure();
  for (unsigned i : {1, 2}) {
    unsigned element = i == 1 ? Online::HeadDim : Online::ValueDim;
    AffineMap map = op.getEffectiveMaps()[i];
    AffineMap expected = AffineMap::getMultiDimMapWithTargets(
        6, {Online::KeyPos, element}, op.getContext());
    if (map != expected)
      return op.emitOpError()
             << "expected indexing_maps[" << i << "] of " << kMappedNames[i]
             << " in pages to be " << AffineMapAttr::get(expected) << ", got "
             << AffineMapAttr::get(map);
  }
  int64_t size = op.getPageSize();
  if (ShapedType::isDynamic(size) || size < 1)
    return op.emitOpError(
               "expected pages of a known size of at least 1 key, got ")
           << (ShapedType::isDynamic(size) ? "?" : "0");
  int64_t ofValue = cast<ShapedType>(op.getValue().getType()).getDimSize(1);
  if (ofValue != size)
    return op.emitOpError("expected pages of value of ")
           << size << " rows, as those of key, got "
           << (ShapedType::isDynamic(ofValue) ? "?" : Twine(ofValue).str());
  return success();
}

/// online_attention_c11
static LogicalResult verifyAhead(OnlineAttentionOp op) {
  OperandRange ahead = op.getAhead();
  if (ahead.empty())
    return success();
  if (ahead.size() != 2 || llvm::any_of(ahead.getTypes(), [](Type type) {
        auto rows = cast<MemRefType>(type);
        return rows.getRank() != 2 || rows.isDynamicDim(1);
      }))
    return op.emitOpError("expected ahead (queries, outputs), two matrices "
                          "whose width is known, got ")
           << ahead.getTypes();
  return success();
}

LogicalResult OnlineAttentionOp::verify() {
  int64_t extents[6];
  if (failed(verifyAttentionOperands( // online_attention_c8
          *this, {{15, "acc"}, {16, "max"}, {17, "sum"}})) ||
      failed(verifyMaps(*this)) || failed(verifyPages(*this)) ||
      failed(verifyExtents(*this, extents)) ||
      failed(verifyElementTypes(*this)) ||
      failed(verifyStepOffset(*this)) || // online_attention_c6
      // online_attention_c9
      failed(verifyStepDropout(*this, getDropout().getTypes())) ||
      failed(verifySchedule(*this, extents)) || failed(verifyAhead(*this)))
    return failure();
  // online_attention_c7: an axis that no map names has extent 1; with
  // query_rows the query is longer than its rows.
  for (Dim dim : {Batch, Head})
    if (!getAxis(0, dim))
      extents[dim] = 1;
  if (getQueryRows())
    extents[QueryPos] = ShapedType::kDynamic;
  return verifyScoring(*this, ArrayRef(extents).take_front(4));
}

//===----------------------------------------------------------------------===//
// Destination style
//===----------------------------------------------------------------------===//

MutableOperandRange OnlineAttentionOp::getDpsInitsMutable() {
  return MutableOperandRange(*this, getNumOperands() - 3, 3);
}
