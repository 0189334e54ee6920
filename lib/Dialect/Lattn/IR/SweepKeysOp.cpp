//===- SweepKeysOp.cpp - The steps of a tile over its keys ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn;

/// Of the body, before the state: key, size, edge.
static constexpr unsigned kPositions = 3;

void SweepKeysOp::build(OpBuilder &b, OperationState &state, ValueRange bounds,
                        ArrayRef<SweepRun> runs, int64_t keyTile,
                        ValueRange inits) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.runs =
      b.getArrayAttr(llvm::map_to_vector(runs, [&](SweepRun run) -> Attribute {
        return SweepRunAttr::get(b.getContext(), run);
      }));
  properties.key_tile = b.getI64IntegerAttr(keyTile);
  properties.operandSegmentSizes = {int32_t(bounds.size()),
                                    int32_t(inits.size())};
  state.addOperands(bounds);
  state.addOperands(inits);
  state.addTypes(inits.getTypes());
  Block &body = state.addRegion()->emplaceBlock();
  body.addArguments({b.getIndexType(), b.getIndexType(), b.getI1Type()},
                    SmallVector<Location>(kPositions, state.location));
  for (Value init : inits)
    body.addArgument(init.getType(), init.getLoc());
}

SmallVector<SweepRun> SweepKeysOp::getRunKinds() {
  return llvm::map_to_vector(getRuns(), [](Attribute run) {
    return cast<SweepRunAttr>(run).getValue();
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// (%b0 edge %b1 interior %b2)
static ParseResult parseRuns(OpAsmParser &parser,
                             SmallVectorImpl<Value> &bounds, ArrayAttr &runs) {
  Builder &b = parser.getBuilder();
  SmallVector<OpAsmParser::UnresolvedOperand> operands(1);
  SmallVector<Attribute> kinds;
  if (parser.parseLParen() || parser.parseOperand(operands[0]))
    return failure();
  while (failed(parser.parseOptionalRParen())) {
    SMLoc at = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) ||
        parser.parseOperand(operands.emplace_back()))
      return failure();
    std::optional<SweepRun> run = symbolizeSweepRun(name);
    if (!run)
      return parser.emitError(at, "expected 'edge' or 'interior', got '")
             << name << "'";
    kinds.push_back(SweepRunAttr::get(b.getContext(), *run));
  }
  runs = b.getArrayAttr(kinds);
  return parser.resolveOperands(operands, b.getIndexType(), bounds);
}

ParseResult SweepKeysOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &b = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments, carried;
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  SmallVector<Value> bounds;
  SMLoc at = parser.getCurrentLocation();
  int64_t keyTile;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
    return failure();
  if (arguments.size() != kPositions)
    return parser.emitError(at, "expected (key, size, edge), got ")
           << arguments.size() << " arguments";
  if (parser.parseKeyword("in") || parseRuns(parser, bounds, properties.runs) ||
      parser.parseKeyword("by") || parser.parseInteger(keyTile))
    return failure();
  properties.key_tile = b.getI64IntegerAttr(keyTile);
  at = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("iter_args")) &&
      (parser.parseAssignmentList(carried, inits) ||
       parser.parseArrowTypeList(result.types)))
    return failure();
  result.addOperands(bounds);
  if (parser.resolveOperands(inits, result.types, at, result.operands))
    return failure();
  properties.operandSegmentSizes = {int32_t(bounds.size()),
                                    int32_t(inits.size())};
  arguments[0].type = arguments[1].type = b.getIndexType();
  arguments[2].type = b.getI1Type();
  for (auto [argument, type] : llvm::zip_equal(carried, result.types))
    argument.type = type;
  llvm::append_range(arguments, carried);
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

