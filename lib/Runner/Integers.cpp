//===- Integers.cpp - Which integers an entry's arguments can take --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Explain/Specialized.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace lattn;
using namespace mlir;

static bool isInteger(Value value) {
  return getElementTypeOrSelf(value.getType()).isIntOrIndex();
}

namespace {

/// Follows an argument to the ops that use it.
class Uses {
public:
  void follow(Value argument);
  std::optional<IntegerRange> range; // of lengths and offsets
  Operation *unsafe = nullptr;       // the first op that may go out of bounds

private:
  /// `isSame`: an argument's values, rather than what is computed from them.
  void add(Value value, bool isSame);
  void addResults(Operation *op, bool isSame = false);
  bool followUse(OpOperand &use, bool isSame);
  bool followScf(OpOperand &use);
  bool followLinalg(linalg::LinalgOp op, OpOperand &use);
  bool followYield(Operation *yield);
  template <typename Op> bool followScores(Op op, OpOperand &use, bool isSame);
  void limit(int64_t least, int64_t most);

  SmallVector<std::pair<Value, bool>> open;
  llvm::DenseSet<Value> seen[2]; // by isSame
};

} // namespace

void Uses::add(Value value, bool isSame) {
  if (value && isInteger(value) && seen[isSame].insert(value).second)
    open.push_back({value, isSame});
}

void Uses::addResults(Operation *op, bool isSame) {
  for (Value result : op->getResults())
    add(result, isSame);
}

void Uses::follow(Value argument) {
  add(argument, /*isSame=*/true);
  while (!open.empty()) {
    auto [value, isSame] = open.pop_back_val();
    for (OpOperand &use : value.getUses())
      if (!followUse(use, isSame) && !unsafe)
        unsafe = use.getOwner();
  }
}

void Uses::limit(int64_t least, int64_t most) {
  if (range) {
    least = std::max(least, range->least);
    most = std::min(most, range->most);
  }
  range = IntegerRange{std::min(least, most), most};
}

/// False where an op may go out of bounds, or is none of those known here.
bool Uses::followUse(OpOperand &use, bool isSame) {
  Operation *op = use.getOwner();
  if (isa<tensor::CastOp, memref::CastOp, bufferization::ToTensorOp,
          arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp,
          arith::IndexCastUIOp>(op)) {
    addResults(op, isSame);
    return true;
  }
  if (auto attention = dyn_cast<AttentionOp>(op))
    return followScores(attention, use, isSame);
  if (auto grad = dyn_cast<AttentionGradOp>(op))
    return followScores(grad, use, isSame);
  if (auto jvp = dyn_cast<AttentionJvpOp>(op))
    return followScores(jvp, use, isSame);
  if (auto scores = dyn_cast<AttentionScoresOp>(op))
    return followScores(scores, use, isSame);
  if (isa<tensor::DimOp, memref::DimOp>(op))
    return use.getOperandNumber() == 0;
  if (isa<func::ReturnOp>(op))
    return true;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return followYield(op);
  if (isa<scf::SCFDialect>(op->getDialect()))
    return followScf(use);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return followLinalg(linalgOp, use);
  bool isDivisor = isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
                       arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
                       arith::RemUIOp>(op) &&
                   use.getOperandNumber() == 1;
  bool computes = isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
  // Of their operands, only the array that they read has a shape.
  bool reads =
      isa<tensor::ExtractOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, memref::LoadOp, memref::SubViewOp>(op) &&
      isa<ShapedType>(use.get().getType());
  if (isDivisor || !(computes || reads))
    return false;
  addResults(op);
  return true;
}

/// Lengths and offsets may be anything; these make sense of them.
template <typename Op>
bool Uses::followScores(Op op, OpOperand &use, bool isSame) {
  unsigned axis = op.getPositionAxis();
  Value value = use.get();
  if (value == op.getKvLens() || value == op.getOffset()) {
    int64_t keys = cast<ShapedType>(op.getKey().getType()).getDimSize(axis);
    int64_t queries =
        cast<ShapedType>(op.getQuery().getType()).getDimSize(axis);
    if (!isSame)
      return true;
    if (ShapedType::isDynamic(keys) || ShapedType::isDynamic(queries))
      return false;
    if (value == op.getKvLens())
      limit(1, keys);
    if (value == op.getOffset())
      limit(0, std::max<int64_t>(keys - queries, 0));
  }
  Region &score = op.getScore();
  unsigned numCaptures = op.getCaptures().size();
  for (auto [i, capture] : llvm::enumerate(op.getCaptures()))
    if (capture == value)
      add(score.getArgument(score.getNumArguments() - numCaptures + i), false);
  return !llvm::is_contained(op.getOrigin(), value);
}

bool Uses::followScf(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<scf::IfOp>(op)) {
    addResults(op);
    return true;
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || isa<scf::WhileOp>(op))
    return false;
  BlockArgument carried = loop.getTiedLoopRegionIterArg(&use);
  add(carried, false);
  addResults(op);
  return bool(carried); // else it is a bound or a step
}

/// Memory that an op writes integers to is not followed.
bool Uses::followLinalg(linalg::LinalgOp op, OpOperand &use) {
  for (Value init : op.getDpsInits())
    if (isa<BaseMemRefType>(init.getType()) && isInteger(init))
      return false;
  add(op.getMatchingBlockArgument(&use), false);
  return true;
}

/// Neither branches nor terminators that compute.
bool Uses::followYield(Operation *yield) {
  Operation *parent = yield->getParentOp();
  if (isa<scf::WhileOp, func::FuncOp>(parent) || yield->getNumSuccessors() ||
      yield->getNumRegions())
    return false;
  addResults(parent);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
    for (BlockArgument carried : loop.getRegionIterArgs())
      add(carried, false);
  return true;
}

static std::string printLocation(Location location) {
  std::string text;
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(text)
        << " in line " << place.getLine() << ", column " << place.getColumn();
  return text;
}

llvm::Expected<IntegerRange>
lattn::findIntegerRange(func::FuncOp entry,
                        llvm::ArrayRef<NumpyArray> arguments, unsigned number,
                        const ValueInfo &info) {
  Specialized run(entry, arguments);
  auto specialize = [&] { return succeeded(run.specialize()); };
  // Counting the work of this run says the rest again.
  if (llvm::Error error = collectErrors(*entry.getContext(), specialize,
                                        nullptr, /*quiet=*/true))
    return error;
  Uses uses;
  uses.follow(run.getEntry().getArgument(number));
  if (Operation *op = uses.unsafe)
    return llvm::createStringError(
        "argument '" + info.name + "' (" + info.type +
        "): no input, and --random cannot tell which integers '" +
        op->getName().getStringRef().str() + "'" + printLocation(op->getLoc()) +
        " can take: give --input");
  constexpr IntegerRange kSmall = {0, 3};
  return uses.range.value_or(kSmall);
}
