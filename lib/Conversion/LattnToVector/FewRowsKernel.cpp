//===- FewRowsKernel.cpp - Matrix products with few rows ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Nothing is packed: memory gives a weight once, in order, and each element
// serves all rows while it is in the caches.
//
//   weight (N, K)   for a few rows of the weight, for four rows at a time
//                     sums over vectors along K
//                   a single row meets so few of the weight that these come
//                   almost in the order of memory, which is read faster so
//   weight (K, N)   for wide blocks of columns, for a few rows of the weight
//                     for four rows at a time, for vectors of columns
//                       sums += row[k] weight[k]
//
// Lines further on are prefetched, since hardware prefetches end with each
// page. The order of an element's sum depends on the target only.

#include "FewRowsKernel.h"
#include "BlockProduct.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

static constexpr int64_t kLineBits = 64 * 8;

static Type getElement(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

static Value getExtent(KernelBuilder &k, Value matrix, int64_t axis) {
  return memref::DimOp::create(k.b, k.loc, matrix, axis);
}

static Value getRest(KernelBuilder &k, Value extent, Value at) {
  return arith::SubIOp::create(k.b, k.loc, extent, at);
}

/// A vector from `at` on as `k.element`; the lanes of `mask`, others zero.
static Value loadVector(KernelBuilder &k, Value memref, ValueRange at,
                        Value mask) {
  Value vector;
  if (mask) {
    auto type = VectorType::get(k.lanes, getElement(memref));
    Value zeros = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
    vector =
        vector::MaskedLoadOp::create(k.b, k.loc, type, memref, at, mask, zeros);
  } else {
    vector = k.load(memref, at);
  }
  return convertFloat(k, vector, k.vector);
}

static Value loadElement(KernelBuilder &k, Value memref, ValueRange at) {
  return convertFloat(k, k.loadScalar(memref, at), k.element);
}

/// What an element's sum starts with.
static Value loadStart(KernelBuilder &k, Value target, ValueRange at,
                       Value fresh) {
  return k.select(fresh, k.scalar(0.0), loadElement(k, target, at));
}

static void storeElement(KernelBuilder &k, Value value, Value target,
                         ValueRange at) {
  memref::StoreOp::create(
      k.b, k.loc, convertFloat(k, value, getElement(target)), target, at);
}

static void prefetch(KernelBuilder &k, Value memref, ValueRange at,
                     int64_t locality) {
  memref::PrefetchOp::create(k.b, k.loc, memref, at, /*isWrite=*/false,
                             locality, /*isDataCache=*/true);
}

static Value createMask(KernelBuilder &k, Value count) {
  return vector::CreateMaskOp::create(
      k.b, k.loc, VectorType::get(k.lanes, k.b.getI1Type()), count);
}

/// Calls `body` with all rows of `matrix`, four at a time. The last one stands
/// for those that four lack; alone it goes by itself.
static void forEachRows(KernelBuilder &k, Value matrix,
                        function_ref<void(ArrayRef<Value>)> body) {
  Value extent = getExtent(k, matrix, 0), last = k.add(extent, -1);
  k.forEach(k.index(0), extent, 4, [&](Value row) {
    Value isLast =
        arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq, row, last);
    k.ifThenElse(
        isLast, [&] { body(row); },
        [&] {
          SmallVector<Value> rows = {row};
          for (int64_t i = 1; i < 4; ++i)
            rows.push_back(
                arith::MinSIOp::create(k.b, k.loc, k.add(row, i), last));
          body(rows);
        });
  });
}

//===----------------------------------------------------------------------===//
// Weights (N, K)
//===----------------------------------------------------------------------===//

namespace {
class FewDots {
public:
  FewDots(KernelBuilder &k, ValueRange arguments)
      : k(k), x(asUnitStride(k, arguments[0])),
        weight(asUnitStride(k, arguments[1])), y(arguments[2]),
        fresh(arguments[3]), products(getExtent(k, x, 1)),
        bits(getElement(weight).getIntOrFloatBitWidth()),
        line(std::max<int64_t>(k.lanes, kLineBits / bits)),
        ahead(k.b.createOrFold<arith::CeilDivUIOp>(
            k.loc, k.index(kAheadBits / bits),
            arith::MaxUIOp::create(k.b, k.loc, products, k.index(1)))) {}
  void build();

private:
  /// Rows of the weight at a time, for several rows.
  static constexpr int64_t kWeights = 4;
  /// How far ahead lines are prefetched.
  static constexpr int64_t kAheadBits = 16 * 1024 * 8;
  using Rows = ArrayRef<Value>;

