//===- Rates.cpp - What a run computed in its time ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Explain/Explain.h"
#include "lattn/Measure/Table.h"
#include "llvm/ADT/STLExtras.h"

using namespace lattn;
using llvm::ArrayRef;

double lattn::getUsefulFlops(ArrayRef<AttentionWork> works,
                             ArrayRef<MatmulWork> matmuls) {
  double flops = 0;
  for (const AttentionWork &work : works)
    flops += work.getUsefulFlops();
  for (const MatmulWork &matmul : matmuls)
    flops += matmul.flops;
  return flops;
}

Rates::Rates(ArrayRef<AttentionWork> works, ArrayRef<MatmulWork> matmuls,
             bool isComplete, const Measurement &measurement, const Peak *peak)
    : usefulFlops(lattn::getUsefulFlops(works, matmuls)),
      flops(usefulFlops / measurement.getMedian()), isComplete(isComplete) {
  isUpperBound = llvm::any_of(
      works, [](const AttentionWork &work) { return work.isUpperBound(); });
  // Few queries are as fast as memory is; a window or lengths leave keys out.
  for (const AttentionWork &work : works)
    if (work.isOfFeatures && !work.hasWindow && !work.isUpperBound())
      bytes += work.getLeastBytes() / measurement.getMedian();
  if (!peak)
    return;
  kind = peak->getKind();
  this->peak = peak->get();
  bound = getBound(works, matmuls, kind);
}

void lattn::printRates(const Rates &rates, llvm::raw_ostream &os) {
  std::string text = formatNumber(rates.flops / 1e9) + " GFLOP/s useful";
  if (rates.isUpperBound)
    text += " (upper bound: masks or lengths are computed)";
  if (!rates.isComplete)
    text += " (without what has an unknown shape)";
  if (rates.flops > 0)
    printRow(os, "rate", text);
  if (!rates.hasReached())
    return;
  // A rate that is an upper bound may be beyond what can be.
  Reached reached = rates.getReached();
  printRow(os, "reached",
           rates.isUpperBound
               ? formatPercent(reached.ofPeak) + " of peak at most"
               : reached.describe());
}

void lattn::printPeak(const Rates &rates, llvm::raw_ostream &os) {
  if (rates.bytes > 0)
    printRow(os, "memory rate",
             formatNumber(rates.bytes / 1e9) +
                 " GB/s at least: each array once");
  if (rates.peak > 0)
    printRow(os, "measured peak",
             formatNumber(rates.peak / 1e9) + " GFLOP/s" +
                 (getSpeed(rates.kind) > 1
                      ? ", the " + getPeakName(rates.kind).str()
                      : ""));
}
