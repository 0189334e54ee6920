//===- Runner.cpp - What lattn-run does -----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runner/Runner.h"
#include "../Execution/Arrays/FileAccess.h"
#include "Inputs.h"
#include "Report.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Execution/Cache.h"
#include "lattn/Execution/Progress.h"
#include "lattn/InitAll.h"
#include "lattn/Measure/Peak.h"
#include "lattn/Picture/Picture.h"
#include "lattn/Runtime/Check.h"
#include "lattn/Runtime/Parallel.h"
#include "lattn/Tuning/Tuning.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static Error writeResults(const Signature &signature,
                          ArrayRef<NumpyArray> results,
                          const std::string &path) {
  std::vector<NamedArrayRef> arrays;
  for (auto [info, array] : llvm::zip_equal(signature.results, results))
    arrays.emplace_back(info.name, &array);
  return writeNpz(path, arrays);
}

static Error writePicture(llvm::StringRef svg, const std::string &path) {
  if (Error error = writeParts(path, svg))
    return createStringError("cannot write '" + path +
                             "': " + llvm::toString(std::move(error)));
  return Error::success();
}

/// The results of a call and, after them, the arguments that it wrote to.
static Signature getOutputs(const Signature &signature) {
  Signature outputs = signature;
  for (unsigned argument : signature.written)
    outputs.results.push_back(signature.arguments[argument]);
  return outputs;
}

static Error addWritten(const Signature &signature,
                        llvm::ArrayRef<NumpyArray> arguments,
                        std::vector<NumpyArray> &results) {
  for (unsigned argument : signature.written) {
    auto copy = copyArray(arguments[argument]);
    if (!copy)
      return copy.takeError();
    results.push_back(std::move(*copy));
  }
  return Error::success();
}

namespace {

/// One run of the tool, step by step.
class Run {
public:
  Run(const RunOptions &options, llvm::raw_ostream &os)
      : options(options), compiling(options.compile), os(os) {}
  Expected<bool> run();

private:
  Expected<Program> compileWith(const CompileOptions &compile) const;
  Error checkOutputs() const;
  Error resolveTarget();
  Error readFile();
  Error compile();
  const Signature &getSignature() const { return program->getSignature(); }
  Error parse();
  Error raise();
  Error readArguments();
  Error countWork();
  Error preparePeak();
  Error tune();
  Error draw();
  Error execute();
  Expected<std::vector<NumpyArray>> runLoops();
  Error compareAll(Report &report);
  void printJson(const Report &report);

  const RunOptions &options;
  CompileOptions compiling; // with the tile sizes that were measured
  llvm::raw_ostream &os;
  TargetInfo target;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::unique_ptr<llvm::MemoryBuffer> source;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp entry; // of it
  std::optional<Program> program;
  std::vector<NumpyArray> arguments, pristine, results;
  std::vector<AttentionWork> works;
  std::vector<MatmulWork> matmuls;
  bool countedAll = true;
  std::optional<Peak> peak;
  Measurement measurement;
  llvm::json::Value tuning = nullptr; // what --tune found
};

} // namespace

Expected<Program> Run::compileWith(const CompileOptions &compile) const {
  return Program::compileText(source->getBuffer(),
                              source->getBufferIdentifier(), options.entry,
                              compile);
}

/// What would be found after the run only.
Error Run::checkOutputs() const {
  for (const std::string &path : {options.output, options.picture})
    if (!path.empty())
      if (Error error = checkWritable(path))
        return error;
  return Error::success();
}

/// What to compile for, and what was measured on it.
Error Run::resolveTarget() {
  if (Error error = getTarget(compiling).moveInto(target))
    return error;
  compiling.tuned.emplace();
  if (std::optional<Cache> cache = Cache::open(compiling.cache))
    compiling.tuned = cache->readTuned(target);
  return Error::success();
}

