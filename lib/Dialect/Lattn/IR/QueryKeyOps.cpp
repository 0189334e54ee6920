//===- QueryKeyOps.cpp - rotary, rotate_pairs, l2_normalize: interfaces ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"
#include "Tiling.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// input and output: same rank of at least 2, same extents, and one accumulator
/// type.
static LogicalResult verifyRows(Operation *op, Value input, Value output) {
  auto type = cast<ShapedType>(input.getType());
  if (type.getRank() < 2)
    return op->emitOpError("expected input of rank 2 at least, got rank ")
           << type.getRank();
  if (failed(verifyRank(op, output, "output", type.getRank(), "like input")))
    return failure();
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (failed(verifyExtent(op, output, "output", axis, type.getDimSize(axis),
                            "input's extent")))
      return failure();
  return verifyAccumulator(op, output, "output", input.getType());
}

/// A known, even number of elements a row.
static LogicalResult verifyPairs(Operation *op, Value input) {
  int64_t size = cast<ShapedType>(input.getType()).getShape().back();
  if (ShapedType::isStatic(size) && size > 0 && size % 2 == 0)
    return success();
  InFlightDiagnostic diag = op->emitOpError(
      "expected rows of a known, even number of elements, got ");
  return ShapedType::isDynamic(size) ? diag << "?" : diag << size;
}

static LogicalResult verifyRowAxis(Operation *op, Value input, int64_t axis) {
  int64_t last = cast<ShapedType>(input.getType()).getRank() - 1;
  if (axis >= 0 && axis < last)
    return success();
  return op->emitOpError() << "expected position_axis in [0, " << last
                           << "), got " << axis;
}

LogicalResult RotaryOp::verify() {
  if (failed(
          verifyOperands(*this, {{0, "input"}, {3, "output"}})) || // rotary_c2
      failed(verifyRows(*this, getInput(), getOutput())) ||        // rotary_c1
      failed(verifyPairs(*this, getInput())))                      // rotary_c3
    return failure();
  // rotary_c3
  int64_t size = cast<ShapedType>(getInput().getType()).getShape().back();
  int64_t dim = getDim();
  if (dim != size && dim != size - 1)
    return emitOpError() << "expected dim to be the row's size = " << size
                         << " or one less, got " << dim;
  // rotary_c4
  if (!(getTheta().convertToDouble() > 0) || !getTheta().isFinite())
    return emitOpError("expected theta to be positive and finite, got ")
           << getThetaAttr();
  // rotary_c5
  if (getXposScaleBase() && !getXposScaleBase()->isFinite())
    return emitOpError("expected a finite xpos_scale_base, got ")
           << getXposScaleBaseAttr();
  if (!getXposScaleBase() && (getDownscale() || getCenter()))
    return emitOpError("has downscale or a center but no xpos_scale_base");
  // rotary_c6
  return verifyRowAxis(*this, getInput(), getRowAxis());
}

LogicalResult RotatePairsOp::verify() {
  if (failed(verifyAllTensorsOrAllMemRefs(*this)) ||
      failed(verifyRows(*this, getInput(), getOutput())) || // rotate_pairs_c1
      failed(verifyPairs(*this, getInput())))
    return failure();
  // rotate_pairs_c2
  int64_t size = cast<ShapedType>(getInput().getType()).getShape().back();
  if (failed(verifyRank(*this, getTable(), "table", 3,
                        "(row, cosine or sine, pair)")) ||
      failed(verifyElementType(*this, getTable(), "table",
                               getAccumulatorType(getInput().getType()))) ||
      failed(
          verifyExtent(*this, getTable(), "table", 1, 2, "cosine and sine")) ||
      failed(verifyExtent(*this, getTable(), "table", 2, size / 2,
                          "the pairs of a row")))
    return failure();
  // rotate_pairs_c3
  return verifyRowAxis(*this, getInput(), getRowAxis());
}

LogicalResult L2NormalizeOp::verify() {
  // l2_normalize_c1
  if (failed(verifyAllTensorsOrAllMemRefs(*this)) ||
      failed(verifyRows(*this, getInput(), getOutput())))
    return failure();
  // l2_normalize_c2
  if (!(getEps().convertToDouble() >= 0) || !getEps().isFinite())
    return emitOpError("expected eps of at least 0 and finite, got ")
           << getEpsAttr();
  return success();
}

//===----------------------------------------------------------------------===//
// Destination style and tiling
//===----------------------------------------------------------------------===//

// Loops go over all axes but the last; a tile takes whole rows.

static SmallVector<Range> getRowDomain(OpBuilder &b, Operation *op,
                                       Value input) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  SmallVector<Range> domain;
  SmallVector<OpFoldResult> extents = getMixedExtents(b, op->getLoc(), input);
  for (OpFoldResult size : ArrayRef(extents).drop_back())
    domain.push_back({b.getIndexAttr(0), size, b.getIndexAttr(1)});
  return domain;
}

