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
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

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

  /// Upstream's logarithms take denormal numbers for the least normal one:
  /// log(x) = log(2^23 x) - log(2^23).
  static void scaleDenormals(Operation *op) {
    double ofScale = isa<math::LogOp>(op)    ? 23.0 * llvm::numbers::ln2
                     : isa<math::Log2Op>(op) ? 23.0
                     : isa<math::Log10Op>(op)
                         ? 23.0 * llvm::numbers::ln2 / llvm::numbers::ln10
                         : 0.0;
    Type type = op->getResult(0).getType();
    if (ofScale == 0.0 || !getElementTypeOrSelf(type).isF32())
      return;
    ImplicitLocOpBuilder b(op->getLoc(), op);
    auto constant = [&](double number) -> Value {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(cast<ShapedType>(type),
                                    b.getF32FloatAttr(number).getValue()));
    };
    Value x = op->getOperand(0), zero = constant(0.0);
    Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                                          constant(0x1p-126));
    Value scaled = arith::MulFOp::create(b, x, constant(0x1p23));
    op->setOperand(0, arith::SelectOp::create(b, isSmall, scaled, x));
    b.setInsertionPointAfter(op);
    Value less = arith::SelectOp::create(b, isSmall, constant(ofScale), zero);
    Value result = op->getResult(0);
    Value found = arith::SubFOp::create(b, result, less);
    result.replaceAllUsesExcept(found, found.getDefiningOp());
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
    for (Operation *op : ops)
      scaleDenormals(op);
    // Upstream's sine and cosine are for small angles only, its reciprocal root
    // for normal numbers.
    auto isRight = [](StringRef name) {
      return name != math::SinOp::getOperationName() &&
             name != math::CosOp::getOperationName() &&
             name != math::RsqrtOp::getOperationName();
    };
    RewritePatternSet patterns(&getContext());
    populateMathF32ExpansionPatterns(patterns, isRight);
    populateMathPolynomialApproximationPatterns(patterns, isRight);
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
