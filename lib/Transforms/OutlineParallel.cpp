//===- OutlineParallel.cpp - scf.forall becomes calls of lattn_parallel_for ===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's way to threads is OpenMP: it ties objects to libomp and has static
// chunks only. This one leaves the thread pool to whoever runs the code.
//
//   forall (i, j) in (m, n) { body }
// ->
//   context = { captured values }
//   lattn_parallel_for(@f, context, m * n)
//   f(context, begin, end) { for item in [begin, end) { body at item } }

#include "lattn/Transforms/Passes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNOUTLINEPARALLELPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

static constexpr StringLiteral kParallelFor = "lattn_parallel_for";

namespace {
class Outliner {
public:
  Outliner(ModuleOp module, bool parallel)
      : module(module), symbols(module), builder(module.getContext()),
        types(module.getContext()), parallel(parallel),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}
  LogicalResult outline(scf::ForallOp loop);

private:
  Value cast(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(builder, loc, type, value)
        .getResult(0);
  }
  Value i64(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value toI64(Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      index);
  }
  Value toIndex(Value value) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  }
  LogicalResult capture(scf::ForallOp loop);
  Value buildContext(scf::ForallOp loop);
  func::FuncOp buildBody(scf::ForallOp loop, ArrayRef<Value> extents);
  func::FuncOp getParallelFor();

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  LLVMTypeConverter types;
  bool parallel;
  Type pointer;
  Location loc = module.getLoc();
  SmallVector<Value> captured;
  SmallVector<Operation *> constants;
  LLVM::LLVMStructType context;
};
} // namespace

/// What the body uses from outside: constants are cloned, the rest travels.
LogicalResult Outliner::capture(scf::ForallOp loop) {
  captured.clear();
  constants.clear();
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  SmallVector<Type> fields;
  for (Value value : used) {
    Operation *definition = value.getDefiningOp();
    if (definition && definition->hasTrait<OpTrait::ConstantLike>()) {
      constants.push_back(definition);
      continue;
    }
    Type field = types.convertType(value.getType());
    if (!field)
      return loop.emitOpError()
             << "cannot run in parallel: its body uses a value of type "
             << value.getType() << " from outside";
    captured.push_back(value);
    fields.push_back(field);
  }
  context = LLVM::LLVMStructType::getLiteral(module.getContext(), fields);
  return success();
}

/// The struct of captured values, on the stack of the calling function.
Value Outliner::buildContext(scf::ForallOp loop) {
  Value storage;
  {
    OpBuilder::InsertionGuard guard(builder);
    auto function = loop->getParentOfType<FunctionOpInterface>();
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    storage = LLVM::AllocaOp::create(builder, loc, pointer, context, i64(1));
  }
  for (auto [i, value] : llvm::enumerate(captured)) {
    Value field =
        LLVM::GEPOp::create(builder, loc, pointer, context, storage,
                            ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, loc, cast(value, context.getBody()[i]),
                          field);
  }
  return storage;
}

func::FuncOp Outliner::buildBody(scf::ForallOp loop, ArrayRef<Value> extents) {
  OpBuilder::InsertionGuard guard(builder);
  auto parent = loop->getParentOfType<FunctionOpInterface>();
  Type integer = builder.getI64Type();
  auto function = func::FuncOp::create(
      loc, (parent.getName() + "_parallel").str(),
      builder.getFunctionType({pointer, integer, integer}, {}));
  function.setPrivate();
  symbols.insert(function);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);

  IRMapping mapping;
  for (Operation *constant : constants)
    builder.clone(*constant, mapping);
  for (auto [i, value] : llvm::enumerate(captured)) {
    Value field = LLVM::GEPOp::create(
        builder, loc, pointer, context, entry->getArgument(0),
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(i)});
    Value loaded =
        LLVM::LoadOp::create(builder, loc, context.getBody()[i], field);
    mapping.map(value, cast(loaded, value.getType()));
  }
  // Stack buffers of known size belong to the function: once, not per item.
  auto isScratch = [](Operation &op) {
    return isa<memref::AllocaOp>(op) && op.getNumOperands() == 0;
  };
  for (Operation &op : llvm::make_filter_range(*loop.getBody(), isScratch))
    builder.clone(op, mapping);
  Value begin = toIndex(entry->getArgument(1));
  Value end = toIndex(entry->getArgument(2));
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto items = scf::ForOp::create(builder, loc, begin, end, one);
  func::ReturnOp::create(builder, loc);

  builder.setInsertionPointToStart(items.getBody());
  SmallVector<OpFoldResult> basis;
  for (Value extent : extents)
    basis.push_back(OpFoldResult(mapping.lookupOrDefault(extent)));
  auto at = affine::AffineDelinearizeIndexOp::create(
      builder, loc, items.getInductionVar(), basis);
  for (auto [iv, index] : llvm::zip(loop.getInductionVars(), at.getResults()))
    mapping.map(iv, index);
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isScratch(op))
      builder.clone(op, mapping);
  return function;
}

