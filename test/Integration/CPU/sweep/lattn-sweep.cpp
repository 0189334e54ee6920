//===- lattn-sweep.cpp - Generated cases against the oracle -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Generates modules and inputs from a seed, and compares both pipelines with
// the float64 oracle. Every case has a number: --only=K runs it alone.

#include "Case.h"
#include "Check.h"
#include "lattn/InitAll.h"
#include "lattn/Target/TargetInfo.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include <chrono>

using namespace lattn::sweep;
namespace cl = llvm::cl;

namespace {
struct CommandLine {
  cl::OptionCategory category{"lattn-sweep options"};
  cl::cat in{category};
  cl::opt<uint64_t> seed{"seed", cl::desc("Chooses all cases"), cl::init(1),
                         in};
  cl::opt<int64_t> cases{"cases", cl::desc("How many"), cl::init(40), in};
  cl::opt<int64_t> start{"start", cl::desc("The first"), cl::init(0), in};
  cl::opt<int64_t> only{"only", cl::desc("Run this case, print its module"),
                        cl::init(-1), in};
  cl::opt<int64_t> failures{"failures", cl::desc("Stop after so many"),
                            cl::init(5), in};
  cl::opt<double> timeLimit{"time-limit", cl::value_desc("seconds"),
                            cl::desc("Begin no case after; 0: no limit"),
                            cl::init(0), in};
  cl::opt<std::string> cpu{
      "mcpu", cl::desc("Compile all for this CPU; default: by case"), in};
  cl::opt<std::string> attributes{"mattr", cl::desc("With these features"), in};
  cl::opt<std::string> bf16{
      "bf16", cl::desc("Products of bf16: widened, dot, emulated-dot or amx"),
      in};
  cl::opt<bool> emulate{
      "emulate", cl::desc("All of bf16, by emulated AMX and AVX512-BF16"), in};
};

double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}
} // namespace

static std::string getCommand(const CommandLine &line, const Case &c) {
  std::string command =
      llvm::formatv("lattn-sweep --seed={0} --only={1}", c.seed, c.index);
  if (!line.cpu.empty())
    command += " --mcpu=" + line.cpu;
  if (!line.attributes.empty())
    command += " --mattr=" + line.attributes;
  if (line.emulate)
    command += " --emulate";
  if (!line.bf16.empty())
    command += " --bf16=" + line.bf16;
  return command;
}

/// An error where code for the CPU asked for does not run here.
static llvm::Error checkTarget(const CommandLine &line) {
  auto target = lattn::getTargetInfo(line.cpu, line.attributes);
  if (!target)
    return target.takeError();
  if (line.emulate)
    return llvm::Error::success();
  return lattn::checkRunsHere(*target);
}

/// Whether the case is right.
static bool runCase(const Case &c, const std::string &command,
                    const mlir::DialectRegistry &registry, Outcome &total) {
  // Shown where the process crashes.
  std::string line = describe(c);
  llvm::PrettyStackTraceFormat trace("%s: %s", command.c_str(), line.c_str());
  Outcome outcome = check(c, registry);
  total.runs += outcome.runs;
  total.loopRuns += outcome.loopRuns;
  if (outcome.failure.empty())
    return true;
  llvm::outs() << "FAILED: case " << c.index << " of seed " << c.seed << ": "
               << line << '\n'
               << outcome.failure << "  again by: " << command << '\n';
  return false;
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  mlir::registerPassManagerCLOptions(); // --mlir-print-ir-after-all and others
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "lattn's generated tests\n");
  mlir::DialectRegistry registry;
  lattn::registerAllDialects(registry);

  if (llvm::Error error = checkTarget(line)) {
    llvm::errs() << "lattn-sweep: error: " << llvm::toString(std::move(error))
                 << '\n';
    return 1;
  }
  bool alone = line.only >= 0;
  int64_t begin = alone ? line.only : line.start;
  int64_t end = alone ? line.only + 1 : line.start + line.cases;
  bool tty = llvm::sys::Process::StandardErrIsDisplayed();
  double started = getSeconds();
  int64_t failed = 0, done = 0;
  Outcome total;
  for (int64_t i = begin; i < end && failed < line.failures; ++i) {
    if (line.timeLimit > 0 && getSeconds() - started > line.timeLimit)
      break;
    Case c = makeCase(line.seed, i);
    if (line.emulate) {
      c.isEmulated = true;
      c.kind = lattn::ElementKind::BF16;
    }
    if (!line.cpu.empty() || !line.attributes.empty())
      setTarget(c, line.cpu, line.attributes); // by the kind of element
    c.options.bf16 = line.bf16;
    if (alone)
      llvm::outs() << "// " << describe(c) << '\n' << getModule(c);
    if (tty)
      llvm::errs() << llvm::formatv("\rcase {0} of {1}", i - begin,
                                    end - begin);
    failed += !runCase(c, getCommand(line, c), registry, total);
    ++done;
  }
  if (tty)
    llvm::errs() << '\r';
  llvm::outs() << llvm::formatv(
      "{0} cases of seed {1} from {2}: {3} failed; {4} runs, {5} of them by "
      "loops as well; {6:F0} s\n",
      done, uint64_t(line.seed), begin, failed, total.runs, total.loopRuns,
      getSeconds() - started);
  return failed ? 1 : 0;
}
