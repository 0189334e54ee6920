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

/// Moves the operations of role `i` to `block`, which has a terminator: behind
/// the operation that changes how many registers its threads have. They start
/// with as many in all roles.
static void moveRole(RewriterBase &b, fragment::WarpSpecializeOp op, unsigned i,
                     Block *block) {
  b.setInsertionPointToStart(block);
  Region &role = op.getRoles()[i];
  if (op.getRegisters()) {
    int64_t registers = (*op.getRegisters())[i];
    int64_t threads = GPUTarget::warpThreads * llvm::sum_of(op.getWarps());
    auto action = registers * threads < *op.getBlockRegisters()
                      ? NVVM::SetMaxRegisterAction::decrease
                      : NVVM::SetMaxRegisterAction::increase;
    NVVM::SetMaxRegisterOp::create(b, role.getLoc(), registers, action);
  }
  b.inlineBlockBefore(&role.front(), block->getTerminator());
}

void fragment::branchByRole(fragment::WarpSpecializeOp op) {
  if (op.getPersistent())
    for (Region &role : op.getRoles())
      readThreadForEachTile(role);
  IRRewriter b(op);
  Location loc = op.getLoc();
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  int64_t first = llvm::sum_of(op.getWarps());
  Block *rest = nullptr; // of the warps before
  for (unsigned i = op.getRoles().size() - 1; i > 0; --i) {
    if (rest)
      b.setInsertionPointToStart(rest);
    first -= op.getWarps()[i];
    Value start =
        arith::ConstantIndexOp::create(b, loc, GPUTarget::warpThreads * first);
    Value isOf =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, thread, start);
    auto choice = scf::IfOp::create(b, loc, isOf, /*withElse=*/true);
    rest = choice.elseBlock();
    moveRole(b, op, i, choice.thenBlock());
  }
  moveRole(b, op, 0, rest);
  b.eraseOp(op);
}
