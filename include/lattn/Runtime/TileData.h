//===- TileData.h - Permission to use AMX -----------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_TILEDATA_H
#define LATTN_RUNTIME_TILEDATA_H

namespace lattn {

/// Whether this process may use AMX's tile registers: Linux grants them, for
/// all threads and for good, to those who ask. An instruction that uses them
/// without ends the process.
bool getTileData();

} // namespace lattn

/// Called by compiled code before it uses AMX; ends the process with a message
/// where that is refused.
extern "C" __attribute__((visibility("default"))) void
lattn_request_tile_data();

#endif // LATTN_RUNTIME_TILEDATA_H
