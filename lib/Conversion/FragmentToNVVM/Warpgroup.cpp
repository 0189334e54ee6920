//===- Warpgroup.cpp - Products by groups of warps as wgmma ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Inline assembly: upstream's wgmma takes no operand from registers, and lets
// nothing wait that is under way.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn::fragment;

namespace {
/// An instruction's operands: outputs come first, inputs in order, inputs that
/// share an output's register last.
struct Assembly {
  Assembly(OpBuilder &b, Location loc, TypeRange outputs)
      : b(b), loc(loc), outputs(outputs) {
    for (Type type : outputs)
      constraints.push_back("=" + getLetter(type));
  }
  std::string addInput(Value value) {
    inputs.push_back(value);
    constraints.push_back(getLetter(value.getType()));
    return "$" + std::to_string(constraints.size() - 1);
  }
  void tie(ValueRange values) {
    for (auto [i, value] : llvm::enumerate(values)) {
      inputs.push_back(value);
      constraints.push_back(std::to_string(i));
    }
  }
  SmallVector<Value> create(const std::string &text);
  static std::string getLetter(Type type) {
    if (type.isF32())
      return "f";
    return type.isInteger(64) ? "l" : "r";
  }

  OpBuilder &b;
  Location loc;
  SmallVector<Type> outputs;
  SmallVector<Value> inputs;
  SmallVector<std::string> constraints;
};
} // namespace

SmallVector<Value> Assembly::create(const std::string &text) {
  Type result;
  if (!outputs.empty())
    result = LLVM::LLVMStructType::getLiteral(b.getContext(), outputs);
  auto dialect =
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT);
  auto op = LLVM::InlineAsmOp::create(
      b, loc, result ? TypeRange(result) : TypeRange(), inputs, text,
      llvm::join(constraints, ","),
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, dialect, /*operand_attrs=*/ArrayAttr());
  SmallVector<Value> results;
  for (size_t i = 0; i < outputs.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(b, loc, op.getRes(), i));
  return results;
}

/// "{$0, $1, ...}"
static std::string listOf(ArrayRef<std::string> names) {
  return "{" + llvm::join(names, ", ") + "}";
}

namespace {
/// How instructions find a matrix in TMA tiles.
struct MatrixDescriptor {
  /// From the thread's `firstRow` on, if there is one: an index.
  MatrixDescriptor(OpBuilder &b, Location loc, Value tiles, bool columnsInner,
                   Value firstRow = {});
  /// That of 16 of the extent that is summed over, from 16 * step on.
  Value at(int64_t step);
  Value makeUniform(Value value);
  Value shuffle(Value value);
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  }
  Value i64(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 64);
  }

  OpBuilder &b;
  Location loc;
  bool columnsInner; // whether a row is summed over
  int64_t tileBytes;
  Value first; // i64
};
} // namespace

Value MatrixDescriptor::shuffle(Value value) {
  return NVVM::ShflOp::create(b, loc, b.getI32Type(), i32(-1), value, i32(0),
                              i32(31), NVVM::ShflKind::idx,
                              /*return_value_and_is_valid=*/UnitAttr());
}

/// A value that all threads of a warp have, for registers that they share: from
/// those of its own a thread would move each product's descriptor. ptxas leaves
/// out shuffles of what it knows to be the same, but does not always take
/// shared registers for it; with the number of the warp it does not know.
Value MatrixDescriptor::makeUniform(Value value) {
  Value thread = NVVM::ThreadIdXOp::create(b, loc, b.getI32Type());
  Value warp = arith::DivUIOp::create(b, loc, thread, i32(32));
  value = arith::AddIOp::create(b, loc, value, warp);
  return arith::SubIOp::create(b, loc, shuffle(value), shuffle(warp));
}

MatrixDescriptor::MatrixDescriptor(OpBuilder &b, Location loc, Value tiles,
                                   bool columnsInner, Value firstRow)
    : b(b), loc(loc), columnsInner(columnsInner) {
  auto type = cast<MemRefType>(tiles.getType());
  tileBytes = type.getDimSize(1) * kTMARowBytes;
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, tiles);
  if (firstRow) {
    Value bytes = arith::ConstantIndexOp::create(b, loc, kTMARowBytes);
    bytes = arith::MulIOp::create(b, loc, firstRow, bytes);
    start = arith::AddIOp::create(b, loc, start, bytes);
  }
  start = arith::IndexCastOp::create(b, loc, b.getI32Type(), start);
  start = makeUniform(start);
  Value encoded = arith::ShRUIOp::create(b, loc, start, i32(4));
  encoded = arith::ExtUIOp::create(b, loc, b.getI64Type(), encoded);
  // The distance of TMA tiles where columns are not summed over, that of groups
  // of 8 rows, and the swizzle of 128 bytes.
  uint64_t bits = (columnsInner ? 1 : uint64_t(tileBytes) / 16) << 16 |
                  uint64_t(8 * kTMARowBytes / 16) << 32 | uint64_t(1) << 62;
  first = arith::OrIOp::create(b, loc, encoded, i64(bits));
}

