//===- HostBranches.cpp - Branches of a GPU's host ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBranches.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lattn;

static bool isOnHost(scf::IfOp op) {
  return !op->getParentOfType<gpu::LaunchOp>() &&
         !op->getParentOfType<gpu::GPUModuleOp>() &&
         !op->getParentOfType<scf::ForallOp>() &&
         !op->getParentOfType<scf::ParallelOp>();
}

memref::LoadOp lattn::getCondition(scf::IfOp op) {
  auto load = op.getCondition().getDefiningOp<memref::LoadOp>();
  if (!load || llvm::any_of(load.getMemRef().getUsers(), [&](Operation *user) {
        return op->isProperAncestor(user);
      }))
    return {};
  return load;
}

SmallVector<scf::IfOp> lattn::findBranches(Operation *root) {
  SmallVector<scf::IfOp> found;
  root->walk([&](scf::IfOp op) {
    if (isOnHost(op))
      found.push_back(op);
  });
  return found;
}

/// Whether `op` divides by a number that is at least 1.
static bool isSafeDivision(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  Operation *divisor = op->getOperand(1).getDefiningOp();
  return isa_and_nonnull<arith::MaxSIOp, arith::MaxUIOp>(divisor) &&
         llvm::any_of(divisor->getOperands(), [](Value least) {
           return getConstantIntValue(least).value_or(0) > 0;
         });
}

bool lattn::isHarmless(Operation *op) {
  return isa<memref::AllocOp>(op) || isSafeDivision(op) ||
         (isPure(op) && !op->getNumRegions());
}
