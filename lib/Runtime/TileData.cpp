//===- TileData.cpp - Permission to use AMX -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/TileData.h"
#include <cstdio>
#include <cstdlib>

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>

static bool request() {
  constexpr long requestPermission = 0x1023, xTileData = 18;
  return ::syscall(SYS_arch_prctl, requestPermission, xTileData) == 0;
}
#else
static bool request() { return false; }
#endif

bool lattn::getTileData() {
  static const bool isGranted = request();
  return isGranted;
}

void lattn_request_tile_data() {
  if (lattn::getTileData())
    return;
  std::fputs("lattn: error: AMX: the operating system does not let this "
             "program use it\n",
             stderr);
  std::abort();
}
