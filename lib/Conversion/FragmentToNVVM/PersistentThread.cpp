//===- ThreadOfItem.cpp - What threads compute for each item --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where a block has several items, much of what a thread computes is the same
// for all of them: where its rows and columns stand, their bounds, their
// strides' multiples. LLVM would compute it once, and hold it in registers
// while products take all of them. In a loop over items each reads the thread's
// number anew, in a way that LLVM does not see through.

#include "FragmentToNVVM.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lattn;

namespace {
/// The same values as from outside of a loop, of a number of the thread that is
/// read where the loop's body begins.
class ThreadReader {
public:
  explicit ThreadReader(CFGLoop &loop)
      : loop(loop), b(OpBuilder::atBlockBegin(loop.getHeader())) {}
  void run();

private:
  bool isOfThread(Value value);
  Value rebuild(Value value);
  Value read(Location loc);

  CFGLoop &loop;
  OpBuilder b;
  llvm::DenseMap<Value, bool> ofThread;
  IRMapping rebuilt;
  Value thread;
};
} // namespace

/// Whether `value` is computed from the thread's number, by pure operations.
bool ThreadReader::isOfThread(Value value) {
  if (auto known = ofThread.find(value); known != ofThread.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool is = isa_and_nonnull<NVVM::ThreadIdXOp>(op);
  if (op && !is && isMemoryEffectFree(op) && !op->getNumRegions())
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
  return thread = op.getRes();
}

Value ThreadReader::rebuild(Value value) {
  if (!isOfThread(value))
    return value;
  if (Value done = rebuilt.lookupOrNull(value))
    return done;
  Operation *op = value.getDefiningOp();
  if (isa<NVVM::ThreadIdXOp>(op)) {
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
  for (Block *block : loop.getBlocks())
    for (Operation &op : *block)
      for (OpOperand &operand : op.getOpOperands()) {
        Operation *definition = operand.get().getDefiningOp();
        bool isOutside = definition && !loop.contains(definition->getBlock());
        if (isa_and_nonnull<NVVM::ThreadIdXOp>(definition) ||
            (isOutside && isOfThread(operand.get())))
          uses.push_back(&operand);
      }
  for (OpOperand *use : uses)
    use->set(rebuild(use->get()));
}

/// Whether the loop's values are to be computed in it (Items.cpp). What says so
/// becomes the branch's own attribute, which conversions left beside it.
static bool isOverItems(CFGLoop &loop) {
  Block *latch = loop.getLoopLatch();
  auto branch =
      latch ? dyn_cast<LLVM::BrOp>(latch->getTerminator()) : LLVM::BrOp();
  if (!branch)
    return false;
  auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
      branch->removeDiscardableAttr("llvm.loop_annotation"));
  if (annotation)
    branch.setLoopAnnotationAttr(annotation);
  return annotation && annotation.getLicm();
}

void fragment::readThreadForEachItem(LLVM::LLVMFuncOp kernel) {
  Region &body = kernel.getBody();
  if (body.empty() || body.hasOneBlock())
    return;
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  for (CFGLoop *loop : loops)
    if (isOverItems(*loop))
      ThreadReader(*loop).run();
}
