//===- Emit.h - Expressions as IR -------------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_EMIT_H
#define LATTN_LIB_RAISE_EMIT_H

#include "Operands.h"
#include "llvm/ADT/SetVector.h"

namespace lattn::raise {

/// Writes expressions as scalar operations.
class Emitter {
public:
  Emitter(mlir::OpBuilder &b, mlir::Location loc, mlir::FloatType real,
          mlir::Type integer)
      : b(b), loc(loc), real(real), integer(integer) {}

  /// Writes floats as `real`, integers as `integer`, and bools as i1.
  mlir::Value emit(Expr e);
  /// From now on `value` is the value of `e`.
  void define(Expr e, mlir::Value value) { known[e] = value; }
  /// From now on `scalar` is the only element of `array`.
  void defineArray(Expr scalar, mlir::Value array);
  /// Defines the atoms of a coordinate, whose value is `whole`.
  void defineAtoms(llvm::ArrayRef<Expr> atoms, mlir::Value whole);
  /// From now on `inside` stands for `outside`, a tensor or scalar. Others
  /// stand for themselves.
  void replace(mlir::Value outside, mlir::Value inside) {
    inner[outside] = inside;
  }

private:
  mlir::Value emitNew(Expr e);
  mlir::Value emitFloat(Expr e);
  mlir::Value emitLoad(Expr e);
  mlir::Value emitInside(Expr index, int64_t size);
  mlir::Value emitOpaque(Expr e);
  mlir::Value emitInteger(Expr e);
  mlir::Value constant(int64_t value);
  mlir::Value convertInteger(mlir::Value value, mlir::Type type);
  mlir::Value importInteger(mlir::Value value);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::FloatType real;
  mlir::Type integer;
  llvm::DenseMap<Expr, mlir::Value> known;
  llvm::DenseMap<mlir::Value, mlir::Value> inner;
};

/// i32 if all integers of the expressions fit, else i64.
mlir::Type chooseInteger(mlir::MLIRContext *context,
                         llvm::ArrayRef<Expr> expressions);

/// The tensors and scalars of the program that the expression reads, without
/// those below `stop`. The scalar of a Dim is a tensor.dim, which `b` makes.
struct Reads {
  llvm::SetVector<mlir::Value> tensors;
  llvm::SetVector<Expr> scalars; // Sym and Dim
};
Reads collectReads(Expr e, Expr stop);
mlir::Value buildScalar(mlir::OpBuilder &b, mlir::Location loc, Expr scalar);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_EMIT_H
