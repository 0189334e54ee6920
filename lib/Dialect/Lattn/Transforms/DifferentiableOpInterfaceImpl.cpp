//===- DifferentiableOpInterfaceImpl.cpp - Derivatives of attention -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"
#include "QueryTile.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace lattn;

static Value emptyLike(OpBuilder &b, Value array) {
  return tensor::EmptyOp::create(
      b, array.getLoc(), tensor::getMixedSizes(b, array.getLoc(), array),
      getElementTypeOrSelf(array.getType()));
}

AttentionOp lattn::addLogSumExp(RewriterBase &rewriter, AttentionOp op) {
  if (op.getLse())
    return op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getQuery());
  Value lse = tensor::EmptyOp::create(
      rewriter, loc,
      ArrayRef<OpFoldResult>{sizes[0], sizes[op.getHeadAxis()],
                             sizes[op.getPositionAxis()]},
      op.getAccumulatorType());
  auto whole = AttentionOp::create(
      rewriter, loc, op.getQuery(), op.getKey(), op.getValue(), op.getBias(),
      op.getKeyMask(), op.getKvLens(), op.getOffset(), op.getOrigin(),
      op.getCaptures(), op.getSink(), op.getDropout(), op.getOutput(), lse,
      op.getWindowAttr(), op.getCausal(), op.getScaleAttr(),
      op.getBiasMapAttr(), op.getLayout(), op.getScheduleAttr());
  whole.getScore().takeBody(op.getScore());
  rewriter.replaceOp(op, whole->getResult(0));
  return whole;
}

/// Errors where `op` has no derivative by rules of its own.
template <typename Op> static LogicalResult verify(Op op) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError("has no derivative on memrefs");
  if (!op.getLse())
    return op.emitOpError(
        "has a derivative only with its log-sum-exp as a second result");
  return success();
}

namespace {
/// Ops that mean what another op does, whose derivatives are their own.
struct Written {
  SmallVector<Operation *> ops;
  SmallVector<Value> results;
};
} // namespace

using Write = function_ref<FailureOr<SmallVector<Value>>()>;

static FailureOr<Written> write(OpBuilder &b, Write build) {
  Operation *last = &*std::prev(b.getInsertionPoint());
  FailureOr<SmallVector<Value>> results = build();
  if (failed(results))
    return failure();
  Written written;
  written.results = *results;
  for (Operation *made = last->getNextNode();
       made && made != &*b.getInsertionPoint(); made = made->getNextNode())
    written.ops.push_back(made);
  return written;
}

/// The arrays on which the results of an op depend, each once.
template <typename Op> static SetVector<Value> getInputs(Op op) {
  SetVector<Value> inputs;
  for (Value array :
       {op.getQuery(), op.getKey(), op.getValue(), op.getBias(), op.getSink()})
    if (array)
      inputs.insert(array);
  inputs.insert_range(op.getCaptures());
  return inputs;
}

/// What is active of what is written, where those of `inputs` are that
/// `isActive` names.
static Activity findActive(const Written &written,
                           const SetVector<Value> &inputs,
                           Activity::IsActive isActive) {
  return Activity(written.ops, written.results, [&](Value value) {
    return inputs.contains(value) && isActive(value);
  });
}

static LogicalResult addAdjoint(OpBuilder &b, Operation *op,
                                const SetVector<Value> &inputs, Write build,
                                Reverse &reverse) {
  FailureOr<Written> written = write(b, build);
  if (failed(written))
    return failure();
  auto isActive = [&](Value value) { return reverse.isActive(value); };
  Reverse inner(findActive(*written, inputs, isActive));
  for (auto [result, made] :
       llvm::zip_equal(op->getResults(), written->results))
    inner.add(b, made, reverse.getWideCotangent(result));
  if (failed(inner.run(b, written->ops)))
    return failure();
  for (Value input : inputs)
    if (isActive(input))
      reverse.add(b, input, inner.getWideCotangent(input));
  return success();
}

