//===- ElementsTest.cpp - Elements of arrays as numbers ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Elements.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace lattn;

namespace {

double round(ElementKind kind, double value) {
  NumpyArray array = llvm::cantFail(NumpyArray::create(kind, {2}));
  setNumber(array, 1, value);
  EXPECT_EQ(getNumber(array, 0), 0);
  return getNumber(array, 1);
}

TEST(Elements, Floats) {
  EXPECT_EQ(round(ElementKind::F64, 1.1), 1.1);
  EXPECT_EQ(round(ElementKind::F32, 1.1), 1.1f);
  EXPECT_EQ(round(ElementKind::F16, 1.1), 0x1.198p0);
  EXPECT_EQ(round(ElementKind::F16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(round(ElementKind::F16, -1e6), -INFINITY);
  EXPECT_EQ(round(ElementKind::BF16, 1.1), 0x1.1ap0);
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16})
    EXPECT_TRUE(std::isnan(round(kind, NAN)));
}

TEST(Elements, Integers) {
  for (ElementKind kind :
       {ElementKind::I8, ElementKind::I16, ElementKind::I32, ElementKind::I64})
    EXPECT_EQ(round(kind, -3), -3);
  EXPECT_EQ(round(ElementKind::Bool, 1), 1);
  NumpyArray array = llvm::cantFail(NumpyArray::create(ElementKind::U16, {1}));
  setInteger(array, 0, -1);
  EXPECT_EQ(getInteger(array, 0), 65535);
}

} // namespace
