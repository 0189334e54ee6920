//===- GatherKernels.cpp - Kernels in one module, called as their functions -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNGATHERKERNELSPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using lattn::GPUTarget;

/// Makes the kernel of `launch` take all arguments of its function, in order,
/// and then what else it uses: tensor maps first.
static void orderArguments(gpu::LaunchFuncOp launch, gpu::GPUFuncOp kernel) {
  llvm::SetVector<Value> wanted;
  wanted.insert_range(
      launch->getParentOfType<FunctionOpInterface>().getArguments());
  SmallVector<Value> operands(launch.getKernelOperands());
  wanted.insert_range(llvm::make_filter_range(operands, [](Value operand) {
    return isa<nvgpu::TensorMapDescriptorType>(operand.getType());
  }));
  wanted.insert_range(operands);
  Block &entry = kernel.getBody().front();
  unsigned before = kernel.getNumArguments();
  SmallVector<Type> types;
  for (Value value : wanted) {
    types.push_back(value.getType());
    BlockArgument argument =
        entry.addArgument(value.getType(), kernel.getLoc());
    for (auto [i, operand] : llvm::enumerate(operands))
      if (operand == value)
        entry.getArgument(i).replaceAllUsesWith(argument);
  }
  entry.eraseArguments(0, before);
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), types, {}));
  launch.getKernelOperandsMutable().assign(wanted.takeVector());
}

/// Registers of a block's threads: those that roles ask for, or all that each
/// can name.
static int64_t getRegisters(gpu::GPUFuncOp kernel, int64_t threads) {
  std::optional<int64_t> ofRoles;
  kernel.walk([&](lattn::fragment::WarpSpecializeOp op) {
    ofRoles = op.getBlockRegisters();
  });
  return ofRoles.value_or(GPUTarget::mostThreadRegisters * threads);
}

/// Notes how many queries a work tile of the kernel has: as many rows as its
/// tiles.
static void describeKernel(gpu::LaunchFuncOp launch, gpu::GPUFuncOp kernel) {
  kernel.walk([&](lattn::fragment::StoreOp store) {
    MLIRContext *context = launch.getContext();
    launch->setAttr(lattn::fragment::kKernelDescription,
                    lattn::fragment::KernelAttr::get(
                        context, store.getSource().getType().getRows()));
    return WalkResult::interrupt();
  });
}

/// ptxas would spill to fit one more block on a multiprocessor: as many as
/// leave each thread its registers are enough.
static void limitBlocks(gpu::LaunchFuncOp launch, gpu::GPUFuncOp kernel) {
  std::optional<int64_t> threads = getConstantIntValue(launch.getBlockSizeX());
  if (!threads || *threads < 1)
    return;
  int64_t blocks = GPUTarget::countBlocks(getRegisters(kernel, *threads));
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  Builder(kernel).getI32IntegerAttr(blocks));
}

namespace {
struct GatherKernels : lattn::impl::LattnGatherKernelsPassBase<GatherKernels> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    gpu::GPUModuleOp kernels;
    SmallVector<gpu::LaunchFuncOp> launches;
    getOperation()->walk(
        [&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    for (gpu::LaunchFuncOp launch : launches) {
      auto from = symbols.lookup<gpu::GPUModuleOp>(
          launch.getKernelModuleName().getValue());
      auto kernel = from.lookupSymbol<gpu::GPUFuncOp>(launch.getKernelName());
      orderArguments(launch, kernel);
      limitBlocks(launch, kernel);
      describeKernel(launch, kernel);
      if (!kernels) {
        kernels = from;
        continue;
      }
      // Outlining gives each module a name of its own, and copies of the
      // constant arrays that the kernel reads.
      kernel.setName(from.getName());
      kernel->moveBefore(kernels.getBody(), kernels.getBody()->end());
      for (auto global :
           llvm::make_early_inc_range(from.getOps<memref::GlobalOp>()))
        if (!kernels.lookupSymbol(global.getSymNameAttr()))
          global->moveBefore(kernels.getBody(), kernels.getBody()->end());
      launch.setKernelAttr(
          SymbolRefAttr::get(kernels.getNameAttr(),
                             {FlatSymbolRefAttr::get(kernel.getNameAttr())}));
      symbols.erase(from);
    }
  }
};
} // namespace
