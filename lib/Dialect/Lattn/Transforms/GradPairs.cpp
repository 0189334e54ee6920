//===- GradPairs.cpp - Gradients of what is read pair by pair -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A pair may add to any element of a bias or a captured array: pairs follow
// each other, in the order of tiles, keys and queries.

#include "GradTiler.h"
#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

SmallVector<Value> GradTiler::buildPairSums() {
  SmallVector<Value> arrays;
  if (op.getDBias())
    arrays.push_back(op.getBias());
  if (!op.getDCaptures().empty())
    llvm::append_range(arrays, op.getFloatCaptures());
  return llvm::map_to_vector(arrays, [&](Value array) {
    return filled(tensor::getMixedSizes(b, loc, array), 0.0);
  });
}

Value GradTiler::addElement(Value sum, ValueRange at, Value x) {
  Value old = tensor::ExtractOp::create(b, loc, sum, at);
  Value next =
      arith::AddFOp::create(b, loc, old, convertFloat(b, loc, x, type));
  return tensor::InsertOp::create(b, loc, next, sum, at);
}

/// `sums` and what one pair adds to them; `at` are global coordinates.
SmallVector<Value> GradTiler::addPair(Coordinates at, Value product,
                                      Value gradient, ValueRange sums) {
  SmallVector<Value> next(sums);
  if (op.getDBias()) {
    SmallVector<Value> dims = {at.batch, at.head, at.query, at.key}, indices;
    AffineMap map = op.getEffectiveBiasMap();
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      indices.push_back(
          affine::AffineApplyOp::create(b, loc, map.getSubMap({i}), dims));
    next[0] = addElement(next[0], indices, gradient);
  }
  if (op.getDCaptures().empty())
    return next;
  auto i32 = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  };
  Value scale = buildScale(
      b, loc, op, tensor::getMixedSize(b, loc, op.getQuery(), 3), type);
  SmallVector<Value> arguments = {arith::MulFOp::create(b, loc, product, scale),
                                  i32(at.batch), i32(at.head), i32(at.query),
                                  i32(at.key)};
  llvm::append_range(arguments, op.getCaptures());
  SmallVector<Value> captures = op.getFloatCaptures();
  FailureOr<ReverseBlock> reverse = buildReverse(
      b, op.getScore().front(), arguments, gradient,
      [&](Value value) { return llvm::is_contained(captures, value); });
  assert(succeeded(reverse) && "differentiateScore went over the same ops");
  // A pair that is hidden may have derivatives that are NaN.
  Value isHidden = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                         gradient, constant(0.0));
  for (const ReadCotangent &read : reverse->reads) {
    unsigned number = llvm::find(captures, read.array) - captures.begin();
    Value &sum = next[number + (op.getDBias() ? 1 : 0)];
    Value x = convertFloat(b, loc, read.cotangent, type);
    x = arith::SelectOp::create(b, loc, isHidden, constant(0.0), x);
    sum = addElement(sum, read.indices, x);
  }
  return next;
}

/// `sums` and what a tile's pairs add to them.
SmallVector<Value> GradTiler::addPairs(Value head, Value first, Value key,
                                       Value keyCount, Value queryCount,
                                       ValueRange pairs, ValueRange sums) {
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, {zero, zero}, {keyCount, queryCount}, {one, one}, sums,
      [&](OpBuilder &, Location, ValueRange at, ValueRange carried) {
        auto global = [&](Value from, Value local, unsigned coordinate) {
          return toGlobal(arith::AddIOp::create(b, loc, from, local),
                          coordinate);
        };
        Coordinates where = {toGlobal(batch, 0), toGlobal(head, 1),
                             global(first, at[1], 2), global(key, at[0], 3)};
        Value product = tensor::ExtractOp::create(b, loc, pairs[0], at);
        Value gradient = tensor::ExtractOp::create(b, loc, pairs[1], at);
        return addPair(where, product, gradient, carried);
      });
  return nest.results;
}
