//===- FragmentToNVVM.cpp - Tiles as registers ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What each thread of a block holds of a tile, and the instructions that work
// on it. A tile becomes as many scalars as a thread has of it, in the order
// (group of 16 rows, block of columns, register) of `#fragment.mma`. Flags are
// bits of i32, in the same order.

#include "FragmentToNVVM.h"
#include "lattn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringMap.h"

namespace lattn {
#define GEN_PASS_DEF_CONVERTFRAGMENTTONVVMPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using namespace lattn::fragment;

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

ThreadPlace::ThreadPlace(OpBuilder &b, Location loc) : b(b), loc(loc) {
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  warp = arith::DivUIOp::create(b, loc, thread, index(32));
  lane = arith::RemUIOp::create(b, loc, thread, index(32));
  group = arith::DivUIOp::create(b, loc, lane, index(4));
  inGroup = arith::RemUIOp::create(b, loc, lane, index(4));
}

Value ThreadPlace::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}
Value ThreadPlace::add(Value value, int64_t constant) {
  return b.createOrFold<arith::AddIOp>(loc, value, index(constant));
}

Value ThreadPlace::firstRow(TileType tile) {
  return arith::MulIOp::create(b, loc, warp, index(16 * tile.getRowGroups()));
}

SmallVector<Value> ThreadPlace::rows(TileType tile) {
  if (tile.isColumn())
    return {index(0)};
  Value first = arith::AddIOp::create(b, loc, firstRow(tile), group);
  SmallVector<Value> rows;
  for (int64_t half = 0; half < 2 * tile.getRowGroups(); ++half)
    rows.push_back(add(first, 8 * half));
  return rows;
}

