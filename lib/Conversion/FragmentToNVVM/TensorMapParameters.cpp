//===- TensorMapParameters.cpp - Tensor maps as parameters of kernels -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Instructions take a tensor map by its address. A parameter must stay where
// the launch put it, so LLVM must not copy it: `grid_constant`. gpu.func cannot
// say that, and convert-gpu-to-nvvm drops such an attribute of an argument. So
// fragment.tensor_map_parameter says it until then, and attributes of the
// arguments after that.

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
      auto map =
          TensorMapParameterOp::create(b, kernel.getLoc(), pointer, argument);
      auto cast = UnrealizedConversionCastOp::create(b, kernel.getLoc(), type,
                                                     map.getResult());
      argument.replaceAllUsesExcept(cast.getResult(0), map);
    }
    types.push_back(argument.getType());
  }
  kernel.setFunctionType(b.getFunctionType(types, {}));
}

/// Makes the argument that `op` names one of a tensor map by value.
static LogicalResult finishParameter(fragment::TensorMapParameterOp op) {
  auto argument = cast<BlockArgument>(op.getArgument());
  auto function =
      dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
  if (!function)
    return op.emitOpError("expected an argument of an 'llvm.func', which "
                          "convert-gpu-to-nvvm makes");
  Builder b(op.getContext());
  auto map = LLVM::LLVMArrayType::get(b.getI8Type(), kMapBytes);
  auto mark = [&](StringRef name, Attribute value) {
    function.setArgAttr(argument.getArgNumber(), name, value);
  };
  mark(LLVM::LLVMDialect::getAlignAttrName(),
       b.getI64IntegerAttr(kMapAlignment));
  mark(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(map));
  mark(NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
  op.replaceAllUsesWith(op.getArgument());
  op.erase();
  return success();
}

/// Dynamic shared memory is declared elsewhere. Another array would lie among
/// the static ones.
static void finishSharedMemory(LLVM::GlobalOp global) {
  auto type = dyn_cast<LLVM::LLVMArrayType>(global.getType());
  if (!type || type.getNumElements() != 0)
    return;
  global.setLinkage(LLVM::Linkage::External);
  global.setAlignment(fragment::kTMATileAlignment);
}

namespace {
struct FinishKernels : lattn::impl::LattnFinishKernelsPassBase<FinishKernels> {
  void runOnOperation() override {
    // Upstream leaves the annotation of a loop where LLVM does not look.
    getOperation().walk([](LLVM::BrOp branch) {
      if (auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
              branch->removeDiscardableAttr("llvm.loop_annotation")))
        branch.setLoopAnnotationAttr(annotation);
    });
    WalkResult walk =
        getOperation().walk([](fragment::TensorMapParameterOp op) {
          return WalkResult(finishParameter(op));
        });
    if (walk.wasInterrupted())
      return signalPassFailure();
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      finishSharedMemory(global);
  }
};
} // namespace
