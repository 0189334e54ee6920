//===- Arrays.cpp - Axes in the order of an attention ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;

static unsigned getGroup(Role role, Layout layout) {
  switch (role) {
  case Role::Batch:
    return 0;
  case Role::Head:
    return layout == Layout::BNHD ? 2 : 1;
  case Role::Position:
    return layout == Layout::BNHD ? 1 : 2;
  default:
    return 3;
  }
}

static Axis flatten(ArrayRef<Axis> axes) {
  Axis parts;
  for (const Axis &axis : axes)
    llvm::append_range(parts, axis);
  return parts;
}

/// The permutation that sorts them; units come first. Empty where they are in
/// order already.
static SmallVector<int64_t> getOrder(ArrayRef<Part> parts,
                                     llvm::function_ref<int64_t(Part)> rank) {
  SmallVector<int64_t> order, ranks;
  for (auto [i, part] : llvm::enumerate(parts)) {
    order.push_back(i);
    if (part.role != Role::Unit)
      ranks.push_back(rank(part));
  }
  if (llvm::is_sorted(ranks))
    return {};
  llvm::sort(order, [&](int64_t a, int64_t b) {
    auto of = [&](int64_t i) {
      return parts[i].role == Role::Unit ? -1 : rank(parts[i]);
    };
    return std::pair(of(a), a) < std::pair(of(b), b);
  });
  return order;
}

static int64_t rankIn(const Part &part, Layout layout) {
  return getGroup(part.role, layout) * 64 + part.atom;
}

bool lattn::raise::needsTranspose(const Source &source, Layout layout) {
  return !getOrder(flatten(source.axes), [&](Part part) {
            return rankIn(part, layout);
          }).empty();
}

static Value transpose(OpBuilder &b, Location loc, Value x,
                       ArrayRef<int64_t> order) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, x), moved;
  for (int64_t axis : order)
    moved.push_back(sizes[axis]);
  Value empty = tensor::EmptyOp::create(
      b, loc, moved, cast<RankedTensorType>(x.getType()).getElementType());
  return linalg::TransposeOp::create(b, loc, x, empty, order)->getResult(0);
}

/// What the known ones of `group` leave of the axis.
static OpFoldResult getOpenSize(OpBuilder &b, Location loc, Value x,
                                unsigned axis, ArrayRef<int64_t> group) {
  int64_t others = 1;
  for (int64_t size : group)
    others *= ShapedType::isDynamic(size) ? 1 : size;
  OpFoldResult whole = tensor::getMixedSize(b, loc, x, axis);
  if (others == 1)
    return whole;
  Value by = arith::ConstantIndexOp::create(b, loc, others);
  return arith::DivUIOp::create(
             b, loc, getValueOrCreateConstantIndexOp(b, loc, whole), by)
      .getResult();
}

/// Splits axis i into sizes[i]; at most one of a group may be unknown.
static Value split(OpBuilder &b, Location loc, Value x,
                   ArrayRef<SmallVector<int64_t>> sizes) {
  SmallVector<ReassociationIndices> groups;
  SmallVector<OpFoldResult> shape;
  SmallVector<int64_t> known;
  auto type = cast<RankedTensorType>(x.getType());
  for (auto [axis, group] : llvm::enumerate(sizes)) {
    groups.emplace_back();
    for (int64_t size : group) {
      groups.back().push_back(shape.size());
      known.push_back(size);
      shape.push_back(ShapedType::isDynamic(size)
                          ? getOpenSize(b, loc, x, axis, group)
                          : OpFoldResult(b.getIndexAttr(size)));
    }
  }
  if (int64_t(shape.size()) == type.getRank())
    return x;
  return tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(known, type.getElementType()), x, groups,
      shape);
}

static Value merge(OpBuilder &b, Location loc, Value x,
                   ArrayRef<ReassociationIndices> groups) {
  if (int64_t(groups.size()) == cast<RankedTensorType>(x.getType()).getRank())
    return x;
  return tensor::CollapseShapeOp::create(b, loc, x, groups);
}

/// As getOrder has them, with their axes.
static Value sortParts(OpBuilder &b, Location loc, Value x, Axis &parts,
                       llvm::function_ref<int64_t(Part)> rank) {
  SmallVector<int64_t> order = getOrder(parts, rank);
  if (order.empty())
    return x;
  Axis sorted;
  for (int64_t axis : order)
    sorted.push_back(parts[axis]);
  parts = sorted;
  return transpose(b, loc, x, order);
}

