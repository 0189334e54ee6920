//===- RowChain.cpp - Chains of token-wise work ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowChain.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Rows of an op and of what it reads
//===----------------------------------------------------------------------===//

static std::optional<unsigned> getLoopOf(AffineMap map, unsigned axis) {
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(axis));
  return loop ? std::optional(loop.getPosition()) : std::nullopt;
}

static AffineMap getMap(OpResult result) {
  return cast<linalg::LinalgOp>(result.getOwner())
      .getIndexingMapMatchingResult(result);
}

bool lattn::isView(Operation *op) {
  return isa_and_nonnull<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp>(op);
}

/// The axis that `axis` is merged with, or split into, if the others of their
/// group have one element each. `parts`: the shape that has the group.
static std::optional<unsigned> findPart(ArrayRef<int64_t> group,
                                        ArrayRef<int64_t> parts) {
  std::optional<unsigned> found;
  for (int64_t axis : group) {
    if (parts[axis] == 1 && group.size() > 1)
      continue;
    if (found)
      return std::nullopt;
    found = axis;
  }
  return found;
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Between axes of a view's source and of its result: {source, result} of those
/// that stay what they are.
static SmallVector<std::pair<unsigned, unsigned>> matchAxes(Operation *view) {
  SmallVector<std::pair<unsigned, unsigned>> axes;
  Value source = view->getOperand(0), result = view->getResult(0);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(view)) {
    if (slice.getSourceType().getRank() != slice.getType().getRank())
      return axes;
    for (unsigned i = 0; i < getShape(source).size(); ++i)
      if (isZeroInteger(slice.getMixedOffsets()[i]) &&
          isOneInteger(slice.getMixedStrides()[i]))
        axes.emplace_back(i, i);
    return axes;
  }
  auto match = [&](ArrayRef<ReassociationIndices> groups, Value parts,
                   bool partsAreResult) {
    for (auto [whole, group] : llvm::enumerate(groups))
      if (std::optional<unsigned> part = findPart(group, getShape(parts)))
        axes.emplace_back(partsAreResult ? whole : *part,
                          partsAreResult ? *part : whole);
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view))
    match(expand.getReassociationIndices(), result, true);
  else
    match(cast<tensor::CollapseShapeOp>(view).getReassociationIndices(), source,
          false);
  return axes;
}

/// Between axes of `operand` and loops of its reader: {axis, loop} of those
/// that go over one.
static SmallVector<std::pair<unsigned, unsigned>>
matchLoops(OpOperand &operand) {
  auto reader = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  if (!reader)
    return matchAxes(operand.getOwner());
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  AffineMap map = reader.getMatchingIndexingMap(&operand);
  for (unsigned axis = 0; axis < map.getNumResults(); ++axis)
    if (std::optional<unsigned> loop = getLoopOf(map, axis))
      pairs.emplace_back(axis, *loop);
  return pairs;
}

/// The axes of `operand` that `loops` of its reader go over; fewer if some do
/// not go over it.
static RowLoops toAxes(OpOperand &operand, ArrayRef<unsigned> loops) {
  RowLoops axes;
  for (unsigned wanted : loops)
    for (auto [axis, loop] : matchLoops(operand))
      if (loop == wanted)
        axes.push_back(axis);
  return axes;
}

/// The loops of the reader of `operand` that go over `axes`; fewer if some are
/// not parallel.
static RowLoops fromAxes(OpOperand &operand, ArrayRef<unsigned> axes) {
  auto reader = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  auto isParallel = [&](unsigned loop) {
    return !reader || reader.getIteratorTypesArray()[loop] ==
                          utils::IteratorType::parallel;
  };
  RowLoops loops;
  for (unsigned wanted : axes)
    for (auto [axis, loop] : matchLoops(operand))
      if (axis == wanted && isParallel(loop))
        loops.push_back(loop);
  return loops;
}

/// The loops of an op that go over `axes` of a result; those of a view are the
/// axes.
static RowLoops toLoops(OpResult result, ArrayRef<unsigned> axes) {
  if (!isa<linalg::LinalgOp>(result.getOwner()))
    return RowLoops(axes);
  RowLoops loops;
  for (unsigned axis : axes)
    if (std::optional<unsigned> loop = getLoopOf(getMap(result), axis))
      loops.push_back(*loop);
  return loops;
}

