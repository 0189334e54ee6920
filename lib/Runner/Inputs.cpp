//===- Inputs.cpp - Where an entry's arguments come from ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "Integers.h"
#include "Numbers.h"
#include "lattn/Execution/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace lattn;
using mlir::ShapedType;

using Slots = std::vector<std::optional<NumpyArray>>;

static std::string listNames(ArrayRef<ValueInfo> values) {
  if (values.empty())
    return "none";
  return llvm::join(
      llvm::map_range(values,
                      [](const ValueInfo &v) { return "'" + v.name + "'"; }),
      ", ");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Error place(StringRef path, const ValueInfo &info, NumpyArray array,
                   std::optional<NumpyArray> &slot) {
  if (slot)
    return createStringError("'" + path.str() + "': a second input for '" +
                             info.name + "'");
  if (Error error = info.check(array.kind, array.shape))
    return createStringError("'" + path.str() +
                             "': " + llvm::toString(std::move(error)));
  slot = std::move(array);
  return Error::success();
}

static Error placeByName(StringRef path, ArrayRef<ValueInfo> values,
                         Slots &slots) {
  Expected<std::vector<NamedArray>> arrays = readNpz(path);
  if (!arrays)
    return arrays.takeError();
  for (NamedArray &array : *arrays) {
    auto it = llvm::find_if(
        values, [&](const ValueInfo &v) { return v.name == array.first; });
    if (it == values.end())
      return createStringError("'" + path.str() + "': unexpected array '" +
                               array.first +
                               "', expected: " + listNames(values));
    size_t i = it - values.begin();
    if (Error error = place(path, *it, std::move(array.second), slots[i]))
      return error;
  }
  return Error::success();
}

Expected<Slots> lattn::readByName(StringRef path, ArrayRef<ValueInfo> values,
                                  bool all) {
  Slots slots(values.size());
  if (Error error = placeByName(path, values, slots))
    return error;
  for (auto [info, slot] : llvm::zip_equal(values, slots))
    if (all && !slot)
      return createStringError("'" + path.str() + "': no array '" + info.name +
                               "', expected: " + listNames(values));
  return slots;
}

static Error readInputs(const Signature &signature, const RunOptions &options,
                        Slots &slots) {
  ArrayRef<ValueInfo> arguments = signature.arguments;
  size_t position = 0;
  for (const std::string &path : options.inputs) {
    StringRef extension = llvm::sys::path::extension(path);
    if (extension == ".npz") {
      if (Error error = placeByName(path, arguments, slots))
        return error;
      continue;
    }
    if (extension != ".npy")
      return createStringError("'" + path + "': expected a .npy or .npz file");
    if (position == arguments.size())
      return createStringError("'" + path + "': one input too many, '" +
                               signature.entry + "' takes " +
                               std::to_string(arguments.size()) + ": " +
                               listNames(arguments));
    Expected<NumpyArray> array = readNpy(path);
    if (!array)
      return array.takeError();
    if (Error error = place(path, arguments[position], std::move(*array),
                            slots[position]))
      return error;
    ++position;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Made-up arguments
//===----------------------------------------------------------------------===//

/// "1x8x4096x64" as extents.
static Expected<SmallVector<int64_t>> parseShape(StringRef text) {
  SmallVector<int64_t> shape;
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent;
    if (part.empty() || !llvm::all_of(part, llvm::isDigit) ||
        part.getAsInteger(10, extent))
      return createStringError("expected extents such as 1x8x4096x64, got '" +
                               text.str() + "'");
    shape.push_back(extent);
  }
  return shape;
}

/// --shape by argument; empty where none was given.
static Expected<std::vector<std::optional<SmallVector<int64_t>>>>
readShapes(const Signature &signature, const RunOptions &options) {
  ArrayRef<ValueInfo> arguments = signature.arguments;
  std::vector<std::optional<SmallVector<int64_t>>> shapes(arguments.size());
  for (StringRef text : options.shapes) {
    auto [which, extents] = text.rsplit(':');
    auto fail = [&](const std::string &message) {
      return createStringError("--shape=" + text.str() + ": " + message);
    };
    if (which.size() == text.size())
      return fail("expected ARGUMENT:EXTENTS such as 0:1x8x4096x64");
    size_t i = 0;
    if (which.getAsInteger(10, i))
      i = llvm::find_if(arguments,
                        [&, name = which](const ValueInfo &v) {
                          return v.name == name;
                        }) -
          arguments.begin();
    if (i >= arguments.size())
      return fail("no argument '" + which.str() +
                  "', expected an index or one of: " + listNames(arguments));
    Expected<SmallVector<int64_t>> shape = parseShape(extents);
    if (!shape)
      return fail(llvm::toString(shape.takeError()));
    if (shapes[i])
      return fail("a second shape for '" + arguments[i].name + "'");
    if (Error error = arguments[i].check(arguments[i].kind, *shape))
      return fail(llvm::toString(std::move(error)));
    shapes[i] = std::move(*shape);
  }
  return shapes;
}

/// Without integers yet.
static Expected<NumpyArray>
makeUp(const ValueInfo &info, unsigned index, const RunOptions &options,
       const std::optional<SmallVector<int64_t>> &shape) {
  auto fail = [&](const std::string &message) {
    return createStringError("argument '" + info.name + "' (" + info.type +
                             "): " + message);
  };
  if (!options.seed)
    return fail("no input; give --input, or --random=SEED to make one up");
  if (!shape && !info.hasStaticShape())
    return fail("its shape is dynamic: give --input or --shape=" + info.name +
                ":...");
  Expected<NumpyArray> array =
      NumpyArray::create(info.kind, shape ? *shape : info.shape);
  if (!array)
    return fail(llvm::toString(array.takeError()));
  if (!isInteger(info.kind))
    randomize(*array, *options.seed, index);
  return array;
}

/// Which integers fit depends on what the entry does with them and on the
/// shapes of all arguments.
static Error makeUpIntegers(const Signature &signature,
                            const RunOptions &options, mlir::func::FuncOp entry,
                            ArrayRef<unsigned> madeUp,
                            std::vector<NumpyArray> &arguments) {
  for (unsigned i : madeUp) {
    if (!isInteger(arguments[i].kind))
      continue;
    Expected<IntegerRange> range =
        findIntegerRange(entry, arguments, i, signature.arguments[i]);
    if (!range)
      return range.takeError();
    randomizeIntegers(arguments[i], *options.seed, i, range->least,
                      range->most);
  }
  return Error::success();
}

Expected<std::vector<NumpyArray>>
lattn::collectArguments(const Signature &signature, const RunOptions &options,
                        mlir::func::FuncOp entry) {
  auto shapes = readShapes(signature, options);
  if (!shapes)
    return shapes.takeError();
  Slots slots(signature.arguments.size());
  if (Error error = readInputs(signature, options, slots))
    return error;
  std::vector<NumpyArray> arguments;
  SmallVector<unsigned> madeUp;
  for (auto [i, info] : llvm::enumerate(signature.arguments)) {
    const std::optional<SmallVector<int64_t>> &shape = (*shapes)[i];
    if (slots[i] && shape)
      return createStringError("--shape for '" + info.name +
                               "', which has an input");
    if (!slots[i]) {
      Expected<NumpyArray> array = makeUp(info, i, options, shape);
      if (!array)
        return array.takeError();
      slots[i] = std::move(*array);
      madeUp.push_back(i);
    }
    slots[i]->kind = info.kind; // a void of two bytes is bf16 from here on
    arguments.push_back(std::move(*slots[i]));
  }
  if (Error error =
          makeUpIntegers(signature, options, entry, madeUp, arguments))
    return error;
  return arguments;
}
