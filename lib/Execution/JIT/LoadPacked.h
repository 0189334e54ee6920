//===- LoadPacked.h - Machine code -> its packed function -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_JIT_LOADPACKED_H
#define LATTN_LIB_EXECUTION_JIT_LOADPACKED_H

#include "lattn/Execution/Jit.h"

namespace lattn {

/// Loads `object` into `jit`, and finds in it what calls the function `name`.
inline llvm::Expected<PackedFunction>
loadPacked(std::unique_ptr<Jit> &jit,
           std::unique_ptr<llvm::MemoryBuffer> object, llvm::StringRef name,
           llvm::ArrayRef<std::pair<llvm::StringRef, void *>> symbols = {}) {
  auto loaded = Jit::load(std::move(object), symbols);
  if (!loaded)
    return loaded.takeError();
  jit = std::move(*loaded);
  return jit->lookupPacked(name);
}

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_JIT_LOADPACKED_H
