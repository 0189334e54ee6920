//===- AttentionGradKernel.cpp - Micro-kernel of attention_grad_step ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a tile of queries and keys adds to the gradients. Scores have queries on
// the lanes, the sums features:
//
//   S^T[key, query]  = K Q^T, modified     register blocks of keys x queries
//   dP^T[key, query] = V dO^T              the same
//   P = exp2((S - lse) log2 e), dS = scale P (dP - rows)
//   dV += P^T dO, dK += dS^T Q, dQ += dS K   (AttentionGradProducts.cpp)
//
// No operand is transposed here: queries and d_output come packed, too. With
// products = dot, pairs of features, queries or keys are multiplied at a time,
// as bf16 (AttentionGradPairs.cpp).

#include "AttentionGradProducts.h"
#include "AttentionGradRows.h"
#include "DropWeights.h"
#include "Exponents.h"
#include "Lowering.h"
#include "StageRows.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn;

namespace {
class AttentionGradKernel : AttentionGradProducts {
public:
  AttentionGradKernel(KernelBuilder &k, KernelFunctions &functions,
                      AttentionGradStepOp op, VectorUnit unit, int64_t maxKeys);
  void build();

private:
  /// Whether scores stay products until `weigh`: a region is long, and pairs
  /// want the products.
  bool isModifiedLate() {
    return !op.getScore().empty() || !op.getPairs().empty();
  }
  /// The factor that scores which nothing modified lack.
  double productScale() {
    return modify && (isModifiedLate() || op.getBias()) ? 1.0 : scale;
  }
  /// Scores to weights, and gradients of weights to those of scores.
  void weigh();
  void weighStep(Value firstKey, int64_t count, Values lse, Values rowSums,
                 const Exponents *exponents);
  /// What the sums read where products are of pairs.
  void pairTerms(RowSum &ofValue, RowSum &ofKey, RowSum &ofQuery);
  /// [key, query] as bf16.
  Value narrowRows(Value weights);

  AttentionGradStepOp op;
  double scale;
};
} // namespace

AttentionGradKernel::AttentionGradKernel(KernelBuilder &k,
                                         KernelFunctions &functions,
                                         AttentionGradStepOp op,
                                         VectorUnit unit, int64_t maxKeys)
    : AttentionGradProducts(
          k, functions, op, unit,
          cast<MemRefType>(op.getDQuery().getType()).getDimSize(0), maxKeys),
      op(op) {
  int64_t headDim = cast<MemRefType>(op.getQuery().getType()).getDimSize(1);
  scale = *getStaticScale(op, headDim);
  if (op.getProducts() == Products::Dot) {
    pairs.emplace(k, unit.bf16);
    block = chooseDotGradBlock(unit.bits, unit.registers, queries / k.lanes);
  }
  hasZeroWeights |= !op.getDropout().empty();
}

//===----------------------------------------------------------------------===//
// Weights and gradients of scores
//===----------------------------------------------------------------------===//

