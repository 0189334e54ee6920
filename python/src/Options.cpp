//===- Options.cpp - Options of lattn.attention ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace lattn::python;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

double lattn::python::readNumber(nb::handle object, const char *name,
                                 double least) {
  double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred()) {
    dropException();
    throwTypeError(std::string(name) + ": expected a number, got " +
                   getKind(object));
  }
  if (!std::isfinite(value) || value < least)
    throwValueError(std::string(name) + ": expected a finite number" +
                    (std::isfinite(least)
                         ? " of at least " + toText(nb::float_(least))
                         : "") +
                    ", got " + toRepr(object));
  return value;
}

/// An int that PyNumber_Index makes of `object`, within +-2^40.
static int64_t readInteger(nb::handle object, const char *name, int64_t least) {
  static constexpr int64_t kMost = int64_t(1) << 40;
  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) {
    dropException();
    throwTypeError(std::string(name) + ": expected an integer, got " +
                   getKind(object));
  }
  int isOverflow = 0;
  int64_t value = PyLong_AsLongLongAndOverflow(index.ptr(), &isOverflow);
  if (isOverflow || value < least || value > kMost)
    throwValueError(std::string(name) + ": expected an integer from " +
                    std::to_string(least) + " to 2**40, got " + toRepr(index));
  return value;
}

int32_t BatchNumbers::getType() const {
  if (!isGiven)
    return KernelKey::kNone;
  return view.isGiven() ? view.type : LattnI64;
}

LattnArray BatchNumbers::getArray() const {
  if (view.isGiven())
    return view.getArray();
  LattnArray array = {};
  array.data = const_cast<int64_t *>(values.data());
  array.type = LattnI64;
  array.rank = isOne ? 0 : 1;
  array.sizes = &size;
  array.strides = &stride;
  return array;
}

BatchNumbers lattn::python::readBatchNumbers(nb::handle object,
                                             const char *name, int64_t b,
                                             bool mayBeOne) {
  static constexpr int64_t kLeast = -(int64_t(1) << 40);
  BatchNumbers numbers;
  if (object.is_none())
    return numbers;
  numbers.isGiven = true;
  numbers.size = b;
  bool isArray = nb::hasattr(object, "__dlpack__");
  if (mayBeOne && !isArray && PyIndex_Check(object.ptr())) {
    numbers.values = {readInteger(object, name, kLeast)};
    return numbers;
  }
  ArrayView view;
  read(object, name, view);
  expectType(view, LattnI64, LattnI32);
  if (!mayBeOne || view.rank != 0)
    expectShape(view, "B", {b});
  numbers.stride = view.rank;
  for (int64_t i = 0; i < (view.rank ? b : 1); ++i) {
    int64_t at = view.rank ? i * view.strides[0] : 0;
    numbers.values.push_back(view.type == LattnI64
                                 ? static_cast<const int64_t *>(view.data)[at]
                                 : static_cast<const int32_t *>(view.data)[at]);
    if (std::abs(numbers.values.back()) > -kLeast)
      throwValueError(std::string(name) +
                      ": expected numbers within +-2**40, got " +
                      std::to_string(numbers.values.back()));
  }
  return numbers;
}

BatchNumbers lattn::python::readBatchNumbersOnGPU(nb::handle object,
                                                  const char *name, int64_t b,
                                                  bool mayBeOne) {
  BatchNumbers numbers;
  if (object.is_none())
    return numbers;
  if (mayBeOne && PyLong_Check(object.ptr())) {
    numbers = readBatchNumbers(object, name, b, mayBeOne);
    numbers.isOne = true;
    return numbers;
  }
  numbers.isGiven = true;
  readAnywhere(object, name, numbers.view);
  expectType(numbers.view, LattnI64, LattnI32);
  expectShape(numbers.view, "B", {b});
  return numbers;
}

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

static int64_t readSeed(nb::handle seed) {
  nb::object index = nb::steal(PyNumber_Index(seed.ptr()));
  if (!index.is_valid()) {
    dropException();
    throwTypeError("seed: expected an integer, got " + getKind(seed));
  }
  int64_t value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred()) {
    dropException();
    throwValueError("seed: expected an integer from -2**63 to 2**63 - 1, got " +
                    toRepr(index));
  }
  return value;
}

Dropout lattn::python::readDropout(nb::handle p, nb::handle seed,
                                   Library library) {
  Dropout dropout;
  if (!seed.is_none())
    dropout.seed = readSeed(seed);
  if (p.is_none())
    return dropout;
  double probability = readNumber(p, "dropout_p", 0);
  if (probability > 1)
    throwValueError("dropout_p: expected a number from 0 to 1, got " +
                    toRepr(p));
  dropout.p = static_cast<float>(probability);
  dropout.isGiven = probability != 0;
  if (dropout.isGiven && seed.is_none())
    dropout.seed = readSeed(
        nb::module_::import_("lattn._seeds")
            .attr(library == Library::Torch ? "of_torch" : "of_numpy")());
  return dropout;
}