/// The axes of a result that `loops` of its op go over.
static RowLoops toResult(OpResult result, ArrayRef<unsigned> loops) {
  if (!isa<linalg::LinalgOp>(result.getOwner()))
    return RowLoops(loops);
  RowLoops axes;
  AffineMap map = getMap(result);
  for (unsigned loop : loops)
    for (unsigned axis = 0; axis < map.getNumResults(); ++axis)
      if (getLoopOf(map, axis) == loop)
        axes.push_back(axis);
  return axes;
}

/// An op whose rows can be computed by themselves.
static bool isRowWise(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp)
    return isView(op);
  // Upstream's tiling crashes on loops of no iterations.
  return linalgOp.hasPureTensorSemantics() && op->getNumResults() > 0 &&
         isa<TilingInterface>(op) &&
         !llvm::is_contained(linalgOp.getStaticLoopRanges(), 0);
}

/// Without loops over a single row.
static RowLoops dropUnits(linalg::LinalgOp op, RowLoops loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  llvm::erase_if(loops, [&](unsigned loop) { return sizes[loop] == 1; });
  return loops;
}

static RowLoops findRowLoops(Operation *op,
                             DenseMap<Operation *, RowLoops> &known) {
  auto [entry, isNew] = known.try_emplace(op);
  if (!isNew)
    return entry->second;
  RowLoops loops;
  auto product = dyn_cast<linalg::LinalgOp>(op);
  if (product && isMatmul(product)) {
    linalg::ContractionDimensions dims = *linalg::inferContractionDims(product);
    loops.append(dims.batch.begin(), dims.batch.end());
    loops.push_back(dims.m[0]);
    loops = dropUnits(product, loops);
  }
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!loops.empty() || !isRowWise(producer) ||
        producer->getBlock() != op->getBlock())
      continue;
    RowLoops theirs = findRowLoops(producer, known);
    RowLoops mine =
        fromAxes(operand, toResult(cast<OpResult>(operand.get()), theirs));
    if (mine.size() == theirs.size())
      loops = mine;
  }
  return known[op] = loops;
}

RowLoops lattn::findRowLoops(Operation *op) {
  if (!isRowWise(op))
    return {};
  DenseMap<Operation *, RowLoops> known;
  return ::findRowLoops(op, known);
}

RowLoops lattn::findLeadingLoops(linalg::LinalgOp op) {
  if (!isRowWise(op) || isMatmul(op))
    return {};
  AffineMap map = getMap(op->getResult(0));
  bool isSimple = llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation(/*allowZeroInResults=*/true);
  });
  if (!isSimple)
    return {};
  RowLoops loops;
  for (unsigned axis = 0; axis + 1 < map.getNumResults(); ++axis)
    if (std::optional<unsigned> loop = getLoopOf(map, axis))
      loops.push_back(*loop);
  return dropUnits(op, loops);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

SmallVector<std::pair<unsigned, unsigned>>
RowChain::matchRows(Operation *view) const {
  SmallVector<std::pair<unsigned, unsigned>> axes = matchAxes(view);
  llvm::erase_if(axes, [&](auto pair) {
    return !llvm::is_contained(getRowLoops(view), pair.second);
  });
  return axes;
}

/// Cheaper to compute twice than to read.
static bool isStart(Operation *op) {
  return isa<linalg::FillOp, linalg::BroadcastOp>(op);
}

/// The loops of `producer` over the rows that a block of the chain reads.
FailureOr<RowLoops> RowChain::findRowLoops(Operation *producer,
                                           std::string &reason) const {
  std::optional<RowLoops> found;
  for (OpOperand &use : producer->getUses()) {
    Operation *user = use.getOwner();
    Operation *reader = root->getBlock()->findAncestorOpInBlock(*user);
    if (!contains(user)) {
      // A slice may have fewer rows than what it is a slice of.
      bool isPart =
          isView(producer) ||
          llvm::any_of(producer->getUsers(), [&](Operation *other) {
            return isa<tensor::ExtractSliceOp>(other) && contains(other);
          });
      if (isStart(producer) || (!isPart && root->isBeforeInBlock(reader)))
        continue;
      reason = "another op reads it before the last op of the chain";
      return failure();
    }
    ArrayRef<unsigned> wanted = loops.find(user)->second;
    RowLoops rows = toLoops(cast<OpResult>(use.get()), toAxes(use, wanted));
    if (rows.size() != wanted.size()) {
      reason = "a block of rows would read all of its rows";
      return failure();
    }
    if (found && *found != rows) {
      reason = "a block of rows would read others of its rows, too";
      return failure();
    }
    found = rows;
  }
  return *found;
}

