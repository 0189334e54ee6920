//===- Remarks.cpp - What raising did, and what it did not ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace lattn::raise;

RemarkedOp::RemarkedOp(Operation *op) : loc(op->getLoc()) {
  if (auto parent = op->getParentOfType<FunctionOpInterface>())
    function = parent.getName();
}

remark::RemarkOpts RemarkedOp::getOptions() {
  return remark::RemarkOpts::name("attention")
      .category("lattn-raise")
      .function(function);
}

void RemarkedOp::reportRaised() {
  remark::passed(loc, getOptions()) << remark::add("raised to lattn.attention");
}

void RemarkedOp::report(StringRef what, StringRef reason,
                        std::optional<Location> at) {
  if (auto remark = remark::failed(loc, getOptions())) {
    remark << remark::add("{0}", what) << remark::reason("{0}", reason);
    return;
  }
  InFlightDiagnostic diagnostic = emitRemark(loc) << what << ": " << reason;
  if (at)
    diagnostic.attachNote(*at) << "at this operation";
}

void RemarkedOp::reportRefused(StringRef reason) {
  report("not raised to lattn.attention", reason, std::nullopt);
}

void RemarkedOp::reportApart(StringRef reason, Location at) {
  report("raised with an axis of buckets", reason, at);
}
