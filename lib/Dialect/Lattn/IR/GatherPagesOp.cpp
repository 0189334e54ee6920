//===- GatherPagesOp.cpp - lattn.gather_pages -----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimOfResult.h"
#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Pages.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace lattn;

int64_t GatherPagesOp::getPageSize() {
  return cast<RankedTensorType>(getPool().getType()).getDimSize(getRowAxis());
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The shape that pool and pages give the result.
static SmallVector<int64_t> getShape(GatherPagesOp op) {
  auto pages = cast<RankedTensorType>(op.getPages().getType());
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(op.getPool().getType()).getShape());
  shape[0] = pages.getDimSize(0);
  int64_t &keys = shape[op.getRowAxis()];
  if (pages.isDynamicDim(1) ||
      llvm::MulOverflow(op.getPageSize(), pages.getDimSize(1), keys))
    keys = ShapedType::kDynamic;
  return shape;
}

static LogicalResult verifyResult(GatherPagesOp op) {
  constexpr StringLiteral like = "the shape of the gathered keys";
  Type element = getElementTypeOrSelf(op.getPool().getType());
  if (failed(verifyRank(op, op.getResult(), "result", 4, "as pool has")))
    return failure();
  if (failed(verifyElementType(op, op.getResult(), "result", element)))
    return failure();
  return verifyShape(op, op.getResult(), "result", getShape(op), like);
}

LogicalResult GatherPagesOp::verify() {
  // gather_pages_c1
  if (failed(verifyRank(*this, getPool(), "pool", 4,
                        "(page, head, row, element), or in bnhd (page, row, "
                        "head, element)")))
    return failure();
  int64_t size = getPageSize();
  if (ShapedType::isDynamic(size) || size < 1)
    return emitOpError("expected pages of a known size of at least 1 key, got ")
           << (ShapedType::isDynamic(size) ? "?" : "0");
  // gather_pages_c2
  if (failed(verifyRank(*this, getPages(), "pages", 2, "(batch, page)")))
    return failure();
  // gather_pages_c3
  return verifyResult(*this);
}

LogicalResult
GatherPagesOp::reifyResultShapes(OpBuilder &b,
                                 ReifiedRankedShapedTypeDims &shapes) {
  Location loc = getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, getPool());
  SmallVector<OpFoldResult> pages = tensor::getMixedSizes(b, loc, getPages());
  sizes[0] = pages[0];
  sizes[getRowAxis()] = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0) * getPageSize(), {pages[1]});
  shapes.push_back(std::move(sizes));
  return success();
}

void GatherPagesOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<DimOfResult<GatherPagesOp>>(context);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

GatherPagesOp lattn::getGatheredPages(Value rows) {
  while (auto cast = rows.getDefiningOp<tensor::CastOp>())
    rows = cast.getSource();
  return rows.getDefiningOp<GatherPagesOp>();
}

PageRow lattn::buildPageRow(OpBuilder &b, Location loc, Value pool, Value pages,
                            ValueRange sequence, int64_t pageSize, Value key) {
  auto apply = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, expr,
                                              {OpFoldResult(key)}));
  };
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  SmallVector<Value> entry(sequence);
  entry.push_back(apply(s0.floorDiv(pageSize)));
  Value row = apply(s0 % pageSize);
  Value page = readElement(b, loc, pages, entry);
  page = arith::IndexCastOp::create(b, loc, b.getIndexType(), page);
  // Never outside of the pool, whatever the table says.
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value last = b.createOrFold<tensor::DimOp>(loc, pool, 0);
  last = b.createOrFold<arith::SubIOp>(loc, last, one);
  page = arith::MinSIOp::create(b, loc, page, last);
  page = arith::MaxSIOp::create(b, loc, page, zero);
  return {page, row};
}

PageRow lattn::buildPageRow(OpBuilder &b, GatherPagesOp op, Value batch,
                            Value key) {
  return buildPageRow(b, op.getLoc(), op.getPool(), op.getPages(), batch,
                      op.getPageSize(), key);
}

FailureOr<SmallVector<Value>> GatherPagesOp::decomposeOperation(OpBuilder &b) {
  Location loc = getLoc();
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(b, shapes)))
    return failure();
  Type element = getElementTypeOrSelf(getPool().getType());
  Value empty = tensor::EmptyOp::create(b, loc, shapes[0], element);
  AffineMap whole = AffineMap::getMultiDimIdentityMap(4, getContext());
  Value rows = buildGeneric(
      b, loc, {}, empty, {whole}, [&](OpBuilder &nested, ValueRange) -> Value {
        SmallVector<Value> at;
        for (int64_t axis = 0; axis < 4; ++axis)
          at.push_back(linalg::IndexOp::create(nested, loc, axis));
        PageRow from = buildPageRow(nested, *this, at[0], at[getRowAxis()]);
        at[0] = from.page;
        at[getRowAxis()] = from.row;
        return tensor::ExtractOp::create(nested, loc, getPool(), at);
      });
  if (rows.getType() != getType())
    rows = tensor::CastOp::create(b, loc, getType(), rows);
  return SmallVector<Value>{rows};
}