RowChain::RowChain(linalg::LinalgOp root, RowLoops rootLoops, Reasons &reasons)
    : root(root) {
  loops[root] = rootLoops;
  auto isRead = [&](Operation *op) {
    return llvm::any_of(op->getUsers(),
                        [&](Operation *user) { return contains(user); });
  };
  for (Operation *op = root->getPrevNode(); op; op = op->getPrevNode()) {
    if (!isRowWise(op) || !isRead(op))
      continue;
    std::string reason;
    FailureOr<RowLoops> found = findRowLoops(op, reason);
    if (failed(found)) {
      // Weights may be prepared as they like.
      if (!isView(op) && !lattn::findRowLoops(op).empty())
        reasons[op] = reason;
      continue;
    }
    if (!isStart(op) && !llvm::all_of(op->getUsers(), [&](Operation *user) {
          return contains(user);
        }))
      readLater.insert(op);
    loops[op] = *found;
    if (isView(op) && matchRows(op).size() != found->size()) {
      loops.erase(op); // it merges or cuts rows
      continue;
    }
    producers.push_back(op);
  }
}

bool RowChain::hasProduct() const {
  return isMatmul(root) || llvm::any_of(producers, [](Operation *op) {
           auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
           return linalgOp && isMatmul(linalgOp);
         });
}

bool RowChain::isWorthwhile() const {
  unsigned ops = !isStart(root);
  for (Operation *op : producers)
    ops += isa<linalg::LinalgOp>(op) && !isStart(op);
  return ops > (hasProduct() ? 1 : 0);
}

/// Of a tensor without `axes`; 0 if that is not known.
static double getBytes(Value value, ArrayRef<unsigned> axes) {
  auto type = cast<RankedTensorType>(value.getType());
  double bytes = type.getElementTypeBitWidth() / 8.0;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    if (llvm::is_contained(axes, axis))
      continue;
    if (ShapedType::isDynamic(size))
      return 0;
    bytes *= size;
  }
  return bytes;
}

double RowChain::getRowBytes(linalg::LinalgOp op) const {
  double bytes = 0;
  for (OpResult result : op->getResults())
    bytes += getBytes(result, toResult(result, getRowLoops(op)));
  return bytes;
}

double RowChain::getMovedBytes() const {
  DenseSet<Value> seen;
  double bytes = 0;
  auto add = [&](linalg::LinalgOp op) {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      RowLoops axes = toAxes(*operand, getRowLoops(op));
      Operation *source = operand->get().getDefiningOp();
      while (isView(source) && contains(source))
        source = source->getOperand(0).getDefiningOp();
      if (!axes.empty() && !contains(source) &&
          seen.insert(operand->get()).second)
        bytes += getBytes(operand->get(), axes);
    }
    if (op == root || isReadLater(op))
      bytes += getRowBytes(op);
  };
  add(root);
  for (Operation *op : producers)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      add(linalgOp);
  return bytes;
}

double RowChain::getRowBytes() const {
  double widest = getRowBytes(root), most = widest;
  for (Operation *op : producers) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      continue;
    double bytes = getRowBytes(linalgOp);
    most = std::max(most, widest + bytes);
    widest = std::max(widest, bytes);
  }
  return most;
}

OpFoldResult RowChain::countRows(OpBuilder &b) const {
  linalg::LinalgOp op = root;
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(b);
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  OpFoldResult count = b.getIndexAttr(1);
  for (unsigned loop : getRowLoops(op))
    count = affine::makeComposedFoldedAffineApply(b, op.getLoc(), s0 * s1,
                                                  {count, domain[loop].size});
  return count;
}
