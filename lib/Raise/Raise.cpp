//===- Raise.cpp - Attention in programs of linalg ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream has no such pass: its linalg has no attention.

#include "lattn/Raise/Raise.h"
#include "Build.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNRAISEPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;

/// Which loops may be the batch, the heads and the queries, the likeliest
/// first.
static SmallVector<Frame> getFrames(const ValueProduct &found) {
  SmallVector<Frame> frames;
  ArrayRef<Expr> atoms = found.batchAtoms;
  for (unsigned i = found.rows.size(); i-- > 0;) {
    SmallVector<Expr> shared; // rows that are heads with the same keys
    for (auto [j, row] : llvm::enumerate(found.rows))
      if (j != i && !row->operands[0]->isNumber(1))
        shared.push_back(row);
    auto add = [&](unsigned batch) {
      Frame frame;
      frame.query = found.rows[i];
      frame.key = found.key;
      frame.batch.assign(atoms.begin(), atoms.begin() + batch);
      frame.heads.assign(atoms.begin() + batch, atoms.end());
      llvm::append_range(frame.heads, shared);
      frames.push_back(frame);
    };
    if (atoms.size() >= 2)
      add(atoms.size() - 1);
    if (atoms.size() <= 1)
      add(0); // heads may share keys
    if (atoms.size() == 1)
      add(1);
  }
  return frames;
}

static LogicalResult refuse(RewriterBase &rewriter, Operation *op,
                            const Twine &reason) {
  std::string text = reason.str();
  return rewriter.notifyMatchFailure(
      op, [&](Diagnostic &diagnostic) { diagnostic << text; });
}

static LogicalResult tryFrame(RewriterBase &rewriter, Evaluator &evaluator,
                              const ValueProduct &values,
                              const Softmax &softmax, Expr load,
                              const Frame &frame, std::string &reason) {
  std::optional<ScoreProduct> scores =
      matchScoreProduct(evaluator, load, load->operands, frame);
  if (!scores)
    return failure();
  if (std::optional<JoinedBuckets> joined =
          joinBuckets(evaluator, values, softmax, load, frame))
    if (succeeded(buildAttention(
            rewriter, evaluator,
            {joined->values, softmax, joined->frame, joined->scores, &*joined},
            reason)))
      return success();
  return buildAttention(rewriter, evaluator, {values, softmax, frame, *scores},
                        reason);
}

LogicalResult lattn::raiseAttention(RewriterBase &rewriter,
                                    linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return failure();
  Exprs exprs;
  Evaluator evaluator(exprs);
  std::string reason;
  std::optional<ValueProduct> values = getValueProduct(evaluator, op, reason);
  if (!values)
    return reason.empty() ? failure() : refuse(rewriter, op, reason);
  std::optional<Softmax> softmax =
      matchSoftmax(evaluator, values->weights, values->key, reason);
  if (!softmax)
    return refuse(rewriter, op, reason);
  if (exprs.isExhausted())
    return refuse(rewriter, op, "the scores are too large an expression");
  SmallVector<Expr> products = findScoreProducts(softmax->scores, values->key);
  if (products.empty())
    return refuse(rewriter, op,
                  "the scores have no product of queries and keys");
  reason = "no product in the scores is one of queries and keys whose axes are "
           "those of an attention";
  for (const Frame &frame : getFrames(*values))
    for (Expr load : products)
      if (succeeded(tryFrame(rewriter, evaluator, *values, *softmax, load,
                             frame, reason)))
        return success();
  return refuse(rewriter, op, reason);
}

namespace {
/// Where a product is that may be erased by the time remarks are made, for
/// MLIR's remark engine with its filters and files.
class RemarkedOp {
public:
  explicit RemarkedOp(Operation *op) : loc(op->getLoc()) {
    if (auto parent = op->getParentOfType<FunctionOpInterface>())
      function = parent.getName();
  }

  void reportRaised() {
    remark::passed(loc, getOptions())
        << remark::add("raised to lattn.attention");
  }

  /// A diagnostic where the engine does not want it.
  void reportRefused(StringRef reason) {
    if (auto remark = remark::failed(loc, getOptions()))
      remark << remark::add("not raised to lattn.attention")
             << remark::reason("{0}", reason);
    else
      emitRemark(loc) << "not raised to lattn.attention: " << reason;
  }

private:
  remark::RemarkOpts getOptions() {
    return remark::RemarkOpts::name("attention")
        .category("lattn-raise")
        .function(function);
  }
  Location loc;
  StringRef function;
};
} // namespace

namespace {
class LattnRaisePass : public lattn::impl::LattnRaisePassBase<LattnRaisePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> products;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() && linalg::isaContractionOpInterface(op))
        products.push_back(op);
    });
    ReportingRewriter rewriter(&getContext());
    bool changed = false;
    for (linalg::LinalgOp product : products) {
      rewriter.clearReason();
      rewriter.setInsertionPoint(product);
      RemarkedOp about(product);
      if (succeeded(raiseAttention(rewriter, product))) {
        changed = true;
        about.reportRaised();
      } else if (StringRef reason = rewriter.getReason(); !reason.empty()) {
        about.reportRefused(reason);
      }
    }
    if (changed)
      cleanUp();
    else if (warnIfNone && !hasAttention())
      getOperation()->emitWarning("lattn-raise found no attention that it can "
                                  "prove: the program stays as it is");
  }

  /// As the program was written.
  bool hasAttention() {
    auto visit = [](Operation *op) {
      return isa_and_nonnull<LattnDialect>(op->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    };
    return getOperation()->walk(visit).wasInterrupted();
  }

  /// Reshapes that undo each other, and what nothing needs any more.
  void cleanUp() {
    RewritePatternSet patterns(&getContext());
    for (RegisteredOperationName name : getContext().getRegisteredOperations())
      if (isa<tensor::TensorDialect>(&name.getDialect()) ||
          name.getStringRef() == linalg::TransposeOp::getOperationName())
        name.getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