  void forEachColumns(int64_t count, function_ref<void(Rows)> body);
  void multiply(Rows rows, Rows columns);
  SmallVector<Value> addWhole(Rows rows, Rows columns, Value whole);
  SmallVector<Value> add(Rows rows, Rows columns, Value at, Value mask,
                         ValueRange sums);

  KernelBuilder &k;
  Value x, weight, y, fresh, products;
  int64_t bits; // of an element of the weight
  int64_t line; // elements of the weight that an iteration reads of a row
  Value ahead;  // rows of the weight in kAheadBits
};
} // namespace

SmallVector<Value> FewDots::add(Rows rows, Rows columns, Value at, Value mask,
                                ValueRange sums) {
  SmallVector<Value> elements;
  for (Value row : rows)
    elements.push_back(loadVector(k, x, {row, at}, mask));
  auto getColumn = [&](int64_t j) {
    return loadVector(k, weight, {columns[j], at}, mask);
  };
  return BlockProduct(k).add(sums, getColumn, elements);
}

/// The sums of the first `whole` products. Meanwhile as many rows of the weight
/// come as there are columns, in the order in which they lie.
SmallVector<Value> FewDots::addWhole(Rows rows, Rows columns, Value whole) {
  int64_t count = columns.size();
  Value next = arith::AddIOp::create(k.b, k.loc, columns[0], ahead);
  SmallVector<Value> sums(rows.size() * count, k.splat(0.0));
  return k.loop(
      k.index(0), whole, line, sums, [&](Value at, ValueRange carried) {
        Value from = arith::MulIOp::create(k.b, k.loc, at, k.index(count));
        for (int64_t j = 0; j < count; ++j)
          prefetch(k, weight, {next, k.add(from, j * line)}, 3);
        SmallVector<Value> next(carried);
        for (int64_t d = 0; d < line; d += k.lanes)
          next = add(rows, columns, k.add(at, d), Value(), next);
        return next;
      });
}

/// The elements of `rows` and `columns`, each of which is the dot product of a
/// row and a row of the weight.
void FewDots::multiply(Rows rows, Rows columns) {
  Value rest = k.b.createOrFold<arith::RemUIOp>(k.loc, products, k.index(line));
  Value whole = getRest(k, products, rest);
  SmallVector<Value> sums = addWhole(rows, columns, whole);
  sums =
      k.loop(whole, products, k.lanes, sums, [&](Value at, ValueRange carried) {
        Value mask = createMask(k, getRest(k, products, at));
        return add(rows, columns, at, mask, carried);
      });
  // What stands for another, too, is written after it was read.
  SmallVector<Value> results;
  for (auto [j, column] : llvm::enumerate(columns))
    for (auto [i, row] : llvm::enumerate(rows)) {
      Value sum = vector::ReductionOp::create(
          k.b, k.loc, vector::CombiningKind::ADD, sums[j * rows.size() + i],
          arith::FastMathFlags::reassoc);
      results.push_back(k.plus(sum, loadStart(k, y, {row, column}, fresh)));
    }
  for (auto [j, column] : llvm::enumerate(columns))
    for (auto [i, row] : llvm::enumerate(rows))
      storeElement(k, results[j * rows.size() + i], y, {row, column});
}

/// Calls `body` with all rows of the weight, `count` at a time. The last one
/// stands for those that are missing.
void FewDots::forEachColumns(int64_t count, function_ref<void(Rows)> body) {
  Value extent = getExtent(k, weight, 0), last = k.add(extent, -1);
  k.forEach(k.index(0), extent, count, [&](Value column) {
    SmallVector<Value> columns = {column};
    for (int64_t j = 1; j < count; ++j)
      columns.push_back(
          arith::MinSIOp::create(k.b, k.loc, k.add(column, j), last));
    body(columns);
  });
}

void FewDots::build() {
  Value isOne = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                      getExtent(k, x, 0), k.index(1));
  // As many sums as vectors in a line: FMAs keep up with memory.
  k.ifThenElse(
      isOne,
      [&] {
        forEachColumns(line / k.lanes,
                       [&](Rows columns) { multiply(k.index(0), columns); });
      },
      [&] {
        forEachColumns(kWeights, [&](Rows columns) {
          forEachRows(k, x, [&](Rows rows) { multiply(rows, columns); });
        });
      });
}

void lattn::buildFewDots(KernelBuilder &k, ValueRange arguments) {
  FewDots(k, arguments).build();
}

//===----------------------------------------------------------------------===//
// Weights (K, N)
//===----------------------------------------------------------------------===//

