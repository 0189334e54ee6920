//===- SharedSteps.cpp - What the pipelines have in common ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedSteps.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Pipelines/Pipelines.h"
#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lattn;

void lattn::addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void lattn::addExpandMetadata(OpPassManager &pm) {
  pm.addPass(createLattnSplitOpenAxesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
}

void lattn::addRaise(OpPassManager &pm) {
  LattnRaisePassOptions raise;
  raise.warnIfNone = true;
  pm.addPass(createLattnRaisePass(raise));
}

void lattn::addCompositeExpansion(OpPassManager &pm, bool gpu) {
  pm.addPass(createLattnSplitStridedViewsPass());
  pm.addPass(createLattnRaiseMemRefsPass());
  LattnExpandLocalAttentionPassOptions local;
  local.whole = gpu; // whose kernels take arrays as one loop
  addCompositePasses(pm, local);
  pm.addPass(createCanonicalizerPass());
}

void lattn::addExpansion(OpPassManager &pm, const ExpansionOptions &options) {
  addCompositeExpansion(pm, options.gpu);
  if (!options.gpu)
    pm.addPass(createLattnLoopOverSequencesPass());
  if (options.gpu || options.stage) {
    LattnBranchFewQueriesPassOptions branch;
    branch.gpu = options.gpu;
    branch.few = options.fewQueries;
    pm.addPass(createLattnBranchFewQueriesPass(branch));
  }
  if (!options.gpu) {
    LattnFuseQueryKeyPassOptions fuse;
    fuse.xposOnly = options.xposOnly;
    fuse.stage = options.stage;
    fuse.keepBF16 = options.keepBF16;
    pm.addPass(createLattnFuseQueryKeyPass(fuse));
  }
  if (options.gpu)
    pm.addPass(createLattnNarrowRowsPass());
  pm.addPass(createLattnRotaryToTablePass());
  if (options.gpu) {
    LattnDecomposePassOptions decompose;
    decompose.ops = {"attention_scores", "l2_normalize", "rotate_pairs"};
    pm.addPass(createLattnDecomposePass(decompose));
  }
  addCleanup(pm);
}

static void addCheckOfDialects(OpPassManager &pm) {
  LattnCheckLoweredPassOptions known;
  known.dialects = {
      "affine", "amx",     "arith",    "bufferization", "builtin",    "cf",
      "check",  "complex", "fragment", "func",          "gpu",        "index",
      "lattn",  "linalg",  "math",     "memref",        "ml_program", "scf",
      "shape",  "tensor",  "ub",       "vector",        "x86vector"};
  known.bufferizable = true;
  pm.addPass(createLattnCheckLoweredPass(known));
}

void lattn::addBufferization(OpPassManager &pm, bool gpu) {
  // arith and math on whole tensors
  pm.addPass(createConvertElementwiseToLinalgPass());
  addCheckOfDialects(pm);
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::FullyDynamicLayoutMap;
  // A loop may carry a buffer that each iteration replaces.
  options.allowReturnAllocsFromLoops = !gpu;
  pm.addPass(createLattnSeparateStartsPass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  if (gpu) // before branches that only choose an array become selects
    pm.addPass(createLattnMergeBranchesPass());
  pm.addPass(createLattnSplitStridedViewsPass());
  addCleanup(pm);
}
