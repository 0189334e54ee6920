//===- BoxSource.h - Matrices that tensor maps reach ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_SPECIALIZEWARPS_BOXSOURCE_H
#define LATTN_LIB_CONVERSION_SPECIALIZEWARPS_BOXSOURCE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace lattn {

/// Columns of a box: as many as the widest swizzle, of 128 bytes, holds.
constexpr int64_t kBoxColumns = 64;

/// A matrix that a launch reads or writes, as a part of an array of the host's.
struct BoxSource {
  mlir::Value array;
  /// Where the matrix's first element stands in the array.
  llvm::SmallVector<mlir::OpFoldResult> first;
  unsigned rowAxis, columnAxis; // of the array

  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(array.getType());
  }
};

/// Follows the views that make `matrix` of an array outside of `launch`. On
/// failure `reason` says why tensor maps cannot reach it.
mlir::FailureOr<BoxSource> findBoxSource(mlir::Value matrix,
                                         mlir::gpu::LaunchOp launch,
                                         std::string &reason);

/// Makes the tensor map, before the launch, for boxes of `rows` rows.
mlir::Value createTensorMap(mlir::OpBuilder &b, mlir::Location loc,
                            const BoxSource &source, int64_t rows);

/// Whether a tensor map can be made of the array: what is known only when it
/// runs. i1.
mlir::Value buildFits(mlir::OpBuilder &b, mlir::Location loc,
                      const BoxSource &source);

/// Rows of shared memory, in boxes side by side that are `boxBytes` apart, to
/// be stored from `row` of the source on.
struct BoxStore {
  mlir::Value map, row;
  int64_t boxes, rows, boxBytes;
  mlir::Value memory, offset; // bytes of it
};
void buildBoxStore(mlir::OpBuilder &b, mlir::Location loc,
                   const BoxSource &dest, const BoxStore &store);

/// A copy of rows to shared memory, in boxes side by side.
struct BoxCopy {
  mlir::Value map, row;
  int64_t boxes, rows;
  mlir::Value memory, offset;    // bytes of it
  mlir::Value barriers, barrier; // that is told of the bytes
};
void buildBoxCopy(mlir::OpBuilder &b, mlir::Location loc,
                  const BoxSource &source, const BoxCopy &copy);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_SPECIALIZEWARPS_BOXSOURCE_H