func::FuncOp Outliner::getParallelFor() {
  if (auto known = symbols.lookup<func::FuncOp>(kParallelFor))
    return known;
  Type integer = builder.getI64Type();
  auto function = func::FuncOp::create(
      module.getLoc(), kParallelFor,
      builder.getFunctionType({pointer, pointer, integer}, {}));
  function.setPrivate();
  symbols.insert(function);
  return function;
}

LogicalResult Outliner::outline(scf::ForallOp loop) {
  loc = loop.getLoc();
  if (loop.getNumResults() != 0)
    return loop.emitOpError("still has tensor results; bufferize first");
  builder.setInsertionPoint(loop);
  SmallVector<Value> extents =
      getValueOrCreateConstantIndexOp(builder, loc, loop.getMixedUpperBound());
  // The body decodes items by the extents: they travel with the rest.
  Value count = extents.front();
  for (Value extent : ArrayRef(extents).drop_front())
    count = builder.createOrFold<arith::MulIOp>(loc, count, extent);
  if (failed(capture(loop)))
    return failure();
  for (Value extent : extents) {
    Operation *definition = extent.getDefiningOp();
    if (definition && definition->hasTrait<OpTrait::ConstantLike>()) {
      constants.push_back(definition);
    } else if (!llvm::is_contained(captured, extent)) {
      captured.push_back(extent);
      SmallVector<Type> fields(context.getBody());
      fields.push_back(builder.getI64Type());
      context = LLVM::LLVMStructType::getLiteral(module.getContext(), fields);
    }
  }
  func::FuncOp body = buildBody(loop, extents);
  Value storage = buildContext(loop);
  if (parallel) {
    Value address =
        func::ConstantOp::create(builder, loc, body.getFunctionType(),
                                 FlatSymbolRefAttr::get(body.getSymNameAttr()));
    func::CallOp::create(
        builder, loc, getParallelFor(),
        ValueRange{cast(address, pointer), storage, toI64(count)});
  } else {
    func::CallOp::create(builder, loc, body,
                         ValueRange{storage, i64(0), toI64(count)});
  }
  loop.erase();
  return success();
}

/// A loop from 0 with step 1. Where `loop` was none, its number of iterations
/// may come out negative, and two such numbers have a positive product.
static FailureOr<scf::ForallOp> normalize(RewriterBase &rewriter,
                                          scf::ForallOp loop) {
  if (loop.isNormalized())
    return loop;
  FailureOr<scf::ForallOp> normal = normalizeForallOp(rewriter, loop);
  if (failed(normal))
    return loop.emitOpError("cannot become a loop from 0 with step 1");
  rewriter.setInsertionPoint(*normal);
  Value zero = arith::ConstantIndexOp::create(rewriter, normal->getLoc(), 0);
  rewriter.modifyOpInPlace(*normal, [&] {
    for (OpOperand &extent : normal->getDynamicUpperBoundMutable())
      extent.set(arith::MaxSIOp::create(rewriter, normal->getLoc(),
                                        extent.get(), zero));
  });
  return normal;
}

namespace {
struct OutlineParallel
    : lattn::impl::LattnOutlineParallelPassBase<OutlineParallel> {
  using Base::Base;
  void runOnOperation() override {
    Outliner outliner(getOperation(), parallel);
    SmallVector<scf::ForallOp> loops;
    // Outermost loops only: nested ones run as loops within an item.
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
      loops.push_back(loop);
      return WalkResult::skip();
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : loops) {
      FailureOr<scf::ForallOp> fromZero = normalize(rewriter, loop);
      if (failed(fromZero) || failed(outliner.outline(*fromZero)))
        return signalPassFailure();
    }
  }
};
} // namespace
