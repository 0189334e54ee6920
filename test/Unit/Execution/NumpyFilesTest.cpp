//===- NumpyFilesTest.cpp - Reading and writing .npy and .npz -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumpyFixture.h"

#include <cstring>

using namespace lattn;
using namespace lattn::test;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// np.savez_compressed(f, x=np.arange(6, dtype='f4').reshape(2, 3))
const unsigned char kNumpyCompressed[] = {
    0x50, 0x4b, 0x03, 0x04, 0x2d, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00,
    0x21, 0x00, 0x4f, 0xe9, 0x00, 0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0x05, 0x00, 0x14, 0x00, 0x78, 0x2e, 0x6e, 0x70, 0x79, 0x01,
    0x00, 0x10, 0x00, 0x98, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x55,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x9b, 0xec, 0x17, 0xea, 0x1b,
    0x10, 0xc9, 0xc8, 0x50, 0xc6, 0x50, 0xad, 0x9e, 0x92, 0x5a, 0x9c, 0x5c,
    0xa4, 0x6e, 0xa5, 0xa0, 0x6e, 0x93, 0x66, 0xa2, 0xae, 0xa3, 0xa0, 0x9e,
    0x96, 0x5f, 0x54, 0x52, 0x94, 0x98, 0x17, 0x9f, 0x5f, 0x94, 0x92, 0x0a,
    0x12, 0x77, 0x4b, 0xcc, 0x29, 0x4e, 0x05, 0x8a, 0x17, 0x67, 0x24, 0x16,
    0xa4, 0x02, 0xf9, 0x1a, 0x46, 0x3a, 0x0a, 0xc6, 0x9a, 0x3a, 0x0a, 0xb5,
    0x0a, 0x64, 0x03, 0x2e, 0x06, 0x30, 0x68, 0xb0, 0x07, 0x12, 0x0e, 0x40,
    0x04, 0xc4, 0x0d, 0x40, 0xbc, 0xc0, 0x01, 0x00, 0x50, 0x4b, 0x01, 0x02,
    0x2d, 0x03, 0x2d, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00,
    0x4f, 0xe9, 0x00, 0x2a, 0x55, 0x00, 0x00, 0x00, 0x98, 0x00, 0x00, 0x00,
    0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x78, 0x2e, 0x6e, 0x70, 0x79, 0x50,
    0x4b, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x33,
    0x00, 0x00, 0x00, 0x8c, 0x00, 0x00, 0x00, 0x00, 0x00};

/// np.arange(6, dtype='f4').reshape(2, 3)
const float kNumpyElements[] = {0, 1, 2, 3, 4, 5};

NumpyArray makeArray(ElementKind kind, llvm::ArrayRef<int64_t> shape) {
  NumpyArray array = llvm::cantFail(NumpyArray::create(kind, shape));
  for (size_t i = 0; i < array.buffer.size(); ++i)
    array.buffer.data()[i] = kind == ElementKind::Bool ? i % 2 : i * 7;
  return array;
}

void expectSame(const NumpyArray &got, const NumpyArray &expected) {
  EXPECT_EQ(got.kind, expected.kind == ElementKind::BF16 ? ElementKind::Void2
                                                         : expected.kind);
  EXPECT_EQ(got.shape, expected.shape);
  EXPECT_EQ(StringRef(got.buffer.data(), got.buffer.size()),
            StringRef(expected.buffer.data(), expected.buffer.size()));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(got.buffer.data()) % 64, 0u);
}

const ElementKind kAllKinds[] = {
    ElementKind::Bool, ElementKind::I8,   ElementKind::I16, ElementKind::I32,
    ElementKind::I64,  ElementKind::U8,   ElementKind::U16, ElementKind::U32,
    ElementKind::U64,  ElementKind::F16,  ElementKind::F32, ElementKind::F64,
    ElementKind::BF16, ElementKind::Void2};

TEST_F(NumpyFilesTest, RoundTrip) {
  std::string npy = makePath("a.npy"), npz = makePath("100%%.npz");
  for (ElementKind kind : kAllKinds)
    for (llvm::ArrayRef<int64_t> shape :
         std::vector<llvm::SmallVector<int64_t>>{
             {}, {0}, {5}, {3, 0, 2}, {2, 3, 4, 5}}) {
      NumpyArray array = makeArray(kind, shape);
      ASSERT_FALSE(writeNpy(npy, array));
      expectSame(llvm::cantFail(readNpy(npy)), array);
      ASSERT_FALSE(writeNpz(npz, {{"out0", &array}, {"arg", &array}}));
      std::vector<NamedArray> read = llvm::cantFail(readNpz(npz));
      ASSERT_EQ(read.size(), 2u);
      EXPECT_EQ(read[0].first, "out0");
      EXPECT_EQ(read[1].first, "arg");
      expectSame(read[0].second, array);
      expectSame(read[1].second, array);
    }
  EXPECT_EQ(countFiles(), 2);
}

TEST_F(NumpyFilesTest, EmptyArchive) {
  ASSERT_FALSE(writeNpz(makePath("a.npz"), {}));
  EXPECT_TRUE(llvm::cantFail(readNpz(makePath("a.npz"))).empty());
}

TEST_F(NumpyFilesTest, WritesWhatNumpyWrites) {
  NumpyArray array = makeArray(ElementKind::F32, {2, 3});
  std::memcpy(array.buffer.data(), kNumpyElements, sizeof(kNumpyElements));
  ASSERT_FALSE(writeNpy(makePath("a.npy"), array));
  std::string dict = makeDict("<f4", "False", "(2, 3)");
  dict.insert(dict.size() - 1, 118 - dict.size(), ' ');
  StringRef elements(reinterpret_cast<const char *>(kNumpyElements),
                     sizeof(kNumpyElements));
  EXPECT_EQ(readFile("a.npy"), makeNpy(dict, elements));
}

