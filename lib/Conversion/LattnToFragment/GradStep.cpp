//===- GradStep.cpp - A step of gradients as fragments --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradStep.h"
#include "KeptPairs.h"
#include "Visibility.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;
using fragment::LoadOp;
using fragment::MultiplyOp;
using fragment::Part;
using fragment::TileType;

/// Whether scores are more than scaled products.
static bool isModified(AttentionGradStepOp op) {
  return op.getBias() || !op.getScore().empty();
}

Value lattn::toExponents(TileMath &math, AttentionGradStepOp op, Value lse) {
  return math.map(
      cast<TileType>(lse.getType()), lse,
      [&](OpBuilder &nested, ValueRange args) {
        Value exponent = math.multiply(nested, args[2], llvm::numbers::log2e);
        if (!isModified(op)) // hidden pairs are all that such a row has
          return exponent;
        Value none =
            arith::CmpFOp::create(nested, math.loc, arith::CmpFPredicate::OEQ,
                                  exponent, math.constant(nested, -INFINITY));
        return arith::SelectOp::create(nested, math.loc, none,
                                       math.constant(nested, INFINITY),
                                       exponent)
            .getResult();
      });
}

namespace {
class GradStep : TileMath {
public:
  GradStep(TileMath &math, AttentionGradStepOp op, SweepKeysOp sweep,
           const ResidentRows &resident, bool skipZeros)
      : TileMath(math), op(op), sweep(sweep), resident(resident),
        rowsAreKeys(!resident.exponents), skipZeros(skipZeros) {}
  /// The gradients that `wanted` numbers of the step's results, each added to
  /// its sum.
  SmallVector<Value> run(ArrayRef<unsigned> wanted, ValueRange sums);

private:
  TileType getScoreType();
  Value multiplyRows(Value left, Value right, Value sum);
  void startProducts(bool needsGradients);
  Coordinates getCoordinates(OpBuilder &nested, ValueRange args);
  Value weights();
  /// `tile`, with 0 where dropout drops a pair.
  Value drop(Value tile) { return kept ? dropPairs(*this, tile, kept) : tile; }
  Value multiplyGradients(Value weights);
  Value multiplySlopes(Value gradients);
  Value scoreGradients(Value weights, bool ofYielded);
  Value atEdge(Value tile, function_ref<Value()> hide);
  Value keepNonzero(Value tile, Type element);
  Value accumulate(Value tile, Value right, Value sum);
  Value loadOfQueries(Value vector);
  Value getRowSums() {
    return rowsAreKeys ? loadOfQueries(op.getRowSums()) : resident.rowSums;
  }

  AttentionGradStepOp op;
  SweepKeysOp sweep;
  const ResidentRows &resident;
  bool rowsAreKeys, skipZeros;
  Value kept;     // pairs, with dropout
  Value products; // of queries and keys
  /// Of weights: d_output . value - row sum, or with dropout d_output . value.
  Value gradients;
};
} // namespace

TileType GradStep::getScoreType() {
  return type(Part::Accumulator, sweep.getKeyTile(), f32);
}

/// sum + left * right^T, (rows, the step's positions)
Value GradStep::multiplyRows(Value left, Value right, Value sum) {
  return MultiplyOp::create(b, loc, getScoreType(), left, right, sum,
                            /*transposed=*/true);
}

/// One number for each query of the step.
Value GradStep::loadOfQueries(Value vector) {
  return LoadOp::create(b, loc, columnType(sweep.getKeyTile(), f32), vector);
}

/// `tile`, or what `hide` makes of it in a step at an edge.
Value GradStep::atEdge(Value tile, function_ref<Value()> hide) {
  Value edge = op.getEdge() ? op.getEdge() : sweep.getEdge();
  auto choice =
      scf::IfOp::create(b, loc, tile.getType(), edge, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loc, hide());
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, tile);
  return choice.getResult(0);
}

