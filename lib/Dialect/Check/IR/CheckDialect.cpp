//===- CheckDialect.cpp - Registration of the check dialect ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Check/IR/Check.h"

using namespace mlir;
using namespace lattn::check;

#include "lattn/Dialect/Check/IR/CheckDialect.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "lattn/Dialect/Check/IR/CheckOps.cpp.inc"
      >();
}