/// Parts in a row -> `count` axes, each of the parts that `getAxis` gives it;
/// those of no axis are units. Axes without parts have extent 1.
static Value
groupParts(OpBuilder &b, Location loc, Value x, ArrayRef<Part> parts,
           unsigned count,
           llvm::function_ref<std::optional<unsigned>(const Part &)> getAxis) {
  SmallVector<ReassociationIndices> groups;
  SmallVector<unsigned> present;
  ReassociationIndices waiting; // units before the first part
  for (auto [i, part] : llvm::enumerate(parts)) {
    std::optional<unsigned> axis = getAxis(part);
    if (!axis && present.empty()) {
      waiting.push_back(i);
      continue;
    }
    if (axis && (present.empty() || present.back() != *axis)) {
      present.push_back(*axis);
      groups.push_back(std::exchange(waiting, {}));
    }
    groups.back().push_back(i);
  }
  x = merge(b, loc, x, groups);
  SmallVector<SmallVector<int64_t>> sizes(present.size());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(x.getType()).getShape();
  unsigned next = 0;
  for (auto [i, axis] : llvm::enumerate(present)) {
    for (; next < axis; ++next)
      sizes[i].push_back(1);
    sizes[i].push_back(shape[i]);
    next = axis + 1;
  }
  for (; next < count; ++next)
    sizes.back().push_back(1);
  return split(b, loc, x, sizes);
}

Value lattn::raise::buildOperand(OpBuilder &b, Location loc,
                                 const Source &source, Layout layout) {
  Value x = source.tensor;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(x.getType()).getShape();
  SmallVector<SmallVector<int64_t>> sizes;
  for (auto [axis, size] : llvm::zip_equal(source.axes, shape)) {
    sizes.emplace_back();
    for (const Part &part : axis)
      sizes.back().push_back(axis.size() == 1 ? size : getSize(part));
  }
  x = split(b, loc, x, sizes);
  Axis parts = flatten(source.axes);
  x = sortParts(b, loc, x, parts,
                [&](Part part) { return rankIn(part, layout); });
  auto getAxis = [&](const Part &part) -> std::optional<unsigned> {
    if (part.role == Role::Unit)
      return std::nullopt;
    return getGroup(part.role, layout);
  };
  return groupParts(b, loc, x, parts, /*count=*/4, getAxis);
}

Value lattn::raise::buildResult(OpBuilder &b, Location loc, Value output,
                                const Frame &frame, Layout layout,
                                ArrayRef<Axis> axes, Type type) {
  // The output's axes, in parts.
  Axis parts;
  SmallVector<SmallVector<int64_t>> sizes;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(output.getType()).getShape();
  Axis wanted = flatten(axes);
  for (unsigned group = 0; group < 4; ++group) {
    sizes.emplace_back();
    SmallVector<const Part *> in;
    for (const Part &part : wanted)
      if (part.role != Role::Unit && getGroup(part.role, layout) == group)
        in.push_back(&part);
    llvm::sort(in, [](auto *a, auto *c) { return a->atom < c->atom; });
    for (const Part *part : in) {
      parts.push_back(*part);
      sizes.back().push_back(in.size() == 1 ? shape[group] : getSize(*part));
    }
    if (in.empty()) {
      parts.push_back({Role::Unit});
      sizes.back().push_back(1);
    }
  }
  Value x = split(b, loc, output, sizes);
  auto rank = [&](Part part) {
    for (auto [i, other] : llvm::enumerate(wanted))
      if (other.role == part.role && other.atom == part.atom)
        return int64_t(i);
    return int64_t(-1);
  };
  x = sortParts(b, loc, x, parts, rank);
  auto getAxis = [&](const Part &part) {
    std::optional<unsigned> axis;
    for (auto [i, of] : llvm::enumerate(axes))
      for (const Part &other : of)
        if (part.role != Role::Unit && other.role == part.role &&
            other.atom == part.atom)
          axis = i;
    return axis;
  };
  x = groupParts(b, loc, x, parts, axes.size(), getAxis);
  return x.getType() == type ? x : tensor::CastOp::create(b, loc, type, x);
}
