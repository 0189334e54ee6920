//===- Module.h - A case as MLIR text, a run as arguments -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_MODULE_H
#define LATTN_TEST_SWEEP_MODULE_H

#include "Array.h"
#include "Problem.h"

namespace lattn::sweep {

/// An argument of the function: an array, or a scalar.
struct Argument {
  std::string name; // "query", "bias", ...
  std::optional<Array> array;
  int64_t integer = 0; // or the bits of an f32
  std::string scalarType;
  bool isOutput = false;
};

/// The arguments for one run, in the order of the function's. Destinations are
/// among them where the case is on memrefs.
std::vector<Argument> makeArguments(const Case &c, const Run &run,
                                    const Problem &problem);

/// The case's module. `arguments` are those of its first run: extents that the
/// case does not leave open are theirs.
std::string makeModule(const Case &c, llvm::ArrayRef<Argument> arguments);

/// The axes of output, in the case's layout.
inline const char *getOutputAxes(const Case &c) {
  return c.bnhd ? "BNHV" : "BHNV";
}

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_MODULE_H
