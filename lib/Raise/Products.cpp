//===- Products.cpp - The two products of an attention --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn::raise;

std::optional<Product> lattn::raise::getProduct(Evaluator &evaluator,
                                                linalg::LinalgOp op) {
  if (!op || op->getNumResults() != 1 || op.getNumDpsInputs() != 2 ||
      !linalg::isaContractionOpInterface(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation())
      return std::nullopt;
  Product product;
  product.op = op;
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  if (summed.size() != 1)
    return std::nullopt;
  product.summed = summed[0];
  for (AffineExpr expr : maps[2].getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    bool left = maps[0].isFunctionOfDim(dim);
    bool right = maps[1].isFunctionOfDim(dim);
    (left && right ? product.batch
     : left        ? product.left
                   : product.right)
        .push_back(dim);
  }
  SmallVector<Expr> zero(maps[2].getNumResults(), evaluator.exprs.number(0));
  if (!evaluator.getElement(op.getDpsInits()[0], zero)->isReal(0))
    return std::nullopt;
  return product;
}

SmallVector<Expr> Product::getIndices(Evaluator &evaluator, unsigned operand,
                                      ArrayRef<Expr> loops) const {
  SmallVector<Expr> indices;
  for (AffineExpr expr :
       linalg::LinalgOp(op).getIndexingMapsArray()[operand].getResults())
    indices.push_back(evaluator.apply(expr, loops));
  return indices;
}

//===----------------------------------------------------------------------===//
// Weights times values
//===----------------------------------------------------------------------===//

static Expr getLoopExtent(Evaluator &evaluator, linalg::LinalgOp op,
                          unsigned loop) {
  Value operand;
  unsigned axis;
  if (failed(op.mapIterationSpaceDimToOperandDim(loop, operand, axis)))
    return nullptr;
  return evaluator.getExtent(operand, axis);
}

/// The axes of `wide`, in a group that a reshape merged, that are more than one
/// and whose sizes are known.
static SmallVector<Expr> getSizes(Evaluator &evaluator, Value wide,
                                  ArrayRef<int64_t> group) {
  SmallVector<Expr> sizes;
  for (int64_t axis : group)
    if (Expr size = evaluator.getExtent(wide, axis); !size->isNumber(1))
      sizes.push_back(size);
  bool isKnown = llvm::all_of(sizes, [&](Expr size) {
    return size->is(Kind::Const) || evaluator.splitsOpenAxes;
  });
  return sizes.size() > 1 && isKnown ? sizes : SmallVector<Expr>();
}

/// The sizes of the axes that loop `loop` goes over, where a reshape beside the
/// product merged several.
static SmallVector<Expr> getMerged(Evaluator &evaluator, linalg::LinalgOp op,
                                   unsigned loop) {
  auto getAxis = [&](OpOperand &operand) {
    return op.getMatchingIndexingMap(&operand).getResultPosition(
        getAffineDimExpr(loop, op->getContext()));
  };
  // What is beside the result says most; shared heads may split values more.
  std::optional<unsigned> axis = getAxis(*op.getDpsInitOperand(0));
  for (Operation *user : op->getUsers())
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user); expand && axis)
      return getSizes(evaluator, expand.getResult(),
                      expand.getReassociationIndices()[*axis]);
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> axis = getAxis(operand);
    auto collapse = operand.get().getDefiningOp<tensor::CollapseShapeOp>();
    if (axis && collapse)
      return getSizes(evaluator, collapse.getSrc(),
                      collapse.getReassociationIndices()[*axis]);
  }
  return {};
}

/// Of the loops of weights alone, the last one in their array.
static unsigned getQueryLoop(const ValueProduct &found,
                             ArrayRef<unsigned> rows) {
  linalg::LinalgOp op = found.product.op;
  AffineMap map = op.getIndexingMapsArray()[found.weightsOperand];
  unsigned last = rows.front();
  for (AffineExpr expr : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (llvm::is_contained(rows, loop))
      last = loop;
  }
  return last;
}

