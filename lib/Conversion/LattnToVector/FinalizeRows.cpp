//===- FinalizeRows.cpp - Micro-kernel of finalize of rows ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The state of few queries, (query, value): nothing is transposed.

#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

/// max + log(sum), -inf where no key was seen; or max and sum.
static void writeRowValues(KernelBuilder &k, FinalizeOp op, Value row,
                           Value sum) {
  Value max = k.splat(k.loadScalar(op.getMax(), row));
  auto store = [&](Value all, Value to) {
    Value scalar = vector::ExtractOp::create(k.b, k.loc, all, 0);
    memref::StoreOp::create(k.b, k.loc, scalar, to, row);
  };
  if (op.storesState()) {
    store(max, op.getRows()[0]);
    store(sum, op.getRows()[1]);
  } else if (op.getLse()) {
    Value isEmpty = k.isEqual(sum, k.splat(0.0));
    Value lse = k.plus(max, math::LogOp::create(k.b, k.loc, sum));
    store(k.select(isEmpty, k.splat(-INFINITY), lse), op.getLse());
  }
}

static void writeRow(KernelBuilder &k, FinalizeOp op, Value row, Value factor) {
  int64_t width = cast<MemRefType>(op.getAcc().getType()).getDimSize(1);
  Type element = getElementTypeOrSelf(op.getOutput().getType());
  auto writeVectors = [&] {
    Value output = asUnitStride(k, op.getOutput());
    for (int64_t d = 0; d < width; d += k.lanes) {
      int64_t count = std::min(k.lanes, width - d);
      SmallVector<Value> at = {row, k.index(d)};
      Value acc = loadFront(k, op.getAcc(), at, count);
      storeFront(k, k.mul(acc, factor), output, at, count);
    }
  };
  auto writeScalars = [&] {
    Value scalar = vector::ExtractOp::create(k.b, k.loc, factor, 0);
    k.forEach(k.index(0), k.index(width), 1, [&](Value d) {
      Value x = k.mul(k.loadScalar(op.getAcc(), {row, d}), scalar);
      memref::StoreOp::create(k.b, k.loc, convertFloat(k, x, element),
                              op.getOutput(), ValueRange{row, d});
    });
  };
  k.ifThenElse(hasUnitStride(k, op.getOutput()), writeVectors, writeScalars);
}

LogicalResult lattn::lowerFinalizeRows(FinalizeOp op, Lowering &to) {
  Type element = getElementTypeOrSelf(op.getAcc().getType());
  to.outline<FinalizeOp>(
      op, "lattn_finalize_rows", 0, element,
      [&](KernelBuilder &k, FinalizeOp copy) {
        Value rows = memref::DimOp::create(k.b, k.loc, copy.getOutput(), 0);
        k.forEach(k.index(0), rows, 1, [&](Value row) {
          Value sum = k.loadScalar(copy.getSum(), row), zero = k.scalar(0.0);
          // One division, not one on each lane.
          Value inverse = arith::DivFOp::create(k.b, k.loc, k.scalar(1.0), sum);
          inverse = k.select(k.isEqual(sum, zero), zero, inverse);
          writeRow(k, copy, row,
                   k.splat(copy.storesState() ? k.scalar(1.0) : inverse));
          writeRowValues(k, copy, row, k.splat(sum));
        });
      });
  return success();
}
