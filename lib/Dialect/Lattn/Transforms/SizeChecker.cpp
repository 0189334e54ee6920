//===- SizeChecker.cpp - Sizes of arrays in another function --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Sizes derive from those of arguments: of destinations, casts, slices and what
// else tells the shape of its result, and by arithmetic. What is computed by
// kernels, or read from arrays, is not known before a call.

#include "SizeRules.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value SizeChecker::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, b.getUnknownLoc(), value);
}

Value SizeChecker::add(Value a, Value c) {
  return a && c ? b.createOrFold<arith::AddIOp>(b.getUnknownLoc(), a, c)
                : Value();
}

Value SizeChecker::multiply(Value a, Value c) {
  return a && c ? b.createOrFold<arith::MulIOp>(b.getUnknownLoc(), a, c)
                : Value();
}

Value SizeChecker::compare(arith::CmpIPredicate predicate, Value a, Value c) {
  if (!a || !c)
    return {};
  return b.createOrFold<arith::CmpIOp>(b.getUnknownLoc(), predicate, a, c);
}

Value SizeChecker::isNoMultiple(Value a, Value c) {
  if (!a || !c)
    return {};
  Location loc = b.getUnknownLoc();
  Value zero = constant(0);
  Value divisor = b.createOrFold<arith::MaxUIOp>(loc, c, constant(1));
  Value rest = b.createOrFold<arith::RemUIOp>(loc, a, divisor);
  Value isZero = compare(arith::CmpIPredicate::eq, c, zero);
  rest = b.createOrFold<arith::SelectOp>(loc, isZero, a, rest);
  return compare(arith::CmpIPredicate::ne, rest, zero);
}

Value SizeChecker::roundUp(Value a, int64_t unit) {
  if (!a)
    return {};
  Value blocks = b.createOrFold<arith::DivUIOp>(
      b.getUnknownLoc(), add(a, constant(unit - 1)), constant(unit));
  return multiply(blocks, constant(unit));
}

Value SizeChecker::both(Value a, Value c) {
  return a && c ? b.createOrFold<arith::AndIOp>(b.getUnknownLoc(), a, c)
                : Value();
}

//===----------------------------------------------------------------------===//
// Sizes and scalars
//===----------------------------------------------------------------------===//

Value SizeChecker::get(OpFoldResult scalar) {
  if (std::optional<int64_t> known = getConstantIntValue(scalar))
    return constant(*known);
  auto value = dyn_cast<Value>(scalar);
  return value ? getScalar(value) : Value();
}

Value SizeChecker::getScalar(Value scalar) {
  auto it = scalars.find(scalar);
  if (it != scalars.end())
    return it->second;
  return scalars[scalar] = computeScalar(scalar);
}

Value SizeChecker::computeScalar(Value scalar) {
  if (auto argument = dyn_cast<BlockArgument>(scalar))
    return argument.getOwner()->isEntryBlock() &&
                   isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
               ? getArgument(argument, 0)
               : Value();
  Operation *op = scalar.getDefiningOp();
  if (isa<tensor::DimOp, memref::DimOp>(op)) {
    APInt axis(64, 0);
    auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
    if (!type || !type.hasRank() ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&axis)) ||
        axis.uge(type.getRank()))
      return {};
    return getSize(op->getOperand(0), axis.getZExtValue());
  }
  if (!isa<arith::ArithDialect, affine::AffineDialect, index::IndexDialect>(
          op->getDialect()) ||
      op->getNumRegions() || !isMemoryEffectFree(op) ||
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
    return {};
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value known = getScalar(operand);
    if (!known)
      return {};
    mapping.map(operand, known);
  }
  Operation *copy = b.clone(*op, mapping);
  return copy->getResult(cast<OpResult>(scalar).getResultNumber());
}

Value SizeChecker::getSize(Value array, unsigned axis) {
  auto it = sizes.find({array, axis});
  if (it != sizes.end())
    return it->second;
  auto type = cast<ShapedType>(array.getType());
  Value size = type.isDynamicDim(axis) ? computeSize(array, axis)
                                       : constant(type.getDimSize(axis));
  return sizes[{array, axis}] = size;
}

