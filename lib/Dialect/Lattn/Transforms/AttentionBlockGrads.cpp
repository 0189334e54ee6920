//===- AttentionBlockGrads.cpp - attention_grad as linalg ops on blocks ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where a weight is 0, nothing is added. Whether a gradient of a score is 0
// says less: its derivatives need not be.

#include "AttentionBlocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// `x`, and 0 where `weight` is.
static Value whereSeen(OpBuilder &b, Location loc, Value weight, Value x) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
  Value none =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, weight, zero);
  return arith::SelectOp::create(b, loc, none, zero, x);
}

/// rowsum(d_output * output) - d_lse; NaN where the output is not finite, or
/// d_output is not and meets an output other than 0.
Value AttentionBlocks::buildRowSums(AttentionGradOp grad,
                                    const Finite &dOutput) {
  Finite output = makeFinite(grad.getOutput());
  SmallVector<OpFoldResult> rows = {batches, heads, queries};
  AffineMap all = inLayout({0, 1, 2, 3}), row = map({0, 1, 2}, 4);
  Type flag = b.getI8Type();
  Value isBad = buildGeneric(
      b, loc, {output.array, grad.getDOutput()}, output.isBad, {all, all, row},
      [&](OpBuilder &at, ValueRange args) -> Value {
        Value d = convertFloat(at, loc, args[1], type);
        Value isNone = arith::CmpFOp::create(at, loc, arith::CmpFPredicate::OEQ,
                                             args[0], constant(at, 0.0));
        Value isGood = arith::OrIOp::create(at, loc, isNone, isFinite(at, d));
        Value yes =
            arith::ConstantOp::create(at, loc, at.getIntegerAttr(flag, 1));
        Value no = arith::ConstantOp::create(at, loc, at.getZeroAttr(flag));
        Value bad = arith::SelectOp::create(at, loc, isGood, no, yes);
        return arith::OrIOp::create(at, loc, args[2], bad);
      },
      /*reduce=*/true);
  Value sums = buildGeneric(
      b, loc, {output.array, dOutput.array}, filled(rows, 0.0), {all, all, row},
      [&](OpBuilder &at, ValueRange args) -> Value {
        Value product = arith::MulFOp::create(at, loc, args[0], args[1]);
        return arith::AddFOp::create(at, loc, args[2], product);
      },
      /*reduce=*/true);
  SmallVector<Value> ins = {sums, isBad};
  if (grad.getDLse())
    ins.push_back(grad.getDLse());
  Value empty = tensor::EmptyOp::create(b, loc, rows, type);
  SmallVector<AffineMap> maps(ins.size() + 1, map({0, 1, 2}, 3));
  return buildGeneric(b, loc, ins, empty, maps,
                      [&](OpBuilder &at, ValueRange args) -> Value {
                        Value x = addBad(at, args[0], args[1]);
                        if (!grad.getDLse())
                          return x;
                        return arith::SubFOp::create(at, loc, x, args[2]);
                      });
}

Value AttentionBlocks::buildSinkGradient(AttentionGradOp grad, Value rowSums) {
  // Loops (head, batch, query): each head's sum in the order of its rows.
  AffineMap head = map({0}, 3), row = map({1, 0, 2}, 3);
  using utils::IteratorType;
  Value sums =
      buildGeneric(b, loc, {buildSinkWeights(), rowSums}, filled({heads}, 0.0),
                   {row, row, head},
                   {IteratorType::parallel, IteratorType::reduction,
                    IteratorType::reduction},
                   [&](OpBuilder &at, ValueRange args) -> Value {
                     Value product =
                         arith::MulFOp::create(at, loc, args[0], args[1]);
                     product = whereSeen(at, loc, args[0], product);
                     return arith::SubFOp::create(at, loc, args[2], product);
                   });
  ArraySlice slice = getSinks();
  return tensor::InsertSliceOp::create(
      b, loc, sums, buildZeros(b, loc, grad.getDSink(), type), slice.offsets,
      slice.sizes, slice.strides);
}

