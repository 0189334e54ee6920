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

/// How a kernel is launched: on a grid in one dimension, of as many blocks as
/// there are tiles of queries in all batches and heads. It takes the arguments
/// of its function: of a memref the descriptor's fields (pointer, pointer,
/// offset, sizes, strides), in elements.
struct PTXKernel {
  std::string name;
  int64_t threads = 0;     // of a block
  int64_t sharedBytes = 0; // of a block, dynamic
  int64_t queries = 0;     // of a tile; 0: the kernel has none
};

struct PTXModule {
  std::string text;
  std::vector<PTXKernel> kernels;
  llvm::json::Array launches; // where they were asked for
};

/// The kernels of a module with attention as PTX, for `options.chip`. Each is
/// described in a comment at the top of the text too. Launches of `described`
/// functions are described as data.
llvm::Expected<PTXModule>
compileToPTX(mlir::ModuleOp source, const LattnToNVVMOptions &options,
             std::string *warnings = nullptr,
             llvm::ArrayRef<Signature> described = {});

} // namespace lattn

#endif // LATTN_EXECUTION_PTX_H
