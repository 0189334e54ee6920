//===- ToolOptions.h - How tools read their command line --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TOOLOPTIONS_H
#define LATTN_TOOLOPTIONS_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace lattn {

/// Leaves no option but those that are made from now on, and --version:
/// libraries register options of their own.
void resetToolOptions();

/// Reads the command line into the options of `category`. An error without a
/// `file` where standard input is a terminal. --help and --version end the
/// process.
llvm::Error readToolOptions(int argc, char **argv, const char *overview,
                            llvm::cl::OptionCategory &category,
                            const llvm::cl::Option &file);

} // namespace lattn

#endif // LATTN_TOOLOPTIONS_H
