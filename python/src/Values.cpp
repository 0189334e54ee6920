//===- Values.cpp - Checks of what arrays hold ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include <algorithm>

using namespace lattn::python;

static int64_t getNumber(const LattnArray &array, int64_t at) {
  return array.type == LattnI64 ? static_cast<const int64_t *>(array.data)[at]
                                : static_cast<const int32_t *>(array.data)[at];
}

/// Of an array with one axis.
static int64_t get(const LattnArray &array, int64_t i) {
  return getNumber(array, array.strides ? i * array.strides[0] : i);
}

/// Of an array with two axes.
static int64_t get(const LattnArray &array, int64_t i, int64_t j) {
  return getNumber(array, array.strides
                              ? i * array.strides[0] + j * array.strides[1]
                              : i * array.sizes[1] + j);
}

ValueError lattn::python::readBorders(const LattnArray &array,
                                      const std::string &name, int64_t rows,
                                      Borders &borders) {
  auto fail = [&](const std::string &expected, int64_t i) {
    return name + ": expected " + expected + ", got " +
           std::to_string(get(array, i)) + " at [" + std::to_string(i) + "]";
  };
  borders.count = array.sizes[0] - 1;
  if (get(array, 0) != 0)
    return fail("the first sequence to begin with row 0", 0);
  for (int64_t i = 1; i <= borders.count; ++i) {
    int64_t begin = get(array, i - 1), end = get(array, i);
    if (end < begin)
      return fail(
          "numbers that do not decrease, at least " + std::to_string(begin), i);
    borders.longest = std::max(borders.longest, end - begin);
    if (borders.singles == i - 1 && end - begin == 1)
      ++borders.singles;
  }
  if (get(array, borders.count) != rows)
    return fail("the last sequence to end with the last row, " +
                    std::to_string(rows),
                borders.count);
  return std::nullopt;
}

ValueError lattn::python::checkPages(const LattnArray &pages,
                                     const LattnArray *lengths,
                                     int64_t pageSize, int64_t count) {
  int64_t most = pages.sizes[1] * pageSize;
  for (int64_t batch = 0; batch < pages.sizes[0]; ++batch) {
    int64_t keys = lengths ? get(*lengths, batch) : most;
    if (keys > most)
      return "kv_lengths: expected at most " + std::to_string(most) +
             " keys, those of " + std::to_string(pages.sizes[1]) +
             " pages of " + std::to_string(pageSize) + ", got " +
             std::to_string(keys) + " for batch " + std::to_string(batch);
    for (int64_t i = 0; i * pageSize < keys; ++i) {
      int64_t page = get(pages, batch, i);
      if (page < 0 || page >= count)
        return "pages: expected one of the pool's " + std::to_string(count) +
               " pages, got " + std::to_string(page) + " at [" +
               std::to_string(batch) + ", " + std::to_string(i) + "]";
    }
  }
  return std::nullopt;
}
