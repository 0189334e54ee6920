//===- GPUPipeline.cpp - From lattn to NVVM -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The GPU's half: from the tile ops that the CPU has too to PTX.

#include "SharedSteps.h"
#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Pipelines/Pipelines.h"
#include "lattn/Target/GPUTarget.h"
#include "lattn/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"

using namespace mlir;
using namespace lattn;

/// A kernel on fragments -> NVVM and LLVM dialects.
static void addKernelLowering(OpPassManager &pm, bool hasWarpgroups) {
  addExpandMetadata(pm);
  pm.addPass(createConvertFragmentToNVVMPass());
  addCleanup(pm);
  addExpandMetadata(pm);
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertNVGPUToNVVMPass());
  addCleanup(pm);
  pm.addPass(createSCFToControlFlowPass());
  // Before gpu-to-nvvm, which would call libdevice for them.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertGpuOpsToNVVMOps());
  addCleanup(pm);
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (hasWarpgroups) {
    pm.addPass(createLattnFinishKernelsPass());
    pm.addPass(createConvertNVVMToLLVMPass());
  }
}

/// Attention of lattn -> tiles in loops over blocks, whose state is fragments.
static void addTiling(OpPassManager &pm, const LattnToNVVMOptions &options,
                      const GPUTarget &target) {
  // A kernel with warpgroups has as many warps as its tile needs.
  int64_t warps = options.warps || target.hasWarpgroups ? int64_t(options.warps)
                                                        : GPUTarget::usualWarps;
  LattnChooseGPUTilesPassOptions choose;
  choose.chip = target.chip;
  choose.queryTile = options.queryTile;
  choose.keyTile = options.keyTile;
  choose.warps = warps;
  choose.stages = options.stages;
  pm.addPass(createLattnChooseGPUTilesPass(choose));
  pm.addPass(createLattnBranchTensorMapsPass());
  LattnSplitKVPassOptions split;
  split.parts = options.parts;
  split.slots = target.countSlots();
  split.gpu = true;
  pm.addPass(createLattnSplitKVPass(split));
  LattnTileGradPassOptions grad;
  grad.gpu = true;
  pm.addPass(createLattnTileGradPass(grad));
  LattnTilePassOptions tile; // last: it warns of sequences that are copied
  tile.gpu = true;
  pm.addPass(createLattnTilePass(tile));
  LattnDecomposePassOptions merge;
  merge.ops = {"merge"};
  pm.addPass(createLattnDecomposePass(merge));
  ConvertLattnToFragmentPassOptions fragment;
  fragment.warps = warps;
  pm.addPass(createConvertLattnToFragmentPass(fragment));
}

/// Loops over blocks and over elements -> launches of grids.
static void addMapping(OpPassManager &pm) {
  addBufferization(pm, /*gpu=*/true);
  pm.addPass(createLattnMapLinalgToGPUPass());
  // Of what merges parts, by elements.
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createLattnPromoteScratchPass());
  pm.addPass(createLattnMapToGPUPass());
}

/// Sweeps over keys -> loops whose tiles go through shared memory, by warps
/// with roles where the chip has warpgroups.
static void addStaging(OpPassManager &pm, const LattnToNVVMOptions &options,
                       const GPUTarget &target) {
  if (target.hasWarpgroups) {
    LattnSpecializeWarpsPassOptions specialize;
    specialize.stages = options.stages;
    specialize.multiprocessors = options.multiprocessors < 0
                                     ? target.multiprocessors
                                     : options.multiprocessors;
    pm.addPass(createLattnSpecializeWarpsPass(specialize));
    LattnOverlapProductsPassOptions overlap;
    overlap.pingPong = options.pingPong;
    pm.addPass(createLattnOverlapProductsPass(overlap));
  }
  LattnStageSharedPassOptions stage;
  stage.stages = options.stages;
  pm.addPass(createLattnStageSharedPass(stage));
  LattnDecomposePassOptions loops;
  loops.ops = {"sweep_keys"};
  pm.addPass(createLattnDecomposePass(loops));
  addCleanup(pm);
}

/// Launches -> kernels in one module, which the host calls.
static void addOutlining(OpPassManager &pm) {
  pm.addPass(createLattnBranchInKernelsPass());
  pm.addPass(createLattnSinkIntoLaunchPass());
  pm.addPass(createGpuKernelOutliningPass());
  pm.addPass(createLattnGatherKernelsPass());
  pm.addPass(createLattnCheckHostPass());
}

llvm::Error
lattn::buildLattnToKernelsPipeline(OpPassManager &pm,
                                   const LattnToNVVMOptions &options) {
  llvm::Expected<GPUTarget> target = getGPUTarget(options.chip);
  if (!target)
    return target.takeError();
  if (options.raise)
    addRaise(pm);
  ExpansionOptions expansion;
  expansion.gpu = true;
  addExpansion(pm, expansion);
  addTiling(pm, options, *target);
  addMapping(pm);
  addStaging(pm, options, *target);
  addOutlining(pm);
  return llvm::Error::success();
}

llvm::Error lattn::buildKernelsToNVVMPipeline(OpPassManager &pm,
                                              llvm::StringRef chip) {
  llvm::Expected<GPUTarget> target = getGPUTarget(chip);
  if (!target)
    return target.takeError();
  addKernelLowering(pm.nest<gpu::GPUModuleOp>(), target->hasWarpgroups);
  GpuNVVMAttachTargetOptions attach;
  attach.chip = target->chip;
  attach.features = target->features;
  attach.optLevel = 3;
  pm.addPass(createGpuNVVMAttachTarget(attach));
  LattnCheckLoweredPassOptions check;
  // What lattn-to-llvm lowers of a host that touches no memory.
  check.dialects = {"affine", "arith", "cf",    "complex", "func",
                    "gpu",    "index", "math",  "memref",  "nvgpu",
                    "scf",    "ub",    "vector"};
  pm.addPass(createLattnCheckLoweredPass(check));
  return llvm::Error::success();
}

llvm::Error lattn::buildLattnToNVVMPipeline(OpPassManager &pm,
                                            const LattnToNVVMOptions &options) {
  if (llvm::Error error = buildLattnToKernelsPipeline(pm, options))
    return error;
  return buildKernelsToNVVMPipeline(pm, options.chip);
}
