//===- CommandLine.cpp - lattn-run's options ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runner/Options.h"
#include "lattn/Runtime/Parallel.h"
#include "lattn/ToolOptions.h"
#include "mlir/Pass/PassManager.h"
#include <cmath>

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {

using Text = cl::opt<std::string>;
using Name = cl::opt<std::string, true>;
using Flag = cl::opt<bool, true>;

/// The options exist while the command line is read, and nowhere else.
struct CommandLine {
  explicit CommandLine(RunOptions &options) : run(options) {}

  RunOptions &run;
  CompileOptions &compile = run.compile;
  cl::OptionCategory category{"lattn-run options"};
  cl::cat in{category};

  Name file{cl::Positional, cl::location(run.file),
            cl::desc("FILE.mlir ('-': standard input)"), cl::init("-"), in};
  Name entry{"entry", cl::location(run.entry), cl::value_desc("name"),
             cl::desc("Function to run; default: the only public one, or main"),
             in};
  cl::list<std::string> input{
      "input", cl::value_desc("X.npy|F.npz"),
      cl::desc("Arguments: .npy files in order; .npz files by name"), in};
  cl::list<std::string> inputs{"inputs", cl::value_desc("F.npz"),
                               cl::desc("The same as --input"), in};
  Text random{"random", cl::value_desc("seed"),
              cl::desc("Fill arguments without input: normal numbers, fair "
                       "booleans, kv_lens from 1 to the number of keys, "
                       "offsets up to keys minus queries, other integers "
                       "from 0 to 3"),
              in};
  cl::list<std::string> shape{
      "shape", cl::value_desc("I:1x8x4096x64"),
      cl::desc("Extents of argument I (index or name) for --random"), in};
  Name output{"output", cl::location(run.output), cl::value_desc("F.npz"),
              cl::desc("Write the results"), in};
  Name expect{"expect", cl::location(run.expect), cl::value_desc("F.npz"),
              cl::desc("Compare the results with these"), in};
  Text rtol{"rtol", cl::desc("Relative tolerance; default: by element type"),
            in};
  Text atol{"atol", cl::desc("Absolute tolerance; default: by element type"),
            in};
  Flag verifyLoops{"verify-loops", cl::location(run.verifyLoops),
                   cl::desc("Compare with the naive loops of lattn-to-loops, "
                            "without --raise"),
                   in};
  Text benchmark{"benchmark", cl::ValueOptional, cl::value_desc("runs"),
                 cl::desc("Time several runs; default: 10"), in};
  Text threads{"threads", cl::value_desc("n"),
               cl::desc("Threads; default: LATTN_NUM_THREADS, "
                        "OMP_NUM_THREADS or all CPUs"),
               in};
  Text target{"target", cl::value_desc("host|cuda|loops"), cl::init("host"),
              cl::desc("What to compile for"), in};
  Flag raise{"raise", cl::location(compile.raise),
             cl::desc("Find attention in linalg operations first, by "
                      "lattn-raise"),
             in};
  Name cpu{"mcpu", cl::location(compile.cpu),
           cl::desc("CPU to compile for; default: this one"), in};
  Name attributes{"mattr", cl::location(compile.attributes),
                  cl::desc("CPU features, e.g. +avx2,-avx512f"), in};
  Name bf16{"bf16", cl::location(compile.bf16),
            cl::desc("Products of bf16: widened, dot, emulated-dot or amx; "
                     "default: by the CPU"),
            in};
  Text queryTile{"query-tile",
                 cl::desc("Queries per tile; 0: by the cost model"), in};
  Text keyTile{"key-tile", cl::desc("Keys per step; 0: by the cost model"), in};
  Text parts{"split-kv", cl::desc("Parts of the keys; 0: by the shape"), in};
  Name explain{"explain",
               cl::location(run.picture),
               cl::ValueOptional,
               cl::value_desc("FILE.svg"),
               cl::desc("Print a table of each attention and its bound below "
                        "the summary; also draw its tiles to FILE.svg"),
               in};
  Text format{"format", cl::value_desc("text|json"), cl::init("text"),
              cl::desc("Print tables, or one JSON object for programs"), in};
  Flag tune{"tune", cl::location(run.tune),
            cl::desc("Measure tile sizes on these arguments, and keep the "
                     "fastest for later programs"),
            in};
  Name cache{"cache", cl::location(compile.cache), cl::value_desc("dir|off"),
             cl::desc("Folder of compiled code; default: LATTN_CACHE_DIR or "
                      "lattn in the user's cache folder"),
             in};
};

} // namespace

static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

/// An integer in decimal, from `least` to `most`, into `value` where `option`
/// was given.
static Error readInteger(Text &option, int64_t least, int64_t most,
                         int64_t &value) {
  if (!option.getNumOccurrences() ||
      (!StringRef(option).getAsInteger(10, value) && value >= least &&
       value <= most))
    return Error::success();
  std::string range =
      most == kNoLimit
          ? "of " + std::to_string(least) + " or more"
          : "from " + std::to_string(least) + " to " + std::to_string(most);
  return createStringError("--" + option.ArgStr.str() +
                           ": expected an integer " + range + ", got '" +
                           option + "'");
}

