//===- Numbers.cpp - Elements of arrays as numbers ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "lattn/Execution/Elements.h"
#include "lattn/Runtime/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace lattn;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// SplitMix64's output function: a hash of a counter.
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Two normal numbers from one hash (Box and Muller).
static std::pair<float, float> getNormals(uint64_t bits) {
  float u = (static_cast<float>(bits >> 40) + 1.0f) * 0x1p-24f; // (0, 1]
  float v = static_cast<float>((bits >> 16) & 0xffffff) * 0x1p-24f;
  float radius = std::sqrt(-2.0f * std::log(u));
  float angle = 6.28318530718f * v;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

void lattn::randomize(NumpyArray &array, uint64_t seed, uint64_t stream) {
  uint64_t key = mix(mix(seed) + stream);
  int64_t count = array.getNumElements();
  auto fill = [&](int64_t begin, int64_t end) {
    for (int64_t pair = begin; pair < end; ++pair) {
      uint64_t bits = mix(key + pair);
      int64_t i = 2 * pair;
      auto [first, second] =
          array.kind == ElementKind::Bool
              ? std::pair<float, float>(bits & 1, bits >> 1 & 1)
              : getNormals(bits);
      setNumber(array, i, first);
      if (i + 1 < count)
        setNumber(array, i + 1, second);
    }
  };
  lattn_parallel_for(
      [](void *fill_, int64_t begin, int64_t end) {
        (*static_cast<decltype(fill) *>(fill_))(begin, end);
      },
      &fill, (count + 1) / 2);
}

void lattn::randomizeIntegers(NumpyArray &array, uint64_t seed, uint64_t stream,
                              int64_t least, int64_t most) {
  uint64_t key = mix(mix(seed) + stream);
  int64_t largest = std::numeric_limits<int64_t>::max() >>
                    (64 - 8 * getElementSize(array.kind));
  most = std::min(most, largest);
  least = std::min(least, most);
  uint64_t count = static_cast<uint64_t>(most) - least + 1;
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i)
    setInteger(array, i, least + static_cast<int64_t>(mix(key + i) % count));
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

Tolerance lattn::getDefaultTolerance(ElementKind kind) {
  auto both = [](double value) { return Tolerance{value, value}; };
  switch (kind) {
  case ElementKind::F16:
    return both(2e-3);
  case ElementKind::BF16:
    return both(2e-2);
  case ElementKind::F32:
    return both(2e-5);
  case ElementKind::F64:
    return both(1e-10);
  default:
    return {};
  }
}

Comparison lattn::compare(const NumpyArray &got, const NumpyArray &expected,
                          Tolerance tolerance) {
  constexpr size_t kShown = 5;
  Comparison comparison;
  comparison.elements = got.getNumElements();
  bool floats = isFloat(got.kind);
  for (int64_t i = 0; i < comparison.elements; ++i) {
    double g = getNumber(got, i), e = getNumber(expected, i);
    bool matches;
    double error = std::abs(g - e);
    if (!floats) {
      matches = getInteger(got, i) == getInteger(expected, i);
    } else if (!std::isfinite(g) || !std::isfinite(e)) {
      matches = g == e || (std::isnan(g) && std::isnan(e));
      error = matches ? 0 : INFINITY;
    } else {
      matches = error <= tolerance.absolute + tolerance.relative * std::abs(e);
    }
    if (error > comparison.largestError) {
      comparison.largestError = error;
      comparison.largestIndex = i;
    }
    if (matches)
      continue;
    ++comparison.mismatches;
    if (comparison.first.size() < kShown)
      comparison.first.push_back(i);
  }
  return comparison;
}

std::string lattn::formatIndex(ArrayRef<int64_t> shape, int64_t index) {
  std::string text;
  for (int64_t extent : llvm::reverse(shape)) {
    text = std::to_string(index % extent) + (text.empty() ? "" : ", ") + text;
    index /= extent;
  }
  return "[" + text + "]";
}
