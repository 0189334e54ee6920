//===- MutateIR.cpp - Ops with attributes, operands or types changed ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace lattn;

namespace {
class IRMutator {
public:
  IRMutator(ModuleOp module, fuzz::Random &random)
      : module(module), b(module.getContext()), random(random) {}
  void mutate();

private:
  template <typename T> T pickFrom(ArrayRef<T> from) {
    return from[random.below(from.size())];
  }
  Operation *pickOp();
  int64_t makeInteger();
  Type mutateType(Type type);
  Attribute makeAttribute();
  Attribute mutateAttribute(Attribute attribute);
  void changeAttribute(Operation *op);
  void changeOperand(Operation *op);
  void changeType(Operation *op);
  void changeOp(Operation *op);

  ModuleOp module;
  OpBuilder b;
  fuzz::Random &random;
};
} // namespace

/// Mostly one of lattn's or in its regions.
Operation *IRMutator::pickOp() {
  SmallVector<Operation *> all, ours;
  module.walk([&](Operation *op) {
    if (op == module)
      return;
    all.push_back(op);
    if (isa_and_nonnull<LattnDialect>(op->getDialect()))
      ours.push_back(op);
  });
  if (all.empty())
    return nullptr;
  return pickFrom<Operation *>(ours.empty() || random.oneIn(4) ? all : ours);
}

int64_t IRMutator::makeInteger() {
  return random.pick<int64_t>(
      {0, 1, 2, 3, 4, 7, -1, 64, 1 << 20, int64_t(1) << 31, int64_t(1) << 40,
       (int64_t(1) << 40) + 1, std::numeric_limits<int64_t>::max(),
       std::numeric_limits<int64_t>::min()});
}

Type IRMutator::mutateType(Type type) {
  auto scalar = [&]() -> Type {
    return pickFrom<Type>({b.getF16Type(), b.getBF16Type(), b.getF32Type(),
                           b.getF64Type(), b.getI1Type(), b.getI32Type(),
                           b.getI64Type(), b.getIndexType(),
                           IntegerType::get(b.getContext(), 7),
                           ComplexType::get(b.getF32Type())});
  };
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || isa<VectorType>(type))
    return scalar();
  SmallVector<int64_t> shape(shaped.getShape());
  Type element = shaped.getElementType();
  switch (random.below(7)) {
  case 0:
    element = scalar();
    break;
  case 1:
    if (!shape.empty())
      shape[random.below(shape.size())] = ShapedType::kDynamic;
    break;
  case 2:
    if (!shape.empty())
      shape[random.below(shape.size())] =
          std::abs(std::max<int64_t>(makeInteger(), -7));
    break;
  case 3:
    shape.push_back(random.pick<int64_t>({0, 1, 3, ShapedType::kDynamic}));
    break;
  case 4:
    if (!shape.empty())
      shape.erase(shape.begin() + random.below(shape.size()));
    break;
  case 5:
    return isa<MemRefType>(type) ? Type(RankedTensorType::get(shape, element))
                                 : Type(MemRefType::get(shape, element));
  default:
    if (isa<MemRefType>(type))
      return UnrankedMemRefType::get(element, {});
    return UnrankedTensorType::get(element);
  }
  if (!BaseMemRefType::isValidElementType(element))
    element = b.getF32Type();
  if (isa<MemRefType>(type))
    return MemRefType::get(shape, element);
  return RankedTensorType::get(shape, element);
}

Attribute IRMutator::makeAttribute() {
  MLIRContext *context = b.getContext();
  AffineExpr d0 = b.getAffineDimExpr(0), d3 = b.getAffineDimExpr(3);
  auto maybe = [&]() -> std::optional<int64_t> {
    if (random.oneIn(2))
      return std::nullopt;
    return random.below(100);
  };
  switch (random.below(12)) {
  case 0:
    return b.getI64IntegerAttr(makeInteger());
  case 1:
    return b.getF64FloatAttr(
        random.pick<double>({0, -1, 1e300, HUGE_VAL, std::nan("")}));
  case 2:
    return b.getF32FloatAttr(0.5);
  case 3:
    return b.getUnitAttr();
  case 4:
    return LayoutAttr::get(context, Layout::BNHD);
  case 5:
    return WindowAttr::get(context, maybe(), maybe(), std::nullopt, 0, 0);
  case 6:
    return WindowAttr::get(context, maybe(), maybe(), 1 + random.below(64),
                           random.below(4), random.below(4));
  case 7:
    return AffineMapAttr::get(
        AffineMap::get(4, 0, {d0, d3.floorDiv(3), (d0 - d3) % 5}, context));
  case 8:
    return AffineMapAttr::get(
        AffineMap::getMultiDimIdentityMap(random.below(7), context));
  case 9:
    return b.getAffineMapArrayAttr(SmallVector<AffineMap>(
        6, AffineMap::getMultiDimIdentityMap(6, context)));
  case 10: {
    SmallVector<int32_t> sizes(random.pick({0, 8, 12, 13, 13, 13, 14}));
    for (int32_t &size : sizes)
      size = random.pick({0, 0, 1, 1, 2, -1, 1 << 30});
    return b.getDenseI32ArrayAttr(sizes);
  }
  default:
    return b.getStringAttr("text");
  }
}

