//===- Emit.cpp - Expressions as IR ---------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;
using arith::CmpIPredicate;

/// Calls `visit` once for each node that is not below `stop`.
static void walk(Expr e, Expr stop, llvm::DenseSet<Expr> &seen,
                 llvm::function_ref<void(Expr)> visit) {
  if (e == stop || !seen.insert(e).second)
    return;
  visit(e);
  if (e->is(Kind::Var)) // not into its extent
    return;
  for (Expr operand : e->operands)
    walk(operand, stop, seen, visit);
}

Type lattn::raise::chooseInteger(MLIRContext *context,
                                 ArrayRef<Expr> expressions) {
  bool fits = true;
  llvm::DenseSet<Expr> seen;
  for (Expr e : expressions)
    walk(e, nullptr, seen, [&](Expr x) {
      if (x->type == Class::Int)
        fits &= x->range.low >= INT32_MIN && x->range.high <= INT32_MAX;
      if (x->is(Kind::Opaque))
        for (Expr operand : x->operands)
          fits &= operand->type != Class::Int;
    });
  return IntegerType::get(context, fits ? 32 : 64);
}

Reads lattn::raise::collectReads(Expr e, Expr stop) {
  Reads reads;
  llvm::DenseSet<Expr> seen;
  walk(e, stop, seen, [&](Expr x) {
    if (x->is(Kind::Load))
      reads.tensors.insert(x->value);
    if (x->is(Kind::Sym) || x->is(Kind::Dim))
      reads.scalars.insert(x);
  });
  return reads;
}

Value lattn::raise::buildScalar(OpBuilder &b, Location loc, Expr scalar) {
  if (scalar->is(Kind::Sym))
    return scalar->value;
  return tensor::DimOp::create(b, loc, scalar->value, scalar->number);
}

Value Emitter::constant(int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getIntegerAttr(integer, value));
}

Value Emitter::convertInteger(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (from.isIndex() || type.isIndex())
    return arith::IndexCastOp::create(b, loc, type, value);
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtSIOp::create(b, loc, type, value);
  return arith::TruncIOp::create(b, loc, type, value);
}

/// What a load or symbol gives, in the types of expressions.
Value Emitter::importInteger(Value value) {
  if (auto type = dyn_cast<FloatType>(value.getType()))
    return convertFloat(b, loc, value, real);
  return value.getType().isInteger(1) ? value : convertInteger(value, integer);
}

void Emitter::defineAtoms(ArrayRef<Expr> atoms, Value whole) {
  whole = convertInteger(whole, integer);
  for (auto [i, atom] : llvm::enumerate(llvm::reverse(atoms))) {
    if (i + 1 == atoms.size()) {
      define(atom, whole);
      break;
    }
    Value size = constant(atom->operands[0]->number);
    define(atom, arith::RemSIOp::create(b, loc, whole, size));
    whole = arith::DivSIOp::create(b, loc, whole, size);
  }
}

void Emitter::defineArray(Expr scalar, Value array) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  define(scalar, importInteger(readElement(b, loc, array, zero)));
}

/// The other side of a select is computed too, outside of where it counts.
Value Emitter::emitInside(Expr index, int64_t size) {
  Value value = emit(index);
  if (ShapedType::isDynamic(size))
    return value;
  if (index->range.low < 0)
    value = arith::MaxSIOp::create(b, loc, value, constant(0));
  if (index->range.high >= size)
    value = arith::MinSIOp::create(b, loc, value, constant(size - 1));
  return value;
}

Value Emitter::emitLoad(Expr e) {
  SmallVector<Value> indices;
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(e->value.getType()).getShape();
  for (auto [index, size] : llvm::zip_equal(e->operands, shape))
    indices.push_back(
        convertInteger(emitInside(index, size), b.getIndexType()));
  Value array = inner.lookup(e->value);
  return importInteger(readElement(b, loc, array ? array : e->value, indices));
}

