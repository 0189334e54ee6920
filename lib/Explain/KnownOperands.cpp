//===- KnownOperands.cpp - What a run's arguments tell of ops -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownOperands.h"
#include "lattn/Execution/Elements.h"
#include "mlir/IR/Matchers.h"

using namespace lattn;
using namespace mlir;

KnownOperands::KnownOperands(AttentionOp op, Specialized &run,
                             AttentionWork &work)
    : run(run), work(work), lens(find(op.getKvLens(), "kv_lens")),
      mask(find(op.getKeyMask(), "key_mask")) {
  APInt constant(64, 0);
  if (op.getOffset() && matchPattern(op.getOffset(), m_ConstantInt(&constant)))
    constantOffset = constant.getSExtValue();
  else
    offsets = find(op.getOffset(), "offset");
  findOrigin(op.getOrigin());
}

const NumpyArray *KnownOperands::find(Value value, StringRef name) {
  const NumpyArray *array = value ? run.getArgument(value) : nullptr;
  if (value && !array)
    work.unknown.push_back(name);
  return array;
}

std::optional<int64_t> KnownOperands::readScalar(Value value) {
  APInt constant(64, 0);
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (const NumpyArray *array = run.getArgument(value))
    return getInteger(*array, 0);
  return std::nullopt;
}

void KnownOperands::findOrigin(OperandRange origin) {
  if (origin.empty())
    return;
  constexpr int64_t kMost = WindowAttr::kMaxExtent;
  std::array<int64_t, 4> known;
  for (auto [value, place] : llvm::zip_equal(origin, known)) {
    std::optional<int64_t> scalar = readScalar(value);
    if (!scalar || *scalar < 0 || *scalar > kMost) {
      work.unknown.push_back("origin");
      return;
    }
    place = *scalar;
  }
  work.origin = known;
}

/// An element of a larger op's array, whose extent is not checked.
static int64_t readClamped(const NumpyArray &array, int64_t i) {
  int64_t last = std::max<int64_t>(1, array.getNumElements()) - 1;
  return getInteger(array, std::min(i, last));
}

int64_t KnownOperands::getLength(int64_t batch) const {
  if (!lens)
    return work.keys;
  auto [b0, h0, q0, k0] = work.getOrigin();
  return std::clamp<int64_t>(readClamped(*lens, b0 + batch) - k0, 0, work.keys);
}

int64_t KnownOperands::getOffset(int64_t batch, int64_t length) const {
  constexpr int64_t kMost = WindowAttr::kMaxExtent;
  auto [b0, h0, q0, k0] = work.getOrigin();
  int64_t offset = constantOffset ? *constantOffset
                   : offsets      ? readClamped(*offsets, b0 + batch)
                                  : length - work.queries;
  return std::clamp(std::clamp(offset, -kMost, kMost) + q0, -kMost, kMost);
}

llvm::ArrayRef<char> KnownOperands::getMask(int64_t batch) const {
  if (!mask)
    return {};
  auto [b0, h0, q0, k0] = work.getOrigin();
  int64_t row = b0 + batch, length = mask->shape[1];
  if (row >= mask->shape[0] || k0 + work.keys > length)
    return {};
  return {mask->buffer.data() + row * length + k0, size_t(work.keys)};
}
