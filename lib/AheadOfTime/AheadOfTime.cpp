//===- AheadOfTime.cpp - What lattn-compile does --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/AheadOfTime/AheadOfTime.h"
#include "../Execution/Arrays/FileAccess.h"
#include "Forms.h"
#include "lattn/Execution/CodeGen.h"
#include "lattn/InitAll.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include <set>

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Arguments without a name of their own get the one that they have in the
/// text: nothing else keeps it.
static void nameArguments(mlir::func::FuncOp function,
                          const mlir::AsmParserState &state) {
  if (function.isDeclaration())
    return;
  const auto *block = state.getBlockDef(&function.getBody().front());
  if (!block || block->arguments.size() != function.getNumArguments())
    return;
  std::set<std::string> taken;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto name =
            function.getArgAttrOfType<mlir::StringAttr>(i, kNameAttribute))
      taken.insert(name.str());
  for (auto [i, argument] : llvm::enumerate(block->arguments)) {
    const llvm::SMRange &range = argument.loc;
    if (!range.isValid() || function.getArgAttr(i, kNameAttribute))
      continue;
    StringRef name(range.Start.getPointer(),
                   range.End.getPointer() - range.Start.getPointer());
    if (name.consume_front("%") && isIdentifier(name) &&
        taken.insert(name.str()).second)
      function.setArgAttr(i, kNameAttribute,
                          mlir::StringAttr::get(function.getContext(), name));
  }
}

static mlir::OwningOpRef<mlir::ModuleOp>
parseText(const llvm::SourceMgr &sources, mlir::MLIRContext &context) {
  mlir::Block block;
  mlir::AsmParserState state;
  if (failed(mlir::parseAsmSourceFile(sources, &block, &context, &state)))
    return {};
  auto module =
      mlir::detail::constructContainerOpForParserIfNecessary<mlir::ModuleOp>(
          &block, &context, mlir::UnknownLoc::get(&context));
  if (module)
    for (auto function : module->getOps<mlir::func::FuncOp>())
      nameArguments(function, state);
  return module;
}

static Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseFile(mlir::MLIRContext &context, const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!buffer)
    return createStringError("cannot read '" + file +
                             "': " + buffer.getError().message());
  llvm::SourceMgr sources;
  bool isText = !mlir::isBytecode((*buffer)->getMemBufferRef());
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module;
  auto parse = [&] {
    module = isText ? parseText(sources, context)
                    : mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
    return bool(module);
  };
  if (Error error = collectErrors(context, parse))
    return error;
  return module;
}

/// The functions that C can call.
static Expected<std::vector<Signature>> getSignatures(mlir::ModuleOp module) {
  std::vector<Signature> signatures;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic() || function.isDeclaration())
      continue;
    Expected<Signature> signature = getSignature(function);
    if (!signature)
      return createStringError("function '" + function.getName().str() +
                               "': " + llvm::toString(signature.takeError()));
    signatures.push_back(std::move(*signature));
  }
  if (signatures.empty())
    return createStringError(
        "the outermost module has no public function to compile");
  return signatures;
}

/// The code itself: an object, the library or LLVM IR of it.
static Expected<std::string> compileModule(mlir::ModuleOp source,
                                           const AheadOfTimeOptions &options) {
  Expected<TargetInfo> target =
      getTargetInfo(options.compile.cpu, options.compile.attributes);
  if (!target)
    return target.takeError();
  auto machine = createTargetMachine(*target);
  if (!machine)
    return machine.takeError();
  auto lowered = lowerToLLVM(source, options.compile);
  if (!lowered)
    return lowered.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code;
  Error failed = Error::success();
  auto translate = [&] {
    auto translated = translateToLLVMIR(**lowered, context, **machine);
    if (translated)
      code = std::move(*translated);
    else
      failed = llvm::joinErrors(std::move(failed), translated.takeError());
    return bool(code);
  };
  Error error = collectErrors(*source->getContext(), translate);
  if (error || failed)
    return llvm::joinErrors(std::move(error), std::move(failed));
  if (Error error = prepareForC(*code))
    return error;
  optimize(*code, **machine);
  if (options.emit == Emit::LLVMIR) {
    std::string text;
    llvm::raw_string_ostream(text) << *code;
    return text;
  }
  auto object = emitObject(*code, **machine);
  if (!object)
    return object.takeError();
  StringRef bytes = (*object)->getBuffer();
  return options.emit == Emit::Shared ? linkShared(bytes, options.output)
                                      : Expected<std::string>(bytes.str());
}

static Error writeOutput(StringRef bytes, StringRef path, unsigned mode) {
  if (path == "-") {
    llvm::outs() << bytes;
    llvm::outs().flush();
    std::error_code code = llvm::outs().error();
    llvm::outs().clear_error();
    return code ? createStringError("cannot write to standard output: " +
                                    code.message())
                : Error::success();
  }
  if (Error error = writeParts(path.str(), bytes, mode))
    return createStringError("cannot write '" + path +
                             "': " + llvm::toString(std::move(error)));
  return Error::success();
}

/// What would be found at the end only.
static Error checkOutputs(const AheadOfTimeOptions &options) {
  for (const std::string &path : {options.output, options.launchRecord})
    if (!path.empty() && path != "-")
      if (Error error = checkWritable(path))
        return error;
  return Error::success();
}

static Error writeKernels(mlir::ModuleOp module,
                          llvm::ArrayRef<Signature> signatures,
                          const AheadOfTimeOptions &options) {
  Expected<GPUKernels> kernels = compileKernels(module, options, signatures);
  if (!kernels)
    return kernels.takeError();
  if (Error error = writeOutput(kernels->bytes, options.output, 0666))
    return error;
  if (options.launchRecord.empty())
    return Error::success();
  return writeOutput(kernels->launchRecord, options.launchRecord, 0666);
}

Error lattn::compileAheadOfTime(const AheadOfTimeOptions &options) {
  if (Error error = checkOutputs(options))
    return error;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  auto module = parseFile(context, options.file);
  if (!module)
    return module.takeError();
  Expected<std::vector<Signature>> signatures = getSignatures(**module);
  if (!signatures)
    return signatures.takeError();
  if (isForGPU(options.emit))
    return writeKernels(**module, *signatures, options);
  Expected<std::string> bytes = options.emit == Emit::Header
                                    ? writeHeader(*signatures)
                                    : compileModule(**module, options);
  if (!bytes)
    return bytes.takeError();
  return writeOutput(*bytes, options.output,
                     options.emit == Emit::Shared ? 0777 : 0666);
}
