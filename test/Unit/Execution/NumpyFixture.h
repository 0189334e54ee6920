//===- NumpyFixture.h - Files for the tests to read -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_UNITTEST_EXECUTION_NUMPYFIXTURE_H
#define LATTN_UNITTEST_EXECUTION_NUMPYFIXTURE_H

#include "lattn/Execution/NumpyFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace lattn::test {

template <typename T> inline std::string toBytes(T value) {
  char bytes[sizeof(T)];
  llvm::support::endian::write<T>(bytes, value, llvm::endianness::little);
  return std::string(bytes, sizeof(T));
}

/// A version 1.0 file with this dict.
inline std::string makeNpy(llvm::StringRef dict, llvm::StringRef data = "") {
  return (llvm::StringRef("\x93NUMPY\x01\x00", 8) +
          toBytes<uint16_t>(dict.size()) + dict + data)
      .str();
}

inline std::string makeDict(llvm::StringRef descr, llvm::StringRef order,
                            llvm::StringRef shape) {
  return ("{'descr': '" + descr + "', 'fortran_order': " + order +
          ", 'shape': " + shape + ", }\n")
      .str();
}

/// One float.
inline std::string makeScalar() {
  return makeNpy(makeDict("<f4", "False", "()"), toBytes<uint32_t>(0));
}

struct Entry {
  std::string name;
  std::string data;
  // What the archive says, where that is not the truth.
  uint16_t method = 0;
  uint16_t flags = 0;
  uint32_t crcChange = 0;
  uint32_t packedSize = data.size();
  uint32_t size = data.size();
};

/// A zip archive, whose local headers and directory agree.
inline std::string makeZip(llvm::ArrayRef<Entry> entries) {
  std::string result, directory;
  for (const Entry &entry : entries) {
    uint32_t crc =
        llvm::crc32(llvm::arrayRefFromStringRef<uint8_t>(entry.data));
    std::string common =
        toBytes<uint16_t>(20) + toBytes(entry.flags) + toBytes(entry.method) +
        toBytes<uint32_t>(0x210000) + toBytes(crc ^ entry.crcChange) +
        toBytes(entry.packedSize) + toBytes(entry.size) +
        toBytes<uint16_t>(entry.name.size()) + toBytes<uint16_t>(0);
    directory += "PK\x01\x02" + toBytes<uint16_t>(20) + common +
                 toBytes<uint16_t>(0) + toBytes<uint32_t>(0) +
                 toBytes<uint32_t>(0) + toBytes<uint32_t>(result.size()) +
                 entry.name;
    result += "PK\x03\x04" + common + entry.name + entry.data;
  }
  return result + directory + "PK\x05\x06" + toBytes<uint32_t>(0) +
         toBytes<uint16_t>(entries.size()) + toBytes<uint16_t>(entries.size()) +
         toBytes<uint32_t>(directory.size()) +
         toBytes<uint32_t>(result.size()) + toBytes<uint16_t>(0);
}

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
