//===- Version.h - The version of lattn and of its tools --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_VERSION_H
#define LATTN_VERSION_H

namespace lattn {

/// "0.1.0"
const char *getVersion();

/// From now on --version prints the versions of lattn and LLVM.
void installVersionPrinter();

} // namespace lattn

#endif // LATTN_VERSION_H
