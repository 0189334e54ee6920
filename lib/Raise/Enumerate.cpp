//===- Enumerate.cpp - Masks element by element ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lattn::raise;

/// Larger masks are not enumerated.
static constexpr int64_t kMaxPairs = int64_t(1) << 22;

namespace {
/// A number: an integer or bool in `number`, a float in `real`.
struct Value64 {
  int64_t number = 0;
  double real = 0;
};

class Interpreter {
public:
  Interpreter(const Frame &frame) : frame(frame) {}
  bool supports(Expr e);
  Value64 evaluate(Expr e);
  int64_t query = 0, key = 0;

private:
  Value64 load(Expr e);
  double evaluateReal(Expr e);
  bool compare(Expr e);

  const Frame &frame;
  llvm::DenseMap<Value, DenseElementsAttr> constants;
};
} // namespace

bool Interpreter::supports(Expr e) {
  switch (e->kind) {
  case Kind::Var:
    return e == frame.query || e == frame.key;
  case Kind::Sym:
  case Kind::Dim:
  case Kind::Opaque:
    return false;
  case Kind::Load: {
    DenseElementsAttr values;
    if (!matchPattern(e->value, m_Constant(&values)) ||
        !isa<DenseIntOrFPElementsAttr>(values))
      return false;
    constants[e->value] = values;
    break;
  }
  default:
    break;
  }
  return llvm::all_of(e->operands, [&](Expr x) { return supports(x); });
}

Value64 Interpreter::load(Expr e) {
  DenseElementsAttr values = constants[e->value];
  int64_t at = 0;
  for (auto [index, size] :
       llvm::zip_equal(e->operands, values.getType().getShape()))
    at = at * size + evaluate(index).number;
  if (at < 0 || at >= values.getNumElements())
    return {};
  Type type = values.getElementType();
  if (type.isInteger(1))
    return {int64_t(values.getValues<bool>()[at]), 0};
  if (isa<IntegerType, IndexType>(type))
    return {values.getValues<APInt>()[at].getSExtValue(), 0};
  return {0, values.getValues<APFloat>()[at].convertToDouble()};
}

bool Interpreter::compare(Expr e) {
  return arith::applyCmpPredicate(arith::CmpFPredicate(e->number),
                                  APFloat(evaluate(e->operands[0]).real),
                                  APFloat(evaluate(e->operands[1]).real));
}

double Interpreter::evaluateReal(Expr e) {
  double a = evaluate(e->operands[0]).real;
  double b = evaluate(e->operands.back()).real;
  switch (e->kind) {
  case Kind::Add:
    return a + b;
  case Kind::Sub:
    return a - b;
  case Kind::Mul:
    return a * b;
  case Kind::Div:
    return a / b;
  case Kind::Exp:
    return std::exp(a);
  case Kind::Abs:
    return std::fabs(a);
  case Kind::Max:
    return std::max(a, b);
  default:
    return std::min(a, b);
  }
}

Value64 Interpreter::evaluate(Expr e) {
  auto number = [&](unsigned i) { return evaluate(e->operands[i]).number; };
  switch (e->kind) {
  case Kind::Const:
    return {e->number, e->real};
  case Kind::Var:
    return {e == frame.query ? query : key, 0};
  case Kind::Load:
    return load(e);
  case Kind::Linear: {
    int64_t sum = e->number;
    for (auto [i, factor] : llvm::enumerate(e->coefficients))
      sum += factor * number(i);
    return {sum, 0};
  }
  case Kind::Product:
    return {number(0) * number(1), 0};
  case Kind::FloorDiv:
    return {llvm::divideFloorSigned(number(0), number(1)), 0};
  case Kind::NotNeg:
    return {number(0) >= 0, 0};
  case Kind::IsZero:
    return {number(0) == 0, 0};
  case Kind::And:
    return {number(0) && number(1), 0};
  case Kind::Or:
    return {number(0) || number(1), 0};
  case Kind::Not:
    return {!number(0), 0};
  case Kind::CmpF:
    return {compare(e), 0};
  case Kind::Select:
    return evaluate(e->operands[number(0) ? 1 : 2]);
  case Kind::ToFloat:
    return {0, double(number(0))};
  default:
    break;
  }
  if (e->type == Class::Float)
    return {0, evaluateReal(e)};
  if (e->is(Kind::Abs))
    return {std::abs(number(0)), 0};
  return {e->is(Kind::Max) ? std::max(number(0), number(1))
                           : std::min(number(0), number(1)),
          0};
}

std::optional<Band> lattn::raise::enumerate(Exprs &exprs, const Frame &frame,
                                            ArrayRef<Expr> visible) {
  Expr queries = frame.query->operands[0], keys = frame.key->operands[0];
  Interpreter interpreter(frame);
  if (!queries->is(Kind::Const) || !keys->is(Kind::Const) ||
      queries->number * keys->number > kMaxPairs ||
      !llvm::all_of(visible, [&](Expr e) { return interpreter.supports(e); }))
    return std::nullopt;
  int64_t n = queries->number, m = keys->number;
  std::vector<bool> sees(n * m);
  Band band{-m, -n, true, true};
  for (int64_t i = 0; i < n; ++i) {
    bool any = false;
    for (int64_t j = 0; j < m; ++j) {
      interpreter.query = i;
      interpreter.key = j;
      if (!llvm::all_of(visible, [&](Expr e) {
            return interpreter.evaluate(e).number != 0;
          }))
        continue;
      any = sees[i * m + j] = true;
      band.left = std::max(band.left, i - j);
      band.right = std::max(band.right, j - i);
    }
    band.showsAllRows &= any;
  }
  if (band.left + band.right < 0) // nothing is visible
    return std::nullopt;
  for (int64_t i = 0; i < n && band.isExact; ++i)
    for (int64_t j = std::max<int64_t>(0, i - band.left);
         j <= std::min(m - 1, i + band.right) && band.isExact; ++j)
      band.isExact = sees[i * m + j];
  return band;
}