SmallVector<Value> ThreadPlace::columns(TileType tile) {
  if (tile.isRow())
    return {index(0)};
  Value first = ThreadColumnOp::create(b, loc, b.getIndexType());
  SmallVector<Value> columns;
  for (int64_t block = 0; block < tile.getColumns(); block += 8)
    for (int64_t i = 0; i < 2; ++i)
      columns.push_back(add(first, block + i));
  return columns;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static LogicalResult convertSplat(SplatOp op, Registers<SplatOp> adaptor,
                                  ConversionPatternRewriter &rewriter) {
  if (op.getType().getPart() == Part::Operand ||
      op.getType().getElementType().isInteger(1))
    return rewriter.notifyMatchFailure(op, "an operand, or flags");
  SmallVector<Value> registers(op.getType().getNumRegisters(), op.getScalar());
  rewriter.replaceOpWithMultiple(op, {ValueRange(registers)});
  return success();
}

static LogicalResult convertMap(MapOp op, Registers<MapOp> adaptor,
                                ConversionPatternRewriter &rewriter) {
  TileType tile = op.getType();
  ThreadPlace place(rewriter, op.getLoc());
  SmallVector<Value> rows = place.rows(tile), columns = place.columns(tile);
  Block &body = op.getBody().front();
  SmallVector<SmallVector<Value>> inputs;
  for (auto [input, registers] :
       llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
    inputs.push_back(getElements(rewriter, op.getLoc(),
                                 cast<TileType>(input.getType()), registers));
  SmallVector<Value> results;
  for (int64_t i = 0, end = tile.getNumRegisters(); i < end; ++i) {
    ElementPosition at = tile.getElement(i);
    IRMapping mapping;
    mapping.map(body.getArgument(0), rows[at.row]);
    mapping.map(body.getArgument(1), columns[at.column]);
    for (auto [n, input] : llvm::enumerate(op.getInputs())) {
      auto type = cast<TileType>(input.getType());
      int64_t number = type.isRow() ? at.row : type.isColumn() ? at.column : i;
      mapping.map(body.getArgument(2 + n), inputs[n][number]);
    }
    for (Operation &inner : body.without_terminator())
      rewriter.clone(inner, mapping);
    results.push_back(
        mapping.lookupOrDefault(body.getTerminator()->getOperand(0)));
  }
  if (tile.getElementType().isInteger(1))
    results = packFlags(rewriter, op.getLoc(), results);
  rewriter.replaceOpWithMultiple(op, {ValueRange(results)});
  return success();
}

/// As a tree: its steps do not wait for each other.
static Value combineAll(MutableArrayRef<Value> values,
                        function_ref<Value(Value, Value)> combine) {
  for (size_t size = values.size(); size > 1; size = (size + 1) / 2)
    for (size_t i = 0; i < size / 2; ++i)
      values[i] = combine(values[i], values[i + (size + 1) / 2]);
  return values[0];
}

static LogicalResult convertReduce(ReduceOp op, Registers<ReduceOp> adaptor,
                                   ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  TileType source = op.getSource().getType();
  auto combine = [&](Value a, Value b) -> Value {
    if (op.getKind() == Kind::Max)
      return arith::MaxNumFOp::create(rewriter, loc, a, b);
    return arith::AddFOp::create(rewriter, loc, a, b);
  };
  SmallVector<SmallVector<Value>> rows(op.getType().getNumRegisters());
  for (auto [i, element] : llvm::enumerate(adaptor.getSource()))
    rows[source.getElement(i).row].push_back(element);
  SmallVector<Value> results;
  for (SmallVector<Value> &row : rows) {
    Value value = combineAll(row, combine);
    for (int64_t distance : {1, 2}) {
      auto other = gpu::ShuffleOp::create(rewriter, loc, value, distance, 32,
                                          gpu::ShuffleMode::XOR);
      value = combine(value, other.getShuffleResult());
    }
    results.push_back(value);
  }
  rewriter.replaceOpWithMultiple(op, {ValueRange(results)});
  return success();
}

static LogicalResult convertFold(FoldOp op, Registers<FoldOp> adaptor,
                                 ConversionPatternRewriter &rewriter) {
  TileType source = op.getSource().getType(), tile = op.getType();
  int64_t columns = tile.getColumns() / 4; // of a thread
  SmallVector<SmallVector<Value>> parts(tile.getNumRegisters());
  for (auto [i, part] : llvm::enumerate(parts)) {
    ElementPosition to = tile.getElement(i);
    for (auto [n, element] : llvm::enumerate(adaptor.getSource())) {
      ElementPosition from = source.getElement(n);
      if (from.row == to.row && from.column % columns == to.column)
        part.push_back(element);
    }
  }
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddFOp::create(rewriter, op.getLoc(), a, b);
  };
  SmallVector<Value> sums;
  for (SmallVector<Value> &part : parts)
    sums.push_back(combineAll(part, add));
  rewriter.replaceOpWithMultiple(op, {ValueRange(sums)});
  return success();
}

/// Whether a register of this thread's is NaN.
static Value buildHasNaN(OpBuilder &b, Location loc, ValueRange registers) {
  SmallVector<Value> elements(registers);
  Value sum = combineAll(elements, [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, loc, x, y);
  });
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, sum, sum);
}

static LogicalResult convertHasNaN(HasNaNOp op, Registers<HasNaNOp> adaptor,
                                   ConversionPatternRewriter &rewriter) {
  rewriter.replaceOp(op,
                     buildHasNaN(rewriter, op.getLoc(), adaptor.getSource()));
  return success();
}

static LogicalResult convertAnyNaN(AnyNaNOp op, Registers<AnyNaNOp> adaptor,
                                   ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value isNaN = buildHasNaN(rewriter, loc, adaptor.getSource());
  int64_t threads = op.getSource().getType().getThreads();
  Type i32 = rewriter.getI32Type();
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(rewriter, loc, value, 32);
  };
  if (op->getParentOfType<WarpSpecializeOp>()) { // others have another role
    auto name =
        rewriter.getStringAttr("llvm.nvvm.barrier.cta.red.or.aligned.count");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, rewriter.getI1Type(), name,
        ValueRange{integer(kTileBarrier), integer(threads), isNaN});
    return success();
  }
  isNaN = arith::ExtUIOp::create(rewriter, loc, i32, isNaN);
  Value any = NVVM::BarrierOp::create(
                  rewriter, loc, i32, /*barrierId=*/Value(),
                  /*numberOfThreads=*/Value(),
                  NVVM::BarrierReductionAttr::get(rewriter.getContext(),
                                                  NVVM::BarrierReduction::OR),
                  isNaN)
                  .getRes();
  rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::ne, any,
                                             integer(0));
  return success();
}

