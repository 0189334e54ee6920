//===- CacheFixture.h - A cache of its own for each test --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_UNITTEST_EXECUTION_CACHEFIXTURE_H
#define LATTN_UNITTEST_EXECUTION_CACHEFIXTURE_H

#include "lattn/Execution/Cache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace lattn::test {

class CacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("lattn-cache", parent));
    folder = makePath("cache");
    for (const char *name :
         {"LATTN_CACHE_DIR", "LATTN_CACHE_SIZE", "XDG_CACHE_HOME"})
      unsetenv(name);
    setenv("HOME", parent.c_str(), /*overwrite=*/1);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(parent); }

  std::string makePath(llvm::StringRef name) const {
    llvm::SmallString<128> path(parent);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  static std::string makeKey(char digit) { return std::string(64, digit); }
  std::string getEntryPath(char digit) const {
    return folder + "/" + makeKey(digit) + ".lattn";
  }

  /// One of each field, with the machine code `object`.
  static CompiledCode makeCode(llvm::StringRef object) {
    CompiledCode code;
    code.signature.entry = "f";
    code.signature.arguments.resize(2);
    code.signature.arguments[0] = {"query", ElementKind::BF16, true, {-1, 4},
                                   {8, 1},  "memref<?x4xbf16>"};
    code.signature.arguments[1] = {"n", ElementKind::I64, false, {}, {}, "i64"};
    code.signature.results.resize(1);
    code.signature.results[0] = {"out0", ElementKind::F32, true, {2},
                                 {},     "tensor<2xf32>"};
    code.signature.written = {0};
    code.warnings = "warning: slow\n";
    code.object = llvm::MemoryBuffer::getMemBufferCopy(object);
    code.kernels = {{"f_kernel", std::string("by\0tes", 6)}, {"f_split", ""}};
    return code;
  }

  static std::string readFile(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  static void writeFile(const std::string &path, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
    ASSERT_FALSE(code);
    ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  }

  llvm::SmallString<128> parent;
  std::string folder;
};

} // namespace lattn::test

#endif // LATTN_UNITTEST_EXECUTION_CACHEFIXTURE_H
