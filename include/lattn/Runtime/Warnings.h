//===- Warnings.h - Where warnings go ---------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_WARNINGS_H
#define LATTN_RUNTIME_WARNINGS_H

namespace lattn {

/// Takes a warning, without "lattn:" in front and without the end of a line.
/// Any thread may call it.
using WarningHandler = void (*)(const char *message);

/// Sets what takes warnings. Null, the default, is standard error.
void setWarningHandler(WarningHandler handler);

__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

} // namespace lattn

#endif // LATTN_RUNTIME_WARNINGS_H
