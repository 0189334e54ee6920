//===- Specialized.cpp - A program with the shapes of one run -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Explain/Specialized.h"
#include "lattn/Pipelines/Pipelines.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace lattn;
using namespace mlir;

Specialized::Specialized(func::FuncOp source,
                         llvm::ArrayRef<NumpyArray> arguments)
    : module(source->getParentOfType<ModuleOp>().clone()),
      entry(module->lookupSymbol<func::FuncOp>(source.getName())),
      arguments(arguments) {}

/// Gives `argument` the shape of a run. What uses it sees the old type.
static void setShape(BlockArgument argument, llvm::ArrayRef<int64_t> shape) {
  auto type = dyn_cast<ShapedType>(argument.getType());
  if (!type || !type.hasRank() || type.hasStaticShape())
    return;
  Location loc = argument.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(argument.getOwner());
  argument.setType(cast<Type>(type.clone(shape)));
  if (isa<RankedTensorType>(type)) {
    auto cast = tensor::CastOp::create(b, loc, type, argument);
    argument.replaceAllUsesExcept(cast, cast);
    return;
  }
  auto cast = memref::CastOp::create(b, loc, type, argument);
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    auto raised = dyn_cast<bufferization::ToTensorOp>(user);
    if (!raised)
      continue;
    b.setInsertionPoint(raised);
    auto known = bufferization::ToTensorOp::create(
        b, loc, RankedTensorType::get(shape, type.getElementType()), argument,
        raised.getRestrict(), raised.getWritable());
    raised.replaceAllUsesWith(
        tensor::CastOp::create(b, loc, raised.getType(), known).getResult());
    raised.erase();
  }
  argument.replaceUsesWithIf(cast, [&](OpOperand &use) {
    return use.getOwner() != cast &&
           !isa<bufferization::ToTensorOp>(use.getOwner());
  });
}

LogicalResult Specialized::specialize() {
  PassManager expand(module->getContext());
  addCompositeExpansion(expand);
  if (failed(expand.run(*module)))
    return failure();
  for (auto [argument, array] :
       llvm::zip_equal(entry.getArguments(), arguments))
    setShape(argument, array.shape);
  Builder b(entry.getContext());
  entry.setType(b.getFunctionType(entry.getBody().getArgumentTypes(),
                                  entry.getResultTypes()));
  PassManager pm(module->getContext());
  pm.addPass(createInlinerPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(*module);
}

const NumpyArray *Specialized::getArgument(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &entry.front())
    return nullptr;
  return &arguments[argument.getArgNumber()];
}
