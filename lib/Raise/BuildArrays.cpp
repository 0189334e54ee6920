//===- BuildArrays.cpp - Arrays beside query, key and value ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildArrays.h"
#include "Emit.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;

static Value buildSize(OpBuilder &b, Location loc, ArrayRef<Expr> atoms,
                       SmallVectorImpl<int64_t> &shape) {
  int64_t size = 1;
  for (Expr atom : atoms) {
    Expr extent = atom->operands[0];
    if (extent->is(Kind::Const)) {
      size *= extent->number;
      continue;
    }
    shape.push_back(ShapedType::kDynamic);
    Emitter emitter(b, loc, b.getF32Type(), b.getI64Type());
    return arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                      emitter.emit(extent));
  }
  shape.push_back(size);
  return {};
}

Value lattn::raise::buildKeyMask(OpBuilder &b, Location loc, const Frame &frame,
                                 FloatType accumulator,
                                 ArrayRef<Expr> keyMask) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (ArrayRef<Expr> atoms : {ArrayRef(frame.batch), ArrayRef(frame.key)})
    if (Value size = buildSize(b, loc, atoms, shape))
      sizes.push_back(size);
  Value empty = tensor::EmptyOp::create(b, loc, shape, b.getI1Type(), sizes);
  return buildGeneric(
      b, loc, {}, empty, b.getMultiDimIdentityMap(2),
      [&](OpBuilder &inner, ValueRange) {
        Emitter emitter(inner, loc, accumulator,
                        chooseInteger(b.getContext(), keyMask));
        emitter.defineAtoms(frame.batch,
                            linalg::IndexOp::create(inner, loc, 0));
        emitter.defineAtoms(frame.key, linalg::IndexOp::create(inner, loc, 1));
        Value all;
        for (Expr e : keyMask) {
          Value one = emitter.emit(e);
          all = all ? arith::AndIOp::create(inner, loc, all, one) : one;
        }
        return all;
      });
}

Value lattn::raise::buildSink(OpBuilder &b, Location loc, const Frame &frame,
                              FloatType accumulator, Expr sink) {
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  if (Value size = buildSize(b, loc, frame.heads, shape))
    sizes.push_back(size);
  Value empty = tensor::EmptyOp::create(b, loc, shape, accumulator, sizes);
  return buildGeneric(b, loc, {}, empty, b.getMultiDimIdentityMap(1),
                      [&](OpBuilder &inner, ValueRange) {
                        Emitter emitter(inner, loc, accumulator,
                                        chooseInteger(b.getContext(), sink));
                        emitter.defineAtoms(
                            frame.heads,
                            linalg::IndexOp::create(inner, loc, 0));
                        return emitter.emit(sink);
                      });
}

Value lattn::raise::buildCapture(OpBuilder &b, Location loc, Expr scalar) {
  Value value = buildScalar(b, loc, scalar);
  if (value.getType().isIndex())
    value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  return tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({1}, value.getType()), value);
}

Value lattn::raise::replaceEmptyRows(OpBuilder &b, Location loc, Value output,
                                     Value lse, bool isBnhd) {
  auto accumulator = cast<FloatType>(getElementTypeOrSelf(lse.getType()));
  MLIRContext *context = b.getContext();
  SmallVector<AffineExpr> row;
  for (unsigned axis : {0u, isBnhd ? 2u : 1u, isBnhd ? 1u : 2u})
    row.push_back(getAffineDimExpr(axis, context));
  auto type = cast<RankedTensorType>(output.getType());
  auto element = cast<FloatType>(type.getElementType());
  AffineMap whole = b.getMultiDimIdentityMap(4);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, output), element);
  return buildGeneric(
      b, loc, {output, lse}, empty,
      {whole, AffineMap::get(4, 0, row, context), whole},
      [&](OpBuilder &inner, ValueRange args) -> Value {
        auto constant = [&](FloatType of, APFloat value) -> Value {
          return arith::ConstantOp::create(inner, loc,
                                           FloatAttr::get(of, value));
        };
        Value none =
            constant(accumulator,
                     APFloat::getInf(accumulator.getFloatSemantics(), true));
        Value isEmpty = arith::CmpFOp::create(
            inner, loc, arith::CmpFPredicate::OEQ, args[1], none);
        Value nan =
            constant(element, APFloat::getNaN(element.getFloatSemantics()));
        return arith::SelectOp::create(inner, loc, isEmpty, nan, args[0]);
      });
}
