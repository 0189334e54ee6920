//===- Cache.h - Compiled code on disk --------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Folders of machine code that a process may load without MLIR, and of measured
// tile sizes. Their files are not trusted. Code that another user could have
// written is not loaded. A damaged file is ignored, and its code compiled
// again. Trouble with a cache is a warning, never an error.

#ifndef LATTN_EXECUTION_CACHE_H
#define LATTN_EXECUTION_CACHE_H

#include "lattn/Execution/Program.h"
#include "lattn/Target/TargetInfo.h"
#include <optional>

namespace lattn {

/// A kernel that is compiled when a call needs it.
struct KernelSource {
  std::string name, bytecode; // of a module with the kernel on fragments
};

/// The result of compiling, which a later process can load.
struct CompiledCode {
  Signature signature;
  std::string warnings; // of the compiler, as printed
  /// The host's machine code, or the image of one kernel.
  std::unique_ptr<llvm::MemoryBuffer> object;
  std::vector<KernelSource> kernels; // that the host's code launches
};

/// The function `entry` of an MLIR module's text, from the cache of `options`
/// if possible. `fromCache` says whether it was.
llvm::Expected<CompiledCode> loadOrCompile(llvm::StringRef text,
                                           llvm::StringRef bufferName,
                                           llvm::StringRef entry,
                                           CompileOptions options,
                                           bool *fromCache = nullptr);

llvm::Expected<CompiledCode> compileCode(mlir::func::FuncOp source,
                                         const CompileOptions &options);

/// A hash, in hexadecimal, of everything that compiled code depends on: the
/// source, the options, the target, and this compiler's own code. None if one
/// of these cannot be determined.
std::optional<std::string> getCacheKey(llvm::StringRef text,
                                       llvm::StringRef bufferName,
                                       llvm::StringRef entry,
                                       const CompileOptions &options,
                                       const TargetInfo &target);

/// The same of a kernel's image. Neither names the host's CPU or its driver.
struct KernelKeys {
  std::string machineCode;
  std::string ptx; // also of the ptxas that is found and did not assemble it
};
std::optional<KernelKeys> getKernelKeys(llvm::StringRef bytecode,
                                        llvm::StringRef chip);

/// Tile sizes that were measured for a kernel, and the sizes of the cost model.
struct TunedKernel {
  std::string kernel; // getKernelName
  TileSizes sizes, modelSizes;
  double milliseconds = 0, modelMilliseconds = 0; // of the whole program
};

class Cache {
public:
  /// The cache in `folder` ("" is the default one), which is created if it does
  /// not exist. None for "off". None, after a warning, for a folder that cannot
  /// be used or trusted.
  static std::optional<Cache> open(llvm::StringRef folder);

  /// Returns the code stored under `key` and marks it as the most recently
  /// used.
  std::optional<CompiledCode> find(llvm::StringRef key) const;
  /// Other processes see all of the entry or none of it.
  void store(llvm::StringRef key, const CompiledCode &code) const;

  /// The file with the sizes that this version of lattn measured on `target`.
  std::string getTunedPath(const TargetInfo &target) const;
  /// The sizes that this version of lattn measured on `target`.
  TunedTiles readTuned(const TargetInfo &target) const;
  /// Adds sizes to that file and returns its path. Other processes see all of
  /// them or none, and keep what they store at the same time.
  llvm::Expected<std::string>
  storeTuned(const TargetInfo &target,
             llvm::ArrayRef<TunedKernel> kernels) const;

  llvm::StringRef getFolder() const { return folder; }
  /// Bytes that all entries together may have.
  uint64_t getLimit() const { return limit; }

private:
  Cache(std::string folder, uint64_t limit)
      : folder(std::move(folder)), limit(limit) {}
  std::string getPath(llvm::StringRef key) const;

  std::string folder;
  uint64_t limit;
};

} // namespace lattn

#endif // LATTN_EXECUTION_CACHE_H
