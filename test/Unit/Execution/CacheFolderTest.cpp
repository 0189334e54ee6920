//===- CacheFolderTest.cpp - Which folder, whom to trust, how much --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFixture.h"
#include "lattn/Runtime/Warnings.h"
#include <fcntl.h>
#include <pwd.h>

using namespace lattn;
using lattn::test::CacheTest;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// Where
//===----------------------------------------------------------------------===//

namespace lattn {
std::string resolveCacheFolder(llvm::StringRef folder); // of CacheFolder.h
} // namespace lattn

static std::string getFolder(const std::string &given) {
  auto cache = Cache::open(given);
  return cache ? cache->getFolder().str() : "none";
}

TEST_F(CacheTest, ChoosesTheFolder) {
  EXPECT_EQ(getFolder(""), makePath(".cache/lattn"));
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(getFolder(""), makePath(".cache/lattn"));
  setenv("XDG_CACHE_HOME", makePath("xdg").c_str(), 1);
  EXPECT_EQ(getFolder(""), makePath("xdg/lattn"));
  setenv("LATTN_CACHE_DIR", makePath("own").c_str(), 1);
  EXPECT_EQ(getFolder(""), makePath("own"));
  EXPECT_EQ(getFolder(folder), folder);
  EXPECT_EQ(getFolder("off"), "none");
  setenv("LATTN_CACHE_DIR", "off", 1);
  EXPECT_EQ(getFolder(""), "none");
  EXPECT_EQ(getFolder(folder), folder);
}

TEST_F(CacheTest, AsksThePasswordDatabaseForTheHome) {
  passwd *user = getpwuid(getuid());
  if (!user)
    GTEST_SKIP() << "no entry for this user";
  unsetenv("HOME");
  // It does not create the folder, as Cache::open would.
  EXPECT_EQ(resolveCacheFolder(""),
            std::string(user->pw_dir) + "/.cache/lattn");
}

TEST_F(CacheTest, WarnsWhereThereIsNoHome) {
  static std::string warnings;
  setWarningHandler([](const char *message) { warnings += message; });
  setenv("HOME", "", 1);
  EXPECT_EQ(getFolder(""), "none");
  EXPECT_NE(warnings.find("cache: HOME and the password database"),
            std::string::npos)
      << warnings;
  warnings.clear();
  setenv("LATTN_CACHE_DIR", "off", 1);
  EXPECT_EQ(getFolder(""), "none");
  EXPECT_EQ(warnings, "");
  setWarningHandler(nullptr);
}

//===----------------------------------------------------------------------===//
// Trust
//===----------------------------------------------------------------------===//

TEST_F(CacheTest, KeepsOthersOut) {
  mode_t before = umask(0);
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("object"));
  umask(before);
  struct stat status;
  ASSERT_EQ(stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
  ASSERT_EQ(stat(getEntryPath('a').c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
}

TEST_F(CacheTest, DistrustsWhatOthersMayWriteTo) {
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("object"));
  for (mode_t mode : {0620, 0602}) {
    ASSERT_EQ(chmod(getEntryPath('a').c_str(), mode), 0);
    EXPECT_FALSE(cache->find(makeKey('a')));
  }
  ASSERT_EQ(chmod(getEntryPath('a').c_str(), 0644), 0);
  EXPECT_TRUE(cache->find(makeKey('a')));
  for (mode_t mode : {0770, 0702, 01777}) {
    ASSERT_EQ(chmod(folder.c_str(), mode), 0);
    EXPECT_FALSE(Cache::open(folder));
  }
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  EXPECT_TRUE(Cache::open(folder));
}

TEST_F(CacheTest, DistrustsWhatOthersOwn) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("object"));
  ASSERT_EQ(chown(getEntryPath('a').c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache->find(makeKey('a')));
  ASSERT_EQ(chown(folder.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(Cache::open(folder));
}

TEST_F(CacheTest, FollowsNoLinksAndWaitsForNoPipes) {
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("object"));
  std::string elsewhere = makePath("elsewhere");
  ASSERT_FALSE(fs::rename(getEntryPath('a'), elsewhere));
  ASSERT_FALSE(fs::create_link(elsewhere, getEntryPath('a')));
  EXPECT_FALSE(cache->find(makeKey('a')));
  ASSERT_EQ(mkfifo(getEntryPath('c').c_str(), 0600), 0);
  EXPECT_FALSE(cache->find(makeKey('c')));
  cache->store(makeKey('c'), makeCode("object"));
  ASSERT_FALSE(fs::create_directory(getEntryPath('d')));
  EXPECT_FALSE(cache->find(makeKey('d')));
  cache->store(makeKey('d'), makeCode("object"));
}

TEST_F(CacheTest, WarnsOnce) {
  writeFile(folder, "a file");
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(Cache::open(folder));
  EXPECT_FALSE(Cache::open(folder));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "lattn: warning: cache '" + folder + "': not a directory\n");
}

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

