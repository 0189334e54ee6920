//===- OpHelpers.h - What several ops of the dialect share ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_IR_OPHELPERS_H
#define LATTN_LIB_DIALECT_LATTN_IR_OPHELPERS_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/IR/TypeUtilities.h"

namespace lattn {

/// The result types of an op in destination style: its tensor destinations.
mlir::LogicalResult
inferDestinationTypes(mlir::ValueRange destinations,
                      llvm::SmallVectorImpl<mlir::Type> &types);

/// Whether two extents may be equal. An unknown extent may equal any other.
inline bool mayEqual(int64_t a, int64_t b) {
  return mlir::ShapedType::isDynamic(a) || mlir::ShapedType::isDynamic(b) ||
         a == b;
}

/// Errors unless axis `axis` of `value` may have extent `expected`.
mlir::LogicalResult verifyExtent(mlir::Operation *op, mlir::Value value,
                                 llvm::StringRef name, unsigned axis,
                                 int64_t expected, llvm::StringRef meaning);

/// Errors unless `value` has rank `rank`.
mlir::LogicalResult verifyRank(mlir::Operation *op, mlir::Value value,
                               llvm::StringRef name, int64_t rank,
                               llvm::StringRef axes);

/// Errors unless `value` has element type `expected`, or `other` if given.
mlir::LogicalResult verifyElementType(mlir::Operation *op, mlir::Value value,
                                      llvm::StringRef name, mlir::Type expected,
                                      mlir::Type other = {});

/// Errors unless `value` has the accumulator type of `like`: f64 if that is
/// f64, else any narrower float.
mlir::LogicalResult verifyAccumulator(mlir::Operation *op, mlir::Value value,
                                      llvm::StringRef name, mlir::Type like);

/// Errors unless `value`, if there is one, has these extents, as far as known,
/// and the accumulator type of `like`. `axes` and `meanings` say in errors what
/// the axes are.
mlir::LogicalResult verifyArray(mlir::Operation *op, mlir::Value value,
                                llvm::StringRef name, llvm::StringRef axes,
                                llvm::ArrayRef<int64_t> extents,
                                llvm::ArrayRef<llvm::StringRef> meanings,
                                mlir::Type like);

/// Errors unless `value`, if there is one, has the shape `extents`, as far as
/// known. `like` says in errors whose shape that is.
mlir::LogicalResult verifyShape(mlir::Operation *op, mlir::Value value,
                                llvm::StringRef name,
                                llvm::ArrayRef<int64_t> extents,
                                llvm::StringRef like);

/// Errors unless each axis of `value`, aligned at the right with (batch, head,
/// query, key) of these extents, is 1 or agrees.
mlir::LogicalResult verifyBroadcastable(mlir::Operation *op, mlir::Value value,
                                        llvm::StringRef name,
                                        llvm::ArrayRef<int64_t> extents);

/// Errors unless `heads` may be a multiple of `kvHeads`.
mlir::LogicalResult verifyHeads(mlir::Operation *op, int64_t heads,
                                int64_t kvHeads);

/// Errors if tensors and memrefs are mixed.
mlir::LogicalResult verifyAllTensorsOrAllMemRefs(mlir::Operation *op);

/// Errors unless each of these operands, by its place in ODS, is there exactly
/// once. (A segment attribute may say otherwise, which ODS does not check.)
/// Errors if tensors and memrefs are mixed.
template <typename OpTy>
mlir::LogicalResult
verifyOperands(OpTy op,
               llvm::ArrayRef<std::pair<unsigned, llvm::StringRef>> required) {
  for (auto [place, name] : required)
    if (unsigned count = op.getODSOperandIndexAndLength(place).second;
        count != 1)
      return op.emitOpError()
             << "expected one operand " << name << ", got " << count;
  return verifyAllTensorsOrAllMemRefs(op);
}

/// verifyOperands for an op whose first operands are query, key and value.
template <typename OpTy>
mlir::LogicalResult verifyAttentionOperands(
    OpTy op,
    std::initializer_list<std::pair<unsigned, llvm::StringRef>> others) {
  llvm::SmallVector<std::pair<unsigned, llvm::StringRef>> required = {
      {0, "query"}, {1, "key"}, {2, "value"}};
  required.append(others);
  return verifyOperands(op, required);
}

/// Errors if the op, which is about to be decomposed, is not on tensors.
mlir::LogicalResult requireTensors(mlir::DestinationStyleOpInterface op);

/// The values that `build` builds before `op`, which must be on tensors.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
decomposeBefore(mlir::DestinationStyleOpInterface op, mlir::OpBuilder &b,
                llvm::function_ref<llvm::SmallVector<mlir::Value>()> build);

/// Errors unless `sink`, if there is one, may have one logit for each of
/// `heads` heads.
mlir::LogicalResult verifySink(AttentionOpInterface op, mlir::Value sink,
                               int64_t heads);

/// Errors unless query, key, value and, if there is one, `dOutput` have the
/// types that the products of `schedule`, which may be null, take.
mlir::LogicalResult verifyProducts(AttentionOpInterface op,
                                   ScheduleAttr schedule,
                                   mlir::Value dOutput = {});

/// Verifies the masks, lengths, offset, bias, region, captures, origin and
/// scale of an op with scores. `extents` are those of (batch, head, query,
/// key), as far as they are known.
mlir::LogicalResult verifyScoring(AttentionOpInterface op,
                                  llvm::ArrayRef<int64_t> extents);

/// Errors if an index of an array that scores read leaves the array.
mlir::LogicalResult verifyScoreReads(AttentionOpInterface op,
                                     llvm::ArrayRef<int64_t> extents);

/// Whether these are the types of dropout's (p, seed, offset), or, if `count`
/// is 4, of these and heads.
bool isDropout(mlir::TypeRange types, size_t count);

/// Errors unless there is no dropout or it is (p, seed, offset).
mlir::LogicalResult verifyDropoutOperands(mlir::Operation *op,
                                          mlir::TypeRange types);

/// Errors unless there is no dropout or it is (p, seed, offset), perhaps with
/// the heads of a larger op.
mlir::LogicalResult verifyPartDropout(mlir::Operation *op,
                                      mlir::TypeRange types);

/// Errors unless there is no dropout or it is (p, seed, offset, heads).
mlir::LogicalResult verifyStepDropout(mlir::Operation *op,
                                      mlir::TypeRange types);

/// Errors if an op has an origin, so that it is a part of a larger one, but no
/// offset.
mlir::LogicalResult verifyOriginOffset(AttentionOpInterface op);

/// Errors if a step has a window but no offset. It needs one because it sees
/// only a tile of the keys.
mlir::LogicalResult verifyStepOffset(AttentionOpInterface op);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_IR_OPHELPERS_H
