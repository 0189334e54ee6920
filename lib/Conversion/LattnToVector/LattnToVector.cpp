//===- LattnToVector.cpp - lattn's tile ops become vector micro-kernels ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionGradKernel.h"
#include "AttentionJvpKernel.h"
#include "LinalgKernel.h"
#include "MatmulKernel.h"
#include "OnlineAttentionKernel.h"
#include "QueryKernels.h"
#include "RowKernels.h"
#include "StageRows.h"
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
/// Keeps why the last lowering did not apply.
struct ReasonListener : RewriterBase::Listener {
  void notifyMatchFailure(Location loc,
                          function_ref<void(Diagnostic &)> callback) override {
    Diagnostic diagnostic(loc, DiagnosticSeverity::Remark);
    callback(diagnostic);
    reason = diagnostic.str();
  }
  std::string reason;
};

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
    ReasonListener listener;
    IRRewriter rewriter(&getContext(), &listener);
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
    for (Operation *op : ops) {
      if (succeeded(lower(rewriter, op, unit, functions)))
        continue;
      op->emitOpError("cannot become a vector kernel: ") << listener.reason;
      return signalPassFailure();
    }
    vectorizeLinalg(rewriter, unit);
    approximateMath();
  }

private:
  static LogicalResult lower(RewriterBase &rewriter, Operation *op,
                             VectorUnit unit, KernelFunctions &functions) {
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](OnlineAttentionOp op) {
          return lowerOnlineAttention(rewriter, op, unit, functions);
        })
        .Case([&](AttentionGradStepOp op) {
          return lowerAttentionGradStep(rewriter, op, unit, functions);
        })
        .Case([&](AttentionJvpStepOp op) {
          return lowerAttentionJvpStep(rewriter, op, unit, functions);
        })
        .Case([&](SweepKeysOp op) {
          return rewriter.notifyMatchFailure(
              op, "its runs must be loops (lattn-decompose=ops=sweep_keys)");
        })
        .Case([&](PackQueryOp op) {
          return lowerPackQuery(rewriter, op, unit, functions);
        })
        .Case([&](RotatePairsOp op) {
          return lowerRotatePairs(rewriter, op, unit, functions);
        })
        .Case([&](L2NormalizeOp op) {
          return lowerL2Normalize(rewriter, op, unit, functions);
        })
        .Case([&](StageRowsOp op) {
          return lowerStageRows(rewriter, op, unit, functions);
        })
        .Case([&](linalg::LinalgOp op) {
          return lowerMatmul(rewriter, op, unit, functions);
        })
        .Case([&](FinalizeOp op) {
          return lowerFinalize(rewriter, op, unit, functions);
        });
  }

  /// Other linalg ops, as far as they can be: the rest becomes scalar loops.
  void vectorizeLinalg(RewriterBase &rewriter, VectorUnit unit) {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
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
