//===- Image.cpp - What a module is loaded from ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"
#include "lattn/Runtime/CUDA/Driver.h"
#include <cstdint>
#include <cstdio>
#include <cstring>

using namespace lattn::cuda;

int lattn::cuda::getDriverForPTX(int major, int minor) {
  // 7.0 came with CUDA 11.0, 8.0 with 12.0, and one a release since; 12.6 had
  // none of its own.
  int cudaMajor = major + 4, cudaMinor = minor;
  if (major == 8 && minor >= 6)
    ++cudaMinor;
  return cudaMajor * 1000 + cudaMinor * 10;
}

/// The text after the directive `name`, or null.
static const char *findDirective(const std::string &text, const char *name) {
  size_t length = std::strlen(name);
  for (size_t at = 0; at != std::string::npos && at < text.size();) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos)
      break;
    if (text.compare(at, length, name) == 0)
      return text.c_str() + at + length;
    at = text.find('\n', at);
  }
  return nullptr;
}

static Error checkText(const std::string &text, int driverVersion) {
  const char *version = findDirective(text, ".version");
  int major = 0, minor = 0;
  if (!version || std::sscanf(version, "%d.%d", &major, &minor) != 2)
    return Error("the image is neither PTX nor a cubin: expected a .version");
  int needed = getDriverForPTX(major, minor);
  if (driverVersion >= needed)
    return Error();
  return Error("the PTX is of ISA " + std::to_string(major) + "." +
               std::to_string(minor) + ", which needs a driver of CUDA " +
               formatVersion(needed) + " or later; this one is of CUDA " +
               formatVersion(driverVersion));
}

template <typename T> static T read(const void *image, size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char *>(image) + offset, sizeof(value));
  return value;
}

/// Whether the tables that the header of an ELF file of 64 bits tells of lie in
/// the file.
static bool isWholeElf(const void *image, size_t size) {
  constexpr size_t kHeaderBytes = 64;
  if (size < kHeaderBytes)
    return false;
  auto fits = [&](uint64_t offset, uint64_t count, uint64_t entryBytes) {
    return offset <= size && count * entryBytes <= size - offset;
  };
  if (!fits(read<uint64_t>(image, 0x20), read<uint16_t>(image, 0x38),
            read<uint16_t>(image, 0x36)))
    return false;
  uint64_t sections = read<uint64_t>(image, 0x28);
  uint16_t count = read<uint16_t>(image, 0x3c);
  uint16_t entryBytes = read<uint16_t>(image, 0x3a);
  if (!fits(sections, count, entryBytes) || (count && entryBytes < 0x40))
    return false;
  constexpr uint32_t kNoBits = 8;
  for (uint64_t i = 0; i < count; ++i) {
    size_t header = sections + i * entryBytes;
    if (read<uint32_t>(image, header + 4) != kNoBits &&
        !fits(read<uint64_t>(image, header + 0x18),
              read<uint64_t>(image, header + 0x20), 1))
      return false;
  }
  return true;
}

/// A header of 16 bytes, which ends with the size of what follows.
static bool isWholeFatBinary(const void *image, size_t size) {
  return size >= 16 && read<uint64_t>(image, 8) <= size - 16;
}

static Error checkBinary(bool whole, const char *kind, size_t size) {
  if (whole)
    return Error();
  return Error(std::string("the ") + kind + " is cut off: it has " +
               std::to_string(size) + " bytes");
}

Error lattn::cuda::checkImage(const void *image, size_t size, int driverVersion,
                              std::string &text) {
  auto startsWith = [&](const char (&magic)[5]) {
    return size >= 4 && std::memcmp(image, magic, 4) == 0;
  };
  if (startsWith("\x7f"
                 "ELF"))
    return checkBinary(isWholeElf(image, size), "cubin", size);
  if (startsWith("\x50\xed\x55\xba"))
    return checkBinary(isWholeFatBinary(image, size), "fat binary", size);
  // What lies behind a zero may not belong to the image, if its size is wrong.
  size_t length = strnlen(static_cast<const char *>(image), size);
  if (size - length > 1) // more than the zero that ends a string
    return Error("the image is neither PTX nor a cubin: it holds zeros");
  text.assign(static_cast<const char *>(image), length);
  return checkText(text, driverVersion);
}
