//===- MeasurementTest.cpp - Runs that are timed ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Measure/Measurement.h"
#include <gtest/gtest.h>

using namespace lattn;

namespace {

// Adds 1 to its argument.
constexpr char kText[] = R"(
func.func @f(%m: memref<f32>) -> f32 {
  %one = arith.constant 1.0 : f32
  %0 = memref.load %m[] : memref<f32>
  %1 = arith.addf %0, %one : f32
  memref.store %1, %m[] : memref<f32>
  return %1 : f32
})";

struct Measured {
  float argument, result;
  size_t runs;
};

Measured run(const MeasureOptions &options) {
  CompileOptions compile;
  compile.cache = "off";
  auto callable = Program::compileText(kText, "text", "f", compile);
  EXPECT_TRUE(bool(callable)) << llvm::toString(callable.takeError());
  std::vector<NumpyArray> arguments;
  arguments.push_back(cantFail(NumpyArray::create(ElementKind::F32, {})));
  Measurement measurement;
  auto results = measure(*callable, arguments, options, measurement);
  EXPECT_TRUE(bool(results)) << llvm::toString(results.takeError());
  auto get = [](const NumpyArray &array) {
    return *reinterpret_cast<const float *>(array.buffer.data());
  };
  return {get(arguments[0]), get((*results)[0]), measurement.runSeconds.size()};
}

TEST(Measurement, OneRun) {
  Measured measured = run({});
  EXPECT_EQ(measured.runs, 1u);
  EXPECT_EQ(measured.result, 1);
  EXPECT_EQ(measured.argument, 1);
}

// Each run of a benchmark sees the arguments as they were.
TEST(Measurement, Benchmark) {
  MeasureOptions options;
  options.benchmark = true;
  options.repetitions = 5;
  Measured measured = run(options);
  EXPECT_EQ(measured.runs, 5u);
  EXPECT_EQ(measured.result, 1);
  EXPECT_EQ(measured.argument, 1);
}

} // namespace