static bool makeLoops(Evaluator &evaluator, ValueProduct &found,
                      ArrayRef<unsigned> rows) {
  Exprs &exprs = evaluator.exprs;
  linalg::LinalgOp op = found.product.op;
  found.loops.assign(op.getNumLoops(), nullptr);
  unsigned query = getQueryLoop(found, rows);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    Expr extent = getLoopExtent(evaluator, op, loop);
    if (!extent)
      return false;
    bool isBatch = llvm::is_contained(found.product.batch, loop);
    // A group of one head; queries are what is nearest to the keys.
    bool isOtherRow = llvm::is_contained(rows, loop) && loop != query;
    if ((isBatch || isOtherRow) && extent->isNumber(1)) {
      found.loops[loop] = exprs.number(0);
      continue;
    }
    SmallVector<Expr> sizes =
        isBatch ? getMerged(evaluator, op, loop) : SmallVector<Expr>();
    if (sizes.empty()) {
      found.loops[loop] = exprs.var(extent);
      continue;
    }
    Expr index = exprs.number(0);
    for (Expr size : sizes) {
      Expr atom = exprs.var(size);
      found.batchAtoms.push_back(atom);
      index = exprs.add(exprs.multiply(index, size), atom);
    }
    found.loops[loop] = index;
  }
  for (unsigned loop : found.product.batch)
    if (found.loops[loop]->is(Kind::Var))
      found.batchAtoms.push_back(found.loops[loop]);
  return true;
}

/// With the exponentials in place of the product.
static Expr replaceProduct(Exprs &exprs, Expr e, Expr product, Expr by) {
  if (e == product)
    return by;
  if (!e->is(Kind::Div) && !e->is(Kind::Mul) && !e->is(Kind::Select))
    return e;
  SmallVector<Expr> operands;
  for (Expr operand : e->operands)
    operands.push_back(replaceProduct(exprs, operand, product, by));
  if (e->is(Kind::Select))
    return exprs.select(operands[0], operands[1], operands[2]);
  return exprs.make(e->kind, operands);
}

/// The indices in the view's result of the element at `indices`.
static Value followView(Evaluator &evaluator, Operation *user,
                        SmallVectorImpl<Expr> &indices) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(user)) {
    SmallVector<Expr> moved;
    for (int64_t axis : transpose.getPermutation())
      moved.push_back(indices[axis]);
    indices.assign(moved);
    return transpose->getResult(0);
  }
  if (auto cast = dyn_cast<tensor::CastOp>(user))
    return cast.getResult();
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user)) {
    indices.assign(evaluator.mergeIndices(
        indices, collapse.getReassociationIndices(), collapse.getSrc()));
    return collapse.getResult();
  }
  auto expand = dyn_cast<tensor::ExpandShapeOp>(user);
  if (!expand)
    return {};
  indices.assign(evaluator.splitIndices(
      indices, expand.getReassociationIndices(), expand.getResult()));
  return expand.getResult();
}

/// Finds the division of a product of exponentials.
static bool findDivision(Evaluator &evaluator, ValueProduct &found,
                         std::string &reason) {
  Exprs &exprs = evaluator.exprs;
  linalg::LinalgOp op = found.product.op;
  SmallVector<Expr> indices =
      found.product.getIndices(evaluator, 2, found.loops);
  Expr product = exprs.load(op->getResult(0), indices);
  Value value = op->getResult(0);
  reason = "exponentials are not divided by their sum";
  for (unsigned steps = 0; steps < 8; ++steps) {
    Operation *only = nullptr;
    for (Operation *user : value.getUsers()) {
      if (isa<tensor::DimOp>(user))
        continue;
      if (only && only != user)
        return false;
      only = user;
    }
    if (!only)
      return false;
    if (Value view = followView(evaluator, only, indices)) {
      value = view;
      continue;
    }
    auto division = dyn_cast<linalg::LinalgOp>(only);
    if (!division || division.getNumReductionLoops() ||
        division->getNumResults() != 1 ||
        value.getType() != division->getResult(0).getType())
      return false;
    SmallVector<AffineMap> maps = division.getIndexingMapsArray();
    for (OpOperand &use : value.getUses())
      if (use.getOwner() == only &&
          division.getMatchingIndexingMap(&use) != maps.back())
        return false;
    if (!maps.back().isPermutation())
      return false;
    Expr quotient = evaluator.getElement(division->getResult(0), indices);
    found.divided = division->getResult(0);
    found.dividend = value;
    found.weights = replaceProduct(exprs, quotient, product, found.weights);
    return true;
  }
  return false;
}

