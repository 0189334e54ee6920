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
  explicit Interpreter(ArrayRef<Expr> vars) {
    for (Expr var : vars)
      coordinates[var] = 0;
  }
  bool supports(ArrayRef<Expr> conditions) {
    return llvm::all_of(conditions, [&](Expr e) { return supports(e); });
  }
  bool areTrue(ArrayRef<Expr> conditions) {
    return llvm::all_of(conditions,
                        [&](Expr e) { return evaluate(e).number != 0; });
  }
  llvm::DenseMap<Expr, int64_t> coordinates;

private:
  bool supports(Expr e);
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

namespace {
/// Which pairs of positions are visible, of those that there are.
class Pairs {
public:
  Pairs(int64_t queries, int64_t keys)
      : queries(queries), keys(keys), seen(queries * keys) {}

  void show(int64_t query, int64_t key) { seen[query * keys + key] = true; }
  /// `firstKey` and `endKey` of a query bound the pairs that there are.
  std::optional<Band>
  getBand(llvm::function_ref<std::pair<int64_t, int64_t>(int64_t)> getKeys);

private:
  int64_t queries, keys;
  std::vector<bool> seen;
};
} // namespace

std::optional<Band> Pairs::getBand(
    llvm::function_ref<std::pair<int64_t, int64_t>(int64_t)> getKeys) {
  Band band{-keys, -queries, true, true};
  for (int64_t i = 0; i < queries; ++i) {
    bool any = false;
    for (int64_t j = 0; j < keys; ++j) {
      if (!seen[i * keys + j])
        continue;
      any = true;
      band.left = std::max(band.left, i - j);
      band.right = std::max(band.right, j - i);
    }
    band.showsAllRows &= any;
  }
  if (band.left + band.right < 0) // nothing is visible
    return std::nullopt;
  for (int64_t i = 0; i < queries && band.isExact; ++i) {
    auto [first, end] = getKeys(i);
    for (int64_t j = std::max(first, i - band.left);
         j < std::min(end, i + band.right + 1) && band.isExact; ++j)
      band.isExact = seen[i * keys + j];
  }
  return band;
}

std::optional<Band> lattn::raise::enumerate(const Frame &frame,
                                            ArrayRef<Expr> visible) {
  Expr queries = frame.query->operands[0], keys = frame.key->operands[0];
  Interpreter interpreter({frame.query, frame.key});
  if (!queries->is(Kind::Const) || !keys->is(Kind::Const) ||
      queries->number * keys->number > kMaxPairs ||
      !interpreter.supports(visible))
    return std::nullopt;
  Pairs pairs(queries->number, keys->number);
  int64_t &i = interpreter.coordinates[frame.query];
  int64_t &j = interpreter.coordinates[frame.key];
  for (i = 0; i < queries->number; ++i)
    for (j = 0; j < keys->number; ++j)
      if (interpreter.areTrue(visible))
        pairs.show(i, j);
  return pairs.getBand(
      [&](int64_t) { return std::pair(int64_t(0), keys->number); });
}

std::optional<Band> lattn::raise::enumerateBuckets(const BucketCoordinates &at,
                                                   ArrayRef<Expr> visible) {
  int64_t length = at.count * at.size;
  int64_t extent = at.key->operands[0]->number;
  Interpreter interpreter({at.bucket, at.query, at.key});
  if (length * length > kMaxPairs * 16 || length * extent > kMaxPairs ||
      !interpreter.supports(visible))
    return std::nullopt;
  Pairs pairs(length, length);
  int64_t &bucket = interpreter.coordinates[at.bucket];
  int64_t &query = interpreter.coordinates[at.query];
  int64_t &key = interpreter.coordinates[at.key];
  for (bucket = 0; bucket < at.count; ++bucket)
    for (query = 0; query < at.size; ++query)
      for (key = 0; key < extent; ++key) {
        if (!interpreter.areTrue(visible))
          continue;
        int64_t position = (bucket - at.back) * at.size + key;
        if (position < 0 || position >= length)
          return std::nullopt; // padding is seen
        pairs.show(bucket * at.size + query, position);
      }
  return pairs.getBand([&](int64_t i) {
    int64_t first = (i / at.size - at.back) * at.size;
    return std::pair(std::max<int64_t>(0, first),
                     std::min(length, first + extent));
  });
}
