//===- Judge.cpp - Parses, verifies, prints, compiles ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "lattn/Pipelines/Pipelines.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Parser/Parser.h"

using namespace lattn;
using namespace lattn::fuzz;
using llvm::createStringError;
using llvm::Error;
using llvm::StringRef;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace {
/// The errors of one step: what they say and whether each says where.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
            return mlir::success();
          std::string message = diagnostic.str();
          isEmpty |= message.empty();
          hasPlace |= bool(diagnostic.getLocation()
                               ->findInstanceOf<mlir::FileLineColLoc>()) ||
                      isPlacedByNobody(message);
          if (text.size() < 2000)
            text += message + "\n";
          return mlir::success();
        }) {}

  /// A refusal is right where its first error says what and where.
  Judgement judge(Verdict verdict, const char *what) {
    if (text.empty())
      return {Verdict::Failed, std::string(what) + " without a diagnostic"};
    if (isEmpty || !hasPlace)
      return {Verdict::Failed,
              std::string(what) +
                  ": a diagnostic without text or place: " + text};
    return {verdict, text};
  }
  std::string text;

private:
  /// Upstream's parser gives the terminators it makes no place.
  static bool isPlacedByNobody(llvm::StringRef message) {
    return message.starts_with("'linalg.yield' op ");
  }
  bool isEmpty = false, hasPlace = false;
  mlir::ScopedDiagnosticHandler handler;
};
} // namespace

static std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  if (generic)
    flags.printGenericOpForm();
  module.print(os, flags);
  return text;
}

/// What is printed is parsed; printed again it stays as it is. (The first time
/// affine maps may be simplified.)
static Error checkRoundtrip(ModuleOp module, bool generic) {
  mlir::MLIRContext &context = *module.getContext();
  std::string texts[3] = {print(module, generic)};
  for (int i = 0; i < 2; ++i) {
    Diagnostics diagnostics(context);
    auto again = mlir::parseSourceString<ModuleOp>(texts[i], &context);
    if (!again)
      return createStringError(
          "printed, it is not parsed: " + diagnostics.text + "\n" + texts[i]);
    texts[i + 1] = print(*again, generic);
  }
  if (texts[1] != texts[2])
    return createStringError("printed and parsed, it is another:\n" + texts[1] +
                             texts[2]);
  return Error::success();
}

/// Runs one pipeline's passes on a copy. A refusal by the options is one by
/// the compiler.
static Judgement runPasses(ModuleOp source, const TestProgram &program,
                           Pipeline pipeline) {
  OwningOpRef<ModuleOp> module = source.clone();
  mlir::PassManager pm(source.getContext());
  pm.enableVerifier(false); // as compileToObject does
  if (pipeline == Pipeline::Loops) {
    buildLattnToLoopsPipeline(pm, LattnToLoopsOptions());
  } else {
    LattnToLLVMOptions options;
    options.queryTile = program.options.queryTile;
    options.keyTile = program.options.keyTile;
    options.parts = program.options.parts;
    options.cpu = program.options.cpu;
    options.attributes = program.options.attributes;
    if (Error error = buildLattnToLLVMPipeline(pm, options))
      return {Verdict::RefusedLater, llvm::toString(std::move(error))};
  }
  Diagnostics diagnostics(*source.getContext());
  if (failed(pm.run(*module)))
    return diagnostics.judge(Verdict::RefusedLater, "the passes fail");
  if (failed(mlir::verify(*module)))
    return {Verdict::Failed,
            "the passes' output is wrong: " + diagnostics.text};
  return {Verdict::Compiled, ""};
}

