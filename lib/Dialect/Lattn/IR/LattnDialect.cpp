//===- LattnDialect.cpp - Registration of the lattn dialect ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/BlockPerTile.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn;

#include "lattn/Dialect/Lattn/IR/LattnAttrInterfaces.cpp.inc"
#include "lattn/Dialect/Lattn/IR/LattnDialect.cpp.inc"
#include "lattn/Dialect/Lattn/IR/LattnEnums.cpp.inc"
#include "lattn/Dialect/Lattn/IR/LattnOpInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "lattn/Dialect/Lattn/IR/LattnAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "lattn/Dialect/Lattn/IR/LattnOps.cpp.inc"

namespace {
/// Functions with lattn ops in them may be inlined.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void LattnDialect::initialize() {
  addInterfaces<Inliner>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lattn/Dialect/Lattn/IR/LattnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lattn/Dialect/Lattn/IR/LattnOps.cpp.inc"
      >();
}

// conventions_c2
static LogicalResult emitUnknown(Operation *op, StringRef name,
                                 ArrayRef<StringRef> known) {
  InFlightDiagnostic error =
      op->emitError("the lattn dialect has no attribute '") << name << "'";
  StringRef prefix = "lattn.";
  SmallVector<StringRef> bare;
  for (StringRef other : known)
    bare.push_back(other.drop_front(prefix.size()));
  name.consume_front(prefix);
  if (StringRef nearest = getNearestName(name, bare); !nearest.empty())
    error << "; did you mean '" << prefix << nearest << "'?";
  return error;
}

// conventions_c2
LogicalResult LattnDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  if (name == kKernelName) {
    if (isa<StringAttr>(value))
      return success();
    return op->emitError("expected '")
           << name << "' to be a string, got " << value;
  }
  if (name == kBlockPerTile) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    bool ofBlocks = forall && forall.getMapping() &&
                    llvm::all_of(*forall.getMapping(),
                                 llvm::IsaPred<gpu::GPUBlockMappingAttr>);
    if (isa<UnitAttr>(value) && (ofBlocks || isa<gpu::LaunchOp>(op)))
      return success();
    return op->emitError("expected '")
           << name
           << "' on loops over blocks and launches only, without a value";
  }
  return emitUnknown(op, name, {kKernelName, kBlockPerTile});
}

// conventions_c2
static LogicalResult verifyName(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kNameOfArgument)
    return emitUnknown(op, name, {kNameOfArgument});
  if (isa<StringAttr>(attribute.getValue()))
    return success();
  return op->emitError("expected '")
         << name << "' to be a string, got " << attribute.getValue();
}

LogicalResult LattnDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned,
                                                     NamedAttribute attribute) {
  return verifyName(op, attribute);
}

LogicalResult
LattnDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                          NamedAttribute attribute) {
  return verifyName(op, attribute);
}

Operation *LattnDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

WindowAttrInterface lattn::getCausalWindow(MLIRContext *context) {
  return WindowAttr::get(context, std::nullopt, 0, std::nullopt, 0, 0);
}

FloatType lattn::getAccumulatorType(Type shaped) {
  Type element = getElementTypeOrSelf(shaped);
  return element.isF64() ? cast<FloatType>(element)
                         : Float32Type::get(shaped.getContext());
}

AffineMap lattn::getEffectiveBiasMap(Value bias, AffineMapAttr map) {
  if (map)
    return map.getValue();
  auto type = cast<ShapedType>(bias.getType());
  MLIRContext *context = bias.getContext();
  SmallVector<AffineExpr> exprs;
  for (int64_t axis = 0, rank = type.getRank(); axis < rank; ++axis)
    exprs.push_back(type.getDimSize(axis) == 1
                        ? getAffineConstantExpr(0, context)
                        : getAffineDimExpr(4 - rank + axis, context));
  return AffineMap::get(4, 0, exprs, context);
}
