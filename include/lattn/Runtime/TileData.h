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

/// Whether this process may use AMX's tile registers. Linux grants them, to all
/// threads and for good, to a process that asks. An instruction that uses them
/// without that permission ends the process.
bool getTileData();

} // namespace lattn

/// Compiled code calls this before it uses AMX. If Linux refuses, the process
/// ends with a message.
extern "C" __attribute__((visibility("default"))) void
lattn_request_tile_data();

#endif // LATTN_RUNTIME_TILEDATA_H
