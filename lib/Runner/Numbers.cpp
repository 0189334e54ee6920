//===- Numbers.cpp - Elements of arrays as numbers ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "lattn/Runtime/Parallel.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace lattn;
using llvm::ArrayRef;

bool lattn::isFloat(ElementKind kind) {
  return kind == ElementKind::F16 || kind == ElementKind::BF16 ||
         kind == ElementKind::F32 || kind == ElementKind::F64;
}

bool lattn::isInteger(ElementKind kind) {
  return !isFloat(kind) && kind != ElementKind::Bool;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename T> static T load(const NumpyArray &array, int64_t i) {
  T value;
  std::memcpy(&value, array.buffer.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void store(NumpyArray &array, int64_t i, T value) {
  std::memcpy(array.buffer.data() + i * sizeof(T), &value, sizeof(T));
}

static double halfToDouble(uint16_t bits) {
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double value;
  if (exponent == 31)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else
    value = std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

static uint16_t narrow(float value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

int64_t lattn::getInteger(const NumpyArray &array, int64_t i) {
  switch (array.kind) {
  case ElementKind::Bool:
  case ElementKind::U8:
    return load<uint8_t>(array, i);
  case ElementKind::I8:
    return load<int8_t>(array, i);
  case ElementKind::I16:
    return load<int16_t>(array, i);
  case ElementKind::U16:
    return load<uint16_t>(array, i);
  case ElementKind::I32:
    return load<int32_t>(array, i);
  case ElementKind::U32:
    return load<uint32_t>(array, i);
  case ElementKind::I64:
  case ElementKind::U64:
    return load<int64_t>(array, i);
  default:
    return static_cast<int64_t>(getNumber(array, i));
  }
}

double lattn::getNumber(const NumpyArray &array, int64_t i) {
  switch (array.kind) {
  case ElementKind::F16:
    return halfToDouble(load<uint16_t>(array, i));
  case ElementKind::BF16:
  case ElementKind::Void2:
    return llvm::bit_cast<float>(uint32_t(load<uint16_t>(array, i)) << 16);
  case ElementKind::F32:
    return load<float>(array, i);
  case ElementKind::F64:
    return load<double>(array, i);
  case ElementKind::U64:
    return static_cast<double>(load<uint64_t>(array, i));
  default:
    return static_cast<double>(getInteger(array, i));
  }
}

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

static void storeFloat(NumpyArray &array, int64_t i, float value) {
  switch (array.kind) {
  case ElementKind::F16:
    return store(array, i, narrow(value, llvm::APFloat::IEEEhalf()));
  case ElementKind::BF16:
    return store(array, i, narrow(value, llvm::APFloat::BFloat()));
  case ElementKind::F64:
    return store(array, i, static_cast<double>(value));
  default:
    return store(array, i, value);
  }
}

void lattn::randomize(NumpyArray &array, uint64_t seed, uint64_t stream) {
  uint64_t key = mix(mix(seed) + stream);
  int64_t count = array.getNumElements();
  auto fill = [&](int64_t begin, int64_t end) {
    for (int64_t pair = begin; pair < end; ++pair) {
      uint64_t bits = mix(key + pair);
      int64_t i = 2 * pair;
      if (array.kind == ElementKind::Bool) {
        store<uint8_t>(array, i, bits & 1);
        if (i + 1 < count)
          store<uint8_t>(array, i + 1, (bits >> 1) & 1);
        continue;
      }
      auto [first, second] = getNormals(bits);
      storeFloat(array, i, first);
      if (i + 1 < count)
        storeFloat(array, i + 1, second);
    }
  };
  lattn_parallel_for(
      [](void *fill_, int64_t begin, int64_t end) {
        (*static_cast<decltype(fill) *>(fill_))(begin, end);
      },
      &fill, (count + 1) / 2);
}

static void storeInteger(NumpyArray &array, int64_t i, int64_t value) {
  switch (getElementSize(array.kind)) {
  case 1:
    return store(array, i, static_cast<uint8_t>(value));
  case 2:
    return store(array, i, static_cast<uint16_t>(value));
  case 4:
    return store(array, i, static_cast<uint32_t>(value));
  default:
    return store(array, i, value);
  }
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
    storeInteger(array, i, least + static_cast<int64_t>(mix(key + i) % count));
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
