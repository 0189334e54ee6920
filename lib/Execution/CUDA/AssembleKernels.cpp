//===- AssembleKernels.cpp - PTX to what is loaded ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "lattn/Target/PTXAssembler.h"

using namespace lattn;
using llvm::Expected;

std::string lattn::assembleKernels(std::string ptx, llvm::StringRef chip,
                                   std::string *warnings, bool quiet) {
  std::string remark;
  Expected<AssembledPTX> assembled = assemblePTX(ptx, chip);
  if (assembled) {
    for (const std::string &warning : assembled->report.warnings)
      remark += "warning: ptxas: " + warning + "\n";
    ptx = std::move(assembled->cubin);
  } else {
    std::string why = llvm::toString(assembled.takeError());
    remark = "remark: the driver is left to compile PTX: " + why + "\n";
  }
  if (!quiet)
    llvm::errs() << remark;
  if (warnings)
    *warnings += remark;
  return ptx;
}
