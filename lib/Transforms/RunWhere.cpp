//===- RunWhere.cpp - Passes where there is work for them -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream has no pass that runs others on a condition. Without it, a fifth of
// the time of MLIR's passes would go into conversions that find nothing.

#include "lattn/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNRUNWHEREPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

namespace {
struct RunWhere : lattn::impl::LattnRunWherePassBase<RunWhere> {
  using Base::Base;
  RunWhere(ArrayRef<StringRef> names, OpPassManager &&passes)
      : pipeline(std::move(passes)) {
    for (StringRef name : names)
      ops.push_back(name.str());
    std::string printed;
    llvm::raw_string_ostream os(printed);
    pipeline->printAsTextualPipeline(os);
    text = printed;
  }
  RunWhere(const RunWhere &other) : Base(other), pipeline(other.pipeline) {}

  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override;
  void getDependentDialects(DialectRegistry &registry) const override {
    if (pipeline)
      pipeline->getDependentDialects(registry);
  }
  void runOnOperation() override;

private:
  std::optional<OpPassManager> pipeline;
};
} // namespace

LogicalResult RunWhere::initializeOptions(
    StringRef options,
    function_ref<LogicalResult(const Twine &)> errorHandler) {
  if (failed(Pass::initializeOptions(options, errorHandler)))
    return failure();
  if (ops.empty())
    return errorHandler("lattn-run-where: ops: expected names of ops or of "
                        "dialects");
  if (!StringRef(text).contains('('))
    return errorHandler("lattn-run-where: pipeline: expected passes in an "
                        "anchor, as func.func(canonicalize)");
  std::string message;
  llvm::raw_string_ostream os(message);
  FailureOr<OpPassManager> parsed = parsePassPipeline(text, os);
  if (failed(parsed))
    return errorHandler("lattn-run-where: pipeline: " + message);
  pipeline = std::move(*parsed);
  return success();
}

void RunWhere::runOnOperation() {
  if (!pipeline)
    return;
  std::optional<OperationName> anchor = pipeline->getOpName(getContext());
  SmallPtrSet<const void *, 4> named;
  for (StringRef name : ops) {
    if (name.contains('.'))
      named.insert(OperationName(name, &getContext()).getAsOpaquePointer());
    else if (Dialect *dialect = getContext().getLoadedDialect(name))
      named.insert(dialect);
  }
  auto visit = [&](Operation *op) {
    OperationName name = op->getName();
    return named.contains(name.getAsOpaquePointer()) ||
                   named.contains(name.getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  SmallVector<Operation *> found;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (anchor && op->getName() != *anchor)
      return WalkResult::advance();
    if (op->walk(visit).wasInterrupted())
      found.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : found)
    if (failed(runPipeline(*pipeline, op)))
      return signalPassFailure();
}

std::unique_ptr<Pass>
lattn::createRunWhere(ArrayRef<StringRef> ops, StringRef anchor,
                      function_ref<void(OpPassManager &)> addPasses) {
  OpPassManager passes(anchor);
  addPasses(passes);
  return std::make_unique<RunWhere>(ops, std::move(passes));
}
