//===- Contest.cpp - Search of tile sizes ---------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// By turns, so that what disturbs the machine disturbs all alike; by the least
// time, which is disturbed least. The slower half leaves after each heat.

#include "lattn/Execution/Progress.h"
#include "lattn/Measure/Measurement.h"
#include "lattn/Measure/Peak.h"
#include "lattn/Tuning/Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;

/// Rounds of a heat, of the last one, and how many are in it.
static constexpr int64_t kRounds = 3, kLastRounds = 8;
static constexpr size_t kFinalists = 3;
/// A turn of short programs takes so long.
static constexpr double kTurnSeconds = 2e-3;
/// How often disturbed measurements are repeated.
static constexpr int64_t kMostRepeats = 3;
/// A gain below is taken for noise.
static constexpr double kLeastGain = 0.01;

namespace {

struct Contestant {
  TileTrial *trial;
  std::unique_ptr<Program> program; // an Invocation points to it
  std::unique_ptr<Invocation> call;
};

class Contest {
public:
  Contest(KernelTuning &kernel, MutableArrayRef<NumpyArray> arguments,
          Originals &originals, Progress &progress, const TuningJudge &judge)
      : kernel(kernel), arguments(arguments), originals(originals),
        progress(progress), judge(judge) {}
  Error compile(CompileFunction compile, const CompileOptions &options);
  Error run();

private:
  Error warmUp(Contestant &contestant);
  Error takeTurn(Contestant &contestant);
  Error runHeat(int64_t rounds);
  Error runFinal();

  KernelTuning &kernel;
  MutableArrayRef<NumpyArray> arguments;
  Originals &originals;
  Progress &progress;
  const TuningJudge &judge;
  std::vector<Contestant> contestants;
};

} // namespace

/// Of the progress bar: a compilation each, and turns.
static int64_t countSteps(const KernelTuning &kernel) {
  size_t n = kernel.trials.size();
  int64_t steps = n;
  for (; n > kFinalists; n = llvm::divideCeil(n, 2))
    steps += n * kRounds;
  return steps + n * kLastRounds;
}

Error Contest::compile(CompileFunction compile, const CompileOptions &options) {
  size_t count = kernel.trials.size();
  std::vector<std::optional<Expected<Program>>> compiled(count);
  {
    llvm::DefaultThreadPool pool;
    for (size_t i = 0; i < count; ++i)
      pool.async([&, i] {
        CompileOptions trial = options;
        (*trial.tuned)[kernel.kernel] = kernel.trials[i].sizes;
        compiled[i].emplace(compile(trial));
        progress.advance();
      });
    pool.wait();
  }
  Error error = Error::success();
  for (size_t i = 0; i < count; ++i) {
    Error failure = compiled[i]->takeError();
    if (failure && error)
      llvm::consumeError(std::move(failure)); // one says enough
    else if (failure)
      error = std::move(failure);
    else
      contestants.push_back(
          {&kernel.trials[i],
           std::make_unique<Program>(std::move(**compiled[i])), nullptr});
  }
  if (error)
    return error;
  for (TileTrial &trial : kernel.trials) {
    CompileOptions with = options;
    (*with.tuned)[kernel.kernel] = trial.sizes;
    Expected<double> bound = judge.getBound(with);
    if (!bound)
      return bound.takeError();
    trial.bound = *bound;
  }
  return Error::success();
}

/// The first call pays for pages and caches, and may fail.
Error Contest::warmUp(Contestant &contestant) {
  auto call = Invocation::create(*contestant.program, getPointers(arguments));
  if (!call)
    return call.takeError();
  contestant.call = std::make_unique<Invocation>(std::move(*call));
  Error error = contestant.call->run().takeError();
  originals.restore();
  contestant.call->releaseResults();
  return error;
}

Error Contest::takeTurn(Contestant &contestant) {
  double turn = 0;
  do {
    Expected<double> seconds = contestant.call->run();
    if (!seconds)
      return seconds.takeError();
    contestant.call->releaseResults();
    originals.restore();
    contestant.trial->seconds = std::min(contestant.trial->seconds, *seconds);
    turn += *seconds;
  } while (turn < kTurnSeconds);
  progress.advance();
  return Error::success();
}

Error Contest::runHeat(int64_t rounds) {
  for (int64_t i = 0; i < rounds; ++i)
    for (Contestant &contestant : contestants)
      if (Error error = takeTurn(contestant))
        return error;
  return Error::success();
}

/// Times what is left, again where what was measured cannot be.
Error Contest::runFinal() {
  double peak = judge.samplePeak();
  auto getReached = [&](const Contestant &contestant) {
    const TileTrial &trial = *contestant.trial;
    return Reached(judge.flops / trial.seconds, peak, trial.bound);
  };
  for (int64_t repeats = 0;; ++repeats) {
    if (Error error = runHeat(kLastRounds))
      return error;
    peak = judge.samplePeak();
    auto disturbed =
        llvm::find_if(contestants, [&](const Contestant &contestant) {
          return getReached(contestant).isDisturbed();
        });
    if (disturbed == contestants.end())
      return Error::success();
    if (repeats == kMostRepeats)
      return llvm::createStringError(llvm::formatv(
          "--tune: {0} queries and {1} keys a tile reached {2}, "
          "{3} times; nothing is kept",
          disturbed->trial->sizes.query, disturbed->trial->sizes.key,
          getReached(*disturbed).describe(), repeats + 1));
    for (const Contestant &contestant : contestants)
      contestant.trial->seconds = std::numeric_limits<double>::infinity();
  }
}

Error Contest::run() {
  for (Contestant &contestant : contestants)
    if (Error error = warmUp(contestant))
      return error;
  while (contestants.size() > kFinalists) {
    if (Error error = runHeat(kRounds))
      return error;
    // The cost model's sizes stay: they are what others are compared with.
    std::sort(contestants.begin() + 1, contestants.end(),
              [](const Contestant &a, const Contestant &b) {
                return a.trial->seconds < b.trial->seconds;
              });
    contestants.resize(llvm::divideCeil(contestants.size(), 2));
  }
  if (Error error = runFinal())
    return error;
  for (const Contestant &contestant : contestants) {
    double least = kernel.getChosen().seconds;
    if (contestant.trial->seconds <
        least * (kernel.chosen ? 1 : 1 - kLeastGain))
      kernel.chosen = contestant.trial - kernel.trials.data();
  }
  return Error::success();
}

Error lattn::runTrials(std::vector<KernelTuning> &kernels,
                       CompileFunction compile,
                       MutableArrayRef<NumpyArray> arguments,
                       const CompileOptions &options, bool showProgress,
                       const TuningJudge &judge) {
  Expected<Originals> originals = Originals::create(arguments);
  if (!originals)
    return originals.takeError();
  int64_t steps = 0;
  for (const KernelTuning &kernel : kernels)
    steps += countSteps(kernel);
  Progress progress(showProgress, "tuning", steps);
  CompileOptions trial = options;
  trial.tuned = TunedTiles();
  trial.quiet = true;
  trial.cache = "off";
  trial.useCommandLine = false;
  for (KernelTuning &kernel : kernels) {
    Contest contest(kernel, arguments, *originals, progress, judge);
    if (Error error = contest.compile(compile, trial))
      return error;
    if (Error error = contest.run())
      return error;
    (*trial.tuned)[kernel.kernel] = kernel.getChosen().sizes;
  }
  return Error::success();
}
