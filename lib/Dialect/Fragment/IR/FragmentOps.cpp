//===- FragmentOps.cpp - Verifiers and effects of fragment ops ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Roles.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace lattn::fragment;
using lattn::GPUTarget;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addRead(Effects &effects, OpOperand &operand) {
  if (isa<MemRefType>(operand.get().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &operand,
                         SideEffects::DefaultResource::get());
}
/// Makes an op read the buffer of what it reads.
static LogicalResult
readBuffer(RewriterBase &rewriter, OpOperand &operand,
           const bufferization::BufferizationOptions &options,
           bufferization::BufferizationState &state) {
  FailureOr<Value> buffer =
      bufferization::getBuffer(rewriter, operand.get(), options, state);
  if (failed(buffer))
    return failure();
  rewriter.modifyOpInPlace(operand.getOwner(), [&] { operand.set(*buffer); });
  return success();
}
static void addWrite(Effects &effects, OpOperand &operand) {
  if (isa<MemRefType>(operand.get().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &operand,
                         SideEffects::DefaultResource::get());
}

#define GET_OP_CLASSES
#include "lattn/Dialect/Fragment/IR/FragmentOps.cpp.inc"

static LogicalResult verifyPart(Operation *op, Value tile, StringRef name,
                                Part part) {
  auto type = cast<TileType>(tile.getType());
  if (type.getPart() == part)
    return success();
  return op->emitOpError() << "expected " << name << " to have part "
                           << stringifyPart(part) << ", got " << type;
}

/// An array of rank 2 of at most `rows` x `columns`, where that is known.
static LogicalResult verifyWithin(Operation *op, Value array, StringRef name,
                                  ArrayRef<int64_t> most) {
  auto type = cast<ShapedType>(array.getType());
  if (type.getRank() != static_cast<int64_t>(most.size()))
    return op->emitOpError() << "expected " << name << " of rank "
                             << most.size() << ", got " << type;
  for (auto [axis, extent] : llvm::enumerate(most))
    if (!type.isDynamicDim(axis) && type.getDimSize(axis) > extent)
      return op->emitOpError()
             << "expected at most " << extent << " elements along axis " << axis
             << " of " << name << ", got " << type;
  return success();
}

static LogicalResult verifySameElement(Operation *op, Type a, StringRef aName,
                                       Type b, StringRef bName) {
  if (a == b)
    return success();
  return op->emitOpError() << "expected " << aName << " and " << bName
                           << " of equal element types, got " << a << " and "
                           << b;
}

LogicalResult SplatOp::verify() {
  return verifySameElement(*this, getScalar().getType(), "scalar",
                           getType().getElementType(), "result");
}

LogicalResult LoadOp::verify() {
  auto source = cast<ShapedType>(getSource().getType());
  if (getType().getPart() == Part::Accumulator)
    return emitOpError() << "expected result to have part operand, row or "
                            "column, got "
                         << getType();
  if (failed(verifyWithin(*this, getSource(), "source", getType().getShape())))
    return failure();
  return verifySameElement(*this, source.getElementType(), "source",
                           getType().getElementType(), "result");
}

LogicalResult LoadFlagsOp::verify() {
  if (!getType().isColumn() || !getType().getElementType().isInteger(1))
    return emitOpError() << "expected a column of i1 as result, got "
                         << getType();
  return verifyWithin(*this, getSource(), "source", getType().getShape());
}

LogicalResult MultiplyOp::verify() {
  TileType left = getLeft().getType(), acc = getAccumulator().getType();
  auto right = cast<ShapedType>(getRight().getType());
  if (failed(verifyPart(*this, getLeft(), "left", Part::Operand)) ||
      failed(verifyPart(*this, getAccumulator(), "accumulator",
                        Part::Accumulator)))
    return failure();
  if (!acc.getElementType().isF32())
    return emitOpError() << "expected an accumulator of f32, got " << acc;
  if (left.getRows() != acc.getRows() || left.getWarps() != acc.getWarps())
    return emitOpError()
           << "expected left and accumulator of the same rows and warps, got "
           << left << " and " << acc;
  int64_t inner = left.getColumns(), columns = acc.getColumns();
  constexpr int64_t mostCounted = 256;
  if (getSkipZeros() && inner > mostCounted)
    return emitOpError() << "expected at most " << mostCounted
                         << " columns of left with skip_zeros, got " << inner;
  SmallVector<int64_t> most = {inner, columns};
  if (getTransposed())
    std::swap(most[0], most[1]);
  if (failed(verifyWithin(*this, getRight(), "right", most)))
    return failure();
  return verifySameElement(*this, left.getElementType(), "left",
                           right.getElementType(), "right");
}

void MapOp::build(OpBuilder &b, OperationState &state, TileType result,
                  ValueRange inputs,
                  function_ref<Value(OpBuilder &, ValueRange)> body) {
  state.addTypes(result);
  state.addOperands(inputs);
  SmallVector<Type> types(2, b.getIndexType());
  for (Value input : inputs)
    types.push_back(cast<TileType>(input.getType()).getElementType());
  SmallVector<Location> locs(types.size(), state.location);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(state.addRegion(), {}, types, locs);
  Value element = body(b, block->getArguments());
  YieldOp::create(b, state.location, element);
}

LogicalResult MapOp::verify() {
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    auto type = cast<TileType>(input.getType());
    bool fits = type.getWarps() == getType().getWarps() &&
                (type.isColumn() || type.getRows() == getType().getRows()) &&
                (type.isRow() || type.getColumns() == getType().getColumns()) &&
                type.getPart() != Part::Operand;
    if (!fits)
      return emitOpError() << "expected input " << i
                           << " to be a row, a column or an accumulator of the "
                              "extents and warps of the result "
                           << getType() << ", got " << type;
  }
  if (getType().getPart() == Part::Operand)
    return emitOpError() << "expected an accumulator, a row or a column as "
                            "result, got "
                         << getType();
  return success();
}

LogicalResult MapOp::verifyRegions() {
  Block &block = getBody().front();
  SmallVector<Type> expected(2, IndexType::get(getContext()));
  for (Value input : getInputs())
    expected.push_back(cast<TileType>(input.getType()).getElementType());
  if (block.getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "expected a region of (row, column, elements): "
                         << expected << ", got " << block.getArgumentTypes();
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getOperandTypes() != TypeRange(getType().getElementType()))
    return emitOpError() << "expected the region to yield one "
                         << getType().getElementType() << ", got "
                         << yield.getOperandTypes();
  return success();
}

void MapFoursOp::build(
    OpBuilder &b, OperationState &state, TileType result, bool inColumn,
    function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> body) {
  state.addTypes(result);
  state.getOrAddProperties<Properties>().in_column =
      inColumn ? b.getUnitAttr() : UnitAttr();
  SmallVector<Type> types(2, b.getIndexType());
  SmallVector<Location> locs(2, state.location);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(state.addRegion(), {}, types, locs);
  YieldOp::create(b, state.location, body(b, block->getArguments()));
}

LogicalResult MapFoursOp::verify() {
  if (getType().getPart() != Part::Accumulator ||
      !getType().getElementType().isInteger(1))
    return emitOpError() << "expected an accumulator of i1 as result, got "
                         << getType();
  return success();
}

LogicalResult MapFoursOp::verifyRegions() {
  Block &block = getBody().front();
  Type index = IndexType::get(getContext());
  if (block.getArgumentTypes() != TypeRange({index, index}))
    return emitOpError() << "expected a region of (row, column), got "
                         << block.getArgumentTypes();
  auto yield = cast<YieldOp>(block.getTerminator());
  SmallVector<Type> flags(4, IntegerType::get(getContext(), 1));
  if (yield.getOperandTypes() != TypeRange(flags))
    return emitOpError() << "expected the region to yield four i1, got "
                         << yield.getOperandTypes();
  return success();
}

LogicalResult ReduceOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifyPart(*this, getSource(), "source", Part::Accumulator)))
    return failure();
  if (!source.getElementType().isF32())
    return emitOpError() << "expected a source of f32, got " << source;
  if (getType() != source.getRowType(source.getElementType()))
    return emitOpError() << "expected the result "
                         << source.getRowType(source.getElementType())
                         << ", got " << getType();
  return success();
}

