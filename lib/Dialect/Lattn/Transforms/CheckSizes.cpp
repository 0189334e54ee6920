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

static Value isNull(OpBuilder &b, Location loc, Value pointer) {
  return LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, pointer,
                              LLVM::ZeroOp::create(b, loc, pointer.getType()));
}

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
  void checkStrides(SizeChecker &checker, BlockArgument argument);
  void checkDescriptors(SizeChecker &checker);
  std::string describe(BlockArgument argument);

  OpBuilder b;
  func::FuncOp source, check;
  Location loc;
  Value slot; // of the message
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
void FunctionCheck::checkStrides(SizeChecker &checker, BlockArgument argument) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)))
    return;
  Value passed = check.getArgument(argument.getArgNumber());
  Value hasElements = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    hasElements =
        checker.both(hasElements, checker.compare(CmpIPredicate::ne,
                                                  getArgument(argument, axis),
                                                  checker.constant(0)));
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
  SmallVector<int64_t> sizes;
  SmallVector<std::string> texts;
  for (auto [axis, size] : llvm::enumerate(type.getShape())) {
    bool isKnown = !ShapedType::isDynamic(size);
    sizes.push_back(isKnown ? size : -1);
    texts.push_back(describe(argument) + "expected axis " +
                    std::to_string(axis) + " to have " +
                    (isKnown ? "%lld" : "at least %lld") +
                    " elements, got %lld");
  }
  texts.push_back(describe(argument) +
                  "expected the address of elements, got NULL");
  size_t length = 0;
  for (const std::string &text : texts)
    length = std::max(length, text.size() + 1);
  std::string all;
  for (std::string &text : texts) {
    text.resize(length, '\0');
    all += text;
  }
  func::CallOp::create(
      b, loc, kCheckArray, TypeRange(),
      ValueRange{slot, check.getArgument(argument.getArgNumber()),
                 checker.constant(type.getRank()),
                 checker.addNumbers(loc, sizes), checker.addText(loc, all),
                 checker.constant(length)});
  checkStrides(checker, argument);
}

