//===- OnlineAttentionRowPages.cpp - Keys of few queries, and their pages -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A step's keys lie together, or in pages that a table names. A step over pages
// goes through them once for the scores and once for the values. What it costs
// besides, it costs once for all its pages. Whole pages have code of their own,
// whose loops have known lengths. The rows to prefetch are looked up once
// a page.

#include "OnlineAttentionRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;

/// Where the page of the table's entry `entry` begins: an offset into the
/// memory of `pool`. Entries behind the last one stand for it.
Value RowAttentionKernel::findPage(Value pool, Value entry) {
  Value entries = memref::DimOp::create(k.b, k.loc, op.getPages(), 0);
  entry = arith::MinSIOp::create(k.b, k.loc, entry, k.add(entries, -1));
  Value page = k.loadScalar(op.getPages(), entry);
  page = arith::IndexCastOp::create(k.b, k.loc, k.b.getIndexType(), page);
  // Never outside of the pool, whatever the table says.
  Value pages = memref::DimOp::create(k.b, k.loc, pool, 0);
  page = arith::MinSIOp::create(k.b, k.loc, page, k.add(pages, -1));
  page = arith::MaxSIOp::create(k.b, k.loc, page, k.index(0));
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, pool);
  page = arith::MulIOp::create(k.b, k.loc, page, metadata.getStrides()[0]);
  return k.add(metadata.getOffset(), page);
}

/// `row` rows behind `offset`, an offset into the memory of `pool`.
Value RowAttentionKernel::skipRows(Value pool, Value offset, Value row) {
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, pool);
  row = arith::MulIOp::create(k.b, k.loc, row, metadata.getStrides()[1]);
  return k.add(offset, row);
}

/// `count` rows of `pool` from `offset` on. `strides` are those that their type
/// knows; the others are the pool's.
Value RowAttentionKernel::viewRows(Value pool, Value offset, OpFoldResult count,
                                   ArrayRef<int64_t> strides) {
  auto type = cast<MemRefType>(pool.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, pool);
  SmallVector<OpFoldResult> all;
  for (auto [i, stride] : llvm::enumerate(strides))
    all.push_back(ShapedType::isDynamic(stride)
                      ? OpFoldResult(metadata.getStrides()[1 + i])
                      : k.b.getIndexAttr(stride));
  int64_t any = ShapedType::kDynamic, width = type.getDimSize(2);
  auto layout = StridedLayoutAttr::get(k.b.getContext(), any, strides);
  auto rows =
      MemRefType::get({getConstantIntValue(count).value_or(any), width},
                      type.getElementType(), layout, type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, rows, metadata.getBaseBuffer(), OpFoldResult(offset),
      {count, k.b.getIndexAttr(width)}, all);
}

/// Whether keys, or values, come from memory rather than from a cache.
Value RowAttentionKernel::isLarge(Value pool) {
  constexpr int64_t bytes = 8 * 1024 * 1024;
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, pool);
  Value elements = arith::MulIOp::create(k.b, k.loc, metadata.getSizes()[0],
                                         metadata.getStrides()[0]);
  int64_t bits =
      cast<MemRefType>(pool.getType()).getElementType().getIntOrFloatBitWidth();
  return arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::sge, elements,
                               k.index(8 * bytes / bits));
}

/// Prefetches a line in each 4 KiB of a page, long before its rows are
/// prefetched. Hardware prefetches then begin in time for memory. From caches
/// they would only take bandwidth.
void RowAttentionKernel::touchPage(Value pool, Value begin) {
  constexpr int64_t bytes = 4096, localityInL2 = 2;
  auto type = cast<MemRefType>(pool.getType());
  int64_t size = op.getPageSize();
  int64_t rowBits = type.getDimSize(2) * type.getElementTypeBitWidth();
  Value rows =
      viewRows(pool, begin, k.b.getIndexAttr(size), {ShapedType::kDynamic, 1});
  for (int64_t row = 0; row < size;
       row += std::max<int64_t>(1, 8 * bytes / rowBits))
    memref::PrefetchOp::create(k.b, k.loc, rows,
                               ValueRange{k.index(row), k.index(0)},
                               /*isWrite=*/false, localityInL2,
                               /*isDataCache=*/true);
}

/// Calls `body` with all rows of `tile`, the keys or the values, in order;
/// those `distance` rows further on are to be prefetched. What `body` returns
/// is carried, like `inits`, to the next call, and from the last one returned.
SmallVector<Value> RowAttentionKernel::forEachStretch(Value tile,
                                                      int64_t distance,
                                                      ValueRange inits,
                                                      StretchBody body) {
  if (op.getPages())
    return forEachPage(tile, distance, inits, body);
  return body({tile, k.index(0), numKeys, {distance}}, inits);
}

void RowAttentionKernel::forEachStretch(
    Value tile, int64_t distance, function_ref<void(const Stretch &)> body) {
  forEachStretch(tile, distance, {}, [&](const Stretch &stretch, ValueRange) {
    body(stretch);
    return SmallVector<Value>();
  });
}

