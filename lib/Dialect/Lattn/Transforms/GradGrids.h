//===- GradGrids.h - Gradients of attention as grids of a GPU ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADGRIDS_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADGRIDS_H

#include "AttentionExtents.h"
#include "GradSides.h"
#include "GradTiler.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// Replaces an attention_grad by grids; GradGrids.cpp.
class GradGrids : AttentionExtents {
public:
  GradGrids(mlir::RewriterBase &b, AttentionGradOp op, TileSizes sizes)
      : AttentionExtents(b, op), b(b), op(op), loc(op.getLoc()),
        type(op.getAccumulatorType()), sizes(sizes), sides(b, op) {
    if (op.getEffectiveWindow())
      offset = buildExplicitOffset(b, op, op.getPositionAxis());
    dropout = buildExplicitDropout(b, op);
  }
  mlir::LogicalResult run();

private:
  /// Which sums a grid makes: of the queries' gradients, of those of keys and
  /// of values, or of those of scores.
  struct Wanted {
    bool query = false, key = false, value = false, scores = false;
  };
  /// `count` rows of an array from `first` on, for one batch and head.
  struct Rows {
    mlir::Value batch, head, first, count;
    Span span; // of the batch
  };
  struct Queries : Rows {
    mlir::Value query, dOutput, lse, rowSums;
  };
  struct Keys : Rows {
    mlir::Value key, value;
  };
  /// The place of rows in an array of four axes, or of three: lse.
  struct Place {
    mlir::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
    mlir::RankedTensorType type; // of the rows alone
  };

  mlir::Value index(mlir::OpFoldResult value) {
    return mlir::getValueOrCreateConstantIndexOp(b, loc, value);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::AddIOp>(loc, x, y);
  }
  mlir::Value toGlobal(mlir::Value local, unsigned coordinate) {
    return op.getOrigin().empty() ? local
                                  : add(local, op.getOrigin()[coordinate]);
  }
  Place getPlace(mlir::Value array, const Rows &rows);
  mlir::Value take(mlir::Value array, const Rows &rows);
  Queries takeQueries(const Rows &rows) {
    return {rows, take(op.getQuery(), rows), take(op.getDOutput(), rows),
            take(op.getLse(), rows), take(rowSums, rows)};
  }
  Keys takeKeys(const Rows &rows) {
    return {rows, take(op.getKey(), rows), take(op.getValue(), rows)};
  }
  mlir::Value zeros(mlir::Value array, mlir::Value count);
  mlir::Value nothing(mlir::Value array, mlir::Value count);
  mlir::Value isEmpty(mlir::Value count);
  Rows getTile(mlir::Value batch, mlir::Value head, mlir::Value tile,
               const Span &span);
  mlir::scf::ForallOp openGrid(mlir::OpFoldResult heads,
                               mlir::OpFoldResult extent, int64_t size,
                               mlir::ArrayRef<mlir::Value> destinations,
                               mlir::StringRef kernel);
  void close(mlir::scf::ForallOp grid, mlir::ArrayRef<mlir::Value> sums,
             const Rows &rows);
  mlir::Value readOffset(mlir::Value batch);
  AttentionGradStepOp buildStep(const Queries &queries, const Keys &keys,
                                Wanted wanted, mlir::Value edge,
                                mlir::ValueRange sums);
  mlir::Value buildQueryGrid();
  TileKeyValues findQueries(const Rows &keys, const Span &queries);
  TileKeyValues skipIfEmpty(const Rows &tile, TileKeyValues positions);
  mlir::SmallVector<mlir::Value> buildKeyGrid(Wanted wanted);
  std::pair<mlir::Value, mlir::Value> findPairs(const Rows &queries,
                                                const Rows &keys);
  mlir::Value sumOverSharers(Rows queries, Rows keys, const BiasAxes &axes,
                             mlir::ArrayRef<mlir::Value> shared);
  void closeBiasGrid(mlir::scf::ForallOp grid, mlir::Value sum,
                     const Rows &queries, const Rows &keys,
                     const BiasAxes &axes);
  mlir::Value buildBiasGrid();

  mlir::RewriterBase &b;
  AttentionGradOp op;
  mlir::Location loc;
  mlir::FloatType type;
  TileSizes sizes;
  GradSides sides;
  mlir::Value offset, rowSums;
  mlir::SmallVector<mlir::Value> dropout; // explicit
  mlir::Region score;                     // of the steps
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADGRIDS_H
