//===- Version.cpp - The version of lattn and of its tools ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

const char *lattn::getVersion() { return LATTN_VERSION; }

void lattn::installVersionPrinter() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "lattn " << getVersion() << "\nLLVM " << LLVM_VERSION_STRING << '\n';
  });
}
