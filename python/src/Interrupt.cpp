//===- Interrupt.cpp - Ctrl-C while a kernel runs -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"
#include "lattn-c/Support.h"
#include <sys/syscall.h>
#include <unistd.h>

using namespace lattn::python;
namespace nb = nanobind;

static thread_local Interruptible *current = nullptr;

static bool isMainThread() {
  static thread_local bool isMain = syscall(SYS_gettid) == getpid();
  return isMain;
}

Interruptible::Interruptible() : outer(current) {
  if (!isMainThread())
    return;
  current = this;
  lattnSetInterruptCheck(check, this);
}

Interruptible::~Interruptible() {
  if (!isMainThread())
    return;
  current = outer;
  lattnSetInterruptCheck(outer ? check : nullptr, outer);
}

bool Interruptible::check(void *self) {
  nb::gil_scoped_acquire locked;
  auto *interruptible = static_cast<Interruptible *>(self);
  // What the handler raised stays with this thread until throwIfRaised.
  interruptible->isRaised = PyErr_CheckSignals() != 0;
  return interruptible->isRaised;
}

void lattn::python::throwIfSignalled() {
  if (PyErr_CheckSignals() != 0)
    throw nb::python_error();
}

void Interruptible::throwIfRaised() const {
  if (isRaised)
    throw nb::python_error();
}
