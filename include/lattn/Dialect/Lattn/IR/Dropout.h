//===- Dropout.h - Which weights dropout keeps, as IR -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Dropout uses a counter-based generator: the random bits of a pair depend on
// its coordinates alone, not on tiles, threads or targets.

#ifndef LATTN_DIALECT_LATTN_IR_DROPOUT_H
#define LATTN_DIALECT_LATTN_IR_DROPOUT_H

#include "lattn/Dialect/Lattn/IR/Scores.h"
#include <array>

namespace lattn {

/// The op's (p, seed, offset, heads). If the op is a tile, heads is the number
/// of heads of the larger op. Empty without dropout.
llvm::SmallVector<mlir::Value> buildExplicitDropout(mlir::OpBuilder &b,
                                                    mlir::Location loc,
                                                    mlir::ValueRange dropout,
                                                    mlir::Value query,
                                                    unsigned headAxis);
template <typename OpTy>
llvm::SmallVector<mlir::Value> buildExplicitDropout(mlir::OpBuilder &b,
                                                    OpTy op) {
  return buildExplicitDropout(b, op.getLoc(), op.getDropout(), op.getQuery(),
                              op.getHeadAxis());
}

/// The keys whose bits one call of the generator gives: 4 n to 4 n + 3.
inline constexpr int64_t kKeysOfRandomCall = 4;

/// Dropout of one op. All values but `scale` are i32.
class DropoutBuilder {
public:
  /// `dropout` is (p, seed, offset, heads), and weights have the type `type`.
  DropoutBuilder(mlir::OpBuilder &b, mlir::Location loc,
                 mlir::ValueRange dropout, mlir::Type type);

  /// The word of the counter for a batch and a head, which are global indices.
  mlir::Value buildRow(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value batch, mlir::Value head) const;

  /// Which of the keys 4 * group ... 4 * group + 3 the query keeps, as i1.
  /// `query` and `group` are both i32, or both vectors of i32. The results have
  /// the same shape.
  std::array<mlir::Value, 4> buildKept(mlir::OpBuilder &b, mlir::Location loc,
                                       mlir::Value row, mlir::Value query,
                                       mlir::Value group) const;

  /// 1 / (1 - p)
  mlir::Value getScale() const { return scale; }

private:
  mlir::Value heads; // i64
  mlir::Value threshold, keys[2], offset, scale;
};

/// Of what buildKept says of four keys, the flag of `key`, an i32.
mlir::Value chooseOfFour(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value key, std::array<mlir::Value, 4> kept);

/// `weight`, a scalar, after dropout at global coordinates.
mlir::Value buildDropped(mlir::OpBuilder &b, mlir::Location loc,
                         const DropoutBuilder &dropout, mlir::Value weight,
                         Coordinates at);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_DROPOUT_H
