//===- NumpyFixture.h - Files for the tests to read -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_UNITTEST_EXECUTION_NUMPYFIXTURE_H
#define LATTN_UNITTEST_EXECUTION_NUMPYFIXTURE_H

#include "NumpyBytes.h"
#include "lattn/Execution/NumpyFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace lattn::test {

class NumpyFilesTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(
        llvm::sys::fs::createUniqueDirectory("lattn-numpy", directory));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string makePath(llvm::StringRef name) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  std::string writeFile(llvm::StringRef name, llvm::StringRef bytes) {
    std::string path = makePath(name);
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
    EXPECT_FALSE(code);
    return path;
  }
  std::string readFile(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(makePath(name));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  int countFiles() {
    std::error_code code;
    int count = 0;
    for (llvm::sys::fs::directory_iterator it(directory, code), end;
         it != end && !code; it.increment(code))
      ++count;
    return count;
  }

  /// Expects one line that names the file and holds `text`.
  void expectMessage(llvm::Error error, llvm::StringRef path,
                     llvm::StringRef text) {
    std::string message = llvm::toString(std::move(error));
    EXPECT_NE(message.find(path.str()), std::string::npos) << message;
    EXPECT_NE(message.find(text.str()), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
  void expectBadNpy(llvm::StringRef bytes, llvm::StringRef text) {
    std::string path = writeFile("bad.npy", bytes);
    expectMessage(readNpy(path).takeError(), path, text);
  }
  void expectBadDict(llvm::StringRef dict, llvm::StringRef text) {
    expectBadNpy(makeNpy(dict), text);
  }
  void expectBadNpz(llvm::StringRef bytes, llvm::StringRef text) {
    std::string path = writeFile("bad.npz", bytes);
    expectMessage(readNpz(path).takeError(), path, text);
  }

  llvm::SmallString<128> directory;
};

} // namespace lattn::test

#endif // LATTN_UNITTEST_EXECUTION_NUMPYFIXTURE_H
