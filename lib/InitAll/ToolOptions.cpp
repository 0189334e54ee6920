//===- ToolOptions.cpp - How tools read their command line ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/ToolOptions.h"
#include "lattn/Version.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

void lattn::resetToolOptions() {
  cl::ResetCommandLineParser();
  installVersionPrinter(); // not before: its options would be lost
}

Error lattn::readToolOptions(int argc, char **argv, const char *overview,
                             cl::OptionCategory &category,
                             const cl::Option &file) {
  cl::HideUnrelatedOptions(category);
  std::string errors;
  raw_string_ostream os(errors);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &os)) {
    StringRef first = StringRef(errors).split('\n').first;
    first.consume_front(sys::path::filename(argv[0]));
    first = first.ltrim(": ");
    // LLVM prints some errors itself, such as a missing value.
    return createStringError(first.empty() ? "--help explains the options"
                                           : first);
  }
  if (!file.getNumOccurrences() && sys::Process::StandardInIsUserInput())
    return createStringError("FILE.mlir is missing; '-' reads standard input; "
                             "--help explains the options");
  return Error::success();
}
