//===- RegisterPasses.h - lattn's passes, in the process --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CAPI_REGISTERPASSES_H
#define LATTN_LIB_CAPI_REGISTERPASSES_H

namespace lattn {

/// Registers lattn's passes and pipelines, unless that was done before.
void registerPassesOnce();

} // namespace lattn

#endif // LATTN_LIB_CAPI_REGISTERPASSES_H
