//===- SkipZeros.cpp - Products in which 0 * NaN is 0 ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// mma instructions count which NaN and infinities in shared memory are
// multiplied by elements that are not 0. The counts are digits of a number.

#include "Product.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cmath>

using namespace mlir;
using namespace lattn::fragment;

/// Halves of pairs in an i32, by cases.
namespace {
struct PairCases {
  PairCases(OpBuilder &b, Location loc, Type element)
      : b(b), loc(loc), type(VectorType::get({2}, b.getIntegerType(16))),
        semantics(cast<FloatType>(element).getFloatSemantics()) {}

  Value constant(APInt bits) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, bits));
  }
  Value constant(double value) {
    APFloat number(value);
    bool exact;
    number.convert(semantics, APFloat::rmNearestTiesToEven, &exact);
    return constant(number.bitcastToAPInt());
  }
  Value halves(Value pair) {
    return LLVM::BitcastOp::create(b, loc, type, pair);
  }
  Value pair(Value halves) {
    return LLVM::BitcastOp::create(b, loc, b.getI32Type(), halves);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value magnitude(Value halves) {
    return arith::AndIOp::create(b, loc, halves, constant(APInt(16, 0x7fff)));
  }
  Value infinity() {
    return constant(APFloat::getInf(semantics).bitcastToAPInt());
  }

  /// Elements that are not finite as 0.
  Value getFinite(Value packed) {
    Value x = halves(packed);
    Value finite = compare(arith::CmpIPredicate::ult, magnitude(x), infinity());
    return pair(select(finite, x, constant(APInt(16, 0))));
  }
  /// 1 where an element is not 0.
  Value getTaken(Value packed) {
    Value zero = constant(APInt(16, 0));
    Value isZero =
        compare(arith::CmpIPredicate::eq, magnitude(halves(packed)), zero);
    return pair(select(isZero, zero, constant(1.0)));
  }
  /// A digit for what is not finite: sums of up to 2^8 of them can be told
  /// apart, and all are exact in f16 too.
  Value getSpecial(Value packed) {
    Value x = halves(packed), size = magnitude(x);
    Value digit = select(compare(arith::CmpIPredicate::eq, x, infinity()),
                         constant(std::ldexp(1.0, -kDigit)), constant(1.0));
    digit = select(compare(arith::CmpIPredicate::ugt, size, infinity()),
                   constant(std::ldexp(1.0, kDigit)), digit);
    Value finite = compare(arith::CmpIPredicate::ult, size, infinity());
    return pair(select(finite, constant(APInt(16, 0)), digit));
  }
  /// `sum`, with what the sum of digits says.
  Value addSpecial(Value sum, Value digits) {
    auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
    };
    auto integer = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, loc, value, 32);
    };
    Value all = arith::FPToSIOp::create(
        b, loc, b.getI32Type(),
        arith::MulFOp::create(b, loc, digits, number(std::ldexp(1.0, kDigit))));
    auto any = [&](int64_t shift, int64_t mask) -> Value {
      Value bits = arith::AndIOp::create(
          b, loc, arith::ShRUIOp::create(b, loc, all, integer(shift)),
          integer(mask));
      return compare(arith::CmpIPredicate::ne, bits, integer(0));
    };
    constexpr int64_t mask = (1 << kDigit) - 1;
    Value positive = any(0, mask), negative = any(kDigit, mask);
    Value nan = any(2 * kDigit, -1);
    auto add = [&](double value) -> Value {
      return arith::AddFOp::create(b, loc, sum, number(value));
    };
    Value result =
        select(positive, add(INFINITY), select(negative, add(-INFINITY), sum));
    Value both = arith::AndIOp::create(b, loc, positive, negative);
    return select(arith::OrIOp::create(b, loc, nan, both), number(NAN), result);
  }

  static constexpr int64_t kDigit = 9; // bits
  OpBuilder &b;
  Location loc;
  VectorType type;
  const llvm::fltSemantics &semantics;
};
} // namespace

/// Keeps LLVM from unrolling the loop: the code stays small.
static void keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
  loop->setDiscardableAttr("llvm.loop_annotation", annotation);
}

void Product::multiplySkippingZeros() {
  // Few blocks need this code, and it must not take more registers than the
  // rest of the kernel. So it is a loop over pairs of blocks. Registers have no
  // addresses, so each iteration takes the first pair of the accumulator and
  // puts it last.
  PairCases cases(b, loc, element);
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
  auto loop = scf::ForOp::create(b, loc, place.index(0), place.index(pairs),
                                 place.index(1), acc);
  keepRolled(loop);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  acc = SmallVector<Value>(loop.getRegionIterArgs());
  for (int64_t group = 0; group < groups; ++group)
    for (int64_t i = 0; i < 2; ++i) {
      SmallVector<Value> digits(4, zero);
      for (int64_t k = 0; k < inner; ++k) {
        SmallVector<Value> matrices = load(k, loop.getInductionVar());
        SmallVector<Value> finite, special, taken;
        for (Value packed : ArrayRef(matrices).slice(2 * i, 2)) {
          finite.push_back(cases.getFinite(packed));
          special.push_back(cases.getSpecial(packed));
        }
        for (Value packed : getLeft(group, k))
          taken.push_back(cases.getTaken(packed));
        multiplyAdd(getLeft(group, k), finite, getAcc(group, 0, i));
        multiplyAdd(taken, special, digits);
      }
      for (auto [sum, digit] : llvm::zip_equal(getAcc(group, 0, i), digits))
        sum = cases.addSpecial(sum, digit);
    }
  for (int64_t group = 0; group < groups; ++group) {
    auto registers = MutableArrayRef(acc).slice(group * pairs * 8, pairs * 8);
    std::rotate(registers.begin(), registers.begin() + 8, registers.end());
  }
  scf::YieldOp::create(b, loc, acc);
  acc = SmallVector<Value>(loop.getResults());
}
