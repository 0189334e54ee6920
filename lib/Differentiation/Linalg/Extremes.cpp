//===- Extremes.cpp - Which elements are the greatest ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The derivative of a maximum over many elements goes to those that are equal
// to it, in equal shares, as that of torch.amax.

#include "Extremes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

TermBody::TermBody(linalg::LinalgOp op) {
  IRMapping mapping;
  op->getRegion(0).cloneInto(&region, mapping);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (Combination made = getCombination(op, i);
        made.kind == Combination::Extreme)
      get().getTerminator()->setOperand(i, mapping.lookup(made.term));
}

Value lattn::buildIsExtreme(OpBuilder &b, Location loc, Value term,
                            Value extreme) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, term,
                               extreme);
}

Value lattn::mapElements(OpBuilder &b, Location loc, ValueRange arrays,
                         Type element,
                         function_ref<Value(OpBuilder &, ValueRange)> body) {
  auto type = cast<RankedTensorType>(arrays[0].getType());
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, arrays[0]), element);
  SmallVector<AffineMap> maps(arrays.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> kinds(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), arrays, empty, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange elements) {
               linalg::YieldOp::create(nested, loc,
                                       body(nested, elements.drop_back()));
             })
      .getResult(0);
}

/// 1 where `condition`, else 0.
static Value buildIndicator(OpBuilder &b, Location loc, Value condition,
                            Type type) {
  return arith::UIToFPOp::create(b, loc, type, condition);
}

Value lattn::takeAtStart(OpBuilder &b, linalg::LinalgOp op, unsigned result,
                         Value x) {
  Location loc = op.getLoc();
  return mapElements(
      b, loc, {op.getDpsInits()[result], op->getResult(result), x},
      getElementTypeOrSelf(x.getType()),
      [&](OpBuilder &nested, ValueRange elements) -> Value {
        Value zero = buildZeros(nested, loc, elements[2]);
        return arith::SelectOp::create(
            nested, loc, buildIsExtreme(nested, loc, elements[0], elements[1]),
            elements[2], zero);
      });
}

Value lattn::divideByTies(OpBuilder &b, linalg::LinalgOp op, unsigned result,
                          Value x, bool countStart) {
  Location loc = op.getLoc();
  Value extreme = op->getResult(result);
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(result));
  // Counts in f32 are exact up to 2^24; more ties are as good as infinitely
  // many.
  Type type = getAccumulatorElement(getElementTypeOrSelf(x.getType()));
  Value start = buildZeros(b, loc, extreme, type);
  if (countStart)
    start = mapElements(
        b, loc, {op.getDpsInits()[result], extreme}, type,
        [&](OpBuilder &nested, ValueRange elements) {
          return buildIndicator(
              nested, loc,
              buildIsExtreme(nested, loc, elements[0], elements[1]), type);
        });
  Iterations iterations(op);
  unsigned place = iterations.read(extreme, map);
  TermBody body(op);
  FailureOr<Value> count = iterations.build(
      b, start, map,
      [&](OpBuilder &nested, ValueRange elements, ValueRange arguments,
          Value before) -> FailureOr<Value> {
        auto none = [](Value) { return Value(); };
        FailureOr<ForwardBlock> made =
            buildForward(nested, body.get(), arguments, none);
        if (failed(made))
          return failure();
        Value isExtreme =
            buildIsExtreme(nested, loc, made->results[result], elements[place]);
        return arith::AddFOp::create(
                   nested, loc, before,
                   buildIndicator(nested, loc, isExtreme, type))
            .getResult();
      });
  return mapElements(
      b, loc, {x, *count}, getElementTypeOrSelf(x.getType()),
      [&](OpBuilder &nested, ValueRange elements) -> Value {
        Value ties =
            convertElements(nested, loc, elements[1], elements[0].getType());
        return arith::DivFOp::create(nested, loc, elements[0], ties);
      });
}
