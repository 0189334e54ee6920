//===- HostCode.h - The host's side of kernels ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CUDA_HOSTCODE_H
#define LATTN_LIB_EXECUTION_CUDA_HOSTCODE_H

#include "lattn/Execution/Cache.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace lattn {

/// The function that launches call: void (const char *kernel, int64_t grid x,
/// y, z, int64_t block x, y, z, int32_t sharedBytes, void **parameters).
constexpr llvm::StringRef kLaunchFunction = "lattn_cuda_launch";

/// The function that makes a tensor map: void (const int64_t *fields, TensorMap
/// *map). The fields are the element type, the swizzle, the rank, the address,
/// sizes, strides in bytes and box, axes from the innermost.
constexpr llvm::StringRef kTensorMapFunction = "lattn_cuda_make_tensor_map";

struct CUDACode {
  std::vector<KernelSource> kernels;
  std::unique_ptr<llvm::MemoryBuffer> object; // of the host
};

/// Compiles a module of one function, and what it calls, for `options.chip` and
/// this host.
llvm::Expected<CUDACode> compileForCUDA(mlir::ModuleOp source,
                                        const CompileOptions &options,
                                        std::string *warnings);

/// The options that all pass managers of a program have.
llvm::Error setUp(mlir::PassManager &pm, const CompileOptions &options);

/// Registers the translations of kernels to PTX.
void registerTranslations(mlir::MLIRContext &context);

/// Gives `load` the kernel's image for `options.chip`, machine code or PTX,
/// from the cache of `options` if possible. It stores what `load` takes.
llvm::Error loadOrCompileKernel(
    const KernelSource &kernel, const CompileOptions &options,
    llvm::function_ref<llvm::Error(llvm::StringRef image)> load);

/// Tensor maps that the host makes -> calls of kTensorMapFunction.
void makeTensorMaps(mlir::ModuleOp module);

/// Removes the kernels on fragments, and returns each.
std::vector<KernelSource> takeKernels(mlir::ModuleOp module);

/// Launches in a module in the LLVM dialect -> calls of kLaunchFunction.
void callLaunches(mlir::ModuleOp module);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CUDA_HOSTCODE_H
