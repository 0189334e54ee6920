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
#include "Extents.h"
#include "Remarks.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

namespace {
/// A product of softmax's weights and values, to be raised.
struct Candidate {
  Candidate(Exprs &exprs, linalg::LinalgOp op) : evaluator(exprs), op(op) {}

  /// Failure without a reason where there are no weights.
  LogicalResult read(std::string &reason);
  LogicalResult joinFrame(RewriterBase &rewriter, const Frame &frame, Expr load,
                          BucketRefusal &refusal);
  LogicalResult raise(RewriterBase &rewriter, std::string &reason,
                      BucketRefusal &refusal);
  /// Whether some loop may be buckets of which there are open many.
  bool mayHaveOpenBuckets();

  Evaluator evaluator;
  linalg::LinalgOp op;
  std::optional<ValueProduct> values;
  std::optional<Softmax> softmax;
  SmallVector<Expr> products; // in the scores
};
} // namespace

LogicalResult Candidate::read(std::string &reason) {
  values = getValueProduct(evaluator, op, reason);
  if (!values)
    return failure();
  softmax = matchSoftmax(evaluator, values->weights, values->key, reason);
  if (!softmax)
    return failure();
  if (evaluator.exprs.isExhausted()) {
    reason = "the scores are too large an expression";
    return failure();
  }
  products = findScoreProducts(softmax->scores, values->key);
  if (!products.empty())
    return success();
  reason = "the scores have no product of queries and keys";
  return failure();
}

bool Candidate::mayHaveOpenBuckets() {
  auto isOpen = [](Expr var) { return !var->operands[0]->is(Kind::Const); };
  return !isOpen(values->key) && !llvm::all_of(values->rows, isOpen) &&
         llvm::any_of(values->batchAtoms, isOpen);
}

LogicalResult Candidate::joinFrame(RewriterBase &rewriter, const Frame &frame,
                                   Expr load, BucketRefusal &refusal) {
  std::optional<JoinedBuckets> joined =
      joinBuckets(evaluator, *values, *softmax, load, frame, refusal);
  if (!joined)
    return failure();
  std::string reason;
  if (succeeded(buildAttention(
          rewriter, evaluator,
          {joined->values, *softmax, joined->frame, joined->scores, &*joined},
          reason)))
    return success();
  if (refusal.reason.empty())
    refusal = {reason, op->getLoc()};
  return failure();
}

LogicalResult Candidate::raise(RewriterBase &rewriter, std::string &reason,
                               BucketRefusal &refusal) {
  reason = "no product in the scores is one of queries and keys whose axes are "
           "those of an attention";
  for (const Frame &frame : getFrames(*values))
    for (Expr load : products) {
      std::optional<ScoreProduct> scores =
          matchScoreProduct(evaluator, load, load->operands, frame);
      if (scores && succeeded(joinFrame(rewriter, frame, load, refusal))) {
        refusal = {};
        return success();
      }
      if (scores && succeeded(buildAttention(
                        rewriter, evaluator,
                        {*values, *softmax, frame, *scores}, reason)))
        return success();
    }
  return failure();
}

LogicalResult lattn::raiseAttention(RewriterBase &rewriter,
                                    linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return failure();
  Exprs exprs;
  Candidate found(exprs, op);
  std::string reason;
  if (failed(found.read(reason)))
    return reason.empty() ? failure() : refuse(rewriter, op, reason);
  RemarkedOp about(op);
  BucketRefusal refusal;
  bool isRaised = false;
  if (found.mayHaveOpenBuckets()) {
    Candidate open(exprs, op);
    open.evaluator.knownExtents = collectExtents(exprs, op);
    open.evaluator.keepsSums = open.evaluator.splitsOpenAxes = true;
    isRaised = succeeded(open.read(reason)) &&
               succeeded(open.raise(rewriter, reason, refusal));
  }
  if (!isRaised && failed(found.raise(rewriter, reason, refusal)))
    return refuse(rewriter, op,
                  refusal.at ? "its buckets stay apart: " + refusal.reason
                             : reason);
  if (refusal.at)
    about.reportApart(refusal.reason, *refusal.at);
  return success();
}

namespace {
class LattnRaisePass : public lattn::impl::LattnRaisePassBase<LattnRaisePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> products;
    SmallVector<Operation *> attentions;
    getOperation()->walk([&](Operation *op) {
      auto product = dyn_cast<linalg::LinalgOp>(op);
      if (product && product.getNumReductionLoops() &&
          linalg::isaContractionOpInterface(product))
        products.push_back(product);
      else if (isa<AttentionOp, AttentionGradOp, AttentionJvpOp>(op))
        attentions.push_back(op);
    });
    ReportingRewriter rewriter(&getContext());
    for (Operation *attention : attentions)
      (void)raiseScoreMask(rewriter, attention);
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
                                  "prove, so the program does not change");
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
