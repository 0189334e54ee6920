//===- OutOfMemory.cpp - How tools end without memory ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Nothing here may ask for memory once there is none.

#include "lattn/OutOfMemory.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

static char message[64];

[[noreturn]] static void fail() {
  (void)!::write(STDERR_FILENO, message, std::strlen(message));
  std::_Exit(1);
}

static void failAllocation(void *, const char *, bool) {
  llvm::sys::RunInterruptHandlers();
  fail();
}

/// MLIR writes to what malloc gave it without a look, and LLVM aborts where it
/// gets no thread. A crash where there is as good as no memory is taken for
/// one for lack of it.
static void judgeCrash(void *) {
  constexpr size_t stack = 16 << 20; // more than that of a thread
  if (mmap(nullptr, stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
           -1, 0) == MAP_FAILED)
    fail();
}

void lattn::installOutOfMemoryHandler(const char *tool) {
  std::snprintf(message, sizeof(message), "%s: error: out of memory\n", tool);
  llvm::install_bad_alloc_error_handler(failAllocation);
  llvm::sys::AddSignalHandler(judgeCrash, nullptr);
}
