//===- TuningTest.cpp - What cannot be is not chosen ----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Tuning/Tuning.h"
#include "lattn/InitAll.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace lattn;

namespace {

constexpr llvm::StringLiteral kText = R"(
!t = tensor<1x1x16x8xf32>
func.func @f(%q: !t) -> !t {
  %e = tensor.empty() : !t
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%e : !t)
  return %0 : !t
})";

/// A search among two sizes, whose measurements the peak and the bound decide.
class Tuning : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    mlir::MLIRContext context(registry);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kText, &context);
    options.cache = "off";
    auto found =
        findTrials(*module->getOps<mlir::func::FuncOp>().begin(), options);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    kernels = std::move(*found);
    ASSERT_EQ(kernels.size(), 1u);
    ASSERT_GE(kernels.front().trials.size(), 2u);
    kernels.front().trials.resize(2);
    auto array = NumpyArray::create(ElementKind::F32, {1, 1, 16, 8});
    ASSERT_TRUE(bool(array));
    arguments.push_back(std::move(*array));
  }

  /// The error; empty without one. `peaks` by sample, the last for the rest.
  std::string run(std::vector<double> peaks, double bound) {
    auto compile = [&](const CompileOptions &trial) {
      return Program::compileText(kText, "text", "f", trial);
    };
    auto samplePeak = [&] {
      return peaks[std::min<size_t>(samples++, peaks.size() - 1)];
    };
    auto getBound = [&](const CompileOptions &) -> llvm::Expected<double> {
      return bound;
    };
    TuningJudge judge = {/*flops=*/1e6, samplePeak, getBound};
    return llvm::toString(runTrials(kernels, compile, arguments, options,
                                    /*showProgress=*/false, judge));
  }

  CompileOptions options;
  std::vector<KernelTuning> kernels;
  std::vector<NumpyArray> arguments;
  size_t samples = 0;
};

TEST_F(Tuning, UndisturbedIsMeasuredOnce) {
  EXPECT_EQ(run({1e30}, 1), "");
  EXPECT_EQ(samples, 2u);
}

TEST_F(Tuning, DisturbedIsMeasuredAgain) {
  EXPECT_EQ(run({1, 1, 1e30}, 1), "");
  EXPECT_EQ(samples, 3u);
}

TEST_F(Tuning, WhatStaysDisturbedIsAnError) {
  std::string error = run({1}, 1);
  EXPECT_NE(error.find("no program can reach more than the peak: the "
                       "measurement was disturbed, 4 times; nothing is kept"),
            std::string::npos)
      << error;
  EXPECT_EQ(samples, 5u);
}

TEST_F(Tuning, MoreThanTheBoundIsDisturbed) {
  std::string error = run({1e30}, 1e-30);
  EXPECT_NE(error.find("more than the bound"), std::string::npos) << error;
}

} // namespace
