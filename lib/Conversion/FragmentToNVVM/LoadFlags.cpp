//===- LoadFlags.cpp - Flags of columns by votes --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each thread of a warp reads one of 32 flags, and a vote gives all of them to
// all threads. Which flag a thread reads is such that those of each thread's
// own columns are one byte of the vote, in the order of its elements: four
// votes then make a register of flags without shifting bits.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::fragment;

namespace {
/// Columns of a vote, of which a thread has a byte; and bytes of a register.
constexpr int64_t kVoteColumns = 32, kBytes = 4;

class FlagLoader {
public:
  FlagLoader(OpBuilder &b, LoadFlagsOp op)
      : b(b), loc(op.getLoc()), source(op.getSource()), tile(op.getType()),
        place(b, loc) {}
  SmallVector<Value> run();

private:
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  }
  Value toI32(Value index) {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  }
  Value findColumn();
  Value read(Value column);
  Value vote(Value flag);
  Value permute(Value low, Value high, Value selector);
  Value gather(ArrayRef<Value> votes);

  OpBuilder &b;
  Location loc;
  Value source;
  TileType tile;
  ThreadPlace place;
};
} // namespace

/// The column that this thread reads for the first vote. A thread whose number
/// in its group of four is t holds columns 8 n + 2 t and 8 n + 2 t + 1: bits
/// 8 t + 2 n and 8 t + 2 n + 1.
Value FlagLoader::findColumn() {
  auto divide = [&](int64_t divisor) -> Value {
    return arith::DivUIOp::create(b, loc, place.lane, place.index(divisor));
  };
  auto part = [&](Value value, int64_t count, int64_t factor) -> Value {
    value = arith::RemUIOp::create(b, loc, value, place.index(count));
    return arith::MulIOp::create(b, loc, value, place.index(factor));
  };
  Value column = arith::AddIOp::create(b, loc, part(divide(2), 4, 8),
                                       part(divide(8), 4, 2));
  return arith::AddIOp::create(b, loc, column, part(place.lane, 2, 1));
}

/// The flag at `column`, 0 beyond the end.
Value FlagLoader::read(Value column) {
  Value size = memref::DimOp::create(b, loc, source, 0);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, column, size);
  auto load = scf::IfOp::create(
      b, loc, inside,
      [&](OpBuilder &nested, Location) {
        Value flag = memref::LoadOp::create(nested, loc, source, column);
        scf::YieldOp::create(nested, loc, flag);
      },
      [&](OpBuilder &nested, Location) {
        Value none = arith::ConstantIntOp::create(nested, loc, 0, 1);
        scf::YieldOp::create(nested, loc, none);
      });
  return load.getResult(0);
}

/// Bit i is the flag of thread i.
Value FlagLoader::vote(Value flag) {
  return NVVM::VoteSyncOp::create(b, loc, b.getI32Type(), i32(-1), flag,
                                  NVVM::VoteSyncKind::ballot);
}

/// Four of the eight bytes of `low` and `high`: each digit of `selector` says
/// which.
Value FlagLoader::permute(Value low, Value high, Value selector) {
  auto name = b.getStringAttr("llvm.nvvm.prmt");
  return LLVM::CallIntrinsicOp::create(b, loc, b.getI32Type(), name,
                                       ValueRange{low, high, selector})
      .getResult(0);
}

/// This thread's bytes of up to four votes.
Value FlagLoader::gather(ArrayRef<Value> votes) {
  Value none = i32(0), number = toI32(place.inGroup);
  // Digits t and 4 + t, in the two lowest bytes.
  Value own = arith::MulIOp::create(b, loc, number, i32(0x11));
  own = arith::AddIOp::create(b, loc, own, i32(0x40));
  SmallVector<Value> all(votes);
  all.resize(kBytes, none);
  Value low = permute(all[0], all[1], own);
  if (votes.size() <= 2)
    return arith::AndIOp::create(b, loc, low, i32(0xffff));
  return permute(low, permute(all[2], all[3], own), i32(0x5410));
}

SmallVector<Value> FlagLoader::run() {
  Value first = findColumn();
  SmallVector<Value> votes, registers;
  for (int64_t column = 0; column < tile.getColumns(); column += kVoteColumns)
    votes.push_back(vote(read(place.add(first, column))));
  for (size_t i = 0; i < votes.size(); i += kBytes)
    registers.push_back(gather(
        ArrayRef(votes).slice(i, std::min<size_t>(kBytes, votes.size() - i))));
  return registers;
}

static LogicalResult convertLoadFlags(LoadFlagsOp op, Registers<LoadFlagsOp>,
                                      ConversionPatternRewriter &rewriter) {
  SmallVector<Value> flags = FlagLoader(rewriter, op).run();
  rewriter.replaceOpWithMultiple(op, {ValueRange(flags)});
  return success();
}

void fragment::populateLoadFlagsPatterns(TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertLoadFlags);
}
