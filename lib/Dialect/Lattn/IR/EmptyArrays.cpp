//===- EmptyArrays.cpp - Operations on arrays without elements ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's slices of an array with a static extent of 0 do not verify, so no
// loop is made over such an array.

#include "EmptyArrays.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

static bool isZero(Value array, unsigned axis) {
  return cast<ShapedType>(array.getType()).getDimSize(axis) == 0;
}

static bool isEmpty(Value array) {
  auto type = dyn_cast<ShapedType>(array.getType());
  return type && type.hasRank() && llvm::is_contained(type.getShape(), 0);
}

static Value createZeros(OpBuilder &b, Location loc,
                         ArrayRef<OpFoldResult> sizes, Type element) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, element);
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

static Value createZerosLike(OpBuilder &b, Value array) {
  return createZeros(b, array.getLoc(),
                     tensor::getMixedSizes(b, array.getLoc(), array),
                     getElementTypeOrSelf(array.getType()));
}

/// An array like `array` with one position.
static Value createRow(OpBuilder &b, Value array, unsigned positionAxis) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, array.getLoc(), array);
  sizes[positionAxis] = b.getIndexAttr(1);
  return createZeros(b, array.getLoc(), sizes,
                     getElementTypeOrSelf(array.getType()));
}

namespace {

/// op -> its destinations, if these have no elements
struct DropEmptyResults
    : OpInterfaceRewritePattern<DestinationStyleOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(DestinationStyleOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<LattnDialect>(op->getDialect()))
      return rewriter.notifyMatchFailure(op, "is no op of lattn");
    auto inits = llvm::to_vector(op.getDpsInits());
    if (!llvm::all_of(inits, isEmpty))
      return rewriter.notifyMatchFailure(op, "has elements to compute");
    if (op.hasPureBufferSemantics())
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, inits);
    return success();
  }
};

/// Attention and its derivatives, on tensors, with the operands that `OpTy`
/// has.
template <typename OpTy> class EmptyPattern : public OpRewritePattern<OpTy> {
public:
  using OpRewritePattern<OpTy>::OpRewritePattern;

protected:
  static constexpr bool isGrad = std::is_same_v<OpTy, AttentionGradOp>;
  static constexpr bool isJvp = std::is_same_v<OpTy, AttentionJvpOp>;

  /// Computes into `destination` what nobody reads; the result has no elements.
  static void redirect(PatternRewriter &rewriter, OpTy op, OpOperand &init,
                       Value destination) {
    OpResult result = op.getTiedOpResult(&init);
    rewriter.replaceAllUsesWith(result, init.get());
    init.set(destination);
    result.setType(destination.getType());
  }

  /// At least one tangent has to be there: attention_jvp_c2.
  static void keepTangent(PatternRewriter &rewriter, AttentionJvpOp op) {
    if (!op.getDQuery() && !op.getDKey() && !op.getDSink())
      op.getDQueryMutable().assign(createZerosLike(rewriter, op.getQuery()));
  }
};

/// No keys -> one key that kv_lens hides. Nothing reads the scores of it.
template <typename OpTy> struct HideOneKey : EmptyPattern<OpTy> {
  using EmptyPattern<OpTy>::EmptyPattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &b) const override {
    unsigned axis = op.getPositionAxis();
    if (!op.hasPureTensorSemantics() || !op.getOrigin().empty() ||
        !(isZero(op.getKey(), axis) || isZero(op.getValue(), axis)))
      return b.notifyMatchFailure(op, "is no whole attention over no keys");
    Value key = createRow(b, op.getKey(), axis);
    Value value = createRow(b, op.getValue(), axis);
    OpFoldResult batches =
        tensor::getMixedSize(b, op.getLoc(), op.getQuery(), 0);
    Value lengths = createZeros(b, op.getLoc(), batches, b.getI64Type());
    b.modifyOpInPlace(op, [&] {
      dropResults(b, op);
      op.getKeyMutable().assign(key);
      op.getValueMutable().assign(value);
      op.getKvLensMutable().assign(lengths);
      op.getKeyMaskMutable().clear();
      op.removeWindowAttr();
      op.setCausal(false);
      op.getBiasMutable().clear();
      op.removeBiasMapAttr();
      op.getCapturesMutable().clear();
      if (!op.getScore().empty())
        b.eraseBlock(&op.getScore().front());
    });
    return success();
  }

private:
  /// What belongs to keys, and to arrays that only scores read.
  static void dropResults(PatternRewriter &b, OpTy op) {
    if constexpr (HideOneKey::isGrad) {
      unsigned axis = op.getPositionAxis();
      HideOneKey::redirect(b, op, op.getDKeyMutable(),
                           createRow(b, op.getDKey(), axis));
      HideOneKey::redirect(b, op, op.getDValueMutable(),
                           createRow(b, op.getDValue(), axis));
    } else if constexpr (HideOneKey::isJvp) {
      op.getDKeyMutable().clear();
      op.getDValueMutable().clear();
      op.getDBiasMutable().clear();
      op.getDCapturesMutable().clear();
      HideOneKey::keepTangent(b, op);
    }
  }
};

/// Values without elements -> the keys in their place, for the log-sum-exp and
/// the other gradients.
template <typename OpTy> struct TakeKeysAsValues : EmptyPattern<OpTy> {
  using EmptyPattern<OpTy>::EmptyPattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &b) const override {
    if (!op.hasPureTensorSemantics() ||
        !(isZero(op.getValue(), 3) || isZero(op.getOutput(), 3)))
      return b.notifyMatchFailure(op, "its values may have elements");
    b.modifyOpInPlace(op, [&] {
      Value rows = createZerosLike(b, op.getQuery());
      op.getValueMutable().assign(op.getKey());
      op.removeScheduleAttr();
      if constexpr (TakeKeysAsValues::isGrad) {
        op.getOutputMutable().assign(rows);
        op.getDOutputMutable().assign(rows);
        TakeKeysAsValues::redirect(b, op, op.getDValueMutable(),
                                   createZerosLike(b, op.getKey()));
      } else {
        TakeKeysAsValues::redirect(b, op, op.getOutputMutable(), rows);
      }
      if constexpr (TakeKeysAsValues::isJvp) {
        TakeKeysAsValues::redirect(b, op, op.getDOutputMutable(), rows);
        op.getDValueMutable().clear();
        TakeKeysAsValues::keepTangent(b, op);
      }
    });
    return success();
  }
};

} // namespace

void lattn::addEmptyArrayPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DropEmptyResults>(context, /*benefit=*/3);
  patterns
      .add<HideOneKey<AttentionOp>, HideOneKey<AttentionGradOp>,
           HideOneKey<AttentionJvpOp>, TakeKeysAsValues<AttentionOp>,
           TakeKeysAsValues<AttentionGradOp>, TakeKeysAsValues<AttentionJvpOp>>(
          context);
}
