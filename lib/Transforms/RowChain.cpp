//===- RowChain.cpp - Chains of token-wise work ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowChain.h"
#include "lattn/Transforms/Transforms.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Rows of an op and of what it reads
//===----------------------------------------------------------------------===//

static std::optional<unsigned> getLoopOf(AffineMap map, unsigned axis) {
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(axis));
  return loop ? std::optional(loop.getPosition()) : std::nullopt;
}

static AffineMap getResultMap(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

/// The loops of what gives `operand` that go where `loops` of its reader go;
/// fewer if some do not reach it.
static RowLoops toProducer(OpOperand &operand, ArrayRef<unsigned> loops) {
  auto reader = cast<linalg::LinalgOp>(operand.getOwner());
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  AffineMap read = reader.getMatchingIndexingMap(&operand);
  AffineMap written = getResultMap(producer);
  RowLoops found;
  for (unsigned loop : loops)
    for (unsigned axis = 0; axis < read.getNumResults(); ++axis)
      if (getLoopOf(read, axis) == loop)
        if (std::optional<unsigned> at = getLoopOf(written, axis))
          found.push_back(*at);
  return found;
}

/// The loops of the reader of `operand` where `loops` of what gives it go;
/// fewer if some do not reach it or are not parallel there.
static RowLoops toReader(OpOperand &operand, ArrayRef<unsigned> loops) {
  auto reader = cast<linalg::LinalgOp>(operand.getOwner());
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  AffineMap read = reader.getMatchingIndexingMap(&operand);
  AffineMap written = getResultMap(producer);
  SmallVector<utils::IteratorType> kinds = reader.getIteratorTypesArray();
  RowLoops found;
  for (unsigned loop : loops)
    for (unsigned axis = 0; axis < written.getNumResults(); ++axis)
      if (getLoopOf(written, axis) == loop)
        if (std::optional<unsigned> at = getLoopOf(read, axis))
          if (kinds[*at] == utils::IteratorType::parallel)
            found.push_back(*at);
  return found;
}

/// An op whose rows can be computed by themselves.
static bool isRowWise(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() &&
         op->getNumResults() == 1 && isa<TilingInterface>(op);
}

/// Without loops over a single row.
static RowLoops dropUnits(linalg::LinalgOp op, RowLoops loops) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  llvm::erase_if(loops, [&](unsigned loop) { return sizes[loop] == 1; });
  return loops;
}

static RowLoops findRowLoops(linalg::LinalgOp op,
                             DenseMap<Operation *, RowLoops> &known) {
  auto [entry, isNew] = known.try_emplace(op);
  if (!isNew)
    return entry->second;
  RowLoops loops;
  if (isMatmul(op)) {
    linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
    loops.append(dims.batch.begin(), dims.batch.end());
    loops.push_back(dims.m[0]);
    loops = dropUnits(op, loops);
  }
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!loops.empty() || !isRowWise(producer) ||
        producer->getBlock() != op->getBlock())
      continue;
    RowLoops theirs = findRowLoops(cast<linalg::LinalgOp>(producer), known);
    RowLoops mine = toReader(operand, theirs);
    if (mine.size() == theirs.size())
      loops = mine;
  }
  return known[op] = loops;
}

RowLoops lattn::findRowLoops(linalg::LinalgOp op) {
  if (!isRowWise(op))
    return {};
  DenseMap<Operation *, RowLoops> known;
  return ::findRowLoops(op, known);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// Cheaper to compute twice than to read.
static bool isStart(Operation *op) {
  return isa<linalg::FillOp, linalg::BroadcastOp>(op);
}

/// The loops of `producer` over the rows that a block of the chain reads.
FailureOr<RowLoops> RowChain::findRowLoops(linalg::LinalgOp producer,
                                           std::string &reason) const {
  std::optional<RowLoops> found;
  for (OpOperand &use : producer->getUses()) {
    Operation *user = use.getOwner();
    Operation *reader = root->getBlock()->findAncestorOpInBlock(*user);
    if (!contains(user)) {
      if (isStart(producer) || root->isBeforeInBlock(reader))
        continue;
      reason = "another op reads it before the last op of the chain";
      return failure();
    }
    ArrayRef<unsigned> wanted = loops.find(user)->second;
    RowLoops rows = toProducer(use, wanted);
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
    auto producer = cast<linalg::LinalgOp>(op);
    std::string reason;
    FailureOr<RowLoops> found = findRowLoops(producer, reason);
    if (failed(found)) {
      // Weights may be prepared as they like.
      if (!lattn::findRowLoops(producer).empty())
        reasons[op] = reason;
      continue;
    }
    if (!isStart(op) && !llvm::all_of(op->getUsers(), [&](Operation *user) {
          return contains(user);
        }))
      readLater.insert(op);
    loops[op] = *found;
    producers.push_back(producer);
  }
}

bool RowChain::isWorthwhile() const {
  bool hasProduct = isMatmul(root);
  unsigned others = !hasProduct;
  for (linalg::LinalgOp op : producers) {
    bool isProduct = isMatmul(op);
    others +=
        isProduct ? hasProduct : !isa<linalg::FillOp, linalg::BroadcastOp>(*op);
    hasProduct |= isProduct;
  }
  return hasProduct && others > 0;
}
