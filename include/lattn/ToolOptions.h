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

/// Removes all options but --version. Libraries register options of their own;
/// a tool calls this before it makes its options.
void resetToolOptions();

/// Reads the command line into the options of `category`. If there is no `file`
/// and standard input is a terminal, that is an error. --help and --version end
/// the process.
llvm::Error readToolOptions(int argc, char **argv, const char *overview,
                            llvm::cl::OptionCategory &category,
                            const llvm::cl::Option &file);

} // namespace lattn

#endif // LATTN_TOOLOPTIONS_H