/// Without `exponents` the log-sum-exps are subtracted here, before log2(e)
/// multiplies anything.
void AttentionGradKernel::weighStep(Value firstKey, int64_t count,
                                    ArrayRef<Value> lse,
                                    ArrayRef<Value> rowSums,
                                    const Exponents *exponents) {
  Value log2e = k.splat(llvm::numbers::log2e);
  Value zero = k.splat(0.0), scaled = k.splat(scale);
  Value hidden = k.splat(-INFINITY);
  SmallVector<Value> powers;
  auto forEach = [&](auto operation) {
    for (int64_t i = 0; i < count; ++i)
      for (int64_t v = 0; v < block.vectors; ++v)
        operation(i * block.vectors + v, v,
                  SmallVector<Value>{k.add(firstKey, i), column(v)});
  };
  SmallVector<Value> slopes;
  forEach([&](int64_t, int64_t v, ArrayRef<Value> at) {
    Value score = k.load(scores, at);
    if (!op.getPairs().empty())
      k.store(score, op.getPairs()[0], at);
    if (isModifiedLate() && modify) {
      if (!op.getScore().empty())
        slopes.push_back(modify->getSlope(score, v, at[0]));
      score = modify->apply(score, v, at[0]);
    }
    Value power =
        exponents
            ? k.fma(score, exponents->factor, exponents->addends[v])
            : k.mul(subtractShift(k, score, productScale(), lse[v]), log2e);
    if (hasZeroWeights) // also where the log-sum-exp is NaN
      power = k.select(k.isEqual(score, hidden), hidden, power);
    powers.push_back(power);
  });
  SmallVector<Value> weights = k.exp2(powers);
  forEach([&](int64_t i, int64_t v, ArrayRef<Value> at) {
    Value gradient =
        arith::SubFOp::create(k.b, k.loc, k.load(ofScores, at), rowSums[v]);
    gradient = k.mul(weights[i], gradient);
    // Of values that may be NaN.
    Value none = hasZeroWeights ? k.isEqual(weights[i], zero) : Value();
    if (none)
      gradient = k.select(none, zero, gradient);
    if (!op.getPairs().empty())
      k.store(gradient, op.getPairs()[1], at);
    gradient = k.mul(gradient, scaled);
    if (!slopes.empty())
      gradient = k.select(none, zero, k.mul(gradient, slopes[i]));
    k.store(weights[i], scores, at);
    k.store(gradient, ofScores, at);
  });
}

void AttentionGradKernel::weigh() {
  SmallVector<Value> lse, rowSums;
  for (int64_t v = 0; v < block.vectors; ++v) {
    lse.push_back(k.load(op.getLse(), column(v)));
    rowSums.push_back(k.load(op.getRowSums(), column(v)));
  }
  std::optional<Exponents> exponents;
  if (!isModifiedLate())
    exponents =
        getExponents(k, scores, productScale(), lse, [&](VisitScore visit) {
          k.forEach(k.index(0), numKeys, 1, [&](Value key) {
            for (int64_t v = 0; v < block.vectors; ++v)
              visit({key, column(v)}, v);
          });
        });
  auto step = [&](Value key, int64_t count, ValueRange) {
    weighStep(key, count, lse, rowSums, exponents ? &*exponents : nullptr);
    return SmallVector<Value>();
  };
  k.loopBySteps(numKeys, std::max<int64_t>(1, 4 / block.vectors), {}, step);
}

Value AttentionGradKernel::narrowRows(Value weights) {
  Value rows = k.scratch({maxKeys, queries}, k.b.getBF16Type());
  auto narrow = [&](Value key, int64_t count, ValueRange) {
    for (int64_t i = 0; i < count; ++i)
      for (int64_t q = 0; q < queries; q += k.lanes) {
        Vectors at = {k.add(key, i), k.index(q)};
        k.store(pairs->narrow(k.load(weights, at)), rows, at);
      }
    return SmallVector<Value>();
  };
  k.loopBySteps(numKeys, 4, {}, narrow);
  return rows;
}

void AttentionGradKernel::pairTerms(RowSum &ofValue, RowSum &ofKey,
                                    RowSum &ofQuery) {
  ofValue.matrixPairs = pairs->packRows(ofValue.matrix, numQueries, queries);
  ofKey.matrixPairs = pairs->packRows(ofKey.matrix, numQueries, queries);
  ofQuery.matrixPairs = pairs->packRows(ofQuery.matrix, numKeys, maxKeys);
  ofValue.weightPairs = narrowRows(scores);
  ofKey.weightPairs = narrowRows(ofScores);
  ofQuery.weightPairs = k.scratch(
      {int64_t(llvm::divideCeil(maxKeys, 2)), 2 * queries}, k.b.getBF16Type());
  pairs->packWeights(ofScores, numKeys, queries / k.lanes, ofQuery.weightPairs);
}

//===----------------------------------------------------------------------===//
// The whole step
//===----------------------------------------------------------------------===//

