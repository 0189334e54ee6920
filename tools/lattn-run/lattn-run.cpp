//===- lattn-run.cpp - Compiles and runs a function on arrays -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runner/Runner.h"
#include "llvm/Support/InitLLVM.h"

/// Prints `error` and returns the exit code.
static int fail(llvm::Error error) {
  llvm::outs().flush();
  llvm::errs() << "lattn-run: error: " << llvm::toString(std::move(error))
               << '\n';
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::Expected<lattn::RunOptions> options =
      lattn::parseCommandLine(argc, argv);
  if (!options)
    return fail(options.takeError());
  llvm::Expected<bool> agree = lattn::runFile(*options, llvm::outs());
  if (!agree)
    return fail(agree.takeError());
  return *agree ? 0 : 1;
}
