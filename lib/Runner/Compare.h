//===- Compare.h - Results against expected ones ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_COMPARE_H
#define LATTN_LIB_RUNNER_COMPARE_H

#include "lattn/Runner/Options.h"

namespace lattn {

/// Compares and reports on `os`, `against` naming the other side. Returns
/// whether all agree.
bool compareResults(const Signature &signature,
                    llvm::ArrayRef<NumpyArray> results,
                    llvm::ArrayRef<NumpyArray> expected,
                    const RunOptions &options, llvm::StringRef against,
                    llvm::raw_ostream &os);

/// Reads --expect, every result's array with its shape and type.
llvm::Expected<std::vector<NumpyArray>>
readExpected(const Signature &signature, llvm::ArrayRef<NumpyArray> results,
             llvm::StringRef path);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_COMPARE_H