/// The tangents of the results of what `build` writes; null: zero.
static FailureOr<SmallVector<Value>>
buildTangents(OpBuilder &b, const SetVector<Value> &inputs, Write build,
              Forward &forward) {
  FailureOr<Written> written = write(b, build);
  if (failed(written))
    return failure();
  Forward inner(findActive(*written, inputs, [&](Value value) {
    return bool(forward.getTangent(value));
  }));
  for (Value input : inputs)
    inner.setTangent(input, forward.getTangent(input));
  if (failed(inner.run(b, written->ops)))
    return failure();
  return llvm::map_to_vector(
      written->results, [&](Value made) { return inner.getTangent(made); });
}

/// The tangent of sum / weights by those of both: the weights sum up to 1.
static Value buildOutput(OpBuilder &b, AttentionOp op, Value ofSum,
                         Value ofLse) {
  if (!ofSum && !ofLse)
    return {};
  Value output = op->getResult(0);
  Type element = getElementTypeOrSelf(output.getType());
  if (!ofLse)
    return convertElements(b, op.getLoc(), ofSum, element);
  Location loc = op.getLoc();
  SmallVector<Value> ins = {output, ofLse};
  SmallVector<unsigned> axes = {0, op.getHeadAxis(), op.getPositionAxis()};
  AffineMap all = b.getMultiDimIdentityMap(4);
  SmallVector<AffineMap> maps = {
      all, AffineMap::getMultiDimMapWithTargets(4, axes, b.getContext())};
  if (ofSum) {
    ins.push_back(ofSum);
    maps.push_back(all);
  }
  maps.push_back(all);
  return buildGeneric(b, loc, ins, emptyLike(b, output), maps,
                      [&](OpBuilder &at, ValueRange args) -> Value {
                        Type type = args[1].getType();
                        Value x = convertFloat(at, loc, args[0], type);
                        x = arith::MulFOp::create(at, loc, x, args[1]);
                        Value start = ofSum ? args[2] : buildZeros(at, loc, x);
                        x = arith::SubFOp::create(at, loc, start, x);
                        return convertFloat(at, loc, x, element);
                      });
}

/// The tangents of `attention`'s results by loops over blocks of queries.
static LogicalResult buildTangentByBlocks(OpBuilder &b, AttentionOp attention,
                                          Forward &forward) {
  Value lse = attention->getResult(1);
  auto sums = buildTangents(
      b, getInputs(attention),
      [&] { return AttentionBlocks(b, attention, lse).buildSums(); }, forward);
  if (failed(sums))
    return failure();
  Value ofLse = (*sums)[1];
  if (ofLse)
    forward.setTangent(lse, ofLse);
  if (Value ofOutput = buildOutput(b, attention, (*sums)[0], ofLse))
    forward.setTangent(attention->getResult(0), ofOutput);
  return success();
}

LogicalResult lattn::expandAttentionJvp(RewriterBase &rewriter,
                                        AttentionJvpOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  AttentionOp attention = buildPrimal(rewriter, op);
  Forward forward(Activity({}, {}, [](Value) { return false; }));
  SmallVector<std::pair<OpOperand *, Value>> tangents = {
      {&attention.getQueryMutable(), op.getDQuery()},
      {&attention.getKeyMutable(), op.getDKey()},
      {&attention.getValueMutable(), op.getDValue()}};
  if (op.getDSink())
    tangents.emplace_back(&*attention.getSinkMutable().begin(), op.getDSink());
  if (op.getDBias())
    tangents.emplace_back(&*attention.getBiasMutable().begin(), op.getDBias());
  if (!op.getDCaptures().empty()) {
    ValueRange given = op.getDCaptures();
    for (OpOperand &array : attention.getCapturesMutable())
      if (isDifferentiable(array.get().getType())) {
        tangents.emplace_back(&array, given.front());
        given = given.drop_front();
      }
  }
  for (auto [operand, tangent] : tangents) {
    // One array may be there twice, with two tangents.
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(attention);
    Value array = operand->get();
    operand->set(tensor::CastOp::create(rewriter, loc, array.getType(), array));
    if (tangent)
      forward.setTangent(operand->get(), tangent);
  }
  if (failed(buildTangentByBlocks(rewriter, attention, forward)))
    return failure();
  SmallVector<Value> results(attention.getResults());
  Value destinations[] = {op.getDOutput(), op.getDLse()};
  for (auto [i, destination] : llvm::enumerate(destinations)) {
    Value tangent = forward.getTangent(attention->getResult(i));
    Type element = getElementTypeOrSelf(destination.getType());
    results.push_back(tangent ? convertElements(rewriter, loc, tangent, element)
                              : buildZeros(rewriter, loc, destination));
  }
  rewriter.replaceOp(op, results);
  return success();
}

