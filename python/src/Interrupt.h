//===- Interrupt.h - Ctrl-C while a kernel runs -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_INTERRUPT_H
#define LATTN_PYTHON_INTERRUPT_H

#include <nanobind/nanobind.h>

namespace lattn::python {

/// While it lives, kernels that this thread runs end early where a handler of
/// signals raises, as that of Ctrl-C does. Python runs handlers on the main
/// thread only, others are left alone. Made and ended with the GIL held.
class Interruptible {
public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible &) = delete;

  /// Throws what the handler raised. To be called before other Python code.
  void throwIfRaised() const;

private:
  static bool check(void *self);

  bool isRaised = false;
  Interruptible *outer; // the handler itself may call kernels
};

/// Throws what a handler raises for a signal that came while no Python ran, as
/// when compiling. Other threads than the main one run no handlers.
void throwIfSignalled();

} // namespace lattn::python

#endif // LATTN_PYTHON_INTERRUPT_H
