//===- NumpyBytes.h - .npy and .npz made by hand ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_UNITTEST_EXECUTION_NUMPYBYTES_H
#define LATTN_UNITTEST_EXECUTION_NUMPYBYTES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

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

} // namespace lattn::test

#endif // LATTN_UNITTEST_EXECUTION_NUMPYBYTES_H
