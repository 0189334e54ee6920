//===- CheckSizes.cpp - Functions that check sizes before a call ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// They take what the functions for C take: pointers to descriptors, and
// scalars. So no pass in between sees them, and whoever calls the code can call
// them.

#include "SizeRules.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNCHECKSIZESPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using arith::CmpIPredicate;

namespace {

/// Writes the check of one function.
class FunctionCheck {
public:
  FunctionCheck(ModuleOp module, func::FuncOp source)
      : b(OpBuilder::atBlockEnd(module.getBody())), source(source),
        loc(source.getLoc()) {}
  void write();

private:
  Value load(Value descriptor, int64_t field, Type type);
  Value getArgument(BlockArgument argument, unsigned axis);
  void checkArgument(SizeChecker &checker, BlockArgument argument);
  void checkStrides(SizeChecker &checker, BlockArgument argument,
                    Value hasElements);
  Value checkDescriptors(SizeChecker &checker);
  std::string describe(BlockArgument argument);

  OpBuilder b;
  func::FuncOp source, check;
  Location loc;
};

} // namespace

/// Descriptors: allocated, aligned, offset, sizes, strides, 8 bytes each.
Value FunctionCheck::load(Value descriptor, int64_t field, Type type) {
  Value address = LLVM::GEPOp::create(
      b, loc, descriptor.getType(), b.getI64Type(), descriptor,
      ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(field)));
  return LLVM::LoadOp::create(b, loc, type, address);
}

/// A size, or the scalar that an argument is.
Value FunctionCheck::getArgument(BlockArgument argument, unsigned axis) {
  Value passed = check.getArgument(argument.getArgNumber());
  if (!isa<ShapedType>(argument.getType()))
    return passed;
  return arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                    load(passed, 3 + axis, b.getI64Type()));
}

/// "argument 'query': ", with its name if it has one.
std::string FunctionCheck::describe(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto name = source.getArgAttrOfType<StringAttr>(number, kNameOfArgument);
  std::string text = "argument '",
              plain = name ? name.str() : "arg" + std::to_string(number);
  for (char c : plain)
    text += c == '%' ? "%%" : std::string(1, c);
  return text + "': ";
}

/// Where elements lie relative to each other, of memrefs whose type tells.
void FunctionCheck::checkStrides(SizeChecker &checker, BlockArgument argument,
                                 Value hasElements) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return;
  Value passed = check.getArgument(argument.getArgNumber());
  for (auto [axis, stride] : llvm::enumerate(strides)) {
    if (ShapedType::isDynamic(stride))
      continue;
    Value got = arith::IndexCastOp::create(
        b, loc, b.getIndexType(),
        load(passed, 3 + type.getRank() + axis, b.getI64Type()));
    Value expected = checker.constant(stride);
    Value isLong = checker.compare(
        CmpIPredicate::sgt, getArgument(argument, axis), checker.constant(1));
    Value differs = checker.compare(CmpIPredicate::ne, got, expected);
    checker.fail(loc, checker.both(hasElements, checker.both(isLong, differs)),
                 describe(argument) + "expected axis " + std::to_string(axis) +
                     " of stride %lld, got %lld",
                 expected, got);
  }
}

/// What its type tells, and that there are elements where there should be.
void FunctionCheck::checkArgument(SizeChecker &checker,
                                  BlockArgument argument) {
  auto type = cast<ShapedType>(argument.getType());
  Value zero = checker.constant(0), elements = checker.constant(1);
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    bool isKnown = !ShapedType::isDynamic(size);
    Value got = getArgument(argument, axis);
    Value expected = isKnown ? checker.constant(size) : zero;
    checker.fail(
        loc,
        checker.compare(isKnown ? CmpIPredicate::ne : CmpIPredicate::slt, got,
                        expected),
        describe(argument) + "expected axis " + std::to_string(axis) +
            " to have " + (isKnown ? "%lld" : "at least %lld") +
            " elements, got %lld",
        expected, got);
    Value isEmpty = checker.compare(CmpIPredicate::eq, got, zero);
    elements = arith::SelectOp::create(b, loc, isEmpty, zero, elements);
  }
  Value hasElements = checker.compare(CmpIPredicate::ne, elements, zero);
  Value address = arith::IndexCastOp::create(
      b, loc, b.getIndexType(),
      load(check.getArgument(argument.getArgNumber()), 1, b.getI64Type()));
  checker.fail(loc,
               checker.both(hasElements,
                            checker.compare(CmpIPredicate::eq, address, zero)),
               describe(argument) +
                   "expected the address of elements, got NULL",
               zero, zero);
  checkStrides(checker, argument, hasElements);
}