Error Run::readFile() {
  auto buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(options.file, /*IsText=*/true);
  if (!buffer)
    return createStringError("cannot read '" + options.file +
                             "': " + buffer.getError().message());
  source = std::move(*buffer);
  return Error::success();
}

Error Run::compile() {
  double begin = getSeconds();
  Progress progress(options.measure.progress, "compiling");
  if (Error error = compileWith(compiling).moveInto(program))
    return error;
  measurement.fromCache = program->isFromCache();
  measurement.compileSeconds = getSeconds() - begin;
  return Error::success();
}

/// What is explained, counted and tuned is the attention that is compiled.
Error Run::raise() {
  if (!options.compile.raise)
    return Error::success();
  mlir::PassManager pm(&context);
  pm.addPass(createLattnRaisePass());
  return collectErrors(
      context, [&] { return succeeded(pm.run(*module)); }, nullptr,
      /*quiet=*/true);
}

/// The module as written or raised, for what has to see it.
Error Run::parse() {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.printOpOnDiagnostic(false);
  auto parse = [&] {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        source->getBuffer(), &context, source->getBufferIdentifier());
    return bool(module);
  };
  // What there is to say was said when it was compiled.
  if (Error error = collectErrors(context, parse, nullptr, /*quiet=*/true))
    return error;
  if (Error error = raise())
    return error;
  return findEntry(*module, options.entry).moveInto(entry);
}

/// From files, or made up.
Error Run::readArguments() {
  Progress progress(options.measure.progress, "reading arguments");
  if (Error error =
          collectArguments(getSignature(), options, entry).moveInto(arguments))
    return error;
  if (options.verifyLoops) // the code may write to its arguments
    return copyArrays(arguments).moveInto(pristine);
  return Error::success();
}

Error Run::countWork() {
  matmuls.clear();
  return findWork(entry, arguments, compiling, countedAll, &matmuls)
      .moveInto(works);
}

Error Run::preparePeak() {
  return Peak::create(context, target, getPeakKind(works, matmuls))
      .moveInto(peak);
}

/// Searches tile sizes, keeps them and compiles with them.
Error Run::tune() {
  if (std::optional<Cache> cache = Cache::open(compiling.cache))
    if (Error error = checkWritable(cache->getTunedPath(target)))
      return error;
  Expected<std::vector<KernelTuning>> kernels = findTrials(entry, compiling);
  if (!kernels)
    return kernels.takeError();
  if (kernels->empty())
    return createStringError("--tune: no attention in '" +
                             getSignature().entry +
                             "' whose tile sizes are open");
  auto compileTrial = [&](const CompileOptions &trial) {
    return compileWith(trial);
  };
  auto samplePeak = [&] {
    peak->sample();
    return peak->get();
  };
  auto getTrialBound = [&](const CompileOptions &trial) -> Expected<double> {
    bool complete;
    std::vector<MatmulWork> products;
    auto found = findWork(entry, arguments, trial, complete, &products);
    if (!found)
      return found.takeError();
    return getBound(*found, products, peak->getKind());
  };
  double flops = getUsefulFlops(works, matmuls);
  // A rate that is an upper bound proves nothing.
  bool isUpperBound = llvm::any_of(
      works, [](const AttentionWork &work) { return work.isUpperBound(); });
  TuningJudge judge = {isUpperBound ? 0 : flops, samplePeak, getTrialBound};
  if (Error error = runTrials(*kernels, compileTrial, arguments,
                              options.compile, options.measure.progress, judge))
    return error;
  tuning = describeTuning(*kernels, judge.flops, peak->get());
  llvm::raw_ostream &text = options.json ? llvm::nulls() : os;
  printTuning(*kernels, judge.flops, peak->get(), text);
  if (Error error = storeTuning(*kernels, compiling, text))
    return error;
  for (const KernelTuning &kernel : *kernels)
    (*compiling.tuned)[kernel.kernel] = kernel.getChosen().sizes;
  if (Error error = compile())
    return error;
  return countWork(); // with other tiles
}

