//===- LinalgKernel.cpp - Elementwise ops and reductions ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   for other loops
//     what does not change along a row, as scalars
//     for vectors of a row            the last one masked
//
// A reduction along rows has a partial result in each lane. They are combined
// after the row, so its order depends on the target's vectors only.

#include "LinalgKernel.h"
#include "KernelBuilder.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// What becomes vectors
//===----------------------------------------------------------------------===//

/// Types of elements whose vectors lie in memory as their scalars do.
static bool isElement(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
         (type.isInteger() && type.getIntOrFloatBitWidth() >= 8 &&
          llvm::isPowerOf2_32(type.getIntOrFloatBitWidth()));
}

/// Whether `op` of a body computes the same on lanes, those beyond a row too.
static bool isVectorizable(Operation &op) {
  auto isNumber = [](Type type) {
    return isElement(type) || type.isInteger(1) || type.isIndex();
  };
  if (!llvm::all_of(op.getOperandTypes(), isNumber) ||
      !llvm::all_of(op.getResultTypes(), isNumber))
    return false;
  if (op.hasTrait<OpTrait::ConstantLike>())
    return true;
  // Of the others, upstream's approximations are for small arguments only.
  if (isa<math::MathDialect>(op.getDialect()))
    return isa<math::AbsFOp, math::ErfOp, math::ExpOp, math::FmaOp,
               math::RsqrtOp, math::SqrtOp, math::TanhOp>(op);
  return OpTrait::hasElementwiseMappableTraits(&op) && isPure(&op);
}

static bool has(AffineMap map, unsigned loop) {
  return map.isFunctionOfDim(loop);
}

/// Whether all that changes along `loop` may lie one after the other.
static bool canBeRow(linalg::LinalgOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return false;
    if (!has(map, loop))
      continue;
    if (!map.getResults().back().isFunctionOfDim(loop))
      return false;
    SmallVector<int64_t> strides;
    int64_t offset;
    auto type = cast<MemRefType>(operand.get().getType());
    if (failed(type.getStridesAndOffset(strides, offset)) ||
        (ShapedType::isStatic(strides.back()) && strides.back() != 1))
      return false;
  }
  return true;
}

/// The combiners of reductions along a row, one for each result, or none.
static SmallVector<Operation *> getCombiners(linalg::LinalgOp op) {
  SmallVector<Operation *> all;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), i, combiners) ||
        combiners.size() != 1 || !linalg::getCombinerOpKind(combiners[0]) ||
        !arith::getNeutralElement(combiners[0]))
      return {};
    all.push_back(combiners[0]);
  }
  return all;
}

/// The product that `inner` of the body of a sum adds, or none: they become an
/// FMA, as in products of matrices.
static arith::MulFOp getAddedProduct(linalg::LinalgOp op, Operation &inner) {
  if (!isa<arith::AddFOp>(inner) || op.getNumReductionLoops() == 0 ||
      inner.getResult(0).getType().getIntOrFloatBitWidth() < 32)
    return {};
  for (Value operand : inner.getOperands())
    if (auto product = operand.getDefiningOp<arith::MulFOp>())
      if (product->hasOneUse() && product->getBlock() == inner.getBlock())
        return product;
  return {};
}

/// The loop over the elements of a row: of the result, or the sum over one.
static std::optional<unsigned> findRow(linalg::LinalgOp op) {
  for (OpOperand &operand : llvm::reverse(op->getOpOperands())) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (map.getNumResults() == 0 || !map.isProjectedPermutation())
      continue;
    unsigned loop = map.getDimPosition(map.getNumResults() - 1);
    auto isWritten = [&](OpOperand &init) {
      return has(op.getMatchingIndexingMap(&init), loop);
    };
    bool isSum = llvm::none_of(op.getDpsInitsMutable(), isWritten) &&
                 !getCombiners(op).empty();
    if (canBeRow(op, loop) &&
        (isSum || llvm::all_of(op.getDpsInitsMutable(), isWritten)))
      return loop;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

namespace {
class LinalgKernel {
public:
  LinalgKernel(KernelBuilder &k, linalg::LinalgOp op, unsigned row)
      : k(k), op(op), body(op.getBlock()), row(row), ivs(op.getNumLoops()) {
    if (!has(getMap(op.getDpsInitOperand(0)), row))
      combiners = getCombiners(op);
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(operand.get());
  }
  /// Whether all rows lie one after the other; nothing if that is known.
  Value areRowsDense();
  void build();

private:
  AffineMap getMap(OpOperand *operand) {
    return op.getMatchingIndexingMap(operand);
  }
  bool isAlongRow(OpOperand &operand) { return has(getMap(&operand), row); }
  Value asDense(Value memref);
  SmallVector<Value> getIndices(OpOperand &operand);
  VectorType vectorOf(Type element) {
    return VectorType::get(k.lanes, element);
  }
  Value toVector(Value value) {
    return isa<VectorType>(value.getType()) ? value : k.splat(value);
  }
  void buildRow(Value extent);
  void computeScalars(IRMapping &mapping);
  SmallVector<Value> computeVectors(IRMapping mapping, Value at, Value mask,
                                    ValueRange partial);
  void store(OpOperand &init, Value value, Value mask);
  void reduce(OpOperand &init, Operation *combiner, Value partial);

  KernelBuilder &k;
  linalg::LinalgOp op;
  Block *body;
  unsigned row;
  SmallVector<Value> ivs;
  SmallVector<Value> operands;
  SmallVector<Operation *> combiners; // of sums along the row
};
} // namespace

Value LinalgKernel::areRowsDense() {
  Value dense;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<MemRefType>(operand.get().getType());
    if (!isAlongRow(operand) || type.isLastDimUnitStride())
      continue;
    auto metadata =
        memref::ExtractStridedMetadataOp::create(k.b, k.loc, operand.get());
    Value isUnit =
        arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                              metadata.getStrides().back(), k.index(1));
    dense = dense ? arith::AndIOp::create(k.b, k.loc, dense, isUnit) : isUnit;
  }
  return dense;
}

