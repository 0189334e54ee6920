//===- ProcessorsTest.cpp - Quotas of control groups ----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/Processors.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace {

/// Files as Linux shows them, in a folder of their own.
class Groups : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "groupsXXXXXX";
    ASSERT_TRUE(::mkdtemp(name.data()));
    root = name;
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    std::filesystem::path file = root / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void mountV2(const std::string &from) {
    write("mountinfo", "23 1 8:1 / / rw - ext4 /dev/vda rw\n31 23 0:28 " +
                           from + " " + (root / "v2").string() +
                           " rw,nosuid shared:4 - cgroup2 cgroup2 rw");
  }
  void mountV1(const std::string &from) {
    write("mountinfo", "32 31 0:29 " + from + " " + (root / "v1").string() +
                           " rw - cgroup cgroup rw,cpu,cpuacct\n33 31 0:30 / " +
                           (root / "memory").string() +
                           " rw - cgroup cgroup rw,memory");
  }
  int64_t count() {
    return lattn::countGrantedProcessors((root / "mountinfo").c_str(),
                                         (root / "cgroup").c_str());
  }

  std::filesystem::path root;
};

} // namespace

TEST_F(Groups, Version2) {
  mountV2("/");
  write("cgroup", "0::/a/b");
  write("v2/a/b/cpu.max", "max 100000");
  EXPECT_EQ(count(), 0);
  write("v2/a/b/cpu.max", "250000 100000");
  EXPECT_EQ(count(), 3); // rounded up
  write("v2/a/cpu.max", "100000 100000");
  EXPECT_EQ(count(), 1); // a group around it
  write("v2/a/b/cpu.max", "10000 100000");
  EXPECT_EQ(count(), 1);
}

TEST_F(Groups, NamespacesShowTheGroupAsTheRoot) {
  mountV2("/");
  write("cgroup", "0::/");
  write("v2/cpu.max", "400000 100000");
  EXPECT_EQ(count(), 4);
  // That of another namespace.
  mountV2("/../..");
  write("cgroup", "0::/../../x");
  EXPECT_EQ(count(), 4);
}

TEST_F(Groups, Version1) {
  mountV1("/");
  write("cgroup", "9:name=systemd:/x\n4:memory:/y\n2:cpu,cpuacct:/a\n0::/z");
  write("v1/a/cpu.cfs_quota_us", "-1");
  write("v1/a/cpu.cfs_period_us", "100000");
  EXPECT_EQ(count(), 0);
  write("v1/a/cpu.cfs_quota_us", "200000");
  EXPECT_EQ(count(), 2);
}

TEST_F(Groups, ContainersMountTheirGroup) {
  mountV1("/docker/1f");
  write("cgroup", "2:cpuacct,cpu:/docker/1f");
  write("v1/cpu.cfs_quota_us", "50000");
  write("v1/cpu.cfs_period_us", "10000");
  EXPECT_EQ(count(), 5);
  write("cgroup", "2:cpuacct,cpu:/docker/1f/inner");
  write("v1/inner/cpu.cfs_quota_us", "20000");
  write("v1/inner/cpu.cfs_period_us", "10000");
  EXPECT_EQ(count(), 2);
}

TEST_F(Groups, MissingFiles) {
  EXPECT_EQ(count(), 0);
  mountV2("/");
  EXPECT_EQ(count(), 0);
}

TEST(Processors, AtLeastOne) { EXPECT_GE(lattn::countProcessors(), 1); }
