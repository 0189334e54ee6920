//===- Jit.h - From a module in the LLVM dialect to machine code -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two steps with an object file in between, so that the file can be stored.

#ifndef LATTN_EXECUTION_JIT_H
#define LATTN_EXECUTION_JIT_H

#include "lattn/Target/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace lattn {

/// A function that takes an array of pointers to its arguments and, last, to
/// its result.
using PackedFunction = void (*)(void **);

/// The symbol of the packed function that calls `name`.
std::string getPackedName(llvm::StringRef name);

/// A module in the LLVM dialect -> an object file, optimised for `target`.
/// Every function with a C interface gets a packed one beside it.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileToObject(mlir::ModuleOp module, const TargetInfo &target);

/// Loads an object file into this process. Code finds lattn's runtime, the C
/// library and libm. `symbols`, by address, take precedence over all of these.
class Jit {
public:
  static llvm::Expected<std::unique_ptr<Jit>>
  load(std::unique_ptr<llvm::MemoryBuffer> object,
       llvm::ArrayRef<std::pair<llvm::StringRef, void *>> symbols = {});
  ~Jit();

  /// The packed function that calls the function `name`.
  llvm::Expected<PackedFunction> lookupPacked(llvm::StringRef name);

private:
  explicit Jit(std::unique_ptr<llvm::orc::LLJIT> jit);
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace lattn

#endif // LATTN_EXECUTION_JIT_H
