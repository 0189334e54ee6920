//===- Processors.h - The CPUs that this process may use --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_PROCESSORS_H
#define LATTN_RUNTIME_PROCESSORS_H

#include <cstdint>

namespace lattn {

/// The number of CPUs in the affinity mask of this process, or fewer where the
/// quotas of its control groups grant less time. At least 1.
int64_t countProcessors();

/// The CPUs that the quotas of control groups (versions 1 and 2) grant, rounded
/// up, or 0 where there is no quota. The arguments are files as
/// /proc/self/mountinfo and /proc/self/cgroup are.
int64_t countGrantedProcessors(const char *mounts, const char *groups);

} // namespace lattn

#endif // LATTN_RUNTIME_PROCESSORS_H