static Error readTolerance(Text &option, std::optional<double> &value) {
  if (!option.getNumOccurrences())
    return Error::success();
  double parsed;
  if (StringRef(option).getAsDouble(parsed) || !(parsed >= 0) ||
      std::isinf(parsed))
    return createStringError("--" + option.ArgStr.str() +
                             ": expected a number of 0 or more, got '" +
                             option + "'");
  value = parsed;
  return Error::success();
}

static Error readTarget(const CommandLine &line, RunOptions &options) {
  StringRef target = line.target;
  if (target != "host" && target != "loops" && target != "cuda")
    return createStringError("--target: expected host, cuda or loops, got '" +
                             target.str() + "'");
  if (target == "loops")
    options.compile.pipeline = Pipeline::Loops;
  if (target == "cuda") {
    options.compile.pipeline = Pipeline::CUDA; // on the first GPU
    for (const cl::Option *option : std::initializer_list<const cl::Option *>{
             &line.tune, &line.explain, &line.cpu, &line.attributes, &line.bf16,
             &line.queryTile, &line.keyTile, &line.parts})
      if (option->getNumOccurrences())
        return createStringError("--" + option->ArgStr.str() +
                                 ": not for --target=cuda");
  }
  if (line.tune && target == "loops")
    return createStringError("--tune: --target=loops has no tiles");
  StringRef format = line.format;
  if (format != "text" && format != "json")
    return createStringError("--format: expected text or json, got '" +
                             format.str() + "'");
  options.json = format == "json";
  if (line.cache.getNumOccurrences() && options.compile.cache.empty())
    return createStringError("--cache: expected a folder or off, got ''");
  for (const Name *text : {&line.output, &line.expect, &line.entry})
    if (text->getNumOccurrences() && text->getValue().empty())
      return createStringError("--" + text->ArgStr.str() +
                               ": expected a name, got ''");
  return Error::success();
}

/// The time of each run is kept.
static constexpr int64_t kMostRuns = 100'000'000;

/// The values that are more than text.
static Error readNumbers(CommandLine &line, RunOptions &options) {
  if (line.random.getNumOccurrences()) {
    uint64_t seed;
    if (StringRef(line.random).getAsInteger(10, seed))
      return createStringError("--random: expected a seed, an integer of 0 or "
                               "more, got '" +
                               line.random + "'");
    options.seed = seed;
  }
  options.measure.benchmark = line.benchmark.getNumOccurrences();
  if (!line.benchmark.empty())
    if (Error error = readInteger(line.benchmark, 1, kMostRuns,
                                  options.measure.repetitions))
      return error;
  if (Error error = readInteger(line.threads, 1, kMostThreads, options.threads))
    return error;
  CompileOptions &compile = options.compile;
  if (Error error = readInteger(line.queryTile, 0, kNoLimit, compile.queryTile))
    return error;
  if (Error error = readInteger(line.keyTile, 0, kNoLimit, compile.keyTile))
    return error;
  if (Error error = readInteger(line.parts, 0, kNoLimit, compile.parts))
    return error;
  if (line.tune && (compile.queryTile || compile.keyTile))
    return createStringError(
        "--tune: expected no --query-tile and no --key-tile, which fix the "
        "sizes that it searches");
  if (Error error = readTolerance(line.rtol, options.rtol))
    return error;
  return readTolerance(line.atol, options.atol);
}

/// Whether an option of the pass manager was given.
static bool usesPassManager() {
  return llvm::any_of(cl::getRegisteredOptions(), [](const auto &entry) {
    return entry.first.starts_with("mlir-") &&
           entry.second->getNumOccurrences();
  });
}

Expected<RunOptions> lattn::parseCommandLine(int argc, char **argv) {
  resetToolOptions(); // LLVM's library has a --threads
  mlir::registerPassManagerCLOptions();
  RunOptions options;
  CommandLine line(options);
  if (Error error = readToolOptions(
          argc, argv, "Compiles and runs a function of an MLIR file\n",
          line.category, line.file))
    return error;
  // Options of the pass manager print to standard error.
  options.measure.progress =
      llvm::none_of(cl::getRegisteredOptions(), [&](auto &entry) {
        cl::Option &option = *entry.second;
        return option.getNumOccurrences() &&
               !llvm::is_contained(option.Categories, &line.category);
      });
  options.compile.useCommandLine = usesPassManager();
  options.inputs.assign(line.input.begin(), line.input.end());
  options.inputs.insert(options.inputs.end(), line.inputs.begin(),
                        line.inputs.end());
  options.shapes.assign(line.shape.begin(), line.shape.end());
  options.explain = line.explain.getNumOccurrences();
  if (Error error = readTarget(line, options))
    return error;
  if (Error error = readNumbers(line, options))
    return error;
  return options;
}