/// Whether all arrays have one: the rest reads them.
Value FunctionCheck::checkDescriptors(SizeChecker &checker) {
  Value all = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  Value zero = checker.constant(0);
  for (BlockArgument argument : source.getArguments()) {
    if (!isa<ShapedType>(argument.getType()))
      continue;
    Value passed = check.getArgument(argument.getArgNumber());
    Value null = LLVM::ZeroOp::create(b, loc, passed.getType());
    Value isNull =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, passed, null);
    checker.fail(loc, isNull,
                 describe(argument) + "expected an array, got NULL", zero,
                 zero);
    Value isThere =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, passed, null);
    all = arith::AndIOp::create(b, loc, all, isThere);
  }
  return all;
}

void FunctionCheck::write() {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Type> types;
  for (Type type : source.getArgumentTypes())
    types.push_back(isa<ShapedType>(type) ? pointer : type);
  check =
      func::FuncOp::create(b, loc, (kSizeCheckPrefix + source.getName()).str(),
                           b.getFunctionType(types, pointer));
  b.setInsertionPointToStart(check.addEntryBlock());
  Value one = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1));
  Value slot = LLVM::AllocaOp::create(b, loc, pointer, pointer, one);
  LLVM::StoreOp::create(b, loc, LLVM::ZeroOp::create(b, loc, pointer), slot);
  auto get = [&](BlockArgument argument, unsigned axis) {
    return getArgument(argument, axis);
  };
  SizeChecker checker(b, slot, get);
  auto branch = scf::IfOp::create(b, loc, checkDescriptors(checker),
                                  /*withElse=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  for (BlockArgument argument : source.getArguments())
    if (isa<ShapedType>(argument.getType()))
      checkArgument(checker, argument);
  checker.checkBlock(source.getBody().front());
  b.setInsertionPointAfter(branch);
  Value message = LLVM::LoadOp::create(b, loc, pointer, slot);
  func::ReturnOp::create(b, loc, message);
}

/// Whether its arguments are what a check can take.
static bool canCheck(func::FuncOp function) {
  return function.isPublic() && !function.isDeclaration() &&
         llvm::all_of(function.getArgumentTypes(), [](Type type) {
           return isa<RankedTensorType, MemRefType>(type) ||
                  type.isIntOrIndexOrFloat();
         });
}

OwningOpRef<ModuleOp> lattn::makeSizeChecks(ModuleOp source) {
  MLIRContext *context = source.getContext();
  context->loadDialect<LLVM::LLVMDialect, arith::ArithDialect, scf::SCFDialect,
                       tensor::TensorDialect>();
  // Sizes are noted beside the ops; what is called is looked into.
  OwningOpRef<ModuleOp> copy = source.clone();
  PassManager pm(context);
  pm.enableVerifier(false);
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createLattnSplitStridedViewsPass());
  if (failed(pm.run(*copy)))
    return {};
  OwningOpRef<ModuleOp> checks = ModuleOp::create(source.getLoc());
  OpBuilder b = OpBuilder::atBlockBegin(checks->getBody());
  Type pointer = LLVM::LLVMPointerType::get(context);
  LLVM::LLVMFuncOp::create(
      b, source.getLoc(), kDescribeSizes,
      LLVM::LLVMFunctionType::get(pointer,
                                  {pointer, b.getI64Type(), b.getI64Type()}));
  for (auto function : copy->getOps<func::FuncOp>())
    if (canCheck(function))
      FunctionCheck(*checks, function).write();
  return checks;
}

namespace {
struct CheckSizes : lattn::impl::LattnCheckSizesPassBase<CheckSizes> {
  using Base::Base;
  void runOnOperation() override {
    OwningOpRef<ModuleOp> checks = makeSizeChecks(getOperation());
    if (!checks)
      return signalPassFailure();
    Block *body = getOperation().getBody();
    body->getOperations().splice(body->end(),
                                 checks->getBody()->getOperations());
  }
};
} // namespace
