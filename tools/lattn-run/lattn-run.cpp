//===- lattn-run.cpp - Compiles and runs a function on arrays -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runner/Runner.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <csignal>
#include <cstdlib>
#include <unistd.h>

/// Prints `error` and returns the exit code.
static int fail(llvm::Error error) {
  llvm::outs().flush();
  llvm::errs() << "lattn-run: error: " << llvm::toString(std::move(error))
               << '\n';
  return 1;
}

/// What LLVM's libraries call where they get no memory; it may not ask for any.
[[noreturn]] static void failAllocation(void *, const char *, bool) {
  constexpr llvm::StringRef message = "lattn-run: error: out of memory\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  std::_Exit(1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(failAllocation);
  llvm::setBugReportMsg("lattn-run: error: this should not happen:\n");
  std::signal(SIGXFSZ, SIG_IGN); // writing fails, and says so
  llvm::Expected<lattn::RunOptions> options =
      lattn::parseCommandLine(argc, argv);
  if (!options)
    return fail(options.takeError());
  llvm::Expected<bool> agree = lattn::runFile(*options, llvm::outs());
  if (!agree)
    return fail(agree.takeError());
  return *agree ? 0 : 1;
}
