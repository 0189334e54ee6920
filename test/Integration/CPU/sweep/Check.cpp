//===- Check.cpp - One case, compiled and run both ways ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Call.h"
#include "Compare.h"
#include "Module.h"
#include "lattn/Runtime/Parallel.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace lattn;
using namespace lattn::sweep;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;

std::string sweep::getModule(const Case &c) {
  const Run &first = c.runs.front();
  return makeModule(c, makeArguments(c, first, makeProblem(c, first)));
}

/// Naive loops take a while.
static bool isSmall(const Case &c, const Shape &s) {
  return double(s.batch) * s.heads * s.queries * s.keys *
             (c.headDim + c.valueDim) <
         3e6;
}

namespace {
class Checker {
public:
  Checker(const Case &c, const mlir::DialectRegistry &registry)
      : c(c), context(registry, mlir::MLIRContext::Threading::DISABLED) {}

  Outcome check() {
    if (compile())
      for (const Run &run : c.runs) {
        checkRun(run);
        if (!outcome.failure.empty())
          break;
      }
    lattn_set_num_threads(0);
    return std::move(outcome);
  }

private:
  bool compile();
  void checkRun(const Run &run);
  /// One call, compared with the oracle.
  std::optional<Results> checkCall(const char *pipeline, Compiled &compiled,
                                   const Run &run,
                                   std::vector<Argument> &arguments,
                                   const reference::AttentionResult &expected);
  bool fail(const llvm::Twine &message) {
    outcome.failure += ("  " + message + "\n").str();
    return false;
  }

  const Case &c;
  mlir::MLIRContext context;
  std::optional<Compiled> fast, loops;
  Outcome outcome;
};
} // namespace

bool Checker::compile() {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Error error = collectErrors(context, [&] {
    module = mlir::parseSourceString<mlir::ModuleOp>(getModule(c), &context);
    return bool(module);
  });
  if (error)
    return fail("not parsed: " + llvm::toString(std::move(error)));
  auto compileWith = [&](const char *pipeline, const CompileOptions &options,
                         std::optional<Compiled> &compiled) {
    llvm::PrettyStackTraceString trace(pipeline);
    Expected<Compiled> result = Compiled::create(*module, c, options);
    if (!result)
      return fail(llvm::Twine(pipeline) +
                  ": not compiled: " + llvm::toString(result.takeError()));
    compiled = std::move(*result);
    return true;
  };
  CompileOptions dull;
  dull.pipeline = Pipeline::Loops;
  return compileWith("lattn-to-llvm", c.options, fast) &&
         compileWith("lattn-to-loops", dull, loops);
}

std::optional<Results>
Checker::checkCall(const char *pipeline, Compiled &compiled, const Run &run,
                   std::vector<Argument> &arguments,
                   const reference::AttentionResult &expected) {
  std::string place = std::string(pipeline) + ", " + describe(run);
  llvm::PrettyStackTraceString trace(place.c_str());
  Expected<Results> results = compiled.call(c, arguments);
  if (!results) {
    fail(place + ": " + llvm::toString(results.takeError()));
    return std::nullopt;
  }
  std::string mismatches = compare(c, run.shape, *results, expected);
  if (!mismatches.empty()) {
    fail(place + ":");
    outcome.failure += mismatches;
  }
  return std::move(*results);
}

void Checker::checkRun(const Run &run) {
  Problem problem = makeProblem(c, run);
  reference::AttentionResult expected = getExpected(c, problem);
  std::vector<Argument> arguments = makeArguments(c, run, problem);
  ++outcome.runs;
  std::optional<Results> first;
  for (int64_t threads : {1, 2, 3, 1}) {
    lattn_set_num_threads(threads);
    auto results = checkCall("lattn-to-llvm", *fast, run, arguments, expected);
    if (!outcome.failure.empty())
      break;
    if (first && !areIdentical(*first, *results))
      fail("lattn-to-llvm, " + describe(run) +
           formatv(": other bits on {0} threads than at first on 1", threads)
               .str());
    if (!first)
      first = std::move(results);
  }
  if (!isSmall(c, run.shape))
    return;
  ++outcome.loopRuns;
  checkCall("lattn-to-loops", *loops, run, arguments, expected);
}

Outcome sweep::check(const Case &c, const mlir::DialectRegistry &registry) {
  return Checker(c, registry).check();
}
