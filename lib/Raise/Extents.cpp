//===- Extents.cpp - Sizes that a valid program has equal -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace lattn::raise;

/// Of more operations, what is nearest.
static constexpr unsigned kMaxOps = 1024;
/// An equality may become useful by others.
static constexpr unsigned kMaxRounds = 4;

namespace {
class Collection {
public:
  explicit Collection(Exprs &exprs) : exprs(exprs) {}

  /// Whether anything new is known.
  bool visit(ArrayRef<Operation *> ops);
  llvm::DenseMap<Expr, Expr> known;

private:
  bool equate(Expr a, Expr b);
  bool assign(Expr atom, Expr value);
  Expr replace(Expr in, Expr atom, Expr value);
  bool visitExpand(Evaluator &evaluator, tensor::ExpandShapeOp op);
  bool visitLoops(Evaluator &evaluator, linalg::LinalgOp op);

  Exprs &exprs;
};
} // namespace

/// Whether it is `dim`, or below.
static bool contains(Expr e, Expr dim) {
  return e == dim || llvm::any_of(e->operands, [&](Expr operand) {
           return contains(operand, dim);
         });
}

/// As a term of the sum, or a factor of one.
Expr Collection::replace(Expr in, Expr atom, Expr value) {
  Expr sum = exprs.number(getConstantTerm(in));
  forEachTerm(in, [&](Expr term, int64_t factor) {
    if (term->is(Kind::Product))
      term = exprs.multiply(replace(term->operands[0], atom, value),
                            replace(term->operands[1], atom, value));
    sum = exprs.add(sum, exprs.scale(term == atom ? value : term, factor));
  });
  return sum;
}

/// Of dimensions alone, and of their parts where they are known to be whole.
bool Collection::assign(Expr atom, Expr value) {
  Expr dim = atom;
  if (atom->is(Kind::FloorDiv)) {
    dim = atom->operands[0];
    Expr size = atom->operands[1];
    if (!size->is(Kind::Const) ||
        known.lookup(dim) != exprs.scale(atom, size->number))
      return false;
    value = exprs.scale(value, size->number);
  } else if (!atom->is(Kind::Dim) || known.contains(atom)) {
    return false;
  }
  if (value->range.low < 0)
    return false;
  known[dim] = value;
  Expr part = atom->is(Kind::FloorDiv)
                  ? exprs.floorDiv(value, atom->operands[1])
                  : value;
  for (auto &[other, of] : known)
    if (other != dim)
      of = replace(of, atom, part);
  return true;
}

bool Collection::equate(Expr a, Expr b) {
  Expr difference = exprs.sub(a, b);
  SmallVector<std::pair<Expr, int64_t>> terms;
  forEachTerm(difference, [&](Expr term, int64_t factor) {
    terms.push_back({term, factor});
  });
  // The newest first.
  for (auto [atom, factor] : llvm::reverse(terms)) {
    if (!atom->is(Kind::Dim) && !atom->is(Kind::FloorDiv))
      continue;
    Expr rest = exprs.sub(difference, exprs.scale(atom, factor));
    bool divides = getConstantTerm(rest) % factor == 0;
    Expr value = exprs.number(-getConstantTerm(rest) / factor);
    bool isOwn = false; // dim = size * floor(dim / size)
    forEachTerm(rest, [&, atom = atom, factor = factor](Expr term, int64_t of) {
      divides &= of % factor == 0;
      value = exprs.add(value, exprs.scale(term, -of / factor));
      isOwn |= term->is(Kind::FloorDiv) && term->operands[0] == atom;
    });
    if (divides && (isOwn ? terms.size() == 2 : !contains(rest, atom)) &&
        assign(atom, value))
      return true;
  }
  return false;
}

bool Collection::visitExpand(Evaluator &evaluator, tensor::ExpandShapeOp op) {
  bool changed = false;
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    Expr size = exprs.number(1);
    for (int64_t of : group)
      size = exprs.multiply(size, evaluator.getExtent(op.getResult(), of));
    changed |= equate(evaluator.getExtent(op.getSrc(), axis), size);
  }
  return changed;
}

bool Collection::visitLoops(Evaluator &evaluator, linalg::LinalgOp op) {
  SmallVector<Expr> extents(op.getNumLoops(), nullptr);
  bool changed = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      Expr extent = evaluator.getExtent(operand.get(), axis);
      Expr &known = extents[dim.getPosition()];
      if (known)
        changed |= equate(known, extent);
      known = extent;
    }
  }
  return changed;
}

bool Collection::visit(ArrayRef<Operation *> ops) {
  // What is known by now is in what it finds.
  Evaluator evaluator(exprs);
  evaluator.knownExtents = known;
  evaluator.keepsSums = true;
  bool changed = false;
  for (Operation *op : ops) {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      changed |= visitExpand(evaluator, expand);
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      changed |= visitLoops(evaluator, linalgOp);
  }
  return changed;
}

llvm::DenseMap<Expr, Expr> lattn::raise::collectExtents(Exprs &exprs,
                                                        Operation *op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (unsigned i = 0; i < ops.size() && ops.size() < kMaxOps; ++i)
    ops[i]->walk([&](Operation *inner) { // regions read what is outside, too
      for (Value operand : inner->getOperands())
        if (Operation *defining = operand.getDefiningOp();
            defining && !ops[i]->isProperAncestor(defining))
          ops.insert(defining);
    });
  SmallVector<Operation *> inOrder(llvm::reverse(ops.getArrayRef()));
  Collection collection(exprs);
  for (unsigned round = 0; round < kMaxRounds; ++round)
    if (!collection.visit(inOrder))
      break;
  return collection.known;
}
