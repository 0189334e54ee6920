//===- Memory.h - Memory that compiled code allocates -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The memory of compiled code is counted, so that reports can state how much it
// needs. Its blocks are known by address, so that a result is freed only if
// compiled code allocated it.

#ifndef LATTN_EXECUTION_MEMORY_H
#define LATTN_EXECUTION_MEMORY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <cstdint>

namespace lattn {

/// Allocates memory that is aligned at least to a cache line. If there is none,
/// and the caller runs inside runCode, that code is left. Other code cannot go
/// on, so the process ends with a message.
void *allocateForCode(size_t bytes, size_t alignment);
/// The same, but returns null if there is no memory.
void *tryAllocateForCode(size_t bytes, size_t alignment);
/// Runs compiled code and returns null. If the code gets no memory, it is left
/// at that place without running destructors, and its memory is freed. Then the
/// result is a message that is valid until this thread's next one.
const char *runCode(llvm::function_ref<void()> code);
/// Does nothing for a null pointer.
void releaseFromCode(void *pointer);
/// Whether `pointer` came from allocateForCode and is alive.
bool isAllocatedByCode(void *pointer);
/// The size of a live block, 0 for others.
int64_t getAllocatedBytes(void *pointer);

/// Bytes alive now, and the most alive at once since resetPeakCodeBytes.
int64_t getCodeBytes();
int64_t getPeakCodeBytes();
void resetPeakCodeBytes();
/// Returns blocks that are kept for reuse to the system.
void trimCodeMemory();

} // namespace lattn

#endif // LATTN_EXECUTION_MEMORY_H
