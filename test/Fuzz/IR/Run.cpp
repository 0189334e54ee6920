//===- Run.cpp - Runs programs after both pipelines and compares ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Execution/Invocation.h"
#include "lattn/Execution/Memory.h"
#include "lattn/Runtime/Parallel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using namespace lattn::fuzz;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics *getSemantics(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return &llvm::APFloat::IEEEhalf();
  case ElementKind::BF16:
    return &llvm::APFloat::BFloat();
  case ElementKind::F32:
    return &llvm::APFloat::IEEEsingle();
  case ElementKind::F64:
    return &llvm::APFloat::IEEEdouble();
  default:
    return nullptr;
  }
}

static Expected<NumpyArray> makeArray(const Input &input, Random &random) {
  Expected<NumpyArray> array = NumpyArray::create(input.kind, input.shape);
  if (!array)
    return array.takeError();
  const llvm::fltSemantics *semantics = getSemantics(input.kind);
  int64_t size = getElementSize(input.kind);
  for (int64_t i = 0; i < array->getNumElements(); ++i) {
    uint64_t bits;
    if (semantics) {
      // A state's sums are small whole numbers.
      bool counts = input.low == 1;
      llvm::APFloat number(counts ? double(random.between(1, input.high))
                                  : random.normal());
      bool losesInfo;
      number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven,
                     &losesInfo);
      bits = number.bitcastToAPInt().getZExtValue();
    } else {
      bits = random.between(input.low, input.high);
    }
    std::memcpy(array->buffer.data() + i * size, &bits, size);
  }
  return array;
}

static double load(const NumpyArray &array, int64_t i) {
  int64_t size = getElementSize(array.kind);
  uint64_t bits = 0;
  std::memcpy(&bits, array.buffer.data() + i * size, size);
  const llvm::fltSemantics *semantics = getSemantics(array.kind);
  if (!semantics)
    return double(int64_t(bits));
  llvm::APFloat number(*semantics, llvm::APInt(8 * size, bits));
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// As the sweep's, of one op with inputs of order 1.
static double getTolerance(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return 1e-11;
  case ElementKind::F16:
    return 2e-3;
  case ElementKind::BF16:
    return 1.6e-2;
  default:
    return 2e-5;
  }
}

/// Of the coarsest float among the arguments.
static double getTolerance(const TestProgram &program,
                           const Signature &signature) {
  double tolerance = 1e-11;
  for (const ValueInfo &argument : signature.arguments)
    if (getSemantics(argument.kind))
      tolerance = std::max(tolerance, getTolerance(argument.kind));
  return tolerance * program.tolerance;
}

