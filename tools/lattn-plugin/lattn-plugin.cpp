//===- lattn-plugin.cpp - lattn for somebody else's mlir-opt --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt --load-dialect-plugin=liblattn_plugin.so
//          --load-pass-plugin=liblattn_plugin.so
//          --pass-pipeline="builtin.module(...)"
//
//===----------------------------------------------------------------------===//

#include "lattn/InitAll.h"
#include "lattn/Version.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "lattn", lattn::getVersion(),
          [](mlir::DialectRegistry *registry) {
            lattn::registerLattnDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "lattn", lattn::getVersion(),
          lattn::registerLattnPasses};
}
