//===- NumpyErrorsTest.cpp - What reading .npy and .npz refuses -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumpyFixture.h"

#include "llvm/Support/Compression.h"

using namespace lattn;
using namespace lattn::test;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

using NumpyErrorsTest = NumpyFilesTest;

TEST_F(NumpyErrorsTest, BadDtypes) {
  std::pair<StringRef, StringRef> cases[] = {
      {">f4", "big-endian dtype '>f4'"},
      {"|O", "(Python objects)"},
      {"<U5", "(strings)"},
      {"|S5", "(strings)"},
      {"<M8[s]", "(dates and times)"},
      {"<c8", "(complex numbers)"},
      {"|V3", "unsupported dtype '|V3'"},
      {"<f16", "unsupported dtype '<f16'"},
      {"f4", "unsupported dtype 'f4'"},
      {"|f4", "has no byte order"},
      {"", "unsupported dtype ''"},
      {"<f4\n", "unsupported dtype '<f4\\0A'"}};
  for (auto [descr, text] : cases)
    expectBadDict(makeDict(descr, "False", "()"), text);
  expectBadDict("{'descr': [('a', '<f4')], 'fortran_order': False}",
                "structured dtypes are not supported");
  expectBadDict("{'descr': ('<f4', (2,)), 'fortran_order': False}",
                "structured dtypes are not supported");
}

TEST_F(NumpyErrorsTest, BadShapes) {
  std::string many = "(";
  for (int i = 0; i < 65; ++i)
    many += "1,";
  std::pair<StringRef, StringRef> cases[] = {
      {"(-1,)", "dimension 0 between 0 and 2^63 - 1, got -1"},
      {"(1, 9223372036854775808)", "got 9223372036854775808"},
      {"(9223372036854775807, 2)", "needs more than 2^63 - 1 bytes"},
      {"(0, 9223372036854775807, 2)", "needs more than 2^63 - 1 bytes"},
      {"(1000000000000,)", "expected at most 68719476736"},
      {"(3)", "expected a tuple such as (3,)"},
      {"(3 4)", "expected ',' or ')' in 'shape'"},
      {"[3, 4]", "expected a tuple for 'shape'"},
      {"(1.5,)", "expected ',' or ')' in 'shape'"},
      {"(,)", "expected a whole number in 'shape'"},
      {"(3,", "expected a whole number in 'shape'"},
      {many, "expected at most 64 dimensions"}};
  for (auto [shape, text] : cases)
    expectBadDict(makeDict("<f4", "False", shape), text);
}

TEST_F(NumpyErrorsTest, BadDicts) {
  std::string good = makeDict("<f4", "False", "()");
  std::pair<std::string, StringRef> cases[] = {
      {"", "expected '{', got its end"},
      {"{", "expected a string, got its end"},
      {"{'descr", "expected a string"},
      {"{'descr' '<f4'}", "expected ':'"},
      {"{'descr': '<f4'}", "the key 'fortran_order' is missing"},
      {"{'descr': '<f4', 'descr': '<f4'}", "the key 'descr' occurs twice"},
      {"{'color': 1}", "expected the keys descr, fortran_order and shape"},
      {"{'descr': '<f\\x34'}", "expected a string without escapes"},
      {"{'descr': '<f4' 'shape': ()}", "expected ',' or '}'"},
      {makeDict("<f4", "1", "()"), "expected True or False"},
      {good + "x", "expected nothing after '}', got 'x'"}};
  for (auto &[dict, text] : cases)
    expectBadDict(dict, text);
}

TEST_F(NumpyErrorsTest, BadPreambles) {
  StringRef magic = "\x93NUMPY";
  expectBadNpy("", "not a .npy file");
  expectBadNpy("1.0, 2.0, 3.0", "got '1.0, 2.0'");
  expectBadNpy(makeZip({}), "got a zip archive (.npz)");
  expectBadNpy((magic + "\4").str() + '\0', "version 1.0, 2.0 or 3.0, got 4.0");
  expectBadNpy((magic + "\1\1").str(), "got 1.1");
  expectBadNpy((magic + "\1").str() + std::string(2, '\0'), "ends early");
  expectBadNpy(StringRef(makeScalar()).take_front(40), "the data at byte 40");
  expectBadNpy((magic + "\2").str() + '\0' + toBytes<uint32_t>((1 << 20) + 1),
               "header of at most 1048576 bytes, got 1048577");
}

TEST_F(NumpyErrorsTest, BadLengths) {
  std::string dict = makeDict("<f4", "False", "(2,)");
  expectBadNpy(makeNpy(dict, "1234567"),
               "truncated: expected 8 bytes for shape (2,) of f32, got 7");
  expectBadNpy(makeNpy(dict, "123456789"),
               "trailing bytes: expected 8 bytes for shape (2,) of f32, got 9");
}

