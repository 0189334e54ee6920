//===- CUDAProgram.h - Functions whose attention runs on a GPU --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_CUDAPROGRAM_H
#define LATTN_EXECUTION_CUDAPROGRAM_H

#include "lattn/Execution/Callable.h"

namespace lattn {

class CUDASession;

/// A function whose body runs on the host and launches kernels, with arrays in
/// the memory of the first GPU.
class CUDAProgram {
public:
  /// Compiles for the GPU that is there. What cannot run on one is an error.
  static llvm::Expected<CUDAProgram> compile(mlir::func::FuncOp source,
                                             std::string *warnings = nullptr);
  CUDAProgram(CUDAProgram &&);
  ~CUDAProgram();

  const Signature &getSignature() const { return signature; }
  /// "the device 'NAME' is sm_90".
  std::string describeDevice() const;

private:
  friend class CUDAInvocation;
  CUDAProgram();
  Signature signature;
  std::unique_ptr<CUDASession> session;
  std::unique_ptr<Jit> jit;
  PackedFunction packed = nullptr;
};

/// Calls of one program with the same arguments, copies of which are on the
/// GPU. The program and the arrays outlive it.
class CUDAInvocation {
public:
  static llvm::Expected<CUDAInvocation>
  create(CUDAProgram &program, llvm::ArrayRef<NumpyArray *> arguments);
  CUDAInvocation(CUDAInvocation &&);
  ~CUDAInvocation();

  /// Runs to its end and returns the seconds that the GPU took. Replaces the
  /// results of an earlier run.
  llvm::Expected<double> run();
  /// Copies of the results; arguments that the function writes to are as it
  /// left them.
  llvm::Expected<std::vector<NumpyArray>> getResults();

private:
  struct Arguments;
  CUDAInvocation();
  llvm::Error copyIn(unsigned argument);
  llvm::Error copyOut(void *to, uint64_t from, size_t bytes);
  llvm::Expected<NumpyArray> copyResult(const ValueInfo &info,
                                        const char *field);
  CUDAProgram *program = nullptr;
  std::unique_ptr<Arguments> arguments;
};

} // namespace lattn

#endif // LATTN_EXECUTION_CUDAPROGRAM_H
