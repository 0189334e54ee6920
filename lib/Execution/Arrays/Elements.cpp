//===- Elements.cpp - Elements of arrays as numbers -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Elements.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cstring>

using namespace lattn;
using llvm::APFloat;
using llvm::APInt;

bool lattn::isFloat(ElementKind kind) {
  return kind == ElementKind::F16 || kind == ElementKind::BF16 ||
         kind == ElementKind::F32 || kind == ElementKind::F64;
}

bool lattn::isInteger(ElementKind kind) {
  return !isFloat(kind) && kind != ElementKind::Bool;
}

template <typename T> static T load(const NumpyArray &array, int64_t i) {
  T value;
  std::memcpy(&value, array.buffer.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T> static void store(NumpyArray &array, int64_t i, T value) {
  std::memcpy(array.buffer.data() + i * sizeof(T), &value, sizeof(T));
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
    return APFloat(APFloat::IEEEhalf(), APInt(16, load<uint16_t>(array, i)))
        .convertToDouble();
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

static void storeNarrow(NumpyArray &array, int64_t i, double value,
                        const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool losesInfo;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  store<uint16_t>(array, i, number.bitcastToAPInt().getZExtValue());
}

void lattn::setNumber(NumpyArray &array, int64_t i, double value) {
  switch (array.kind) {
  case ElementKind::F16:
    return storeNarrow(array, i, value, APFloat::IEEEhalf());
  case ElementKind::BF16:
    return storeNarrow(array, i, value, APFloat::BFloat());
  case ElementKind::F32:
    return store(array, i, static_cast<float>(value));
  case ElementKind::F64:
    return store(array, i, value);
  default:
    return setInteger(array, i, static_cast<int64_t>(value));
  }
}

void lattn::setInteger(NumpyArray &array, int64_t i, int64_t value) {
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
