//===- OutOfMemory.h - How tools end without memory -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_OUTOFMEMORY_H
#define LATTN_OUTOFMEMORY_H

namespace lattn {

/// From now on, if MLIR or LLVM get no memory, the process prints "`tool`:
/// error: out of memory", removes half-written files, and exits with 1. This
/// must be the first call in a tool's main: LLVM's own handlers, which print a
/// stack and abort, come after it. No library may call it.
void installOutOfMemoryHandler(const char *tool);

} // namespace lattn

#endif // LATTN_OUTOFMEMORY_H