std::optional<ValueProduct> lattn::raise::getValueProduct(Evaluator &evaluator,
                                                          linalg::LinalgOp op,
                                                          std::string &reason) {
  std::optional<Product> product = getProduct(evaluator, op);
  if (!product)
    return std::nullopt;
  for (unsigned operand : {0, 1}) {
    ValueProduct found(*product, operand);
    auto &rows = operand ? product->right : product->left;
    auto &features = operand ? product->left : product->right;
    if (rows.empty() || features.size() != 1 ||
        !makeLoops(evaluator, found, rows))
      continue;
    found.key = found.loops[product->summed];
    found.feature = found.loops[features[0]];
    for (unsigned loop : rows)
      if (found.loops[loop]->is(Kind::Var))
        found.rows.push_back(found.loops[loop]);
    found.weights = evaluator.getElement(
        op->getOperand(operand),
        product->getIndices(evaluator, operand, found.loops));
    if (!mayBeSoftmax(found.weights))
      continue;
    if (isExponential(evaluator.exprs, found.weights) &&
        !findDivision(evaluator, found, reason))
      return std::nullopt;
    return found;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Queries times keys
//===----------------------------------------------------------------------===//

static void findProducts(Expr e, Expr key, llvm::DenseSet<Expr> &seen,
                         SmallVectorImpl<Expr> &found) {
  if (!seen.insert(e).second || e->is(Kind::Var))
    return;
  if (e->is(Kind::Load) && e->dependsOn(key))
    if (auto op = e->value.getDefiningOp<linalg::LinalgOp>())
      if (linalg::isaContractionOpInterface(op))
        found.push_back(e);
  for (Expr operand : e->operands)
    findProducts(operand, key, seen, found);
}

SmallVector<Expr> lattn::raise::findScoreProducts(Expr scores, Expr key) {
  llvm::DenseSet<Expr> seen;
  SmallVector<Expr> found;
  findProducts(scores, key, seen, found);
  return found;
}

std::optional<ScoreProduct>
lattn::raise::matchScoreProduct(Evaluator &evaluator, Expr load,
                                ArrayRef<Expr> indices, const Frame &frame) {
  auto op = load->value.getDefiningOp<linalg::LinalgOp>();
  std::optional<Product> product = getProduct(evaluator, op);
  if (!product)
    return std::nullopt;
  std::optional<SmallVector<Expr>> loops = evaluator.getLoops(op, 0, indices);
  Expr extent = getLoopExtent(evaluator, op, product->summed);
  if (!loops || !extent)
    return std::nullopt;
  Expr feature = evaluator.exprs.var(extent);
  (*loops)[product->summed] = feature;
  if (llvm::is_contained(*loops, nullptr))
    return std::nullopt;
  for (unsigned query : {0, 1}) {
    SmallVector<Expr> ofQuery = product->getIndices(evaluator, query, *loops);
    SmallVector<Expr> ofKey = product->getIndices(evaluator, !query, *loops);
    auto dependOn = [](ArrayRef<Expr> indices, Expr var) {
      return llvm::any_of(indices, [&](Expr e) { return e->dependsOn(var); });
    };
    if (!dependOn(ofKey, frame.key) || dependOn(ofQuery, frame.key))
      continue;
    ScoreProduct found{load, query == 1, feature, {}, {}};
    found.queries = getSources(evaluator, op->getOperand(query), ofQuery,
                               {frame, frame.query, feature, true});
    found.keys = getSources(evaluator, op->getOperand(!query), ofKey,
                            {frame, frame.key, feature, false});
    if (!found.queries.empty() && !found.keys.empty())
      return found;
  }
  return std::nullopt;
}
