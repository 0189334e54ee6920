//===- own-opt.cpp - An opt tool of another project, with lattn in it -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// own-lower-online-attention makes a step of online softmax a call of this
// project's kernel, online_step.c. What the kernel cannot do is an error.

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/InitAll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using lattn::OnlineAttentionOp;

namespace {

/// What online_step takes besides arrays.
struct Step {
  double scale;
  int64_t left = -1, right = -1; // -1: unbounded
};

struct OwnLowering : PassWrapper<OwnLowering, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OwnLowering)
  StringRef getArgument() const final { return "own-lower-online-attention"; }
  StringRef getDescription() const final {
    return "lattn.online_attention becomes a call of online_step";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, func::FuncDialect,
                    memref::MemRefDialect>();
  }
  void runOnOperation() final;
};

} // namespace

/// Failure, with an error, for what the kernel cannot do.
static FailureOr<Step> readStep(OnlineAttentionOp op) {
  auto refuse = [&](const char *what) {
    return op.emitOpError("own lowering: expected no ") << what;
  };
  if (op.getBias() || op.getKeyMask() || op.getKvLens())
    return refuse("bias, key_mask or kv_lens");
  if (!op.getScore().empty() || !op.getDropout().empty() || op.getQueryRows())
    return refuse("score region, dropout or query_rows");
  Step step;
  if (lattn::WindowAttrInterface any = op.getEffectiveWindow()) {
    auto window = dyn_cast<lattn::WindowAttr>(any);
    if (!window || window.getBucket())
      return refuse("buckets in the window");
    step.left = window.getLeft().value_or(-1);
    step.right = window.getRight().value_or(-1);
  }
  for (Value array : {op.getQuery(), op.getKey(), op.getValue(), op.getAcc()}) {
    auto type = dyn_cast<MemRefType>(array.getType());
    if (!type || type.getRank() != 4 || !type.getElementType().isF32() ||
        !type.isStrided())
      return op.emitOpError("own lowering: expected memrefs of f32 with 4 axes,"
                            " got ")
             << array.getType();
  }
  int64_t width = cast<MemRefType>(op.getQuery().getType()).getDimSize(3);
  if (!op.getScaleAttr() && ShapedType::isDynamic(width))
    return refuse("head size that is not known");
  step.scale = op.getScaleAttr() ? op.getScaleAttr().getValueAsDouble()
                                 : 1 / std::sqrt(double(width));
  return step;
}

/// `array` as the type that the kernel takes: any sizes and strides.
static Value forget(OpBuilder &b, Location loc, Value array) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<int64_t> unknown(type.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, unknown);
  auto open = MemRefType::get(unknown, type.getElementType(), layout);
  return memref::CastOp::create(b, loc, open, array);
}

/// The position of the first query, or of the first key (axis 3).
static Value getFirst(OpBuilder &b, OnlineAttentionOp op, unsigned axis) {
  Location loc = op.getLoc();
  Value first = op.getOrigin().empty()
                    ? Value(arith::ConstantIndexOp::create(b, loc, 0))
                    : Value(op.getOrigin()[axis]);
  Type wide = b.getI64Type();
  first = arith::IndexCastOp::create(b, loc, wide, first);
  if (axis == 2 && op.getOffset())
    first = arith::AddIOp::create(b, loc, first, op.getOffset());
  return first;
}

static void lower(OnlineAttentionOp op, const Step &step) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> arguments;
  for (Value array : {op.getQuery(), op.getKey(), op.getValue(), op.getAcc(),
                      op.getMax(), op.getSum()})
    arguments.push_back(forget(b, loc, array));
  arguments.push_back(
      arith::ConstantOp::create(b, loc, b.getF64FloatAttr(step.scale)));
  for (int64_t side : {step.left, step.right})
    arguments.push_back(arith::ConstantIntOp::create(b, loc, side, 64));
  arguments.push_back(getFirst(b, op, 2));
  arguments.push_back(getFirst(b, op, 3));
  auto module = op->getParentOfType<ModuleOp>();
  auto kernel = module.lookupSymbol<func::FuncOp>("online_step");
  if (!kernel) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    kernel = func::FuncOp::create(
        top, loc, "online_step",
        top.getFunctionType(TypeRange(ValueRange(arguments)), {}));
    kernel.setPrivate();
  }
  func::CallOp::create(b, loc, kernel, arguments);
  op.erase();
}

void OwnLowering::runOnOperation() {
  SmallVector<OnlineAttentionOp> steps;
  getOperation().walk([&](OnlineAttentionOp op) { steps.push_back(op); });
  for (OnlineAttentionOp op : steps) {
    FailureOr<Step> step = readStep(op);
    if (failed(step))
      return signalPassFailure();
    lower(op, *step);
  }
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  lattn::registerAllDialects(registry);
  lattn::registerLattnPasses();
  bufferization::registerBufferizationPasses();
  PassRegistration<OwnLowering>();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "a compiler with lattn in it\n", registry));
}
