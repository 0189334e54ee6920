//===- ScalarRule.h - Derivatives as formulas -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A rule of an op on scalars (or elementwise on vectors) is a function
//
//   Term scale(math::ExpOp, Partial &p) { return p.x * p.out(); }
//
// It gives x times the derivative of one result by one operand, or no term if
// that is zero. The derivative of a scalar by a scalar is a number. So the same
// formula takes cotangents from the result to the operand, and tangents from
// the operand to the result.
//
// x times the derivative is 0 if one of them is 0, even if the other is
// infinite: 1 / (1 + exp(-x)) has the derivative 0 where exp(-x) overflows. If
// x is 0 it is 0 even for NaN, which functions that select does not take may
// have.

#ifndef LATTN_LIB_DIFFERENTIATION_SCALARS_SCALARRULE_H
#define LATTN_LIB_DIFFERENTIATION_SCALARS_SCALARRULE_H

#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace lattn {

/// A value in a formula.
struct Term {
  mlir::ImplicitLocOpBuilder *b = nullptr;
  mlir::Value value;

  /// A constant of this term's type.
  Term constant(double number) const {
    mlir::Type type = value.getType();
    mlir::TypedAttr attribute =
        b->getFloatAttr(mlir::getElementTypeOrSelf(type), number);
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
      attribute = mlir::DenseElementsAttr::get(shaped, attribute);
    return {b, mlir::arith::ConstantOp::create(*b, attribute)};
  }
};

template <typename Op> Term apply(Term x) {
  return {x.b, Op::create(*x.b, x.value)};
}
template <typename Op> Term apply(Term x, Term y) {
  return {x.b, Op::create(*x.b, x.value, y.value)};
}
inline Term operator-(Term x) { return apply<mlir::arith::NegFOp>(x); }
inline Term operator+(Term x, Term y) {
  return apply<mlir::arith::AddFOp>(x, y);
}
inline Term operator-(Term x, Term y) {
  return apply<mlir::arith::SubFOp>(x, y);
}
inline Term operator*(Term x, Term y) {
  return apply<mlir::arith::MulFOp>(x, y);
}
inline Term operator/(Term x, Term y) {
  return apply<mlir::arith::DivFOp>(x, y);
}
inline Term operator+(Term x, double y) { return x + x.constant(y); }
inline Term operator-(Term x, double y) { return x - x.constant(y); }
inline Term operator*(Term x, double y) { return x * x.constant(y); }
inline Term operator-(double x, Term y) { return y.constant(x) - y; }

/// Both conditions.
inline Term operator&(Term x, Term y) {
  return apply<mlir::arith::AndIOp>(x, y);
}
inline Term operator|(Term x, Term y) {
  return apply<mlir::arith::OrIOp>(x, y);
}
inline Term compare(mlir::arith::CmpFPredicate predicate, Term x, Term y) {
  return {x.b, mlir::arith::CmpFOp::create(*x.b, predicate, x.value, y.value)};
}
inline Term operator==(Term x, Term y) {
  return compare(mlir::arith::CmpFPredicate::OEQ, x, y);
}
inline Term operator<(Term x, Term y) {
  return compare(mlir::arith::CmpFPredicate::OLT, x, y);
}
inline Term operator<=(Term x, Term y) {
  return compare(mlir::arith::CmpFPredicate::OLE, x, y);
}
inline Term select(Term condition, Term x, Term y) {
  return {x.b, mlir::arith::SelectOp::create(*x.b, condition.value, x.value,
                                             y.value)};
}

