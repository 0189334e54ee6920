//===- WheelRandom.cpp - Random numbers on every system of a wheel --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

/// LLVM calls it, and glibc has it from 2.36 on only. It is the one function
/// that would keep a wheel from running on glibc 2.34.
extern "C" uint32_t arc4random() noexcept {
  uint32_t number;
  if (getrandom(&number, sizeof(number), 0) != sizeof(number))
    std::abort(); // as glibc's own does
  return number;
}
