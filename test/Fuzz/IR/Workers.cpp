//===- Workers.cpp - Child processes that may crash or hang ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lattn;
using namespace lattn::fuzz;
using llvm::formatv;
using llvm::StringRef;

static double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// What a process has computed: little in a long time where the machine is busy
/// or the process stopped. 0 where nobody says.
static double getProcessorSeconds(pid_t pid) {
  clockid_t clock;
  timespec time = {};
  if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
    return 0;
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

namespace {
/// What a child tells, in memory that outlives it. It writes, the parent reads.
struct Shared {
  volatile int64_t index;
  volatile double started; // the program, by the wall and by the processor
  volatile double startedProcessor;
  char phase[64];
  volatile uint64_t textBytes;
  char text[1 << 18];
  Tally tally;
};

struct Worker {
  Shared *shared = nullptr;
  int errors = -1; // what the child prints to stderr
  pid_t pid = 0;
  int64_t end = 0; // of its programs
};

class Pool {
public:
  Pool(const Plan &plan, const mlir::DialectRegistry &registry)
      : plan(plan), registry(registry), next(plan.begin) {}
  Tally run();

private:
  void start(Worker &worker, int64_t begin, int64_t end);
  [[noreturn]] void work(Worker &worker, int64_t begin);
  void judgeOne(Worker &worker, int64_t index);
  /// Whether the worker is still at it.
  bool watch(Worker &worker);
  void fail(Worker &worker, StringRef message);
  void writeReproducer(int64_t index, StringRef phase, StringRef message,
                       StringRef text);
  void showProgress();
  Tally sum() const;

  const Plan &plan;
  const mlir::DialectRegistry &registry;
  int64_t next;
  std::vector<Worker> workers;
  double began = getSeconds(), shown = getSeconds();
};
} // namespace

static const char *getName(Verdict verdict) {
  static const char *names[] = {"refused", "refused by the compiler",
                                "compiled", "executed", "FAILED"};
  return names[int(verdict)];
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

void Pool::judgeOne(Worker &worker, int64_t index) {
  Shared &shared = *worker.shared;
  if (ftruncate(worker.errors, 0) == 0)
    lseek(STDERR_FILENO, 0, SEEK_SET);
  shared.index = index;
  TestProgram program;
  auto onPhase = [&](const char *phase) {
    std::strncpy(shared.phase, phase, sizeof(shared.phase) - 1);
    size_t bytes = std::min(program.text.size(), sizeof(shared.text));
    std::memcpy(shared.text, program.text.data(), bytes);
    shared.textBytes = bytes;
  };
  onPhase("generation");
  shared.started = getSeconds();
  shared.startedProcessor = getProcessorSeconds(0);
  program = makeProgram(plan.seed, index, plan.executeOneIn);
  Judgement judgement =
      judge(program, registry, plan.seed * 1000003 + index, onPhase);
  ++shared.tally.done;
  ++shared.tally.verdicts[size_t(judgement.verdict)];
  if (judgement.verdict == Verdict::Failed)
    writeReproducer(index, shared.phase, judgement.message, program.text);
  else if (plan.verbose)
    llvm::outs() << index << ": " << getName(judgement.verdict) << ": "
                 << StringRef(judgement.message).split('\n').first << '\n';
}

void Pool::work(Worker &worker, int64_t begin) {
  dup2(worker.errors, STDERR_FILENO);
  for (int64_t index = begin; index < worker.end; ++index) {
    if (plan.seconds && getSeconds() - began > plan.seconds)
      break;
    judgeOne(worker, index);
  }
  llvm::outs().flush();
  std::_Exit(0); // what LLVM would tear down is the system's
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

std::string fuzz::describeFailure(const Plan &plan, int64_t index,
                                  StringRef phase, StringRef message,
                                  StringRef text) {
  std::string header;
  llvm::raw_string_ostream os(header);
  os << formatv("// lattn-fuzz-ir --seed={0} --execute={1} --only={2}: {3}\n",
                plan.seed, plan.executeOneIn, index, phase);
  TestProgram program = makeProgram(plan.seed, index, plan.executeOneIn);
  const CompileOptions &options = program.options;
  os << formatv("// --lattn-to-llvm='query-tile={0} key-tile={1} split-kv={2} "
                "mcpu={3} mattr={4}'\n",
                options.queryTile, options.keyTile, options.parts, options.cpu,
                options.attributes);
  llvm::SmallVector<StringRef> lines;
  message.split(lines, '\n');
  for (StringRef line : lines)
    os << "// " << line << '\n';
  return header + text.str();
}

void Pool::writeReproducer(int64_t index, StringRef phase, StringRef message,
                           StringRef text) {
  std::string path = formatv("{0}/{1}-{2}.mlir", plan.folder, plan.seed, index);
  llvm::outs() << formatv("FAILED: {0} at {1}: {2} ({3})\n", index, phase,
                          message.split('\n').first, path);
  llvm::outs().flush();
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code)
    file << describeFailure(plan, index, phase, message, text);
}

static std::string readErrors(int descriptor) {
  std::string text(16000, '\0');
  ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  text.resize(std::max<ssize_t>(size, 0));
  return text;
}

/// The process's memory, 0 where nobody says.
static int64_t getMegabytes(pid_t pid) {
  std::string path = formatv("/proc/{0}/statm", pid);
  int64_t pages = 0, resident = 0;
  if (FILE *file = std::fopen(path.c_str(), "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2)
      resident = 0;
    std::fclose(file);
  }
  return resident * llvm::sys::Process::getPageSizeEstimate() >> 20;
}

void Pool::start(Worker &worker, int64_t begin, int64_t end) {
  worker.end = end;
  worker.shared->started = getSeconds();
  worker.shared->startedProcessor = 0;
  llvm::outs().flush();
  worker.pid = fork();
  if (worker.pid == 0)
    work(worker, begin);
  if (worker.pid < 0)
    llvm::report_fatal_error("cannot start a process");
}

/// Whether a stack trace has no frame of lattn's but the fuzzer's own.
static bool isUpstream(StringRef trace) {
  if (!trace.contains("libMLIR") && !trace.contains("libLLVM"))
    return false;
  while (!trace.empty()) {
    StringRef line;
    std::tie(line, trace) = trace.split('\n');
    if (line.contains("lattn::") && !line.contains("lattn::fuzz"))
      return false;
  }
  return true;
}

/// The worker's process is gone, or has to go, because of its program.
void Pool::fail(Worker &worker, StringRef message) {
  Shared &shared = *worker.shared;
  std::string errors = readErrors(worker.errors);
  ++shared.tally.done;
  if (isUpstream(errors)) {
    ++shared.tally.upstream;
  } else {
    ++shared.tally.crashed;
    ++shared.tally.verdicts[size_t(Verdict::Failed)];
  }
  writeReproducer(shared.index, shared.phase, (message + "\n" + errors).str(),
                  StringRef(shared.text, shared.textBytes));
  worker.pid = 0;
  if (shared.index + 1 < worker.end)
    start(worker, shared.index + 1, worker.end);
}

bool Pool::watch(Worker &worker) {
  int status;
  if (waitpid(worker.pid, &status, WNOHANG) == worker.pid) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      worker.pid = 0;
    else if (WIFSIGNALED(status))
      fail(worker, strsignal(WTERMSIG(status)));
    else
      fail(worker, formatv("exit status {0}", WEXITSTATUS(status)).str());
    return worker.pid != 0;
  }
  std::string reason;
  double waited = getSeconds() - worker.shared->started;
  double computed =
      getProcessorSeconds(worker.pid) - worker.shared->startedProcessor;
  constexpr double patience = 20; // a deadlock computes nothing
  if (computed > plan.secondsEach)
    reason = formatv("more than {0} s", plan.secondsEach);
  else if (waited > patience * plan.secondsEach)
    reason = formatv("waits for {0:F0} s", waited);
  else if (getMegabytes(worker.pid) > plan.megabytes)
    reason = formatv("more than {0} MB", plan.megabytes);
  if (!reason.empty()) {
    kill(worker.pid, SIGKILL);
    waitpid(worker.pid, &status, 0);
    fail(worker, reason);
  }
  return worker.pid != 0;
}

Tally Pool::sum() const {
  Tally total;
  for (const Worker &worker : workers) {
    const Tally &tally = worker.shared->tally;
    total.done += tally.done;
    total.crashed += tally.crashed;
    total.upstream += tally.upstream;
    for (size_t i = 0; i < total.verdicts.size(); ++i)
      total.verdicts[i] += tally.verdicts[i];
  }
  return total;
}

void Pool::showProgress() {
  constexpr double every = 10; // seconds
  if (getSeconds() - shown < every)
    return;
  shown = getSeconds();
  Tally total = sum();
  llvm::errs() << formatv(
      "{0} of {1}, {2} failed, {3:F0} s\n", total.done, plan.end - plan.begin,
      total.verdicts[size_t(Verdict::Failed)], shown - began);
}

Tally Pool::run() {
  constexpr int64_t batch = 100; // programs a process
  for (int64_t i = 0; i < plan.jobs; ++i) {
    Worker worker;
    void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    worker.errors = memfd_create("stderr", 0);
    if (memory == MAP_FAILED || worker.errors < 0)
      llvm::report_fatal_error("no shared memory");
    worker.shared = new (memory) Shared();
    workers.push_back(worker);
  }
  bool busy = true;
  while (busy) {
    busy = false;
    bool isOver = sum().verdicts[size_t(Verdict::Failed)] >= plan.maxFailures ||
                  (plan.seconds && getSeconds() - began > plan.seconds);
    for (Worker &worker : workers) {
      if (worker.pid && watch(worker)) {
        busy = true;
        continue;
      }
      if (isOver || next >= plan.end)
        continue;
      int64_t end = std::min(next + batch, plan.end);
      start(worker, next, end);
      next = end;
      busy = true;
    }
    showProgress();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Tally total = sum();
  for (Worker &worker : workers) {
    close(worker.errors);
    munmap(worker.shared, sizeof(Shared));
  }
  return total;
}

Tally fuzz::runWorkers(const Plan &plan,
                       const mlir::DialectRegistry &registry) {
  return Pool(plan, registry).run();
}
