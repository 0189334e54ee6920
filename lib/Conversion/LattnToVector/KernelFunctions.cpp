//===- KernelFunctions.cpp - The functions that kernels live in -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFunctions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace lattn;

func::FuncOp KernelFunctions::create(Location loc, StringRef name,
                                     TypeRange types) {
  MLIRContext *context = loc.getContext();
  auto function =
      func::FuncOp::create(loc, name, FunctionType::get(context, types, {}));
  function.setPrivate();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  // Registers are for the kernel alone, and compiling it once is enough.
  function->setAttr(
      "passthrough",
      ArrayAttr::get(context, StringAttr::get(context, "noinline")));
  symbols.insert(function);
  function.addEntryBlock();
  return function;
}

static void buildBody(func::FuncOp function,
                      function_ref<void(OpBuilder &, ValueRange)> build) {
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  build(b, function.getArguments());
  func::ReturnOp::create(b, function.getLoc());
}

func::FuncOp KernelFunctions::getOrCreate(
    Location loc, StringRef name, TypeRange types,
    function_ref<void(OpBuilder &, ValueRange)> build) {
  if (auto known = symbols.lookup<func::FuncOp>(name))
    return known;
  func::FuncOp function = create(loc, name, types);
  buildBody(function, build);
  return function;
}

void KernelFunctions::call(
    KernelBuilder &k, StringRef name, StringRef form, ValueRange operands,
    function_ref<void(KernelBuilder &, ValueRange)> build) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << ' ' << form;
  for (Type type : operands.getTypes())
    os << ' ' << type;
  func::FuncOp function = kernels.lookup(text);
  if (!function) {
    function = create(k.loc, name, operands.getTypes());
    buildBody(function, [&](OpBuilder &b, ValueRange arguments) {
      KernelBuilder inner(b, k.loc, k.element, k.lanes);
      build(inner, arguments);
    });
    kernels[text] = function;
  }
  func::CallOp::create(k.b, k.loc, function, operands);
}

void KernelFunctions::declare(Location loc, StringRef name) {
  if (symbols.lookup(name))
    return;
  auto function = func::FuncOp::create(
      loc, name, FunctionType::get(loc.getContext(), {}, {}));
  function.setPrivate();
  symbols.insert(function);
}

void KernelFunctions::outline(RewriterBase &rewriter, Operation *op,
                              StringRef name, int64_t tag,
                              function_ref<void(Operation *)> lower) {
  OpBuilder::InsertionGuard guard(rewriter);
  func::FuncOp function = create(op->getLoc(), name, op->getOperandTypes());
  rewriter.setInsertionPointToStart(&function.getBody().front());
  Operation *copy = rewriter.clone(*op);
  copy->setOperands(function.getArguments());
  func::ReturnOp::create(rewriter, op->getLoc());

  // Equal ops print alike once they stand on function arguments.
  std::string text;
  llvm::raw_string_ostream os(text);
  os << tag << ' ';
  copy->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  if (func::FuncOp known = kernels.lookup(text)) {
    symbols.erase(function);
    function = known;
  } else {
    kernels[text] = function;
    lower(copy);
    rewriter.eraseOp(copy);
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<func::CallOp>(op, function, op->getOperands());
}