SmallVector<Value> RowAttentionKernel::forEachPage(Value pool, int64_t distance,
                                                   ValueRange carriedByBody,
                                                   StretchBody body) {
  constexpr int64_t mostCarried = 3;
  int64_t size = op.getPageSize(), pages = llvm::divideCeil(distance, size) + 1;
  Value first = op.getFirstKey();
  Value entry = arith::DivUIOp::create(k.b, k.loc, first, k.index(size));
  // A page's first key counts from the step's first one, as all keys.
  Value begin = arith::SubIOp::create(k.b, k.loc, k.times(entry, size), first);
  // Each page is looked up once, if few are between it and the one that it is
  // prefetched in.
  SmallVector<Value> inits = {entry};
  if (pages <= mostCarried)
    for (int64_t i = 0; i < pages; ++i)
      inits.push_back(findPage(pool, k.add(entry, i)));
  size_t ofPages = inits.size();
  llvm::append_range(inits, carriedByBody);
  Value endOfWhole = findEndOfWhole(pool), comesFromMemory = isLarge(pool);
  auto step = [&](Value begin, ValueRange carried) {
    ValueRange ofBody = carried.drop_front(ofPages);
    SmallVector<Value> begins(carried.take_front(ofPages).drop_front());
    SmallVector<Value> next = {k.add(carried[0], 1)};
    if (begins.empty()) {
      for (int64_t i = 0; i < pages; ++i)
        begins.push_back(findPage(pool, k.add(carried[0], i)));
    } else {
      next.append(begins.begin() + 1, begins.end());
      next.push_back(findPage(pool, k.add(carried[0], pages)));
      k.ifThenElse(comesFromMemory, [&] { touchPage(pool, next.back()); });
    }
    Value isWhole = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ult,
                                          begin, endOfWhole);
    auto withWhole = [&] {
      Value rows = viewRows(pool, begins[0], k.b.getIndexAttr(size),
                            {ShapedType::kDynamic, 1});
      Stretch whole = {rows, begin, k.index(size),
                       findAhead(pool, begins, k.index(0), distance)};
      return body(whole, ofBody);
    };
    auto withPart = [&] {
      return body(getPartOfPage(pool, begins, begin, distance), ofBody);
    };
    llvm::append_range(
        next, k.choose(isWhole, ofBody.getTypes(), withWhole, withPart));
    return next;
  };
  SmallVector<Value> last = k.loop(begin, numKeys, size, inits, step);
  return SmallVector<Value>(ArrayRef(last).drop_front(ofPages));
}

/// The end of the first keys of pages that lie in the step as a whole, if their
/// rows have unit stride.
Value RowAttentionKernel::findEndOfWhole(Value pool) {
  Value zero = k.index(0);
  Value end = arith::MaxSIOp::create(
      k.b, k.loc, k.add(numKeys, 1 - op.getPageSize()), zero);
  return k.select(hasUnitStride(k, pool), end, zero);
}

/// The rows of a page that belong to the step. `begin` is the page's first key.
RowAttentionKernel::Stretch
RowAttentionKernel::getPartOfPage(Value pool, ValueRange begins, Value begin,
                                  int64_t distance) {
  Value key = arith::MaxSIOp::create(k.b, k.loc, begin, k.index(0));
  Value end = arith::MinSIOp::create(k.b, k.loc, k.add(begin, op.getPageSize()),
                                     numKeys);
  Value count = arith::SubIOp::create(k.b, k.loc, end, key);
  Value row = arith::SubIOp::create(k.b, k.loc, key, begin);
  auto strides = cast<MemRefType>(pool.getType()).getStridesAndOffset().first;
  Value rows = viewRows(pool, skipRows(pool, begins[0], row), count,
                        ArrayRef(strides).drop_front());
  return {stage(rows), key, count, findAhead(pool, begins, row, distance)};
}

/// Scores behind the last key, which no block of keys may have reached, -inf.
void RowAttentionKernel::hideBeyondLast(Value row) {
  k.store(k.splat(-INFINITY), scores, {row, numKeys});
}

/// Where the rows lie that are `distance` rows further on than those of a page
/// from `row` on. `begins`: where this page and the next ones begin.
RowAttentionKernel::Distance RowAttentionKernel::findAhead(Value pool,
                                                           ValueRange begins,
                                                           Value row,
                                                           int64_t distance) {
  int64_t size = op.getPageSize(), pages = distance / size,
          rows = distance % size;
  Distance ahead = {distance, pool,
                    skipRows(pool, begins[pages], k.add(row, rows))};
  if (rows == 0)
    return ahead;
  ahead.turn = arith::SubIOp::create(k.b, k.loc, k.index(size - rows), row);
  // From `turn` on, so that the offset itself may lie before the page.
  ahead.next = skipRows(pool, begins[pages + 1], k.add(row, rows - size));
  return ahead;
}

/// What to prefetch while the rows of `tile`, a stretch, from `row` on are
/// worked on.
RowAttentionKernel::Ahead RowAttentionKernel::getAhead(const Distance &ahead,
                                                       Value tile, Value row) {
  if (!op.getPages())
    return {tile, k.add(row, ahead.rows)};
  Value offset = ahead.here;
  if (ahead.next) {
    Value isHere = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::slt,
                                         row, ahead.turn);
    offset = k.select(isHere, ahead.here, ahead.next);
  }
  // Where the tile is a copy, this only prefetches other lines.
  auto strides = cast<MemRefType>(tile.getType()).getStridesAndOffset().first;
  return {viewRows(ahead.pool, offset, k.b.getIndexAttr(op.getPageSize()),
                   {strides[0], 1}),
          row};
}
