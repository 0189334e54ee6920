//===- Scores.cpp - Scores that Python functions modify -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scores.h"
#include "Module.h"
#include <limits>

using namespace lattn::python;

nb::object lattn::python::describeArray(nb::handle array,
                                        const std::string &name) {
  ArrayView view;
  readAnywhere(array, name.c_str(), view);
  nb::list shape;
  for (int i = 0; i < view.rank; ++i) {
    if (view.sizes[i] > std::numeric_limits<int32_t>::max())
      throwValueError(name +
                      ": expected less than 2**31 elements along each "
                      "axis, got " +
                      view.formatShape());
    shape.append(view.sizes[i]);
  }
  return nb::make_tuple(getTypeName(view.type), nb::tuple(shape));
}

/// MLIR's arith has no unsigned types.
static LattnElementType dropSign(LattnElementType type) {
  if (type < LattnU8 || type > LattnU64)
    return type;
  return static_cast<LattnElementType>(type - LattnU8 + LattnI8);
}

PyObject *lattn::python::traceScore(nb::handle mods, LattnElementType real,
                                    nb::handle extents, ScoreArrays &arrays) {
  nb::object traced =
      nb::module_::import_("lattn._scores")
          .attr("trace")(mods, lattnElementTypeGetName(real), extents);
  nb::object program = traced[0], found = traced[1];
  arrays.readsLast = nb::cast<bool>(program.attr("reads_last"));
  size_t count = nb::len(found);
  arrays.names.reserve(count); // views point to them
  arrays.views.resize(count);
  for (size_t i = 0; i < count; ++i) {
    ArrayView &view = arrays.views[i];
    arrays.names.push_back(nb::cast<std::string>(found[i][0]));
    readAnywhere(found[i][1], arrays.names[i].c_str(), view);
    view.owner = nb::make_tuple(view.owner.is_valid() ? view.owner : nb::none(),
                                found[i][1]);
    view.type = dropSign(view.type);
    for (int axis = 0; axis < view.rank; ++axis)
      arrays.last.push_back(static_cast<int32_t>(view.sizes[axis] - 1));
  }
  arrays.numLast = arrays.last.size();
  return program.ptr();
}

void ScoreArrays::append(std::vector<LattnArray> &arguments) const {
  for (const ArrayView &view : views)
    arguments.push_back(view.getArray());
  if (!readsLast)
    return;
  LattnArray array = {};
  array.data = const_cast<int32_t *>(last.data());
  array.type = LattnI32;
  array.rank = 1;
  array.sizes = &numLast;
  arguments.push_back(array);
}
