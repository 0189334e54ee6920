//===- Arrays.cpp - Operands, strided views of them, destinations ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lattn;
using namespace lattn::fuzz;
using llvm::ArrayRef;
using llvm::formatv;

static std::string join(ArrayRef<int64_t> values) {
  return llvm::join(
      llvm::map_range(values,
                      [](int64_t value) { return std::to_string(value); }),
      ", ");
}

/// A part of a larger argument, with steps, its axes in any order:
/// slice[i] = base[offset + step * i], then transposed.
Array Generator::addView(ElementKind element, ArrayRef<Axis> axes, int64_t low,
                         int64_t high) {
  size_t rank = axes.size();
  std::vector<size_t> order(rank); // order[i]: axis of the view at slice's i
  std::iota(order.begin(), order.end(), 0);
  if (random.oneIn(2))
    for (size_t i = rank; i > 1; --i)
      std::swap(order[i - 1], order[random.below(i)]);
  std::vector<Axis> baseAxes(rank);
  std::vector<int64_t> offsets(rank), sizes(rank), steps(rank), strides(rank);
  for (size_t i = 0; i < rank; ++i) {
    sizes[i] = getExtent(axes[order[i]], 0);
    steps[i] = random.pick({1, 1, 1, 2});
    offsets[i] = random.below(4);
    // An offset is an element's, though no element may be taken.
    baseAxes[i].size = offsets[i] + std::max<int64_t>(sizes[i] * steps[i], 1) +
                       random.below(3);
  }
  int64_t stride = 1, offset = 0;
  for (size_t i = rank; i-- > 0; stride *= baseAxes[i].size) {
    strides[i] = stride * steps[i];
    offset += stride * offsets[i];
  }
  std::string elementName = getElementName(element).str();
  auto shapeOf = [&](ArrayRef<int64_t> shape) {
    std::string text;
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + elementName;
  };
  std::vector<int64_t> baseShape, viewShape(rank), viewStrides(rank),
      permutation(rank);
  for (Axis axis : baseAxes)
    baseShape.push_back(axis.size);
  for (size_t i = 0; i < rank; ++i) {
    viewShape[order[i]] = sizes[i];
    viewStrides[order[i]] = strides[i];
    permutation[order[i]] = i;
  }
  Parameter base;
  base.array = {fresh(),
                (memrefs ? "memref<" : "tensor<") + shapeOf(baseShape) + ">",
                element, baseAxes};
  base.low = low;
  base.high = high;
  parameters.push_back(base);

  std::string places =
      formatv("[{0}] [{1}] [{2}]", join(offsets), join(sizes), join(steps));
  Array view = {fresh(), "", element, std::vector<Axis>(axes)};
  std::string slice = fresh();
  if (!memrefs) {
    line(formatv("{0} = tensor.extract_slice {1}{2} : {3} to tensor<{4}>",
                 slice, base.array.name, places, base.array.type,
                 shapeOf(sizes)));
    view.type = "tensor<" + shapeOf(viewShape) + ">";
    std::string empty = fresh();
    line(empty + " = tensor.empty() : " + view.type);
    line(formatv(
        "{0} = linalg.transpose ins({1} : tensor<{2}>) outs({3} : {4}) "
        "permutation = [{5}]",
        view.name, slice, shapeOf(sizes), empty, view.type, join(permutation)));
    return view;
  }
  auto layoutOf = [&](ArrayRef<int64_t> strides) {
    return formatv(", strided<[{0}], offset: {1}>", join(strides), offset)
        .str();
  };
  std::string sliceType = "memref<" + shapeOf(sizes) + layoutOf(strides) + ">";
  line(formatv("{0} = memref.subview {1}{2} : {3} to {4}", slice,
               base.array.name, places, base.array.type, sliceType));
  std::vector<std::string> from, to;
  for (size_t i = 0; i < rank; ++i) {
    from.push_back("d" + std::to_string(i));
    to.push_back("d" + std::to_string(permutation[i]));
  }
  view.type = "memref<" + shapeOf(viewShape) + layoutOf(viewStrides) + ">";
  line(formatv("{0} = memref.transpose {1} ({2}) -> ({3}) : {4} to {5}",
               view.name, slice, llvm::join(from, ", "), llvm::join(to, ", "),
               sliceType, view.type));
  if (random.oneIn(2)) {
    std::vector<std::string> unknown(rank, "?");
    Array cast = {fresh(),
                  "memref<" + shapeOf(viewShape) + ", strided<[" +
                      llvm::join(unknown, ", ") + "], offset: ?>>",
                  element, view.axes};
    line(formatv("{0} = memref.cast {1} : {2} to {3}", cast.name, view.name,
                 view.type, cast.type));
    return cast;
  }
  return view;
}

Array Generator::addArray(ElementKind element, std::vector<Axis> axes,
                          int64_t low, int64_t high) {
  bool extreme = llvm::any_of(
      axes, [&](Axis axis) { return getExtent(axis, 0) > 1 << 20; });
  if (!axes.empty() && isClosed(axes) && !extreme && random.oneIn(4))
    return addView(element, axes, low, high);
  return addParameter(element, std::move(axes), low, high);
}

/// `like` has every letter of `axes`.
Array Generator::addDestination(ElementKind element, std::vector<Axis> axes,
                                const Array &like) {
  if (memrefs || random.oneIn(2))
    return addArray(element, std::move(axes));
  Array result = {fresh(), makeType(element, axes, /*mayReopen=*/false),
                  element, axes};
  std::vector<std::string> sizes;
  for (Axis axis : axes) {
    if (!open.count(axis.letter))
      continue;
    auto at = llvm::find_if(
        like.axes, [&](Axis other) { return other.letter == axis.letter; });
    if (at == like.axes.end())
      return addParameter(element, std::move(axes), 0, 1);
    std::string index = constant(at - like.axes.begin(), "index");
    sizes.push_back(fresh());
    line(formatv("{0} = tensor.dim {1}, {2} : {3}", sizes.back(), like.name,
                 index, like.type));
  }
  line(formatv("{0} = tensor.empty({1}) : {2}", result.name,
               llvm::join(sizes, ", "), result.type));
  return result;
}
