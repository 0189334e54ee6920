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

using namespace lattn;
using llvm::Error;
using llvm::Expected;

static void printWarnings(const PTXReport &report) {
  for (const std::string &warning : report.warnings)
    llvm::errs() << "lattn-compile: warning: ptxas: " << warning << '\n';
  for (const PTXKernelReport &kernel : report.kernels)
    if (int64_t bytes = kernel.spillStoreBytes + kernel.spillLoadBytes)
      llvm::errs() << "lattn-compile: warning: kernel '" << kernel.name
                   << "' spills registers: " << bytes
                   << " bytes stored and loaded by a thread\n";
}

Expected<std::string> lattn::compileKernels(mlir::ModuleOp source,
                                            llvm::StringRef chip,
                                            bool assemble) {
  LattnToNVVMOptions options;
  options.chip = chip.str();
  Expected<PTXModule> ptx = compileToPTX(source, options);
  if (!ptx)
    return ptx.takeError();
  if (!assemble)
    return ptx->text;
  Expected<AssembledPTX> assembled = assemblePTX(ptx->text, chip);
  if (!assembled)
    return assembled.takeError();
  printWarnings(assembled->report);
  return assembled->cubin;
}