Error Run::draw() {
  if (options.picture.empty())
    return Error::success();
  return writePicture(renderPicture(works, countedAll, target),
                      options.picture);
}

Error Run::execute() {
  if (Error error = parse())
    return error;
  if (Error error = readArguments())
    return error;
  if (Error error = countWork())
    return error;
  bool isForDevice = program->isForDevice();
  if ((options.measure.benchmark && !isForDevice) || options.explain ||
      options.tune)
    if (Error error = preparePeak())
      return error;
  if (options.tune)
    if (Error error = tune())
      return error;
  if (Error error = draw())
    return error;
  if (peak)
    peak->sample();
  if (Error error = measure(*program, arguments, options.measure, measurement)
                        .moveInto(results))
    return error;
  if (Error error = addWritten(getSignature(), arguments, results))
    return error;
  if (peak)
    peak->sample();
  return Error::success();
}

/// The results of lattn-to-loops on the same arguments. Nothing is raised: what
/// the program says is computed as it stands.
Expected<std::vector<NumpyArray>> Run::runLoops() {
  Progress progress(options.measure.progress, "running naive loops");
  CompileOptions compile;
  compile.pipeline = Pipeline::Loops;
  compile.cache = options.compile.cache;
  Expected<Program> loops = compileWith(compile);
  if (!loops)
    return loops.takeError();
  auto call = Invocation::create(*loops, getPointers(pristine));
  if (!call)
    return call.takeError();
  if (Error error = call->run().takeError())
    return error;
  auto found = call->getResults();
  if (!found)
    return found.takeError();
  if (Error error = addWritten(loops->getSignature(), pristine, *found))
    return error;
  return found;
}

/// With --expect's arrays and with naive loops.
Error Run::compareAll(Report &report) {
  auto compare = [&](Expected<std::vector<NumpyArray>> expected,
                     const std::string &against) -> Error {
    if (!expected)
      return expected.takeError();
    llvm::append_range(
        report.compared,
        compareResults(report.signature, results, *expected, options, against));
    return Error::success();
  };
  if (!options.expect.empty())
    if (Error error =
            compare(readExpected(report.signature, results, options.expect),
                    "'" + options.expect + "'"))
      return error;
  if (options.verifyLoops)
    if (Error error = compare(runLoops(), "lattn-to-loops"))
      return error;
  report.failedChecks = lattn_check_failures();
  if (options.json)
    return Error::success();
  for (const ComparedResult &compared : report.compared)
    printComparison(compared, os);
  if (int64_t failures = report.failedChecks)
    os << failures << (failures == 1 ? " check" : " checks") << " failed\n";
  return Error::success();
}

void Run::printJson(const Report &report) {
  llvm::json::Object object = describeReport(report);
  object["tuning"] = std::move(tuning);
  os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
}

Expected<bool> Run::run() {
  if (options.threads)
    lattn_set_num_threads(options.threads);
  if (Error error = checkOutputs())
    return error;
  if (Error error = resolveTarget())
    return error;
  if (Error error = readFile())
    return error;
  if (Error error = compile())
    return error;
  if (Error error = execute())
    return error;
  Signature signature = getOutputs(getSignature());
  Report report = {
      options,
      signature,
      arguments,
      results,
      measurement,
      target,
      entry,
      works,
      Rates(works, matmuls, countedAll, measurement, peak ? &*peak : nullptr),
      {}};
  if (!options.json)
    printSummary(report, os);
  if (Error error = compareAll(report))
    return error;
  if (options.explain && !options.json)
    printDetails(report, os);
  if (!options.output.empty()) {
    Progress progress(options.measure.progress, "writing results");
    if (Error error = writeResults(signature, results, options.output))
      return error;
  }
  if (options.json)
    printJson(report);
  return report.agrees();
}

Expected<bool> lattn::runFile(const RunOptions &options,
                              llvm::raw_ostream &os) {
  return Run(options, os).run();
}
