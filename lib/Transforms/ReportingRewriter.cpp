//===- ReportingRewriter.cpp - Tells users why a pass failed --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Transforms/ReportingRewriter.h"

using namespace mlir;
using namespace lattn;

WalkResult ReportingRewriter::fail(Operation *op) {
  op->emitOpError() << "cannot be lowered: "
                    << (reason.empty() ? "no reason given" : reason.c_str());
  return WalkResult::interrupt();
}

void ReportingRewriter::notifyMatchFailure(
    Location loc, function_ref<void(Diagnostic &)> callback) {
  Diagnostic diagnostic(loc, DiagnosticSeverity::Remark);
  callback(diagnostic);
  reason = diagnostic.str();
}
