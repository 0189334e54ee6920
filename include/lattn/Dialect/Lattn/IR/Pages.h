//===- Pages.h - Where the keys of a paged cache lie ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_PAGES_H
#define LATTN_DIALECT_LATTN_IR_PAGES_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// The op that gathers the pages of keys or values; null if they do not lie in
/// pages.
GatherPagesOp getGatheredPages(mlir::Value rows);

/// A page of the pool, by its number, and a row of it.
struct PageRow {
  mlir::Value page, row;
};

/// The page and the row of key `key` of `batch`.
PageRow buildPageRow(mlir::OpBuilder &b, GatherPagesOp op, mlir::Value batch,
                     mlir::Value key);
/// The same with pages of `pageSize` rows. `pages` at (`sequence`, i) is the
/// sequence's page i, and the first axis of `pool` counts pages.
PageRow buildPageRow(mlir::OpBuilder &b, mlir::Location loc, mlir::Value pool,
                     mlir::Value pages, mlir::ValueRange sequence,
                     int64_t pageSize, mlir::Value key);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_PAGES_H
