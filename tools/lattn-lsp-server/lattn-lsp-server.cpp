//===- lattn-lsp-server.cpp - Diagnostics, hover and more for editors -----===//
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
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LogicalResult.h"

int main(int argc, char **argv) {
  lattn::installOutOfMemoryHandler("lattn-lsp-server");
  lattn::installVersionPrinter();
  mlir::DialectRegistry registry;
  lattn::registerAllDialects(registry);
  return llvm::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
