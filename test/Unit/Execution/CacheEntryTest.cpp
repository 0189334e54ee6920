//===- CacheEntryTest.cpp - What is stored is what is found ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFixture.h"

using namespace lattn;
using lattn::test::CacheTest;

static void expectEqual(const std::vector<ValueInfo> &actual,
                        const std::vector<ValueInfo> &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].name, expected[i].name);
    EXPECT_EQ(actual[i].kind, expected[i].kind);
    EXPECT_EQ(actual[i].isShaped, expected[i].isShaped);
    EXPECT_EQ(actual[i].shape, expected[i].shape);
    EXPECT_EQ(actual[i].strides, expected[i].strides);
    EXPECT_EQ(actual[i].type, expected[i].type);
  }
}

TEST_F(CacheTest, FindsWhatWasStored) {
  auto cache = Cache::open(folder);
  ASSERT_TRUE(cache);
  EXPECT_FALSE(cache->find(makeKey('a')));
  CompiledCode code = makeCode(llvm::StringRef("ob\0ject", 7));
  cache->store(makeKey('a'), code);
  EXPECT_FALSE(cache->find(makeKey('b')));
  auto found = cache->find(makeKey('a'));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->signature.entry, "f");
  expectEqual(found->signature.arguments, code.signature.arguments);
  expectEqual(found->signature.results, code.signature.results);
  EXPECT_EQ(found->signature.written, code.signature.written);
  EXPECT_EQ(found->warnings, code.warnings);
  EXPECT_EQ(found->object->getBuffer(), code.object->getBuffer());
  ASSERT_EQ(found->kernels.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(found->kernels[i].name, code.kernels[i].name);
    EXPECT_EQ(found->kernels[i].bytecode, code.kernels[i].bytecode);
  }
}

// A later entry replaces the earlier one, and nothing else is left behind.
TEST_F(CacheTest, StoresAgain) {
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("first"));
  cache->store(makeKey('a'), makeCode("second"));
  auto found = cache->find(makeKey('a'));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->object->getBuffer(), "second");
  std::error_code code;
  int files = 0;
  for (llvm::sys::fs::directory_iterator it(folder, code), end; it != end;
       it.increment(code))
    ++files;
  EXPECT_EQ(files, 1);
}

// Every byte counts: head, key, lengths, checksum, signature and object.
TEST_F(CacheTest, IgnoresAndRemovesWhatIsDamaged) {
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("object"));
  std::string path = getEntryPath('a'), good = readFile(path);
  ASSERT_GT(good.size(), 300u);
  for (size_t i = 0; i < good.size(); ++i)
    for (char flip : {1, -128}) {
      std::string bad = good;
      bad[i] ^= flip;
      writeFile(path, bad);
      EXPECT_FALSE(cache->find(makeKey('a'))) << i;
      EXPECT_FALSE(llvm::sys::fs::exists(path)) << i;
    }
  for (size_t size = 0; size < good.size(); ++size) {
    writeFile(path, llvm::StringRef(good).take_front(size));
    EXPECT_FALSE(cache->find(makeKey('a'))) << size;
  }
  writeFile(path, good + "x");
  EXPECT_FALSE(cache->find(makeKey('a')));
  writeFile(path, std::string(1000, '\0'));
  EXPECT_FALSE(cache->find(makeKey('a')));
  writeFile(path, good);
  EXPECT_TRUE(cache->find(makeKey('a')));
}

TEST_F(CacheTest, IgnoresAnEntryUnderAnotherName) {
  auto cache = Cache::open(folder);
  cache->store(makeKey('a'), makeCode("object"));
  writeFile(getEntryPath('b'), readFile(getEntryPath('a')));
  EXPECT_FALSE(cache->find(makeKey('b')));
  EXPECT_TRUE(cache->find(makeKey('a')));
}