namespace {
struct AttentionModel
    : DifferentiableOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto attention = cast<AttentionOp>(op);
    if (failed(verify(attention)))
      return failure();
    Location loc = op->getLoc();
    Value dOutput = reverse.getCotangent(b, op->getResult(0));
    Value dLse = reverse.getCotangent(b, op->getResult(1));
    if (!dOutput && !dLse)
      return success();
    if (!dOutput)
      dOutput = buildZeros(b, loc, op->getResult(0));
    // Which arrays get a gradient, in the order of destinations.
    SmallVector<Value> arrays = {attention.getQuery(), attention.getKey(),
                                 attention.getValue()};
    auto isActive = [&](Value array) {
      return array && reverse.isActive(array);
    };
    Value dSink, dBias;
    if (isActive(attention.getSink()))
      dSink = emptyLike(b, arrays.emplace_back(attention.getSink()));
    if (isActive(attention.getBias()))
      dBias = emptyLike(b, arrays.emplace_back(attention.getBias()));
    SmallVector<Value> captures, dCaptures;
    for (Value array : attention.getCaptures())
      if (isa<FloatType>(getElementTypeOrSelf(array.getType())))
        captures.push_back(array);
    if (llvm::any_of(captures, isActive))
      for (Value array : captures)
        dCaptures.push_back(emptyLike(b, arrays.emplace_back(array)));
    auto grad = AttentionGradOp::create(
        b, loc, attention.getQuery(), attention.getKey(), attention.getValue(),
        attention.getBias(), attention.getKeyMask(), attention.getKvLens(),
        attention.getOffset(), attention.getOrigin(), attention.getCaptures(),
        attention.getSink(), attention.getDropout(), attention->getResult(0),
        attention->getResult(1), dOutput, dLse,
        emptyLike(b, attention.getQuery()), emptyLike(b, attention.getKey()),
        emptyLike(b, attention.getValue()), dSink, dBias, dCaptures,
        attention.getWindowAttr(), attention.getCausal(),
        attention.getScaleAttr(), attention.getBiasMapAttr(),
        attention.getLayout(), /*schedule=*/ScheduleAttr());
    IRMapping mapping;
    attention.getScore().cloneInto(&grad.getScore(), mapping);
    for (auto [array, gradient] : llvm::zip_equal(arrays, grad.getResults()))
      reverse.add(b, array, gradient);
    return success();
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto attention = cast<AttentionOp>(op);
    if (failed(verify(attention)))
      return failure();
    auto get = [&](Value array) {
      return array ? forward.getTangent(array) : Value();
    };
    Value dSink = get(attention.getSink()), dBias = get(attention.getBias());
    SmallVector<Value> dCaptures = getCaptureTangents(b, attention, forward);
    // The differentiated function reads all four results: see
    // mergeAttentionJvp.
    auto jvp = AttentionJvpOp::create(
        b, op->getLoc(), attention.getQuery(), attention.getKey(),
        attention.getValue(), attention.getBias(), attention.getKeyMask(),
        attention.getKvLens(), attention.getOffset(), attention.getOrigin(),
        attention.getCaptures(), get(attention.getQuery()),
        get(attention.getKey()), get(attention.getValue()), op->getResult(0),
        op->getResult(1), emptyLike(b, attention.getOutput()),
        emptyLike(b, attention.getLse()), attention.getSink(),
        attention.getDropout(), dSink, dBias, dCaptures,
        attention.getWindowAttr(), attention.getCausal(),
        attention.getScaleAttr(), attention.getBiasMapAttr(),
        attention.getLayout(), /*schedule=*/ScheduleAttr());
    IRMapping mapping;
    attention.getScore().cloneInto(&jvp.getScore(), mapping);
    Region ofSteps; // an error here is clearer than one when tiles are made
    if (failed(buildJvpScore(b, jvp, ofSteps)))
      return failure();
    forward.setTangent(op->getResult(0), jvp->getResult(2));
    forward.setTangent(op->getResult(1), jvp->getResult(3));
    return success();
  }