void AttentionGradKernel::build() {
  numKeys = memref::DimOp::create(k.b, k.loc, op.getKey(), 0);
  numQueries = memref::DimOp::create(k.b, k.loc, op.getQuery(), 0);
  int64_t rows = llvm::alignTo(maxKeys, block.rows);
  scores = k.scratch({rows, queries});
  ofScores = k.scratch({rows, queries});
  KeyRows keys = getKeyRows(op.getKey()), values = getKeyRows(op.getValue());
  Type element = pairs ? Type(k.b.getBF16Type()) : k.element;
  Value query = stageRows(k, functions, op.getQuery(), queries, element);
  Value dOutput = stageRows(k, functions, op.getDOutput(), queries, element);
  auto getFactors = [&](const KeyRows &rows, Value packed) {
    if (pairs)
      packed = pairs->packRows(packed, k.index(rows.width), rows.width);
    return KeyProducts::Factors{rows.any, packed};
  };
  auto ofKeys = getFactors(keys, op.getPacked()[0]),
       ofValues = getFactors(values, op.getPacked()[1]);
  int64_t width = block.vectors * k.lanes;
  k.forEach(k.index(0), numQueries, width, [&](Value first) {
    group = first;
    if (op.hasMask() || op.getBias() || !op.getScore().empty())
      modify.emplace(k, op, block.vectors, group, numQueries);
    if (modify)
      modify->stagePairs(numKeys, maxKeys);
    multiplyKeys(ofKeys, scores);
    multiplyKeys(ofValues, ofScores);
    if (modify && !isModifiedLate())
      modify->applyInPlace(scores, group, numKeys,
                           /*scales=*/bool(op.getBias()));
    if (!op.getDropout().empty())
      dropWeights(k, op, op.getDropout(), ofScores, numKeys, group, group,
                  block.vectors);
    weigh();
    if (!op.getDropout().empty())
      dropWeights(k, op, op.getDropout(), scores, numKeys, group, group,
                  block.vectors);
  });
  RowSum ofValue = {op.getDValue(), scores,     dOutput,     false,
                    numKeys,        numQueries, values.width};
  RowSum ofKey = {op.getDKey(), ofScores,   query,     false,
                  numKeys,      numQueries, keys.width};
  RowSum ofQuery = {op.getDQuery(), ofScores, keys.any,  true,
                    numQueries,     numKeys,  keys.width};
  if (pairs)
    pairTerms(ofValue, ofKey, ofQuery);
  RowSums sums(k, functions, unit.registers,
               pairs ? unit.bf16 : BF16Products::Widened);
  sums.add(ofValue, maxKeys, hasZeroWeights);
  sums.add(ofKey, maxKeys, hasZeroWeights);
  sums.add(ofQuery, queries, hasZeroWeights);
}

LogicalResult lattn::lowerToVector(AttentionGradStepOp op, Lowering &to) {
  Products products = op.getProducts();
  if (products != Products::Widened && products != Products::Dot)
    return to.rewriter.notifyMatchFailure(
        op, "gradients have no kernel of the products of its schedule");
  if (products == Products::Dot && to.unit.bf16 == BF16Products::Widened)
    return to.rewriter.notifyMatchFailure(
        op, "the target does not have the products of its schedule");
  auto sums = cast<MemRefType>(op.getDQuery().getType());
  for (Value operand : {op.getDQuery(), op.getDKey(), op.getDValue()})
    if (auto type = cast<MemRefType>(operand.getType());
        !type.isLastDimUnitStride() || type.isDynamicDim(1))
      return to.rewriter.notifyMatchFailure(op, "the rows of its sums are not "
                                                "dense, or of unknown size");
  if (op.getPacked().empty())
    return lowerRowGradients(op, to);
  Type element = op.getAccumulatorType();
  int64_t lanes = to.unit.getLanes(element);
  if (sums.isDynamicDim(0) || sums.getDimSize(0) % lanes)
    return to.rewriter.notifyMatchFailure(
        op, "its queries are not packed in whole vectors by lattn-tile-grad");
  return to.outlineByKeys<AttentionGradStepOp>(
      op, "lattn_attention_grad_step",
      [&](KernelBuilder &k, AttentionGradStepOp copy, int64_t maxKeys) {
        AttentionGradKernel(k, to.functions, copy, to.unit, maxKeys).build();
      });
}
