//===- StateDecompose.cpp - merge, finalize and pack_query as linalg ops --===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using utils::IteratorType;

using Body = function_ref<Value(OpBuilder &, ValueRange)>;

static Value generic(OpBuilder &b, Location loc, ValueRange ins, Value out,
                     ArrayRef<AffineMap> maps, ArrayRef<IteratorType> kinds,
                     Body body) {
  return linalg::GenericOp::create(
             b, loc, out.getType(), ins, out, maps, kinds,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(nested, loc, body(nested, args));
             })
      .getResult(0);
}

/// Loops 0..rank-1 without `axis`.
static AffineMap dropAxis(MLIRContext *context, unsigned rank, unsigned axis) {
  return AffineMap::getMultiDimIdentityMap(rank, context).dropResult(axis);
}

//===----------------------------------------------------------------------===//
// merge
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> MergeOp::decomposeOperation(OpBuilder &b) {
  if (failed(requireTensors(cast<DestinationStyleOpInterface>(getOperation()))))
    return failure();
  MLIRContext *context = getContext();
  Location loc = getLoc();
  unsigned rank = cast<ShapedType>(getMax().getType()).getRank();
  unsigned valueAxis = getValueAxis();
  // Parts are joined in their order: loops are (the state's axes, part).
  auto partFirst = [&](unsigned rank, AffineMap state) {
    SmallVector<AffineExpr> exprs = {getAffineDimExpr(rank, context)};
    llvm::append_range(exprs, state.getResults());
    return AffineMap::get(rank + 1, 0, exprs, context);
  };
  auto overParts = [&](AffineMap state) {
    return AffineMap::get(state.getNumDims() + 1, 0, state.getResults(),
                          context);
  };
  auto kinds = [&](unsigned rank, bool parts) {
    SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
    if (parts)
      kinds.push_back(IteratorType::reduction);
    return kinds;
  };
  AffineMap row = AffineMap::getMultiDimIdentityMap(rank, context);
  AffineMap full = AffineMap::getMultiDimIdentityMap(rank + 1, context);
  AffineMap rowOfFull = dropAxis(context, rank + 1, valueAxis);

  Value max = generic(
      b, loc, getMaxs(), getMax(), {partFirst(rank, row), overParts(row)},
      kinds(rank, true), [&](OpBuilder &nested, ValueRange args) {
        return arith::MaximumFOp::create(nested, loc, args[0], args[1])
            .getResult();
      });
  auto rescale = [&](Value state, AffineMap stateMap, AffineMap rowMap) {
    return generic(b, loc, {getMax(), max}, state, {rowMap, rowMap, stateMap},
                   kinds(stateMap.getNumDims(), false),
                   [&](OpBuilder &nested, ValueRange args) -> Value {
                     Value exp =
                         buildExpDifference(nested, loc, args[0], args[1]);
                     return arith::MulFOp::create(nested, loc, exp, args[2]);
                   });
  };
  auto accumulate = [&](Value parts, Value state, AffineMap stateMap,
                        AffineMap rowMap) {
    unsigned dims = stateMap.getNumDims();
    return generic(
        b, loc, {parts, getMaxs(), max}, state,
        {partFirst(dims, stateMap), partFirst(dims, rowMap), overParts(rowMap),
         overParts(stateMap)},
        kinds(dims, true), [&](OpBuilder &nested, ValueRange args) -> Value {
          Value exp = buildExpDifference(nested, loc, args[1], args[2]);
          Value part = arith::MulFOp::create(nested, loc, exp, args[0]);
          return arith::AddFOp::create(nested, loc, args[3], part);
        });
  };
  Value sum = accumulate(getSums(), rescale(getSum(), row, row), row, row);
  Value acc = accumulate(getAccs(), rescale(getAcc(), full, rowOfFull), full,
                         rowOfFull);
  return SmallVector<Value>{acc, max, sum};
}

//===----------------------------------------------------------------------===//
// finalize
//===----------------------------------------------------------------------===//

/// The first `sizes` elements of `value`: drops padding.
static Value takeFront(OpBuilder &b, Location loc, Value value,
                       ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, value, zeros, sizes, ones);
}

