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
#include "llvm/ADT/BitVector.h"
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
  explicit Interpreter(ArrayRef<Expr> vars) {
    for (Expr var : vars)
      coordinates[var] = 0;
  }
  bool supports(Expr e);
  bool supports(ArrayRef<Expr> conditions) {
    return llvm::all_of(conditions, [&](Expr e) { return supports(e); });
  }
  bool areTrue(ArrayRef<Expr> conditions) {
    return llvm::all_of(conditions,
                        [&](Expr e) { return evaluate(e).number != 0; });
  }
  llvm::DenseMap<Expr, int64_t> coordinates;

private:
  Value64 evaluate(Expr e);
  Value64 load(Expr e);
  bool compare(Expr e);

  llvm::DenseMap<Value, DenseElementsAttr> constants;
};
} // namespace

bool Interpreter::supports(Expr e) {
  switch (e->kind) {
  case Kind::Var:
    return coordinates.contains(e);
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

Value64 Interpreter::evaluate(Expr e) {
  auto number = [&](unsigned i) { return evaluate(e->operands[i]).number; };
  switch (e->kind) {
  case Kind::Const:
    return {e->number, e->real};
  case Kind::Var:
    return {coordinates.lookup(e), 0};
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
    return {0, compute(e->kind, evaluate(e->operands[0]).real,
                       evaluate(e->operands.back()).real)};
  if (e->is(Kind::Abs))
    return {std::abs(number(0)), 0};
  return {e->is(Kind::Max) ? std::max(number(0), number(1))
                           : std::min(number(0), number(1)),
          0};
}

//===----------------------------------------------------------------------===//
// All pairs
//===----------------------------------------------------------------------===//

bool lattn::raise::canEnumerate(ArrayRef<Expr> vars, Expr condition) {
  int64_t count = 1;
  for (Expr var : vars) {
    Expr extent = var->operands[0];
    if (!extent->is(Kind::Const) ||
        llvm::MulOverflow(count, extent->number, count) || count > kMaxPairs)
      return false;
  }
  return Interpreter(vars).supports(condition);
}

void lattn::raise::forEachVisible(
    ArrayRef<Expr> vars, ArrayRef<Expr> conditions,
    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  Interpreter interpreter(vars);
  bool supported = interpreter.supports(conditions);
  assert(supported && "ask canEnumerate");
  (void)supported;
  if (llvm::any_of(vars, [](Expr var) {
        return var->range.high < 0 || var->operands[0]->isNumber(0);
      }))
    return;
  SmallVector<int64_t> at(vars.size(), 0);
  while (true) {
    for (auto [var, number] : llvm::zip_equal(vars, at))
      interpreter.coordinates[var] = number;
    if (interpreter.areTrue(conditions))
      visit(at);
    unsigned axis = vars.size();
    while (axis && ++at[axis - 1] == vars[axis - 1]->operands[0]->number)
      at[--axis] = 0;
    if (!axis)
      return;
  }
}

std::optional<Band> lattn::raise::enumerate(const Frame &frame,
                                            ArrayRef<Expr> visible) {
  SmallVector<Expr> vars{frame.query, frame.key};
  if (!llvm::all_of(visible, [&](Expr e) { return canEnumerate(vars, e); }) ||
      visible.empty())
    return std::nullopt;
  int64_t queries = frame.query->operands[0]->number;
  int64_t keys = frame.key->operands[0]->number;
  std::vector<bool> seen(queries * keys);
  Band band{-keys, -queries, true, true};
  llvm::BitVector rows(queries);
  forEachVisible(vars, visible, [&](ArrayRef<int64_t> at) {
    seen[at[0] * keys + at[1]] = true;
    rows.set(at[0]);
    band.left = std::max(band.left, at[0] - at[1]);
    band.right = std::max(band.right, at[1] - at[0]);
  });
  if (rows.none()) // nothing is visible
    return std::nullopt;
  band.showsAllRows = rows.all();
  for (int64_t i = 0; i < queries && band.isExact; ++i)
    for (int64_t j = std::max<int64_t>(0, i - band.left);
         j < std::min(keys, i + band.right + 1) && band.isExact; ++j)
      band.isExact = seen[i * keys + j];
  return band;
}