void Dropout::append(std::vector<LattnArray> &arguments) const {
  auto add = [&](const void *data, LattnElementType type) {
    LattnArray scalar = {};
    scalar.data = const_cast<void *>(data);
    scalar.type = type;
    arguments.push_back(scalar);
  };
  add(&p, LattnF32);
  add(&seed, LattnI64);
}

//===----------------------------------------------------------------------===//
// Window
//===----------------------------------------------------------------------===//

static int64_t readBound(nb::handle bound, const char *name) {
  if (bound.is_none())
    return KernelKey::kNone;
  if (PyLong_Check(bound.ptr()) && PyLong_AsLongLong(bound.ptr()) == -1 &&
      !PyErr_Occurred())
    throwValueError(std::string(name) +
                    ": expected an integer of at least 0, or None for no "
                    "bound, got -1");
  PyErr_Clear();
  return readInteger(bound, name, 0);
}

void lattn::python::readWindow(nb::handle window, KernelKey &key) {
  if (window.is_none())
    return;
  bool isPair = PyTuple_Check(window.ptr()) || PyList_Check(window.ptr());
  if (isPair) {
    if (nb::len(window) != 2)
      throwValueError("window: expected (left, right), got " +
                      std::to_string(nb::len(window)) + " values");
    key.left = readBound(window[0], "window's left");
    key.right = readBound(window[1], "window's right");
    return;
  }
  // Not a static: its lock would be held while an import releases the GIL.
  nb::object type = nb::module_::import_("lattn._window").attr("Window");
  if (PyLong_Check(window.ptr()))
    throwTypeError(
        "window: expected None, (left, right) or lattn.Window, got " +
        toRepr(window) + "; (" + toRepr(window) +
        ", 0) shows so many earlier keys, (" + toRepr(window) + ", " +
        toRepr(window) + ") as many later ones, too");
  if (!nb::isinstance(window, type))
    throwTypeError(
        "window: expected None, (left, right) or lattn.Window, got " +
        getKind(window));
  // Checked when it was made.
  key.left = readBound(window.attr("left"), "window.left");
  key.right = readBound(window.attr("right"), "window.right");
  key.bucket = readBound(window.attr("bucket"), "window.bucket");
  key.back = readBound(window.attr("back"), "window.back");
  key.forward = readBound(window.attr("forward"), "window.forward");
}

//===----------------------------------------------------------------------===//
// Shapes and types
//===----------------------------------------------------------------------===//

void lattn::python::expectShape(const ArrayView &view, const char *axes,
                                std::initializer_list<int64_t> sizes) {
  auto agrees = [](int64_t size, int64_t actual) {
    return size == kAny || size == actual;
  };
  if (view.rank == static_cast<int>(sizes.size()) &&
      std::equal(sizes.begin(), sizes.end(), view.sizes, agrees))
    return;
  std::string expected;
  for (int64_t size : sizes)
    expected += (expected.empty() ? "" : ", ") +
                (size == kAny ? "any" : std::to_string(size));
  throwValueError(std::string(view.name) + ": expected the shape (" + axes +
                  ") = (" + expected + "), got " + view.formatShape());
}

void lattn::python::expectType(const ArrayView &view, LattnElementType type,
                               LattnElementType other) {
  if (view.type == type || view.type == other)
    return;
  std::string expected = getTypeName(type);
  if (other != type)
    expected += std::string(" or ") + getTypeName(other);
  throwTypeError(std::string(view.name) + ": expected elements of " + expected +
                 ", got " + getTypeName(view.type));
}

Shared lattn::python::broadcastScores(ArrayView &view, const Extents &extents) {
  const int64_t target[] = {extents.b, extents.h, extents.n, extents.m};
  std::string given = view.rank > 4 ? "" : view.formatShape();
  bool fits = view.rank <= 4;
  if (fits)
    view.padRank(4);
  // By all queries; and by all heads where there is one query.
  Shared shared = {{false, fits && view.sizes[1] == 1 && extents.n == 1,
                    fits && view.sizes[2] == 1, false}};
  for (int i = 0; fits && i < 4; ++i) {
    if (view.sizes[i] == 1 && !shared.axes[i]) {
      view.sizes[i] = target[i];
      view.strides[i] = 0;
    }
    fits = view.sizes[i] == target[i] || shared.axes[i];
  }
  if (!fits)
    throwValueError(
        std::string(view.name) +
        ": expected a shape that broadcasts to (B, H, N, M) = (" +
        std::to_string(extents.b) + ", " + std::to_string(extents.h) + ", " +
        std::to_string(extents.n) + ", " + std::to_string(extents.m) +
        "), got " + (given.empty() ? view.formatShape() : given));
  return shared;
}