TEST_F(NumpyFilesTest, ReadsNumpyCompressed) {
  StringRef bytes(reinterpret_cast<const char *>(kNumpyCompressed),
                  sizeof(kNumpyCompressed));
  auto arrays = llvm::cantFail(readNpz(writeFile("a.npz", bytes)));
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].first, "x");
  EXPECT_EQ(arrays[0].second.kind, ElementKind::F32);
  EXPECT_EQ(arrays[0].second.shape, (llvm::SmallVector<int64_t>{2, 3}));
  EXPECT_EQ(std::memcmp(arrays[0].second.buffer.data(), kNumpyElements,
                        sizeof(kNumpyElements)),
            0);
}

TEST_F(NumpyFilesTest, ReadsOtherSpellings) {
  std::string two(2, '\2'), one(2, '\1');
  // Python 2's long, double quotes, another order, no padding.
  std::string path = writeFile(
      "a.npy",
      makeNpy("{\"shape\":(2L,),\"fortran_order\":False,\"descr\":'<b1'}",
              two));
  NumpyArray array = llvm::cantFail(readNpy(path));
  EXPECT_EQ(array.kind, ElementKind::Bool);
  EXPECT_EQ(StringRef(array.buffer.data(), array.buffer.size()), one);
  // Versions 2 and 3 have a longer length field; ml_dtypes writes '<V2'.
  for (char version : {'\2', '\3'}) {
    std::string dict = makeDict("<V2", "False", "(1,)");
    path = writeFile("a.npy", "\x93NUMPY" + std::string{version, '\0'} +
                                  toBytes<uint32_t>(dict.size()) + dict + two);
    EXPECT_EQ(llvm::cantFail(readNpy(path)).kind, ElementKind::Void2);
  }
}

TEST_F(NumpyFilesTest, FortranOrderWhereItMakesNoDifference) {
  for (StringRef shape : {"()", "(2,)", "(1, 2, 1)"})
    EXPECT_FALSE(
        readNpy(writeFile("a.npy", makeNpy(makeDict("|i1", "True", shape),
                                           shape == "()" ? "x" : "xy")))
            .takeError());
  EXPECT_FALSE(
      readNpy(writeFile("a.npy", makeNpy(makeDict("|i1", "True", "(0, 3, 4)"))))
          .takeError());
  expectBadNpy(makeNpy(makeDict("|i1", "True", "(2, 3)"), "abcdef"),
               "convert with np.ascontiguousarray");
}

TEST_F(NumpyFilesTest, DeflatedEntryThatLies) {
  std::string bytes(reinterpret_cast<const char *>(kNumpyCompressed),
                    sizeof(kNumpyCompressed));
  size_t data = bytes.find("x.npy") + 40;
  bytes[data] ^= 0x55;
  expectBadNpz(bytes, "entry 'x.npy': ");
}

TEST_F(NumpyFilesTest, BadPaths) {
  std::string missing = makePath("missing"), folder = directory.str().str();
  expectMessage(readNpy(missing).takeError(), missing, "No such file");
  expectMessage(readNpz(missing).takeError(), missing, "No such file");
  expectMessage(readNpy(folder).takeError(), folder, "not a regular file");
  expectMessage(readNpz(folder).takeError(), folder, "not a regular file");
}

TEST_F(NumpyFilesTest, FailedWritesLeaveNothing) {
  NumpyArray array = makeArray(ElementKind::F32, {2});
  std::string nowhere = makePath("missing/a.npz");
  expectMessage(writeNpz(nowhere, {{"a", &array}}), nowhere, "No such file");
  expectMessage(writeNpy(nowhere, array), nowhere, "No such file");
  std::string folder = directory.str().str();
  expectMessage(writeNpz(folder, {{"a", &array}}), folder, "not a regular");
  expectMessage(writeNpy("/dev/null", array), "/dev/null", "not a regular");

  std::string path = writeFile("old.npz", "old");
  for (StringRef name : {"", "a/b", "..", "a\n"})
    expectMessage(writeNpz(path, {{name.str(), &array}}), path,
                  "expected a plain array name");
  expectMessage(writeNpz(path, {{"a", &array}, {"a", &array}}), path,
                "got a duplicate");
  array.shape = {3};
  expectMessage(writeNpz(path, {{"a", &array}}), path,
                "expected 12 bytes for shape (3,) of f32, got 8");
  expectMessage(writeNpy(path, array), path, "expected 12 bytes");
  EXPECT_EQ(readFile("old.npz"), "old");
  EXPECT_EQ(countFiles(), 1);
}

TEST_F(NumpyFilesTest, ReplacesTheFileBehindALink) {
  NumpyArray array = makeArray(ElementKind::F32, {2});
  std::string target = writeFile("old.npz", "old"), link = makePath("link");
  ASSERT_FALSE(fs::create_link(target, link));
  ASSERT_FALSE(writeNpz(link, {{"a", &array}}));
  EXPECT_TRUE(fs::is_symlink_file(link));
  expectSame(llvm::cantFail(readNpz(target))[0].second, array);
}

TEST_F(NumpyFilesTest, CreateRejectsImpossibleShapes) {
  for (llvm::SmallVector<int64_t> shape :
       {llvm::SmallVector<int64_t>{-1}, {int64_t(1) << 62, 4}})
    EXPECT_TRUE(llvm::errorToBool(
        NumpyArray::create(ElementKind::F32, shape).takeError()));
}

} // namespace
