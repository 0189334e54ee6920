//===- Structured.cpp - Derivatives of linalg ops -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Linalg ops with loops: named ones and linalg.generic. Their bodies are
// differentiated like score regions. The cotangent of an input is a generic op
// over the same iterations, which sums over those that read the same element.

#include "../Tensors/TensorRules.h"
#include "Extremes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace lattn;

static LogicalResult verify(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("has no derivative: it writes to buffers");
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (isDifferentiable(op->getResult(i).getType()) &&
        getCombination(op, i).kind == Combination::Other)
      return op.emitOpError()
             << "has no derivative: expected result " << i
             << " to be a sum, a maximum or a minimum over its reduction loops";
  return success();
}

static bool isExtreme(linalg::LinalgOp op, unsigned result) {
  return getCombination(op, result).kind == Combination::Extreme;
}

namespace {
/// Cotangents of what one op reads.
class Adjoint {
public:
  Adjoint(linalg::LinalgOp op, OpBuilder &b, Reverse &reverse)
      : op(op), b(b), loc(op.getLoc()), reverse(reverse), terms(op) {}

  LogicalResult run() {
    findCotangents();
    for (OpOperand &operand : op->getOpOperands()) {
      if (!reverse.isActive(operand.get()))
        continue;
      if (op.isDpsInit(&operand) && op.getNumReductionLoops())
        addStart(operand);
      else if (op.payloadUsesValueFromOperand(&operand) &&
               failed(addOperand(operand)))
        return failure();
    }
    return addReads();
  }

private:
  /// Of the results, or of their terms.
  void findCotangents() {
    for (OpResult result : op->getResults()) {
      unsigned i = result.getResultNumber();
      Value cotangent = reverse.getCotangent(b, result);
      if (cotangent && isExtreme(op, i))
        cotangent = divideByTies(b, op, i, cotangent,
                                 reverse.isActive(op.getDpsInits()[i]));
      cotangents.push_back(cotangent);
    }
  }

  /// What a sum or an extreme starts with.
  void addStart(OpOperand &operand) {
    unsigned i = op.getTiedOpResult(&operand).getResultNumber();
    if (!cotangents[i])
      return;
    reverse.add(b, operand.get(),
                isExtreme(op, i) ? takeAtStart(b, op, i, cotangents[i])
                                 : cotangents[i]);
  }

  /// The places of cotangents and extremes among the inputs.
  struct Places {
    std::optional<unsigned> cotangent, extreme;
  };
  SmallVector<Places> readCotangents(Iterations &iterations) {
    SmallVector<Places> places(cotangents.size());
    for (auto [i, cotangent] : llvm::enumerate(cotangents)) {
      if (!cotangent)
        continue;
      Value result = op->getResult(i);
      AffineMap map = op.getIndexingMapMatchingResult(op->getResult(i));
      places[i].cotangent = iterations.read(cotangent, map);
      if (isExtreme(op, i))
        places[i].extreme = iterations.read(result, map);
    }
    return places;
  }

  /// One iteration of the body, backwards.
  FailureOr<ReverseBlock> reverseBody(OpBuilder &nested, ValueRange elements,
                                      ValueRange arguments,
                                      ArrayRef<Places> places,
                                      Activity::IsActive isActive) {
    SmallVector<Value> values(places.size());
    SmallVector<Value> made;
    if (llvm::any_of(places, [](Places at) { return at.extreme; })) {
      auto none = [](Value) { return Value(); };
      auto forward = buildForward(nested, terms.get(), arguments, none);
      made = forward->results;
    }
    for (auto [i, at] : llvm::enumerate(places)) {
      if (!at.cotangent)
        continue;
      values[i] = elements[*at.cotangent];
      if (!at.extreme)
        continue;
      Value taken = buildIsExtreme(nested, loc, made[i], elements[*at.extreme]);
      values[i] = arith::SelectOp::create(nested, loc, taken, values[i],
                                          buildZeros(nested, loc, values[i]));
    }
    return buildReverse(nested, terms.get(), arguments, values, isActive);
  }