void SweepKeysOp::print(OpAsmPrinter &printer) {
  printer << " (" << getKey() << ", " << getSize() << ", " << getEdge()
          << ") in (" << getFirstKey();
  for (auto [run, bound] :
       llvm::zip_equal(getRunKinds(), getBounds().drop_front()))
    printer << " " << stringifySweepRun(run) << " " << bound;
  printer << ") by " << getKeyTile();
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(
        llvm::zip_equal(getState(), getInits()), printer, [&](auto pair) {
          printer << std::get<0>(pair) << " = " << std::get<1>(pair);
        });
    printer << ") -> (" << getResultTypes() << ")";
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getRunsAttrName(), getKeyTileAttrName(),
                            getOperandSegmentSizesAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void SweepKeysOp::getAsmBlockArgumentNames(Region &,
                                           OpAsmSetValueNameFn setName) {
  setName(getKey(), "key");
  setName(getSize(), "size");
  setName(getEdge(), "edge");
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

LogicalResult SweepKeysOp::verify() {
  size_t runs = getRuns().size();
  if (runs == 0 || getBounds().size() != runs + 1) // sweep_keys_c1
    return emitOpError() << "expected at least one run and one bound more than "
                            "runs, got "
                         << getBounds().size() << " bounds and " << runs
                         << " runs";
  if (getKeyTile() < 1) // sweep_keys_c2
    return emitOpError() << "expected a key tile of at least 1, got "
                         << getKeyTile();
  if (getInits().getTypes() != getResultTypes()) // sweep_keys_c3
    return emitOpError() << "expected results of the types of the state, ("
                         << getInits().getTypes() << "), got ("
                         << getResultTypes() << ")";
  SmallVector<Type> expected = {IndexType::get(getContext()),
                                IndexType::get(getContext()),
                                IntegerType::get(getContext(), 1)};
  llvm::append_range(expected, getInits().getTypes());
  if (TypeRange(getBody().getArgumentTypes()) != TypeRange(expected))
    return emitOpError() // sweep_keys_c4
           << "expected a body of (key, size, edge, state...) of types ("
           << TypeRange(expected) << "), got (" << getBody().getArgumentTypes()
           << ")";
  // sweep_keys_c5
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("expected the body to end in lattn.yield");
  if (yield.getOperandTypes() != getInits().getTypes())
    return emitOpError() << "expected the body to yield the next state, ("
                         << getInits().getTypes() << "), got ("
                         << yield.getOperandTypes() << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

SmallVector<Region *> SweepKeysOp::getLoopRegions() { return {&getBody()}; }
MutableArrayRef<OpOperand> SweepKeysOp::getInitsMutable() {
  return getOperation()->getOpOperands().drop_front(getBounds().size());
}
Block::BlockArgListType SweepKeysOp::getRegionIterArgs() {
  return getBody().getArguments().drop_front(kPositions);
}
std::optional<MutableArrayRef<OpOperand>>
SweepKeysOp::getYieldedValuesMutable() {
  return getBody().front().getTerminator()->getOpOperands();
}
std::optional<ResultRange> SweepKeysOp::getLoopResults() {
  return getResults();
}

OperandRange SweepKeysOp::getEntrySuccessorOperands(RegionSuccessor) {
  return getInits();
}
void SweepKeysOp::getSuccessorRegions(
    RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.emplace_back(&getBody(), getRegionIterArgs());
  successors.emplace_back(getOperation(), getResults());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A step in the interior hides no key.
template <typename StepOp> static void unmask(StepOp step) {
  step.removeWindowAttr();
  step.getOffsetMutable().clear();
  step.getKeyMaskMutable().clear();
}

/// The step of `sweep` in `loop`, which runs to `end`.
static void buildStep(OpBuilder &b, SweepKeysOp sweep, scf::ForOp loop,
                      SweepRun run, Value end) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Location loc = sweep.getLoc();
  int64_t keyTile = sweep.getKeyTile();
  bool isEdge = run == SweepRun::Edge;
  Value key = loop.getInductionVar();
  OpFoldResult size = b.getIndexAttr(keyTile);
  if (isEdge) {
    AffineExpr s0, s1;
    bindSymbols(b.getContext(), s0, s1);
    AffineExpr whole = getAffineConstantExpr(keyTile, b.getContext());
    size = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 2, {whole, s0 - s1}, b.getContext()),
        {OpFoldResult(end), OpFoldResult(key)});
  }
  IRMapping mapping;
  mapping.map(sweep.getKey(), key);
  mapping.map(sweep.getSize(), getValueOrCreateConstantIndexOp(b, loc, size));
  if (!sweep.getEdge().use_empty())
    mapping.map(sweep.getEdge(),
                arith::ConstantIntOp::create(b, loc, isEdge, 1).getResult());
  mapping.map(sweep.getState(), loop.getRegionIterArgs());
  Block &body = sweep.getBody().front();
  for (Operation &op : body.without_terminator()) {
    auto choice = dyn_cast<scf::IfOp>(op);
    if (choice && choice.getCondition() == sweep.getEdge()) {
      Block *taken = isEdge ? choice.thenBlock() : choice.elseBlock();
      if (!taken)
        continue;
      for (Operation &inner : taken->without_terminator())
        b.clone(inner, mapping);
      for (auto [result, value] : llvm::zip_equal(
               choice.getResults(), taken->getTerminator()->getOperands()))
        mapping.map(result, mapping.lookupOrDefault(value));
      continue;
    }
    Operation *clone = b.clone(op, mapping);
    if (isEdge)
      continue;
    TypeSwitch<Operation *>(clone)
        .Case<AttentionGradStepOp, AttentionJvpStepOp, OnlineAttentionOp>(
            [](auto step) { unmask(step); });
  }
  if (sweep.getInits().empty())
    return; // the loop has its terminator
  SmallVector<Value> next;
  for (Value value : body.getTerminator()->getOperands())
    next.push_back(mapping.lookupOrDefault(value));
  scf::YieldOp::create(b, loc, next);
}

SmallVector<LoopLikeOpInterface> SweepKeysOp::buildLoops(OpBuilder &b) {
  Value step = arith::ConstantIndexOp::create(b, getLoc(), getKeyTile());
  SmallVector<LoopLikeOpInterface> loops;
  SmallVector<Value> state(getInits());
  for (auto [i, run] : llvm::enumerate(getRunKinds())) {
    Value from = getBounds()[i], to = getBounds()[i + 1];
    auto loop = scf::ForOp::create(b, getLoc(), from, to, step, state);
    buildStep(b, *this, loop, run, to);
    state = SmallVector<Value>(loop.getResults());
    loops.push_back(cast<LoopLikeOpInterface>(*loop));
  }
  return loops;
}

FailureOr<SmallVector<Value>> SweepKeysOp::decomposeOperation(OpBuilder &b) {
  return SmallVector<Value>(buildLoops(b).back()->getResults());
}

namespace {
/// Runs from a key to the same key go.
struct DropEmptyRuns : OpRewritePattern<SweepKeysOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SweepKeysOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> bounds = {op.getFirstKey()};
    SmallVector<Attribute> runs;
    for (auto [run, to] :
         llvm::zip_equal(op.getRuns(), op.getBounds().drop_front())) {
      auto first = getConstantIntValue(bounds.back()),
           last = getConstantIntValue(to);
      if (bounds.back() == to || (first && last && *first == *last))
        continue;
      runs.push_back(run);
      bounds.push_back(to);
    }
    if (runs.size() == op.getRuns().size())
      return rewriter.notifyMatchFailure(op, "any run may have steps");
    if (runs.empty()) {
      rewriter.replaceOp(op, op.getInits());
      return success();
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setRunsAttr(rewriter.getArrayAttr(runs));
      op.getBoundsMutable().assign(bounds);
    });
    return success();
  }
};
} // namespace

void SweepKeysOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<DropEmptyRuns>(context);
}
