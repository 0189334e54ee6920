//===- HostExpression.cpp - Numbers of the host's code as data ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostExpression.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

Value HostExpressions::skipCasts(Value array) {
  while (auto cast = array.getDefiningOp<memref::CastOp>())
    array = cast.getSource();
  return array;
}

std::string HostExpressions::getTypeName(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (type.isIndex())
    os << "i64";
  else
    os << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

std::optional<std::string> HostExpressions::findArray(Value array) const {
  auto it = arrays.find(skipCasts(array));
  if (it == arrays.end())
    return std::nullopt;
  return it->second;
}

Expected<json::Value> HostExpressions::getSize(Value array, int64_t axis) {
  array = skipCasts(array);
  auto type = cast<MemRefType>(array.getType());
  if (!type.isDynamicDim(axis))
    return json::Value(type.getDimSize(axis));
  if (auto alloc = array.getDefiningOp<memref::AllocOp>())
    return get(alloc.getDynamicSizes()[type.getDynamicDimIndex(axis)]);
  if (auto expand = array.getDefiningOp<memref::ExpandShapeOp>())
    return get(expand.getOutputShape()[type.getDynamicDimIndex(axis)]);
  if (auto collapse = array.getDefiningOp<memref::CollapseShapeOp>()) {
    json::Value size = 1;
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    for (int64_t part : groups[axis]) {
      Expected<json::Value> factor = getSize(collapse.getSrc(), part);
      if (!factor)
        return factor;
      size = json::Array{"*", std::move(size), std::move(*factor)};
    }
    return size;
  }
  if (auto name = findArray(array))
    return json::Value(json::Array{"size", *name, axis});
  return createStringError("the size of an array that is neither an argument "
                           "nor a buffer has no launch record");
}

Expected<json::Value> HostExpressions::getStride(Value array, int64_t axis) {
  array = skipCasts(array);
  auto type = cast<MemRefType>(array.getType());
  if (!type.getLayout().isIdentity()) {
    auto [strides, offset] = type.getStridesAndOffset();
    if (!ShapedType::isDynamic(strides[axis]))
      return json::Value(strides[axis]);
    if (auto name = findArray(array))
      return json::Value(json::Array{"stride", *name, axis});
  }
  json::Value stride = 1;
  for (int64_t inner = axis + 1; inner < type.getRank(); ++inner) {
    Expected<json::Value> size = getSize(array, inner);
    if (!size)
      return size;
    stride = json::Array{"*", std::move(stride), std::move(*size)};
  }
  return stride;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Expected<json::Value> HostExpressions::getConstant(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return json::Value(integer.getType().isInteger(1)
                           ? int64_t(!integer.getValue().isZero())
                           : integer.getInt());
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return json::Value(real.getValueAsDouble());
  return createStringError(
      "a launch record cannot hold a constant that is not a number");
}

Expected<json::Value> HostExpressions::getOperation(StringRef sign,
                                                    Operation &op) {
  json::Array whole{sign};
  for (Value operand : op.getOperands()) {
    Expected<json::Value> part = get(operand);
    if (!part)
      return part;
    whole.push_back(std::move(*part));
  }
  return json::Value(std::move(whole));
}

static StringRef getSign(arith::CmpIPredicate predicate) {
  // In the order of the predicates.
  static constexpr StringRef signs[] = {"==", "!=", "<",   "<=", ">",
                                        ">=", "u<", "u<=", "u>", "u>="};
  return signs[static_cast<unsigned>(predicate)];
}

static StringRef getSign(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case<arith::AddIOp>([](auto) { return "+"; })
      .Case<arith::SubIOp>([](auto) { return "-"; })
      .Case<arith::MulIOp>([](auto) { return "*"; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return "ceildiv"; })
      .Case<arith::FloorDivSIOp, arith::DivUIOp>(
          [](auto) { return "floordiv"; })
      .Case<arith::DivSIOp>([](auto) { return "div"; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return "rem"; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return "min"; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return "max"; })
      .Case<arith::AndIOp>([](auto) { return "and"; })
      .Case<arith::OrIOp>([](auto) { return "or"; })
      .Case<arith::SelectOp>([](auto) { return "select"; })
      .Case<arith::CmpIOp>(
          [](arith::CmpIOp cmp) { return getSign(cmp.getPredicate()); })
      .Default(StringRef());
}

static json::Value getAffine(AffineExpr expr, ArrayRef<json::Value> dims,
                             unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return dims[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  StringRef sign = expr.getKind() == AffineExprKind::Add        ? "+"
                   : expr.getKind() == AffineExprKind::Mul      ? "*"
                   : expr.getKind() == AffineExprKind::FloorDiv ? "floordiv"
                   : expr.getKind() == AffineExprKind::CeilDiv  ? "ceildiv"
                                                                : "mod";
  return json::Array{sign, getAffine(binary.getLHS(), dims, numDims),
                     getAffine(binary.getRHS(), dims, numDims)};
}

/// affine.apply, affine.min, affine.max.
Expected<json::Value> HostExpressions::getApply(Operation &op) {
  AffineMap map;
  StringRef sign;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getAffineMap();
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getAffineMap(), sign = "min";
  else if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    map = max.getAffineMap(), sign = "max";
  SmallVector<json::Value> dims;
  for (Value operand : op.getOperands()) {
    Expected<json::Value> dim = get(operand);
    if (!dim)
      return dim;
    dims.push_back(std::move(*dim));
  }
  json::Array results{sign};
  for (AffineExpr result : map.getResults())
    results.push_back(getAffine(result, dims, map.getNumDims()));
  return results.size() == 2 ? results[1] : json::Value(std::move(results));
}

/// A result of memref.extract_strided_metadata; offsets are in addresses.
Expected<json::Value> HostExpressions::getMetadata(Value array, Value result) {
  int64_t rank = cast<MemRefType>(array.getType()).getRank();
  int64_t number = int64_t(cast<OpResult>(result).getResultNumber()) - 2;
  if (number < 0)
    return json::Value(0);
  return number < rank ? getSize(array, number)
                       : getStride(array, number - rank);
}

Expected<json::Value> HostExpressions::get(Value value) {
  return value.hasOneUse() ? build(value) : getShared(value);
}

Expected<json::Value> HostExpressions::getShared(Value value) {
  auto refer = [](int64_t place) {
    return json::Value(json::Array{"number", place});
  };
  if (auto it = shared.find(value); it != shared.end())
    return refer(it->second);
  Expected<json::Value> number = build(value);
  if (!number || !number->getAsArray())
    return number;
  // What is as short as a reference stays.
  static constexpr StringRef leaves[] = {"number", "size", "stride", "address",
                                         "scalar"};
  if (llvm::is_contained(leaves, *number->getAsArray()->front().getAsString()))
    return number;
  numbers.push_back(std::move(*number));
  return refer(shared[value] = int64_t(numbers.size()) - 1);
}

Expected<json::Value> HostExpressions::build(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return getConstant(constant);
  if (auto it = scalars.find(value); it != scalars.end())
    return json::Value(json::Array{"scalar", it->second});
  Operation *op = value.getDefiningOp();
  if (!op)
    return createStringError("a number that the host's code carries through a "
                             "loop or branch has no launch record");
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return getMetadata(metadata.getSource(), value);
  if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op))
    if (auto name = findArray(address.getSource()))
      return json::Value(json::Array{"address", *name});
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (auto axis = dim.getConstantIndex())
      return getSize(dim.getSource(), *axis);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return get(op->getOperand(0));
  if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(op))
    return getApply(*op);
  if (StringRef sign = getSign(*op); !sign.empty())
    return getOperation(sign, *op);
  return createStringError("'" + op->getName().getStringRef() +
                           "' on the host has no launch record");
}
