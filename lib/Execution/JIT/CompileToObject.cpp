//===- CompileToObject.cpp - From the LLVM dialect to an object file ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/CodeGen.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;
using namespace lattn;

std::string lattn::getPackedName(StringRef name) {
  return ("_lattn_packed_" + name).str();
}

/// void packed(ptr %args): loads each argument from its pointer, calls, stores
/// the result behind them.
static void addPackedFunction(Function &function) {
  Module &module = *function.getParent();
  StringRef name = function.getName();
  name.consume_front(kInterfacePrefix);
  IRBuilder<> b(module.getContext());
  FunctionType *type =
      FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, /*isVarArg=*/false);
  Function *packed = Function::Create(type, GlobalValue::ExternalLinkage,
                                      getPackedName(name), module);
  b.SetInsertPoint(BasicBlock::Create(module.getContext(), "", packed));
  Value *pointers = packed->getArg(0);
  auto getPointer = [&](unsigned i) {
    return b.CreateLoad(b.getPtrTy(),
                        b.CreateConstGEP1_64(b.getPtrTy(), pointers, i));
  };
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args()) {
    Value *pointer = getPointer(argument.getArgNo());
    // Descriptors go by pointer, scalars by value.
    arguments.push_back(argument.getType()->isPointerTy()
                            ? pointer
                            : b.CreateLoad(argument.getType(), pointer));
  }
  Value *result = b.CreateCall(&function, arguments);
  if (!result->getType()->isVoidTy())
    b.CreateStore(result, getPointer(arguments.size()));
  b.CreateRetVoid();
}

/// Only kernels may not be inlined: KernelFunctions.cpp makes them so.
static bool isKernel(const Function &function) {
  return function.hasFnAttribute(Attribute::NoInline);
}

/// What LLVM has left to do. MLIR has simplified the program, and kernels come
/// unrolled, so that each pass runs about once: LLVM's O3 takes twice the time
/// and makes nothing faster.
static constexpr StringLiteral kSimplify =
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg),"
    "ipsccp<no-func-spec>,globalopt,cgscc(inline),"
    "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(loop-rotate,licm),simplifycfg,"
    "loop(loop-idiom,indvars,loop-deletion),gvn,sccp,dse)";
/// Kernels come as vectors. Scalar loops are those of other operations.
static constexpr StringLiteral kVectorize =
    "loop-mssa(licm),loop-rotate,loop-vectorize<interleave-forced-only>";
static constexpr StringLiteral kCleanUp =
    "function(loop-mssa(licm),simplifycfg,instcombine<no-verify-fixpoint>),"
    "globaldce";

void lattn::optimize(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager simplify, cleanUp;
  FunctionPassManager vectorize;
  cantFail(builder.parsePassPipeline(simplify, kSimplify));
  cantFail(builder.parsePassPipeline(vectorize, kVectorize));
  cantFail(builder.parsePassPipeline(cleanUp, kCleanUp));
  simplify.run(module, modules);
  for (Function &function : module)
    if (!function.isDeclaration() && !isKernel(function))
      functions.invalidate(function, vectorize.run(function, functions));
  cleanUp.run(module, modules);
}

Expected<std::unique_ptr<Module>>
lattn::translateToLLVMIR(mlir::ModuleOp module, LLVMContext &context,
                         const TargetMachine &machine) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<Module> code = mlir::translateModuleToLLVMIR(module, context);
  if (!code)
    return createStringError("cannot translate the module to LLVM IR");
  guardEntries(*code);
  code->setDataLayout(machine.createDataLayout());
  code->setTargetTriple(machine.getTargetTriple());
  return code;
}

Expected<std::unique_ptr<MemoryBuffer>>
lattn::emitObject(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager emit;
  if (machine.addPassesToEmitFile(emit, stream, nullptr,
                                  CodeGenFileType::ObjectFile))
    return createStringError("the target cannot write object files");
  emit.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(bytes), "lattn", /*RequiresNullTerminator=*/false);
}

Expected<std::unique_ptr<MemoryBuffer>>
lattn::compileToObject(mlir::ModuleOp module, const TargetInfo &target) {
  Expected<std::unique_ptr<TargetMachine>> machine =
      createTargetMachine(target);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  Expected<std::unique_ptr<Module>> code =
      translateToLLVMIR(module, context, **machine);
  if (!code)
    return code.takeError();
  llvm::StringSet<> packed;
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    if (function.isExternal() || function.isPrivate() ||
        !name.consume_front(kInterfacePrefix))
      continue;
    addPackedFunction(*(*code)->getFunction(function.getName()));
    packed.insert(getPackedName(name));
  }
  // The others go where they are inlined.
  internalizeModule(**code, [&](const GlobalValue &value) {
    return packed.contains(value.getName());
  });
  optimize(**code, **machine);
  return emitObject(**code, **machine);
}
