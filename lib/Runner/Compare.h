//===- Compare.h - Results against expected ones ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_COMPARE_H
#define LATTN_LIB_RUNNER_COMPARE_H

#include "Numbers.h"
#include "lattn/Runner/Options.h"
#include "llvm/Support/JSON.h"

namespace lattn {

/// An element that differs.
struct Mismatch {
  int64_t index; // row-major
  std::string got, expected;
};

/// The comparison of a result with an array that it should equal.
struct ComparedResult {
  std::string name, against; // the name of the other side
  ElementKind kind;
  llvm::SmallVector<int64_t> shape, expectedShape;
  Tolerance tolerance;
  Comparison comparison; // empty if shapes differ
  std::vector<Mismatch> first;

  bool agrees() const {
    return shape == expectedShape && !comparison.mismatches;
  }
};

/// Compares every result. `against` names the other side.
std::vector<ComparedResult> compareResults(const Signature &signature,
                                           llvm::ArrayRef<NumpyArray> results,
                                           llvm::ArrayRef<NumpyArray> expected,
                                           const RunOptions &options,
                                           llvm::StringRef against);

/// Prints a line, and one for each of the first elements that differ.
void printComparison(const ComparedResult &compared, llvm::raw_ostream &os);
/// The same as JSON.
llvm::json::Object describeComparison(const ComparedResult &compared);

/// Reads --expect: an array for every result, with its shape and type.
llvm::Expected<std::vector<NumpyArray>>
readExpected(const Signature &signature, llvm::ArrayRef<NumpyArray> results,
             llvm::StringRef path);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_COMPARE_H