static LogicalResult convertRepeatIfNaN(RepeatIfNaNOp op,
                                        Registers<RepeatIfNaNOp>,
                                        ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value any;
  for (Value tile : op.getState()) {
    if (cast<TileType>(tile.getType()).getPart() != Part::Accumulator)
      continue;
    Value next = AnyNaNOp::create(rewriter, loc, rewriter.getI1Type(), tile);
    any =
        any ? arith::OrIOp::create(rewriter, loc, any, next).getResult() : next;
  }
  auto choice = scf::IfOp::create(rewriter, loc, op.getResultTypes(), any,
                                  /*addThenBlock=*/false,
                                  /*addElseBlock=*/true);
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yield.getOperands());
  rewriter.inlineRegionBefore(op.getBody(), choice.getThenRegion(),
                              choice.getThenRegion().end());
  rewriter.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(rewriter, loc, op.getState());
  rewriter.replaceOp(op, choice);
  return success();
}

/// By unsigned divisions: extents and numbers are not negative.
static LogicalResult convertWorkTile(WorkTileOp op, Registers<WorkTileOp>,
                                     ConversionPatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value rest = op.getNumber();
  SmallVector<Value> indices;
  for (Value extent : llvm::reverse(op.getExtents().drop_front())) {
    indices.push_back(arith::RemUIOp::create(rewriter, loc, rest, extent));
    rest = arith::DivUIOp::create(rewriter, loc, rest, extent);
  }
  indices.push_back(rest);
  rewriter.replaceOp(op, llvm::to_vector(llvm::reverse(indices)));
  return success();
}

namespace {
/// math ops that allow approximations, as the instructions they have: `before`
/// is what their operand is multiplied with, `after` their result.
template <typename OpTy>
struct ConvertApproximation : OpConversionPattern<OpTy> {
  ConvertApproximation(TypeConverter &converter, MLIRContext *context,
                       StringRef intrinsic, double before, double after)
      : OpConversionPattern<OpTy>(converter, context), intrinsic(intrinsic),
        before(before), after(after) {}
  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto multiply = [&](Value x, double factor) -> Value {
      if (factor == 1)
        return x;
      Value constant = arith::ConstantOp::create(
          rewriter, loc, rewriter.getF32FloatAttr(factor));
      return arith::MulFOp::create(rewriter, loc, x, constant);
    };
    Value x = multiply(adaptor.getOperand(), before);
    auto call = LLVM::CallIntrinsicOp::create(
        rewriter, loc, op.getType(), rewriter.getStringAttr(intrinsic), x);
    rewriter.replaceOp(op, multiply(call.getResult(0), after));
    return success();
  }
  StringRef intrinsic;
  double before, after;
};

template <typename OpTy>
void addApproximation(ConversionTarget &target, RewritePatternSet &patterns,
                      TypeConverter &converter, StringRef intrinsic,
                      double before = 1, double after = 1) {
  target.addDynamicallyLegalOp<OpTy>([](OpTy op) {
    return !op.getType().isF32() ||
           !bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::afn);
  });
  patterns.add<ConvertApproximation<OpTy>>(converter, patterns.getContext(),
                                           intrinsic, before, after);
}
} // namespace

