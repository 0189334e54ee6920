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
// whose loops have known lengths. The rows to ask for ahead are looked up once
// a page.

#include "OnlineAttentionRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn;

/// The page that the table's entry `entry` names.
Value RowAttentionKernel::readPage(Value pool, Value entry) {
  Value page = k.loadScalar(op.getPages(), entry);
  page = arith::IndexCastOp::create(k.b, k.loc, k.b.getIndexType(), page);
  // Never outside of the pool, whatever the table says.
  Value pages = memref::DimOp::create(k.b, k.loc, pool, 0);
  page = arith::MinSIOp::create(k.b, k.loc, page, k.add(pages, -1));
  return arith::MaxSIOp::create(k.b, k.loc, page, k.index(0));
}

/// `count` rows of a page from `row` on.
Value RowAttentionKernel::getRows(Value pool, Value page, Value row,
                                  Value count) {
  auto type = cast<MemRefType>(pool.getType());
  OpFoldResult zero = k.b.getIndexAttr(0), one = k.b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = {page, row, zero},
                            sizes = {one, count,
                                     k.b.getIndexAttr(type.getDimSize(2))},
                            strides(3, one);
  MemRefType rows = memref::SubViewOp::inferRankReducedResultType(
      {ShapedType::kDynamic, type.getDimSize(2)}, type, offsets, sizes,
      strides);
  return memref::SubViewOp::create(k.b, k.loc, rows, pool, offsets, sizes,
                                   strides);
}

/// Calls `body` with all rows of `tile`, the keys or the values, in order;
/// those `distance` rows further on are to be asked for.
void RowAttentionKernel::forEachStretch(
    Value tile, int64_t distance, function_ref<void(const Stretch &)> body) {
  if (!op.getPages())
    return body({tile, k.index(0), numKeys, {distance}});
  int64_t size = op.getPageSize();
  Value first = op.getFirstKey();
  Value firstEntry = arith::DivUIOp::create(k.b, k.loc, first, k.index(size));
  // A page's first key counts from the step's first one, as all keys.
  Value firstBegin =
      arith::SubIOp::create(k.b, k.loc, k.times(firstEntry, size), first);
  k.loop(firstBegin, numKeys, size, firstEntry,
         [&](Value begin, ValueRange carried) -> SmallVector<Value> {
           Value entry = carried[0];
           Value key = arith::MaxSIOp::create(k.b, k.loc, begin, k.index(0));
           Value end =
               arith::MinSIOp::create(k.b, k.loc, k.add(begin, size), numKeys);
           Value count = arith::SubIOp::create(k.b, k.loc, end, key);
           Value row = arith::SubIOp::create(k.b, k.loc, key, begin);
           Value rows = stage(getRows(tile, readPage(tile, entry), row, count));
           auto visit = [&](Value key, Value row, Value count) {
             body({rows, key, count, findAhead(tile, entry, row, distance)});
           };
           Value isWhole = arith::CmpIOp::create(
               k.b, k.loc, arith::CmpIPredicate::eq, count, k.index(size));
           k.ifThenElse(
               isWhole, [&] { visit(begin, k.index(0), k.index(size)); },
               [&] { visit(key, row, count); });
           return {k.add(entry, 1)};
         });
}

/// Scores behind the last key, which no block of keys may have reached, -inf.
void RowAttentionKernel::hideBeyondLast(Value row) {
  k.store(k.splat(-INFINITY), scores, {row, numKeys});
}

/// Where the rows lie that are `distance` rows further on than those of a page
/// from `row` on, in pages where the table says that they lie.
RowAttentionKernel::Distance RowAttentionKernel::findAhead(Value pool,
                                                           Value entry,
                                                           Value row,
                                                           int64_t distance) {
  int64_t size = op.getPageSize(), pages = distance / size,
          rows = distance % size;
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, pool);
  Value entries = memref::DimOp::create(k.b, k.loc, op.getPages(), 0);
  auto findRows = [&](int64_t pages, int64_t rows) {
    Value later = arith::MinSIOp::create(k.b, k.loc, k.add(entry, pages),
                                         k.add(entries, -1));
    Value page = arith::MulIOp::create(k.b, k.loc, readPage(pool, later),
                                       metadata.getStrides()[0]);
    Value inPage = arith::MulIOp::create(k.b, k.loc, k.add(row, rows),
                                         metadata.getStrides()[1]);
    return k.add(metadata.getOffset(), k.add(page, inPage));
  };
  Distance ahead = {distance, pool, findRows(pages, rows)};
  if (rows == 0)
    return ahead;
  ahead.turn = arith::SubIOp::create(k.b, k.loc, k.index(size - rows), row);
  ahead.next = findRows(pages + 1, rows - size);
  return ahead;
}

/// What to ask for while the rows of `tile`, a stretch, from `row` on are
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
  // Of a pool of other strides than the tile's, this only asks for other lines.
  auto type = cast<MemRefType>(tile.getType());
  auto metadata =
      memref::ExtractStridedMetadataOp::create(k.b, k.loc, ahead.pool);
  int64_t any = ShapedType::kDynamic,
          known = type.getStridesAndOffset().first[0];
  OpFoldResult stride = k.b.getIndexAttr(known);
  if (ShapedType::isDynamic(known))
    stride = metadata.getStrides()[1];
  int64_t size = op.getPageSize(), width = type.getDimSize(1);
  auto layout = StridedLayoutAttr::get(k.b.getContext(), any, {known, 1});
  auto rows = MemRefType::get({size, width}, type.getElementType(), layout,
                              type.getMemorySpace());
  Value matrix = memref::ReinterpretCastOp::create(
      k.b, k.loc, rows, metadata.getBaseBuffer(), OpFoldResult(offset),
      {k.b.getIndexAttr(size), k.b.getIndexAttr(width)},
      {stride, k.b.getIndexAttr(1)});
  return {matrix, row};
}
