//===- Picture.h - Attention ops as pictures --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PICTURE_PICTURE_H
#define LATTN_PICTURE_PICTURE_H

#include "lattn/Explain/Work.h"

namespace lattn {

/// An SVG document of every work's tiles. `complete`: as findWork says.
std::string renderPicture(llvm::ArrayRef<AttentionWork> works, bool complete,
                          const TargetInfo &target);

} // namespace lattn

#endif // LATTN_PICTURE_PICTURE_H
