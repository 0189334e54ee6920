//===- StateOps.cpp - merge, finalize, pack_query: verifiers --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"

using namespace mlir;
using namespace lattn;

/// merge_c1, finalize_c1: acc has the axes of max and one more, value_axis; sum
/// is like max; extents agree.
template <typename OpTy> static LogicalResult verifyState(OpTy op) {
  // merge_c4, finalize_c5
  if (failed(verifyAllTensorsOrAllMemRefs(op)))
    return failure();
  Value acc = op.getAcc(), max = op.getMax(), sum = op.getSum();
  int64_t valueAxis = op.getValueAxis();
  auto accType = cast<ShapedType>(acc.getType());
  auto maxType = cast<ShapedType>(max.getType());
  if (accType.getRank() != maxType.getRank() + 1)
    return op.emitOpError()
           << "expected acc to have one axis more than max, got ranks "
           << accType.getRank() << " and " << maxType.getRank();
  if (valueAxis >= accType.getRank())
    return op.emitOpError() << "expected value_axis below " << accType.getRank()
                            << ", got " << valueAxis;
  if (failed(verifyRank(op, sum, "sum", maxType.getRank(), "like max")) ||
      failed(verifyElementType(op, max, "max", accType.getElementType())) ||
      failed(verifyElementType(op, sum, "sum", accType.getElementType())))
    return failure();
  for (int64_t axis = 0; axis < maxType.getRank(); ++axis) {
    int64_t accAxis = axis < valueAxis ? axis : axis + 1;
    if (failed(verifyExtent(op, sum, "sum", axis, maxType.getDimSize(axis),
                            "max's extent")) ||
        failed(verifyExtent(op, acc, "acc", accAxis, maxType.getDimSize(axis),
                            "max's extent")))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// merge
//===----------------------------------------------------------------------===//

LogicalResult MergeOp::verify() {
  if (failed(verifyState(*this)))
    return failure();
  int64_t parts = ShapedType::kDynamic;
  std::pair<Value, Value> pairs[] = {
      {getAccs(), getAcc()}, {getMaxs(), getMax()}, {getSums(), getSum()}};
  for (auto [partial, state] : pairs) {
    auto type = cast<ShapedType>(state.getType());
    // merge_c2
    if (failed(verifyRank(*this, partial, "a partial state", type.getRank() + 1,
                          "(parts, the state's axes)")) ||
        failed(verifyElementType(*this, partial, "a partial state",
                                 type.getElementType())))
      return failure();
    // merge_c3
    if (failed(verifyExtent(*this, partial, "a partial state", 0, parts,
                            "the number of parts")))
      return failure();
    if (ShapedType::isDynamic(parts))
      parts = cast<ShapedType>(partial.getType()).getDimSize(0);
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (failed(verifyExtent(*this, partial, "a partial state", axis + 1,
                              type.getDimSize(axis), "the state's extent")))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// finalize
//===----------------------------------------------------------------------===//

LogicalResult FinalizeOp::verify() {
  if (failed(verifyState(*this)))
    return failure();
  auto acc = cast<ShapedType>(getAcc().getType());
  auto max = cast<ShapedType>(getMax().getType());
  int64_t rank = acc.getRank();
  // finalize_c2
  if (rank < 2)
    return emitOpError("expected acc of rank 2 at least, got ") << rank;
  if (failed(verifyRank(*this, getOutput(), "output", rank, "like acc")) ||
      failed(verifyElementType(*this, getAcc(), "acc",
                               getAccumulatorType(getOutput().getType()))) ||
      failed(verifyExtent(*this, getOutput(), "output", rank - 1,
                          acc.getDimSize(getValueAxis()),
                          "acc's value extent")))
    return failure();
  // finalize_c3: the last axis of max may be padded.
  auto output = cast<ShapedType>(getOutput().getType());
  for (int64_t axis = 0; axis + 2 < rank; ++axis)
    if (failed(verifyExtent(*this, getOutput(), "output", axis,
                            max.getDimSize(axis), "max's extent")))
      return failure();
  int64_t rows = output.getDimSize(rank - 2), padded = max.getDimSize(rank - 2);
  if (ShapedType::isStatic(rows) && ShapedType::isStatic(padded) &&
      rows > padded)
    return emitOpError() << "expected at most " << padded
                         << " rows of output, as many as the state has, got "
                         << rows;
  // finalize_c4
  if (getRows().size() > 2)
    return emitOpError("expected output, and lse or max and sum, got ")
           << 1 + getRows().size() << " destinations";
  for (auto [i, dest] : llvm::enumerate(getRows())) {
    StringRef name = getRowName(i);
    if (failed(verifyRank(*this, dest, name, rank - 1, "like max")) ||
        failed(verifyElementType(*this, dest, name, acc.getElementType())))
      return failure();
    for (int64_t axis = 0; axis + 1 < rank; ++axis)
      if (failed(verifyExtent(*this, dest, name, axis, output.getDimSize(axis),
                              "output's extent")))
        return failure();
  }
  return success();
}

LogicalResult FinalizeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  return inferDestinationTypes(operands.drop_front(3), types);
}

//===----------------------------------------------------------------------===//
// pack_query
//===----------------------------------------------------------------------===//

LogicalResult PackQueryOp::verify() {
  if (failed(verifyAllTensorsOrAllMemRefs(*this))) // pack_query_c4
    return failure();
  // pack_query_c1
  if (failed(verifyRank(*this, getQuery(), "query", 2, "(query, size)")) ||
      failed(verifyRank(*this, getPacked(), "packed", 2, "(size, query)")) ||
      failed(verifyElementType(*this, getPacked(), "packed",
                               getAccumulatorType(getQuery().getType()),
                               getElementTypeOrSelf(getQuery().getType()))))
    return failure();
  auto query = cast<ShapedType>(getQuery().getType());
  auto packed = cast<ShapedType>(getPacked().getType());
  if (failed(verifyExtent(*this, getPacked(), "packed", 0, query.getDimSize(1),
                          "query's head size")))
    return failure();
  // pack_query_c2
  int64_t rows = query.getDimSize(0), columns = packed.getDimSize(1);
  if (ShapedType::isStatic(rows) && ShapedType::isStatic(columns) &&
      rows > columns)
    return emitOpError() << "expected packed with at least " << rows
                         << " columns, one per query, got " << columns;
  // pack_query_c3
  if (!getScale().isFinite())
    return emitOpError("expected a finite scale, got ") << getScaleAttr();
  return success();
}

//===----------------------------------------------------------------------===//
// stage_rows
//===----------------------------------------------------------------------===//

LogicalResult StageRowsOp::verify() {
  auto input = cast<ShapedType>(getInput().getType());
  auto scratch = cast<ShapedType>(getScratch().getType());
  auto result = cast<ShapedType>(getResult().getType());
  int64_t rank = input.getRank();
  // stage_rows_c1
  if (failed(
          verifyRank(*this, getScratch(), "scratch", rank, "as input has")) ||
      failed(verifyElementType(*this, getScratch(), "scratch",
                               getAccumulatorType(input),
                               input.getElementType())))
    return failure();
  // stage_rows_c2
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t wanted = input.getDimSize(axis), room = scratch.getDimSize(axis);
    if (ShapedType::isStatic(wanted) && ShapedType::isStatic(room) &&
        room < wanted)
      return emitOpError() << "expected axis " << axis
                           << " of scratch to hold input's " << wanted
                           << ", got " << room;
  }
  // stage_rows_c3
  if (int64_t(getPositionAxis()) + 1 >= rank)
    return emitOpError() << "expected position_axis to be an axis before the "
                            "last of "
                         << rank << ", got " << getPositionAxis();
  // stage_rows_c4
  if (isa<TensorType>(input) != isa<TensorType>(result) ||
      isa<TensorType>(input) != isa<TensorType>(scratch))
    return emitOpError(
        "expected input, scratch and result to be all tensors or all memrefs");
  if (result.getShape() != input.getShape() ||
      result.getElementType() != scratch.getElementType())
    return emitOpError() << "expected a result of input's shape and scratch's "
                            "element type, got "
                         << result;
  return success();
}

void StageRowsOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<TensorType>(getInput().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getScratchMutable());
}
