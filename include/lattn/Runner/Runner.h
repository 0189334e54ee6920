//===- Runner.h - What lattn-run does ---------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNNER_RUNNER_H
#define LATTN_RUNNER_RUNNER_H

#include "lattn/Runner/Options.h"

namespace lattn {

/// Compiles and runs as `options` say and prints a report to `os`. Returns
/// whether all comparisons and checks agreed; `os` names those that did not.
llvm::Expected<bool> runFile(const RunOptions &options, llvm::raw_ostream &os);

} // namespace lattn

#endif // LATTN_RUNNER_RUNNER_H
