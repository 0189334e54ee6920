//===- LattnDialect.cpp - Registration of the lattn dialect ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
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
  addBytecodeInterface(*this);
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

template <typename MappingAttr> static bool isMappedTo(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  return forall && forall.getMapping() && !forall.getMapping()->empty() &&
         llvm::all_of(*forall.getMapping(), llvm::IsaPred<MappingAttr>);
}

// schedule_c5
static LogicalResult verifyScheduleOfFunction(Operation *op,
                                              Attribute attribute) {
  auto schedule = dyn_cast<ScheduleAttr>(attribute);
  if (!schedule || !schedule.getLeastQueries() ||
      schedule != ScheduleAttr::get(op->getContext(), {}, {}, {}, {},
                                    schedule.getLeastQueries(), {}))
    return op->emitError("expected '")
           << kSchedule << "' to be a #lattn.schedule with least_queries and "
           << "nothing else, got " << attribute;
  if (isa<FunctionOpInterface>(op))
    return success();
  return op->emitError("expected '") << kSchedule << "' on a function";
}

// conventions_c2
LogicalResult LattnDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kSchedule)
    return verifyScheduleOfFunction(op, attribute.getValue());
  if (name != kGrid)
    return emitUnknown(op, name, {kGrid, kSchedule});
  auto grid = dyn_cast<GridAttr>(attribute.getValue());
  if (!grid)
    return op->emitError("expected '")
           << name << "' to be a #lattn.grid, got " << attribute.getValue();
  bool perTile = grid.getBlocks() == GridBlocks::PerTile; // grid_c2
  if (perTile ? isMappedTo<gpu::GPUBlockMappingAttr>(op)
              : isMappedTo<gpu::GPUBlockMappingAttr>(op) ||
                    isMappedTo<gpu::GPUThreadMappingAttr>(op))
    return success();
  return op->emitError("expected '")
         << name << "' on a 'scf.forall' that is mapped to "
         << (perTile ? "blocks, for blocks = per_tile" : "blocks or threads");
}

// grid_c1
LogicalResult GridAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef kernel, GridBlocks) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (!kernel.empty() && llvm::all_of(kernel, isPart))
    return success();
  return emitError() << "grid kernel must be a name of letters, digits and "
                        "'_', got \""
                     << kernel << "\"";
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
