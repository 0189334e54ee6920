//===- HostCode.h - The host's side of kernels ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CUDA_HOSTCODE_H
#define LATTN_LIB_EXECUTION_CUDA_HOSTCODE_H

#include "lattn/Execution/Program.h"

namespace lattn {

/// The function that launches call: void (const char *kernel, int64_t grid x,
/// y, z, int64_t block x, y, z, int32_t sharedBytes, void **parameters).
constexpr llvm::StringRef kLaunchFunction = "lattn_cuda_launch";

/// The function that makes a tensor map: void (const int64_t *fields, TensorMap
/// *map). The fields are the element type, the swizzle, the rank, the address,
/// sizes, strides in bytes and box, axes from the innermost.
constexpr llvm::StringRef kTensorMapFunction = "lattn_cuda_make_tensor_map";

struct CUDACode {
  std::string ptx;
  std::unique_ptr<llvm::MemoryBuffer> object; // of the host
};

/// Compiles a module of one function, and what it calls, for `options.chip` and
/// this host.
llvm::Expected<CUDACode> compileForCUDA(mlir::ModuleOp source,
                                        const CompileOptions &options,
                                        std::string *warnings);

/// Registers the translations of kernels to PTX.
void registerTranslations(mlir::MLIRContext &context);

/// Machine code if ptxas is found and knows the chip; else the PTX, with a
/// remark.
std::string assembleKernels(std::string ptx, llvm::StringRef chip,
                            std::string *warnings, bool quiet);

/// Tensor maps that the host makes -> calls of kTensorMapFunction.
void makeTensorMaps(mlir::ModuleOp module);

/// Launches in a module in the LLVM dialect -> calls of kLaunchFunction.
/// Removes the kernels and returns them as PTX.
std::string takeKernels(mlir::ModuleOp module);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CUDA_HOSTCODE_H
