//===- lattn-compile.cpp - Compiles a module ahead of time ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/AheadOfTime/AheadOfTime.h"
#include "lattn/OutOfMemory.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <csignal>

/// Prints `error` and returns the exit code.
static int fail(llvm::Error error) {
  llvm::outs().flush();
  llvm::errs() << "lattn-compile: error: " << llvm::toString(std::move(error))
               << '\n';
  return 1;
}

int main(int argc, char **argv) {
  lattn::installOutOfMemoryHandler("lattn-compile");
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("lattn-compile: error: this should not happen:\n");
  std::signal(SIGXFSZ, SIG_IGN); // writing fails, and says so
  llvm::Expected<lattn::AheadOfTimeOptions> options =
      lattn::parseAheadOfTimeOptions(argc, argv);
  if (!options)
    return fail(options.takeError());
  if (llvm::Error error = lattn::compileAheadOfTime(*options))
    return fail(std::move(error));
  return 0;
}
