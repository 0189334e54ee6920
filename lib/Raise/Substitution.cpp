//===- Substitution.cpp - Expressions at other coordinates ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Substitution.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn::raise;

std::optional<SmallVector<Expr>> Substitution::apply(ArrayRef<Expr> from) {
  SmallVector<Expr> to;
  for (Expr e : from) {
    to.push_back(apply(e));
    if (!to.back())
      return std::nullopt;
  }
  return to;
}

Expr Substitution::rebuild(Expr e, ArrayRef<Expr> operands) {
  Exprs &exprs = evaluator.exprs;
  switch (e->kind) {
  case Kind::Load:
    return evaluator.getElement(e->value, operands);
  case Kind::Linear: {
    Expr sum = exprs.number(e->number);
    for (auto [operand, factor] : llvm::zip_equal(operands, e->coefficients))
      sum = exprs.add(sum, exprs.scale(operand, factor));
    return sum;
  }
  case Kind::Product:
    return exprs.multiply(operands[0], operands[1]);
  case Kind::FloorDiv:
    return operands[1]->range.low > 0 ? exprs.floorDiv(operands[0], operands[1])
                                      : nullptr;
  case Kind::NotNeg:
    return exprs.notNegative(operands[0]);
  case Kind::IsZero:
    return exprs.isZero(operands[0]);
  case Kind::CmpF:
    return exprs.compareReal(e->number, operands[0], operands[1]);
  case Kind::Select:
    return exprs.select(operands[0], operands[1], operands[2]);
  case Kind::ToFloat:
    return exprs.toFloat(operands[0]);
  case Kind::Opaque:
    // What is known of the operands may make it exact now. A rounded quotient
    // is known by the operations before it, which may be those of another.
    return isa<arith::FPToSIOp>(e->op)
               ? exprs.opaque(e->op, operands)
               : evaluateScalarOp(exprs, e->op, operands);
  default:
    return exprs.make(e->kind, operands);
  }
}

Expr Substitution::apply(Expr e) {
  if (auto it = known.find(e); it != known.end())
    return it->second;
  if (!(e->vars & changed) || e->is(Kind::Var))
    return e;
  if (evaluator.exprs.isExhausted())
    return nullptr;
  std::optional<SmallVector<Expr>> operands = apply(ArrayRef(e->operands));
  Expr to = operands ? rebuild(e, *operands) : nullptr;
  known[e] = to;
  return to;
}
