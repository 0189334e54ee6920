//===- Report.cpp - What a search of tile sizes found ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Cache.h"
#include "lattn/Measure/Peak.h"
#include "lattn/Measure/Table.h"
#include "lattn/Tuning/Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;

static void printTrials(const KernelTuning &kernel, double flops, double peak,
                        llvm::raw_ostream &os) {
  os << "kernel " << kernel.kernel << '\n'
     << formatv("  {0,8} {1,6} {2,10} {3,10}\n", "queries", "keys", "ms",
                "% of peak");
  for (auto [i, trial] : llvm::enumerate(kernel.trials)) {
    bool hasShare = flops > 0 && peak > 0;
    std::string share =
        hasShare ? formatNumber(100 * flops / trial.seconds / peak, 3) : "-";
    // Slower ones than were chosen are not measured again.
    bool isDisturbed =
        hasShare &&
        Reached(flops / trial.seconds, peak, trial.bound).isDisturbed();
    os << formatv("  {0,8} {1,6} {2,10} {3,10}{4}{5}{6}\n", trial.sizes.query,
                  trial.sizes.key, formatNumber(trial.seconds * 1e3), share,
                  i == 0 ? "  cost model" : "",
                  i == kernel.chosen ? "  chosen" : "",
                  isDisturbed ? "  disturbed" : "");
  }
}

void lattn::printTuning(ArrayRef<KernelTuning> kernels, double flops,
                        double peak, llvm::raw_ostream &os) {
  for (const KernelTuning &kernel : kernels)
    printTrials(kernel, flops, peak, os);
}

llvm::json::Array lattn::describeTuning(ArrayRef<KernelTuning> kernels,
                                        double flops, double peak) {
  llvm::json::Array array;
  for (const KernelTuning &kernel : kernels) {
    llvm::json::Array trials;
    for (auto [i, trial] : llvm::enumerate(kernel.trials)) {
      llvm::json::Value share = nullptr;
      if (flops > 0 && peak > 0)
        share = flops / trial.seconds / peak;
      trials.push_back(llvm::json::Object{{"queries", trial.sizes.query},
                                          {"keys", trial.sizes.key},
                                          {"seconds", trial.seconds},
                                          {"share_of_peak", share},
                                          {"cost_model", i == 0},
                                          {"chosen", i == kernel.chosen}});
    }
    array.push_back(llvm::json::Object{{"kernel", kernel.kernel},
                                       {"trials", std::move(trials)}});
  }
  return array;
}

Error lattn::storeTuning(ArrayRef<KernelTuning> kernels,
                         const CompileOptions &options, llvm::raw_ostream &os) {
  std::optional<Cache> cache = Cache::open(options.cache);
  if (!cache) {
    printRow(os, "tile sizes", "not kept: there is no cache");
    return Error::success();
  }
  Expected<TargetInfo> target = getTargetInfo(options.cpu, options.attributes);
  if (!target)
    return target.takeError();
  std::vector<TunedKernel> tuned;
  for (const KernelTuning &kernel : kernels)
    tuned.push_back({kernel.kernel, kernel.getChosen().sizes,
                     kernel.getModel().sizes, 1e3 * kernel.getChosen().seconds,
                     1e3 * kernel.getModel().seconds});
  Expected<std::string> path = cache->storeTuned(*target, tuned);
  if (!path)
    return path.takeError();
  printRow(os, "tile sizes", "kept in " + *path);
  return Error::success();
}