namespace {
class FewSums {
public:
  FewSums(KernelBuilder &k, ValueRange arguments)
      : k(k), x(arguments[0]), weight(asUnitStride(k, arguments[1])),
        y(arguments[2]), fresh(arguments[3]),
        line(std::max<int64_t>(
            k.lanes, kLineBits / getElement(weight).getIntOrFloatBitWidth())),
        sums(k.scratch({kFewRows, kColumns + line})) {}
  void build();

private:
  /// Columns and rows of the weight at a time.
  static constexpr int64_t kColumns = 1024, kDepth = 4;
  using Rows = ArrayRef<Value>;

  void forEachElement(Value width, function_ref<void(Value, Value)> body);
  void addRows(Value from, int64_t depth, Value column, Value width);
  void add(Rows rows, Rows products, Value column, Value width);
  void addVector(Rows rows, Rows products, ValueRange elements, Value column,
                 Value at, Value mask);

  KernelBuilder &k;
  Value x, weight, y, fresh;
  int64_t line; // elements of the weight at a time
  Value sums;
};
} // namespace

void FewSums::forEachElement(Value width,
                             function_ref<void(Value, Value)> body) {
  k.forEach(k.index(0), getExtent(k, x, 0), 1, [&](Value row) {
    k.forEach(k.index(0), width, 1, [&](Value at) { body(row, at); });
  });
}

/// To the sums of `rows` at `at` their `elements` times those of the weight.
void FewSums::addVector(Rows rows, Rows products, ValueRange elements,
                        Value column, Value at, Value mask) {
  // What stands for another, too, is written after it was read.
  SmallVector<Value> totals;
  for (Value row : rows)
    totals.push_back(k.load(sums, {row, at}));
  Value first = arith::AddIOp::create(k.b, k.loc, column, at);
  for (Value p : products) {
    totals = BlockProduct(k).add(
        totals, [&](int64_t j) { return elements[j]; },
        loadVector(k, weight, {p, first}, mask));
    elements = elements.drop_front(rows.size());
  }
  for (auto [row, total] : llvm::zip_equal(rows, totals))
    k.store(total, sums, {row, at});
}

void FewSums::add(Rows rows, Rows products, Value column, Value width) {
  SmallVector<Value> elements;
  for (Value p : products)
    for (Value row : rows)
      elements.push_back(k.splat(loadElement(k, x, {row, p})));
  Value whole = getRest(
      k, width, k.b.createOrFold<arith::RemUIOp>(k.loc, width, k.index(line)));
  k.forEach(k.index(0), whole, line, [&](Value at) {
    for (Value p : products)
      prefetch(k, weight,
               {k.add(p, products.size()),
                arith::AddIOp::create(k.b, k.loc, column, at)},
               3);
    for (int64_t d = 0; d < line; d += k.lanes)
      addVector(rows, products, elements, column, k.add(at, d), Value());
  });
  k.forEach(whole, width, k.lanes, [&](Value at) {
    addVector(rows, products, elements, column, at,
              createMask(k, getRest(k, width, at)));
  });
}

/// To the sums of `width` columns `depth` rows of the weight.
void FewSums::addRows(Value from, int64_t depth, Value column, Value width) {
  SmallVector<Value> products;
  for (int64_t i = 0; i < depth; ++i)
    products.push_back(k.add(from, i));
  forEachRows(k, x, [&](Rows rows) { add(rows, products, column, width); });
}

void FewSums::build() {
  Value products = getExtent(k, weight, 0), columns = getExtent(k, weight, 1);
  Value whole = getRest(
      k, products,
      k.b.createOrFold<arith::RemUIOp>(k.loc, products, k.index(kDepth)));
  k.forEach(k.index(0), columns, kColumns, [&](Value column) {
    Value end =
        arith::MinSIOp::create(k.b, k.loc, k.add(column, kColumns), columns);
    Value width = getRest(k, end, column);
    forEachElement(width, [&](Value row, Value at) {
      Value start = loadStart(
          k, y, {row, arith::AddIOp::create(k.b, k.loc, column, at)}, fresh);
      memref::StoreOp::create(k.b, k.loc, start, sums, ValueRange{row, at});
    });
    k.forEach(k.index(0), whole, kDepth,
              [&](Value from) { addRows(from, kDepth, column, width); });
    k.forEach(whole, products, 1,
              [&](Value from) { addRows(from, 1, column, width); });
    forEachElement(width, [&](Value row, Value at) {
      storeElement(k, k.loadScalar(sums, {row, at}), y,
                   {row, arith::AddIOp::create(k.b, k.loc, column, at)});
    });
  });
}

void lattn::buildFewSums(KernelBuilder &k, ValueRange arguments) {
  FewSums(k, arguments).build();
}
