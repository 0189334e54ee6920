//===- MakeTensorMaps.cpp - Tensor maps as calls of the runtime -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "lattn/Runtime/CUDA/TensorMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace lattn;

static LLVM::LLVMFuncOp declareCallee(ModuleOp module) {
  auto b = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {pointer, pointer});
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), kTensorMapFunction, type);
}

/// Room for `words` words on the function's stack, taken once.
static Value takeWords(Operation *at, Type words) {
  auto function = at->getParentOfType<func::FuncOp>();
  auto b = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = at->getLoc();
  Value one = LLVM::ConstantOp::create(b, loc, b.getI64Type(), 1);
  constexpr unsigned alignment = 64;
  return LLVM::AllocaOp::create(b, loc,
                                LLVM::LLVMPointerType::get(b.getContext()),
                                words, one, alignment);
}

static void makeTensorMap(nvgpu::TmaCreateDescriptorOp op,
                          LLVM::LLVMFuncOp callee) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value array = op.getTensor().getDefiningOp<memref::CastOp>().getSource();
  auto type = cast<MemRefType>(array.getType());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  int64_t width = type.getElementTypeBitWidth() / 8;
  auto inBytes = [&](Value elements) -> Value {
    return arith::MulIOp::create(b, loc, elements, constant(width));
  };
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, array);
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, array);
  Value address =
      arith::AddIOp::create(b, loc, start, inBytes(metadata.getOffset()));
  auto element = type.getElementType().isF32()   ? cuda::TensorMapType::F32
                 : type.getElementType().isF16() ? cuda::TensorMapType::F16
                                                 : cuda::TensorMapType::BF16;
  SmallVector<Value> strides =
      llvm::map_to_vector(metadata.getStrides(), inBytes);
  auto swizzle = op.getTensorMap().getType().getSwizzle();
  SmallVector<Value> words = {constant(static_cast<int64_t>(element)),
                              constant(static_cast<int64_t>(swizzle)),
                              constant(type.getRank()), address};
  for (ValueRange axes : {ValueRange(metadata.getSizes()), ValueRange(strides),
                          ValueRange(op.getBoxDimensions())})
    for (Value extent : llvm::reverse(axes))
      words.push_back(extent);
  Type i64 = b.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto array64 = [&](int64_t count) -> Type {
    return LLVM::LLVMArrayType::get(i64, count);
  };
  Value fields = takeWords(op, array64(words.size()));
  for (auto [i, word] : llvm::enumerate(words)) {
    Value value = arith::IndexCastOp::create(b, loc, i64, word);
    Value place =
        LLVM::GEPOp::create(b, loc, pointer, i64, fields,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(b, loc, value, place);
  }
  Type map = array64(sizeof(cuda::TensorMap) / sizeof(uint64_t));
  Value made = takeWords(op, map);
  LLVM::CallOp::create(b, loc, callee, ValueRange{fields, made});
  op.replaceAllUsesWith(LLVM::LoadOp::create(b, loc, map, made).getResult());
  op.erase();
}

void lattn::makeTensorMaps(ModuleOp module) {
  SmallVector<nvgpu::TmaCreateDescriptorOp> ops;
  module.walk([&](nvgpu::TmaCreateDescriptorOp op) { ops.push_back(op); });
  if (ops.empty())
    return;
  LLVM::LLVMFuncOp callee = declareCallee(module);
  for (nvgpu::TmaCreateDescriptorOp op : ops)
    makeTensorMap(op, callee);
}
