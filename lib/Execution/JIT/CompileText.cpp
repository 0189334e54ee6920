//===- CompileText.cpp - From text to a callable --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Cache.h"
#include "lattn/InitAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace lattn;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Expected<CompiledCode> compileText(StringRef text, StringRef bufferName,
                                          StringRef entry,
                                          const CompileOptions &options) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  // A message and its place say enough; whole ops fill the screen.
  context.printOpOnDiagnostic(false);
  auto copy = llvm::MemoryBuffer::getMemBufferCopy(text, bufferName);
  if (!copy)
    return llvm::createStringError(
        "out of memory: no room for a copy of the text");
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(copy), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module;
  auto parse = [&] {
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
    return bool(module);
  };
  std::string warnings;
  if (Error error = collectErrors(context, parse, &warnings, options.quiet))
    return error;
  Expected<mlir::func::FuncOp> function = findEntry(*module, entry);
  if (!function)
    return function.takeError();
  Expected<CompiledCode> code = compileCode(*function, options);
  if (code)
    code->warnings.insert(0, warnings);
  return code;
}

Expected<CompiledCode>
lattn::loadOrCompile(StringRef text, StringRef bufferName, StringRef entry,
                     CompileOptions options, bool *fromCache) {
  Expected<TargetInfo> target = getTargetInfo(options.cpu, options.attributes);
  if (!target)
    return target.takeError();
  if (Error error = checkRunsHere(*target))
    return error;
  std::optional<Cache> cache = Cache::open(options.cache);
  if (options.pipeline != Pipeline::LLVM)
    options.tuned.reset(); // there are no tiles of a CPU
  else if (!options.tuned && cache)
    options.tuned = cache->readTuned(*target);
  std::optional<std::string> key;
  if (cache && !options.useCommandLine)
    key = getCacheKey(text, bufferName, entry, options, *target);
  if (key)
    if (std::optional<CompiledCode> code = cache->find(*key)) {
      if (!options.quiet)
        llvm::errs() << code->warnings;
      if (fromCache)
        *fromCache = true;
      return std::move(*code);
    }
  Expected<CompiledCode> code = ::compileText(text, bufferName, entry, options);
  if (!code)
    return code.takeError();
  if (key)
    cache->store(*key, *code);
  return code;
}
