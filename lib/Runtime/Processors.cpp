//===- Processors.cpp - The CPUs that this process may use ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In compiled programs too, which need the C library alone.

#include "lattn/Runtime/Processors.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// Affinity
//===----------------------------------------------------------------------===//

static int64_t countAffine() {
  // The kernel refuses a set that is smaller than its own.
  for (int cpus = CPU_SETSIZE; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    size_t size = CPU_ALLOC_SIZE(cpus);
    bool isRead = set && ::sched_getaffinity(0, size, set) == 0;
    int error = errno, count = isRead ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (isRead)
      return count;
    if (error != EINVAL)
      break;
  }
  return std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1l);
}

//===----------------------------------------------------------------------===//
// Control groups
//===----------------------------------------------------------------------===//

namespace {

/// A text file, line after line.
class Lines {
public:
  explicit Lines(const char *path) : file(std::fopen(path, "re")) {}
  ~Lines() {
    std::free(line);
    if (file)
      std::fclose(file);
  }
  /// The next line, without its end, or null.
  char *next() {
    if (!file || ::getline(&line, &size, file) < 0)
      return nullptr;
    line[std::strcspn(line, "\n")] = '\0';
    return line;
  }

private:
  std::FILE *file;
  char *line = nullptr;
  size_t size = 0;
};

/// A mounted tree of control groups that can limit the time of CPUs.
struct Mount {
  bool isV2;
  char root[PATH_MAX], folder[PATH_MAX];
};

} // namespace

/// Whether `name` is one of `names`, which commas separate.
static bool contains(const char *names, const char *name) {
  size_t size = std::strlen(name);
  for (const char *at = names; at; at = std::strchr(at, ',')) {
    at += *at == ',';
    if (std::strncmp(at, name, size) == 0 && (!at[size] || at[size] == ','))
      return true;
  }
  return false;
}

/// Reads a line of mountinfo; false for other mounts.
static bool readMount(const char *line, Mount &mount) {
  const char *kinds = std::strstr(line, " - ");
  char kind[32], options[1024];
  static_assert(PATH_MAX == 4096, "as the format has it");
  if (!kinds || std::sscanf(kinds, " - %31s %*s %1023s", kind, options) != 2 ||
      std::sscanf(line, "%*s %*s %*s %4095s %4095s", mount.root,
                  mount.folder) != 2)
    return false;
  mount.isV2 = std::strcmp(kind, "cgroup2") == 0;
  return mount.isV2 ||
         (std::strcmp(kind, "cgroup") == 0 && contains(options, "cpu"));
}

/// The group of this process in the tree, relative to what is mounted of it.
static void findGroup(const char *groups, const Mount &mount,
                      char (&found)[PATH_MAX]) {
  found[0] = '\0';
  Lines lines(groups); // number:controllers:group
  while (char *line = lines.next()) {
    char *controllers = std::strchr(line, ':');
    char *group = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!group)
      continue;
    *group++ = '\0';
    ++controllers;
    if (mount.isV2 ? *controllers != '\0' : !contains(controllers, "cpu"))
      continue;
    // In a namespace of its own the mounted root is the process's group.
    size_t size = std::strcmp(mount.root, "/") ? std::strlen(mount.root) : 0;
    if (std::strncmp(group, mount.root, size) == 0 &&
        (group[size] == '/' || !group[size]) && !std::strstr(group, ".."))
      std::snprintf(found, sizeof(found), "%s", group + size);
    return;
  }
}

static double readNumber(const char *folder, const char *file) {
  char path[PATH_MAX + 32];
  std::snprintf(path, sizeof(path), "%s/%s", folder, file);
  Lines lines(path);
  const char *line = lines.next();
  return line ? std::atof(line) : 0;
}

/// The CPUs that a group's quota is worth, 0 without one.
static double readQuota(const char *folder, bool isV2) {
  double quota = 0, period = 0;
  if (isV2) {
    char path[PATH_MAX + 32];
    std::snprintf(path, sizeof(path), "%s/cpu.max", folder);
    Lines lines(path);
    const char *line = lines.next(); // "max", or quota and period
    if (!line || std::sscanf(line, "%lf %lf", &quota, &period) != 2)
      return 0;
  } else {
    quota = readNumber(folder, "cpu.cfs_quota_us"); // -1: none
    period = readNumber(folder, "cpu.cfs_period_us");
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

/// The smallest quota of the group in `folder` and of those around it.
static double readQuotas(const Mount &mount, const char *group) {
  char folder[2 * PATH_MAX];
  size_t root = std::strlen(mount.folder);
  std::snprintf(folder, sizeof(folder), "%s%s", mount.folder, group);
  double least = 0;
  for (;;) {
    double quota = readQuota(folder, mount.isV2);
    if (quota > 0 && (least == 0 || quota < least))
      least = quota;
    char *last = std::strrchr(folder, '/');
    if (!last || last < folder + root)
      return least;
    *last = '\0';
  }
}

int64_t lattn::countGrantedProcessors(const char *mounts, const char *groups) {
  int64_t least = 0;
  Lines lines(mounts);
  while (const char *line = lines.next()) {
    Mount mount;
    if (!readMount(line, mount))
      continue;
    char group[PATH_MAX];
    findGroup(groups, mount, group);
    double quota = readQuotas(mount, group);
    auto whole = static_cast<int64_t>(quota);
    whole += whole < quota; // a part of a CPU is used, too
    if (whole > 0 && (least == 0 || whole < least))
      least = whole;
  }
  return least;
}

int64_t lattn::countProcessors() {
  int64_t affine = countAffine();
  int64_t granted =
      countGrantedProcessors("/proc/self/mountinfo", "/proc/self/cgroup");
  return granted ? std::min(affine, granted) : affine;
}
