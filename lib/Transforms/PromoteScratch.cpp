//===- PromoteScratch.cpp - Buffers of known size go to the stack ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNPROMOTESCRATCHPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

/// Removes what frees `alloc`, unless that is done by another name for it.
static bool dropDeallocs(RewriterBase &rewriter, memref::AllocOp alloc) {
  SmallVector<Operation *> deallocs;
  SmallVector<Value> names = {alloc.getResult()};
  for (unsigned i = 0; i < names.size(); ++i)
    for (Operation *user : names[i].getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(names, user->getResults());
      if (!isa<memref::DeallocOp>(user))
        continue;
      if (i != 0)
        return false;
      deallocs.push_back(user);
    }
  for (Operation *dealloc : deallocs)
    rewriter.eraseOp(dealloc);
  return true;
}

/// Whether no other operation gives what `alloc` holds a name of its own, as
/// loops, branches, returns and stores of memrefs do.
static bool keepsItsName(memref::AllocOp alloc) {
  SmallVector<Value> names = {alloc.getResult()};
  for (unsigned i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(names, user->getResults());
      else if (user->hasTrait<OpTrait::IsTerminator>() ||
               (isa<memref::StoreOp>(user) && use.getOperandNumber() == 0) ||
               llvm::any_of(user->getResultTypes(),
                            llvm::IsaPred<BaseMemRefType>))
        return false;
    }
  return true;
}

/// As a double: static sizes may be near INT64_MAX.
static double getBytes(MemRefType type) {
  double bytes = type.getElementTypeBitWidth() / 8.0;
  for (int64_t size : type.getShape())
    bytes *= size;
  return bytes;
}

namespace {
struct PromoteScratch
    : lattn::impl::LattnPromoteScratchPassBase<PromoteScratch> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([&](scf::ForallOp loop) { promoteIn(loop); });
    getOperation()->walk([&](func::FuncOp function) {
      if (!function.isDeclaration())
        promoteIn(function);
    });
  }

private:
  static bool hasKnownSize(MemRefType type) {
    return type.hasStaticShape() && type.getElementType().isIntOrFloat();
  }

  void promoteIn(scf::ForallOp loop) {
    IRRewriter rewriter(&getContext());
    // Nested ones become sequential loops of an item: their buffers are the
    // outermost loop's, whose items do not share a stack.
    scf::ForallOp outermost = loop;
    while (auto parent = outermost->getParentOfType<scf::ForallOp>())
      outermost = parent;
    SmallVector<memref::AllocOp> allocs;
    loop.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
    double insideBytes = 0; // of loops inside: as many as one buffer may have
    for (memref::AllocOp alloc : allocs) {
      MemRefType type = alloc.getType();
      // One buffer for all iterations of a loop inside, if none passes it on.
      bool isInside = alloc->getBlock() != loop.getBody();
      double bytes = getBytes(type) + (isInside ? insideBytes : 0);
      if (!hasKnownSize(type) || bytes > maxBytes ||
          (isInside && !keepsItsName(alloc)) || !dropDeallocs(rewriter, alloc))
        continue;
      if (isInside)
        insideBytes = bytes;
      rewriter.setInsertionPointToStart(outermost.getBody());
      rewriter.replaceOpWithNewOp<memref::AllocaOp>(alloc, type,
                                                    alloc.getAlignmentAttr());
    }
  }

  /// Those of the entry block, which runs once in a call.
  void promoteIn(func::FuncOp function) {
    IRRewriter rewriter(&getContext());
    double rest = functionBytes;
    for (auto alloc : llvm::make_early_inc_range(
             function.front().getOps<memref::AllocOp>())) {
      MemRefType type = alloc.getType();
      if (!hasKnownSize(type) || getBytes(type) > rest ||
          !keepsItsName(alloc) || !dropDeallocs(rewriter, alloc))
        continue;
      rest -= getBytes(type);
      rewriter.setInsertionPoint(alloc);
      rewriter.replaceOpWithNewOp<memref::AllocaOp>(alloc, type,
                                                    alloc.getAlignmentAttr());
    }
  }
};
} // namespace
