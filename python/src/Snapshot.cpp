//===- Snapshot.cpp - Python objects as they are --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Whether the modules of a layer changed is asked for each token: some thousand
// values, which Python would compare for as long as a weight is read.

#include "Module.h"
#include <algorithm>
#include <vector>

namespace nb = nanobind;

namespace {
/// Types of objects and values of dictionaries.
class Snapshot {
public:
  Snapshot(const nb::sequence &objects, const nb::sequence &dicts) {
    for (nb::handle object : objects)
      types.emplace_back(nb::borrow(object), nb::borrow(object.type()));
    for (nb::handle dict : dicts) {
      if (!PyDict_Check(dict.ptr()))
        throw nb::type_error("dicts: expected a sequence of dictionaries");
      contents.push_back({nb::borrow(dict), {}});
      forEachValue(dict, [&](PyObject *value) {
        contents.back().values.push_back(nb::borrow(value));
        return true;
      });
    }
  }

  bool holds() const {
    for (const auto &[object, type] : types)
      if (!object.type().is(type))
        return false;
    return std::all_of(contents.begin(), contents.end(), isUnchanged);
  }

  /// For Python's collector of garbage: a value may keep this alive.
  static int traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self))
      return 0;
    auto *snapshot = nb::inst_ptr<Snapshot>(self);
    for (const auto &[object, type] : snapshot->types) {
      Py_VISIT(object.ptr());
      Py_VISIT(type.ptr());
    }
    for (const Content &content : snapshot->contents) {
      Py_VISIT(content.dict.ptr());
      for (const nb::object &value : content.values)
        Py_VISIT(value.ptr());
    }
    return 0;
  }
  static int clear(PyObject *self) {
    auto *snapshot = nb::inst_ptr<Snapshot>(self);
    // What is dropped may ask whether this holds.
    auto types = std::move(snapshot->types);
    auto contents = std::move(snapshot->contents);
    snapshot->types.clear();
    snapshot->contents.clear();
    return 0;
  }

private:
  struct Content {
    nb::object dict;
    std::vector<nb::object> values;
  };

  template <typename Function>
  static bool forEachValue(nb::handle dict, Function function) {
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(dict.ptr(), &at, &key, &value);)
      if (!function(value))
        return false;
    return true;
  }

  static bool isUnchanged(const Content &content) {
    size_t size = PyDict_Size(content.dict.ptr());
    auto before = content.values.begin();
    return size == content.values.size() &&
           forEachValue(content.dict,
                        [&](PyObject *value) { return before++->is(value); });
  }

  std::vector<std::pair<nb::object, nb::object>> types;
  std::vector<Content> contents;
};
} // namespace

static PyType_Slot slots[] = {
    {Py_tp_traverse, reinterpret_cast<void *>(Snapshot::traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(Snapshot::clear)},
    {0, nullptr}};

void lattn::python::addSnapshot(nb::module_ &module) {
  nb::class_<Snapshot>(module, "Snapshot", nb::type_slots(slots),
                       "Types of objects, and which values dictionaries hold.")
      .def(nb::init<const nb::sequence &, const nb::sequence &>())
      .def("holds", &Snapshot::holds,
           "Whether all are what they were; values are compared by identity.");
}