Value Emitter::emitOpaque(Expr e) {
  OperationState state(loc, e->op->getName());
  for (auto [operand, type] :
       llvm::zip_equal(e->operands, e->op->getOperandTypes())) {
    Value value = emit(operand);
    if (operand->type == Class::Bool && !type.isInteger(1))
      value = arith::ExtUIOp::create(b, loc, type, value);
    state.addOperands(operand->type == Class::Int ? convertInteger(value, type)
                                                  : value);
  }
  Type type = e->op->getResult(0).getType();
  state.addTypes(e->type == Class::Float ? Type(real) : type);
  state.addAttributes(e->op->getAttrs());
  return importInteger(b.create(state)->getResult(0));
}

Value Emitter::emitFloat(Expr e) {
  Value x = emit(e->operands[0]);
  Value y = e->operands.size() > 1 ? emit(e->operands[1]) : Value();
  switch (e->kind) {
  case Kind::Add:
    return arith::AddFOp::create(b, loc, x, y);
  case Kind::Sub:
    return arith::SubFOp::create(b, loc, x, y);
  case Kind::Mul:
    return arith::MulFOp::create(b, loc, x, y);
  case Kind::Div:
    return arith::DivFOp::create(b, loc, x, y);
  case Kind::Max:
    return arith::MaximumFOp::create(b, loc, x, y);
  case Kind::Min:
    return arith::MinimumFOp::create(b, loc, x, y);
  case Kind::Abs:
    return math::AbsFOp::create(b, loc, x);
  case Kind::Exp:
    return math::ExpOp::create(b, loc, x);
  default:
    return arith::SIToFPOp::create(b, loc, real, x);
  }
}

Value Emitter::emitInteger(Expr e) {
  Value x = emit(e->operands[0]);
  switch (e->kind) {
  case Kind::Linear: {
    Value sum;
    for (auto [operand, factor] : llvm::zip(e->operands, e->coefficients)) {
      Value term = emit(operand);
      bool subtract = sum && factor == -1;
      if (factor != 1 && !subtract)
        term = arith::MulIOp::create(b, loc, term, constant(factor));
      if (subtract)
        sum = arith::SubIOp::create(b, loc, sum, term);
      else
        sum = sum ? arith::AddIOp::create(b, loc, sum, term) : term;
    }
    return e->number ? arith::AddIOp::create(b, loc, sum, constant(e->number))
                     : sum;
  }
  case Kind::Abs:
    return math::AbsIOp::create(b, loc, x);
  case Kind::NotNeg:
    return arith::CmpIOp::create(b, loc, CmpIPredicate::sge, x, constant(0));
  case Kind::IsZero:
    return arith::CmpIOp::create(b, loc, CmpIPredicate::eq, x, constant(0));
  case Kind::Not: {
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    return arith::XOrIOp::create(b, loc, x, yes);
  }
  default:
    break;
  }
  Value y = emit(e->operands[1]);
  switch (e->kind) {
  case Kind::Product:
    return arith::MulIOp::create(b, loc, x, y);
  case Kind::FloorDiv:
    return arith::FloorDivSIOp::create(b, loc, x, y);
  case Kind::Max:
    return arith::MaxSIOp::create(b, loc, x, y);
  case Kind::Min:
    return arith::MinSIOp::create(b, loc, x, y);
  case Kind::And:
    return arith::AndIOp::create(b, loc, x, y);
  case Kind::Or:
    return arith::OrIOp::create(b, loc, x, y);
  default: // CmpF
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate(e->number), x, y);
  }
}

Value Emitter::emitNew(Expr e) {
  switch (e->kind) {
  case Kind::Const:
    if (e->type == Class::Float)
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(real, e->real));
    if (e->type == Class::Bool)
      return arith::ConstantOp::create(b, loc, b.getBoolAttr(e->number));
    return constant(e->number);
  case Kind::Sym:
  case Kind::Dim: {
    Value value = buildScalar(b, loc, e);
    return importInteger(value);
  }
  case Kind::Load:
    return emitLoad(e);
  case Kind::Opaque:
    return emitOpaque(e);
  case Kind::Select: {
    Value condition = emit(e->operands[0]), x = emit(e->operands[1]);
    return arith::SelectOp::create(b, loc, condition, x, emit(e->operands[2]));
  }
  default:
    return e->type == Class::Float ? emitFloat(e) : emitInteger(e);
  }
}

Value Emitter::emit(Expr e) {
  if (Value found = known.lookup(e))
    return found;
  Value value = emitNew(e);
  known[e] = value;
  return value;
}
