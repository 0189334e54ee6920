//===- MapFours.cpp - Flags of four neighbours at once --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Threads that hold elements of the same fours are members of a team. For each
// block of 8 columns a team has as many fours as members, and each member
// computes one of them. In rows, two threads side by side have the fours of
// rows g and g + 8. In columns, four threads whose rows g follow each other
// have those of two columns, in rows g and g + 8. A member's flags for 8 blocks
// are the bits of one i32, which the team exchanges at once.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::fragment;

/// `word`, an i32, so that LLVM computes what needs it here: not once before a
/// loop, nor for others too. It would take registers that products need.
static Value computeHere(OpBuilder &b, Location loc, Value word) {
  auto dialect =
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  return LLVM::InlineAsmOp::create(
             b, loc, TypeRange(b.getI32Type()), word, "mov.b32 $0, $1;", "=r,r",
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, dialect, /*operand_attrs=*/ArrayAttr())
      .getRes();
}

namespace {
class FlagsOfFours {
public:
  FlagsOfFours(OpBuilder &b, MapFoursOp op)
      : b(b), loc(op.getLoc()), op(op), tile(op.getType()), place(b, loc) {
    rowOfFour = divide(rem(place.lane, 16), 4);
    member = op.getInColumn() ? rowOfFour : rem(place.inGroup, 2);
    llvm::SetVector<Value> outside;
    getUsedValuesDefinedAbove(op.getBody(), outside);
    for (Value value : outside)
      if (value.getType().isInteger(32) && !matchPattern(value, m_Constant()))
        here.map(value, computeHere(b, loc, value));
  }
  SmallVector<Value> run();

private:
  /// Blocks of 8 columns of 16 rows, with 4 elements of a thread each.
  static constexpr int64_t kBlocks = kFlagsOfRegister / 4;

  Value divide(Value value, int64_t divisor) {
    return arith::DivUIOp::create(b, loc, value, place.index(divisor));
  }
  Value rem(Value value, int64_t divisor) {
    return arith::RemUIOp::create(b, loc, value, place.index(divisor));
  }
  Value multiply(Value value, int64_t factor) {
    return arith::MulIOp::create(b, loc, value, place.index(factor));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, int32_t(value), 32);
  }
  Value toI32(Value index) {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  }
  SmallVector<Value> getFirst(int64_t group, int64_t block);
  Value computeFlags(int64_t group, int64_t firstBlock, int64_t count);
  Value exchange(Value flags);

  OpBuilder &b;
  Location loc;
  MapFoursOp op;
  TileType tile;
  ThreadPlace place;
  IRMapping here;  // values from outside of the region
  Value member;    // this thread's number in its team
  Value rowOfFour; // of this thread, where fours lie in columns
};
} // namespace

/// The coordinates of the first of the four that this thread computes in a
/// block of 8 columns.
SmallVector<Value> FlagsOfFours::getFirst(int64_t group, int64_t block) {
  Value row = place.add(place.firstRow(tile), 16 * group);
  if (!op.getInColumn()) {
    row = add(add(row, place.group), multiply(member, 8));
    Value four = divide(place.inGroup, 2);
    return {row, place.add(multiply(four, 4), 8 * block)};
  }
  row = add(row, multiply(divide(place.lane, 16), 4));
  row = add(row, multiply(divide(member, 2), 8));
  Value column = add(multiply(place.inGroup, 2), rem(member, 2));
  return {row, place.add(column, 8 * block)};
}

/// This thread's fours of `count` blocks: four bits for each.
Value FlagsOfFours::computeFlags(int64_t group, int64_t firstBlock,
                                 int64_t count) {
  Block &body = op.getBody().front();
  Value flags = i32(0);
  for (int64_t block = 0; block < count; ++block) {
    IRMapping mapping = here;
    mapping.map(body.getArguments(), getFirst(group, firstBlock + block));
    for (Operation &inner : body.without_terminator())
      b.clone(inner, mapping);
    for (auto [i, flag] :
         llvm::enumerate(body.getTerminator()->getOperands())) {
      Value bit =
          arith::SelectOp::create(b, loc, mapping.lookupOrDefault(flag),
                                  i32(int64_t(1) << (4 * block + i)), i32(0));
      flags = arith::OrIOp::create(b, loc, flags, bit);
    }
  }
  return flags;
}