SmallVector<Value> SizeChecker::getSizes(Value array) {
  auto type = array ? dyn_cast<ShapedType>(array.getType()) : ShapedType();
  if (!type || !type.hasRank())
    return SmallVector<Value>(8);
  SmallVector<Value> found;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    found.push_back(getSize(array, axis));
  return found;
}

/// What `op`'s result has its shape from, if it is an operand's.
static Value getLikeShaped(OpResult result) {
  Operation *op = result.getOwner();
  if (isa<tensor::CastOp, memref::CastOp, bufferization::ToTensorOp,
          bufferization::ToBufferOp, tensor::InsertOp, tensor::InsertSliceOp>(
          op)) {
    bool isInsert = isa<tensor::InsertOp, tensor::InsertSliceOp>(op);
    return op->getOperand(isInsert ? 1 : 0);
  }
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return destination.getTiedOpOperand(result)->get();
  if (OpTrait::hasElementwiseMappableTraits(op))
    for (Value operand : op->getOperands())
      if (isa<ShapedType>(operand.getType()))
        return operand;
  return {};
}

/// Whether a value that a loop carries from one round to the next keeps the
/// shape of `argument`.
static bool keepsShape(Value carried, BlockArgument argument) {
  while (carried != argument) {
    auto result = dyn_cast<OpResult>(carried);
    Value like = result ? getLikeShaped(result) : Value();
    if (!like)
      return false;
    carried = like;
  }
  return true;
}

/// What a loop starts with where it keeps the shape.
static Value getStart(Value carried) {
  if (auto argument = dyn_cast<BlockArgument>(carried)) {
    Operation *loop = argument.getOwner()->getParentOp();
    if (auto forall = dyn_cast<scf::ForallOp>(loop))
      return forall.getTiedOpOperand(argument)->get();
    auto forOp = dyn_cast<scf::ForOp>(loop);
    if (forOp &&
        keepsShape(forOp.getTiedLoopYieldedValue(argument)->get(), argument))
      return forOp.getTiedLoopInit(argument)->get();
    return {};
  }
  auto result = cast<OpResult>(carried);
  if (auto forall = dyn_cast<scf::ForallOp>(result.getOwner()))
    return forall.getTiedOpOperand(result)->get();
  if (auto forOp = dyn_cast<scf::ForOp>(result.getOwner()))
    return getStart(forOp.getTiedLoopRegionIterArg(result));
  return {};
}

Value SizeChecker::computeSize(Value array, unsigned axis) {
  if (Value start = getStart(array))
    return getSize(start, axis);
  auto result = dyn_cast<OpResult>(array);
  if (!result) {
    auto argument = cast<BlockArgument>(array);
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
               ? getArgument(argument, axis)
               : Value();
  }
  if (Value like = getLikeShaped(result))
    return getSize(like, axis);
  Operation *op = result.getOwner();
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    for (auto [i, size] : llvm::enumerate(subview.getMixedSizes()))
      if (!dropped.test(i) && axis-- == 0)
        return get(size);
    return {};
  }
  if (isa<memref::AllocOp, memref::AllocaOp, bufferization::AllocTensorOp>(
          op)) {
    auto type = cast<ShapedType>(array.getType());
    unsigned i =
        type.getNumDynamicDims() -
        llvm::count_if(type.getShape().drop_front(axis), ShapedType::isDynamic);
    return i < op->getNumOperands() && op->getOperand(i).getType().isIndex()
               ? getScalar(op->getOperand(i))
               : Value();
  }
  if (!isa<ReifyRankedShapedTypeOpInterface>(op))
    return {};
  OpBuilder at(op);
  at.setInsertionPointAfter(op);
  FailureOr<OpFoldResult> size =
      reifyDimOfResult(at, op, result.getResultNumber(), axis);
  return succeeded(size) ? get(*size) : Value();
}

//===----------------------------------------------------------------------===//
// Failing
//===----------------------------------------------------------------------===//

Value SizeChecker::addConstant(Location loc, Type type, Attribute value) {
  auto module = slot.getDefiningOp()->getParentOfType<ModuleOp>();
  auto globals = module.getOps<LLVM::GlobalOp>();
  size_t number = std::distance(globals.begin(), globals.end());
  OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
  auto global = LLVM::GlobalOp::create(
      top, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
      kSizeText.str() + std::to_string(number), value);
  return LLVM::AddressOfOp::create(b, loc, global);
}

