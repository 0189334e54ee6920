//===- Expr.cpp - Expressions: nodes, and floats --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expr.h"
#include "Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace lattn::raise;

Expr Exprs::get(Node node) {
  ++steps;
  std::vector<unsigned> operands;
  for (Expr operand : node.operands) {
    operands.push_back(operand->id);
    node.vars |= operand->vars;
    node.depth = std::max(node.depth, operand->depth + 1);
  }
  void *op = node.op;
  if (node.op) {
    // The same operation elsewhere is the same: compare name and attributes.
    Key same{
        node.kind,
        node.type,
        {},
        {},
        0,
        0,
        const_cast<void *>(node.op->getName().getAsOpaquePointer()),
        const_cast<void *>(node.op->getAttrDictionary().getAsOpaquePointer())};
    std::get<4>(same) = reinterpret_cast<intptr_t>(
        node.op->getResult(0).getType().getAsOpaquePointer());
    op = node.op = opaqueOps.try_emplace(same, node.op).first->second;
  }
  Key key{node.kind,
          node.type,
          std::move(operands),
          {node.coefficients.begin(), node.coefficients.end()},
          node.number,
          llvm::bit_cast<uint64_t>(node.real),
          node.value.getAsOpaquePointer(),
          op};
  auto [it, isNew] = known.try_emplace(std::move(key), nullptr);
  if (!isNew)
    return it->second;
  node.id = nodes.size();
  depth = std::max(depth, node.depth);
  nodes.push_back(std::move(node));
  it->second = &nodes.back();
  return it->second;
}

Expr Exprs::real(double value) {
  Node node{Kind::Const, Class::Float};
  node.real = value;
  return get(std::move(node));
}

Expr Exprs::var(Expr extent) {
  Node node{Kind::Var, Class::Int};
  node.operands = {extent};
  node.number = numVars;
  node.vars = uint64_t(1) << std::min<int64_t>(numVars++, 63);
  node.range = {0, std::max<int64_t>(0, extent->range.high - 1)};
  return get(std::move(node));
}

static Class classify(Type type) {
  if (isa<FloatType>(type))
    return Class::Float;
  return type.isInteger(1) ? Class::Bool : Class::Int;
}

static Interval getTypeRange(Type type) {
  // Other types, as complex, are names without arithmetic.
  unsigned bits = isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 64;
  if (bits == 0 || bits >= 62)
    return {-(int64_t(1) << 62), int64_t(1) << 62};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
}

Expr Exprs::symbol(Value scalar) {
  Node node{Kind::Sym, classify(scalar.getType())};
  node.value = scalar;
  if (node.type == Class::Int)
    node.range = getTypeRange(scalar.getType());
  return get(std::move(node));
}

Expr Exprs::dim(Value tensor, int64_t axis) {
  Node node{Kind::Dim, Class::Int};
  node.value = tensor;
  node.number = axis;
  node.range = {0, kMaxSize};
  return get(std::move(node));
}

static std::optional<Numbers> readNumbers(Value tensor) {
  DenseIntElementsAttr constant;
  if (!readConstant(tensor, constant) || constant.empty() ||
      constant.getElementType().isInteger(1))
    return std::nullopt;
  SmallVector<int64_t> values;
  for (const APInt &value : constant.getValues<APInt>())
    values.push_back(value.getSExtValue());
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  // Sums and differences of what is larger might overflow.
  if (*low < -Exprs::kMaxSize || *high > Exprs::kMaxSize)
    return std::nullopt;
  Numbers found{{*low, *high}, std::nullopt};
  ArrayRef<int64_t> shape = constant.getType().getShape();
  if (llvm::count_if(shape, [](int64_t size) { return size != 1; }) != 1)
    return found;
  found.start = values[0];
  found.step = values[1] - values[0];
  for (auto [i, value] : llvm::enumerate(values))
    if (value != found.start + found.step * int64_t(i))
      return found;
  found.axis = llvm::find_if(shape, [](int64_t size) { return size != 1; }) -
               shape.begin();
  return found;
}

