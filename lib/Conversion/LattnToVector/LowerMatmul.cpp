//===- LowerMatmul.cpp - Matrix products of linalg as kernels --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulKernel.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace lattn;

/// The matrix of `operand` at `batch`, its axes in the order of `rows` and
/// `columns`, which are dimensions of the op.
static Value getMatrix(KernelBuilder &k, linalg::LinalgOp op,
                       OpOperand *operand, ArrayRef<unsigned> batchDims,
                       ValueRange batch, unsigned rows, unsigned columns) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto positionOf = [&](unsigned dim) {
    return *map.getResultPosition(k.b.getAffineDimExpr(dim));
  };
  // Not a subview of lower rank: axes of size 1 would leave open which go.
  auto whole =
      memref::ExtractStridedMetadataOp::create(k.b, k.loc, operand->get());
  Value offset = whole.getOffset();
  for (auto [dim, at] : llvm::zip_equal(batchDims, batch)) {
    Value skipped = arith::MulIOp::create(k.b, k.loc, at,
                                          whole.getStrides()[positionOf(dim)]);
    offset = arith::AddIOp::create(k.b, k.loc, offset, skipped);
  }
  auto pick = [&](ValueRange values) -> SmallVector<OpFoldResult> {
    return {values[positionOf(rows)], values[positionOf(columns)]};
  };
  auto type = cast<MemRefType>(operand->get().getType());
  int64_t any = ShapedType::kDynamic;
  auto matrix =
      MemRefType::get({any, any}, type.getElementType(),
                      StridedLayoutAttr::get(k.b.getContext(), any, {any, any}),
                      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, matrix, whole.getBaseBuffer(), OpFoldResult(offset),
      pick(whole.getSizes()), pick(whole.getStrides()));
}

/// What fills the destination of `op` with zeros right before it, if anything.
static linalg::FillOp getZeroFill(linalg::LinalgOp op) {
  Value target = op.getDpsInits()[0];
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (isMemoryEffectFree(before))
      continue;
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.output() == target &&
        matchPattern(fill.value(), m_PosZeroFloat()))
      return fill;
    return {};
  }
  return {};
}

LogicalResult lattn::lowerMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                                 VectorUnit unit, KernelFunctions &functions) {
  if (!op.hasPureBufferSemantics())
    return rewriter.notifyMatchFailure(op, "is not on buffers");
  if (failed(matchMatmul(rewriter, op)))
    return failure();
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  auto elementOf = [](Value value) {
    return cast<MemRefType>(value.getType()).getElementType();
  };
  OpOperand *a = op.getDpsInputOperand(0), *b = op.getDpsInputOperand(1),
            *c = op.getDpsInitOperand(0);
  Type element = elementOf(c->get()).isF64() ? rewriter.getF64Type()
                                             : Type(rewriter.getF32Type());
  rewriter.setInsertionPoint(op);
  KernelBuilder k(rewriter, op.getLoc(), element, unit.getLanes(element));
  SmallVector<Range> domain = op.createLoopRanges(rewriter, k.loc);
  SmallVector<Value> batch;
  OpBuilder::InsertionGuard guard(rewriter);
  for (unsigned dim : dims.batch) {
    Value extent =
        getValueOrCreateConstantIndexOp(rewriter, k.loc, domain[dim].size);
    auto loop =
        scf::ForOp::create(rewriter, k.loc, k.index(0), extent, k.index(1));
    rewriter.setInsertionPointToStart(loop.getBody());
    batch.push_back(loop.getInductionVar());
  }
  linalg::FillOp fill = getZeroFill(op);
  bool fresh = bool(fill);
  unsigned m = dims.m[0], n = dims.n[0], p = dims.k[0];
  SmallVector<Value> operands = {getMatrix(k, op, a, dims.batch, batch, m, p),
                                 getMatrix(k, op, b, dims.batch, batch, p, n),
                                 getMatrix(k, op, c, dims.batch, batch, m, n)};
  std::string name =
      llvm::formatv("lattn_matmul_{0}_{1}_{2}", elementOf(a->get()),
                    elementOf(b->get()), elementOf(c->get()));
  operands.push_back(
      arith::ConstantOp::create(rewriter, k.loc, rewriter.getBoolAttr(fresh)));
  MatmulBlock block = chooseMatmulBlock(unit.bits, unit.registers);
  func::FuncOp function = functions.getOrCreate(
      k.loc, name, ValueRange(operands).getTypes(),
      [&](OpBuilder &builder, ValueRange arguments) {
        KernelBuilder inner(builder, k.loc, element, k.lanes);
        buildMatmulKernel(inner, functions, block,
                          getMatmulColumns(unit.l2Bytes), arguments);
      });
  func::CallOp::create(rewriter, k.loc, function, operands);
  rewriter.eraseOp(op);
  if (fill)
    rewriter.eraseOp(fill);
  return success();
}
