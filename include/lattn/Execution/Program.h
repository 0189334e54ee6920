//===- Program.h - Compiled functions and how to call them ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_PROGRAM_H
#define LATTN_EXECUTION_PROGRAM_H

#include "lattn/Execution/Jit.h"
#include "lattn/Execution/Signature.h"
#include "lattn/Target/TileSizes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace lattn {

namespace cuda {
class Device;
} // namespace cuda

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

enum class Pipeline { LLVM, Loops, CUDA };

struct CompileOptions {
  Pipeline pipeline = Pipeline::LLVM;
  std::string cpu, attributes;                   // as for getTargetInfo
  int device = 0;                                // the GPU, for CUDA
  std::string chip;                              // the chip of that GPU
  int64_t queryTile = 0, keyTile = 0, parts = 0; // 0: chosen
  std::string bf16;   // how to multiply it, as for LattnToLLVMOptions
  bool raise = false; // find attention in linalg before the pipeline
  /// Measured tile sizes. If they are not set, compileText takes those from the
  /// folder of compiled code.
  std::optional<TunedTiles> tuned;
  /// Heed the pass manager's command line options (--mlir-print-ir-...), which
  /// the program must have registered. They print while code is compiled, so
  /// there is no cache then.
  bool useCommandLine = false;
  /// The folder of compiled code in which compileText looks and to which it
  /// adds. "" is the default one, "off" means none.
  std::string cache;
  bool quiet = false; // warnings are collected, not printed
};

/// Compiles a module that is lowered to the LLVM dialect's level or beyond.
/// `source` does not change. Errors hold the diagnostics' text with file and
/// line. `warnings` is as for collectErrors.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileToObject(mlir::ModuleOp source, const CompileOptions &options,
                std::string *warnings = nullptr);

/// Runs `action` and returns the errors that it reports to `context` as text,
/// or success if there are none. Other diagnostics are appended to `warnings`
/// and, unless `quiet`, printed to stderr.
llvm::Error collectErrors(mlir::MLIRContext &context,
                          llvm::function_ref<bool()> action,
                          std::string *warnings = nullptr, bool quiet = false);

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

class CUDAKernels;
struct CompiledCode;

/// An error while `stream` of the GPU `device` is being captured, because the
/// driver loads no code then.
llvm::Error checkNotCaptured(int device, uint64_t stream);

/// Where a call of a program for a GPU queues its work and gets its memory. The
/// call does not wait for the work.
struct DeviceCall {
  uint64_t stream = 0; // CUstream
  /// Allocates memory of the GPU and returns its address.
  llvm::function_ref<llvm::Expected<uint64_t>(size_t bytes)> allocate;
  llvm::function_ref<void(uint64_t address)> release;
};

/// A function in machine code and, with Pipeline::CUDA, the kernels that it
/// launches on one GPU. Any number of threads may call it.
class Program {
public:
  static llvm::Expected<Program> compile(mlir::func::FuncOp source,
                                         CompileOptions options,
                                         std::string *warnings = nullptr);
  /// Compiles the function `entry` (empty: as findEntry chooses) of an MLIR
  /// module's text, or takes it from the cache. Errors name `bufferName`.
  static llvm::Expected<Program> compileText(llvm::StringRef text,
                                             llvm::StringRef bufferName,
                                             llvm::StringRef entry,
                                             CompileOptions options);
  Program(Program &&);
  Program &operator=(Program &&);
  ~Program();

  const Signature &getSignature() const { return signature; }
  const ResultLayout &getResultLayout() const { return layout; }
  bool isFromCache() const { return fromCache; }
  bool isForDevice() const { return kernels != nullptr; }
  /// The GPU on which it runs; null if it is for the host.
  std::shared_ptr<const cuda::Device> getDevice() const;

  /// Calls the function with pointers to memref descriptors and scalars, which
  /// are not checked. One pointer is to the struct of results, at the place
  /// that ResultLayout says. After an error there are no results.
  llvm::Error call(void **pointers) const;
  /// Calls a program that has a device.
  llvm::Error call(void **pointers, const DeviceCall &call) const;
  /// Compiles and loads the kernels that such a call on `stream` needs.
  llvm::Error prepare(void **pointers, uint64_t stream) const;
  /// Calls `visit` once with each buffer in which results of a call lie: memory
  /// that the code allocated, an argument or a constant.
  void forEachResultBuffer(void **pointers,
                           llvm::function_ref<void(void *)> visit) const;
  /// Frees the buffers of results that the code allocated in the host's memory.
  void releaseResults(void **pointers) const;

private:
  Program();
  static llvm::Expected<Program>
  load(CompiledCode code, std::shared_ptr<const cuda::Device> device,
       const CompileOptions &options);

  Signature signature;
  ResultLayout layout;
  bool fromCache = false;
  std::unique_ptr<CUDAKernels> kernels;
  std::unique_ptr<Jit> jit;
  PackedFunction packed = nullptr;
};

} // namespace lattn

#endif // LATTN_EXECUTION_PROGRAM_H
