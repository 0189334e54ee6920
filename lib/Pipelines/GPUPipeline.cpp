//===- GPUPipeline.cpp - From lattn to NVVM -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The GPU's half: from the tile ops that the CPU has too to PTX.

#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Pipelines/Pipelines.h"
#include "lattn/Target/GPUTarget.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lattn;

/// Of our kernels, by their registers.
static constexpr int64_t kBlocksOfMultiprocessor = 2;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// A kernel on fragments -> NVVM and LLVM dialects.
static void addKernelLowering(OpPassManager &pm) {
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createConvertFragmentToNVVMPass());
  addCleanup(pm);
  pm.addPass(memref::createExpandStridedMetadataPass());
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
}

llvm::Error lattn::buildLattnToNVVMPipeline(OpPassManager &pm,
                                            const LattnToNVVMOptions &options) {
  llvm::Expected<GPUTarget> chip = getGPUTarget(options.chip);
  if (!chip)
    return chip.takeError();
  pm.addPass(createLattnRaiseMemRefsPass());
  LattnBranchOneQueryPassOptions branch;
  branch.anyHeads = true;
  pm.addPass(createLattnBranchOneQueryPass(branch));
  addCleanup(pm);
  LattnChooseGPUTilesPassOptions choose;
  choose.queryTile = options.queryTile;
  choose.keyTile = options.keyTile;
  choose.warps = options.warps;
  choose.stages = options.stages;
  choose.sharedBytes = chip->sharedBytes;
  pm.addPass(createLattnChooseGPUTilesPass(choose));
  LattnSplitKVForGPUPassOptions split;
  split.parts = options.parts;
  split.slots = chip->multiprocessors * kBlocksOfMultiprocessor;
  pm.addPass(createLattnSplitKVForGPUPass(split));
  LattnTilePassOptions tile;
  tile.gpu = true;
  pm.addPass(createLattnTilePass(tile));
  ConvertLattnToFragmentPassOptions fragment;
  fragment.warps = options.warps;
  pm.addPass(createConvertLattnToFragmentPass(fragment));
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::FullyDynamicLayoutMap;
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  addCleanup(pm);
  pm.addPass(createLattnMapToGPUPass());
  LattnStageSharedPassOptions stage;
  stage.stages = options.stages;
  pm.addPass(createLattnStageSharedPass(stage));
  addCleanup(pm);
  pm.addPass(createLattnSinkIntoLaunchPass());
  pm.addPass(createGpuKernelOutliningPass());
  pm.addPass(createLattnGatherKernelsPass());
  addKernelLowering(pm.nest<gpu::GPUModuleOp>());
  GpuNVVMAttachTargetOptions target;
  target.chip = chip->chip;
  target.features = chip->features;
  target.optLevel = 3;
  pm.addPass(createGpuNVVMAttachTarget(target));
  return llvm::Error::success();
}
