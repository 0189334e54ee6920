//===- CudaInterface.cpp - Arrays with __cuda_array_interface__ -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Source: Numba's documentation, "CUDA Array Interface (Version 3)".

#include "Arrays.h"
#include "lattn-c/CUDACallable.h"
#include <optional>

using namespace lattn::python;

/// "<f2"; bfloat16 is a void of two bytes, as NumPy has it.
static std::optional<LattnElementType> getType(const std::string &text) {
  static constexpr const char *names[] = {"b1", "i1", "i2", "i4", "i8",
                                          "u1", "u2", "u4", "u8", "f2",
                                          "f4", "f8", "V2"};
  if (text.size() == 3 && (text[0] == '<' || text[0] == '|'))
    for (int type = LattnBool; type <= LattnBF16; ++type)
      if (text.substr(1) == names[type])
        return static_cast<LattnElementType>(type);
  return std::nullopt;
}

static int findDevice(const ArrayView &view) {
  if (!view.data)
    return 0; // empty
  int device = 0;
  LattnError error =
      lattnCudaFindDevice(reinterpret_cast<uint64_t>(view.data), &device);
  if (error)
    throwValueError(std::string(view.name) +
                    ": cannot tell which GPU it is on: " + takeText(error));
  return device;
}

/// Row-major without gaps where there are none.
static void readStrides(nb::handle strides, ArrayView &view) {
  int64_t size = lattnElementTypeGetSize(view.type), dense = 1;
  for (int i = view.rank; i-- > 0;) {
    view.strides[i] = dense;
    dense *= view.sizes[i];
    if (strides.is_none())
      continue;
    auto bytes = nb::cast<int64_t>(strides[i]);
    if (bytes % size != 0)
      throwValueError(
          std::string(view.name) +
          ": expected strides that are multiples of the element's " +
          std::to_string(size) + " bytes, got " + std::to_string(bytes) +
          " for axis " + std::to_string(i));
    view.strides[i] = bytes / size;
  }
}

bool lattn::python::readCudaInterface(nb::handle object, ArrayView &view) {
  if (!nb::hasattr(object, "__cuda_array_interface__"))
    return false;
  std::string name = view.name;
  auto interface = nb::cast<nb::dict>(object.attr("__cuda_array_interface__"));
  auto get = [&](const char *field) -> nb::object {
    return interface.attr("get")(field, nb::none());
  };
  if (!get("mask").is_none())
    throwTypeError(name + ": expected an array without a mask");
  auto typeText = nb::cast<std::string>(get("typestr"));
  std::optional<LattnElementType> type = getType(typeText);
  if (!type)
    throwTypeError(name +
                   ": expected native elements of bool, integers, "
                   "float16, bfloat16, float32 or float64, got " +
                   typeText);
  auto shape = nb::cast<nb::tuple>(get("shape"));
  if (shape.size() > ArrayView::kMaxRank)
    throwValueError(name + ": expected at most " +
                    std::to_string(ArrayView::kMaxRank) + " axes, got " +
                    std::to_string(shape.size()));
  auto data = nb::cast<nb::tuple>(get("data"));
  view.library = Library::Other;
  view.type = *type;
  view.rank = static_cast<int>(shape.size());
  for (int i = 0; i < view.rank; ++i)
    view.sizes[i] = nb::cast<int64_t>(shape[i]);
  readStrides(get("strides"), view);
  view.data = reinterpret_cast<void *>(nb::cast<uint64_t>(data[0]));
  view.isWritable = !nb::cast<bool>(data[1]);
  if (nb::object stream = get("stream"); !stream.is_none())
    view.stream = nb::cast<uint64_t>(stream);
  view.device = findDevice(view);
  view.owner = nb::borrow(object);
  return true;
}