const Numbers *Exprs::getNumbers(Value tensor) {
  auto [it, isNew] = numbers.try_emplace(tensor);
  if (isNew)
    it->second = readNumbers(tensor);
  return it->second ? &*it->second : nullptr;
}

Expr Exprs::load(Value tensor, ArrayRef<Expr> indices) {
  Type element = cast<ShapedType>(tensor.getType()).getElementType();
  DenseElementsAttr constant;
  if (readConstant(tensor, constant) && constant.isSplat()) {
    if (isa<FloatType>(element))
      return real(constant.getSplatValue<APFloat>().convertToDouble());
    APInt value = constant.getSplatValue<APInt>();
    if (element.isInteger(1))
      return boolean(!value.isZero());
    return number(value.getSExtValue());
  }
  Node node{Kind::Load, classify(element)};
  node.value = tensor;
  node.operands.assign(indices.begin(), indices.end());
  const Numbers *known = getNumbers(tensor);
  if (known && known->axis)
    return add(number(known->start), scale(indices[*known->axis], known->step));
  if (node.type == Class::Int)
    node.range = known ? known->range : getTypeRange(element);
  return get(std::move(node));
}

Expr Exprs::opaque(Operation *op, ArrayRef<Expr> operands) {
  Type type = op->getResult(0).getType();
  Node node{Kind::Opaque, classify(type)};
  node.op = op;
  node.operands.assign(operands.begin(), operands.end());
  if (node.type == Class::Int)
    node.range = getTypeRange(type);
  return get(std::move(node));
}

/// make() of both branches where one operand is a select of constants and the
/// others are constants; null otherwise.
Expr Exprs::pushIntoSelect(ArrayRef<Expr> operands,
                           llvm::function_ref<Expr(ArrayRef<Expr>)> make) {
  if (isExhausted())
    return nullptr;
  std::optional<unsigned> at;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (operand->is(Kind::Const))
      continue;
    if (at || !operand->is(Kind::Select))
      return nullptr;
    at = i;
  }
  if (!at)
    return nullptr;
  Expr choice = operands[*at];
  auto isConstant = [](Expr e) {
    return e->is(Kind::Const) || e->is(Kind::Select);
  };
  if (!isConstant(choice->operands[1]) || !isConstant(choice->operands[2]))
    return nullptr;
  SmallVector<Expr> yes(operands), no(operands);
  yes[*at] = choice->operands[1];
  no[*at] = choice->operands[2];
  Expr a = make(yes), b = make(no);
  if (a->is(Kind::Const) || a->is(Kind::Select) || a->type == Class::Bool)
    return select(choice->operands[0], a, b);
  return nullptr;
}

double lattn::raise::compute(Kind kind, double a, double b) {
  switch (kind) {
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
    return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b);
  default:
    return std::isnan(a) || std::isnan(b) ? NAN : std::min(a, b);
  }
}

Expr Exprs::makeFloat(Kind kind, ArrayRef<Expr> operands) {
  if (llvm::all_of(operands, [](Expr e) { return e->is(Kind::Const); }))
    return real(compute(kind, operands[0]->real, operands.back()->real));
  if (Expr pushed = pushIntoSelect(
          operands, [&](ArrayRef<Expr> x) { return makeFloat(kind, x); }))
    return pushed;
  Expr a = operands[0], b = operands.back();
  bool commutes = kind == Kind::Add || kind == Kind::Mul || kind == Kind::Max ||
                  kind == Kind::Min;
  if (commutes && a->is(Kind::Const))
    std::swap(a, b);
  bool constant = b->is(Kind::Const) && operands.size() == 2;
  if (constant && kind == Kind::Sub)
    return makeFloat(Kind::Add, {a, real(-b->real)});
  if (constant && kind == Kind::Div && b->real != 0)
    return makeFloat(Kind::Mul, {a, real(1 / b->real)});
  if ((kind == Kind::Add && b->isReal(0)) ||
      (kind == Kind::Mul && b->isReal(1)))
    return a;
  if (constant && kind == Kind::Mul && a->is(Kind::Mul) &&
      a->operands[1]->is(Kind::Const))
    return makeFloat(kind,
                     {a->operands[0], real(a->operands[1]->real * b->real)});
  if (kind == Kind::Sub && a->isReal(0))
    return makeFloat(Kind::Mul, {b, real(-1)});
  // max(x, -inf), from a fill
  if (kind == Kind::Max && b->isReal(-INFINITY))
    return a;
  Node node{kind, Class::Float};
  node.operands = {a};
  if (operands.size() == 2)
    node.operands.push_back(b);
  return get(std::move(node));
}