  LogicalResult addOperand(OpOperand &operand) {
    Value value = operand.get();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Type type = getElementTypeOrSelf(value.getType());
    bool sums = !isPermutation(op, map);
    Type wide = sums ? getAccumulatorElement(type) : type;
    Iterations iterations(op);
    SmallVector<Places> places = readCotangents(iterations);
    Value start = sums ? buildZeroArray(value, wide) : buildEmptyArray(value);
    unsigned number = op.getMatchingBlockArgument(&operand).getArgNumber();
    FailureOr<Value> made = iterations.build(
        b, start, map,
        [&](OpBuilder &nested, ValueRange elements, ValueRange arguments,
            Value before) -> FailureOr<Value> {
          auto reversed =
              reverseBody(nested, elements, arguments, places,
                          [&](Value v) { return v == arguments[number]; });
          if (failed(reversed))
            return failure();
          Value cotangent = reversed->cotangents[number];
          if (!cotangent)
            return sums ? before : buildZeros(nested, loc, before);
          cotangent = convertElements(nested, loc, cotangent, wide);
          if (!sums)
            return cotangent;
          return arith::AddFOp::create(nested, loc, before, cotangent,
                                       arith::FastMathFlags::reassoc)
              .getResult();
        });
    if (failed(made))
      return failure();
    if (!isa<TensorType>(value.getType()))
      *made = tensor::ExtractOp::create(b, loc, *made, ValueRange{});
    reverse.add(b, value, convertElements(b, loc, *made, type));
    return success();
  }

  /// Of arrays that the body reads at any index: sums in the order of loops.
  LogicalResult addReads() {
    SetVector<Value> outer, arrays;
    getUsedValuesDefinedAbove(op->getRegions(), outer);
    for (Value value : outer)
      if (reverse.isActive(value))
        arrays.insert(value);
    if (arrays.empty())
      return success();
    SmallVector<Value> starts;
    for (Value array : arrays) {
      if (!isa<RankedTensorType>(array.getType()))
        return op.emitOpError("has no derivative by a ")
               << array.getType() << " from outside that its body uses";
      Type type = getElementTypeOrSelf(array.getType());
      starts.push_back(reverse.takeSum(b, array, getAccumulatorElement(type)));
    }
    Iterations iterations(op);
    SmallVector<Places> places = readCotangents(iterations);
    auto body = [&](OpBuilder &nested, ValueRange elements,
                    ValueRange arguments,
                    ValueRange sums) -> FailureOr<SmallVector<Value>> {
      auto reversed =
          reverseBody(nested, elements, arguments, places,
                      [&](Value value) { return arrays.contains(value); });
      if (failed(reversed))
        return failure();
      SmallVector<Value> made(sums);
      for (ReadCotangent &read : reversed->reads) {
        Value &sum = made[llvm::find(arrays, read.array) - arrays.begin()];
        sum = addToElement(nested, loc, sum, read.indices, read.cotangent);
      }
      return made;
    };
    auto sums = iterations.buildLoops(b, starts, body);
    if (failed(sums))
      return failure();
    for (auto [array, sum] : llvm::zip_equal(arrays, *sums))
      reverse.add(b, array, sum);
    return success();
  }

  Value buildZeroArray(Value like, Type element) {
    if (isa<TensorType>(like.getType()))
      return buildZeros(b, loc, like, element);
    Value zero =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0.0));
    return tensor::FromElementsOp::create(
        b, loc, RankedTensorType::get({}, element), zero);
  }
  Value buildEmptyArray(Value like) {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                   getElementTypeOrSelf(like.getType()));
  }

  linalg::LinalgOp op;
  OpBuilder &b;
  Location loc;
  Reverse &reverse;
  TermBody terms;
  SmallVector<Value> cotangents;
};

/// Tangents of the results of one op.
class Tangent {
public:
  Tangent(linalg::LinalgOp op, OpBuilder &b, Forward &forward)
      : op(op), b(b), loc(op.getLoc()), forward(forward), terms(op) {}