/// `memref`, typed as the rows of unit stride that it has.
Value LinalgKernel::asDense(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.isLastDimUnitStride())
    return memref;
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, memref);
  SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
  SmallVector<int64_t> strides = shape;
  strides.back() = 1;
  auto layout =
      StridedLayoutAttr::get(k.b.getContext(), ShapedType::kDynamic, strides);
  SmallVector<OpFoldResult> steps(metadata.getStrides());
  steps.back() = k.b.getIndexAttr(1);
  return memref::ReinterpretCastOp::create(
      k.b, k.loc,
      MemRefType::get(shape, type.getElementType(), layout,
                      type.getMemorySpace()),
      metadata.getBaseBuffer(), OpFoldResult(metadata.getOffset()),
      SmallVector<OpFoldResult>(metadata.getSizes()), steps);
}

SmallVector<Value> LinalgKernel::getIndices(OpOperand &operand) {
  AffineMap map = getMap(&operand);
  SmallVector<Value> indices;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    indices.push_back(ivs[map.getDimPosition(i)]);
  return indices;
}

/// What of the body does not change along the row.
void LinalgKernel::computeScalars(IRMapping &mapping) {
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!isAlongRow(operand) && !op.isDpsInit(&operand))
      mapping.map(argument, k.loadScalar(operands[operand.getOperandNumber()],
                                         getIndices(operand)));
  }
  for (Operation &inner : body->without_terminator())
    if (llvm::all_of(inner.getOperands(), [&](Value operand) {
          return mapping.contains(operand) || operand.getParentBlock() != body;
        }))
      k.b.clone(inner, mapping);
}

void LinalgKernel::store(OpOperand &init, Value value, Value mask) {
  Value target = operands[init.getOperandNumber()];
  SmallVector<Value> at = getIndices(init);
  if (mask)
    vector::MaskedStoreOp::create(k.b, k.loc, target, at, mask, value);
  else
    k.store(value, target, at);
}

/// The rest of the body for the lanes from `at` on; for a reduction the partial
/// results that `partial` become.
SmallVector<Value> LinalgKernel::computeVectors(IRMapping mapping, Value at,
                                                Value mask,
                                                ValueRange partial) {
  ivs[row] = at;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (mapping.contains(argument) || argument.use_empty())
      continue;
    if (!isAlongRow(operand)) {
      mapping.map(argument,
                  partial[operand.getOperandNumber() - op.getNumDpsInputs()]);
      continue;
    }
    Value source = operands[operand.getOperandNumber()];
    VectorType type = vectorOf(argument.getType());
    if (!mask) {
      mapping.map(argument, k.load(source, getIndices(operand)));
      continue;
    }
    Value zeros = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
    mapping.map(argument,
                vector::MaskedLoadOp::create(k.b, k.loc, type, source,
                                             getIndices(operand), mask, zeros)
                    .getResult());
  }
  for (Operation &inner : body->without_terminator()) {
    if (inner.getNumResults() && mapping.contains(inner.getResult(0)))
      continue;
    auto lookup = [&](Value value) {
      return toVector(mapping.lookupOrDefault(value));
    };
    if (arith::MulFOp product = getAddedProduct(op, inner)) {
      bool isFirst = inner.getOperand(0) == product;
      mapping.map(inner.getResult(0),
                  k.fma(lookup(product.getLhs()), lookup(product.getRhs()),
                        lookup(inner.getOperand(isFirst))));
      continue;
    }
    SmallVector<Value> values =
        llvm::map_to_vector(inner.getOperands(), lookup);
    OperationState state(inner.getLoc(), inner.getName(), values, {},
                         inner.getAttrs());
    for (Type type : inner.getResultTypes())
      state.addTypes(vectorOf(type));
    state.propertiesAttr = inner.getPropertiesAsAttribute();
    mapping.map(inner.getResults(), k.b.create(state)->getResults());
  }
  SmallVector<Value> next;
  for (auto [i, value] :
       llvm::enumerate(body->getTerminator()->getOperands())) {
    Value result = toVector(mapping.lookupOrDefault(value));
    if (combiners.empty())
      store(*op.getDpsInitOperand(i), result, mask);
    else
      next.push_back(mask ? k.select(mask, result, partial[i]) : result);
  }
  return next;
}