/// The gradients of query . key, from those of what the region yields.
FailureOr<Value> AttentionBlocks::buildOfProducts(const Block &block,
                                                  Value ofYielded) {
  AffineMap pair = map({0, 1});
  LogicalResult result = success();
  Value made = forPairs(
      block, {block.weights, ofYielded, block.products}, {pair, pair, pair},
      [&](OpBuilder &at, ValueRange args) -> Value {
        Value x = args[1];
        if (!op.getScore().empty()) {
          Values arguments =
              getRegionArguments(at, args[2], coordinates(at, block));
          auto reverse =
              buildReverse(at, op.getScore().front(), arguments, x,
                           [&](Value value) { return value == arguments[0]; });
          if (failed(reverse)) {
            result = failure();
            return x;
          }
          x = reverse->cotangents[0] ? reverse->cotangents[0]
                                     : constant(at, 0.0);
        }
        x = arith::MulFOp::create(at, loc, x, scale);
        return whereSeen(at, loc, args[0], x);
      });
  if (failed(result))
    return failure();
  return made;
}

SmallVector<Value> AttentionBlocks::getRegionArguments(OpBuilder &at,
                                                       Value product,
                                                       Coordinates where) {
  auto i32 = [&](Value index) -> Value {
    return arith::IndexCastOp::create(at, loc, at.getI32Type(), index);
  };
  Values arguments = {arith::MulFOp::create(at, loc, product, scale),
                      i32(where.batch), i32(where.head), i32(where.query),
                      i32(where.key)};
  llvm::append_range(arguments, op.getCaptures());
  return arguments;
}

/// `sums` are those of a bias that is no slice, and of captured arrays.
LogicalResult AttentionBlocks::addReads(AttentionGradOp grad,
                                        const Block &block, Value ofYielded,
                                        bool ofBias,
                                        MutableArrayRef<Value> sums) {
  Values captures = grad.getFloatCaptures();
  LogicalResult result = success();
  auto addPair = [&](Coordinates where, ValueRange pair, ValueRange carried) {
    Values next(carried);
    if (ofBias)
      next[0] =
          addToElement(b, loc, next[0], buildBiasIndices(b, loc, op, where),
                       whereSeen(b, loc, pair[0], pair[1]));
    if (grad.getDCaptures().empty())
      return next;
    auto reverse = buildReverse(
        b, op.getScore().front(), getRegionArguments(b, pair[2], where),
        pair[1],
        [&](Value value) { return llvm::is_contained(captures, value); });
    if (failed(reverse)) {
      result = failure();
      return next;
    }
    for (const ReadCotangent &read : reverse->reads) {
      unsigned i = llvm::find(captures, read.array) - captures.begin();
      Value more = convertFloat(b, loc, read.cotangent, type);
      Value &sum = next[i + ofBias];
      sum = addToElement(b, loc, sum, read.indices,
                         whereSeen(b, loc, pair[0], more));
    }
    return next;
  };
  // Sums of the block, so that the loops have derivatives of their own. Those
  // may not even read the sizes of what they carry.
  Values starts, like(grad.getDCaptures());
  if (ofBias)
    like.insert(like.begin(), grad.getDBias());
  for (Value array : like)
    starts.push_back(buildZeros(b, loc, array, type));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, {zero, zero}, {index(block.rows), index(block.keys)}, {one, one},
      starts, [&](OpBuilder &, Location, ValueRange at, ValueRange carried) {
        Coordinates where = block.origin;
        where.query = arith::AddIOp::create(b, loc, where.query, at[0]);
        where.key = arith::AddIOp::create(b, loc, where.key, at[1]);
        Values pair;
        for (Value array : {block.weights, ofYielded, block.products})
          pair.push_back(tensor::ExtractOp::create(b, loc, array, at));
        return addPair(where, pair, carried);
      });
  for (auto [sum, more] : llvm::zip_equal(sums, nest.results))
    sum = addToAll(b, loc, sum, more);
  return result;
}

/// What the pairs of a block add to the bias that they read.
Value AttentionBlocks::sumOfBias(AffineMap place, Value ofYielded) {
  SmallVector<utils::IteratorType> kinds(2, utils::IteratorType::reduction);
  SmallVector<OpFoldResult> shape;
  for (AffineExpr expr : place.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    kinds[loop] = utils::IteratorType::parallel;
    shape.push_back(tensor::getMixedSize(b, loc, ofYielded, loop));
  }
  Value sums = filled(shape, 0.0);
  return buildGeneric(b, loc, ofYielded, sums, {map({0, 1}), place}, kinds,
                      [&](OpBuilder &at, ValueRange args) -> Value {
                        return arith::AddFOp::create(at, loc, args[1], args[0]);
                      });
}

