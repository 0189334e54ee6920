//===- TensorMapParameters.cpp - Tensor maps as parameters of kernels -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The instructions take a tensor map by its address, which for a parameter must
// be where the launch put it: `grid_constant`, that LLVM makes no copy of it.
// gpu.func cannot say that, and of its arguments' attributes the alignment
// alone outlives convert-gpu-to-nvvm: two steps, one on each side of it.

#include "FragmentToNVVM.h"
#include "lattn/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNFINISHKERNELSPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

static constexpr int64_t kMapBytes = 128, kMapAlignment = 64;

void fragment::passTensorMaps(gpu::GPUFuncOp kernel) {
  OpBuilder b = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Type> types;
  for (BlockArgument argument : kernel.getArguments()) {
    Type type = argument.getType();
    if (isa<nvgpu::TensorMapDescriptorType>(type)) {
      argument.setType(pointer);
      auto cast = UnrealizedConversionCastOp::create(b, kernel.getLoc(), type,
                                                     argument);
      argument.replaceAllUsesExcept(cast.getResult(0), cast);
      kernel.setArgAttr(argument.getArgNumber(),
                        LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(kMapAlignment));
    }
    types.push_back(argument.getType());
  }
  kernel.setFunctionType(b.getFunctionType(types, {}));
}

namespace {
struct FinishKernels : lattn::impl::LattnFinishKernelsPassBase<FinishKernels> {
  void runOnOperation() override {
    OpBuilder b(&getContext());
    auto alignment = b.getI64IntegerAttr(kMapAlignment);
    auto map = LLVM::LLVMArrayType::get(b.getI8Type(), kMapBytes);
    // Upstream leaves the annotation of a loop where LLVM does not look.
    getOperation().walk([](LLVM::BrOp branch) {
      if (auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
              branch->removeDiscardableAttr("llvm.loop_annotation")))
        branch.setLoopAnnotationAttr(annotation);
    });
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (function.getArgAttr(i, LLVM::LLVMDialect::getAlignAttrName()) ==
            alignment) {
          function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                              TypeAttr::get(map));
          function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(),
                              b.getUnitAttr());
        }
    // Dynamic shared memory: an array of its own would lie among the static
    // ones.
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto type = dyn_cast<LLVM::LLVMArrayType>(global.getType());
      if (type && type.getNumElements() == 0) {
        global.setLinkage(LLVM::Linkage::External);
        global.setAlignment(fragment::kTMATileAlignment);
      }
    }
  }
};
} // namespace
