//===- Scores.h - Scores that Python functions modify -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_SCORES_H
#define LATTN_PYTHON_SCORES_H

#include "Arrays.h"
#include <string>
#include <vector>

namespace lattn::python {

/// The arrays that a program reads in one call, and whether it reads the last
/// index of each axis of each array.
struct ScoreArrays {
  std::vector<std::string> names; // for messages
  std::vector<ArrayView> views;
  std::vector<int32_t> last;
  int64_t numLast = 0;
  bool readsLast = false;

  /// Appends them in the program's order.
  void append(std::vector<LattnArray> &arguments) const;
};

/// Traces `mods`, what lattn._scores.trace takes, for scores of the type `real`
/// and the extents (B, H, N, M). Equal programs are one object, which lives as
/// long as the process.
PyObject *traceScore(nb::handle mods, LattnElementType real, nb::handle extents,
                     ScoreArrays &arrays);

/// (element type's name, shape) of an array.
nb::object describeArray(nb::handle array, const std::string &name);

} // namespace lattn::python

#endif // LATTN_PYTHON_SCORES_H
