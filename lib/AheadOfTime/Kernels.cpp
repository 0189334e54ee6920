//===- Kernels.cpp - Kernels for a GPU ------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"
#include "lattn/Execution/PTX.h"
#include "lattn/Target/PTXAssembler.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

static void printWarnings(const PTXReport &report) {
  for (const std::string &warning : report.warnings)
    llvm::errs() << "lattn-compile: warning: ptxas: " << warning << '\n';
  for (const PTXKernelReport &kernel : report.kernels)
    if (int64_t bytes = kernel.spillStoreBytes + kernel.spillLoadBytes)
      llvm::errs() << "lattn-compile: warning: kernel '" << kernel.name
                   << "' spills registers: " << bytes
                   << " bytes stored and loaded by a thread\n";
}

Error lattn::readGPUOptions(llvm::StringRef text, LattnToNVVMOptions &options) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  if (succeeded(options.parseFromString(text, os)))
    return Error::success();
  if (errors.empty()) // LLVM has printed it
    errors = "expected options of lattn-to-nvvm, got '" + text.str() + "'";
  return llvm::createStringError("--gpu-options: " +
                                 llvm::StringRef(errors).trim().str());
}

/// What ptxas says of kernels.
static json::Array describe(const PTXReport &report) {
  json::Array kernels;
  for (const PTXKernelReport &kernel : report.kernels)
    kernels.push_back(json::Object{
        {"name", kernel.name},
        {"registers", kernel.registers},
        {"spillBytes", kernel.spillStoreBytes + kernel.spillLoadBytes},
        {"staticShared", kernel.sharedBytes}});
  return kernels;
}

Expected<GPUKernels>
lattn::compileKernels(mlir::ModuleOp source, const AheadOfTimeOptions &options,
                      llvm::ArrayRef<Signature> functions) {
  LattnToNVVMOptions pipeline;
  if (Error error = readGPUOptions(options.gpuOptions, pipeline))
    return error;
  pipeline.chip = options.chip;
  if (options.compile.raise)
    pipeline.raise = true;
  bool isDescribed = !options.launchRecord.empty();
  if (!isDescribed)
    functions = {};
  Expected<PTXModule> ptx =
      compileToPTX(source, pipeline, /*warnings=*/nullptr, functions);
  if (!ptx)
    return ptx.takeError();
  GPUKernels kernels;
  kernels.bytes = std::move(ptx->text);
  json::Object record{{"chip", options.chip},
                      {"functions", std::move(ptx->launches)}};
  if (options.emit == Emit::Cubin) {
    Expected<AssembledPTX> assembled = assemblePTX(kernels.bytes, options.chip);
    if (!assembled)
      return llvm::createStringError(llvm::toString(assembled.takeError()) +
                                     " (--emit=ptx needs no ptxas)");
    printWarnings(assembled->report);
    kernels.bytes = std::move(assembled->cubin);
    record["kernels"] = describe(assembled->report);
  }
  if (isDescribed)
    llvm::raw_string_ostream(kernels.launchRecord)
        << llvm::formatv("{0:2}\n", json::Value(std::move(record)));
  return kernels;
}
