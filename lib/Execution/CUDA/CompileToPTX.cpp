//===- CompileToPTX.cpp - Attention as PTX --------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Execution/PTX.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace lattn;
namespace gpu = mlir::gpu;

static std::vector<PTXKernel> getKernels(mlir::ModuleOp module) {
  std::vector<PTXKernel> kernels;
  module.walk([&](gpu::LaunchFuncOp launch) {
    PTXKernel kernel;
    kernel.name = launch.getKernelName().str();
    kernel.threads =
        mlir::getConstantIntValue(launch.getBlockSizeX()).value_or(0);
    if (mlir::Value bytes = launch.getDynamicSharedMemorySize())
      kernel.sharedBytes = mlir::getConstantIntValue(bytes).value_or(0);
    if (auto description = launch->getAttrOfType<fragment::KernelAttr>(
            fragment::kKernelDescription))
      kernel.queries = description.getQueryTile();
    kernels.push_back(kernel);
  });
  return kernels;
}

/// The line of a comment that says how `kernel` is launched.
static std::string describe(const PTXKernel &kernel) {
  std::string line = "// " + kernel.name + ": blocks of " +
                     std::to_string(kernel.threads) + " threads, " +
                     std::to_string(kernel.sharedBytes) +
                     " bytes of dynamic shared memory";
  if (kernel.queries)
    line +=
        ", tiles of " + std::to_string(kernel.queries) + " queries of a head";
  return line + "\n";
}

Expected<PTXModule> lattn::compileToPTX(mlir::ModuleOp source,
                                        const LattnToNVVMOptions &options,
                                        std::string *warnings,
                                        ArrayRef<Signature> described) {
  mlir::MLIRContext &context = *source.getContext();
  registerTranslations(context);
  mlir::OwningOpRef<mlir::ModuleOp> module = source.clone();
  mlir::PassManager pm(&context);
  if (Error error = buildLattnToNVVMPipeline(pm, options))
    return error;
  mlir::GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  pm.addPass(mlir::createGpuModuleToBinaryPass(binary));
  PTXModule ptx;
  auto lower = [&] { return succeeded(pm.run(*module)); };
  if (Error error = collectErrors(context, lower, warnings))
    return error;
  Expected<json::Array> launches = describeLaunches(*module, described);
  if (!launches)
    return launches.takeError();
  ptx.launches = std::move(*launches);
  ptx.kernels = getKernels(*module);
  if (ptx.kernels.empty())
    return createStringError("there is no attention to make a kernel of");
  for (const PTXKernel &kernel : ptx.kernels)
    ptx.text += describe(kernel);
  module->walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      // The text ends with a 0 for the driver.
      ptx.text += StringRef(object.getObject().getValue()).rtrim('\0');
  });
  return ptx;
}