TEST_F(NumpyErrorsTest, BadEntryNames) {
  for (StringRef name : {".npy", "a/b.npy", "a\\b.npy", "...npy", "a\nb.npy",
                         "../a.npy", "/etc/a.npy"})
    expectBadNpz(makeZip({{name.str(), makeScalar()}}),
                 "expected a plain array name");
  expectBadNpz(makeZip({{"a.txt", "hello"}}),
               "entry 'a.txt': expected entries named *.npy only");
  expectBadNpz(makeZip({{"a.npy", makeScalar()}, {"a.npy", makeScalar()}}),
               "entry 'a.npy': expected each name once, got a duplicate");
}

TEST_F(NumpyErrorsTest, BadEntries) {
  Entry entry{"a.npy", makeScalar()};
  ASSERT_FALSE(readNpz(writeFile("a.npz", makeZip({entry}))).takeError());
  auto with = [&](auto change) {
    Entry changed = entry;
    change(changed);
    return makeZip({changed});
  };
  expectBadNpz(with([](Entry &e) { e.crcChange = 1; }), "the stored CRC");
  expectBadNpz(with([](Entry &e) { e.flags = 1; }), "expected no encryption");
  expectBadNpz(with([](Entry &e) { e.method = 12; }), "compression method 12");
  expectBadNpz(with([](Entry &e) { e.size *= 2; }), "expected 70 from 70");
  expectBadNpz(with([](Entry &e) { e.packedSize = e.size = 1 << 20; }),
               "entries overlap or run past the end");
  expectBadNpz(with([](Entry &e) {
                 e.method = 8;
                 e.size = 4000000000;
               }),
               "declares 4000000000 bytes, expected at most 72304 from 70");
  expectBadNpz(makeZip({{"a.npy", makeScalar() + "x"}}),
               "entry 'a.npy': trailing bytes");
}

/// What raw deflate makes of `text`.
std::string deflate(StringRef text) {
  llvm::SmallVector<uint8_t> packed;
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(text), packed);
  return llvm::toStringRef(ArrayRef(packed).drop_front(2).drop_back(4)).str();
}

TEST_F(NumpyErrorsTest, Bombs) {
  if (!llvm::compression::zlib::isAvailable())
    GTEST_SKIP() << "LLVM is built without zlib";
  auto make = [&](StringRef shape, uint32_t size) {
    std::string npy = makeNpy(makeDict("<f4", "False", shape));
    Entry entry{"a.npy", deflate(npy + std::string(1 << 20, '\0'))};
    entry.method = 8;
    entry.size = size ? size : npy.size() + (1 << 20);
    return makeZip({entry});
  };
  expectBadNpz(make("(26843545600,)", 0), "takes 107374182400 bytes");
  expectBadNpz(make("(26843545600,)", ~0u - 1), "declares 4294967294 bytes");
  expectBadNpz(make("(15728640000,)", 0), "truncated: expected 62914560000");
  expectBadNpz(make("(1000,)", 0), "trailing bytes");
  // It unpacks to more than is declared.
  std::string dict = makeDict("<f4", "False", "(1000,)");
  expectBadNpz(make("(1000,)", makeNpy(dict).size() + 4000),
               "expected the data to end after 4000 bytes");
}

TEST_F(NumpyErrorsTest, BadDirectories) {
  std::string good =
      makeZip({{"a.npy", makeNpy(makeDict("<f4", "False", "(100,)"),
                                 std::string(400, '\0'))}});
  size_t directory = good.find("PK\x01\x02"), end = good.find("PK\x05\x06");
  // Two entries for the same bytes, and those are most of the file.
  std::string twice = good;
  twice.insert(end, good.substr(directory, end - directory));
  twice[end + 46] = 'b';
  size_t newEnd = twice.find("PK\x05\x06");
  twice[newEnd + 8] = twice[newEnd + 10] = 2;
  twice[newEnd + 12] *= 2; // bytes of the directory
  expectBadNpz(twice, "entries overlap or run past the end");
  std::string beyond = good;
  beyond[directory + 44] = 1; // offset of the entry: 65536
  expectBadNpz(beyond, "cannot be unpacked");
  std::string more = good;
  more[end + 9] = more[end + 11] = 1; // 257 entries
  expectBadNpz(more, "inconsistent");
}

TEST_F(NumpyErrorsTest, BadArchives) {
  std::string good = makeZip({{"a.npy", makeScalar()}});
  expectBadNpz("", "got an empty file");
  expectBadNpz(makeScalar(), "expected a .npz file, got no zip archive");
  expectBadNpz(StringRef(good).drop_back(30), "got no zip archive");
  expectBadNpz(StringRef(good).drop_front(30), "");
}

} // namespace
