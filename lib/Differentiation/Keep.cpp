//===- Keep.cpp - What gradient functions do not compute again ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Keep.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lattn;

void lattn::setResults(func::FuncOp function, ValueRange values) {
  Builder b(function.getContext());
  Block &body = function.getBody().front();
  body.getTerminator()->setOperands(values);
  function.setAllResultAttrs(ArrayRef<DictionaryAttr>(
      SmallVector<DictionaryAttr>(values.size(), b.getDictionaryAttr({}))));
  function.setType(
      b.getFunctionType(body.getArgumentTypes(), values.getTypes()));
}

static void eraseUnused(Block &block, SetVector<Operation *> *seen = nullptr) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op)) {
      if (seen)
        seen->remove(op);
      op->erase();
    }
}

namespace {
class Splitter {
public:
  Splitter(ReverseFunction given, ArrayRef<StringRef> names)
      : given(given), names(names), body(given.function.getBody().front()) {
    for (Operation &op : body) {
      if (!given.last)
        break;
      primal.insert(&op);
      if (&op == given.last)
        break;
    }
  }

  void run(Derivative &derivative) {
    IRMapping copies;
    derivative.forward = cast<func::FuncOp>(given.function->clone(copies));
    SmallVector<Value> results;
    for (Value result : given.results)
      results.push_back(copies.lookup(result));
    setResults(given.function, given.gradients);
    eraseUnused(body, &primal);
    SmallVector<Value> kept = replaceKept(copies);
    for (Value value : kept) {
      auto *at = llvm::find(results, value);
      derivative.kept.push_back(at - results.begin());
      if (at == results.end())
        results.push_back(value);
    }
    setResults(derivative.forward, results);
    Block &forward = derivative.forward.getBody().front();
    eraseUnused(forward);
    forward.eraseArguments(given.numArguments,
                           forward.getNumArguments() - given.numArguments);
    setResults(derivative.forward, results);
  }

private:
  /// Values that gradients still need become arguments; their `copies`.
  SmallVector<Value> replaceKept(const IRMapping &copies) {
    SmallVector<Value> kept;
    while (!primal.empty()) {
      Operation *op = primal.pop_back_val();
      if (!llvm::is_contained(names, op->getName().getStringRef()))
        continue;
      for (Value result : llvm::reverse(op->getResults())) {
        if (result.use_empty() || !isa<RankedTensorType>(result.getType()))
          continue;
        result.replaceAllUsesWith(body.insertArgument(
            given.numArguments, result.getType(), result.getLoc()));
        kept.push_back(copies.lookup(result));
      }
      eraseUnused(body, &primal);
    }
    std::reverse(kept.begin(), kept.end());
    setResults(given.function, body.getTerminator()->getOperands());
    return kept;
  }

  ReverseFunction given;
  ArrayRef<StringRef> names;
  Block &body;
  SetVector<Operation *> primal;
};
} // namespace

void lattn::keepValues(ReverseFunction reverse, ArrayRef<StringRef> names,
                       Derivative &derivative) {
  Splitter(reverse, names).run(derivative);
}
