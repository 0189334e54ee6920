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
#include <string_view>
#include <vector>

namespace lattn::python {

/// What lattn._scores traced: ops on %s, %b, %h, %i, %j and the arrays %c0,
/// %c1, ... of types !c0, !c1, ...; with `readsLast` also %last : !last, the
/// last index of each axis of each array.
struct ScoreProgram {
  std::string text, result; // `result` names the score after the ops
  std::vector<LattnElementType> types;
  std::vector<int> ranks;
  bool readsLast = false;
};

/// The one program that is equal to `program`; lives as long as the process.
/// The caller holds the GIL.
const ScoreProgram *intern(ScoreProgram program);

/// The arrays that a program reads in one call.
struct ScoreArrays {
  std::vector<std::string> names; // for messages
  std::vector<ArrayView> views;
  std::vector<int32_t> last;
  int64_t numLast = 0;

  /// Appends them in the program's order.
  void append(const ScoreProgram &program,
              std::vector<LattnArray> &arguments) const;
};

/// Traces `mods`, what lattn._scores.trace takes, for scores of the type `real`
/// and the extents (B, H, N, M).
const ScoreProgram *traceScore(nb::handle mods, LattnElementType real,
                               nb::handle extents, ScoreArrays &arrays);

/// (element type's name, shape) of an array.
nb::object describeArray(nb::handle array, const std::string &name);

} // namespace lattn::python

#endif // LATTN_PYTHON_SCORES_H