/// Those of an element, with a row and a column that exist.
Coordinates GradStep::getCoordinates(OpBuilder &nested, ValueRange args) {
  Value zero = arith::ConstantIndexOp::create(nested, loc, 0);
  Value one = arith::ConstantIndexOp::create(nested, loc, 1);
  auto limit = [&](Value at, Value array) -> Value {
    Value last = tensor::DimOp::create(nested, loc, array, 0);
    last = arith::SubIOp::create(nested, loc, last, one);
    at = arith::MinSIOp::create(nested, loc, at, last);
    return arith::MaxSIOp::create(nested, loc, at, zero);
  };
  Value query = limit(args[rowsAreKeys ? 1 : 0], op.getQuery());
  Value key = limit(args[rowsAreKeys ? 0 : 1], op.getKey());
  return addOrigin(nested, loc, op, {zero, zero, query, key});
}

/// The products that need nothing of each other. The second one starts from row
/// sums, so that no registers hold them; ptxas wants these in their registers
/// before the first product starts.
void GradStep::startProducts(bool needsGradients) {
  Value zeros =
      fragment::SplatOp::create(b, loc, getScoreType(), constant(b, 0.0));
  Value start = zeros;
  if (needsGradients && op.getDropout().empty())
    start = map(
        getScoreType(), getRowSums(), [&](OpBuilder &nested, ValueRange args) {
          return arith::NegFOp::create(nested, loc, args[2]).getResult();
        });
  products = multiplyRows(resident.first,
                          rowsAreKeys ? op.getQuery() : op.getKey(), zeros);
  if (needsGradients)
    gradients = multiplyRows(
        resident.second, rowsAreKeys ? op.getDOutput() : op.getValue(), start);
}

/// exp(score - lse)
Value GradStep::weights() {
  Value scores = products;
  int64_t headDim = cast<ShapedType>(op.getQuery().getType()).getDimSize(1);
  double scale = *getStaticScale(op, headDim);
  double factor = scale * llvm::numbers::log2e;
  if (isModified(op)) {
    factor = llvm::numbers::log2e;
    scores = map(cast<TileType>(scores.getType()), scores,
                 [&](OpBuilder &nested, ValueRange args) {
                   return buildVisibleScore(nested, loc, op, args[2],
                                            constant(nested, scale),
                                            getCoordinates(nested, args));
                 });
  }
  Value exponents = resident.exponents;
  if (rowsAreKeys)
    exponents = toExponents(*this, op, loadOfQueries(op.getLse()));
  Value weights =
      map(cast<TileType>(scores.getType()), {scores, exponents},
          [&](OpBuilder &nested, ValueRange args) {
            Value shift = arith::NegFOp::create(nested, loc, args[3]);
            return exp2(nested,
                        fma(nested, args[2], constant(nested, factor), shift));
          });
  return atEdge(weights, [&] {
    return Visibility(*this, op, rowsAreKeys).hide(weights, 0.0);
  });
}

/// weights * (d_output . value - row sum), where dropout multiplies the product
/// by its scale or by 0.
Value GradStep::multiplyGradients(Value weights) {
  if (op.getDropout().empty())
    return map(getScoreType(), {weights, gradients},
               [&](OpBuilder &nested, ValueRange args) {
                 return arith::MulFOp::create(nested, loc, args[2], args[3])
                     .getResult();
               });
  Value scale = buildDropoutScale(*this, op.getDropout());
  return map(
      getScoreType(), {weights, drop(gradients), getRowSums()},
      [&](OpBuilder &nested, ValueRange args) {
        Value rowSum = arith::NegFOp::create(nested, loc, args[4]);
        Value product = fma(nested, args[3], scale, rowSum);
        return arith::MulFOp::create(nested, loc, args[2], product).getResult();
      });
}

/// The gradients of what the score region gets, of those of what it yields. A
/// pair without weight has none.
Value GradStep::multiplySlopes(Value gradients) {
  int64_t headDim = cast<ShapedType>(op.getQuery().getType()).getDimSize(1);
  double scale = *getStaticScale(op, headDim);
  return map(cast<TileType>(gradients.getType()), {gradients, products},
             [&](OpBuilder &nested, ValueRange args) {
               Value score = multiply(nested, args[3], scale);
               Value slope = buildScoreRegion(nested, loc, op, score,
                                              getCoordinates(nested, args))[1];
               Value zero = constant(nested, 0.0);
               Value none = arith::CmpFOp::create(
                   nested, loc, arith::CmpFPredicate::OEQ, args[2], zero);
               Value product =
                   arith::MulFOp::create(nested, loc, args[2], slope);
               return arith::SelectOp::create(nested, loc, none, zero, product)
                   .getResult();
             });
}