TEST_F(CacheTest, ReadsItsLimit) {
  auto getLimit = [&](const char *text) {
    setenv("LATTN_CACHE_SIZE", text, 1);
    return Cache::open(folder)->getLimit();
  };
  constexpr uint64_t kDefault = uint64_t(1) << 30;
  EXPECT_EQ(Cache::open(folder)->getLimit(), kDefault);
  EXPECT_EQ(getLimit(""), kDefault);
  EXPECT_EQ(getLimit("0"), 0u);
  EXPECT_EQ(getLimit("12345"), 12345u);
  EXPECT_EQ(getLimit("3K"), 3u << 10);
  EXPECT_EQ(getLimit("500M"), 500u << 20);
  EXPECT_EQ(getLimit("2T"), uint64_t(2) << 40);
  for (const char *bad : {"M", "1x", "-1", "+1", "1.5G", " 1", "1MB", "0x10",
                          "99999999T", "99999999999999999999"}) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(getLimit(bad), kDefault) << bad;
    EXPECT_NE(::testing::internal::GetCapturedStderr().find(bad),
              std::string::npos);
  }
}

static void setAge(const std::string &path, int seconds) {
  timespec now, times[2];
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= seconds;
  times[0] = times[1] = now;
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

TEST_F(CacheTest, RemovesTheLeastRecentlyUsed) {
  auto cache = Cache::open(folder);
  CompiledCode code = makeCode(std::string(10000, 'x'));
  for (char digit : {'a', 'b', 'c', 'd'}) {
    cache->store(makeKey(digit), code);
    setAge(getEntryPath(digit), 1000 - digit);
  }
  EXPECT_TRUE(cache->find(makeKey('a'))); // used last from now on
  setenv("LATTN_CACHE_SIZE", "35000", 1);
  Cache::open(folder)->store(makeKey('e'), code);
  EXPECT_TRUE(fs::exists(getEntryPath('a')));
  EXPECT_FALSE(fs::exists(getEntryPath('b')));
  EXPECT_FALSE(fs::exists(getEntryPath('c')));
  EXPECT_TRUE(fs::exists(getEntryPath('d')));
  EXPECT_TRUE(fs::exists(getEntryPath('e')));
}

TEST_F(CacheTest, RemovesOnlyItsOwn) {
  auto cache = Cache::open(folder);
  std::string mine = folder + "/notes.lattn", also = folder + "/x.tmp";
  std::string begun = getEntryPath('a') + ".1-0.tmp";
  std::string forgotten = getEntryPath('a') + ".2-0.tmp";
  for (const std::string &path : {mine, also, begun, forgotten})
    writeFile(path, std::string(50000, 'x'));
  for (const std::string &path : {mine, also, forgotten})
    setAge(path, 7200);
  setenv("LATTN_CACHE_SIZE", "10000", 1);
  Cache::open(folder)->store(makeKey('b'), makeCode("object"));
  EXPECT_TRUE(fs::exists(getEntryPath('b')));
  EXPECT_TRUE(fs::exists(mine));
  EXPECT_TRUE(fs::exists(also));
  EXPECT_TRUE(fs::exists(begun));
  EXPECT_FALSE(fs::exists(forgotten));
}

TEST_F(CacheTest, StoresNothingLargerThanItsLimit) {
  setenv("LATTN_CACHE_SIZE", "1000", 1);
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("object"));
  cache->store(makeKey('b'), makeCode(std::string(2000, 'x')));
  EXPECT_TRUE(fs::exists(getEntryPath('a')));
  EXPECT_FALSE(fs::exists(getEntryPath('b')));
}
