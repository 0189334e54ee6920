//===- ExpandLocalAttention.cpp - local_attention becomes attention -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   key   -> [l2_normalize] -> [rotary] \
//                                        lattn.attention -> [padded keys,
//   query ->                   [rotary] /                    empty rows]
//
// What the core op does not know stays out of it: it gives the log-sum-exp, and
// the few rows that need more are mended after it.

#include "LocalAttentionRows.h"
#include "Projection.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNEXPANDLOCALATTENTIONPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// The score that a token gives itself under shared_qk.
static constexpr double kSelfScore = -5e4;

namespace {
class Expander {
public:
  Expander(OpBuilder &b, LocalAttentionOp op, bool whole)
      : b(b), op(op), whole(whole), loc(op.getLoc()),
        element(getAccumulatorType(op.getQuery().getType())) {}
  Value run();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  /// An empty tensor like `like`, in the type of computation.
  Value emptyLike(Value like) { return emptyLike(like, element); }
  Value emptyLike(Value like, Type type) {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                   type);
  }
  void checkLength();
  void checkBiasHeads();
  FloatAttr getXposBase();
  Value normalize(Value key);
  Value rotate(Value x, int64_t start, bool isKey);
  AffineMap getBiasMap();
  void buildSelfScore(Region &region);
  bool hasPaddedKeys();

  OpBuilder &b;
  LocalAttentionOp op;
  bool whole;
  Location loc;
  FloatType element;
};
} // namespace

/// The length, with what autopad adds, must be whole blocks; where it is not
/// known the program says so when it runs.
void Expander::checkLength() {
  unsigned axis = op.getPositionAxis();
  auto type = cast<ShapedType>(op.getQuery().getType());
  int64_t block = op.getBlockLength(), unit = op.getWindowSize();
  if (!type.isDynamicDim(axis) || (op.getAutopad() && unit % block == 0))
    return;
  Value length = tensor::DimOp::create(b, loc, op.getQuery(), axis);
  if (op.getAutopad())
    length = arith::MulIOp::create(
        b, loc, arith::CeilDivSIOp::create(b, loc, length, index(unit)),
        index(unit));
  Value rest = arith::RemSIOp::create(b, loc, length, index(block));
  Value isWhole =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, index(0));
  cf::AssertOp::create(
      b, loc, isWhole,
      "lattn.local_attention: expected a sequence length divisible by the "
      "window's " +
          std::to_string(block) +
          (op.getAutopad() ? " after padding" : " without autopad"));
}

/// Maps have no `h mod Hb` of an Hb that is not known: it must be H.
void Expander::checkBiasHeads() {
  Value bias = op.getBias();
  if (!bias || !cast<ShapedType>(bias.getType()).isDynamicDim(0))
    return;
  Value heads = tensor::DimOp::create(b, loc, op.getQuery(), op.getHeadAxis());
  Value biasHeads = tensor::DimOp::create(b, loc, bias, 0);
  Value isEqual =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, biasHeads, heads);
  cf::AssertOp::create(b, loc, isEqual,
                       "lattn.local_attention: expected bias of as many heads "
                       "as query where its type does not tell");
}

/// Null without xpos.
FloatAttr Expander::getXposBase() {
  if (!op.getUseXpos())
    return {};
  if (FloatAttr base = op.getXposScaleBaseAttr())
    return base;
  return b.getF64FloatAttr(static_cast<double>(op.getWindowSize() / 2));
}

Value Expander::normalize(Value key) {
  return L2NormalizeOp::create(b, loc, key, emptyLike(key), APFloat(1e-12))
      .getResult(0);
}

/// Rows turned by their positions from `start` on; keys with inverse scales.
Value Expander::rotate(Value x, int64_t start, bool isKey) {
  FloatAttr base = getXposBase();
  Value at = start ? index(start) : Value();
  UnitAttr no, downscale = base && isKey ? b.getUnitAttr() : no;
  return RotaryOp::create(b, loc, x, at, /*center=*/Value(), emptyLike(x),
                          op.getDimAttr(), op.getThetaAttr(),
                          /*interleaved=*/no, base, downscale,
                          /*transposed=*/no,
                          b.getI64IntegerAttr(op.getPositionAxis()))
      .getResult(0);
}

/// (b, h, i, j) -> (h mod Hb, i mod W, slot of key j). The last mod keeps pairs
/// that are hidden in bounds.
AffineMap Expander::getBiasMap() {
  auto type = cast<ShapedType>(op.getBias().getType());
  AffineExpr h, i, j;
  MLIRContext *context = b.getContext();
  h = getAffineDimExpr(1, context);
  i = getAffineDimExpr(2, context);
  j = getAffineDimExpr(3, context);
  AffineExpr zero = getAffineConstantExpr(0, context);
  int64_t block = op.getBlockLength(), slots = op.getNumSlots();
  AffineExpr slot = j - (i.floorDiv(block) - op.getLookBackward()) * block;
  SmallVector<AffineExpr> axes = {
      type.isDynamicDim(0) ? h : h % type.getDimSize(0),
      type.getDimSize(1) == 1 ? zero : i % block,
      type.getDimSize(2) == 1 ? zero : slot % slots};
  return AffineMap::get(4, 0, axes, context);
}

