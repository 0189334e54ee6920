//===- Differentiate.cpp - Derivatives of functions -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Differentiation/Function.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  pm.addPass(createLattnDecomposeLinalgPass());
  pm.addPass(createLattnExpandLocalMHAPass());
  pm.addPass(createLattnExpandMultiheadAttentionPass());
  pm.addPass(createLattnExpandLocalAttentionPass());
  pm.addPass(createLattnRotaryToTablePass());
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
    if (mode != "reverse" && mode != "forward") {
      getOperation().emitError()
          << "lattn-differentiate: expected mode reverse or forward, got '"
          << mode << "'";
      return signalPassFailure();
    }
    FailureOr<SmallVector<func::FuncOp>> chosen = findFunctions();
    if (failed(chosen))
      return signalPassFailure();
    for (func::FuncOp function : *chosen)
      if (failed(addDerivative(function)))
        return signalPassFailure();
  }

private:
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

  LogicalResult addDerivative(func::FuncOp function) {
    DifferentiateOptions options;
    options.forward = mode == "forward";
    options.arguments.assign(arguments.begin(), arguments.end());
    options.keepResults = results;
    std::string name =
        (function.getName() + (options.forward ? "_jvp" : "_grad")).str();
    if (getOperation().lookupSymbol(name))
      return function.emitOpError()
             << "cannot be differentiated: @" << name << " exists";
    auto derivative = cast<func::FuncOp>(function->clone());
    derivative.setName(name);
    getOperation().insert(std::next(function->getIterator()), derivative);
    OpPassManager expansion(func::FuncOp::getOperationName());
    addExpansion(expansion);
    OpPassManager cleanup(func::FuncOp::getOperationName());
    addCleanup(cleanup);
    if (failed(runPipeline(expansion, derivative)) ||
        failed(differentiate(derivative, options)))
      return failure();
    // A product's derivative by one factor does not read that factor.
    RewritePatternSet unused(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
    (void)applyPatternsGreedily(derivative, std::move(unused));
    return runPipeline(cleanup, derivative);
  }
};
} // namespace
