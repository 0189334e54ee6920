//===- lattn-fuzz-npy.cpp - Bytes from strangers as .npy and .npz ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A program of libFuzzer. The first byte says what the others are, so that
// some of them get past checksums and lengths:
//   n  a .npy          h  the dict of a .npy, with its data
//   z  a .npz          e  the .npy in a .npz, stored
//                      d  its deflated bytes, after a byte for its size
// Whatever comes, reading gives arrays that are whole or an error in one line.

#include "../../Unit/Execution/NumpyBytes.h"
#include "lattn/Execution/NumpyFiles.h"
#include "llvm/ADT/StringExtras.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace lattn;
using namespace lattn::test;
using llvm::StringRef;

/// A file that only this process sees, with these bytes.
static const std::string &writeFile(StringRef bytes) {
  static int descriptor = memfd_create("lattn-fuzz-npy", 0);
  static std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (ftruncate(descriptor, 0) != 0 ||
      pwrite(descriptor, bytes.data(), bytes.size(), 0) !=
          static_cast<ssize_t>(bytes.size()))
    std::abort();
  return path;
}

static void require(bool condition, const std::string &what) {
  if (condition)
    return;
  llvm::errs() << "lattn-fuzz-npy: " << what << '\n';
  std::abort();
}

static void checkArray(const NumpyArray &array) {
  size_t bytes = array.getNumElements() * getElementSize(array.kind);
  require(array.buffer.size() == bytes, "an array is not whole");
  StringRef elements(array.buffer.data(), bytes);
  // Every byte is read, so that the sanitizer sees it.
  bool isBool = llvm::all_of(elements, [](char c) { return c == 0 || c == 1; });
  require(isBool || array.kind != ElementKind::Bool, "a bool is not 0 or 1");
}

static void checkError(llvm::Error error, const std::string &path) {
  std::string message = llvm::toString(std::move(error));
  require(StringRef(message).contains(path), "no path in: " + message);
  require(message.size() < 1000, "too long: " + message);
  require(llvm::all_of(message, [](char c) { return llvm::isPrint(c); }),
          "not one line of text: " + message);
}

static void readAsNpy(StringRef bytes) {
  const std::string &path = writeFile(bytes);
  llvm::Expected<NumpyArray> array = readNpy(path);
  if (array)
    checkArray(*array);
  else
    checkError(array.takeError(), path);
}

static void readAsNpz(StringRef bytes) {
  const std::string &path = writeFile(bytes);
  llvm::Expected<std::vector<NamedArray>> arrays = readNpz(path);
  if (!arrays)
    return checkError(arrays.takeError(), path);
  for (const auto &[name, array] : *arrays) {
    require(!name.empty() && !StringRef(name).contains('/'), "a name: " + name);
    checkArray(array);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  StringRef bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
  switch (data[0]) {
  case 'n':
    readAsNpy(bytes);
    return 0;
  case 'z':
    readAsNpz(bytes);
    return 0;
  case 'h': {
    auto [dict, elements] = bytes.split('\n');
    readAsNpy(makeNpy((dict + "\n").str(), elements));
    return 0;
  }
  case 'e':
    readAsNpz(makeZip({{"a.npy", bytes.str()}}));
    return 0;
  case 'd': {
    if (bytes.empty())
      return 0;
    Entry entry = {"a.npy", bytes.drop_front().str()};
    entry.method = 8;
    entry.size = 8 * static_cast<unsigned char>(bytes.front());
    readAsNpz(makeZip({entry}));
    return 0;
  }
  default: // keep the corpus to what is named above
    return -1;
  }
}
