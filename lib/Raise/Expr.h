//===- Expr.h - An element of a tensor as an expression ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Expressions are immutable, and equal ones are the same node. Integers are
// exact: an operation that could overflow in its type stays opaque. Floats have
// no type. Casts between float types are left out, because lattn.attention
// computes scores in its accumulator type.

#ifndef LATTN_LIB_RAISE_EXPR_H
#define LATTN_LIB_RAISE_EXPR_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>
#include <map>
#include <optional>

namespace lattn::raise {

enum class Kind {
  Const,    // integer, bool or float
  Var,      // a coordinate: from 0 up to an extent (the operand), exclusive
  Sym,      // a scalar of the program
  Dim,      // a dimension of a tensor, known at run time
  Load,     // an element of `value` at the operands
  Linear,   // constant + sum of coefficient * operand, integers
  Product,  // of two integers that are not constants
  FloorDiv, // of integers, rounded down
  Max,      // of integers or floats (NaN spreads)
  Min,
  Abs,
  NotNeg, // an integer is >= 0
  IsZero, // an integer is 0
  CmpF,   // `number` is the predicate
  And,
  Or,
  Not,
  Select, // condition, true value, false value
  Add,    // floats from here
  Sub,
  Mul,
  Div,
  Exp,
  ToFloat, // of an integer
  Opaque,  // the operation `op` on scalars
};

enum class Class { Int, Bool, Float };

struct Interval {
  int64_t low, high; // inclusive
};

struct Node {
  Node(Kind kind, Class type) : kind(kind), type(type) {}

  Kind kind;
  Class type;
  llvm::SmallVector<const Node *, 3> operands;
  llvm::SmallVector<int64_t, 2> coefficients; // Linear
  int64_t number = 0; // Const, Linear's constant, Var's number, Dim's index
  double real = 0;    // Const
  mlir::Value value;  // Sym, Dim, Load
  mlir::Operation *op = nullptr; // Opaque
  Interval range{0, 0};          // of an integer
  unsigned id = 0, depth = 0;
  /// The vars in this expression: bit n stands for var n.
  uint64_t vars = 0;

  bool is(Kind other) const { return kind == other; }
  bool isReal(double other) const {
    return kind == Kind::Const && type == Class::Float && real == other;
  }
  bool isNumber(int64_t other) const {
    return kind == Kind::Const && type != Class::Float && number == other;
  }
  bool isTrue() const { return type == Class::Bool && isNumber(1); }
  bool isFalse() const { return type == Class::Bool && isNumber(0); }
  bool dependsOn(const Node *var) const { return vars & var->vars; }
};
using Expr = const Node *;

/// The known properties of a constant array of integers.
struct Numbers {
  Interval range;
  /// The axis along which all elements are start + step * index, if any.
  std::optional<unsigned> axis;
  int64_t start = 0, step = 0;
};

/// Makes nodes, simplified.
class Exprs {
public:
  /// Sizes and positions are below this.
  static constexpr int64_t kMaxSize = int64_t(1) << 40;
  /// The limits of nodes, and of requests for nodes. Beyond them expressions
  /// are not simplified, and `isExhausted` is true.
  static constexpr unsigned kMaxNodes = 1 << 18, kMaxSteps = 1 << 21;
  static constexpr unsigned kMaxDepth = 1 << 13; // of one node

  Expr number(int64_t value);
  Expr boolean(bool value);
  Expr real(double value);
  Expr var(Expr extent);
  Expr symbol(mlir::Value scalar);
  Expr dim(mlir::Value tensor, int64_t axis);
  Expr load(mlir::Value tensor, llvm::ArrayRef<Expr> indices);
  Expr opaque(mlir::Operation *op, llvm::ArrayRef<Expr> operands);

  Expr add(Expr a, Expr b);
  Expr scale(Expr a, int64_t factor);
  Expr sub(Expr a, Expr b) { return add(a, scale(b, -1)); }
  Expr multiply(Expr a, Expr b);
  /// `b` is positive.
  Expr floorDiv(Expr a, Expr b);
  Expr mod(Expr a, Expr b);
  Expr notNegative(Expr a);
  Expr isZero(Expr a);

  /// And, Or, Not of bools; Max, Min, Abs of integers or floats; Add to Div and
  /// Exp of floats.
  Expr make(Kind kind, llvm::ArrayRef<Expr> operands);
  Expr compareReal(int64_t predicate, Expr a, Expr b);
  Expr select(Expr condition, Expr a, Expr b);
  /// Whether 0 <= a < b is proven.
  bool isBelow(Expr a, Expr b);
  /// The float that the integer or bool is.
  Expr toFloat(Expr a);

  bool isExhausted() const {
    return nodes.size() > kMaxNodes || steps > kMaxSteps || depth > kMaxDepth;
  }

private:
  using Key =
      std::tuple<Kind, Class, std::vector<unsigned>, std::vector<int64_t>,
                 int64_t, uint64_t, void *, void *>;
  Expr get(Node node);
  Expr linear(llvm::ArrayRef<std::pair<Expr, int64_t>> terms, int64_t constant);
  const Numbers *getNumbers(mlir::Value tensor);
  Expr makeBool(Kind kind, Expr a, Expr b);
  Expr negate(Expr a);
  Expr makeFloat(Kind kind, llvm::ArrayRef<Expr> operands);
  Expr pushIntoSelect(llvm::ArrayRef<Expr> operands,
                      llvm::function_ref<Expr(llvm::ArrayRef<Expr>)> make);

  std::deque<Node> nodes;
  std::map<Key, Expr> known;
  std::map<Key, mlir::Operation *> opaqueOps;
  llvm::DenseMap<mlir::Value, std::optional<Numbers>> numbers;
  llvm::DenseMap<Expr, Expr> negations;
  int64_t numVars = 0;
  unsigned steps = 0, depth = 0;
};

/// Calls `visit` for the sum's terms: (atom, coefficient).
void forEachTerm(Expr a, llvm::function_ref<void(Expr, int64_t)> visit);
/// Add to Div, Exp, Abs, Max and Min of floats; those of one operand take `a`.
double compute(Kind kind, double a, double b);
inline int64_t getConstantTerm(Expr a) {
  return a->is(Kind::Const) || a->is(Kind::Linear) ? a->number : 0;
}

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_EXPR_H
