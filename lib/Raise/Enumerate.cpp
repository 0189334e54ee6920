//===- Enumerate.cpp - Masks element by element ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Mask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

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

/// Evaluates each node once for each pair: nodes may be operands of many.
class Interpreter {
public:
  explicit Interpreter(ArrayRef<Expr> vars) {
    for (Expr var : vars)
      add(var);
  }
  /// Whether the condition has nothing but constants and the vars.
  bool take(Expr condition);
  bool take(ArrayRef<Expr> conditions) {
    return llvm::all_of(conditions, [&](Expr e) { return take(e); });
  }
  /// Whether all conditions that were taken are true.
  bool areTrue(ArrayRef<int64_t> at);

private:
  struct Step {
    Expr e;
    SmallVector<unsigned, 3> operands;
    DenseElementsAttr values; // of a load
    Value64 value;
    unsigned known = 0; // in which round
  };
  void add(Expr e) {
    numbers[e] = steps.size();
    steps.push_back({e, {}, {}, {}});
  }
  std::optional<unsigned> addAll(Expr e);
  Value64 get(unsigned step);
  Value64 evaluate(const Step &step);
  Value64 load(const Step &step);

  std::vector<Step> steps; // the vars first
  llvm::DenseMap<Expr, std::optional<unsigned>> numbers;
  SmallVector<unsigned> taken;
  unsigned round = 0;
};
} // namespace

std::optional<unsigned> Interpreter::addAll(Expr e) {
  if (auto it = numbers.find(e); it != numbers.end())
    return it->second;
  numbers[e] = std::nullopt; // unless all is well
  DenseElementsAttr values;
  if (e->is(Kind::Var) || e->is(Kind::Sym) || e->is(Kind::Dim) ||
      e->is(Kind::Opaque) ||
      (e->is(Kind::Load) && (!readConstant(e->value, values) ||
                             !isa<DenseIntOrFPElementsAttr>(values))))
    return std::nullopt;
  SmallVector<unsigned, 3> operands;
  for (Expr operand : e->operands) {
    std::optional<unsigned> step = addAll(operand);
    if (!step)
      return std::nullopt;
    operands.push_back(*step);
  }
  add(e);
  steps.back().operands = operands;
  steps.back().values = values;
  return steps.size() - 1;
}

bool Interpreter::take(Expr condition) {
  std::optional<unsigned> step = addAll(condition);
  if (step)
    taken.push_back(*step);
  return step.has_value();
}

bool Interpreter::areTrue(ArrayRef<int64_t> at) {
  ++round;
  for (auto [i, number] : llvm::enumerate(at)) {
    steps[i].value.number = number;
    steps[i].known = round;
  }
  return llvm::all_of(taken,
                      [&](unsigned step) { return get(step).number != 0; });
}

Value64 Interpreter::get(unsigned number) {
  if (steps[number].known != round) {
    steps[number].value = evaluate(steps[number]);
    steps[number].known = round;
  }
  return steps[number].value;
}

Value64 Interpreter::load(const Step &step) {
  int64_t at = 0;
  for (auto [index, size] :
       llvm::zip_equal(step.operands, step.values.getType().getShape()))
    at = at * size + get(index).number;
  if (at < 0 || at >= step.values.getNumElements())
    return {};
  Type type = step.values.getElementType();
  if (type.isInteger(1))
    return {int64_t(step.values.getValues<bool>()[at]), 0};
  if (isa<IntegerType, IndexType>(type))
    return {step.values.getValues<APInt>()[at].getSExtValue(), 0};
  return {0, step.values.getValues<APFloat>()[at].convertToDouble()};
}

Value64 Interpreter::evaluate(const Step &step) {
  Expr e = step.e;
  auto number = [&](unsigned i) { return get(step.operands[i]).number; };
  auto real = [&](unsigned i) { return get(step.operands[i]).real; };
  switch (e->kind) {
  case Kind::Const:
    return {e->number, e->real};
  case Kind::Load:
    return load(step);
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
    return {arith::applyCmpPredicate(arith::CmpFPredicate(e->number),
                                     APFloat(real(0)), APFloat(real(1))),
            0};
  case Kind::Select:
    return get(step.operands[number(0) ? 1 : 2]);
  case Kind::ToFloat:
    return {0, double(number(0))};
  default:
    break;
  }
  if (e->type == Class::Float)
    return {0, compute(e->kind, real(0), real(step.operands.size() - 1))};
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
  return Interpreter(vars).take(condition);
}