Value MatrixDescriptor::at(int64_t step) {
  constexpr int64_t stepBytes = 16 * 2, inTile = kTMARowBytes / stepBytes;
  int64_t bytes = columnsInner
                      ? step / inTile * tileBytes + step % inTile * stepBytes
                      : step * 16 * kTMARowBytes;
  return b.createOrFold<arith::AddIOp>(loc, first, i64(bytes / 16));
}

static LogicalResult convertMultiply(WarpgroupMultiplyOp op,
                                     Registers<WarpgroupMultiplyOp> adaptor,
                                     ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  int64_t columns = op.getType().getColumns();
  Type element = op.getRight().getType().getElementType();
  std::string kind = element.isF16() ? "f16" : "bf16";
  std::string name = "wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(columns) + "k16.f32." + kind + "." + kind;
  bool fromRegisters = isa<TileType>(op.getLeft().getType());
  MatrixDescriptor right(b, loc, op.getRight(), op.getTransposed());
  std::optional<MatrixDescriptor> left;
  if (!fromRegisters) { // each group has rows of its own
    ThreadPlace place(b, loc);
    Value group = arith::DivUIOp::create(b, loc, place.warp, place.index(4));
    Value row = arith::MulIOp::create(b, loc, group, place.index(kGroupRows));
    left.emplace(b, loc, op.getLeft(), /*columnsInner=*/true, row);
  }
  SmallVector<Value> sums;
  if (op.getAccumulator())
    sums = SmallVector<Value>(adaptor.getAccumulator());
  NVVM::WgmmaFenceAlignedOp::create(b, loc);
  for (int64_t step = 0, end = op.getInner() / 16; step < end; ++step) {
    Assembly code(b, loc, SmallVector<Type>(columns / 2, b.getF32Type()));
    SmallVector<std::string> results, operands;
    for (int64_t i = 0; i < columns / 2; ++i)
      results.push_back("$" + std::to_string(i));
    std::string a;
    if (fromRegisters) {
      for (Value value : adaptor.getLeft().slice(4 * step, 4))
        operands.push_back(code.addInput(value));
      a = listOf(operands);
    } else {
      a = code.addInput(left->at(step));
    }
    std::string r = code.addInput(right.at(step));
    code.tie(sums);
    std::string text = "{ .reg .pred p; setp.ne.b32 p, " +
                       std::string(sums.empty() ? "0" : "1") + ", 0; " + name +
                       " " + listOf(results) + ", " + a + ", " + r +
                       ", p, 1, 1, " + (fromRegisters ? "" : "0, ") +
                       (op.getTransposed() ? "0" : "1") + "; }";
    sums = code.create(text);
  }
  NVVM::WgmmaGroupSyncAlignedOp::create(b, loc);
  b.replaceOpWithMultiple(op, {ValueRange(sums)});
  return success();
}

/// The values go through the instruction: nothing that uses them can be moved
/// before it, and their registers stay theirs.
static LogicalResult convertWait(WarpgroupWaitOp op,
                                 Registers<WarpgroupWaitOp> adaptor,
                                 ConversionPatternRewriter &b) {
  SmallVector<Value> values;
  for (ValueRange input : adaptor.getInputs())
    llvm::append_range(values, input);
  Assembly code(b, op.getLoc(), ValueRange(values).getTypes());
  code.tie(values);
  SmallVector<Value> all = code.create("wgmma.wait_group.sync.aligned " +
                                       std::to_string(op.getPending()) + ";");
  SmallVector<ValueRange> results;
  ValueRange rest(all);
  for (ValueRange input : adaptor.getInputs()) {
    results.push_back(rest.take_front(input.size()));
    rest = rest.drop_front(input.size());
  }
  b.replaceOpWithMultiple(op, results);
  return success();
}
/// A branch that depends on all elements: what is known of them is not known to
/// ptxas.
static LogicalResult convertSettle(SettleOp op, Registers<SettleOp> adaptor,
                                   ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  Value sum;
  for (Value element : adaptor.getSource())
    sum =
        sum ? arith::AddFOp::create(b, loc, sum, element).getResult() : element;
  Value limit = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(-1.0));
  Value never =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, sum, limit);
  auto branch = scf::IfOp::create(b, loc, never);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Assembly(b, loc, TypeRange()).create("nanosleep.u32 1;");
  }
  b.eraseOp(op);
  return success();
}

void lattn::fragment::populateWarpgroupPatterns(TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertMultiply, convertWait,
                 convertSettle);
}
