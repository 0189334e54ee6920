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
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::formatv;

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
  printRow(os, "memory",
           formatBytes(measurement.scratchBytes) + " scratch, " +
               formatBytes(measurement.resultBytes) + " results");
}