static bool agree(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  return std::abs(a - b) <=
         tolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

static Error compare(const NumpyArray &fast, const NumpyArray &loops,
                     const std::string &name, double tolerance) {
  if (fast.shape != loops.shape)
    return createStringError("'" + name + "' has the shapes " +
                             formatShape(fast.shape) + " and " +
                             formatShape(loops.shape));
  int64_t wrong = 0;
  std::string text;
  for (int64_t i = 0; i < fast.getNumElements(); ++i) {
    double a = load(fast, i), b = load(loops, i);
    if (agree(a, b, tolerance) || wrong++ >= 4)
      continue;
    text += formatv("  '{0}'[{1}] of {2}: {3:E8} by lattn-to-llvm, {4:E8} by "
                    "lattn-to-loops\n",
                    name, i, formatShape(fast.shape), a, b);
  }
  if (!wrong)
    return Error::success();
  return createStringError(
      formatv("{0}  {1} differ, tolerance {2:E1}", text, wrong, tolerance)
          .str());
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Results and, behind them, the arguments that were written.
static Expected<std::vector<NumpyArray>>
run(const Program &compiled, llvm::ArrayRef<Input> inputs, uint64_t seed) {
  Random random(seed, 3);
  std::vector<NumpyArray> arrays;
  for (const Input &input : inputs) {
    Expected<NumpyArray> array = makeArray(input, random);
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
  }
  std::vector<NumpyArray *> pointers;
  for (NumpyArray &array : arrays)
    pointers.push_back(&array);
  int64_t bytes = getCodeBytes();
  std::vector<NumpyArray> results;
  {
    Expected<Invocation> invocation = Invocation::create(compiled, pointers);
    if (!invocation)
      return invocation.takeError();
    if (Error error = invocation->run().takeError())
      return error;
    Expected<std::vector<NumpyArray>> copies = invocation->getResults();
    if (!copies)
      return copies.takeError();
    results = std::move(*copies);
  }
  if (getCodeBytes() != bytes)
    return createStringError(
        formatv("it kept {0} bytes", getCodeBytes() - bytes).str());
  for (unsigned i : compiled.getSignature().written)
    results.push_back(std::move(arrays[i]));
  return results;
}

Error fuzz::runBoth(mlir::ModuleOp module, const TestProgram &program,
                    uint64_t seed, OnPhase onPhase) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  onPhase("code of lattn-to-llvm");
  Expected<Program> fast = Program::compile(main, program.options);
  if (!fast)
    return fast.takeError();
  CompileOptions dull;
  dull.pipeline = Pipeline::Loops;
  onPhase("code of lattn-to-loops");
  Expected<Program> loops = Program::compile(main, dull);
  if (!loops)
    return loops.takeError();
  const Signature &signature = fast->getSignature();
  std::vector<std::string> names;
  for (const ValueInfo &result : signature.results)
    names.push_back(result.name);
  for (unsigned i : signature.written)
    names.push_back(signature.arguments[i].name);
  lattn_set_num_threads(seed % 4 ? 1 : 2);
  for (const std::vector<Input> &inputs : program.runs) {
    onPhase("run of lattn-to-llvm");
    auto a = run(*fast, inputs, seed);
    if (!a)
      return a.takeError();
    onPhase("run of lattn-to-loops");
    auto b = run(*loops, inputs, seed);
    if (!b)
      return b.takeError();
    for (size_t i = 0; i < names.size(); ++i)
      if (Error error = compare((*a)[i], (*b)[i], names[i],
                                getTolerance(program, signature)))
        return error;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

/// No op that could read what nobody wrote, read out of bounds, divide by
/// zero, magnify rounding or run long.
static bool isTame(mlir::ModuleOp module) {
  static constexpr llvm::StringRef tame[] = {
      "builtin.module", "func.func",       "func.return",
      "arith.constant", "lattn.attention", "lattn.online_attention",
      "tensor.cast",    "lattn.finalize"};
  auto isTameOp = [](mlir::Operation *op) {
    llvm::StringRef name = op->getName().getStringRef();
    if (!llvm::is_contained(tame, name) || op->hasAttr("bias_map"))
      return mlir::WalkResult::interrupt();
    for (mlir::Region &region : op->getRegions())
      if (name.starts_with("lattn.") && !region.empty())
        return mlir::WalkResult::interrupt();
    auto scale = op->getAttrOfType<mlir::FloatAttr>("scale");
    auto attention = llvm::dyn_cast<AttentionOpInterface>(op);
    if ((scale && std::abs(scale.getValueAsDouble()) > 0.2) ||
        (attention && !attention.getOrigin().empty()))
      return mlir::WalkResult::interrupt();
    return mlir::WalkResult::advance();
  };
  return !module.walk(isTameOp).wasInterrupted();
}

void fuzz::chooseMutantRun(mlir::ModuleOp module, TestProgram &program) {
  program.runs.clear();
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main || main.isDeclaration() || !main.isPublic() || !isTame(module))
    return;
  Expected<Signature> signature = getSignature(main);
  if (!signature) {
    llvm::consumeError(signature.takeError());
    return;
  }
  std::vector<Input> inputs;
  double elements = 0;
  for (const ValueInfo &argument : signature->arguments) {
    if (!argument.hasStaticShape() ||
        llvm::StringRef(argument.type).starts_with("memref"))
      return;
    double size = 1;
    for (int64_t extent : argument.shape)
      size *= std::max<int64_t>(extent, 1);
    elements += size;
    inputs.push_back({argument.kind, argument.shape, 0, 1});
  }
  if (elements < 1e5)
    program.runs.push_back(std::move(inputs));
}