Value GradStep::scoreGradients(Value weights, bool ofYielded) {
  Value gradients = multiplyGradients(weights);
  if (!op.getScore().empty() && !ofYielded)
    gradients = multiplySlopes(gradients);
  // Pairs without weight have none: that takes fewer registers than bounds.
  return atEdge(gradients, [&] {
    return map(cast<TileType>(gradients.getType()), {gradients, weights},
               [&](OpBuilder &nested, ValueRange args) {
                 Value zero = constant(nested, 0.0);
                 Value none = arith::CmpFOp::create(
                     nested, loc, arith::CmpFPredicate::OEQ, args[3], zero);
                 return arith::SelectOp::create(nested, loc, none, zero,
                                                args[2])
                     .getResult();
               });
  });
}

/// `tile`, but the smallest numbers of `element` where rounding would make 0 of
/// others: what they multiply may be infinite.
Value GradStep::keepNonzero(Value tile, Type element) {
  double number = getLeastNumber(element).convertToDouble();
  return map(
      cast<TileType>(tile.getType()), tile,
      [&](OpBuilder &nested, ValueRange args) {
        Value least = constant(nested, number);
        Value size = math::AbsFOp::create(nested, loc, args[2]);
        Value isSmall = arith::CmpFOp::create(
            nested, loc, arith::CmpFPredicate::OLT, size, least);
        Value any =
            arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::ONE,
                                  args[2], constant(nested, 0));
        Value isLost = arith::AndIOp::create(nested, loc, isSmall, any);
        Value kept = math::CopySignOp::create(nested, loc, least, args[2]);
        return arith::SelectOp::create(nested, loc, isLost, kept, args[2])
            .getResult();
      });
}

/// sum + tile * right
Value GradStep::accumulate(Value tile, Value right, Value sum) {
  Type element = getElementTypeOrSelf(right.getType());
  if (skipZeros)
    tile = keepNonzero(tile, element);
  Value left = fragment::NarrowOp::create(
      b, loc, type(Part::Operand, sweep.getKeyTile(), element), tile);
  return MultiplyOp::create(b, loc, sum.getType(), left, right, sum,
                            /*transposed=*/false, skipZeros);
}

/// The product that needs only weights comes before what computes their
/// gradients, and can run meanwhile.
SmallVector<Value> GradStep::run(ArrayRef<unsigned> wanted, ValueRange sums) {
  constexpr unsigned dValue = 2;
  bool needsGradients =
      llvm::any_of(wanted, [](unsigned i) { return i != dValue; });
  if (!op.getDropout().empty()) // first, while few registers are taken
    kept = buildKeptPairs(*this, op, op.getDropout(), sweep.getKeyTile(),
                          rowsAreKeys);
  startProducts(needsGradients);
  Value weights = this->weights();
  SmallVector<Value> next(sums);
  for (auto [result, sum] : llvm::zip_equal(wanted, next))
    if (result == dValue)
      sum = accumulate(drop(weights), op.getDOutput(), sum);
  if (!needsGradients)
    return next;
  // A bias is added to what the score region yields.
  bool ofYielded = wanted.front() == kScoreGradients;
  Value gradients = scoreGradients(weights, ofYielded);
  if (ofYielded)
    return {map(getScoreType(), {sums[0], gradients},
                [&](OpBuilder &nested, ValueRange args) {
                  return arith::AddFOp::create(nested, loc, args[2], args[3])
                      .getResult();
                })};
  for (auto [result, sum] : llvm::zip_equal(wanted, next))
    if (result != dValue)
      sum =
          accumulate(gradients, rowsAreKeys ? op.getQuery() : op.getKey(), sum);
  return next;
}

SmallVector<Value>
lattn::buildGradStep(TileMath &math, AttentionGradStepOp op, SweepKeysOp sweep,
                     const ResidentRows &resident, bool skipZeros,
                     ArrayRef<unsigned> wanted, ValueRange sums) {
  return GradStep(math, op, sweep, resident, skipZeros).run(wanted, sums);
}