  LogicalResult run() {
    for (OpResult result : op->getResults()) {
      if (!isDifferentiable(result.getType()))
        continue;
      FailureOr<Value> tangent = buildAll(result);
      if (failed(tangent))
        return failure();
      forward.setTangent(result, *tangent);
    }
    return success();
  }

private:
  /// What the sum of tangents starts with.
  Value buildStart(unsigned i) {
    Value before = op.getDpsInits()[i];
    Value tangent = forward.getTangent(before);
    if (!tangent || getCombination(op, i).kind == Combination::Single)
      return buildZeros(b, loc, before);
    return isExtreme(op, i) ? takeAtStart(b, op, i, tangent) : tangent;
  }

  FailureOr<Value> buildAll(OpResult result) {
    SmallVector<OpOperand *> active;
    for (OpOperand &operand : op->getOpOperands())
      if (forward.getTangent(operand.get()) &&
          !(op.isDpsInit(&operand) && op.getNumReductionLoops()))
        active.push_back(&operand);
    FailureOr<Value> tangent = buildStart(result.getResultNumber());
    if (!linalg::isaContractionOpInterface(op) || active.empty())
      return build(result, *tangent, active);
    // One product by each factor: two in one loop are no product of matrices.
    for (OpOperand *operand : active)
      if (succeeded(tangent))
        tangent = build(result, *tangent, operand);
    return tangent;
  }

  /// By the operands `active`.
  FailureOr<Value> build(OpResult result, Value start,
                         ArrayRef<OpOperand *> active) {
    unsigned i = result.getResultNumber();
    AffineMap map = op.getIndexingMapMatchingResult(result);
    Combination::Kind kind = getCombination(op, i).kind;
    Iterations iterations(op);
    DenseMap<unsigned, unsigned> places; // of tangents, by block argument
    for (OpOperand *operand : active)
      places[op.getMatchingBlockArgument(operand).getArgNumber()] =
          iterations.read(forward.getTangent(operand->get()),
                          op.getMatchingIndexingMap(operand));
    std::optional<unsigned> extreme;
    if (kind == Combination::Extreme)
      extreme = iterations.read(result, map);
    FailureOr<Value> made = iterations.build(
        b, start, map,
        [&](OpBuilder &nested, ValueRange elements, ValueRange arguments,
            Value before) -> FailureOr<Value> {
          unsigned own = op.getRegionOutputArgs()[i].getArgNumber();
          auto getTangent = [&](Value value) -> Value {
            for (auto [argument, place] : places)
              if (value == arguments[argument])
                return elements[place];
            if (kind == Combination::Sum && value == arguments[own])
              return before;
            return forward.getTangent(value);
          };
          auto block = buildForward(nested, terms.get(), arguments, getTangent);
          if (failed(block))
            return failure();
          Value tangent = block->tangents[i];
          Value zero = buildZeros(nested, loc, before);
          if (!tangent)
            return extreme ? before : zero;
          if (!extreme)
            return tangent;
          Value taken = buildIsExtreme(nested, loc, block->results[i],
                                       elements[*extreme]);
          tangent = arith::SelectOp::create(nested, loc, taken, tangent, zero);
          return arith::AddFOp::create(nested, loc, before, tangent)
              .getResult();
        });
    if (failed(made) || !extreme)
      return made;
    return divideByTies(b, op, i, *made,
                        bool(forward.getTangent(op.getDpsInits()[i])));
  }

  linalg::LinalgOp op;
  OpBuilder &b;
  Location loc;
  Forward &forward;
  TermBody terms;
};

template <typename Op>
struct StructuredModel
    : DifferentiableOpInterface::ExternalModel<StructuredModel<Op>, Op> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    return failed(verify(linalgOp)) ? failure()
                                    : Adjoint(linalgOp, b, reverse).run();
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    return failed(verify(linalgOp)) ? failure()
                                    : Tangent(linalgOp, b, forward).run();
  }
};
} // namespace

void lattn::attachStructured(MLIRContext *context) {
  attachAll<StructuredModel,
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
            >(context);
}
