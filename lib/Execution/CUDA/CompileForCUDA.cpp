//===- CompileForCUDA.cpp - From source to kernels and the host's code ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JIT/PipelineOptions.h"
#include "HostCode.h"
#include "lattn/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lattn;
using llvm::Error;
using llvm::Expected;

/// Launches and what they need on the host -> LLVM dialect.
static void buildHostPipeline(OpPassManager &pm) {
  pm.addPass(createLattnSplitOpenAxesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createLattnExpandLibraryCallsPass()); // asserts must not abort
  pm.addPass(createSCFToControlFlowPass());
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  LattnCheckLoweredPassOptions check;
  check.dialects = {"gpu"}; // launches, which become calls
  pm.addPass(createLattnCheckLoweredPass(check));
}

Expected<CUDACode> lattn::compileForCUDA(ModuleOp source,
                                         const CompileOptions &given,
                                         std::string *warnings) {
  MLIRContext &context = *source.getContext();
  OwningOpRef<ModuleOp> module = prepareModule(source);
  PassManager kernels(&context), host(&context);
  for (PassManager *pm : {&kernels, &host})
    if (Error error = setUp(*pm, given))
      return error;
  kernels.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  LattnToNVVMOptions options;
  options.raise = given.raise;
  options.chip = given.chip;
  if (Error error = buildLattnToKernelsPipeline(kernels, options))
    return error;
  buildHostPipeline(host);
  CUDACode code;
  auto lower = [&] {
    if (failed(kernels.run(*module)))
      return false;
    code.kernels = takeKernels(*module);
    makeTensorMaps(*module);
    return succeeded(host.run(*module)) &&
           succeeded(addSizeChecks(*module, source));
  };
  if (Error error = collectErrors(context, lower, warnings, given.quiet))
    return error;
  if (code.kernels.empty())
    return llvm::createStringError("there is no attention to run on a GPU");
  callLaunches(*module);
  Expected<TargetInfo> target = getTargetInfo(given.cpu, given.attributes);
  if (!target)
    return target.takeError();
  auto object = compileToObject(*module, *target);
  if (!object)
    return object.takeError();
  code.object = std::move(*object);
  return code;
}