/// score -> kSelfScore where query and key are the same token. A bias must come
/// before, so that it enters here, as a capture.
void Expander::buildSelfScore(Region &region) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types(5, b.getI32Type());
  types[0] = element;
  if (op.getBias())
    types.push_back(op.getBias().getType());
  SmallVector<Location> locs(types.size(), loc);
  Block *block = b.createBlock(&region, region.end(), types, locs);
  Value score = block->getArgument(0);
  if (op.getBias()) {
    SmallVector<Value> dims, at;
    for (Value argument : block->getArguments().slice(1, 4))
      dims.push_back(
          arith::IndexCastOp::create(b, loc, b.getIndexType(), argument));
    AffineMap map = getBiasMap();
    for (AffineExpr expr : map.getResults())
      at.push_back(affine::expandAffineExpr(b, loc, expr, dims, {}));
    Value bias = tensor::ExtractOp::create(b, loc, block->getArgument(5), at);
    score = arith::AddFOp::create(b, loc, score,
                                  convertFloat(b, loc, bias, element));
  }
  Value self =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(element, kSelfScore));
  Value isSelf =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                            block->getArgument(3), block->getArgument(4));
  YieldOp::create(
      b, loc, arith::SelectOp::create(b, loc, isSelf, self, score).getResult());
}

/// Whether a row may see keys that autopad adds.
bool Expander::hasPaddedKeys() {
  auto type = cast<ShapedType>(op.getQuery().getType());
  int64_t length = type.getDimSize(op.getPositionAxis());
  bool isWhole =
      ShapedType::isStatic(length) && length % op.getWindowSize() == 0;
  return op.getAutopad() && !isWhole && !op.getCausal() && !op.getKeyMask() &&
         *getHalo(op.getWindow()).after > 0;
}

Value Expander::run() {
  checkLength();
  checkBiasHeads();
  Value query = op.getQuery(), key = op.getKey();
  if (op.getSharedQk())
    key = normalize(key);
  if (op.getDim()) {
    // As the package does: with look_forward queries turn as if so much later.
    query = rotate(query, op.getForwardBlocks() * op.getBlockLength(), false);
    key = rotate(key, 0, true);
  }
  bool mayBeEmpty = op.getKeyMask() || op.getBias();
  bool padded = hasPaddedKeys();
  Value lse;
  if (mayBeEmpty || padded) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, loc, op.getQuery());
    if (op.isBnhd())
      std::swap(sizes[1], sizes[2]);
    sizes.pop_back();
    lse = tensor::EmptyOp::create(b, loc, sizes, element);
  }
  Value bias = op.getSharedQk() ? Value() : op.getBias();
  SmallVector<Value> captures;
  if (op.getSharedQk() && op.getBias())
    captures.push_back(op.getBias());
  Value offset = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  // What is computed with further is not rounded before.
  bool isNarrow = getElementTypeOrSelf(op.getOutput().getType()) != element;
  Value destination =
      padded && isNarrow ? emptyLike(op.getOutput()) : op.getOutput();
  auto attention = AttentionOp::create(
      b, loc, query, key, op.getValue(), bias, op.getKeyMask(),
      /*kv_lens=*/Value(), offset, /*origin=*/ValueRange(), captures,
      /*sink=*/Value(), op.getDropout(), destination, lse, op.getWindow(),
      /*causal=*/false, op.getScaleAttr(),
      bias ? AffineMapAttr::get(getBiasMap()) : AffineMapAttr(), op.getLayout(),
      /*schedule=*/ScheduleAttr());
  if (op.getSharedQk())
    buildSelfScore(attention.getScore());
  Value output = attention.getResult(0);
  if (lse)
    lse = attention.getResult(1);
  LocalAttentionRows rows(b, op, output, lse,
                          bias || !captures.empty() ? getBiasMap()
                                                    : AffineMap());
  if (padded)
    rows.addPaddedKeys();
  if (mayBeEmpty)
    whole ? rows.fillEmptyRowsWhole() : rows.fillEmptyRows();
  if (!padded || !isNarrow)
    return rows.getOutput();
  return whole ? convertTo(b, loc, rows.getOutput(), op.getOutput())
               : rows.roundTo(op.getOutput());
}

LogicalResult lattn::expandLocalAttention(RewriterBase &rewriter,
                                          LocalAttentionOp op, bool whole) {
  return expandOp(
      rewriter, cast<DestinationStyleOpInterface>(op.getOperation()),
      [&] { return SmallVector<Value>{Expander(rewriter, op, whole).run()}; });
}

namespace {
struct ExpandLocalAttention
    : lattn::impl::LattnExpandLocalAttentionPassBase<ExpandLocalAttention> {
  using Base::Base;
  void runOnOperation() override {
    auto expand = [&](RewriterBase &rewriter, LocalAttentionOp op) {
      return expandLocalAttention(rewriter, op, whole);
    };
    if (failed(expandAll<LocalAttentionOp>(getOperation(), expand)))
      signalPassFailure();
  }
};
} // namespace