void lattn::raise::forEachVisible(
    ArrayRef<Expr> vars, ArrayRef<Expr> conditions,
    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  Interpreter interpreter(vars);
  bool isTaken = interpreter.take(conditions);
  assert(isTaken && "ask canEnumerate");
  (void)isTaken;
  if (llvm::any_of(vars, [](Expr var) {
        return var->range.high < 0 || var->operands[0]->isNumber(0);
      }))
    return;
  SmallVector<int64_t> at(vars.size(), 0);
  while (true) {
    if (interpreter.areTrue(at))
      visit(at);
    unsigned axis = vars.size();
    while (axis && ++at[axis - 1] == vars[axis - 1]->operands[0]->number)
      at[--axis] = 0;
    if (!axis)
      return;
  }
}

/// The frame's atoms that the conditions depend on, then query and key.
static SmallVector<Expr> getVars(const Frame &frame, ArrayRef<Expr> visible) {
  SmallVector<Expr> vars;
  for (ArrayRef<Expr> atoms : {ArrayRef(frame.batch), ArrayRef(frame.heads)})
    llvm::copy_if(atoms, std::back_inserter(vars), [&](Expr atom) {
      return llvm::any_of(visible, [&](Expr e) { return e->dependsOn(atom); });
    });
  vars.append({frame.query, frame.key});
  return vars;
}

std::optional<Band> lattn::raise::enumerate(const Frame &frame,
                                            ArrayRef<Expr> visible) {
  SmallVector<Expr> vars = getVars(frame, visible);
  if (!llvm::all_of(visible, [&](Expr e) { return canEnumerate(vars, e); }) ||
      visible.empty())
    return std::nullopt;
  int64_t queries = frame.query->operands[0]->number;
  int64_t keys = frame.key->operands[0]->number;
  int64_t rows = queries;
  for (Expr var : ArrayRef(vars).drop_back(2))
    rows *= var->operands[0]->number;
  std::vector<bool> seen(rows * keys);
  Band band{-keys, -queries, true, true};
  llvm::BitVector rowsSeen(rows);
  forEachVisible(vars, visible, [&](ArrayRef<int64_t> at) {
    int64_t row = 0;
    for (auto [var, number] :
         llvm::zip_equal(ArrayRef(vars).drop_back(), at.drop_back()))
      row = row * var->operands[0]->number + number;
    int64_t behind = row % queries - at.back();
    seen[row * keys + at.back()] = true;
    rowsSeen.set(row);
    band.left = std::max(band.left, behind);
    band.right = std::max(band.right, -behind);
  });
  if (rowsSeen.none()) // nothing is visible
    return std::nullopt;
  band.showsAllRows = rowsSeen.all();
  for (int64_t row = 0; row < rows && band.isExact; ++row) {
    int64_t i = row % queries;
    for (int64_t j = std::max<int64_t>(0, i - band.left);
         j < std::min(keys, i + band.right + 1) && band.isExact; ++j)
      band.isExact = seen[row * keys + j];
  }
  return band;
}

SmallVector<Expr> lattn::raise::simplify(Exprs &exprs, const Frame &frame,
                                         const Band &band,
                                         ArrayRef<Expr> visible) {
  SmallVector<Expr> vars = getVars(frame, visible), result(visible);
  if (vars.size() != 3)
    return result;
  int64_t keys = frame.key->operands[0]->number;
  int64_t first = std::numeric_limits<int64_t>::max(), last = 0, count = 0;
  forEachVisible(vars, visible, [&](ArrayRef<int64_t> at) {
    first = std::min(first, at[0] * keys + at[2]);
    last = std::max(last, at[0] * keys + at[2]);
    ++count;
  });
  // What is visible is within: it is all there where the numbers are equal.
  forEachVisible(vars, {}, [&](ArrayRef<int64_t> at) {
    int64_t behind = at[1] - at[2], place = at[0] * keys + at[2];
    count -= behind <= band.left && -behind <= band.right && place >= first &&
             place <= last;
  });
  if (count)
    return result;
  Expr place = exprs.add(exprs.scale(vars[0], keys), frame.key);
  return {exprs.notNegative(exprs.sub(place, exprs.number(first))),
          exprs.notNegative(exprs.sub(exprs.number(last), place))};
}
