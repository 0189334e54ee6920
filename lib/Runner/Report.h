//===- Report.h - What lattn-run prints -------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_REPORT_H
#define LATTN_LIB_RUNNER_REPORT_H

#include "lattn/Measure/Measurement.h"

namespace lattn {

/// Arguments and results, time and memory.
void printReport(const Signature &signature,
                 llvm::ArrayRef<NumpyArray> arguments,
                 llvm::ArrayRef<NumpyArray> results,
                 const Measurement &measurement, llvm::raw_ostream &os);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_REPORT_H
