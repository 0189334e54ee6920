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
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lattn;

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
  pm.addPass(createLattnRaiseMemRefsPass());
  LattnTilePassOptions tile;
  tile.gpu = true;
  tile.queryTile = options.queryTile;
  tile.keyTile = options.keyTile;
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
  addKernelLowering(pm.nest<gpu::GPUModuleOp>());
  GpuNVVMAttachTargetOptions target;
  target.chip = options.chip;
  target.features = options.features;
  target.optLevel = 3;
  pm.addPass(createGpuNVVMAttachTarget(target));
  return llvm::Error::success();
}
