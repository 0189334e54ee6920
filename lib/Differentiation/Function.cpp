//===- Function.cpp - Gradient and tangent functions ----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keep.h"

using namespace mlir;
using namespace lattn;

/// The arguments by which derivatives are taken.
static FailureOr<SmallVector<unsigned>>
chooseArguments(func::FuncOp function, const DifferentiateOptions &options) {
  SmallVector<unsigned> chosen(options.arguments);
  for (auto [n, i] : llvm::enumerate(chosen)) {
    if (llvm::is_contained(ArrayRef(chosen).take_front(n), i))
      return function.emitOpError()
             << "expected each argument once, got argument " << i << " again";
    if (i >= function.getNumArguments())
      return function.emitOpError() << "has " << function.getNumArguments()
                                    << " arguments; there is no argument " << i
                                    << " to differentiate by";
    if (!isDifferentiable(function.getArgument(i).getType()) ||
        isa<BaseMemRefType>(function.getArgument(i).getType()))
      return function.emitOpError() << "expected an argument " << i
                                    << " of floats to differentiate by, got "
                                    << function.getArgument(i).getType();
  }
  if (!chosen.empty())
    return chosen;
  for (BlockArgument argument : function.getArguments())
    if (isDifferentiable(argument.getType()) &&
        !isa<BaseMemRefType>(argument.getType()))
      chosen.push_back(argument.getArgNumber());
  if (chosen.empty())
    return function.emitOpError(
        "has no argument of floats to differentiate by");
  return chosen;
}

namespace {
/// Makes `function` one that computes derivatives, too.
class Differentiator {
public:
  Differentiator(func::FuncOp function, const DifferentiateOptions &options)
      : function(function), options(options),
        numArguments(function.getNumArguments()),
        end(function.getBody().front().getTerminator()), b(end) {}

  FailureOr<Derivative> run() {
    FailureOr<SmallVector<unsigned>> found = chooseArguments(function, options);
    if (failed(found))
      return failure();
    chosen = *found;
    for (Operation &op : function.getBody().front().without_terminator())
      ops.push_back(&op);
    results = llvm::to_vector(end->getOperands());
    if (failed(options.forward ? runForward() : runReverse()))
      return failure();
    // A rule may have replaced an operation by one with more results.
    results = llvm::to_vector(end->getOperands());
    if (options.keepResults)
      made.insert(made.begin(), results.begin(), results.end());
    Derivative derivative = {chosen, nullptr, {}};
    if (!options.kept.empty())
      keepValues({function, numArguments, results, made,
                  ops.empty() ? nullptr : ops.back()},
                 options.kept, derivative);
    else
      setResults(function, made);
    return derivative;
  }

private:
  /// A further argument for the derivative that belongs to `value`.
  Value addArgument(Value value) {
    return function.getBody().addArgument(value.getType(), value.getLoc());
  }
  Activity getActivity() {
    DenseSet<Value> active;
    for (unsigned i : chosen)
      active.insert(function.getArgument(i));
    return Activity(ops, results,
                    [&](Value value) { return active.contains(value); });
  }

  LogicalResult runReverse() {
    Reverse reverse(getActivity());
    for (Value result : results)
      if (isDifferentiable(result.getType()))
        reverse.add(b, result, addArgument(result));
    if (failed(reverse.run(b, ops)))
      return failure();
    for (unsigned i : chosen) {
      Value argument = function.getArgument(i);
      Value cotangent = reverse.getCotangent(b, argument);
      made.push_back(cotangent ? cotangent
                               : buildZeros(b, argument.getLoc(), argument));
    }
    return success();
  }

  LogicalResult runForward() {
    Forward forward(getActivity());
    for (unsigned i : chosen) {
      Value argument = function.getArgument(i);
      forward.setTangent(argument, addArgument(argument));
    }
    if (failed(forward.run(b, ops)))
      return failure();
    for (Value result : results)
      if (isDifferentiable(result.getType())) {
        Value tangent = forward.getTangent(result);
        made.push_back(tangent ? tangent
                               : buildZeros(b, result.getLoc(), result));
      }
    return success();
  }

  func::FuncOp function;
  const DifferentiateOptions &options;
  unsigned numArguments;
  Operation *end;
  OpBuilder b;
  SmallVector<unsigned> chosen;
  SmallVector<Operation *> ops;
  SmallVector<Value> results, made;
};
} // namespace

FailureOr<Derivative>
lattn::differentiate(func::FuncOp function,
                     const DifferentiateOptions &options) {
  if (function.isExternal())
    return function.emitOpError("has no body to differentiate");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has branches: only straight-line code can be differentiated");
  return Differentiator(function, options).run();
}