/// Of the flags of each member of the team those that are this thread's, in the
/// order of its elements: two side by side of each four in rows, one of each in
/// columns.
Value FlagsOfFours::exchange(Value flags) {
  int64_t members = op.getInColumn() ? 4 : 2;
  int64_t distance = op.getInColumn() ? 4 : 1; // of members, in lanes
  Value own = i32(op.getInColumn() ? 0x11111111 : 0x33333333);
  Value first =
      arith::SubIOp::create(b, loc, place.lane, multiply(member, distance));
  Value before = toI32(op.getInColumn() ? rowOfFour : multiply(member, 2));
  Value all;
  for (int64_t i = 0; i < members; ++i) {
    Value lane = toI32(place.add(first, distance * i));
    Value theirs = gpu::ShuffleOp::create(b, loc, flags, lane, i32(32),
                                          gpu::ShuffleMode::IDX)
                       .getShuffleResult();
    theirs = arith::ShRUIOp::create(b, loc, theirs, before);
    theirs = arith::AndIOp::create(b, loc, theirs, own);
    theirs = arith::ShLIOp::create(b, loc, theirs, i32(i * 4 / members));
    all = i == 0 ? theirs : arith::OrIOp::create(b, loc, all, theirs);
  }
  return all;
}

SmallVector<Value> FlagsOfFours::run() {
  SmallVector<Value> registers;
  int64_t blocks = tile.getColumns() / 8;
  for (int64_t group = 0; group < tile.getRowGroups(); ++group)
    for (int64_t first = 0; first < blocks; first += kBlocks)
      registers.push_back(exchange(
          computeFlags(group, first, std::min(kBlocks, blocks - first))));
  return registers;
}

SmallVector<Value> fragment::packFlags(OpBuilder &b, Location loc,
                                       ArrayRef<Value> flags) {
  SmallVector<Value> registers;
  for (auto [i, flag] : llvm::enumerate(flags)) {
    int64_t bit = i % kFlagsOfRegister;
    Value set = arith::SelectOp::create(
        b, loc, flag,
        arith::ConstantIntOp::create(b, loc, int32_t(int64_t(1) << bit), 32),
        arith::ConstantIntOp::create(b, loc, 0, 32));
    if (bit == 0)
      registers.push_back(set);
    else
      registers.back() = arith::OrIOp::create(b, loc, registers.back(), set);
  }
  return registers;
}

/// Bits are taken anew for each operation: where two need them, there would be
/// a register for each bit.
SmallVector<Value> fragment::getElements(OpBuilder &b, Location loc,
                                         TileType tile, ValueRange registers) {
  if (!tile.getElementType().isInteger(1))
    return llvm::to_vector(registers);
  SmallVector<Value> words, flags;
  for (Value word : registers)
    words.push_back(computeHere(b, loc, word));
  for (int64_t i = 0, end = tile.getNumRegisters(); i < end; ++i) {
    int64_t bit = int64_t(1) << i % kFlagsOfRegister;
    Value own = arith::AndIOp::create(
        b, loc, words[i / kFlagsOfRegister],
        arith::ConstantIntOp::create(b, loc, int32_t(bit), 32));
    flags.push_back(
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, own,
                              arith::ConstantIntOp::create(b, loc, 0, 32)));
  }
  return flags;
}

static LogicalResult convertMapFours(MapFoursOp op, Registers<MapFoursOp>,
                                     ConversionPatternRewriter &rewriter) {
  SmallVector<Value> flags = FlagsOfFours(rewriter, op).run();
  rewriter.replaceOpWithMultiple(op, {ValueRange(flags)});
  return success();
}

void fragment::populateMapFoursPatterns(TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertMapFours);
}
