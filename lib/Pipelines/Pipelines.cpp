//===- Pipelines.cpp - From lattn to LLVM ---------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Pipelines/Pipelines.h"
#include "SharedSteps.h"
#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Check/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Target/MatmulBlock.h"
#include "lattn/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace lattn;

static ExpansionOptions getExpansion(const TargetInfo &target,
                                     const LattnToLLVMOptions &options) {
  ExpansionOptions expansion;
  // Blocks are parallel: parts that are asked for would not be made in them.
  expansion.stage = options.parts < 2;
  expansion.keepBF16 = target.bf16 != BF16Products::Widened;
  // Up to so many, features on the lanes cost no more than a tile of queries.
  if (!options.queryTile)
    expansion.fewQueries = std::min<int64_t>(8, target.vectorBits / 32);
  return expansion;
}

static constexpr StringLiteral kFunction = "func.func",
                               kModule = "builtin.module";

/// Adds passes for functions, or other ops `anchor`, that have one of `ops`.
template <typename... Passes>
static void addWhere(OpPassManager &pm, StringRef anchor,
                     ArrayRef<StringRef> ops, Passes... passes) {
  pm.addPass(createRunWhere(ops, anchor, [&](OpPassManager &nested) {
    (nested.addPass(std::move(passes)), ...);
  }));
}

/// linalg, scf, vector, math, memref, arith, func -> LLVM dialect. `hasAMX`:
/// and amx, whose tiles cross branches: one type converter for both.
static void addLowerToLLVM(OpPassManager &pm, bool genericAlloc, bool hasAMX) {
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createLattnExpandLibraryCallsPass());
  addWhere(pm, kFunction, {"linalg"}, createConvertLinalgToLoopsPass());
  pm.addPass(check::createConvertCheckToLoopsPass());
  addWhere(pm, kFunction, {"vector.transfer_read", "vector.transfer_write"},
           createConvertVectorToSCFPass());
  addExpandMetadata(pm);
  pm.addPass(createLowerAffinePass());
  // Arithmetic on bf16, and bf16 <-> f32, without library calls.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  emulate.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  // x^n: products where n is constant, else a function of ours. LLVM's powi has
  // none for vectors of n, and asks libgcc for the others.
  math::MathExpandOpsPassOptions powers;
  powers.opMnemonics = {"fpowi"};
  addWhere(pm, kModule, {"math.ctlz", "math.fpowi", "math.ipowi"},
           math::createMathExpandOpsPass(powers), createConvertMathToFuncs());
  addCleanup(pm);
  addWhere(pm, kFunction, {"complex"}, createConvertComplexToStandardPass());
  pm.addPass(createSCFToControlFlowPass());
  addWhere(pm, kModule, {"math"}, createConvertMathToLLVMPass(),
           createConvertMathToLibmPass());
  ConvertVectorToLLVMPassOptions vector;
  vector.x86Vector = true;
  pm.addPass(createConvertVectorToLLVMPass(vector));
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useGenericFunctions = genericAlloc;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  addWhere(pm, kModule, {"complex", "index", "ub"},
           createConvertIndexToLLVMPass(), createConvertComplexToLLVMPass(),
           createUBToLLVMConversionPass());
  ConvertToLLVMPassOptions branches;
  branches.filterDialects = {"cf", "amx"};
  pm.addPass(hasAMX ? createConvertToLLVMPass(branches)
                    : createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createLattnHidePrivatePass());
  pm.addPass(createLattnCheckLoweredPass());
}

void lattn::buildLattnToLoopsPipeline(OpPassManager &pm,
                                      const LattnToLoopsOptions &options) {
  if (options.raise)
    addRaise(pm);
  pm.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  ExpansionOptions expansion;
  expansion.xposOnly = true;
  addExpansion(pm, expansion);
  pm.addPass(createLattnTileRowsPass());
  LattnTileGradPassOptions grad;
  grad.wholeKeys = true;
  pm.addPass(createLattnTileGradPass(grad));
  pm.addPass(createLattnDecomposePass());
  addCleanup(pm);
  addBufferization(pm);
  pm.addPass(createLattnDeallocatePass());
  addLowerToLLVM(pm, options.genericAlloc, /*hasAMX=*/false);
}

std::vector<std::string> lattn::formatTuned(const TunedTiles &tuned) {
  std::vector<std::string> texts;
  for (const auto &[kernel, sizes] : tuned)
    texts.push_back(kernel + "=" + std::to_string(sizes.query) + "x" +
                    std::to_string(sizes.key));
  return texts;
}

TileModel lattn::getTileModel(const TargetInfo &target) {
  return {target.vectorBits,
          target.vectorRegisters,
          target.l1Bytes,
          target.l2Bytes,
          target.bf16 != BF16Products::Widened,
          target.bf16 == BF16Products::AMX};
}

static void addTileChoice(OpPassManager &pm, const TargetInfo &target,
                          const LattnToLLVMOptions &options) {
  TileModel model = getTileModel(target);
  LattnChooseTilesPassOptions choose;
  choose.queryTile = options.queryTile;
  choose.keyTile = options.keyTile;
  llvm::append_range(choose.tuned, options.tuned);
  choose.vectorBits = model.vectorBits;
  choose.registers = model.registers;
  choose.l1Bytes = model.l1Bytes;
  choose.l2Bytes = model.l2Bytes;
  choose.bf16Dot = model.hasBF16Dot;
  choose.amx = model.hasAMX;
  pm.addPass(createLattnChooseTilesPass(choose));
}