/// x, whose products and quotients are 0 rather than NaN if x is 0, or if x and
/// what it is multiplied with are numbers.
struct Factor : Term {
  explicit Factor(Term x) : Term(x) {}

private:
  static bool isFiniteNonZero(Term x) {
    llvm::APFloat number(0.0);
    return mlir::matchPattern(x.value, mlir::m_ConstantFloat(&number)) &&
           number.isFiniteNonZero();
  }
  /// `result` is computed from `x` and `y`. With a constant it is no such NaN.
  static Term replaceNaN(Term result, Term x, Term y) {
    using mlir::arith::CmpFPredicate;
    if (isFiniteNonZero(x) || isFiniteNonZero(y))
      return result;
    Term zero = result.constant(0.0);
    Term isNaN = compare(CmpFPredicate::UNO, result, result);
    Term isOfZero = (x == zero) | compare(CmpFPredicate::ORD, x, y);
    return select(isNaN & isOfZero, zero, result);
  }
  friend Factor operator-(Factor x) { return Factor(-static_cast<Term &>(x)); }
  friend Factor operator*(Factor x, double y) {
    return Factor(static_cast<Term &>(x) * y);
  }
  friend Term operator*(Factor x, Term y) {
    return replaceNaN(static_cast<Term &>(x) * y, x, y);
  }
  friend Term operator/(Factor x, Term y) {
    return replaceNaN(static_cast<Term &>(x) / y, x, y);
  }
};

/// Where a derivative is taken.
struct Partial {
  mlir::ImplicitLocOpBuilder &b;
  mlir::Operation *op;
  unsigned result, operand;
  Factor x; // the factor of the derivative

  Term in(unsigned i) { return {&b, op->getOperand(i)}; }
  Term out(unsigned i = 0) { return {&b, op->getResult(i)}; }

  /// x times an operand. An argument of the body is taken for finite, so that
  /// sums of products stay what kernels exist for.
  Term timesIn(unsigned i) {
    return llvm::isa<mlir::BlockArgument>(op->getOperand(i))
               ? static_cast<Term &>(x) * in(i)
               : x * in(i);
  }
};

/// Makes the rule `scale` the interface of `Op`.
template <typename Op>
struct ScalarModel
    : DifferentiableOpInterface::ExternalModel<ScalarModel<Op>, Op> {
  llvm::LogicalResult buildAdjoint(mlir::Operation *op, mlir::OpBuilder &b,
                                   Reverse &reverse) const {
    mlir::ImplicitLocOpBuilder builder(op->getLoc(), b);
    for (auto [result, value] : llvm::enumerate(op->getResults())) {
      mlir::Value cotangent = reverse.getCotangent(builder, value);
      for (auto [operand, input] : llvm::enumerate(op->getOperands()))
        if (cotangent && reverse.isActive(input))
          reverse.add(builder, input,
                      build(builder, op, result, operand, cotangent));
    }
    return llvm::success();
  }
  llvm::LogicalResult buildTangent(mlir::Operation *op, mlir::OpBuilder &b,
                                   Forward &forward) const {
    mlir::ImplicitLocOpBuilder builder(op->getLoc(), b);
    for (auto [result, value] : llvm::enumerate(op->getResults())) {
      mlir::Value sum;
      for (auto [operand, input] : llvm::enumerate(op->getOperands())) {
        mlir::Value tangent = forward.getTangent(input);
        if (tangent)
          tangent = build(builder, op, result, operand, tangent);
        if (tangent)
          sum = sum ? buildSum(builder, op->getLoc(), sum, tangent) : tangent;
      }
      if (sum)
        forward.setTangent(value, sum);
    }
    return llvm::success();
  }

private:
  static mlir::Value build(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                           unsigned result, unsigned operand, mlir::Value x) {
    Partial partial{b, op, result, operand, Factor({&b, x})};
    return scale(llvm::cast<Op>(op), partial).value;
  }
};

template <typename... Ops> void attachScalars(mlir::MLIRContext *context) {
  (Ops::template attachInterface<ScalarModel<Ops>>(*context), ...);
}

void attachArithmetic(mlir::MLIRContext *context);
void attachExponentials(mlir::MLIRContext *context);
void attachPowers(mlir::MLIRContext *context);
void attachRounding(mlir::MLIRContext *context);
void attachTrigonometry(mlir::MLIRContext *context);

} // namespace lattn

#endif // LATTN_LIB_DIFFERENTIATION_SCALARS_SCALARRULE_H
