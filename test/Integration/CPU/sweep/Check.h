//===- Check.h - One case, compiled and run both ways -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_CHECK_H
#define LATTN_TEST_SWEEP_CHECK_H

#include "Case.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace lattn::sweep {

struct Outcome {
  int64_t runs = 0, loopRuns = 0;
  std::string failure; // several lines; empty where all is right
};

/// Compiles `c` by lattn-to-llvm and by lattn-to-loops, and compares every run
/// of both with the oracle, and the first one's with itself on 1, 2 and 3
/// threads.
Outcome check(const Case &c, const mlir::DialectRegistry &registry);

/// The case's module.
std::string getModule(const Case &c);

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_CHECK_H
