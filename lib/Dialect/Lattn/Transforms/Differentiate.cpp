//===- Differentiate.cpp - Derivatives of functions -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Differentiation/Destinations.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNDIFFERENTIATEPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Leaves ops that have derivatives.
static void addExpansion(OpPassManager &pm) {
  LattnExpandLocalAttentionPassOptions local;
  local.whole = true;
  addCompositePasses(pm, local);
  LattnDecomposePassOptions decompose;
  decompose.ops = {"attention_scores", "l2_normalize", "rotate_pairs"};
  pm.addPass(createLattnDecomposePass(decompose));
  // arith and math on whole tensors
  pm.addPass(createConvertElementwiseToLinalgPass());
}

/// What the derivatives of one op compute again for another.
static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

namespace {
struct Differentiate : lattn::impl::LattnDifferentiatePassBase<Differentiate> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager pm(func::FuncOp::getOperationName());
    addExpansion(pm);
    addCleanup(pm);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(checkOptions()))
      return signalPassFailure();
    FailureOr<SmallVector<func::FuncOp>> chosen = findFunctions();
    if (failed(chosen))
      return signalPassFailure();
    for (func::FuncOp function : *chosen)
      if (failed(addDerivative(function)))
        return signalPassFailure();
  }

private:
  LogicalResult checkOptions() {
    auto error = [&] {
      return getOperation().emitError("lattn-differentiate: ");
    };
    if (mode != "reverse" && mode != "forward")
      return error() << "expected mode reverse or forward, got '" << mode
                     << "'";
    if (mode == "forward" && !keep.empty())
      return error() << "keep needs mode reverse";
    for (const std::string &name : keep)
      if (!RegisteredOperationName::lookup(name, &getContext()))
        return error() << "keep: expected names of operations, got '" << name
                       << "'";
    return success();
  }

  FailureOr<SmallVector<func::FuncOp>> findFunctions() {
    SmallVector<func::FuncOp> found;
    if (functions.empty())
      for (auto function : getOperation().getOps<func::FuncOp>())
        if (!function.isExternal())
          found.push_back(function);
    for (const std::string &name : functions) {
      found.push_back(getOperation().lookupSymbol<func::FuncOp>(name));
      if (!found.back()) {
        getOperation().emitError()
            << "lattn-differentiate: there is no function @" << name;
        return failure();
      }
    }
    return found;
  }

  /// A copy of `function` behind it, of a name that nobody has yet.
  FailureOr<func::FuncOp> copy(func::FuncOp function, StringRef suffix) {
    std::string name = (function.getName() + suffix).str();
    if (failed(checkFree(function, name)))
      return failure();
    auto derivative = cast<func::FuncOp>(function->clone());
    derivative.setName(name);
    getOperation().insert(std::next(function->getIterator()), derivative);
    return derivative;
  }

  LogicalResult checkFree(func::FuncOp function, StringRef name) {
    if (!getOperation().lookupSymbol(name))
      return success();
    return function.emitOpError()
           << "cannot be differentiated: @" << name << " exists";
  }

  FailureOr<DifferentiateOptions> makeOptions(func::FuncOp function,
                                              const Destinations &arrays) {
    DifferentiateOptions options;
    options.forward = mode == "forward";
    options.arguments.assign(arguments.begin(), arguments.end());
    options.keepResults = results;
    options.kept.assign(keep.begin(), keep.end());
    if (arrays.empty())
      return options;
    if (!options.forward && results)
      return function.emitOpError("writes to memrefs: expected mode forward or "
                                  "no results");
    for (unsigned i : options.arguments)
      if (arrays.isWritten(i))
        return function.emitOpError("cannot be differentiated by argument ")
               << i << ", because it writes to it";
    if (options.arguments.empty())
      for (BlockArgument argument : function.getArguments())
        if (isa<TensorType>(argument.getType()) &&
            isDifferentiable(argument.getType()) &&
            !arrays.isWritten(argument.getArgNumber()))
          options.arguments.push_back(argument.getArgNumber());
    return options;
  }

  LogicalResult addDerivative(func::FuncOp function) {
    FailureOr<func::FuncOp> made =
        copy(function, mode == "forward" ? "_jvp" : "_grad");
    if (failed(made))
      return failure();
    std::string forwardName = (function.getName() + "_fwd").str();
    FailureOr<Destinations> arrays = Destinations::remove(*made);
    if (failed(arrays) ||
        (!keep.empty() && failed(checkFree(function, forwardName))))
      return failure();
    FailureOr<DifferentiateOptions> options = makeOptions(*made, *arrays);
    OpPassManager expansion(func::FuncOp::getOperationName());
    addExpansion(expansion);
    if (failed(options) || failed(runPipeline(expansion, *made)) ||
        failed(expandAll<AttentionJvpOp>(*made, expandAttentionJvp)))
      return failure();
    IRRewriter rewriter(&getContext());
    made->walk([&](AttentionOp op) {
      if (op.hasPureTensorSemantics())
        addLogSumExp(rewriter, op);
    });
    FailureOr<Derivative> derivative = differentiate(*made, *options);
    if (failed(derivative))
      return failure();
    for (AttentionJvpOp op : collectOps<AttentionJvpOp>(*made))
      mergeAttentionJvp(rewriter, op);
    if (!arrays->empty() && options->forward)
      arrays->restoreTangent(*made, *derivative, results);
    else if (!arrays->empty())
      arrays->restoreGradient(*made, *derivative);
    if (func::FuncOp forward = derivative->forward) {
      forward.setName(forwardName);
      getOperation().insert(std::next(function->getIterator()), forward);
      if (!arrays->empty())
        arrays->restoreForward(*derivative);
      if (failed(cleanUp(forward)))
        return failure();
    }
    return cleanUp(*made);
  }

  /// Removes what the derivatives of one op compute again for another.
  LogicalResult cleanUp(func::FuncOp function) {
    // A product's derivative by one factor does not read that factor.
    RewritePatternSet unused(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
    (void)applyPatternsGreedily(function, std::move(unused));
    OpPassManager cleanup(func::FuncOp::getOperationName());
    addCleanup(cleanup);
    return runPipeline(cleanup, function);
  }
};
} // namespace
