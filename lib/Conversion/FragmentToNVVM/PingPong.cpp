//===- PingPong.cpp - Groups of warps that multiply by turns --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A named barrier for each group: it waits there, and the one before arrives.
// Each group has code of its own with its barriers' numbers, which would take
// registers else.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn::fragment;

/// Calls `build` with the number of a group and of all its threads, in code of
/// each of `groups` groups.
static void forEachGroup(OpBuilder &b, Location loc, int64_t groups,
                         function_ref<void(int64_t, Value)> build) {
  OpBuilder::InsertionGuard guard(b);
  Value both = // the group that waits and the one that arrives
      arith::ConstantIntOp::create(b, loc, 2 * kGroupThreads, 32);
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  for (int64_t group = 0; group + 1 < groups; ++group) {
    Value end =
        arith::ConstantIndexOp::create(b, loc, (group + 1) * kGroupThreads);
    Value isOf =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, thread, end);
    auto choice = scf::IfOp::create(b, loc, isOf, /*else=*/true);
    b.setInsertionPointToStart(choice.thenBlock());
    build(group, both);
    b.setInsertionPointToStart(choice.elseBlock());
  }
  build(groups - 1, both);
}

static Value getBarrier(OpBuilder &b, Location loc, int64_t group) {
  return arith::ConstantIntOp::create(b, loc, kPingPongBarrier + group, 32);
}

static LogicalResult convertPingPongWait(PingPongWaitOp op,
                                         Registers<PingPongWaitOp>,
                                         ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  forEachGroup(b, loc, op.getGroups(), [&](int64_t group, Value threads) {
    NVVM::BarrierOp::create(b, loc, Type(), getBarrier(b, loc, group), threads,
                            NVVM::BarrierReductionAttr(), Value());
  });
  b.eraseOp(op);
  return success();
}

static LogicalResult convertPingPongArrive(PingPongArriveOp op,
                                           Registers<PingPongArriveOp>,
                                           ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  int64_t groups = op.getGroups();
  forEachGroup(b, loc, groups, [&](int64_t group, Value threads) {
    Value next = getBarrier(b, loc, (group + 1) % groups);
    NVVM::BarrierArriveOp::create(b, loc, next, threads);
  });
  b.eraseOp(op);
  return success();
}

void lattn::fragment::populatePingPongPatterns(TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertPingPongWait,
                 convertPingPongArrive);
}
