//===- lattn-fuzz-ir.cpp - Random and damaged programs through the compiler -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Generates programs from a seed, and damages some. Parser and verifier refuse
// a program with a diagnostic, or both pipelines compile it, and what they
// compute agrees, or they say why not. Nothing crashes, hangs or fills memory.

#include "Workers.h"
#include "lattn/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include <unistd.h>

using namespace lattn::fuzz;
namespace cl = llvm::cl;

namespace {
struct CommandLine {
  cl::OptionCategory category{"lattn-fuzz-ir options"};
  cl::cat in{category};
  cl::opt<uint64_t> seed{"seed", cl::desc("Chooses all programs"), cl::init(1),
                         in};
  cl::opt<int64_t> count{"count", cl::desc("How many"), cl::init(1000), in};
  cl::opt<int64_t> start{"start", cl::desc("The first"), cl::init(0), in};
  cl::opt<int64_t> only{"only",
                        cl::desc("Print this program and judge it in this "
                                 "process"),
                        cl::init(-1), in};
  cl::opt<bool> print{"print", cl::desc("Of --only, do not judge it"), in};
  cl::opt<int64_t> execute{"execute",
                           cl::desc("Of the generated programs, run one in so "
                                    "many; 0: none"),
                           cl::init(8), in};
  cl::opt<int64_t> jobs{"jobs", cl::desc("Processes at a time"), cl::init(1),
                        in};
  cl::opt<int64_t> timeout{"timeout", cl::value_desc("seconds"),
                           cl::desc("Of computing, for one program"),
                           cl::init(10), in};
  cl::opt<int64_t> memory{"memory", cl::value_desc("MB"),
                          cl::desc("For one process"), cl::init(3000), in};
  cl::opt<int64_t> failures{"failures", cl::desc("Stop after so many"),
                            cl::init(20), in};
  cl::opt<int64_t> timeLimit{"time-limit", cl::value_desc("seconds"),
                             cl::desc("Start no program after; 0: no limit"),
                             cl::init(0), in};
  cl::opt<std::string> reproducers{"reproducers", cl::value_desc("folder"),
                                   cl::desc("For programs that fail"),
                                   cl::init("fuzz-failures"), in};
  cl::opt<bool> verbose{"verbose", cl::desc("Say what was refused"), in};
};
} // namespace

/// A program in this process, for a debugger.
static int judgeHere(const Plan &plan, int64_t index, bool onlyPrint,
                     const mlir::DialectRegistry &registry) {
  TestProgram program = makeProgram(plan.seed, index, plan.executeOneIn);
  llvm::outs() << describeFailure(plan, index, "", "", program.text) << '\n';
  llvm::outs().flush();
  if (onlyPrint)
    return 0;
  Judgement judgement =
      judge(program, registry, plan.seed * 1000003 + index,
            [](const char *phase) { llvm::errs() << phase << '\n'; });
  llvm::outs() << (judgement.verdict == Verdict::Failed ? "FAILED: " : "fine: ")
               << judgement.message << '\n';
  return judgement.verdict == Verdict::Failed;
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "lattn's IR fuzzer\n");
  mlir::DialectRegistry registry;
  lattn::registerAllDialects(registry);

  Plan plan;
  plan.seed = line.seed;
  plan.begin = line.start;
  plan.end = line.start + line.count;
  plan.executeOneIn = line.execute;
  plan.jobs = std::max<int64_t>(line.jobs, 1);
  plan.secondsEach = line.timeout;
  plan.megabytes = line.memory;
  plan.maxFailures = line.failures;
  plan.seconds = line.timeLimit;
  plan.folder = line.reproducers;
  plan.verbose = line.verbose;
  if (line.only >= 0)
    return judgeHere(plan, line.only, line.print, registry);
  if (std::error_code code = llvm::sys::fs::create_directories(plan.folder)) {
    llvm::errs() << "lattn-fuzz-ir: '" << plan.folder << "': " << code.message()
                 << '\n';
    return 1;
  }
  Tally tally = runWorkers(plan, registry);
  rmdir(plan.folder.c_str()); // where nothing failed
  auto count = [&](Verdict verdict) { return tally.verdicts[size_t(verdict)]; };
  llvm::outs() << llvm::formatv(
      "{0} programs of seed {1} from {2}: {3} refused by parser or verifier, "
      "{4} by the compiler, {5} compiled by both pipelines, {6} of them "
      "executed; {7} failed, {8} of them by crashes or hangs; {9} crashed in "
      "upstream's code\n",
      tally.done, plan.seed, plan.begin, count(Verdict::Refused),
      count(Verdict::RefusedLater),
      count(Verdict::Compiled) + count(Verdict::Executed),
      count(Verdict::Executed), count(Verdict::Failed), tally.crashed,
      tally.upstream);
  return count(Verdict::Failed) ? 1 : 0;
}
