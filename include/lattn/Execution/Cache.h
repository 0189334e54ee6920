//===- Cache.h - Compiled code on disk --------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Folders of machine code that a process may load without MLIR, and of tile
// sizes that were measured. Nothing in them is believed: what another user
// could have written is not loaded, and what is damaged is compiled anew.
// Trouble with a cache is a warning, never an error.

#ifndef LATTN_EXECUTION_CACHE_H
#define LATTN_EXECUTION_CACHE_H

#include "lattn/Execution/Program.h"
#include "lattn/Target/TargetInfo.h"
#include <optional>

namespace lattn {

/// What compiling yields and a later process can load.
struct CompiledCode {
  Signature signature;
  std::string warnings; // of the compiler, as printed
  std::unique_ptr<llvm::MemoryBuffer> object;
  std::string kernels; // for a GPU: machine code or PTX
};

/// The function `entry` of an MLIR module's text, from the cache of `options`
/// where it can be; `fromCache` says whether it was.
llvm::Expected<CompiledCode> loadOrCompile(llvm::StringRef text,
                                           llvm::StringRef bufferName,
                                           llvm::StringRef entry,
                                           CompileOptions options,
                                           bool *fromCache = nullptr);

llvm::Expected<CompiledCode> compileCode(mlir::func::FuncOp source,
                                         const CompileOptions &options);

/// A hash, in hexadecimal, of all that compiled code depends on: the source,
/// the options, the target, and the very code of this compiler. None where that
/// cannot be told.
std::optional<std::string> getCacheKey(llvm::StringRef text,
                                       llvm::StringRef bufferName,
                                       llvm::StringRef entry,
                                       const CompileOptions &options,
                                       const TargetInfo &target);

/// Tile sizes that were measured for a kernel, and those of the cost model.
struct TunedKernel {
  std::string kernel; // getKernelName
  TileSizes sizes, modelSizes;
  double milliseconds = 0, modelMilliseconds = 0; // of the whole program
};

class Cache {
public:
  /// The cache in `folder` ("" is the default one), which is made where there
  /// is none. None for "off" and, after a warning, for a folder that cannot be
  /// used or trusted.
  static std::optional<Cache> open(llvm::StringRef folder);

  /// The code stored under `key`, which becomes the most recently used.
  std::optional<CompiledCode> find(llvm::StringRef key) const;
  /// Other processes see all of the entry or nothing of it.
  void store(llvm::StringRef key, const CompiledCode &code) const;

  /// The file of what was measured on `target` by this version of lattn.
  std::string getTunedPath(const TargetInfo &target) const;
  /// What was measured on `target` by this version of lattn.
  TunedTiles readTuned(const TargetInfo &target) const;
  /// Adds to it and returns the file's path. Other processes see all of it or
  /// nothing, and lose nothing that they store at the same time.
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
