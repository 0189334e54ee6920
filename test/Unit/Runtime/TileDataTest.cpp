//===- TileDataTest.cpp - Permission to use AMX ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/TileData.h"
#include <cerrno>
#include <cstddef>
#include <gtest/gtest.h>

#if defined(__linux__) && defined(__x86_64__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

/// From here on the system refuses what this process asks arch_prctl for.
void refuse() {
  constexpr unsigned number = offsetof(seccomp_data, nr);
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program = {4, filter};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    ::_exit(1);
}

TEST(TileDataDeathTest, Refused) {
  EXPECT_DEATH((refuse(), lattn_request_tile_data()),
               "lattn: error: AMX: the operating system does not let this "
               "program use it");
}

TEST(TileData, IsWhatTheProcessHas) {
  constexpr long getPermission = 0x1022;
  uint64_t granted = 0;
  bool isAsked = lattn::getTileData();
  ::syscall(SYS_arch_prctl, getPermission, &granted);
  EXPECT_EQ(isAsked, (granted >> 18 & 1) != 0);
}

} // namespace
#endif
