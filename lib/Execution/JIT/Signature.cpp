//===- Signature.cpp - What an entry function takes and returns -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::ShapedType;
using mlir::Type;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<ElementKind> lattn::getElementKind(Type type) {
  if (type.isF16())
    return ElementKind::F16;
  if (type.isBF16())
    return ElementKind::BF16;
  if (type.isF32())
    return ElementKind::F32;
  if (type.isF64())
    return ElementKind::F64;
  if (type.isIndex())
    return ElementKind::I64;
  auto integer = llvm::dyn_cast<mlir::IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return ElementKind::Bool;
  case 8:
    return isUnsigned ? ElementKind::U8 : ElementKind::I8;
  case 16:
    return isUnsigned ? ElementKind::U16 : ElementKind::I16;
  case 32:
    return isUnsigned ? ElementKind::U32 : ElementKind::I32;
  case 64:
    return isUnsigned ? ElementKind::U64 : ElementKind::I64;
  default:
    return std::nullopt;
  }
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Where a memref's elements must lie relative to each other.
static Error getStrides(mlir::MemRefType type, ValueInfo &info) {
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(info.strides, offset)))
    return createStringError("'" + info.name + "' is " + info.type +
                             ", which cannot be passed: expected a layout of "
                             "strides");
  // Arrays are passed by the address of their first element.
  if (offset != 0 && !ShapedType::isDynamic(offset))
    return createStringError("'" + info.name + "' is " + info.type +
                             ", which cannot be passed: expected an offset of "
                             "0 or ?");
  return Error::success();
}

static Expected<ValueInfo> getValueInfo(Type type, std::string name) {
  ValueInfo info;
  info.name = std::move(name);
  info.type = print(type);
  Type element = type;
  if (llvm::isa<mlir::RankedTensorType, mlir::MemRefType>(type)) {
    auto shaped = llvm::cast<ShapedType>(type);
    info.isShaped = true;
    info.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    element = shaped.getElementType();
  }
  if (auto memref = llvm::dyn_cast<mlir::MemRefType>(type))
    if (Error error = getStrides(memref, info))
      return error;
  std::optional<ElementKind> kind = getElementKind(element);
  if (!kind)
    return createStringError("'" + info.name + "' is " + info.type +
                             ", which cannot be passed: expected a ranked "
                             "tensor, a memref or a scalar of bool, integers "
                             "of 8 to 64 bits, f16, bf16, f32 or f64");
  info.kind = *kind;
  return info;
}

bool ValueInfo::hasStaticShape() const {
  return llvm::none_of(shape, ShapedType::isDynamic);
}

Error ValueInfo::check(ElementKind actualKind, ArrayRef<int64_t> actual) const {
  bool same = actualKind == kind ||
              (kind == ElementKind::BF16 && actualKind == ElementKind::Void2);
  if (!same)
    return createStringError("'" + name + "': expected elements of " +
                             getElementName(kind).str() + ", got " +
                             getElementName(actualKind).str());
  if (llvm::any_of(actual, [](int64_t size) { return size < 0; }))
    return createStringError("'" + name + "': expected sizes of at least 0, " +
                             "got the shape " + formatShape(actual));
  bool fits = actual.size() == shape.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = ShapedType::isDynamic(shape[i]) || shape[i] == actual[i];
  if (!fits)
    return createStringError("'" + name + "': expected " + type +
                             ", got the shape " + formatShape(actual));
  if (llvm::is_contained(actual, 0))
    return Error::success();
  int64_t bytes = getElementSize(kind);
  for (int64_t size : actual)
    if (llvm::MulOverflow(bytes, size, bytes))
      return createStringError("'" + name + "': the shape " +
                               formatShape(actual) +
                               " needs more bytes than the address space has");
  return Error::success();
}

