//===- NarrowRows.cpp - Rows for tensor cores ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tensor cores multiply what was rounded to the type of the values. Here the
// op that makes the rows rounds them, which costs no kernel.

#include "Composite/Projection.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/Format.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNNARROWROWSPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// The number of positions whose xpos scales fit `narrow`. The largest is
/// 3.5^(position / base). Values times the scale must fit, too: they may be as
/// large as 16.
static int64_t getMostPositions(FloatType narrow, double base) {
  constexpr double largestScale = 3.5, range = 16, mostPositions = 1e15;
  double largest =
      APFloat::getLargest(narrow.getFloatSemantics()).convertToDouble();
  double bases = std::log(largest / range) / std::log(largestScale);
  return std::min(bases * std::abs(base), mostPositions);
}

/// Checks, or makes the program check, that the scales of xpos don't overflow.
static LogicalResult checkScales(OpBuilder &b, RotaryOp op, FloatType narrow) {
  FloatAttr base = op.getXposScaleBaseAttr();
  if (!base)
    return success();
  Location loc = op.getLoc();
  int64_t most = getMostPositions(narrow, base.getValueAsDouble());
  std::string expected;
  llvm::raw_string_ostream os(expected);
  os << "expected at most " << most << " positions with xpos_scale_base = "
     << llvm::format("%g", base.getValueAsDouble()) << " and " << narrow
     << " on a GPU, where larger scales overflow";
  Value end =
      b.createOrFold<tensor::DimOp>(loc, op.getInput(), op.getRowAxis());
  if (op.getStart())
    end = b.createOrFold<arith::AddIOp>(loc, end, op.getStart());
  std::optional<int64_t> known = getConstantIntValue(end);
  if (known && *known > most)
    return op.emitOpError() << expected << ", got " << *known;
  if (!known)
    cf::AssertOp::create(
        b, loc,
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, end,
                              arith::ConstantIndexOp::create(b, loc, most)),
        "lattn.rotary: " + expected);
  return success();
}

/// `rows` in the type `narrow`: made by a copy of the op that makes them, or
/// rounded after another one.
static FailureOr<Value> narrowRows(OpBuilder &b, Value rows, FloatType narrow) {
  Operation *op = rows.getDefiningOp();
  Location loc = op->getLoc();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(op);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, rows), narrow);
  if (!isa<RotaryOp, L2NormalizeOp>(op))
    return convertTo(b, loc, rows, empty);
  if (auto rotary = dyn_cast<RotaryOp>(op))
    if (failed(checkScales(b, rotary, narrow)))
      return failure();
  auto made = cast<DestinationStyleOpInterface>(b.clone(*op));
  unsigned number = cast<OpResult>(rows).getResultNumber();
  made.setDpsInitOperand(number, empty);
  made->getResult(number).setType(cast<TensorType>(empty.getType()));
  return made->getResult(number);
}

/// Rounds those of `rows` that the program computes and are wider than `value`.
static LogicalResult narrow(OpBuilder &b, OpOperand &rows, Value value) {
  auto type = dyn_cast<RankedTensorType>(rows.get().getType());
  auto narrow = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
  if (!type || !narrow || narrow == getAccumulatorType(narrow) ||
      type.getElementType() != getAccumulatorType(narrow) ||
      !isa_and_nonnull<RotaryOp, L2NormalizeOp, linalg::LinalgOp>(
          rows.get().getDefiningOp()))
    return success();
  FailureOr<Value> made = narrowRows(b, rows.get(), narrow);
  if (succeeded(made))
    rows.set(*made);
  return made;
}

namespace {
struct NarrowRows : lattn::impl::LattnNarrowRowsPassBase<NarrowRows> {
  using Base::Base;
  void runOnOperation() override {
    OpBuilder b(&getContext());
    auto narrowAll = [&](Value value, ArrayRef<OpOperand *> rows) {
      for (OpOperand *operand : rows)
        if (failed(narrow(b, *operand, value)))
          signalPassFailure();
    };
    getOperation()->walk([&](AttentionOp op) {
      narrowAll(op.getValue(), {&op.getQueryMutable(), &op.getKeyMutable()});
    });
    getOperation()->walk([&](AttentionGradOp op) {
      narrowAll(op.getValue(), {&op.getQueryMutable(), &op.getKeyMutable(),
                                &op.getDOutputMutable()});
    });
  }
};
} // namespace
