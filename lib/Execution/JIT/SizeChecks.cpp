//===- SizeChecks.cpp - Entries that check sizes first --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineOptions.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Execution/CodeGen.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace lattn;

static void buildPipeline(mlir::OpPassManager &pm) {
  pm.addPass(mlir::createLowerAffinePass());
  pm.addPass(mlir::createSCFToControlFlowPass());
  pm.addPass(mlir::arith::createArithExpandOpsPass());
  pm.addPass(mlir::createConvertFuncToLLVMPass());
  pm.addPass(mlir::createArithToLLVMConversionPass());
  pm.addPass(mlir::createConvertIndexToLLVMPass());
  pm.addPass(mlir::createConvertControlFlowToLLVMPass());
  pm.addPass(mlir::createReconcileUnrealizedCastsPass());
}

mlir::LogicalResult lattn::addSizeChecks(mlir::ModuleOp lowered,
                                         mlir::ModuleOp source) {
  mlir::OwningOpRef<mlir::ModuleOp> checks = makeSizeChecks(source);
  if (!checks)
    return mlir::failure();
  mlir::PassManager pm(source.getContext());
  pm.enableVerifier(false);
  buildPipeline(pm);
  if (failed(pm.run(*checks)))
    return mlir::failure();
  mlir::Block *body = lowered.getBody();
  body->getOperations().splice(body->end(), checks->getBody()->getOperations());
  return mlir::success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// What a function stores behind its first argument: its results.
static llvm::Type *getResultStruct(llvm::Function &entry) {
  for (llvm::User *user : entry.getArg(0)->users())
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      if (store->getPointerOperand() == entry.getArg(0))
        return store->getValueOperand()->getType();
  return nullptr;
}

/// Before all else: the check, and where it fails no results.
static void guard(llvm::Function &entry, llvm::Function &check) {
  llvm::LLVMContext &context = entry.getContext();
  llvm::BasicBlock *first = &entry.getEntryBlock();
  auto *test = llvm::BasicBlock::Create(context, "", &entry, first);
  auto *failed = llvm::BasicBlock::Create(context, "", &entry);
  bool hasResultStruct = entry.arg_size() > check.arg_size();
  llvm::IRBuilder<> b(test);
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument :
       llvm::drop_begin(entry.args(), hasResultStruct))
    arguments.push_back(&argument);
  llvm::Value *message = b.CreateCall(&check, arguments);
  b.CreateCondBr(b.CreateIsNull(message), first, failed,
                 llvm::MDBuilder(context).createLikelyBranchWeights());
  b.SetInsertPoint(failed);
  llvm::FunctionCallee fail = entry.getParent()->getOrInsertFunction(
      "lattn_fail", b.getVoidTy(), b.getPtrTy());
  b.CreateCall(fail, message);
  if (hasResultStruct)
    if (llvm::Type *type = getResultStruct(entry))
      b.CreateStore(llvm::Constant::getNullValue(type), entry.getArg(0));
  llvm::Type *result = entry.getReturnType();
  if (result->isVoidTy())
    b.CreateRetVoid();
  else
    b.CreateRet(llvm::Constant::getNullValue(result));
}

void lattn::guardEntries(llvm::Module &module) {
  for (llvm::Function &check : module) {
    llvm::StringRef name = check.getName();
    if (check.isDeclaration() || !name.consume_front(kSizeCheckPrefix))
      continue;
    llvm::Function *entry = module.getFunction((kInterfacePrefix + name).str());
    if (entry && !entry->isDeclaration())
      guard(*entry, check);
  }
}