Error ValueInfo::checkStrides(ArrayRef<int64_t> actual,
                              ArrayRef<int64_t> actualStrides) const {
  if (strides.empty() || llvm::is_contained(actual, 0))
    return Error::success();
  for (size_t i = 0; i < strides.size(); ++i)
    if (!ShapedType::isDynamic(strides[i]) && actual[i] != 1 &&
        strides[i] != actualStrides[i])
      return createStringError(
          "'" + name + "': expected " + type + ", got the strides " +
          formatShape(actualStrides) + " (in elements) of the shape " +
          formatShape(actual));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Expected<mlir::func::FuncOp> checkBody(mlir::func::FuncOp function) {
  if (function.isDeclaration())
    return createStringError("'" + function.getName() + "' has no body");
  return function;
}

Expected<mlir::func::FuncOp> lattn::findEntry(mlir::ModuleOp module,
                                              StringRef name) {
  SmallVector<mlir::func::FuncOp> candidates;
  std::string names;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.getName() == name && function.isPublic())
      return checkBody(function);
    if (!function.isPublic() || function.isDeclaration())
      continue;
    candidates.push_back(function);
    names += (names.empty() ? "" : ", ") + function.getName().str();
  }
  if (candidates.empty())
    return createStringError(
        "the outermost module has no public function to run");
  if (!name.empty())
    return createStringError("no public function '" + name.str() +
                             "', expected one of: " + names);
  if (candidates.size() == 1)
    return candidates.front();
  for (mlir::func::FuncOp function : candidates)
    if (function.getName() == "main")
      return function;
  return createStringError(
      "more than one public function: choose one by --entry: " + names);
}

static std::string getName(mlir::StringAttr given, const char *prefix,
                           unsigned i) {
  return given ? given.str() : prefix + std::to_string(i);
}

static bool mayBeWritten(mlir::Value memref,
                         llvm::SmallPtrSetImpl<mlir::Value> &seen);

/// Whether a called function may write through the operand of `use`.
static bool mayCalleeWrite(mlir::func::CallOp call, mlir::OpOperand &use,
                           llvm::SmallPtrSetImpl<mlir::Value> &seen) {
  auto callee = mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(
      call, call.getCalleeAttr());
  // A result may be a view of the operand.
  return !callee || callee.isExternal() || call.getNumResults() ||
         mayBeWritten(callee.getArgument(use.getOperandNumber()), seen);
}

/// Whether memory behind `memref` may be written through it or a view of it.
/// What is in `seen` is looked into already.
static bool mayBeWritten(mlir::Value memref,
                         llvm::SmallPtrSetImpl<mlir::Value> &seen) {
  if (!seen.insert(memref).second)
    return false;
  return llvm::any_of(memref.getUses(), [&](mlir::OpOperand &use) {
    mlir::Operation *user = use.getOwner();
    if (mlir::isa<mlir::ViewLikeOpInterface>(user))
      return llvm::any_of(user->getResults(), [&](mlir::Value view) {
        return mayBeWritten(view, seen);
      });
    if (auto call = mlir::dyn_cast<mlir::func::CallOp>(user))
      return mayCalleeWrite(call, use, seen);
    if (mlir::isa<mlir::memref::PrefetchOp>(user))
      return false;
    auto effects = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(user);
    if (!effects)
      return !user->hasTrait<mlir::OpTrait::ReturnLike>();
    SmallVector<mlir::MemoryEffects::EffectInstance> found;
    effects.getEffectsOnValue(use.get(), found);
    return llvm::any_of(found, [](const auto &effect) {
      return mlir::isa<mlir::MemoryEffects::Write>(effect.getEffect());
    });
  });
}

static bool isWritten(mlir::func::FuncOp function, unsigned argument) {
  llvm::SmallPtrSet<mlir::Value, 8> seen;
  return mlir::isa<mlir::MemRefType>(function.getArgumentTypes()[argument]) &&
         !function.isExternal() &&
         mayBeWritten(function.getArgument(argument), seen);
}

Expected<Signature> lattn::getSignature(mlir::func::FuncOp function) {
  Signature signature;
  signature.entry = function.getName().str();
  llvm::StringSet<> seen;
  auto add = [&](std::vector<ValueInfo> &values, Type type,
                 std::string name) -> Error {
    Expected<ValueInfo> info = getValueInfo(type, std::move(name));
    if (!info)
      return info.takeError();
    if (!seen.insert(info->name).second)
      return createStringError("'" + signature.entry + "' has more than one '" +
                               info->name + "'");
    values.push_back(std::move(*info));
    return Error::success();
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto name = function.getArgAttrOfType<mlir::StringAttr>(i, kNameAttribute);
    if (Error error = add(signature.arguments, type, getName(name, "arg", i)))
      return error;
    if (isWritten(function, i))
      signature.written.push_back(i);
  }
  seen.clear();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto name =
        function.getResultAttrOfType<mlir::StringAttr>(i, kNameAttribute);
    if (Error error = add(signature.results, type, getName(name, "out", i)))
      return error;
  }
  return signature;
}
