//===- Forward.cpp - Tangents from operands to results --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Differentiation/Differentiation.h"

using namespace mlir;
using namespace lattn;

LogicalResult Forward::run(OpBuilder &b, ArrayRef<Operation *> ops) {
  if (failed(activity.verify(ops)))
    return failure();
  for (Operation *op : ops)
    if (llvm::any_of(op->getResults(),
                     [&](Value result) { return activity.isActive(result); }) &&
        failed(cast<DifferentiableOpInterface>(op).buildTangent(b, *this)))
      return failure();
  return success();
}
