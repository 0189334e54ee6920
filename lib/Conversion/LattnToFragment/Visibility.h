//===- Visibility.h - Which elements of a tile are visible ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_VISIBILITY_H
#define LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_VISIBILITY_H

#include "TileMath.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"

namespace lattn {

/// Hides pairs of a step. Rows of the tile are the step's queries and columns
/// its keys, or, if `rowsAreKeys`, the other way round.
class Visibility : TileMath {
public:
  Visibility(TileMath &math, AttentionOpInterface op, bool rowsAreKeys)
      : TileMath(math), op(op), rowsAreKeys(rowsAreKeys),
        window(op.getEffectiveWindow()) {
    if (rowsAreKeys)
      window = *window.getInverse();
  }

  /// The flags of the key mask for the step's columns; null if there is no key
  /// mask, or if keys are rows.
  mlir::Value loadMask(int64_t columns);
  /// `tile` with `hidden` where a pair is not visible, or a column is beyond
  /// the step's last one. `mask` are flags that were loaded before.
  mlir::Value hide(mlir::Value tile, double hidden, mlir::Value mask = {});
  /// The same in a step whose pairs only the key mask hides.
  mlir::Value hideByMask(mlir::Value tile, double hidden, mlir::Value mask);

private:
  mlir::Value bound(bool upper);
  bool hasWindowBound(bool upper);
  mlir::Value getWindowBound(mlir::OpBuilder &nested, bool upper,
                             mlir::Value row);
  mlir::Value hideKeys(mlir::OpBuilder &nested, mlir::Value upper,
                       mlir::Value row);
  mlir::Value readMaskOf(mlir::OpBuilder &nested, mlir::Value key);
  mlir::Value narrow(mlir::OpBuilder &nested, mlir::Value index) {
    return mlir::arith::IndexCastOp::create(nested, loc, nested.getI32Type(),
                                            index);
  }

  AttentionOpInterface op;
  bool rowsAreKeys;
  WindowBounds window; // of the columns that a row sees
  Coordinates origin;
  mlir::Value size; // of the columns
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_VISIBILITY_H