/// Errors unless `op` makes a `result` of an accumulator.
template <typename OpTy>
static LogicalResult verifyFromAccumulator(OpTy op, Part result) {
  if (failed(verifyPart(op, op.getSource(), "source", Part::Accumulator)))
    return failure();
  return verifyPart(op, op.getResult(), "result", result);
}

LogicalResult FoldOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifyFromAccumulator(*this, Part::Accumulator)))
    return failure();
  int64_t columns = getType().getColumns();
  auto expected =
      TileType::get(getContext(), {source.getRows(), columns},
                    Float32Type::get(getContext()), source.getLayout());
  if (!source.getElementType().isF32() || getType() != expected ||
      source.getColumns() % columns)
    return emitOpError() << "expected f32, rows and warps as in source, and "
                            "columns that divide those of source, got "
                         << source << " and " << getType();
  return success();
}

static LogicalResult verifyFloats(Operation *op, TileType tile) {
  if (tile.getPart() != Part::Operand && tile.getElementType().isF32())
    return success();
  return op->emitOpError() << "expected an accumulator or a row of f32, got "
                           << tile;
}
LogicalResult AnyNaNOp::verify() {
  return verifyFloats(*this, getSource().getType());
}
LogicalResult HasNaNOp::verify() {
  return verifyFloats(*this, getSource().getType());
}
LogicalResult SettleOp::verify() {
  return verifyFloats(*this, getSource().getType());
}