/// The gradients of what the region yields, plus the bias.
Value AttentionBlocks::buildOfYielded(const Block &block, Value dOutput,
                                      Value isBad, Value rowSums) {
  AffineMap row = map({0}), pair = map({0, 1});
  Values ins = {block.weights, multiply(dOutput, block.value, false, true),
                rowSums, isBad, block.isBadValue};
  SmallVector<AffineMap> maps = {pair, pair, row, row, map({1})};
  if (block.factors) {
    ins.push_back(block.factors);
    maps.push_back(pair);
  }
  return forPairs(
      block, ins, maps, [&](OpBuilder &at, ValueRange args) -> Value {
        Value x = addBad(at, args[1],
                         arith::OrIOp::create(at, loc, args[3], args[4]));
        if (block.factors) {
          x = arith::MulFOp::create(at, loc, x, args[5]);
          x = whereSeen(at, loc, args[5], x);
        }
        x = arith::SubFOp::create(at, loc, x, args[2]);
        x = arith::MulFOp::create(at, loc, args[0], x);
        return whereSeen(at, loc, args[0], x);
      });
}

/// Adds what `block` adds; `sums` are in the order of results, without a sink.
LogicalResult AttentionBlocks::addGradients(AttentionGradOp grad,
                                            const Finite &dOutput,
                                            Value rowSums, const Block &block,
                                            MutableArrayRef<Value> sums) {
  auto take = [&](Value array) {
    return getVector(array, block, false).read(b, loc, array);
  };
  Value d = getRows(dOutput.array, block, false).read(b, loc, dOutput.array);
  Value isBad = take(dOutput.isBad);
  Value ofYielded = buildOfYielded(block, d, isBad, take(rowSums));
  FailureOr<Value> ofProducts = buildOfProducts(block, ofYielded);
  if (failed(ofProducts))
    return failure();
  auto add = [&](unsigned i, bool ofKeys, Value more) {
    sums[i] =
        addToSlice(b, loc, sums[i], getRows(sums[i], block, ofKeys), more);
  };
  add(0, false, multiply(*ofProducts, block.key, false, false));
  add(1, true, multiply(*ofProducts, block.query, true, false));
  add(2, true, multiply(buildDropped(block, isBad, map({0})), d, true, false));
  sums = sums.drop_front(3);
  bool ofBias = bool(grad.getDBias());
  if (auto bias = ofBias ? sliceBias(block) : std::nullopt) {
    sums[0] = addToSlice(b, loc, sums[0], bias->first,
                         sumOfBias(bias->second, ofYielded));
    sums = sums.drop_front();
    ofBias = false;
  }
  if (!ofBias && grad.getDCaptures().empty())
    return success();
  return addReads(grad, block, ofYielded, ofBias, sums);
}

FailureOr<SmallVector<Value>>
AttentionBlocks::buildGradients(AttentionGradOp grad) {
  Finite dOutput = makeFinite(grad.getDOutput());
  Value rowSums = buildRowSums(grad, dOutput);
  Values destinations(grad.getDpsInits()), starts;
  for (auto [i, array] : llvm::enumerate(destinations))
    if (i != 3 || !grad.getDSink()) // no sum over pairs
      starts.push_back(buildZeros(b, loc, array, type));
  FailureOr<Values> sums =
      buildLoops(starts, [&](Block &block, MutableArrayRef<Value> carried) {
        return addGradients(grad, dOutput, rowSums, block, carried);
      });
  if (failed(sums))
    return failure();
  if (grad.getDSink())
    sums->insert(sums->begin() + 3, buildSinkGradient(grad, rowSums));
  for (auto [sum, destination] : llvm::zip_equal(*sums, destinations))
    sum = convertElements(b, loc, sum,
                          getElementTypeOrSelf(destination.getType()));
  return sums;
}
