//===- Report.cpp - Tables about a run ------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::formatv;

std::string lattn::formatNumber(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.*g", digits, value);
  return text;
}

std::string lattn::formatSeconds(double seconds) {
  if (seconds >= 1)
    return formatNumber(seconds) + " s";
  if (seconds >= 1e-3)
    return formatNumber(seconds * 1e3) + " ms";
  return formatNumber(seconds * 1e6, 3) + " us";
}

std::string lattn::formatBytes(int64_t bytes) {
  if (bytes >= int64_t(1) << 20)
    return formatNumber(bytes / 1048576.0) + " MiB";
  if (bytes >= 1024)
    return formatNumber(bytes / 1024.0) + " KiB";
  return std::to_string(bytes) + " B";
}

void lattn::printRow(llvm::raw_ostream &os, llvm::StringRef label,
                     const std::string &value) {
  os << formatv("{0,-22} {1}\n", label, value);
}

/// "1x8x4096x64xf32", in the spelling of --shape and of types.
static std::string formatType(const NumpyArray &array, const ValueInfo &info) {
  std::string text;
  for (int64_t extent : array.shape)
    text += std::to_string(extent) + "x";
  return text + getElementName(info.kind).str();
}

void lattn::printReport(const Signature &signature,
                        ArrayRef<NumpyArray> arguments,
                        ArrayRef<NumpyArray> results,
                        const Measurement &measurement, llvm::raw_ostream &os) {
  printRow(os, "entry", signature.entry);
  for (auto [info, array] : llvm::zip_equal(signature.arguments, arguments))
    printRow(os, "argument " + info.name, formatType(array, info));
  for (auto [info, array] : llvm::zip_equal(signature.results, results))
    printRow(os, "result " + info.name, formatType(array, info));
  bool onDevice = !measurement.device.empty();
  printRow(os, onDevice ? "device" : "threads",
           onDevice ? measurement.device : std::to_string(measurement.threads));
  printRow(os, "compile time",
           formatSeconds(measurement.compileSeconds) +
               (measurement.fromCache ? ", loaded from the cache" : ""));
  ArrayRef<double> runs = measurement.runSeconds;
  if (runs.size() == 1)
    printRow(os, "run time", formatSeconds(runs.front()));
  else
    printRow(os, "run time",
             formatv("{0} median, {1} least of {2} runs",
                     formatSeconds(measurement.getMedian()),
                     formatSeconds(runs.front()), runs.size()));
  std::string scratch = formatBytes(measurement.scratchBytes) + " scratch, ";
  printRow(os, "memory",
           (onDevice ? "" : scratch) + formatBytes(measurement.resultBytes) +
               " results");
}