Value SizeChecker::addText(Location loc, StringRef text) {
  std::string bytes = text.str();
  bytes.push_back('\0');
  return addConstant(loc, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
                     b.getStringAttr(bytes));
}

Value SizeChecker::addNumbers(Location loc, ArrayRef<int64_t> numbers) {
  return addConstant(loc,
                     LLVM::LLVMArrayType::get(b.getI64Type(), numbers.size()),
                     b.getI64TensorAttr(numbers));
}

void SizeChecker::fail(Location loc, Value broken, StringRef text, Value first,
                       Value second) {
  if (!broken || !first || !second || matchPattern(broken, m_Zero()))
    return;
  func::CallOp::create(
      b, loc, kNoteSize, TypeRange(),
      ValueRange{slot, broken, addText(loc, text), first, second});
}

/// "file.mlir:3:8: 'lattn.attention' op "; of a file its name only, so that
/// compiled code does not depend on where it was compiled.
static std::string getPlace(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>()) {
    for (char c : llvm::sys::path::filename(place.getFilename().getValue()))
      os << (c == '%' ? "%%" : StringRef(&c, 1));
    os << ':' << place.getLine() << ':' << place.getColumn() << ": ";
  }
  os << "'" << op->getName().getStringRef() << "' op ";
  return text;
}

void SizeChecker::fail(Operation *op, Value broken, const Twine &text,
                       Value first, Value second) {
  fail(op->getLoc(), broken, getPlace(op) + text.str(), first, second);
}

void SizeChecker::equal(Operation *op, Value array, StringRef name,
                        unsigned axis, Value expected, StringRef meaning) {
  if (!array || !expected)
    return;
  Value got = getSize(array, axis);
  if (got == expected)
    return;
  fail(op, compare(arith::CmpIPredicate::ne, got, expected),
       "expected axis " + Twine(axis) + " of " + name + " to be " + meaning +
           " = %lld, got %lld",
       expected, got);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void SizeChecker::checkBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    checkSizes(&op, *this);
    OpBuilder::InsertionGuard guard(b);
    auto knownSizes = sizes;
    auto knownScalars = scalars;
    checkRegions(op);
    // What was computed in a branch is not there behind it.
    sizes = std::move(knownSizes);
    scalars = std::move(knownScalars);
  }
}

/// Of branches and loops whose conditions and bounds are known; what may run in
/// others is not.
void SizeChecker::checkRegions(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Value condition = getScalar(branch.getCondition());
    if (!condition)
      return;
    auto copy = scf::IfOp::create(b, op.getLoc(), condition, /*withElse=*/true);
    b.setInsertionPointToStart(copy.thenBlock());
    auto knownSizes = sizes;
    auto knownScalars = scalars;
    checkBlock(*branch.thenBlock());
    sizes = std::move(knownSizes);
    scalars = std::move(knownScalars);
    b.setInsertionPointToStart(copy.elseBlock());
    if (branch.elseBlock())
      checkBlock(*branch.elseBlock());
    return;
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || !isa<scf::ForOp, scf::ForallOp>(op))
    return;
  auto collect = [&](std::optional<SmallVector<OpFoldResult>> bounds) {
    SmallVector<Value> values;
    for (OpFoldResult bound : *bounds)
      values.push_back(get(bound));
    return values;
  };
  SmallVector<Value> lower = collect(loop.getLoopLowerBounds()),
                     upper = collect(loop.getLoopUpperBounds()),
                     step = collect(loop.getLoopSteps());
  for (ArrayRef<Value> bounds :
       {ArrayRef(lower), ArrayRef(upper), ArrayRef(step)})
    if (llvm::is_contained(bounds, Value()))
      return;
  scf::LoopNest nest = scf::buildLoopNest(b, op.getLoc(), lower, upper, step);
  for (auto [variable, copy] :
       llvm::zip_equal(*loop.getLoopInductionVars(), nest.loops)) {
    scalars[variable] = copy.getInductionVar();
    b.setInsertionPointToStart(copy.getBody());
  }
  checkBlock(loop.getLoopRegions().front()->front());
}
