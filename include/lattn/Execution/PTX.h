//===- PTX.h - Attention as PTX ---------------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_PTX_H
#define LATTN_EXECUTION_PTX_H

#include "lattn/Execution/LaunchRecord.h"
#include "lattn/Pipelines/Pipelines.h"
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace lattn {

/// How to launch a kernel. The grid has one dimension, with a block for each
/// tile of queries in all batches and heads. The kernel takes the arguments of
/// its function. For a memref it takes the fields of the descriptor (pointer,
/// pointer, offset, sizes, strides), in elements.
struct PTXKernel {
  std::string name;
  int64_t threads = 0;     // of a block
  int64_t sharedBytes = 0; // of a block, dynamic
  int64_t queries = 0;     // of a tile; 0: the kernel has none
};

struct PTXModule {
  std::string text;
  std::vector<PTXKernel> kernels;
  llvm::json::Array launches; // if the caller asked for them
};

/// Compiles the kernels of a module with attention to PTX, for `options.chip`.
/// A comment at the top of the text also describes each kernel. The launches of
/// the functions `described` are described as data.
llvm::Expected<PTXModule>
compileToPTX(mlir::ModuleOp source, const LattnToNVVMOptions &options,
             std::string *warnings = nullptr,
             llvm::ArrayRef<Signature> described = {});

} // namespace lattn

#endif // LATTN_EXECUTION_PTX_H
