//===- lattn-compile.cpp - Compiles a module ahead of time ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/AheadOfTime/AheadOfTime.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <csignal>
#include <cstdlib>
#include <unistd.h>

/// Prints `error` and returns the exit code.
static int fail(llvm::Error error) {
  llvm::outs().flush();
  llvm::errs() << "lattn-compile: error: " << llvm::toString(std::move(error))
               << '\n';
  return 1;
}

/// What LLVM's libraries call where they get no memory; it may not ask for any.
[[noreturn]] static void failAllocation(void *, const char *, bool) {
  constexpr llvm::StringRef message = "lattn-compile: error: out of memory\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  std::_Exit(1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(failAllocation);
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
