//===- GradSides.cpp - Where rows of gradients lie ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradSides.h"

using namespace mlir;
using namespace lattn;

/// Finds what pads `array`, and with it `others` and what is packed again of
/// `results`.
LogicalResult GradSides::findSide(Side &side, Value array,
                                  ArrayRef<Value> others,
                                  ArrayRef<unsigned> results) {
  side.pad = getPaddedSequences(array);
  if (!side.pad)
    return success();
  auto add = [&](Value other) -> LogicalResult {
    PadSequencesOp pad = getPaddedSequences(other);
    if (!haveSameSequences(pad, side.pad) ||
        pad.getRowAxis() != getRowAxis(other, op.getLayout()))
      return b.notifyMatchFailure(op, "expected all arrays with rows of packed "
                                      "sequences to be padded alike");
    side.arrays.push_back(pad);
    return success();
  };
  if (failed(add(array)) || llvm::any_of(others, [&](Value other) {
        return other && failed(add(other));
      }))
    return failure();
  for (unsigned result : results) {
    PackSequencesOp pack = getPackedResult(op, op->getResult(result), side.pad);
    if (!pack)
      return b.notifyMatchFailure(op, "expected each gradient of packed "
                                      "sequences to be used by one "
                                      "lattn.pack_sequences of these");
    side.arrays.push_back(pack);
  }
  return success();
}

LogicalResult GradSides::find() {
  hoistDestinations(b, op);
  if (failed(findSide(
          queries, op.getQuery(),
          {op.getOutput(), op.getDOutput(), op.getLse(), op.getDLse()}, {0})) ||
      failed(findSide(keys, op.getKey(), {op.getValue()}, {1, 2})))
    return failure();
  if (!keys.pad)
    return success();
  if (!getPaddedKeys(op, op.getPositionAxis()) || !op.getOrigin().empty())
    return b.notifyMatchFailure(op, "expected kv_lens to be the lengths of the "
                                    "packed sequences of keys");
  op.getKvLensMutable().clear();
  return success();
}

Span GradSides::open(const Side &side, Value batch, Value all) {
  if (!side.pad)
    return {Value(), all};
  SequenceRows rows = buildSequenceRows(b, side.pad, side.arrays, batch);
  return {rows.begin, rows.length};
}

GradRowArrays GradSides::getRowArrays() {
  return queries.pad ? GradRowArrays(b, op, queries.pad) : GradRowArrays(b, op);
}

Value GradSides::getDestination(unsigned result) {
  const Side &side = getSide(result);
  if (!side.pad)
    return op.getDpsInits()[result];
  return getPackedResult(op, op->getResult(result), side.pad).getOutput();
}

void GradSides::replace(ArrayRef<Value> results) {
  constexpr unsigned withRows = 3; // d_query, d_key, d_value
  for (auto [number, value] : llvm::enumerate(results)) {
    OpResult result = op->getResult(number);
    const Side &side = getSide(number);
    if (number < withRows && side.pad)
      b.replaceOp(getPackedResult(op, result, side.pad), value);
    else
      b.replaceAllUsesWith(result, value);
  }
  eraseWithUsers(b, op);
}
