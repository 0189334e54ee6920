//===- CacheCompileTest.cpp - Compiling once ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFixture.h"
#include "lattn/Execution/Invocation.h"
#include "mlir/Pass/PassManager.h"
#include <set>

using namespace lattn;
using lattn::test::CacheTest;
using llvm::cantFail;

static constexpr llvm::StringRef kProgram = R"(
func.func @twice(%x: f32 {lattn.name = "x"}) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}
func.func @square(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
)";

static float call(const Program &program, float x) {
  NumpyArray argument = cantFail(NumpyArray::create(ElementKind::F32, {}));
  std::memcpy(argument.buffer.data(), &x, sizeof(x));
  NumpyArray *pointer = &argument;
  Invocation invocation = cantFail(Invocation::create(program, {pointer}));
  cantFail(invocation.run());
  auto results = cantFail(invocation.getResults());
  std::memcpy(&x, results[0].buffer.data(), sizeof(x));
  return x;
}

TEST_F(CacheTest, CompilesOnce) {
  CompileOptions options;
  options.cache = folder;
  for (bool again : {false, true}) {
    Program twice =
        cantFail(Program::compileText(kProgram, "p.mlir", "twice", options));
    EXPECT_EQ(twice.isFromCache(), again);
    EXPECT_EQ(twice.getSignature().arguments[0].name, "x");
    EXPECT_EQ(call(twice, 3), 6);
    Program square =
        cantFail(Program::compileText(kProgram, "p.mlir", "square", options));
    EXPECT_EQ(square.isFromCache(), again);
    EXPECT_EQ(call(square, 3), 9);
  }
}

TEST_F(CacheTest, CompilesAnewWithoutACache) {
  CompileOptions options;
  options.cache = folder;
  auto compile = [&] {
    return cantFail(Program::compileText(kProgram, "p.mlir", "twice", options));
  };
  EXPECT_FALSE(compile().isFromCache());
  EXPECT_TRUE(compile().isFromCache());
  // What a pass is asked to print is printed as it runs.
  mlir::registerPassManagerCLOptions();
  options.useCommandLine = true;
  EXPECT_FALSE(compile().isFromCache());
  options.useCommandLine = false;
  options.cache = "off";
  EXPECT_FALSE(compile().isFromCache());
}

TEST_F(CacheTest, CachesNoErrors) {
  CompileOptions options;
  options.cache = folder;
  for (int i = 0; i < 2; ++i) {
    auto program = Program::compileText("oops", "p.mlir", "", options);
    EXPECT_NE(llvm::toString(program.takeError()).find("p.mlir:1:1"),
              std::string::npos);
  }
}

// Whatever may change the code changes the key, and nothing else does.
TEST_F(CacheTest, KeysTellProgramsApart) {
  std::set<std::string> seen;
  std::string text = "text", name = "name", entry = "entry";
  CompileOptions options;
  TargetInfo target = cantFail(getTargetInfo());
  auto getKey = [&] {
    auto key = getCacheKey(text, name, entry, options, target);
    EXPECT_TRUE(key);
    EXPECT_EQ(key->size(), 64u);
    return *key;
  };
  auto expectNew = [&] { EXPECT_TRUE(seen.insert(getKey()).second); };
  expectNew();
  EXPECT_EQ(getKey(), *seen.begin());
  // Where it is kept and what is printed does not matter.
  options.cache = "elsewhere";
  EXPECT_EQ(getKey(), *seen.begin());
  // The same letters in other parts.
  text = "textn", name = "ame";
  expectNew();
  text = "text2";
  expectNew();
  entry = "";
  expectNew();
  options.pipeline = Pipeline::Loops;
  expectNew();
  for (int64_t *number : {&options.queryTile, &options.keyTile, &options.parts,
                          &target.vectorBits, &target.vectorRegisters,
                          &target.l1Bytes, &target.l2Bytes, &target.cpus}) {
    *number += 1;
    expectNew();
  }
  options.raise = true;
  expectNew();
  options.chip = "sm_90a";
  expectNew();
  target.hasFMA = !target.hasFMA;
  expectNew();
  for (std::string *part : {&target.triple, &target.cpu, &target.features}) {
    *part += "x";
    expectNew();
  }
}

// Machine code has the same key whichever ptxas makes it; PTX waits for
// another.
TEST_F(CacheTest, KeysOfKernels) {
  auto keys = getKernelKeys("kernel", "sm_80");
  ASSERT_TRUE(keys);
  std::set<std::string> seen = {keys->machineCode, keys->ptx};
  for (auto [bytecode, chip] :
       {std::pair("other", "sm_80"), std::pair("kernel", "sm_90a")}) {
    auto others = getKernelKeys(bytecode, chip);
    seen.insert({others->machineCode, others->ptx});
  }
  EXPECT_EQ(seen.size(), 6u);
  setenv("LATTN_PTXAS", "/bin/true", /*overwrite=*/1);
  auto others = getKernelKeys("kernel", "sm_80");
  unsetenv("LATTN_PTXAS");
  EXPECT_EQ(others->machineCode, keys->machineCode);
  EXPECT_NE(others->ptx, keys->ptx);
}
