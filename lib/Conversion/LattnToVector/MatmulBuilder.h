//===- MatmulBuilder.h - What builds the kernel of matrix products -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The builder of the matrix product's kernel. MatmulPanels.cpp has its
// functions for packing, MatmulKernel.cpp the others.

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULBUILDER_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULBUILDER_H

#include "BlockProduct.h"
#include "MatmulKernel.h"
#include "PackTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <optional>

namespace lattn {

class MatmulKernel {
public:
  MatmulKernel(KernelBuilder &k, KernelFunctions &functions, MatmulBlock block,
               MatmulTileOfB tile, BF16Products bf16,
               mlir::ValueRange arguments);
  void build();

private:
  mlir::Value extent(mlir::Value matrix, int64_t axis) {
    return mlir::memref::DimOp::create(k.b, k.loc, matrix, axis);
  }
  mlir::Value isEqual(mlir::Value x, int64_t y) {
    return mlir::arith::CmpIOp::create(
        k.b, k.loc, mlir::arith::CmpIPredicate::eq, x, k.index(y));
  }
  mlir::Value both(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(k.b, k.loc, x, y);
  }
  mlir::Value isMultiple(mlir::Value x, int64_t of) {
    return isEqual(mlir::arith::RemUIOp::create(k.b, k.loc, x, k.index(of)), 0);
  }
  /// The elements of `matrix` from (row, column) on, `rows` x `columns`.
  mlir::Value slice(mlir::Value matrix, mlir::OpFoldResult row,
                    mlir::OpFoldResult column, mlir::OpFoldResult rows,
                    mlir::OpFoldResult columns) {
    mlir::OpFoldResult one = k.b.getIndexAttr(1);
    return mlir::memref::SubViewOp::create(
        k.b, k.loc, matrix, llvm::SmallVector<mlir::OpFoldResult>{row, column},
        llvm::SmallVector<mlir::OpFoldResult>{rows, columns},
        llvm::SmallVector<mlir::OpFoldResult>{one, one});
  }
  /// The same from (0, 0) on.
  mlir::Value corner(mlir::Value matrix, mlir::OpFoldResult rows,
                     mlir::OpFoldResult columns) {
    mlir::OpFoldResult zero = k.b.getIndexAttr(0);
    return slice(matrix, zero, zero, rows, columns);
  }
  static mlir::Type getElement(mlir::Value matrix) {
    return mlir::cast<mlir::MemRefType>(matrix.getType()).getElementType();
  }
  static int64_t getLineLanes(mlir::Type element) {
    return 64 * 8 / element.getIntOrFloatBitWidth();
  }
  /// Builds for (at = 0; at < extent; at += step) body(at, min(step, extent -
  /// at)).
  void blocks(mlir::Value extent, mlir::Value step,
              llvm::function_ref<void(mlir::Value at, mlir::Value size)> body);
  void blocks(mlir::Value extent, int64_t step,
              llvm::function_ref<void(mlir::Value at, mlir::Value size)> body) {
    blocks(extent, k.index(step), body);
  }
  void copy(mlir::Value source, mlir::Value target) {
    copyTile(k, functions, source, target, panel);
  }
  mlir::Value choose(mlir::Value condition,
                     llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise);
  mlir::Value withPanels(mlir::Value matrix);
  mlir::Value getChunkOfA(mlir::Value rowsOfA);
  mlir::Value getPackedA(mlir::Value rowsOfA);
  mlir::Value getPanels(mlir::Value columnsOfB);
  void packPanels(mlir::Value columnsOfB);
  void packPairs(mlir::Value columnsOfB);
  void prefetch(mlir::Value sums, mlir::Value row, int64_t columns);
  mlir::Value getDepth();
  void accumulate(mlir::Value target, mlir::Value row, mlir::Value column,
                  mlir::Value rows, mlir::Value columns);
  void multiply(mlir::Value target, mlir::Value rowsOfA, mlir::Value panels,
                mlir::Value columns, mlir::Value start);
  void multiplyBlock(mlir::Value rowsOfA, mlir::Value panelOfB,
                     mlir::Value sums, mlir::Value products, mlir::Value start,
                     int64_t vectors);
  mlir::Value getPanel(mlir::Value column) {
    mlir::Value number =
        mlir::arith::DivUIOp::create(k.b, k.loc, column, k.index(panel));
    return k.times(number, panelRows);
  }
  llvm::SmallVector<mlir::Value> multiplySteps(mlir::Value rowsOfA,
                                               mlir::Value panelOfB,
                                               mlir::Value first, int64_t count,
                                               mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value>
  multiplyStep(mlir::Value rowsOfA, mlir::Value panelOfB, mlir::Value step,
               mlir::ValueRange sums, bool isLast,
               llvm::ArrayRef<mlir::Value> elements = {}, int64_t at = 0);
  void fillWithZeros();

  KernelBuilder &k;
  KernelFunctions &functions;
  MatmulBlock block;
  std::optional<PairProducts> pairs; // for products of pairs
  mlir::Type packed;                 // the type of A and B once they are packed
  int64_t group;                     // products in a lane: 2 for pairs
  mlir::Value a, b, c, fresh;
  static constexpr int64_t squareRows =
      32;             // rows of B that become pairs together
  int64_t panel;      // columns of a register block
  int64_t narrow;     // columns of the narrowest one
  int64_t depth;      // products that are packed at a time, at most
  int64_t strideOfA;  // from row to row of packed A
  int64_t panelRows;  // from panel to panel, in other sets of the caches
  int64_t columnTile; // columns that are packed at a time
  int64_t chunkRows;  // rows of A that are packed at a time
  mlir::Value packedA, chunkOfA, packedB, edge, square;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULBUILDER_H
