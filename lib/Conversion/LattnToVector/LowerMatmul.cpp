//===- LowerMatmul.cpp - Matrix products of linalg as kernels --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FewRowsKernel.h"
#include "Lowering.h"
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

/// if (condition) then() else otherwise(), of which a constant leaves one.
static void branch(KernelBuilder &k, Value condition, function_ref<void()> then,
                   function_ref<void()> otherwise) {
  std::optional<int64_t> known = getConstantIntValue(condition);
  if (!known)
    return k.ifThenElse(condition, then, otherwise);
  *known ? then() : otherwise();
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

namespace {
/// Calls of kernels for one product of each batch.
class MatmulCalls {
public:
  MatmulCalls(KernelBuilder &k, KernelFunctions &functions, linalg::LinalgOp op,
              bool fresh)
      : k(k), functions(functions), op(op), fresh(fresh),
        dims(*linalg::inferContractionDims(op)), m(dims.m[0]), n(dims.n[0]),
        p(dims.k[0]), a(op.getDpsInputOperand(0)), b(op.getDpsInputOperand(1)),
        c(op.getDpsInitOperand(0)) {}
  void build(VectorUnit unit);

private:
  using Build = function_ref<void(KernelBuilder &, ValueRange)>;

  Value getMatrix(OpOperand *operand, unsigned rows, unsigned columns);
  Value isUnitStride(OpOperand *operand, unsigned loop);
  Value both(Value x, Value y) {
    return k.b.createOrFold<arith::AndIOp>(k.loc, x, y);
  }
  void call(StringRef kind, Value x, Value y, Build build);
  void callBlocks(VectorUnit unit);

  KernelBuilder &k;
  KernelFunctions &functions;
  linalg::LinalgOp op;
  bool fresh;
  linalg::ContractionDimensions dims;
  unsigned m, n, p; // loops over rows, columns and products
  OpOperand *a, *b, *c;
  SmallVector<Value> batch;
};
} // namespace

/// The matrix of `operand` at `batch`, its axes in the order of `rows` and
/// `columns`, which are dimensions of the op.
Value MatmulCalls::getMatrix(OpOperand *operand, unsigned rows,
                             unsigned columns) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto positionOf = [&](unsigned dim) {
    return *map.getResultPosition(k.b.getAffineDimExpr(dim));
  };
  // Not a subview of lower rank: axes of size 1 would leave open which go.
  auto whole =
      memref::ExtractStridedMetadataOp::create(k.b, k.loc, operand->get());
  Value offset = whole.getOffset();
  for (auto [dim, at] : llvm::zip_equal(dims.batch, batch)) {
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

/// Whether `operand` has unit stride along `loop`, as IR.
Value MatmulCalls::isUnitStride(OpOperand *operand, unsigned loop) {
  auto type = cast<MemRefType>(operand->get().getType());
  unsigned axis = *op.getMatchingIndexingMap(operand).getResultPosition(
      k.b.getAffineDimExpr(loop));
  auto [strides, offset] = type.getStridesAndOffset();
  auto constant = [&](bool value) {
    return arith::ConstantOp::create(k.b, k.loc, k.b.getBoolAttr(value));
  };
  if (strides[axis] == 1)
    return constant(true);
  if (!ShapedType::isDynamic(strides[axis]))
    return constant(false);
  auto whole =
      memref::ExtractStridedMetadataOp::create(k.b, k.loc, operand->get());
  return arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                               whole.getStrides()[axis], k.index(1));
}

/// The kernel of this kind, which all operands of these types share.
void MatmulCalls::call(StringRef kind, Value x, Value y, Build build) {
  Value z = getMatrix(c, m, n);
  Value isFresh = arith::ConstantOp::create(k.b, k.loc, k.b.getBoolAttr(fresh));
  SmallVector<Value> operands = {x, y, z, isFresh};
  auto elementOf = [](Value value) {
    return getElementTypeOrSelf(value.getType());
  };
  std::string name = llvm::formatv("lattn_{0}_{1}_{2}_{3}", kind, elementOf(x),
                                   elementOf(y), elementOf(z));
  func::FuncOp function = functions.getOrCreate(
      k.loc, name, ValueRange(operands).getTypes(),
      [&](OpBuilder &builder, ValueRange arguments) {
        KernelBuilder inner(builder, k.loc, k.element, k.lanes);
        build(inner, arguments);
      });
  func::CallOp::create(k.b, k.loc, function, operands);
}

void MatmulCalls::callBlocks(VectorUnit unit) {
  call("matmul", getMatrix(a, m, p), getMatrix(b, p, n),
       [&](KernelBuilder &inner, ValueRange arguments) {
         buildMatmulKernel(
             inner, functions, chooseMatmulBlock(unit.bits, unit.registers),
             chooseMatmulTileOfB(unit.l2Bytes), unit.bf16, arguments);
       });
}

void MatmulCalls::build(VectorUnit unit) {
  OpBuilder::InsertionGuard guard(k.b);
  SmallVector<Range> domain = op.createLoopRanges(k.b, k.loc);
  auto extentOf = [&](unsigned dim) {
    return getValueOrCreateConstantIndexOp(k.b, k.loc, domain[dim].size);
  };
  for (unsigned dim : dims.batch) {
    auto loop =
        scf::ForOp::create(k.b, k.loc, k.index(0), extentOf(dim), k.index(1));
    k.b.setInsertionPointToStart(loop.getBody());
    batch.push_back(loop.getInductionVar());
  }
  Value isFew = k.b.createOrFold<arith::CmpIOp>(
      k.loc, arith::CmpIPredicate::ule, extentOf(m), k.index(kFewRows));
  auto callSums = [&] {
    call("few_sums", getMatrix(a, m, p), getMatrix(b, p, n), buildFewSums);
  };
  auto callDots = [&] {
    call("few_dots", getMatrix(a, m, p), getMatrix(b, n, p), buildFewDots);
  };
  Value areRows = both(isUnitStride(a, p), isUnitStride(b, p));
  branch(k, both(isFew, areRows), callDots, [&] {
    branch(k, both(isFew, isUnitStride(b, n)), callSums,
           [&] { callBlocks(unit); });
  });
}

LogicalResult lattn::lowerToVector(linalg::LinalgOp op, Lowering &to) {
  RewriterBase &rewriter = to.rewriter;
  if (failed(matchMatmul(rewriter, op)))
    return failure();
  Type target = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  Type element =
      target.isF64() ? rewriter.getF64Type() : Type(rewriter.getF32Type());
  rewriter.setInsertionPoint(op);
  KernelBuilder k(rewriter, op.getLoc(), element, to.unit.getLanes(element));
  linalg::FillOp fill = getZeroFill(op);
  MatmulCalls(k, to.functions, op, bool(fill)).build(to.unit);
  rewriter.eraseOp(op);
  if (fill)
    rewriter.eraseOp(fill);
  return success();
}