/// Another of its kind.
Attribute IRMutator::mutateAttribute(Attribute attribute) {
  if (auto sizes = dyn_cast<DenseI32ArrayAttr>(attribute)) {
    SmallVector<int32_t> changed(sizes.asArrayRef());
    if (changed.size() > 1 && random.oneIn(2))
      std::swap(changed[random.below(changed.size())],
                changed[random.below(changed.size())]);
    else if (!changed.empty())
      changed[random.below(changed.size())] = random.pick({0, 1, 2, -1, 4});
    return b.getDenseI32ArrayAttr(changed);
  }
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return b.getIntegerAttr(integer.getType(),
                            APInt(integer.getValue().getBitWidth(),
                                  makeInteger(),
                                  /*isSigned=*/true, /*implicitTrunc=*/true));
  if (auto list = dyn_cast<ArrayAttr>(attribute); list && !list.empty()) {
    SmallVector<Attribute> changed(list.getValue());
    std::swap(changed[random.below(changed.size())],
              changed[random.below(changed.size())]);
    if (random.oneIn(3))
      changed.pop_back();
    return b.getArrayAttr(changed);
  }
  return makeAttribute();
}

void IRMutator::changeAttribute(Operation *op) {
  static constexpr StringLiteral names[] = {
      "window", "causal",        "scale",      "bias_map",
      "layout", "indexing_maps", "value_axis", "operandSegmentSizes"};
  SmallVector<NamedAttribute> present(op->getAttrs());
  if (present.empty() || random.oneIn(3)) {
    op->setAttr(names[random.below(std::size(names))], makeAttribute());
  } else {
    NamedAttribute attribute = pickFrom<NamedAttribute>(present);
    if (random.oneIn(4))
      op->removeAttr(attribute.getName());
    else
      op->setAttr(attribute.getName(), mutateAttribute(attribute.getValue()));
  }
  // An attribute with a default is always there.
  if (op->getName().isRegistered())
    op->getName().populateDefaultProperties(op->getPropertiesStorage());
}

void IRMutator::changeOperand(Operation *op) {
  if (!op->getNumOperands())
    return;
  unsigned at = random.below(op->getNumOperands());
  switch (random.below(4)) {
  case 0: {
    unsigned other = random.below(op->getNumOperands());
    Value value = op->getOperand(at);
    op->setOperand(at, op->getOperand(other));
    op->setOperand(other, value);
    return;
  }
  case 1:
    return op->eraseOperand(at);
  case 2:
    return op->insertOperands(at, op->getOperand(at));
  default: {
    // Any value that is there before the op, of its type if there is one.
    SmallVector<Value> values, same;
    DominanceInfo dominance(module);
    module.walk([&](Block *block) {
      for (Value argument : block->getArguments())
        values.push_back(argument);
      for (Operation &other : *block)
        llvm::append_range(values, other.getResults());
    });
    llvm::erase_if(values, [&](Value value) {
      return !dominance.properlyDominates(value, op);
    });
    llvm::copy_if(values, std::back_inserter(same), [&](Value value) {
      return value.getType() == op->getOperand(at).getType();
    });
    ArrayRef<Value> from = same.empty() || random.oneIn(4) ? values : same;
    if (!from.empty())
      op->setOperand(at, pickFrom<Value>(from));
  }
  }
}

/// Of a result, an operand's definition or a region's argument.
void IRMutator::changeType(Operation *op) {
  SmallVector<Value> values(op->getResults());
  llvm::append_range(values, op->getOperands());
  for (Region &region : op->getRegions())
    if (!region.empty())
      llvm::append_range(values, region.getArguments());
  if (values.empty())
    return;
  Value value = pickFrom<Value>(values);
  Type type = mutateType(value.getType());
  // A function's type goes with its arguments' so that more is verified.
  SmallVector<Value> all = {value};
  if (random.oneIn(2))
    for (Value other : values)
      if (other.getType() == value.getType())
        all.push_back(other);
  for (Value changed : all)
    changed.setType(type);
  module.walk([&](func::FuncOp function) {
    // Its type is an attribute, which may be gone.
    if (!function.getFunctionTypeAttr() || function.isExternal())
      return;
    SmallVector<Type> results(function.getResultTypes());
    Block &block = function.getBody().back();
    if (!block.empty() && block.back().getNumOperands() == results.size())
      llvm::copy(block.back().getOperandTypes(), results.begin());
    function.setType(b.getFunctionType(
        function.getBody().front().getArgumentTypes(), results));
  });
}

void IRMutator::changeOp(Operation *op) {
  switch (random.below(4)) {
  case 0: {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return;
    b.setInsertionPoint(op);
    Operation *copy = b.clone(*op);
    if (copy->getNumResults() && random.oneIn(2))
      op->replaceAllUsesWith(copy->getResults());
    return;
  }
  case 1:
    if (op->use_empty())
      op->erase();
    return;
  case 2: {
    if (op->getNumRegions() == 0)
      return;
    Region &region = op->getRegion(0);
    if (region.empty() || random.oneIn(3)) {
      b.createBlock(&region, region.end());
      return;
    }
    if (random.oneIn(2))
      region.front().addArgument(mutateType(b.getF32Type()), op->getLoc());
    else
      region.dropAllReferences(), region.getBlocks().clear();
    return;
  }
  default: {
    Operation *other = pickOp();
    if (other && !other->isProperAncestor(op) && !op->isProperAncestor(other) &&
        other != op)
      op->moveBefore(other);
  }
  }
}

void IRMutator::mutate() {
  Operation *op = pickOp();
  if (!op)
    return;
  switch (random.below(8)) {
  case 0:
  case 1:
  case 2:
    return changeAttribute(op);
  case 3:
  case 4:
    return changeOperand(op);
  case 5:
  case 6:
    return changeType(op);
  default:
    changeOp(op);
  }
}

void fuzz::mutateIR(ModuleOp module, Random &random) {
  IRMutator mutator(module, random);
  for (int64_t i = random.pick({1, 1, 1, 2, 3}); i > 0; --i)
    mutator.mutate();
}
