//===- TakeKernels.cpp - Kernels apart, and launches as calls -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace lattn;

static LLVM::LLVMFuncOp declareLaunch(ModuleOp module) {
  auto b = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  SmallVector<Type> types = {pointer};
  types.append(6, b.getI64Type());
  types.append({b.getI32Type(), pointer});
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), types);
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), kLaunchFunction, type);
}

/// An array of pointers to the kernel's operands, on the function's stack.
static Value packOperands(OpBuilder &b, gpu::LaunchFuncOp launch) {
  Location loc = launch.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  OpBuilder::InsertionGuard guard(b);
  auto function = launch->getParentOfType<LLVM::LLVMFuncOp>();
  auto entry = OpBuilder::atBlockBegin(&function.getBody().front());
  Value one = LLVM::ConstantOp::create(entry, loc, b.getI64Type(), 1);
  auto allocate = [&](Type type) -> Value {
    return LLVM::AllocaOp::create(entry, loc, pointer, type, one);
  };
  auto operands = launch.getKernelOperands();
  Type array = LLVM::LLVMArrayType::get(pointer, operands.size());
  Value pointers = allocate(array);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value place = allocate(operand.getType());
    LLVM::StoreOp::create(b, loc, operand, place);
    Value slot = LLVM::GEPOp::create(b, loc, pointer, array, pointers,
                                     ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    LLVM::StoreOp::create(b, loc, place, slot);
  }
  return pointers;
}

static void replaceLaunch(gpu::LaunchFuncOp launch, LLVM::LLVMFuncOp callee,
                          unsigned number) {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  std::string name = launch.getKernelName().str();
  name.push_back('\0');
  Value text = LLVM::createGlobalString(
      loc, b, "lattn_kernel_name_" + std::to_string(number), name,
      LLVM::Linkage::Internal);
  Value shared = launch.getDynamicSharedMemorySize();
  if (!shared)
    shared = LLVM::ConstantOp::create(b, loc, b.getI32Type(), 0);
  Value arguments[] = {text,
                       launch.getGridSizeX(),
                       launch.getGridSizeY(),
                       launch.getGridSizeZ(),
                       launch.getBlockSizeX(),
                       launch.getBlockSizeY(),
                       launch.getBlockSizeZ(),
                       shared,
                       packOperands(b, launch)};
  LLVM::CallOp::create(b, loc, callee, arguments);
  launch.erase();
}

void lattn::callLaunches(ModuleOp module) {
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  if (!launches.empty()) {
    LLVM::LLVMFuncOp callee = declareLaunch(module);
    for (auto [number, launch] : llvm::enumerate(launches))
      replaceLaunch(launch, callee, number);
  }
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
}

/// A module with this kernel alone, and with the constant arrays that it reads.
static KernelSource takeKernel(gpu::GPUFuncOp kernel) {
  auto from = kernel->getParentOfType<gpu::GPUModuleOp>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  OpBuilder b(module->getBodyRegion());
  auto to = gpu::GPUModuleOp::create(b, kernel.getLoc(), kernel.getName());
  b.setInsertionPointToStart(to.getBody());
  for (auto global : from.getOps<memref::GlobalOp>())
    if (!SymbolTable::symbolKnownUseEmpty(global, kernel))
      b.clone(*global);
  b.clone(*kernel);
  KernelSource source{kernel.getName().str(), ""};
  llvm::raw_string_ostream os(source.bytecode);
  (void)writeBytecodeToFile(*module, os); // it fails for old versions only
  return source;
}

std::vector<KernelSource> lattn::takeKernels(ModuleOp module) {
  std::vector<KernelSource> kernels;
  for (auto from :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    for (auto kernel : from.getOps<gpu::GPUFuncOp>())
      kernels.push_back(takeKernel(kernel));
    from.erase();
  }
  return kernels;
}