static Judgement compile(ModuleOp module, const TestProgram &program,
                         OnPhase onPhase) {
  onPhase("lattn-to-loops");
  Judgement loops = runPasses(module, program, Pipeline::Loops);
  if (loops.verdict == Verdict::Failed)
    return {Verdict::Failed, "lattn-to-loops: " + loops.message};
  onPhase("lattn-to-llvm");
  Judgement fast = runPasses(module, program, Pipeline::LLVM);
  if (fast.verdict == Verdict::Failed)
    return {Verdict::Failed, "lattn-to-llvm: " + fast.message};
  return fast.verdict == Verdict::RefusedLater ? fast : loops;
}

/// The module, mutated where the program asks for it.
static OwningOpRef<ModuleOp> parse(TestProgram &program,
                                   mlir::MLIRContext &context, uint64_t seed,
                                   OnPhase onPhase) {
  auto module =
      mlir::parseSourceString<ModuleOp>(program.text, &context, "program.mlir");
  if (!module || program.origin != Origin::IRMutant)
    return module;
  onPhase("mutation");
  Random random(seed, 2);
  mutateIR(*module, random);
  // Wrong IR has no custom form.
  program.text = print(*module, /*generic=*/true);
  onPhase("verification");
  return succeeded(mlir::verify(*module)) ? std::move(module)
                                          : OwningOpRef<ModuleOp>();
}

/// Whether the module asks for what upstream leaves undefined and does not
/// verify: the extent of an axis that is not there, arrays beyond any memory.
static bool isUndefined(ModuleOp module) {
  auto isBeyondMemory = [](mlir::Type type) {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    double elements = 1;
    if (shaped && shaped.hasRank())
      for (int64_t extent : shaped.getShape())
        elements *= mlir::ShapedType::isDynamic(extent) ? 1 : extent;
    return elements > 0x1p48;
  };
  return module
      .walk([&](mlir::Operation *op) {
        if (llvm::any_of(op->getOperandTypes(), isBeyondMemory) ||
            llvm::any_of(op->getResultTypes(), isBeyondMemory))
          return mlir::WalkResult::interrupt();
        auto dim = mlir::dyn_cast<mlir::ShapedDimOpInterface>(op);
        if (!dim)
          return mlir::WalkResult::advance();
        auto type =
            mlir::dyn_cast<mlir::ShapedType>(dim.getShapedValue().getType());
        std::optional<int64_t> axis =
            mlir::getConstantIntValue(dim.getDimension());
        bool isThere = !type || !type.hasRank() || !axis ||
                       (*axis >= 0 && *axis < type.getRank());
        return isThere ? mlir::WalkResult::advance()
                       : mlir::WalkResult::interrupt();
      })
      .wasInterrupted();
}

Judgement fuzz::judge(TestProgram &program,
                      const mlir::DialectRegistry &registry, uint64_t seed,
                      OnPhase onPhase) {
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects(program.origin == Origin::TextMutant &&
                                    seed % 4 == 0);
  onPhase("parsing");
  OwningOpRef<ModuleOp> module;
  {
    Diagnostics diagnostics(context);
    module = parse(program, context, seed, onPhase);
    if (!module && program.valid)
      return {Verdict::Failed, "refused, but valid: " + diagnostics.text};
    if (!module)
      return diagnostics.judge(Verdict::Refused, "not parsed");
  }
  if (isUndefined(*module))
    return {Verdict::Refused,
            "an axis that is not there or an array beyond memory"};
  onPhase("printing");
  if (Error error = checkRoundtrip(*module, seed % 2))
    return {Verdict::Failed, llvm::toString(std::move(error))};
  Judgement judgement = compile(*module, program, onPhase);
  if (program.valid && judgement.verdict == Verdict::RefusedLater)
    return {Verdict::Failed, "not compiled, but valid: " + judgement.message};
  if (program.origin != Origin::Generated)
    chooseMutantRun(*module, program);
  if (judgement.verdict != Verdict::Compiled || program.runs.empty())
    return judgement;
  if (Error error = runBoth(*module, program, seed, onPhase))
    return {Verdict::Failed, llvm::toString(std::move(error))};
  return {Verdict::Executed, ""};
}