/// The result of the lanes' partial ones and what was there before.
void LinalgKernel::reduce(OpOperand &init, Operation *combiner, Value partial) {
  Value target = operands[init.getOperandNumber()];
  SmallVector<Value> at = getIndices(init);
  Value result = vector::ReductionOp::create(
      k.b, k.loc, *linalg::getCombinerOpKind(combiner), partial,
      k.loadScalar(target, at), arith::FastMathFlags::reassoc);
  memref::StoreOp::create(k.b, k.loc, result, target, at);
}

void LinalgKernel::buildRow(Value extent) {
  IRMapping scalars;
  computeScalars(scalars);
  SmallVector<Value> partial;
  for (Operation *combiner : combiners) {
    auto type = vectorOf(combiner->getResult(0).getType());
    partial.push_back(arith::ConstantOp::create(
        k.b, k.loc,
        DenseElementsAttr::get(
            type, Attribute(*arith::getNeutralElement(combiner)))));
  }
  Value rest =
      k.b.createOrFold<arith::RemUIOp>(k.loc, extent, k.index(k.lanes));
  Value whole = k.b.createOrFold<arith::SubIOp>(k.loc, extent, rest);
  partial = k.loop(k.index(0), whole, k.lanes, partial,
                   [&](Value at, ValueRange carried) {
                     return computeVectors(scalars, at, Value(), carried);
                   });
  if (getConstantIntValue(rest) != 0)
    partial = k.loop(whole, extent, k.lanes, partial,
                     [&](Value at, ValueRange carried) {
                       Value mask = vector::CreateMaskOp::create(
                           k.b, k.loc, vectorOf(k.b.getI1Type()), rest);
                       return computeVectors(scalars, at, mask, carried);
                     });
  for (auto [i, combiner] : llvm::enumerate(combiners))
    reduce(*op.getDpsInitOperand(i), combiner, partial[i]);
}

void LinalgKernel::build() {
  OpBuilder::InsertionGuard guard(k.b);
  for (OpOperand &operand : op->getOpOperands())
    if (isAlongRow(operand))
      operands[operand.getOperandNumber()] = asDense(operand.get());
  SmallVector<Range> domain = op.createLoopRanges(k.b, k.loc);
  SmallVector<Value> extents;
  for (const Range &range : domain)
    extents.push_back(getValueOrCreateConstantIndexOp(k.b, k.loc, range.size));
  for (unsigned loop = 0; loop < ivs.size(); ++loop) {
    if (loop == row)
      continue;
    auto forOp =
        scf::ForOp::create(k.b, k.loc, k.index(0), extents[loop], k.index(1));
    k.b.setInsertionPointToStart(forOp.getBody());
    ivs[loop] = forOp.getInductionVar();
  }
  buildRow(extents[row]);
}

//===----------------------------------------------------------------------===//
// From linalg
//===----------------------------------------------------------------------===//

LogicalResult lattn::lowerLinalg(RewriterBase &rewriter, linalg::LinalgOp op,
                                 VectorUnit unit) {
  if (!op.hasPureBufferSemantics() || op->getNumRegions() != 1)
    return rewriter.notifyMatchFailure(op, "is not on buffers");
  Block *body = op.getBlock();
  // Fills and copies: LLVM knows what to do with them.
  if (body->without_terminator().empty())
    return rewriter.notifyMatchFailure(op, "computes nothing");
  int64_t bits = 32;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !isElement(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "has elements without vectors");
    bits = std::max<int64_t>(bits, type.getElementTypeBitWidth());
  }
  if (!llvm::all_of(body->without_terminator(), isVectorizable))
    return rewriter.notifyMatchFailure(op, "has a body without vectors");
  std::optional<unsigned> row = findRow(op);
  if (!row)
    return rewriter.notifyMatchFailure(op, "has no rows");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  int64_t lanes = std::max<int64_t>(unit.bits / bits, 2);
  KernelBuilder k(rewriter, op.getLoc(), rewriter.getF32Type(), lanes);
  LinalgKernel kernel(k, op, *row);
  if (Value dense = kernel.areRowsDense())
    k.ifThenElse(dense, [&] { kernel.build(); }, [&] { rewriter.clone(*op); });
  else
    kernel.build();
  rewriter.eraseOp(op);
  return success();
}
