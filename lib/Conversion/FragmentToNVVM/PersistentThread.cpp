//===- PersistentThread.cpp - What threads compute for each query tile ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In a persistent kernel, much of what a thread computes is the same for all
// query tiles of its block: the places and bounds of its rows and columns, and
// multiples of their strides. LLVM would compute this once and keep it in
// registers, but products need all registers. So the loops over query tiles
// read the thread's number again, in a way that LLVM cannot see through. So do
// branches within their steps, as of masks.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lattn;

namespace {
/// Values from outside of a block, computed again from a thread number that is
/// read where the block begins.
class ThreadReader {
public:
  explicit ThreadReader(Block *block)
      : block(block), b(OpBuilder::atBlockBegin(block)) {}
  void run();

private:
  bool isOfThread(Value value);
  Value rebuild(Value value);
  Value read(Location loc);

  Block *block;
  OpBuilder b;
  llvm::DenseMap<Value, bool> ofThread;
  IRMapping rebuilt;
  Value thread;
};
} // namespace

static bool isThreadId(Operation *op) {
  auto id = dyn_cast_or_null<gpu::ThreadIdOp>(op);
  return id && id.getDimension() == gpu::Dimension::x;
}

/// Whether `value` is computed from the thread's number, by pure operations.
/// What other threads computed stays as it is.
bool ThreadReader::isOfThread(Value value) {
  if (auto known = ofThread.find(value); known != ofThread.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool is = isThreadId(op);
  if (op && !is && isMemoryEffectFree(op) && !op->getNumRegions() &&
      !isa<gpu::ShuffleOp>(op))
    is = llvm::any_of(op->getOperands(),
                      [&](Value operand) { return isOfThread(operand); });
  ofThread[value] = is;
  return is;
}

Value ThreadReader::read(Location loc) {
  if (thread)
    return thread;
  auto dialect =
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  auto op = LLVM::InlineAsmOp::create(
      b, loc, TypeRange(b.getI32Type()), ValueRange(), "mov.u32 $0, %tid.x;",
      "=r", /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, dialect, /*operand_attrs=*/ArrayAttr());
  return thread =
             arith::IndexCastOp::create(b, loc, b.getIndexType(), op.getRes());
}

Value ThreadReader::rebuild(Value value) {
  if (!isOfThread(value))
    return value;
  if (Value done = rebuilt.lookupOrNull(value))
    return done;
  Operation *op = value.getDefiningOp();
  if (isThreadId(op)) {
    rebuilt.map(value, read(op->getLoc()));
    return rebuilt.lookup(value);
  }
  for (Value operand : op->getOperands())
    rebuild(operand);
  b.clone(*op, rebuilt);
  return rebuilt.lookup(value);
}

void ThreadReader::run() {
  SmallVector<OpOperand *> uses;
  Region *region = block->getParent();
  block->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isThreadId(operand.get().getDefiningOp()) ||
          (!region->isAncestor(operand.get().getParentRegion()) &&
           isOfThread(operand.get())))
        uses.push_back(&operand);
  });
  for (OpOperand *use : uses)
    use->set(rebuild(use->get()));
}

void fragment::readThreadForEachTile(Region &role) {
  SmallVector<scf::ForOp> loops;
  role.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    loops.push_back(loop);
    return WalkResult::skip();
  });
  for (scf::ForOp loop : loops) {
    loop.getBody()->walk([](scf::IfOp branch) {
      auto step = branch->getParentOfType<scf::ForOp>();
      if (branch.getNumResults() && step->getParentOfType<scf::ForOp>())
        ThreadReader(branch.thenBlock()).run();
    });
    ThreadReader(loop.getBody()).run();
  }
}