Expr Exprs::make(Kind kind, ArrayRef<Expr> operands) {
  if (operands[0]->type == Class::Float)
    return makeFloat(kind, operands);
  if (kind == Kind::And || kind == Kind::Or)
    return makeBool(kind, operands[0], operands[1]);
  Expr a = operands[0], b = operands.back();
  if (kind == Kind::Not)
    return negate(a);
  Interval x = a->range, y = b->range;
  if (kind != Kind::Abs) {
    Interval more = sub(a, b)->range;
    if (more.low >= 0 || more.high <= 0)
      return (more.low >= 0) == (kind == Kind::Max) ? a : b;
  }
  Node node{kind, Class::Int};
  node.operands.assign(operands.begin(), operands.end());
  if (kind == Kind::Abs) {
    if (x.low >= 0)
      return a;
    if (x.high <= 0)
      return scale(a, -1);
    node.range = {0, std::max(-x.low, x.high)};
  } else if (kind == Kind::Max) {
    node.range = {std::max(x.low, y.low), std::max(x.high, y.high)};
  } else {
    node.range = {std::min(x.low, y.low), std::min(x.high, y.high)};
  }
  return get(std::move(node));
}

Expr Exprs::compareReal(int64_t predicate, Expr a, Expr b) {
  if (a->is(Kind::Const) && b->is(Kind::Const))
    return boolean(arith::applyCmpPredicate(
        arith::CmpFPredicate(predicate), APFloat(a->real), APFloat(b->real)));
  if (Expr pushed = pushIntoSelect({a, b}, [&](ArrayRef<Expr> x) {
        return compareReal(predicate, x[0], x[1]);
      }))
    return pushed;
  Node node{Kind::CmpF, Class::Bool};
  node.number = predicate;
  node.operands = {a, b};
  return get(std::move(node));
}

Expr Exprs::select(Expr condition, Expr a, Expr b) {
  if (a == b || condition->isTrue())
    return a;
  if (condition->isFalse())
    return b;
  if (a->type == Class::Bool)
    return make(Kind::Or, {make(Kind::And, {condition, a}),
                           make(Kind::And, {make(Kind::Not, {condition}), b})});
  if (condition->is(Kind::Not))
    return select(condition->operands[0], b, a);
  // The broadcast of an axis whose size is known at run time: the index is 0
  // where the size is 1, and below the size.
  if (condition->is(Kind::IsZero) && a->isNumber(0) && b->type == Class::Int &&
      isBelow(b, add(condition->operands[0], number(1))))
    return b;
  Node node{Kind::Select, a->type};
  node.operands = {condition, a, b};
  if (a->type == Class::Int)
    node.range = {std::min(a->range.low, b->range.low),
                  std::max(a->range.high, b->range.high)};
  return get(std::move(node));
}

Expr Exprs::toFloat(Expr a) {
  if (a->type == Class::Bool)
    return select(a, real(1), real(0));
  if (a->is(Kind::Const))
    return real(double(a->number));
  if (a->is(Kind::Select) && !isExhausted())
    return select(a->operands[0], toFloat(a->operands[1]),
                  toFloat(a->operands[2]));
  Node node{Kind::ToFloat, Class::Float};
  node.operands = {a};
  return get(std::move(node));
}
