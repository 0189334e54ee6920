//===- Json.cpp - A run for programs --------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/ADT/STLExtras.h"

using namespace lattn;
using llvm::ArrayRef;
namespace json = llvm::json;

static json::Array describeArrays(ArrayRef<ValueInfo> infos,
                                  ArrayRef<NumpyArray> arrays) {
  json::Array described;
  for (auto [info, array] : llvm::zip_equal(infos, arrays))
    described.push_back(json::Object{{"name", info.name},
                                     {"shape", json::Array(array.shape)},
                                     {"type", getElementName(info.kind)}});
  return described;
}

static json::Object describeTimes(const Report &report) {
  const Measurement &measurement = report.measurement;
  return json::Object{{"benchmark", report.options.measure.benchmark},
                      {"runs", int64_t(measurement.runSeconds.size())},
                      {"median_seconds", measurement.getMedian()},
                      {"least_seconds", measurement.runSeconds.front()},
                      {"compile_seconds", measurement.compileSeconds},
                      {"compiled_code_from_cache", measurement.fromCache},
                      {"scratch_bytes", measurement.scratchBytes},
                      {"result_bytes", measurement.resultBytes}};
}

/// Null instead of what was not measured.
static json::Value getKnown(bool isKnown, double value) {
  return isKnown ? json::Value(value) : nullptr;
}

static json::Object describeRates(const Rates &rates) {
  bool hasRate = rates.flops > 0, hasPeak = rates.peak > 0;
  Reached reached = rates.getReached();
  return json::Object{
      {"useful_flop", rates.usefulFlops},
      {"is_upper_bound", rates.isUpperBound},
      {"is_complete", rates.isComplete},
      {"flop_per_second", getKnown(hasRate, rates.flops)},
      {"bytes_per_second", getKnown(rates.bytes > 0, rates.bytes)},
      {"peak", hasPeak ? json::Value(getPeakName(rates.kind)) : nullptr},
      {"peak_flop_per_second", getKnown(hasPeak, rates.peak)},
      {"bound_share_of_peak", getKnown(rates.bound > 0, rates.bound)},
      {"share_of_peak", getKnown(rates.hasReached(), reached.ofPeak)},
      {"share_of_bound", getKnown(rates.hasReached(), reached.ofBound)},
      {"is_disturbed",
       rates.hasReached() && !rates.isUpperBound && reached.isDisturbed()}};
}

static const char *getTargetName(Pipeline pipeline) {
  switch (pipeline) {
  case Pipeline::LLVM:
    return "host";
  case Pipeline::Loops:
    return "loops";
  case Pipeline::CUDA:
    return "cuda";
  }
  llvm_unreachable("unknown pipeline");
}

json::Object lattn::describeReport(const Report &report) {
  const Measurement &measurement = report.measurement;
  bool onDevice = !measurement.device.empty();
  json::Array attention, comparisons;
  for (const AttentionWork &work : report.works)
    attention.push_back(describeWork(work, report.target));
  for (const ComparedResult &compared : report.compared)
    comparisons.push_back(describeComparison(compared));
  return json::Object{
      {"file", report.options.file},
      {"entry", report.signature.entry},
      {"arguments",
       describeArrays(report.signature.arguments, report.arguments)},
      {"results", describeArrays(report.signature.results, report.results)},
      {"target", getTargetName(report.options.compile.pipeline)},
      {"cpu", report.target.cpu},
      {"device", onDevice ? json::Value(measurement.device) : nullptr},
      {"threads", onDevice ? json::Value(nullptr) : measurement.threads},
      {"time", describeTimes(report)},
      {"rate", describeRates(report.rates)},
      {"attention", std::move(attention)},
      {"comparisons", std::move(comparisons)},
      {"failed_checks", report.failedChecks},
      {"agrees", report.agrees()}};
}
