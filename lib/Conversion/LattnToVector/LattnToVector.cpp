//===- LattnToVector.cpp - lattn's tile ops become vector micro-kernels ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgKernel.h"
#include "Lowering.h"
#include "lattn/Conversion/Passes.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lattn {
#define GEN_PASS_DEF_CONVERTLATTNTOVECTORPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

namespace {
struct ConvertLattnToVector
    : lattn::impl::ConvertLattnToVectorPassBase<ConvertLattnToVector> {
  using Base::Base;
  void runOnOperation() override {
    if (vectorBits < 64 || !llvm::isPowerOf2_64(vectorBits) || registers < 4) {
      emitError(getOperation()->getLoc())
          << "convert-lattn-to-vector: expected vector-bits to be a power of "
             "two of at least 64 and at least 4 registers, got vector-bits="
          << int64_t(vectorBits) << " registers=" << int64_t(registers);
      return signalPassFailure();
    }
    std::optional<BF16Products> products = parseBF16Products(bf16);
    if (!products) {
      emitError(getOperation()->getLoc())
          << "convert-lattn-to-vector: expected bf16 to be widened, dot, "
             "emulated-dot or amx, got "
          << bf16;
      return signalPassFailure();
    }
    if (*products == BF16Products::AMX && vectorBits != 512) {
      emitError(getOperation()->getLoc())
          << "convert-lattn-to-vector: expected vector-bits=512 with bf16=amx, "
             "got vector-bits="
          << int64_t(vectorBits);
      return signalPassFailure();
    }
    VectorUnit unit = {vectorBits, registers, *products, l2Bytes};
    ReportingRewriter rewriter(&getContext());
    // Others stay: linalg has loops for them.
    auto isMatmul = [&](Operation *op) {
      auto product = dyn_cast<linalg::LinalgOp>(op);
      return product && product.hasPureBufferSemantics() &&
             succeeded(matchMatmul(rewriter, product));
    };
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<AttentionGradStepOp, AttentionJvpStepOp, OnlineAttentionOp,
              PackQueryOp, FinalizeOp, RotatePairsOp, L2NormalizeOp,
              StageRowsOp, SweepKeysOp>(op) ||
          isMatmul(op))
        ops.push_back(op);
    });
    KernelFunctions functions(getOperation());
    Lowering to = {rewriter, unit, functions};
    for (Operation *op : ops) {
      if (succeeded(lower(op, to)))
        continue;
      op->emitOpError("cannot become a vector kernel: ")
          << rewriter.getReason();
      return signalPassFailure();
    }
    vectorizeLinalg(rewriter, unit);
    approximateMath();
  }

private:
  static LogicalResult lower(Operation *op, Lowering &to) {
    if (isa<SweepKeysOp>(op))
      return to.rewriter.notifyMatchFailure(
          op, "its runs must be loops (lattn-decompose=ops=sweep_keys)");
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
      return to.rewriter.notifyMatchFailure(op, "is not on buffers");
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case<AttentionGradStepOp, AttentionJvpStepOp, FinalizeOp,
              L2NormalizeOp, OnlineAttentionOp, PackQueryOp, RotatePairsOp,
              StageRowsOp, linalg::LinalgOp>(
            [&](auto op) { return lowerToVector(op, to); });
  }

  /// Other linalg ops, as far as they can be: the rest becomes scalar loops.
  void vectorizeLinalg(RewriterBase &rewriter, VectorUnit unit) {
    for (linalg::LinalgOp op : collectOps<linalg::LinalgOp>(getOperation()))
      (void)lowerLinalg(rewriter, op, unit);
  }

  /// math ops on vectors would become one library call a lane: upstream's
  /// polynomials instead. Scalar math is the user's and stays.
  void approximateMath() {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
          op->getNumResults() == 1 &&
          isa<VectorType>(op->getResult(0).getType()))
        ops.push_back(op);
    });
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      getOperation()->emitRemark("vector math was not fully approximated");
  }
};
} // namespace

FailureOr<int64_t>
Lowering::getMostKeys(Operation *op,
                      const ValueBoundsConstraintSet::Variable &keys) {
  FailureOr<int64_t> most = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, keys, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  if (failed(most))
    return rewriter.notifyMatchFailure(op, "has no bound on its keys");
  return most;
}
