//===- Module.cpp - MLIR as text, in and out ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/Module.h"
#include "RegisterPasses.h"
#include "Unwrap.h"
#include "lattn/Execution/PTX.h"
#include "lattn/InitAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/SourceMgr.h"
#include <cstring>
#include <mutex>

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static mlir::DialectRegistry makeRegistry() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

struct LattnContext {
  mlir::MLIRContext context{makeRegistry(),
                            mlir::MLIRContext::Threading::DISABLED};
  std::string warnings;

  LattnContext() { context.printOpOnDiagnostic(false); }
  Error collect(llvm::function_ref<bool()> action) {
    return collectErrors(context, action, &warnings, /*quiet=*/true);
  }
};

struct LattnModule {
  LattnContext &context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

LattnContext *lattnContextCreate(void) { return new LattnContext; }

void lattnContextDestroy(LattnContext *context) { delete context; }

char *lattnContextTakeWarnings(LattnContext *context) {
  if (!context)
    return nullptr;
  std::string warnings = std::move(context->warnings);
  context->warnings.clear();
  return warnings.empty() ? nullptr : strdup(warnings.c_str());
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static Error parse(LattnContext &context,
                   std::unique_ptr<llvm::MemoryBuffer> text,
                   LattnModule **result) {
  if (!text)
    return createStringError("out of memory: no room for a copy of the text");
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (Error error = context.collect([&] {
        module =
            mlir::parseSourceFile<mlir::ModuleOp>(sources, &context.context);
        return bool(module);
      }))
    return error;
  *result = new LattnModule{context, std::move(module)};
  return Error::success();
}

LattnError lattnModuleParse(LattnContext *context, const char *text,
                            size_t length, const char *bufferName,
                            LattnModule **module) {
  if (Error error = requireAll(
          {{context, "a context"}, {module, "a place for the module"}}))
    return makeError(std::move(error));
  Expected<StringRef> whole = toText(text, length);
  if (!whole)
    return makeError(whole.takeError());
  return makeError(parse(
      *context, llvm::MemoryBuffer::getMemBufferCopy(*whole, toRef(bufferName)),
      module));
}

LattnError lattnModuleParseFile(LattnContext *context, const char *path,
                                LattnModule **module) {
  if (Error error = requireAll({{context, "a context"},
                                {path, "a path"},
                                {module, "a place for the module"}}))
    return makeError(std::move(error));
  Expected<std::unique_ptr<llvm::MemoryBuffer>> text = readFile(path);
  if (!text)
    return makeError(text.takeError());
  return makeError(parse(*context, std::move(*text), module));
}

void lattnModuleDestroy(LattnModule *module) { delete module; }

char *lattnModulePrint(const LattnModule *module) {
  if (!module)
    return nullptr;
  std::string text;
  llvm::raw_string_ostream os(text);
  // Printing does not change a module, but MLIR's handles know no const.
  mlir::ModuleOp op = *const_cast<LattnModule *>(module)->module;
  op.print(os);
  os << "\n";
  return strdup(text.c_str());
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

void lattn::registerPassesOnce() {
  static std::once_flag registered;
  std::call_once(registered, registerLattnPasses);
}

static Expected<mlir::OpPassManager> parsePipeline(StringRef text) {
  static std::once_flag registered;
  std::call_once(registered, mlir::registerTransformsPasses);
  registerPassesOnce();
  std::string anchored = text.trim().str();
  if (!StringRef(anchored).starts_with("builtin.module("))
    anchored = "builtin.module(" + anchored + ")";
  std::string message;
  llvm::raw_string_ostream os(message);
  mlir::FailureOr<mlir::OpPassManager> passes =
      mlir::parsePassPipeline(anchored, os);
  if (mlir::failed(passes))
    return createStringError(StringRef(message).trim());
  return std::move(*passes);
}

static Error runPipeline(LattnModule &module, StringRef text) {
  std::string notParsed;
  // Some pipelines report what is wrong with their options to the context.
  Error failed = module.context.collect([&] {
    Expected<mlir::OpPassManager> passes = parsePipeline(text);
    if (!passes) {
      notParsed = llvm::toString(passes.takeError());
      return false;
    }
    mlir::PassManager manager(&module.context.context);
    static_cast<mlir::OpPassManager &>(manager) = std::move(*passes);
    return mlir::succeeded(manager.run(*module.module));
  });
  if (notParsed.empty())
    return failed;
  llvm::consumeError(std::move(failed));
  return createStringError(notParsed);
}

LattnError lattnModuleRunPipeline(LattnModule *module, const char *pipeline) {
  if (!module)
    return makeError(makeNullError("a module"));
  return makeError(runPipeline(*module, toRef(pipeline)));
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static Error compile(LattnModule &module, StringRef entry,
                     const LattnCompileOptions *given,
                     LattnCallable **callable) {
  Expected<CompileOptions> options = unwrap(given);
  if (!options)
    return options.takeError();
  Expected<mlir::func::FuncOp> function = findEntry(*module.module, entry);
  if (!function)
    return function.takeError();
  options->quiet = true;
  Expected<Program> compiled =
      Program::compile(*function, *options, &module.context.warnings);
  if (!compiled)
    return compiled.takeError();
  *callable = new LattnCallable(std::move(*compiled));
  return Error::success();
}

LattnError lattnModuleCompile(LattnModule *module, const char *entry,
                              const LattnCompileOptions *options,
                              LattnCallable **callable) {
  if (Error error = requireAll(
          {{module, "a module"}, {callable, "a place for the callable"}}))
    return makeError(std::move(error));
  return makeError(compile(*module, toRef(entry), options, callable));
}

static Error compilePTX(LattnModule &module, StringRef chip, char **ptx) {
  LattnToNVVMOptions options;
  options.chip = chip.str();
  Expected<PTXModule> compiled =
      compileToPTX(*module.module, options, &module.context.warnings);
  if (!compiled)
    return compiled.takeError();
  *ptx = strdup(compiled->text.c_str());
  return Error::success();
}

LattnError lattnModuleCompilePTX(LattnModule *module, const char *chip,
                                 char **ptx) {
  if (Error error = requireAll({{module, "a module"},
                                {chip, "a chip"},
                                {ptx, "a place for the text"}}))
    return makeError(std::move(error));
  return makeError(compilePTX(*module, chip, ptx));
}
