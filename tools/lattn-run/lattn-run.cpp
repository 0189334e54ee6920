//===- lattn-run.cpp - Compiles and runs a function on arrays -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/OutOfMemory.h"
#include "lattn/Runner/Runner.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include <csignal>

/// Prints `error` and returns the exit code.
static int fail(llvm::Error error) {
  llvm::outs().flush();
  llvm::errs() << "lattn-run: error: " << llvm::toString(std::move(error))
               << '\n';
  return 1;
}

/// On a terminal, unless NO_COLOR (https://no-color.org) is set.
static void allowColors(llvm::raw_ostream &os) {
  auto refused = llvm::sys::Process::GetEnv("NO_COLOR");
  os.enable_colors(os.has_colors() && (!refused || refused->empty()));
}

int main(int argc, char **argv) {
  lattn::installOutOfMemoryHandler("lattn-run");
  llvm::InitLLVM init(argc, argv);
  llvm::setBugReportMsg("lattn-run: error: this should not happen:\n");
  std::signal(SIGXFSZ, SIG_IGN); // writing fails, and says so
  llvm::Expected<lattn::RunOptions> options =
      lattn::parseCommandLine(argc, argv);
  if (!options)
    return fail(options.takeError());
  allowColors(llvm::outs());
  llvm::Expected<bool> agree = lattn::runFile(*options, llvm::outs());
  if (!agree)
    return fail(agree.takeError());
  return *agree ? 0 : 1;
}
