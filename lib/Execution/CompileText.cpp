//===- CompileText.cpp - From text to a callable --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Callable.h"
#include "lattn/InitAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace lattn;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

Expected<Callable> Callable::compileText(StringRef text, StringRef bufferName,
                                         StringRef entry,
                                         const CompileOptions &options) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  // A message and its place say enough; whole ops fill the screen.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, bufferName), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module;
  auto parse = [&] {
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
    return bool(module);
  };
  if (Error error = collectErrors(context, parse))
    return error;
  Expected<mlir::func::FuncOp> function = findEntry(*module, entry);
  if (!function)
    return function.takeError();
  return compile(*function, options);
}