/// `op` on the tile of rows at `offsets`; its `start`, if any, moves along.
template <typename OpTy>
static TilingResult tileRows(OpBuilder &b, OpTy op,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> at(offsets), extents(sizes);
  at.push_back(b.getIndexAttr(0));
  extents.push_back(getMixedExtents(b, loc, op.getInput()).back());
  SmallVector<Operation *> slices;
  Value input = sliceOf(b, loc, op.getInput(), at, extents, slices);
  Value output = sliceOf(b, loc, op.getOutput(), at, extents, slices);
  auto tiled = cast<OpTy>(b.clone(*op));
  tiled.getInputMutable().assign(input);
  tiled.getOutputMutable().assign(output);
  if constexpr (!std::is_same_v<OpTy, L2NormalizeOp>) {
    OpFoldResult start = offsets[op.getRowAxis()];
    if (Value whole = op.getStart())
      start = addIndices(b, loc, whole, start);
    Value value = getValueOrCreateConstantIndexOp(b, loc, start);
    MutableOperandRange(tiled.getStartMutable()).assign(value);
    tiled.setPositionAxis(op.getRowAxis());
    tiled->moveAfter(&*std::prev(b.getInsertionPoint()));
  }
  if (op->getNumResults())
    tiled->getResult(0).setType(cast<RankedTensorType>(output.getType()));
  return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()), slices};
}

#define LATTN_ROWWISE_OP(OpTy)                                                 \
  LogicalResult OpTy::inferReturnTypes(                                        \
      MLIRContext *, std::optional<Location>, ValueRange operands,             \
      DictionaryAttr attributes, OpaqueProperties properties,                  \
      RegionRange regions, SmallVectorImpl<Type> &types) {                     \
    Adaptor adaptor(operands, attributes, properties, regions);                \
    return inferDestinationTypes(adaptor.getOutput(), types);                  \
  }                                                                            \
  SmallVector<utils::IteratorType> OpTy::getLoopIteratorTypes() {              \
    return SmallVector<utils::IteratorType>(                                   \
        cast<ShapedType>(getInput().getType()).getRank() - 1,                  \
        utils::IteratorType::parallel);                                        \
  }                                                                            \
  SmallVector<Range> OpTy::getIterationDomain(OpBuilder &b) {                  \
    return getRowDomain(b, *this, getInput());                                 \
  }                                                                            \
  FailureOr<TilingResult> OpTy::getTiledImplementation(                        \
      OpBuilder &b, ArrayRef<OpFoldResult> offsets,                            \
      ArrayRef<OpFoldResult> sizes) {                                          \
    return tileRows(b, *this, offsets, sizes);                                 \
  }                                                                            \
  LogicalResult OpTy::getResultTilePosition(                                   \
      OpBuilder &b, unsigned, ArrayRef<OpFoldResult> offsets,                  \
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,  \
      SmallVector<OpFoldResult> &resultSizes) {                                \
    resultOffsets.assign(offsets.begin(), offsets.end());                      \
    resultSizes.assign(sizes.begin(), sizes.end());                            \
    resultOffsets.push_back(b.getIndexAttr(0));                                \
    resultSizes.push_back(getMixedExtents(b, getLoc(), getInput()).back());    \
    return success();                                                          \
  }                                                                            \
  LogicalResult OpTy::getIterationDomainTileFromResultTile(                    \
      OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,                   \
      ArrayRef<OpFoldResult> sizes,                                            \
      SmallVectorImpl<OpFoldResult> &domainOffsets,                            \
      SmallVectorImpl<OpFoldResult> &domainSizes) {                            \
    int64_t width = cast<ShapedType>(getInput().getType()).getShape().back();  \
    if (!isZeroInteger(offsets.back()) ||                                      \
        (ShapedType::isStatic(width) &&                                        \
         !isConstantIntValue(sizes.back(), width)))                            \
      return emitOpError("is not computed for a part of a row");               \
    domainOffsets.assign(offsets.begin(), std::prev(offsets.end()));           \
    domainSizes.assign(sizes.begin(), std::prev(sizes.end()));                 \
    return success();                                                          \
  }                                                                            \
  FailureOr<TilingResult> OpTy::generateResultTileValue(                       \
      OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,     \
      ArrayRef<OpFoldResult> sizes) {                                          \
    SmallVector<OpFoldResult> domainOffsets, domainSizes;                      \
    if (failed(getIterationDomainTileFromResultTile(                           \
            b, resultNumber, offsets, sizes, domainOffsets, domainSizes)))     \
      return failure();                                                        \
    return tileRows(b, *this, domainOffsets, domainSizes);                     \
  }

LATTN_ROWWISE_OP(RotaryOp)
LATTN_ROWWISE_OP(RotatePairsOp)
LATTN_ROWWISE_OP(L2NormalizeOp)
#undef LATTN_ROWWISE_OP
