//===- Compile.cpp - From source to machine code --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CUDA/HostCode.h"
#include "PipelineOptions.h"
#include "lattn/Execution/Cache.h"
#include "lattn/Execution/CodeGen.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static llvm::StringRef getSeverityName(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  case mlir::DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("unknown severity");
}

/// "file:line:column: ", or nothing for an unknown location. A module that the
/// file does not write has no line.
static void printPlace(llvm::raw_ostream &os, mlir::Location loc) {
  auto place = loc->findInstanceOf<mlir::FileLineColLoc>();
  if (!place)
    return;
  os << place.getFilename().getValue() << ':';
  if (place.getLine())
    os << place.getLine() << ':' << place.getColumn() << ':';
  os << ' ';
}

Error lattn::collectErrors(mlir::MLIRContext &context,
                           llvm::function_ref<bool()> action,
                           std::string *warnings, bool quiet) {
  std::string text, other;
  llvm::raw_string_ostream os(text), otherStream(other);
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        bool isError =
            diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        llvm::raw_ostream &to = isError ? os : otherStream;
        if (isError && !text.empty())
          to << '\n';
        printPlace(to, diagnostic.getLocation());
        if (!isError)
          to << getSeverityName(diagnostic.getSeverity()) << ": ";
        to << diagnostic.str();
        for (mlir::Diagnostic &note : diagnostic.getNotes()) {
          // The op in full is for compiler engineers: mlir-opt prints it.
          if (note.str().size() > 400)
            continue;
          to << '\n';
          printPlace(to, note.getLocation());
          to << "note: " << note.str();
        }
        if (isError)
          return mlir::success();
        to << '\n';
        if (!quiet)
          llvm::errs() << other;
        if (warnings)
          *warnings += other;
        other.clear();
        return mlir::success();
      });
  if (action())
    return Error::success();
  if (text.empty())
    text = "cannot compile the module";
  return createStringError(text);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

void lattn::setPipelineOptions(LattnToLLVMOptions &pipeline,
                               const CompileOptions &options) {
  pipeline.raise = options.raise;
  pipeline.cpu = options.cpu;
  pipeline.attributes = options.attributes;
  pipeline.queryTile = options.queryTile;
  pipeline.keyTile = options.keyTile;
  pipeline.parts = options.parts;
  pipeline.bf16 = options.bf16;
  if (options.tuned)
    pipeline.tuned = formatTuned(*options.tuned);
}

static Error buildPipeline(mlir::OpPassManager &pm,
                           const CompileOptions &options) {
  if (options.pipeline == Pipeline::Loops) {
    LattnToLoopsOptions loops;
    loops.raise = options.raise;
    loops.genericAlloc = true;
    buildLattnToLoopsPipeline(pm, loops);
    return Error::success();
  }
  LattnToLLVMOptions llvm;
  llvm.genericAlloc = true;
  setPipelineOptions(llvm, options);
  return buildLattnToLLVMPipeline(pm, llvm);
}

/// Names of arguments mean nothing below, where LLVM would warn of them.
static void dropNames(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, kNameAttribute);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.removeResultAttr(
          i, mlir::StringAttr::get(module.getContext(), kNameAttribute));
  }
}

/// Bufferization may write to a tensor argument that is read no more; but it is
/// the caller's array.
static void protectArguments(mlir::ModuleOp module) {
  llvm::StringRef writable =
      mlir::bufferization::BufferizationDialect::kWritableAttrName;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (function.isPublic() && mlir::isa<mlir::TensorType>(type) &&
          !function.getArgAttr(i, writable))
        function.setArgAttr(i, writable,
                            mlir::BoolAttr::get(module.getContext(), false));
}

mlir::OwningOpRef<mlir::ModuleOp> lattn::prepareModule(mlir::ModuleOp source) {
  mlir::OwningOpRef<mlir::ModuleOp> module = source.clone();
  dropNames(*module);
  protectArguments(*module);
  return module;
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
lattn::lowerToLLVM(mlir::ModuleOp source, const CompileOptions &options,
                   std::string *warnings) {
  mlir::OwningOpRef<mlir::ModuleOp> module = prepareModule(source);
  mlir::PassManager pm(module->getContext());
  if (options.useCommandLine && failed(mlir::applyPassManagerCLOptions(pm)))
    return createStringError("cannot apply the pass manager's options");
  // The source was verified, and each pass's output is tested.
  pm.enableVerifier(false);
  if (Error error = buildPipeline(pm, options))
    return error;
  auto lower = [&] {
    return succeeded(pm.run(*module)) &&
           succeeded(addSizeChecks(*module, source));
  };
  if (Error error =
          collectErrors(*module->getContext(), lower, warnings, options.quiet))
    return error;
  return module;
}

Expected<std::unique_ptr<llvm::MemoryBuffer>>
lattn::compileToObject(mlir::ModuleOp source, const CompileOptions &options,
                       std::string *warnings) {
  Expected<TargetInfo> target = getTargetInfo(options.cpu, options.attributes);
  if (!target)
    return target.takeError();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      lowerToLLVM(source, options, warnings);
  if (!module)
    return module.takeError();
  std::unique_ptr<llvm::MemoryBuffer> object;
  Error failed = Error::success();
  auto emit = [&] {
    auto compiled = compileToObject(**module, *target);
    if (!compiled) {
      failed = llvm::joinErrors(std::move(failed), compiled.takeError());
      return false;
    }
    object = std::move(*compiled);
    return true;
  };
  Error error =
      collectErrors(*source->getContext(), emit, warnings, options.quiet);
  if (error || failed)
    return llvm::joinErrors(std::move(error), std::move(failed));
  return object;
}

/// The entry's module without what the entry does not call.
static mlir::OwningOpRef<mlir::ModuleOp> takeEntry(mlir::func::FuncOp entry) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      entry->getParentOfType<mlir::ModuleOp>().clone();
  for (auto function : module->getOps<mlir::func::FuncOp>())
    if (function.getName() != entry.getName())
      function.setPrivate();
  mlir::PassManager pm(module->getContext());
  pm.addPass(mlir::createSymbolDCEPass());
  (void)pm.run(*module); // it can't fail
  return module;
}

Expected<CompiledCode> lattn::compileCode(mlir::func::FuncOp source,
                                          const CompileOptions &options) {
  CompiledCode code;
  Expected<Signature> signature = getSignature(source);
  if (!signature)
    return signature.takeError();
  code.signature = std::move(*signature);
  mlir::OwningOpRef<mlir::ModuleOp> module = takeEntry(source);
  if (options.pipeline == Pipeline::CUDA) {
    Expected<CUDACode> gpu = compileForCUDA(*module, options, &code.warnings);
    if (!gpu)
      return gpu.takeError();
    code.object = std::move(gpu->object);
    code.kernels = std::move(gpu->kernels);
    return code;
  }
  auto object = compileToObject(*module, options, &code.warnings);
  if (!object)
    return object.takeError();
  code.object = std::move(*object);
  return code;
}