LogicalResult RepeatIfNaNOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands, DictionaryAttr,
    OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}
LogicalResult RepeatIfNaNOp::verify() {
  bool any = false;
  for (Value tile : getState()) {
    auto type = cast<TileType>(tile.getType());
    if (type.getPart() != Part::Accumulator)
      continue;
    any = true;
    if (failed(verifyFloats(*this, type)))
      return failure();
  }
  if (!any)
    return emitOpError("expected at least one accumulator");
  return success();
}
LogicalResult RepeatIfNaNOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments())
    return emitOpError() << "expected a region without arguments, got "
                         << block.getNumArguments();
  Operation *yield = block.getTerminator();
  if (yield->getOperandTypes() == getState().getTypes())
    return success();
  return emitOpError() << "expected the region to yield tiles of "
                       << getState().getTypes() << ", got "
                       << yield->getOperandTypes();
}

LogicalResult WorkTileOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location>,
                                           ValueRange operands, DictionaryAttr,
                                           OpaqueProperties, RegionRange,
                                           SmallVectorImpl<Type> &types) {
  types.append(operands.size() - 1, IndexType::get(context));
  return success();
}
LogicalResult WorkTileOp::verify() {
  if (getExtents().empty())
    return emitOpError("expected a grid of at least one axis");
  return success();
}

LogicalResult NarrowOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifyFromAccumulator(*this, Part::Operand)))
    return failure();
  if (source.getShape() != getType().getShape() ||
      source.getWarps() != getType().getWarps())
    return emitOpError()
           << "expected source and result of the same extents and warps, got "
           << source << " and " << getType();
  return success();
}

LogicalResult WidenOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifyPart(*this, getSource(), "source", Part::Operand)) ||
      failed(verifyPart(*this, getResult(), "result", Part::Accumulator)))
    return failure();
  if (source.getShape() != getType().getShape() ||
      source.getWarps() != getType().getWarps() ||
      !getType().getElementType().isF32())
    return emitOpError() << "expected a result of f32 of the source's extents "
                            "and warps, got "
                         << source << " and " << getType();
  return success();
}

LogicalResult StoreOp::verify() {
  TileType source = getSource().getType();
  if (source.getPart() == Part::Operand || source.isColumn())
    return emitOpError() << "expected an accumulator or a row as source, got "
                         << source;
  if (failed(verifyWithin(*this, getDest(), "dest", source.getShape())))
    return failure();
  bool isTensor = isa<RankedTensorType>(getDest().getType());
  if (isTensor != (getResult() != nullptr) ||
      (isTensor && getResult().getType() != getDest().getType()))
    return emitOpError("expected a result of the type of dest for a tensor, "
                       "and none for a memref");
  return success();
}
void StoreOp::getEffects(Effects &effects) {
  addWrite(effects, getDestMutable());
}

LogicalResult CopyOp::verify() {
  MemRefType source = getSource().getType(), dest = getDest().getType();
  if (failed(verifySameElement(*this, source.getElementType(), "source",
                               dest.getElementType(), "dest")))
    return failure();
  bool isVector = dest.getElementType().isF32();
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(dest) ||
      !dest.hasStaticShape() || dest.getRank() != (isVector ? 1 : 2) ||
      !dest.getLayout().isIdentity() || (!isVector && dest.getDimSize(1) % 16))
    return emitOpError() << "expected dest to be, dense in shared memory, a "
                            "matrix with a multiple of 16 columns or a vector "
                            "of f32, got "
                         << dest;
  constexpr int64_t warp = GPUTarget::warpThreads;
  if (getThreads() < warp || getThreads() % warp ||
      getThreads() > GPUTarget::mostBlockThreads)
    return emitOpError() << "expected whole warps, at most "
                         << GPUTarget::mostBlockThreads << " threads, got "
                         << getThreads();
  return verifyWithin(*this, getSource(), "source", dest.getShape());
}
void CopyOp::getEffects(Effects &effects) {
  addRead(effects, getSourceMutable());
  addWrite(effects, getDestMutable());
}