namespace {
struct ConvertFragmentToNVVM
    : lattn::impl::ConvertFragmentToNVVMPassBase<ConvertFragmentToNVVM> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](TileType tile, SmallVectorImpl<Type> &types) {
      Type element = tile.getElementType();
      int64_t count = tile.getNumRegisters();
      if (element.isInteger(1))
        count = llvm::divideCeil(count, kFlagsOfRegister);
      if (tile.getPart() == Part::Operand || element.isInteger(1))
        element = IntegerType::get(tile.getContext(), 32);
      types.append(count, element);
      return success();
    });
    ConversionTarget target(*context);
    target.addIllegalDialect<FragmentDialect>();
    target.addLegalOp<ThreadColumnOp, WarpSpecializeOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet patterns(context);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    addConversions(converter, patterns, convertSplat, convertMap, convertReduce,
                   convertFold, convertAnyNaN, convertHasNaN,
                   convertRepeatIfNaN, convertWorkTile);
    constexpr double ln2 = 0.69314718055994531;
    StringRef exp2 = "llvm.nvvm.ex2.approx.ftz.f32";
    StringRef log2 = "llvm.nvvm.lg2.approx.ftz.f";
    addApproximation<math::Exp2Op>(target, patterns, converter, exp2);
    addApproximation<math::Log2Op>(target, patterns, converter, log2);
    addApproximation<math::ExpOp>(target, patterns, converter, exp2,
                                  /*before=*/1 / ln2);
    addApproximation<math::LogOp>(target, patterns, converter, log2,
                                  /*before=*/1, /*after=*/ln2);
    populateCopyPatterns(converter, patterns);
    populateLoadFlagsPatterns(converter, patterns);
    populateMapFoursPatterns(converter, patterns);
    populatePairPatterns(converter, patterns);
    populateProductPatterns(converter, patterns);
    populateStorePatterns(converter, patterns);
    populateStoreTMATilesPatterns(converter, patterns);
    populatePingPongPatterns(converter, patterns);
    populateWarpgroupPatterns(converter, patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    if (failed(simplifyElements()) || failed(nameIntrinsics()))
      signalPassFailure();
    getOperation()->walk(lowerThreadColumn);
    getOperation()->walk(branchByRole);
    getOperation()->walk(passTensorMaps);
  }

  /// Comparisons of columns, and what else a score's region computes: libdevice
  /// would be a file to find.
  LogicalResult simplifyElements() {
    RewritePatternSet patterns(&getContext());
    populateColumnBoundPatterns(patterns);
    populateWideMathPatterns(patterns);
    populateApproximateMathPatterns(patterns);
    math::populateExpansionPatterns(
        patterns, {"acosh", "asinh", "atanh", "cosh", "round", "sinh", "tan"});
    populateMathPolynomialApproximationPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return failure();
    return success();
  }

  /// What is left as LLVM's own: gpu-to-nvvm would call libdevice for it.
  LogicalResult nameIntrinsics() {
    static const llvm::StringMap<StringRef> names = {
        {"math.absf", "llvm.fabs"},
        {"math.ceil", "llvm.ceil"},
        {"math.copysign", "llvm.copysign"},
        {"math.floor", "llvm.floor"},
        {"math.roundeven", "llvm.roundeven"},
        {"math.rsqrt", "llvm.nvvm.rsqrt.approx.f"},
        {"math.sqrt", "llvm.sqrt"},
        {"math.trunc", "llvm.trunc"},
        {"math.fma", "llvm.fma"},
        {"arith.maxnumf", "llvm.maxnum"},
        {"arith.minnumf", "llvm.minnum"},
        {"arith.maximumf", "llvm.maximum"},
        {"arith.minimumf", "llvm.minimum"}};
    WalkResult walk = getOperation()->walk([](Operation *op) {
      auto name = names.find(op->getName().getStringRef());
      if (name != names.end()) {
        OpBuilder b(op);
        auto call = LLVM::CallIntrinsicOp::create(
            b, op->getLoc(), op->getResult(0).getType(),
            b.getStringAttr(name->second), op->getOperands());
        op->replaceAllUsesWith(call);
        op->erase();
        return WalkResult::advance();
      }
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
          isa<math::AbsIOp>(op))
        return WalkResult::advance();
      op->emitOpError("cannot be lowered for GPUs");
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }
};
} // namespace
