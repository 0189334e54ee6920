//===- ScoringVerifier.cpp - Verifies how scores are modified -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

static constexpr StringLiteral kAxisNames[] = {"batch", "head", "query", "key"};

/// attention_c9 to attention_c11
static LogicalResult verifyMasks(AttentionOpInterface op,
                                 ArrayRef<int64_t> extents) {
  constexpr unsigned batch = 0, key = 3;
  auto verify = [&](Value value, StringRef name, StringRef axes,
                    ArrayRef<unsigned> dims) -> LogicalResult {
    if (!value || !isa<ShapedType>(value.getType()))
      return success();
    if (failed(verifyRank(op, value, name, dims.size(), axes)))
      return failure();
    for (auto [axis, dim] : llvm::enumerate(dims))
      if (failed(verifyExtent(op, value, name, axis, extents[dim],
                              ("the extent of " + kAxisNames[dim]).str())))
        return failure();
    return success();
  };
  if (failed(
          verify(op.getKeyMask(), "key_mask", "(batch, key)", {batch, key})) ||
      failed(verify(op.getKvLens(), "kv_lens", "(batch)", {batch})))
    return failure();
  return verify(op.getOffset(), "offset", "(batch)", {batch});
}

/// Other divisors have no code.
static bool dividesByPositive(AffineMap map) {
  bool positive = true;
  map.walkExprs([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() == AffineExprKind::Add ||
        binary.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    positive &= divisor && divisor.getValue() > 0;
  });
  return positive;
}

/// attention_c13
static LogicalResult verifyBias(AttentionOpInterface op,
                                ArrayRef<int64_t> extents) {
  Value bias = op.getBias();
  AffineMapAttr map = op.getBiasMapAttr();
  if (!bias) {
    if (map)
      return op->emitOpError("has a bias_map but no bias");
    return success();
  }
  if (failed(verifyAccumulator(op, bias, "bias", op.getKey().getType())))
    return failure();
  int64_t rank = cast<ShapedType>(bias.getType()).getRank();
  if (!map) {
    if (rank > 4)
      return op->emitOpError()
             << "expected bias broadcastable to (batch, head, query, key) or "
                "a bias_map, got rank "
             << rank;
    return verifyBroadcastable(op, bias, "bias", extents);
  }
  if (map.getValue().getNumDims() != 4 || map.getValue().getNumSymbols() != 0 ||
      map.getValue().getNumResults() != rank)
    return op->emitOpError()
           << "expected bias_map from (batch, head, query, key) to the " << rank
           << " axes of bias, got " << map;
  if (!dividesByPositive(map.getValue()))
    return op->emitOpError()
           << "expected bias_map to divide by positive constants only, got "
           << map;
  return success();
}

/// attention_c15
static LogicalResult verifyRegionOp(AttentionOpInterface op, Operation &inner) {
  if (isa<YieldOp>(inner))
    return success();
  // The op is verified before those in its region: trust no operand count.
  bool allowed;
  if (isa<tensor::ExtractOp, memref::LoadOp>(inner))
    allowed = inner.getNumOperands() && isa<BlockArgument>(inner.getOperand(0));
  else
    allowed = isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                  inner.getDialect()) &&
              inner.getNumRegions() == 0 && isMemoryEffectFree(&inner);
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (allowed && llvm::all_of(inner.getResultTypes(), isScalar))
    return success();
  InFlightDiagnostic diag =
      op->emitOpError() << "score region may hold arith and math ops on "
                           "scalars and reads of captured arrays only, got '"
                        << inner.getName() << "'";
  diag.attachNote(inner.getLoc()) << "see this operation";
  return diag;
}

/// attention_c14 to attention_c16
static LogicalResult verifyRegion(AttentionOpInterface op) {
  Region &region = op.getScore();
  // attention_c14
  if (region.empty()) {
    if (!op.getCaptures().empty())
      return op->emitOpError("has captures but no score region to read them");
    return success();
  }
  if (!region.hasOneBlock())
    return op->emitOpError("expected the score region to have one block");
  Block &block = region.front();
  Type score = op.getAccumulatorType();
  Type coordinate = IntegerType::get(op->getContext(), 32);
  SmallVector<Type> expected = {score, coordinate, coordinate, coordinate,
                                coordinate};
  llvm::append_range(expected, op.getCaptures().getTypes());
  if (block.getArgumentTypes() != TypeRange(expected)) {
    InFlightDiagnostic diag =
        op->emitOpError("expected score region arguments (score, batch, head, "
                        "query, key, captures...) of types ");
    llvm::interleaveComma(expected, diag);
    diag << "; got ";
    llvm::interleaveComma(block.getArgumentTypes(), diag);
    return diag;
  }
  // attention_c16
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("expected the score region to end in lattn.yield");
  // attention_grad_step_c6, attention_jvp_step_c4
  unsigned count = isa<AttentionGradStepOp>(op)  ? 2
                   : isa<AttentionJvpStepOp>(op) ? 3
                                                 : 1;
  SmallVector<Type> yielded(count, score);
  if (yield->getOperandTypes() != TypeRange(yielded)) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "expected the score region to yield "
                              << yielded << ", got ";
    llvm::interleaveComma(yield->getOperandTypes(), diag);
    return diag;
  }
  for (Operation &inner : block)
    if (failed(verifyRegionOp(op, inner)))
      return failure();
  return success();
}

/// attention_c12
LogicalResult lattn::verifySink(AttentionOpInterface op, Value sink,
                                int64_t heads) {
  if (!sink)
    return success();
  if (failed(verifyRank(op, sink, "sink", 1, "(head)")))
    return failure();
  // With an origin the sink is indexed by global heads.
  if (op.getOrigin().empty() &&
      failed(verifyExtent(op, sink, "sink", 0, heads, "query's heads")))
    return failure();
  return verifyAccumulator(op, sink, "sink", op.getQuery().getType());
}

LogicalResult lattn::verifyScoring(AttentionOpInterface op,
                                   ArrayRef<int64_t> extents) {
  // attention_c18
  if (!op.getOrigin().empty() && op.getOrigin().size() != 4)
    return op->emitOpError()
           << "expected origin (batch, head, query, key), got "
           << op.getOrigin().size() << " values";
  // attention_c19
  if (FloatAttr scale = op.getScaleAttr();
      scale && !scale.getValue().isFinite())
    return op->emitOpError("expected a finite scale, got ") << scale;
  // With an origin these arrays are indexed by global coordinates, of which
  // local extents say nothing.
  SmallVector<int64_t> global(4, ShapedType::kDynamic);
  if (!op.getOrigin().empty())
    extents = global;
  if (failed(verifyMasks(op, extents)) || failed(verifyBias(op, extents)) ||
      failed(verifyRegion(op)))
    return failure();
  return verifyScoreReads(op, extents); // attention_c23
}