static llvm::Expected<TargetInfo> getTarget(const LattnToLLVMOptions &options) {
  llvm::Expected<TargetInfo> target =
      getTargetInfo(options.cpu, options.attributes, options.triple);
  if (!target || options.bf16.empty())
    return target;
  std::optional<BF16Products> products = parseBF16Products(options.bf16);
  if (!products)
    return llvm::createStringError(
        "bf16: expected widened, dot, emulated-dot or amx, got '" +
        options.bf16 + "'");
  if (*products == BF16Products::AMX && target->bf16 != BF16Products::AMX)
    return llvm::createStringError("bf16: amx: CPU '" + target->cpu +
                                   "' lacks amx-bf16, amx-tile or avx512bf16");
  target->bf16 = *products;
  return target;
}

llvm::Error lattn::buildTileChoicePipeline(OpPassManager &pm,
                                           const LattnToLLVMOptions &options) {
  llvm::Expected<TargetInfo> target = getTarget(options);
  if (!target)
    return target.takeError();
  addExpansion(pm, getExpansion(*target, options));
  addTileChoice(pm, *target, options);
  return llvm::Error::success();
}

static void addLinalgTiling(OpPassManager &pm, const TargetInfo &target) {
  // chains of token-wise work -> blocks of rows
  MatmulBlock block =
      chooseMatmulBlock(target.vectorBits, target.vectorRegisters);
  pm.addPass(createConvertElementwiseToLinalgPass());
  LattnFuseRowsPassOptions fuse;
  fuse.rows = block.getRowTile(target.l2Bytes);
  fuse.rowUnit = block.rows;
  fuse.shares = target.cpus;
  fuse.l2Bytes = target.l2Bytes;
  pm.addPass(createLattnFuseRowsPass(fuse));
  addCleanup(pm);
  // matrix products -> tiles of them
  LattnTileMatmulPassOptions matmul;
  matmul.columnTile = chooseMatmulTileOfB(target.l2Bytes).columns;
  matmul.rowUnit = block.rows;
  matmul.shares = target.cpus;
  matmul.columnUnit = block.vectors * target.getLanes(32);
  pm.addPass(createLattnTileMatmulPass(matmul));
}

/// attention -> tiles of online_attention
static void addAttentionTiling(OpPassManager &pm, const TargetInfo &target,
                               const LattnToLLVMOptions &options) {
  addTileChoice(pm, target, options);
  if (options.parts != 1) {
    LattnSplitKVPassOptions split;
    split.parts = options.parts;
    pm.addPass(createLattnSplitKVPass(split));
  }
  pm.addPass(createLattnTilePass());
  pm.addPass(createLattnTileGradPass());
}

llvm::Error lattn::buildLattnToLLVMPipeline(OpPassManager &pm,
                                            const LattnToLLVMOptions &options) {
  llvm::Expected<TargetInfo> target = getTarget(options);
  if (!target)
    return target.takeError();

  if (options.raise)
    addRaise(pm);
  pm.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  addExpansion(pm, getExpansion(*target, options));
  addLinalgTiling(pm, *target);
  addAttentionTiling(pm, *target, options);
  // What could not be tiled goes the dull way.
  pm.addPass(createLattnTileRowsPass());
  LattnDecomposePassOptions decompose;
  decompose.ops = {"attention", "attention_scores", "gather_pages",
                   "merge",     "pack_sequences",   "pad_sequences"};
  pm.addPass(createLattnDecomposePass(decompose));
  addCleanup(pm);
  addBufferization(pm);
  LattnPromoteScratchPassOptions promote;
  promote.functionBytes = 64 * 1024;
  pm.addPass(createLattnPromoteScratchPass(promote));
  pm.addPass(createLattnPrefetchTilesPass());
  LattnDecomposePassOptions loops;
  loops.ops = {"sweep_keys"};
  pm.addPass(createLattnDecomposePass(loops));
  addCleanup(pm);
  // tiles -> vector micro-kernels
  ConvertLattnToVectorPassOptions vector;
  vector.vectorBits = target->vectorBits;
  vector.registers = target->vectorRegisters;
  vector.l2Bytes = target->l2Bytes;
  vector.bf16 = getBF16Name(target->bf16);
  pm.addPass(createConvertLattnToVectorPass(vector));
  // Not before: it would add ownership to the arguments of score regions.
  pm.addPass(createLattnDeallocatePass());
  addWhere(pm, kFunction, {"linalg"}, createConvertLinalgToLoopsPass());
  addCleanup(pm);
  // parallel loops -> functions of work items
  LattnOutlineParallelPassOptions outline;
  outline.parallel = options.parallel;
  pm.addPass(createLattnOutlineParallelPass(outline));
  addLowerToLLVM(pm, options.genericAlloc, target->bf16 == BF16Products::AMX);
  return llvm::Error::success();
}

/// Not PassPipelineRegistration: building can fail.
template <typename Options>
static void registerFallible(StringRef name, StringRef description,
                             llvm::Error (*build)(OpPassManager &,
                                                  const Options &)) {
  registerPassPipeline(
      name, description,
      [build](OpPassManager &pm, StringRef text,
              function_ref<LogicalResult(const Twine &)> emitError) {
        Options options;
        if (failed(options.parseFromString(text)))
          return failure();
        if (llvm::Error error = build(pm, options))
          return emitError(llvm::toString(std::move(error)));
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(Options());
      });
}

void lattn::registerPipelines() {
  registerFallible<LattnToLLVMOptions>(
      "lattn-to-llvm",
      "Lower lattn to the LLVM dialect: tiled, vectorised, parallel",
      buildLattnToLLVMPipeline);
  registerFallible<LattnToNVVMOptions>(
      "lattn-to-nvvm",
      "Lower lattn to kernels in the NVVM dialect and their launches",
      buildLattnToNVVMPipeline);
  PassPipelineRegistration<LattnToLoopsOptions>(
      "lattn-to-loops", "Lower lattn to the LLVM dialect by naive loops",
      buildLattnToLoopsPipeline);
}
