//===- Exponents.cpp - Exponents of weights, of any finite score ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exponents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

/// Rounding log2(e) * x changes the weights of a row by a factor of at most
/// 1 + x * 2^-24 (f32): no more than rounding a score as large as x does.
static constexpr double kLarge = 256;

/// Whether a lane of `shifts` is finite and large.
static Value isAnyLarge(KernelBuilder &k, ValueRange shifts) {
  Value any;
  auto compare = [&](arith::CmpFPredicate predicate, Value x, double limit) {
    return arith::CmpFOp::create(k.b, k.loc, predicate, x, k.splat(limit));
  };
  for (Value shift : shifts) {
    Value size = math::AbsFOp::create(k.b, k.loc, shift);
    Value large = arith::AndIOp::create(
        k.b, k.loc, compare(arith::CmpFPredicate::OGT, size, kLarge),
        compare(arith::CmpFPredicate::OLT, size, INFINITY));
    any = any ? arith::OrIOp::create(k.b, k.loc, any, large) : large;
  }
  return vector::ReductionOp::create(k.b, k.loc, vector::CombiningKind::OR,
                                     any);
}

Value lattn::subtractShift(KernelBuilder &k, Value score, double scale,
                           Value shift) {
  if (scale != 1)
    score = k.mul(score, k.splat(scale));
  Value hidden = k.splat(-INFINITY), zero = k.splat(0.0);
  Value difference = arith::SubFOp::create(k.b, k.loc, score, shift);
  Value above = arith::CmpFOp::create(k.b, k.loc, arith::CmpFPredicate::OGT,
                                      difference, zero);
  difference = k.select(above, zero, difference);
  // -inf - -inf is NaN.
  return k.select(k.isEqual(score, hidden), hidden, difference);
}

Exponents lattn::getExponents(KernelBuilder &k, Value scores, double scale,
                              ValueRange shifts, ForEachScore forEachScore) {
  constexpr double log2e = llvm::numbers::log2e;
  SmallVector<Type> types(1 + shifts.size(), k.vector);
  SmallVector<Value> made = k.choose(
      isAnyLarge(k, shifts), types,
      [&] {
        forEachScore([&](ValueRange at, int64_t v) {
          Value score = k.load(scores, at);
          k.store(subtractShift(k, score, scale, shifts[v]), scores, at);
        });
        SmallVector<Value> terms(types.size(), k.splat(0.0));
        terms[0] = k.splat(log2e);
        return terms;
      },
      [&] {
        SmallVector<Value> terms = {k.splat(scale * log2e)};
        for (Value shift : shifts)
          terms.push_back(k.mul(shift, k.splat(-log2e)));
        return terms;
      });
  return {made[0], SmallVector<Value>(llvm::drop_begin(made))};
}
