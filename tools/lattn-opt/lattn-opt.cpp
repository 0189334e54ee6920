//===- lattn-opt.cpp - mlir-opt with everything of lattn registered -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/InitAll.h"
#include "lattn/OutOfMemory.h"
#include "lattn/Version.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  lattn::installOutOfMemoryHandler("lattn-opt");
  lattn::installVersionPrinter();
  mlir::DialectRegistry registry;
  lattn::registerAllDialects(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::registerAllPasses();
  lattn::registerLattnPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "lattn: attention compiler, optimizer driver\n", registry));
}