/// That all arrays have one: the rest reads them.
void FunctionCheck::checkDescriptors(SizeChecker &checker) {
  Value zero = checker.constant(0);
  for (BlockArgument argument : source.getArguments()) {
    if (!isa<ShapedType>(argument.getType()))
      continue;
    checker.fail(
        loc, isNull(b, loc, check.getArgument(argument.getArgNumber())),
        describe(argument) + "expected an array, got NULL", zero, zero);
  }
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
  slot = LLVM::AllocaOp::create(b, loc, pointer, pointer, one);
  LLVM::StoreOp::create(b, loc, LLVM::ZeroOp::create(b, loc, pointer), slot);
  auto get = [&](BlockArgument argument, unsigned axis) {
    return getArgument(argument, axis);
  };
  SizeChecker checker(b, slot, get);
  checkDescriptors(checker);
  Value areThere = isNull(b, loc, LLVM::LoadOp::create(b, loc, pointer, slot));
  auto branch = scf::IfOp::create(b, loc, areThere, /*withElse=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  for (BlockArgument argument : source.getArguments())
    if (isa<ShapedType>(argument.getType()))
      checkArgument(checker, argument);
  checker.checkBlock(source.getBody().front());
  b.setInsertionPointAfter(branch);
  Value message = LLVM::LoadOp::create(b, loc, pointer, slot);
  func::ReturnOp::create(b, loc, message);
}

//===----------------------------------------------------------------------===//
// Functions that checks call
//===----------------------------------------------------------------------===//

/// Checks are many and short. Each as code would take longer to compile than
/// the kernels of a small program.
static func::FuncOp makeHelper(OpBuilder &b, Location loc, StringRef name,
                               TypeRange types) {
  auto helper =
      func::FuncOp::create(b, loc, name, b.getFunctionType(types, {}));
  helper.setPrivate();
  helper->setAttr("llvm.linkage", LLVM::LinkageAttr::get(
                                      b.getContext(), LLVM::Linkage::Internal));
  helper->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
  b.setInsertionPointToStart(helper.addEntryBlock());
  return helper;
}

static Value toInteger(OpBuilder &b, Location loc, Value index) {
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
}

static void writeNoteSize(OpBuilder &b, Location loc) {
  OpBuilder::InsertionGuard guard(b);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type index = b.getIndexType();
  func::FuncOp helper = makeHelper(
      b, loc, kNoteSize, {pointer, b.getI1Type(), pointer, index, index});
  ValueRange arguments = helper.getArguments();
  Value found = LLVM::LoadOp::create(b, loc, pointer, arguments[0]);
  Value isFirst =
      arith::AndIOp::create(b, loc, arguments[1], isNull(b, loc, found));
  scf::IfOp::create(b, loc, isFirst, [&](OpBuilder &b, Location) {
    auto message = LLVM::CallOp::create(
        b, loc, TypeRange(pointer), kDescribeSizes,
        ValueRange{arguments[2], toInteger(b, loc, arguments[3]),
                   toInteger(b, loc, arguments[4])});
    LLVM::StoreOp::create(b, loc, message.getResult(), arguments[0]);
    scf::YieldOp::create(b, loc);
  });
  func::ReturnOp::create(b, loc);
}

static void writeCheckArray(OpBuilder &b, Location loc) {
  OpBuilder::InsertionGuard guard(b);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type index = b.getIndexType();
  func::FuncOp helper = makeHelper(
      b, loc, kCheckArray, {pointer, pointer, index, pointer, pointer, index});
  ValueRange arguments = helper.getArguments();
  Value slot = arguments[0], rank = arguments[2];
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto load = [&](Value base, Value at) -> Value {
    Value address =
        LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), base,
                            ArrayRef<LLVM::GEPArg>(toInteger(b, loc, at)));
    return arith::IndexCastOp::create(
        b, loc, index, LLVM::LoadOp::create(b, loc, b.getI64Type(), address));
  };
  auto compare = [&](CmpIPredicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  };
  auto note = [&](Value broken, Value number, Value expected, Value got) {
    Value at = arith::MulIOp::create(b, loc, number, arguments[5]);
    Value text =
        LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), arguments[4],
                            ArrayRef<LLVM::GEPArg>(toInteger(b, loc, at)));
    func::CallOp::create(b, loc, kNoteSize, TypeRange(),
                         ValueRange{slot, broken, text, expected, got});
  };
  Value zero = constant(0), one = constant(1), three = constant(3);
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  auto loop = scf::ForOp::create(
      b, loc, zero, rank, one, yes,
      [&](OpBuilder &, Location, Value axis, ValueRange carried) {
        Value got =
            load(arguments[1], arith::AddIOp::create(b, loc, axis, three));
        Value size = load(arguments[3], axis);
        Value isKnown = compare(CmpIPredicate::sge, size, zero);
        Value expected = arith::SelectOp::create(b, loc, isKnown, size, zero);
        Value broken = arith::SelectOp::create(
            b, loc, isKnown, compare(CmpIPredicate::ne, got, expected),
            compare(CmpIPredicate::slt, got, expected));
        note(broken, axis, expected, got);
        Value isAny = compare(CmpIPredicate::ne, got, zero);
        Value hasElements = arith::AndIOp::create(b, loc, carried[0], isAny);
        scf::YieldOp::create(b, loc, hasElements);
      });
  Value hasNoAddress =
      compare(CmpIPredicate::eq, load(arguments[1], one), zero);
  note(arith::AndIOp::create(b, loc, loop.getResult(0), hasNoAddress), rank,
       zero, zero);
  func::ReturnOp::create(b, loc);
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
  writeNoteSize(b, source.getLoc());
  writeCheckArray(b, source.getLoc());
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