FailureOr<SmallVector<Value>> FinalizeOp::decomposeOperation(OpBuilder &b) {
  if (failed(requireTensors(cast<DestinationStyleOpInterface>(getOperation()))))
    return failure();
  MLIRContext *context = getContext();
  Location loc = getLoc();
  Type state = getElementTypeOrSelf(getAcc().getType());
  unsigned rank = cast<ShapedType>(getAcc().getType()).getRank();
  SmallVector<OpFoldResult> outSizes =
      tensor::getMixedSizes(b, loc, getOutput());
  SmallVector<OpFoldResult> rowSizes(ArrayRef(outSizes).drop_back());
  SmallVector<OpFoldResult> accSizes = rowSizes;
  accSizes.insert(accSizes.begin() + getValueAxis(), outSizes.back());
  Value acc = takeFront(b, loc, getAcc(), accSizes);
  Value max = takeFront(b, loc, getMax(), rowSizes);
  Value sum = takeFront(b, loc, getSum(), rowSizes);

  // Loops in output's order: rows, then the value axis.
  AffineMap outMap = AffineMap::getMultiDimIdentityMap(rank, context);
  AffineMap rowMap = dropAxis(context, rank, rank - 1);
  SmallVector<unsigned> targets = llvm::to_vector(llvm::seq(rank - 1));
  targets.insert(targets.begin() + getValueAxis(), rank - 1);
  AffineMap accMap =
      AffineMap::getMultiDimMapWithTargets(rank, targets, context);
  SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
  Type outType = getElementTypeOrSelf(getOutput().getType());
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(state, 0.0));
  auto isEmpty = [&](OpBuilder &nested, Value sum) -> Value {
    return arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ, sum,
                                 zero);
  };
  SmallVector<Value> results;
  results.push_back(generic(
      b, loc, {acc, sum}, getOutput(), {accMap, rowMap, outMap}, kinds,
      [&](OpBuilder &nested, ValueRange args) {
        Value quotient = arith::DivFOp::create(nested, loc, args[0], args[1]);
        quotient = arith::SelectOp::create(
            nested, loc, isEmpty(nested, args[1]), zero, quotient);
        return convertFloat(nested, loc, quotient, outType);
      }));
  if (!getLse())
    return results;
  AffineMap row = AffineMap::getMultiDimIdentityMap(rank - 1, context);
  results.push_back(generic(
      b, loc, {max, sum}, getLse(), {row, row, row},
      ArrayRef(kinds).drop_back(),
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value log = math::LogOp::create(nested, loc, args[1]);
        Value lse = arith::AddFOp::create(nested, loc, args[0], log);
        Value none = arith::ConstantOp::create(
            nested, loc,
            nested.getFloatAttr(
                state,
                APFloat::getInf(cast<FloatType>(state).getFloatSemantics(),
                                /*Negative=*/true)));
        return arith::SelectOp::create(nested, loc, isEmpty(nested, args[1]),
                                       none, lse);
      }));
  return results;
}

//===----------------------------------------------------------------------===//
// pack_query
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> PackQueryOp::decomposeOperation(OpBuilder &b) {
  if (failed(requireTensors(cast<DestinationStyleOpInterface>(getOperation()))))
    return failure();
  MLIRContext *context = getContext();
  Location loc = getLoc();
  Type state = getAccumulatorType(getQuery().getType());
  Type element = getElementTypeOrSelf(getPacked().getType());
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0.0));
  Value scale = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(state, getScale().convertToDouble()));
  Value packed = linalg::FillOp::create(b, loc, zero, getPacked()).getResult(0);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, getQuery());
  std::swap(sizes[0], sizes[1]);
  SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0)),
      ones(2, b.getIndexAttr(1));
  Value front = takeFront(b, loc, packed, sizes);
  AffineMap identity = AffineMap::getMultiDimIdentityMap(2, context);
  AffineMap swapped =
      AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, context);
  front = generic(b, loc, getQuery(), front, {swapped, identity},
                  SmallVector<IteratorType>(2, IteratorType::parallel),
                  [&](OpBuilder &nested, ValueRange args) -> Value {
                    Value q = convertFloat(nested, loc, args[0], state);
                    q = arith::MulFOp::create(nested, loc, q, scale);
                    return convertFloat(nested, loc, q, element);
                  });
  Value result =
      tensor::InsertSliceOp::create(b, loc, front, packed, zeros, sizes, ones);
  return SmallVector<Value>{result};
}

FailureOr<SmallVector<Value>> StageRowsOp::decomposeOperation(OpBuilder &b) {
  if (!isa<TensorType>(getInput().getType()))
    return emitOpError("decomposes on tensors only");
  Value rows = getInput();
  if (rows.getType() != getResult().getType())
    rows = arith::ExtFOp::create(b, getLoc(), getResult().getType(), rows);
  return SmallVector<Value>{rows};
}
