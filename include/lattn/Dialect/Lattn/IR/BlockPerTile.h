//===- BlockPerTile.h - Which loops over blocks stay as they are *- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_BLOCKPERTILE_H
#define LATTN_DIALECT_LATTN_IR_BLOCKPERTILE_H

#include "llvm/ADT/StringRef.h"

namespace lattn {

/// The attribute of a loop over blocks, and of the launch made of it, whose
/// tiles are about as many as blocks run at once: each has a block of its own,
/// and the kernel is not persistent. LattnDialect.cpp verifies it.
inline constexpr llvm::StringLiteral kBlockPerTile = "lattn.block_per_tile";

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_BLOCKPERTILE_H
