//===- Report.cpp - Tables about a run ------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "lattn/Measure/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::formatv;

bool Report::agrees() const {
  return !failedChecks && llvm::all_of(compared, [](const ComparedResult &one) {
    return one.agrees();
  });
}

/// "1x8x4096x64xf32", in the spelling of --shape and of types.
static std::string formatType(const NumpyArray &array, const ValueInfo &info) {
  std::string text;
  for (int64_t extent : array.shape)
    text += std::to_string(extent) + "x";
  return text + getElementName(info.kind).str();
}

/// "query, key, value 1x8x4096x64xf32": a row for neighbours of the same type.
static void printTypes(llvm::StringRef label, ArrayRef<ValueInfo> infos,
                       ArrayRef<NumpyArray> arrays, llvm::raw_ostream &os) {
  for (size_t i = 0; i < infos.size();) {
    std::string names = infos[i].name, type = formatType(arrays[i], infos[i]);
    size_t next = i + 1;
    for (; next < infos.size() && formatType(arrays[next], infos[next]) == type;
         ++next)
      names += ", " + infos[next].name;
    printRow(os, i ? "" : label, names + " " + type);
    i = next;
  }
}

static std::string describeTimes(const Report &report) {
  ArrayRef<double> runs = report.measurement.runSeconds;
  if (!report.options.measure.benchmark)
    return formatSeconds(runs.front()) +
           ", the first run; --benchmark times warm ones";
  if (runs.size() == 1)
    return formatSeconds(runs.front());
  return formatv("{0} median, {1} least of {2} runs",
                 formatSeconds(report.measurement.getMedian()),
                 formatSeconds(runs.front()), runs.size());
}

void lattn::printSummary(const Report &report, llvm::raw_ostream &os) {
  const Measurement &measurement = report.measurement;
  printRow(os, "entry", report.signature.entry);
  printTypes("arguments", report.signature.arguments, report.arguments, os);
  printTypes("results", report.signature.results, report.results, os);
  bool onDevice = !measurement.device.empty();
  printRow(os, onDevice ? "device" : "threads",
           onDevice ? measurement.device : std::to_string(measurement.threads));
  printRow(os, "compile time",
           formatSeconds(measurement.compileSeconds) +
               (measurement.fromCache ? ", loaded from the cache" : ""));
  printRow(os, "run time", describeTimes(report));
  printRates(report.rates, os);
}

void lattn::printDetails(const Report &report, llvm::raw_ostream &os) {
  os << '\n';
  printExplanation(report.works, report.target, os);
  if (report.works.empty())
    printOps(report.entry, os);
  printRow(os, "memory",
           formatBytes(report.measurement.scratchBytes) + " scratch, " +
               formatBytes(report.measurement.resultBytes) + " results");
  printPeak(report.rates, os);
}
