//===- OnlineAttentionRowPages.cpp - Keys of few queries, and their pages -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A step's keys lie together, or in pages that a table names. A step over pages
// goes through them once for the scores and once for the values. What it costs
// besides, it costs once for all its pages.

#include "OnlineAttentionRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn;

/// `count` rows from `row` on of the page that the table's entry `entry` names.
Value RowAttentionKernel::getPage(Value pool, Value entry, Value row,
                                  Value count) {
  Value page = k.loadScalar(op.getPages(), entry);
  page = arith::IndexCastOp::create(k.b, k.loc, k.b.getIndexType(), page);
  // Never outside of the pool, whatever the table says.
  Value pages = memref::DimOp::create(k.b, k.loc, pool, 0);
  page = arith::MinSIOp::create(k.b, k.loc, page, k.add(pages, -1));
  page = arith::MaxSIOp::create(k.b, k.loc, page, k.index(0));
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

/// Calls `body` with all keys, or values, in order.
void RowAttentionKernel::forEachStretch(
    bool isValue, function_ref<void(const Stretch &)> body) {
  if (!op.getPages())
    return body({isValue ? values : keys, k.index(0), numKeys});
  Value pool = isValue ? op.getValue() : op.getKey();
  Value first = op.getFirstKey(), end = k.add(first, numKeys);
  Value size = k.index(op.getPageSize());
  Value from = arith::DivUIOp::create(k.b, k.loc, first, size);
  Value to = arith::CeilDivUIOp::create(k.b, k.loc, end, size);
  k.forEach(from, to, 1, [&](Value entry) {
    Value begin = arith::MulIOp::create(k.b, k.loc, entry, size);
    Value key = arith::MaxSIOp::create(k.b, k.loc, begin, first);
    Value next = arith::MinSIOp::create(k.b, k.loc, k.add(begin, size), end);
    Value count = arith::SubIOp::create(k.b, k.loc, next, key);
    Value row = arith::SubIOp::create(k.b, k.loc, key, begin);
    Value rows = stage(getPage(pool, entry, row, count));
    body({rows, arith::SubIOp::create(k.b, k.loc, key, first), count});
  });
}

/// Scores behind the last key, which no block of keys may have reached, -inf.
void RowAttentionKernel::hideBeyondLast(Value row) {
  k.store(k.splat(-INFINITY), scores, {row, numKeys});
}

/// What to ask for while the keys or values from `key` on are worked on, which
/// are the rows of `tile` from `row` on: those `distance` rows further on, in
/// pages where the table says that they lie.
RowAttentionKernel::Ahead RowAttentionKernel::getAhead(Value tile, Value row,
                                                       bool isValue, Value key,
                                                       int64_t distance) {
  if (!op.getPages())
    return {tile, k.add(row, distance)};
  // Other strides only ask for other lines.
  Value pool = asUnitStride(k, isValue ? op.getValue() : op.getKey());
  Value size = k.index(op.getPageSize());
  Value at = k.add(k.add(op.getFirstKey(), key), distance);
  Value entry = arith::DivUIOp::create(k.b, k.loc, at, size);
  Value entries = memref::DimOp::create(k.b, k.loc, op.getPages(), 0);
  entry = arith::MinSIOp::create(k.b, k.loc, entry, k.add(entries, -1));
  return {getPage(pool, entry, k.index(0), size),
          arith::RemUIOp::create(k.b, k.loc, at, size)};
}
