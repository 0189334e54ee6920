//===- CompileKernel.cpp - A kernel on fragments to what is loaded --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Cache/CacheFolder.h"
#include "HostCode.h"
#include "lattn/InitAll.h"
#include "lattn/Pipelines/Pipelines.h"
#include "lattn/Target/PTXAssembler.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

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

Error lattn::setUp(PassManager &pm, const CompileOptions &options) {
  if (options.useCommandLine && failed(applyPassManagerCLOptions(pm)))
    return llvm::createStringError("cannot apply the pass manager's options");
  // The source was verified, and each pass's output is tested.
  pm.enableVerifier(false);
  return Error::success();
}

static Expected<std::string> compileToPTX(const KernelSource &kernel,
                                          const CompileOptions &options,
                                          std::string *warnings) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  registerTranslations(context);
  PassManager pm(&context);
  if (Error error = setUp(pm, options))
    return error;
  if (Error error = buildKernelsToNVVMPipeline(pm, options.chip))
    return error;
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(binary));
  OwningOpRef<ModuleOp> module;
  auto lower = [&] {
    module = parseSourceString<ModuleOp>(kernel.bytecode,
                                         ParserConfig(&context, false));
    return module && succeeded(pm.run(*module));
  };
  if (Error error = collectErrors(context, lower, warnings, options.quiet))
    return error;
  std::string ptx;
  for (auto binary : module->getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      // The text ends with a 0 for the driver.
      ptx += object.getObject().getValue().rtrim('\0');
  return ptx;
}

/// Machine code if ptxas is found and knows the chip; else PTX, with a remark.
static Expected<CompiledCode> compile(const KernelSource &kernel,
                                      const CompileOptions &options) {
  CompiledCode code;
  Expected<std::string> image = compileToPTX(kernel, options, &code.warnings);
  if (!image)
    return image.takeError();
  std::string remark;
  Expected<AssembledPTX> assembled = assemblePTX(*image, options.chip);
  if (assembled) {
    for (const std::string &warning : assembled->report.warnings)
      remark += "warning: ptxas: " + warning + "\n";
    image = std::move(assembled->cubin);
  } else {
    std::string why = llvm::toString(assembled.takeError());
    remark = "remark: the driver is left to compile " + kernel.name +
             "'s PTX: " + why + "\n";
  }
  if (!options.quiet)
    llvm::errs() << remark;
  code.warnings += remark;
  code.object = llvm::MemoryBuffer::getMemBufferCopy(*image, "lattn");
  return code;
}

Error lattn::loadOrCompileKernel(
    const KernelSource &kernel, const CompileOptions &options,
    llvm::function_ref<Error(llvm::StringRef image)> load) {
  std::optional<Cache> cache;
  if (!options.useCommandLine)
    cache = Cache::open(options.cache);
  std::optional<KernelKeys> keys;
  if (cache)
    keys = getKernelKeys(kernel.bytecode, options.chip);
  if (keys)
    for (const std::string *key : {&keys->machineCode, &keys->ptx})
      if (std::optional<CompiledCode> code = cache->find(*key)) {
        if (!options.quiet)
          llvm::errs() << code->warnings;
        Error error = load(code->object->getBuffer());
        if (!error)
          return error;
        // It may come from a machine with a newer driver.
        warnOfCache(quoteCache(cache->getFolder()), std::move(error));
      }
  Expected<CompiledCode> code = compile(kernel, options);
  if (!code)
    return code.takeError();
  llvm::StringRef image = code->object->getBuffer();
  if (Error error = load(image))
    return error;
  if (keys)
    cache->store(image.starts_with("\x7f"
                                   "ELF")
                     ? keys->machineCode
                     : keys->ptx,
                 *code);
  return Error::success();
}
