//===- RotaryTable.h - Tables of rotary position embeddings -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_ROTARYTABLE_H
#define LATTN_DIALECT_LATTN_IR_ROTARYTABLE_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// f_m = theta^(-2m/dim), rounded to f32, for m below ceil(dim / 2).
llvm::SmallVector<double> getRotaryFrequencies(int64_t dim, double theta);

/// z_m = (2m + 0.4 dim) / (1.4 dim) for m below ceil(dim / 2).
llvm::SmallVector<double> getXposBases(int64_t dim);

/// The table of `op`, as rotate_pairs takes it, for positions 0..rows-1 and
/// xpos scales centred on `center`. It is computed in f64 and rounded once.
mlir::DenseElementsAttr getRotaryTable(RotaryOp op, int64_t rows,
                                       int64_t center);

/// The same as IR, for positions start..start+rows-1. When it runs, it computes
/// a sine and a cosine in f64 for each entry. `start` and `center` are index
/// values.
mlir::Value buildRotaryTable(mlir::OpBuilder &b, RotaryOp op,
                             mlir::OpFoldResult rows, mlir::Value start,
                             mlir::Value center);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_ROTARYTABLE_H
