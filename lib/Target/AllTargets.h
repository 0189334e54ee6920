//===- AllTargets.h - All code generators -----------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_TARGET_ALLTARGETS_H
#define LATTN_LIB_TARGET_ALLTARGETS_H

namespace lattn {

/// Makes the code generators of all architectures available. Few programs need
/// them, and they are large: a wheel has only those of the host and of NVIDIA's
/// GPUs.
void initializeAllTargets();

} // namespace lattn

#endif // LATTN_LIB_TARGET_ALLTARGETS_H
