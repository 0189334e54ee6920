//===- StateDecompose.cpp - merge, finalize and pack_query as linalg ops --===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using arith::FastMathFlags;

/// Loops 0..rank-1 without `axis`.
static AffineMap dropAxis(MLIRContext *context, unsigned rank, unsigned axis) {
  return AffineMap::getMultiDimIdentityMap(rank, context).dropResult(axis);
}

//===----------------------------------------------------------------------===//
// merge
//===----------------------------------------------------------------------===//

namespace {
/// Joins the parts of a merge in their order.
class PartJoiner {
public:
  PartJoiner(OpBuilder &b, MergeOp op)
      : b(b), op(op), loc(op.getLoc()),
        rank(cast<ShapedType>(op.getMax().getType()).getRank()),
        row(AffineMap::getMultiDimIdentityMap(rank, b.getContext())),
        full(AffineMap::getMultiDimIdentityMap(rank + 1, b.getContext())),
        rowOfFull(dropAxis(b.getContext(), rank + 1, op.getValueAxis())) {}

  /// The greatest score of all, then the sums of what each part weighs.
  SmallVector<Value> run() {
    Value max = overParts(op.getMax(), [&](Value part, ValueRange carried) {
      return SmallVector<Value>{
          join(take(op.getMaxs(), part, op.getMax()), carried[0])};
    })[0];
    Value scratch =
        tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, max),
                                getElementTypeOrSelf(max.getType()));
    Value before = weigh(op.getMax(), max, scratch);
    Value start[] = {scale(op.getAcc(), before, full, rowOfFull),
                     scale(op.getSum(), before, row, row)};
    SmallVector<Value> total = overParts(start, [&](Value part,
                                                    ValueRange carried) {
      Value scores = take(op.getMaxs(), part, op.getMax());
      Value weight = weigh(scores, max, scratch);
      Value acc = take(op.getAccs(), part, op.getAcc());
      Value sum = take(op.getSums(), part, op.getSum());
      return SmallVector<Value>{add(carried[0], weight, acc, full, rowOfFull),
                                add(carried[1], weight, sum, row, row)};
    });
    return {total[0], max, total[1]};
  }

private:
  using Step = function_ref<SmallVector<Value>(Value part, ValueRange carried)>;
  SmallVector<Value> overParts(ValueRange start, Step step) {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value parts = b.createOrFold<tensor::DimOp>(loc, op.getMaxs(), zero);
    auto loop = scf::ForOp::create(b, loc, zero, parts, one, start);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc, step(loop.getInductionVar(), loop.getRegionIterArgs()));
    return SmallVector<Value>(loop.getResults());
  }

  /// Part `part` of `parts`, like `state`.
  Value take(Value parts, Value part, Value state) {
    OpFoldResult one = b.getIndexAttr(1);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, state);
    sizes.insert(sizes.begin(), one);
    SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0)),
        strides(sizes.size(), one);
    offsets[0] = part;
    return tensor::ExtractSliceOp::create(
        b, loc, cast<RankedTensorType>(state.getType()), parts, offsets, sizes,
        strides);
  }

  Value join(Value scores, Value max) {
    return elementwise({scores}, {row}, max, [&](OpBuilder &b, ValueRange x) {
      return arith::MaximumFOp::create(b, loc, x[0], x[1]).getResult();
    });
  }
  /// exp(scores - max), 0 where there is no score.
  Value weigh(Value scores, Value max, Value scratch) {
    return elementwise(
        {scores, max}, {row, row}, scratch, [&](OpBuilder &b, ValueRange x) {
          auto constant = [&](double value) {
            return arith::ConstantOp::create(
                b, loc, b.getFloatAttr(x[0].getType(), value));
          };
          Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                             x[1], constant(-INFINITY));
          Value shift =
              arith::SelectOp::create(b, loc, none, constant(0.0), x[1]);
          Value difference = arith::SubFOp::create(b, loc, x[0], shift);
          return math::ExpOp::create(b, loc, difference, FastMathFlags::afn)
              .getResult();
        });
  }
  Value scale(Value x, Value weight, AffineMap map, AffineMap ofWeight) {
    return elementwise(
        {weight}, {ofWeight}, x, [&](OpBuilder &b, ValueRange x) {
          return arith::MulFOp::create(b, loc, x[0], x[1]).getResult();
        });
  }
  Value add(Value to, Value weight, Value x, AffineMap map,
            AffineMap ofWeight) {
    return elementwise(
        {weight, x}, {ofWeight, map}, to, [&](OpBuilder &b, ValueRange x) {
          auto flags = FastMathFlags::contract;
          Value part = arith::MulFOp::create(b, loc, x[0], x[1], flags);
          return arith::AddFOp::create(b, loc, x[2], part, flags).getResult();
        });
  }
  /// `body` of elements of `ins` and of `out`, which it replaces.
  Value elementwise(ValueRange ins, ArrayRef<AffineMap> inMaps, Value out,
                    ElementBody body) {
    unsigned rank = cast<ShapedType>(out.getType()).getRank();
    SmallVector<AffineMap> maps;
    for (auto [in, map] : llvm::zip_equal(ins, inMaps))
      maps.push_back(isa<ShapedType>(in.getType())
                         ? map
                         : AffineMap::get(rank, 0, b.getContext()));
    maps.push_back(AffineMap::getMultiDimIdentityMap(rank, b.getContext()));
    return buildGeneric(b, loc, ins, out, maps, body);
  }

  OpBuilder &b;
  MergeOp op;
  Location loc;
  unsigned rank;
  AffineMap row, full, rowOfFull;
};
} // namespace

FailureOr<SmallVector<Value>> MergeOp::decomposeOperation(OpBuilder &b) {
  if (failed(requireTensors(*this)))
    return failure();
  return PartJoiner(b, *this).run();
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
  if (failed(requireTensors(*this)))
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
  Type outType = getElementTypeOrSelf(getOutput().getType());
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(state, 0.0));
  auto isEmpty = [&](OpBuilder &nested, Value sum) -> Value {
    return arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ, sum,
                                 zero);
  };
  SmallVector<Value> results;
  if (storesState()) {
    auto copy = [&](OpBuilder &nested, ValueRange args) {
      return convertFloat(nested, loc, args[0],
                          getElementTypeOrSelf(args.back().getType()));
    };
    results.push_back(
        buildGeneric(b, loc, acc, getOutput(), {accMap, outMap}, copy));
    AffineMap row = AffineMap::getMultiDimIdentityMap(rank - 1, context);
    Value sources[] = {max, sum};
    for (auto [source, dest] : llvm::zip_equal(sources, getRows()))
      results.push_back(buildGeneric(b, loc, source, dest, {row, row}, copy));
    return results;
  }
  results.push_back(buildGeneric(
      b, loc, {acc, sum}, getOutput(), {accMap, rowMap, outMap},
      [&](OpBuilder &nested, ValueRange args) {
        Value quotient = arith::DivFOp::create(nested, loc, args[0], args[1]);
        quotient = arith::SelectOp::create(
            nested, loc, isEmpty(nested, args[1]), zero, quotient);
        return convertFloat(nested, loc, quotient, outType);
      }));
  if (!getLse())
    return results;
  AffineMap row = AffineMap::getMultiDimIdentityMap(rank - 1, context);
  results.push_back(buildGeneric(
      b, loc, {max, sum}, getLse(), {row, row, row},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value log =
            math::LogOp::create(nested, loc, args[1], FastMathFlags::afn);
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
  if (failed(requireTensors(*this)))
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
  front = buildGeneric(b, loc, getQuery(), front, {swapped, identity},
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
