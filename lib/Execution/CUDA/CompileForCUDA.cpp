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
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace lattn;
using llvm::Error;
using llvm::Expected;

void lattn::registerTranslations(MLIRContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  context.appendDialectRegistry(registry);
}

/// Launches and what they need on the host -> LLVM dialect.
static void buildHostPipeline(OpPassManager &pm) {
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(binary));
  pm.addPass(createLattnSplitOpenAxesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
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
  registerTranslations(context);
  OwningOpRef<ModuleOp> module = prepareModule(source);
  PassManager kernels(&context), host(&context);
  if (given.useCommandLine)
    for (PassManager *pm : {&kernels, &host})
      if (failed(applyPassManagerCLOptions(*pm)))
        return llvm::createStringError(
            "cannot apply the pass manager's options");
  kernels.addNestedPass<func::FuncOp>(LLVM::createLLVMRequestCWrappersPass());
  LattnToNVVMOptions options;
  options.raise = given.raise;
  options.chip = given.chip;
  if (Error error = buildLattnToNVVMPipeline(kernels, options))
    return error;
  buildHostPipeline(host);
  auto lower = [&] {
    if (failed(kernels.run(*module)))
      return false;
    makeTensorMaps(*module);
    return succeeded(host.run(*module)) &&
           succeeded(addSizeChecks(*module, source));
  };
  if (Error error = collectErrors(context, lower, warnings, given.quiet))
    return error;
  CUDACode code;
  code.ptx = takeKernels(*module);
  if (code.ptx.empty())
    return llvm::createStringError("there is no attention to run on a GPU");
  Expected<TargetInfo> target = getTargetInfo();
  if (!target)
    return target.takeError();
  auto object = compileToObject(*module, *target);
  if (!object)
    return object.takeError();
  code.object = std::move(*object);
  return code;
}
