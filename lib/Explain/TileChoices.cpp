//===- TileChoices.cpp - Tile sizes of a program's attention ops ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Explain/TileChoices.h"
#include "../Dialect/Lattn/Transforms/QueryTile.h"
#include "../Execution/JIT/PipelineOptions.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Target/AttentionBlock.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace lattn;
using namespace mlir;

SetVector<func::FuncOp> lattn::findReached(func::FuncOp entry) {
  SetVector<func::FuncOp> reached;
  reached.insert(entry);
  for (unsigned i = 0; i < reached.size(); ++i) {
    func::FuncOp function = reached[i];
    function.walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee)
        reached.insert(callee);
    });
  }
  return reached;
}

static int64_t getExtent(Value array, unsigned axis) {
  auto type = cast<ShapedType>(array.getType());
  return type.isDynamicDim(axis) ? 0 : type.getDimSize(axis);
}

llvm::Expected<TargetInfo> lattn::getTarget(const CompileOptions &options) {
  llvm::Expected<TargetInfo> target =
      getTargetInfo(options.cpu, options.attributes);
  if (target)
    target->bf16 = parseBF16Products(options.bf16).value_or(target->bf16);
  return target;
}

/// How `target` makes the products of a schedule.
static BF16Products getProducts(ScheduleAttr schedule,
                                const TargetInfo &target) {
  switch (schedule.getProducts().value_or(Products::Widened)) {
  case Products::Widened:
    return BF16Products::Widened;
  case Products::AMX:
    return BF16Products::AMX;
  case Products::Dot:
  case Products::DotValues:
    return target.bf16 == BF16Products::AMX ? BF16Products::Dot : target.bf16;
  }
  llvm_unreachable("unknown products");
}

static TileChoice describe(AttentionOp op, const CompileOptions &options,
                           const TargetInfo &target) {
  ScheduleAttr schedule = op.getEffectiveSchedule();
  TileChoice choice = {
      {schedule.getTileSizes({0, 0})}, op.getLoc(), getKernelName(op)};
  if (options.tuned)
    choice.isTuned = getTunedTileSizes(op, *options.tuned) == choice.sizes;
  choice.isF64 = op.getAccumulatorType().isF64();
  choice.products = getProducts(schedule, target);
  choice.hasWideScores = schedule.getProducts() == Products::DotValues;
  choice.isOfFeatures = schedule.getLanes() == Lanes::Features;
  if (schedule.getLanes() == Lanes::Mixed)
    choice.valueRows = chooseValueBlock(target.vectorRegisters,
                                        target.getLanes(choice.isF64 ? 64 : 32),
                                        getExtent(op.getValue(), 3))
                           .rows;
  // A block of queries is one head's, and parallel already.
  if (!op->getParentOfType<scf::ForallOp>()) {
    choice.isGrouped = canGroupHeads(op, TileForm::Packed);
    choice.parts =
        options.parts ? options.parts : chooseParts(op, choice.sizes);
  }
  choice.mostQueries = getExtent(op.getQuery(), op.getPositionAxis());
  choice.mostKeys = getExtent(op.getKey(), op.getPositionAxis());
  return choice;
}

llvm::Expected<std::vector<TileChoice>>
lattn::findTileChoices(func::FuncOp entry, const CompileOptions &options) {
  std::vector<TileChoice> choices;
  if (options.pipeline != Pipeline::LLVM)
    return choices;
  llvm::Expected<TargetInfo> target = getTarget(options);
  if (!target)
    return target.takeError();
  OwningOpRef<ModuleOp> module = entry->getParentOfType<ModuleOp>().clone();
  llvm::DenseSet<Location> given;
  module->walk([&](AttentionOp op) {
    ScheduleAttr schedule = op.getEffectiveSchedule();
    if (schedule.getQueryTile() || schedule.getKeyTile())
      given.insert(op.getLoc());
  });
  LattnToLLVMOptions pipeline;
  setPipelineOptions(pipeline, options);
  PassManager pm(module->getContext());
  if (llvm::Error error = buildTileChoicePipeline(pm, pipeline))
    return error;
  if (llvm::Error error = collectErrors(
          *module->getContext(), [&] { return succeeded(pm.run(*module)); },
          /*warnings=*/nullptr, /*quiet=*/true))
    return error;
  for (func::FuncOp function :
       findReached(module->lookupSymbol<func::FuncOp>(entry.getName())))
    function.walk([&](AttentionOp op) {
      choices.push_back(describe(op, options, *target));
      choices.back().isGiven = given.contains(op.getLoc());
    });
  return choices;
}