private:
  /// Of all captured arrays of floats, or none.
  static SmallVector<Value>
  getCaptureTangents(OpBuilder &b, AttentionOp attention, Forward &forward) {
    SmallVector<Value> tangents;
    bool hasAny = false;
    for (Value array : attention.getCaptures()) {
      if (!isDifferentiable(array.getType()))
        continue;
      Value tangent = forward.getTangent(array);
      hasAny |= bool(tangent);
      tangents.push_back(tangent ? tangent
                                 : buildZeros(b, array.getLoc(), array));
    }
    return hasAny ? tangents : SmallVector<Value>();
  }
};

struct AttentionGradModel
    : DifferentiableOpInterface::ExternalModel<AttentionGradModel,
                                               AttentionGradOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto grad = cast<AttentionGradOp>(op);
    return failed(verify(grad))
               ? failure()
               : addAdjoint(
                     b, op, getGradInputs(grad),
                     [&] {
                       return AttentionBlocks(b, grad).buildGradients(grad);
                     },
                     reverse);
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto grad = cast<AttentionGradOp>(op);
    if (failed(verify(grad)))
      return failure();
    auto tangents = buildTangents(
        b, getGradInputs(grad),
        [&] { return AttentionBlocks(b, grad).buildGradients(grad); }, forward);
    if (failed(tangents))
      return failure();
    for (auto [result, tangent] : llvm::zip_equal(op->getResults(), *tangents))
      if (tangent)
        forward.setTangent(result, tangent);
    return success();
  }

private:
  static SetVector<Value> getGradInputs(AttentionGradOp op) {
    SetVector<Value> inputs = getInputs(op);
    inputs.insert_range(
        ValueRange{op.getOutput(), op.getLse(), op.getDOutput()});
    if (op.getDLse())
      inputs.insert(op.getDLse());
    return inputs;
  }
};
} // namespace

void lattn::mergeAttentionJvp(RewriterBase &rewriter, AttentionJvpOp op) {
  auto attention = op.getOutput().getDefiningOp<AttentionOp>();
  if (!attention || op.getLse() != attention->getResult(1) ||
      attention->getBlock() != op->getBlock())
    return;
  rewriter.modifyOpInPlace(op, [&] {
    op.getOutputMutable().assign(attention.getOutput());
    op.getLseMutable().assign(attention.getLse());
  });
  for (unsigned i : {0, 1})
    rewriter.replaceAllUsesWith(attention->getResult(i), op->getResult(i));
  rewriter.eraseOp(attention);
  // What reads the results may stand before the op, which reads none of it.
  sortTopologically(op->getBlock());
}

void lattn::registerDifferentiableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LattnDialect *) {
    AttentionOp::attachInterface<AttentionModel>(*context);
    attachRotaryDerivatives(*context);
    attachSequenceDerivatives(*context);
    AttentionGradOp::attachInterface<AttentionGradModel>(*context);
  });
}
