//===- ExpandLocalMHA.cpp - local_mha becomes local_attention -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   input -> [layer norm] -> product -> query, key -> [l2_normalize, scale]
//                 |                  -> value              |
//                 |                        `-> local_attention
//                 |                                  |
//                 `-> [product -> sigmoid] -------> gate -> product -> output
//
// Query, key and value are views of the packed product (layout bnhd), weights
// are read as they lie: nothing is transposed. What enters a product is of
// input's element type, what leaves it of the accumulator type.

#include "../SoftmaxState.h"
#include "Projection.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNEXPANDLOCALMHAPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

namespace {
class Expander {
public:
  Expander(OpBuilder &b, LocalMHAOp op)
      : b(b), op(op), loc(op.getLoc()),
        input(cast<RankedTensorType>(op.getInput().getType())),
        element(getAccumulatorType(input)), heads(op.getHeads()),
        size(op.getHeadSize()),
        batch(tensor::getMixedSize(b, loc, op.getInput(), 0)),
        length(tensor::getMixedSize(b, loc, op.getInput(), 1)) {}
  Value run();

private:
  Value getPart(Value packed, unsigned which);
  Value normalize(Value x, Value gain);
  Value attend(Value packed);
  Value gate(Value attended, Value x);

  OpBuilder &b;
  LocalMHAOp op;
  Location loc;
  RankedTensorType input;
  FloatType element;
  int64_t heads, size;
  OpFoldResult batch, length;
};
} // namespace

/// Query, key or value (B, N, H, Dh): columns of the packed product.
Value Expander::getPart(Value packed, unsigned which) {
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  OpFoldResult columns = b.getIndexAttr(heads * size);
  OpFoldResult first = b.getIndexAttr(which * heads * size);
  auto part = tensor::ExtractSliceOp::create(
      b, loc, packed, ArrayRef<OpFoldResult>{zero, zero, first},
      ArrayRef<OpFoldResult>{batch, length, columns},
      ArrayRef<OpFoldResult>{one, one, one});
  ArrayRef<int64_t> shape = part.getType().getShape();
  auto type = RankedTensorType::get({shape[0], shape[1], heads, size}, element);
  return tensor::ExpandShapeOp::create(
      b, loc, type, part, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}},
      ArrayRef<OpFoldResult>{batch, length, b.getIndexAttr(heads),
                             b.getIndexAttr(size)});
}

/// Rows of length 1, times `gain`, if there is one.
Value Expander::normalize(Value x, Value gain) {
  if (!gain)
    return x;
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, x), element);
  Value unit =
      L2NormalizeOp::create(b, loc, x, empty, APFloat(1e-12)).getResult(0);
  AffineMap whole = b.getMultiDimIdentityMap(4);
  return mapElements(b, loc, {{unit, whole}, {gain, whole.getMinorSubMap(1)}},
                     unit, [&](OpBuilder &n, ValueRange v) -> Value {
                       return arith::MulFOp::create(n, loc, v[0], v[1]);
                     });
}

Value Expander::attend(Value packed) {
  Value query = normalize(getPart(packed, 0), op.getQScale());
  Value key = normalize(getPart(packed, 1), op.getKScale());
  Value value = getPart(packed, 2);
  // A gate is applied before what attention gives is rounded.
  Type type = op.getWGate() ? Type(element) : input.getElementType();
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, value), type);
  return LocalAttentionOp::create(
             b, loc, query, key, value, op.getBias(), op.getKeyMask(),
             /*dropout=*/ValueRange(), empty, op.getWindowSizeAttr(),
             op.getLookBackwardAttr(), op.getLookForwardAttr(),
             op.getCausalAttr(), op.getExactWindowsizeAttr(),
             op.getAutopadAttr(), op.getSharedQkAttr(), op.getDimAttr(),
             op.getThetaAttr(), op.getUseXposAttr(), op.getXposScaleBaseAttr(),
             op.getScaleAttr(),
             /*call_window_size=*/IntegerAttr(),
             LayoutAttr::get(b.getContext(), Layout::BNHD))
      .getResult(0);
}

/// What heads attended to (B, N, H, Dh), times the sigmoid of their gates.
Value Expander::gate(Value attended, Value x) {
  Value gates = project(b, loc, x, op.getWGate());
  AffineMap all = b.getMultiDimIdentityMap(3);
  SmallVector<Indexed> inputs = {{gates, all}};
  if (Value bias = op.getGateBias())
    inputs.push_back({bias, all.getMinorSubMap(1)});
  Value one = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 1));
  gates = mapElements(
      b, loc, inputs, gates, [&](OpBuilder &n, ValueRange v) -> Value {
        Value x = v[0];
        if (v.size() > 1)
          x = arith::AddFOp::create(n, loc, x, v[1]);
        x = math::ExpOp::create(n, loc, arith::NegFOp::create(n, loc, x));
        x = arith::AddFOp::create(n, loc, x, one);
        return arith::DivFOp::create(n, loc, one, x);
      });
  AffineMap whole = b.getMultiDimIdentityMap(4);
  Value output = attended;
  if (input.getElementType() != element)
    output =
        tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, attended),
                                input.getElementType());
  return mapElements(b, loc, {{attended, whole}, {gates, whole.dropResult(3)}},
                     output, [&](OpBuilder &n, ValueRange v) -> Value {
                       return arith::MulFOp::create(n, loc, v[0], v[1]);
                     });
}

Value Expander::run() {
  Value x = op.getInput();
  if (op.getNormGain())
    x = layerNorm(b, loc, x, op.getNormGain(), op.getNormBias(),
                  op.getNormEps().convertToDouble());
  Value attended = attend(project(b, loc, x, op.getWQkv()));
  if (op.getWGate())
    attended = gate(attended, x);
  Value merged = tensor::CollapseShapeOp::create(
      b, loc, attended, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  return convertTo(b, loc, project(b, loc, merged, op.getWOut()),
                   op.getOutput());
}

LogicalResult lattn::expandLocalMHA(RewriterBase &rewriter, LocalMHAOp op) {
  return expandOp(
      rewriter, cast<DestinationStyleOpInterface>(op.getOperation()),
      [&] { return SmallVector<Value>{Expander(rewriter, op).run()}; });
}

namespace {
struct ExpandLocalMHA
    : lattn::impl::LattnExpandLocalMHAPassBase<ExpandLocalMHA> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(expandAll<LocalMHAOp>(getOperation(), expandLocalMHA)))
      signalPassFailure();
  }
};
} // namespace
