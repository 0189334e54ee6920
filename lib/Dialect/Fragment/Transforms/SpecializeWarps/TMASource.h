//===- TMASource.h - Matrices that tensor maps reach ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_TMASOURCE_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_TMASOURCE_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace lattn {

using fragment::kTMATileColumns;

/// A matrix or vector that a launch reads or writes, as a part of an array of
/// the host.
struct TMASource {
  mlir::Value array;
  /// Where its first element stands in the array.
  llvm::SmallVector<mlir::OpFoldResult> first;
  unsigned rowAxis;                   // of the array
  std::optional<unsigned> columnAxis; // none of a vector

  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(array.getType());
  }
};

/// Follows the views from `view` to an array outside of `launch`. On failure
/// `reason` says why tensor maps do not support it.
mlir::FailureOr<TMASource> findTMASource(mlir::Value view,
                                         mlir::gpu::LaunchOp launch,
                                         std::string &reason);

/// Makes the tensor map, before the launch, for TMA tiles of `rows` rows.
mlir::Value createTensorMap(mlir::OpBuilder &b, mlir::Location loc,
                            const TMASource &source, int64_t rows);

/// Whether a tensor map of the array is possible, as i1. This checks the
/// conditions that are known only when the program runs.
mlir::Value buildFits(mlir::OpBuilder &b, mlir::Location loc,
                      const TMASource &source);

/// Rows of shared memory, in TMA tiles side by side that are `tileBytes` apart,
/// to be stored from row `row` of `dest` on.
struct TMAStore {
  mlir::Value map, row;
  int64_t tiles, rows, tileBytes;
  mlir::Value memory, offset; // bytes of it
};
void buildTMAStore(mlir::OpBuilder &b, mlir::Location loc,
                   const TMASource &dest, const TMAStore &store);

/// A copy of rows to shared memory, in TMA tiles side by side.
struct TMACopy {
  mlir::Value map;
  int64_t tiles, rows;
  mlir::Value memory, offset;    // bytes of it
  mlir::Value barriers, barrier; // which counts the bytes
};
void buildTMACopy(mlir::OpBuilder &b, mlir::Location loc,
                  const TMASource &source, const TMACopy &copy);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_TMASOURCE_H
