//===- Dropout.cpp - Which weights dropout keeps ----------------*- C++ -*-===//
//
// Part of lattn, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Reference/Attention.h"

#include <array>

using namespace lattn::reference;

/// Philox4x32-10 of Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3
/// (2011).
static std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xD2511F53) * counter[0];
    uint64_t second = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(second >> 32) ^ counter[1] ^ key0, uint32_t(second),
               uint32_t(first >> 32) ^ counter[3] ^ key1, uint32_t(first)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

bool lattn::reference::isKept(const Dropout &dropout, int64_t row, int64_t q,
                              int64_t k) {
  uint64_t seed = dropout.seed;
  std::array<uint32_t, 4> words = philox(
      {uint32_t(dropout.offset), uint32_t(row), uint32_t(q), uint32_t(k / 4)},
      uint32_t(seed), uint32_t(seed >> 32));
  double uniform = (words[k % 4] >> 8) * 0x1p-24;
  return uniform >= dropout.p;
}
