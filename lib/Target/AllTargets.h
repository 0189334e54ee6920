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

/// Makes the code generators of all architectures available. They are asked for
/// seldom, and are large: a wheel has none of them, and this does nothing
/// there.
void initializeAllTargets();

} // namespace lattn

#endif // LATTN_LIB_TARGET_ALLTARGETS_H
