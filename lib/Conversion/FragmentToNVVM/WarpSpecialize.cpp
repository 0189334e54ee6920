//===- WarpSpecialize.cpp - Roles of warps as branches --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn;

/// Moves a role's operations to `block`, which has a terminator: behind the
/// operation that changes how many registers its threads have.
static void moveRole(RewriterBase &b, Region &role, Block *block,
                     std::optional<int64_t> registers,
                     NVVM::SetMaxRegisterAction action) {
  b.setInsertionPointToStart(block);
  if (registers)
    NVVM::SetMaxRegisterOp::create(b, role.getLoc(), *registers, action);
  b.inlineBlockBefore(&role.front(), block->getTerminator());
}

void fragment::branchByRole(fragment::WarpSpecializeOp op) {
  if (op.getPersistent())
    for (Region *role : {&op.getProducer(), &op.getConsumer()})
      readThreadForEachTile(*role);
  IRRewriter b(op);
  Location loc = op.getLoc();
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  Value first = arith::ConstantIndexOp::create(
      b, loc, GPUTarget::warpThreads * op.getConsumers());
  Value copies =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, thread, first);
  auto roles = scf::IfOp::create(b, loc, copies, /*withElse=*/true);
  moveRole(b, op.getProducer(), roles.thenBlock(), op.getProducerRegisters(),
           NVVM::SetMaxRegisterAction::decrease);
  moveRole(b, op.getConsumer(), roles.elseBlock(), op.getConsumerRegisters(),
           NVVM::SetMaxRegisterAction::increase);
  b.eraseOp(op);
}
