//===- RowKernels.cpp - Kernels of rotate_pairs and l2_normalize ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rows of unit stride go by whole vectors and a scalar rest, others by scalars.

#include "RowKernels.h"
#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

void lattn::forEachMatrix(KernelBuilder &k, Value input, Value output,
                          unsigned rowAxis,
                          function_ref<void(Value input, Value output)> body) {
  unsigned rank = cast<MemRefType>(input.getType()).getRank();
  SmallVector<OpFoldResult> offsets(rank, k.b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(rank, k.b.getIndexAttr(1));
  auto matrix = [&](Value whole) -> Value {
    auto type = cast<MemRefType>(whole.getType());
    SmallVector<OpFoldResult> sizes = ones;
    SmallVector<int64_t> shape;
    for (unsigned axis : {rowAxis, rank - 1}) {
      sizes[axis] = memref::getMixedSize(k.b, k.loc, whole, axis);
      shape.push_back(type.getDimSize(axis));
    }
    auto matrixType = memref::SubViewOp::inferRankReducedResultType(
        shape, type, offsets, sizes, ones);
    return memref::SubViewOp::create(k.b, k.loc, matrixType, whole, offsets,
                                     sizes, ones);
  };
  std::function<void(unsigned)> loopFrom = [&](unsigned axis) {
    while (axis == rowAxis)
      ++axis;
    if (axis + 1 >= rank)
      return body(matrix(input), matrix(output));
    Value extent = memref::DimOp::create(k.b, k.loc, input, axis);
    k.forEach(k.index(0), extent, 1, [&](Value at) {
      offsets[axis] = at;
      loopFrom(axis + 1);
    });
  };
  loopFrom(0);
}

/// `body` with vectors where both matrices have rows of unit stride, else with
/// scalars alone. `body(input, output, vectors)`.
static void withUnitStride(KernelBuilder &k, Value input, Value output,
                           function_ref<void(Value, Value, bool)> body) {
  Value unit = arith::AndIOp::create(k.b, k.loc, hasUnitStride(k, input),
                                     hasUnitStride(k, output));
  k.ifThenElse(
      unit,
      [&] { body(asUnitStride(k, input), asUnitStride(k, output), true); },
      [&] { body(input, output, false); });
}

/// `body(input, output, row, vectors)` for each row of each matrix.
static void
forEachRow(KernelBuilder &k, Value input, Value output, unsigned rowAxis,
           function_ref<void(Value, Value, Value, bool vectors)> body) {
  auto rowsOf = [&](Value input, Value output, bool vectors) {
    Value rows = memref::DimOp::create(k.b, k.loc, input, 0);
    k.forEach(k.index(0), rows, 1,
              [&](Value row) { body(input, output, row, vectors); });
  };
  forEachMatrix(k, input, output, rowAxis, [&](Value input, Value output) {
    withUnitStride(k, input, output, rowsOf);
  });
}

static Type getElement(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

/// A scalar of `memref` in the type of computation.
static Value readScalar(KernelBuilder &k, Value memref, ValueRange at) {
  return convertFloat(k, k.loadScalar(memref, at), k.element);
}
static void writeScalar(KernelBuilder &k, Value value, Value memref,
                        ValueRange at) {
  memref::StoreOp::create(
      k.b, k.loc, convertFloat(k, value, getElement(memref)), memref, at);
}
static Value readVector(KernelBuilder &k, Value memref, ValueRange at) {
  return convertFloat(k, k.load(memref, at), k.vector);
}
static void writeVector(KernelBuilder &k, Value value, Value memref,
                        ValueRange at) {
  k.store(convertFloat(k, value, VectorType::get(k.lanes, getElement(memref))),
          memref, at);
}

//===----------------------------------------------------------------------===//
// rotate_pairs
//===----------------------------------------------------------------------===//

namespace {
class RotatePairsKernel {
public:
  RotatePairsKernel(KernelBuilder &k, RotatePairsOp op)
      : k(k), op(op),
        pairs(cast<MemRefType>(op.getInput().getType()).getShape().back() / 2) {
  }
  void build();

private:
  struct Pair {
    Value lo, hi;
  };
  Pair turn(Pair x, Value cosine, Value sine) {
    Value down = arith::NegFOp::create(k.b, k.loc, k.mul(x.hi, sine));
    return {fma(x.lo, cosine, down), fma(x.hi, cosine, k.mul(x.lo, sine))};
  }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(k.b, k.loc, x, y, z);
  }
  void turnVectors(Value input, Value output, Value row, Value tableRow);
  void turnScalars(Value input, Value output, Value row, Value tableRow,
                   int64_t from);
  Value shuffle(Value x, Value y, function_ref<int64_t(int64_t)> source);

  KernelBuilder &k;
  RotatePairsOp op;
  int64_t pairs;
};
} // namespace

Value RotatePairsKernel::shuffle(Value x, Value y,
                                 function_ref<int64_t(int64_t)> source) {
  auto order = llvm::map_to_vector(llvm::seq(k.lanes), source);
  return vector::ShuffleOp::create(k.b, k.loc, x, y, order);
}

/// The whole vectors of pairs of a row.
void RotatePairsKernel::turnVectors(Value input, Value output, Value row,
                                    Value tableRow) {
  int64_t whole = pairs / k.lanes * k.lanes, lanes = k.lanes;
  Value zero = k.index(0), one = k.index(1);
  k.forEach(zero, k.index(whole), lanes, [&](Value m) {
    Value cosine = k.load(op.getTable(), {tableRow, zero, m});
    Value sine = k.load(op.getTable(), {tableRow, one, m});
    Value first = m, second = k.add(m, pairs);
    if (op.getInterleaved()) {
      first = k.add(m, m);
      second = k.add(first, lanes);
    }
    Value x = readVector(k, input, {row, first});
    Value y = readVector(k, input, {row, second});
    if (!op.getInterleaved()) {
      Pair turned = turn({x, y}, cosine, sine);
      writeVector(k, turned.lo, output, {row, first});
      writeVector(k, turned.hi, output, {row, second});
      return;
    }
    Pair even = {shuffle(x, y, [](int64_t i) { return 2 * i; }),
                 shuffle(x, y, [](int64_t i) { return 2 * i + 1; })};
    Pair turned = turn(even, cosine, sine);
    auto interleave = [&](int64_t from) {
      return shuffle(turned.lo, turned.hi,
                     [&](int64_t i) { return from + i / 2 + (i % 2) * lanes; });
    };
    writeVector(k, interleave(0), output, {row, first});
    writeVector(k, interleave(lanes / 2), output, {row, second});
  });
}

void RotatePairsKernel::turnScalars(Value input, Value output, Value row,
                                    Value tableRow, int64_t from) {
  Value zero = k.index(0), one = k.index(1);
  k.forEach(k.index(from), k.index(pairs), 1, [&](Value m) {
    Value cosine = k.loadScalar(op.getTable(), {tableRow, zero, m});
    Value sine = k.loadScalar(op.getTable(), {tableRow, one, m});
    Value first = m, second = k.add(m, pairs);
    if (op.getInterleaved()) {
      first = k.add(m, m);
      second = k.add(first, 1);
    }
    Pair turned = turn({readScalar(k, input, {row, first}),
                        readScalar(k, input, {row, second})},
                       cosine, sine);
    writeScalar(k, turned.lo, output, {row, first});
    writeScalar(k, turned.hi, output, {row, second});
  });
}

void RotatePairsKernel::build() {
  forEachRow(k, op.getInput(), op.getOutput(), op.getRowAxis(),
             [&](Value input, Value output, Value row, bool vectors) {
               Value tableRow = k.add(op.getStart(), row);
               if (vectors && pairs >= k.lanes)
                 turnVectors(input, output, row, tableRow);
               int64_t done = vectors ? pairs / k.lanes * k.lanes : 0;
               if (done < pairs)
                 turnScalars(input, output, row, tableRow, done);
             });
}

LogicalResult lattn::lowerToVector(RotatePairsOp op, Lowering &to) {
  auto table = cast<MemRefType>(op.getTable().getType());
  if (!table.isLastDimUnitStride())
    return to.rewriter.notifyMatchFailure(op, "its table is not dense");
  to.outline<RotatePairsOp>(op, "lattn_rotate_pairs", 0, table.getElementType(),
                            [](KernelBuilder &k, RotatePairsOp copy) {
                              RotatePairsKernel(k, copy).build();
                            });
  return success();
}

//===----------------------------------------------------------------------===//
// l2_normalize
//===----------------------------------------------------------------------===//

namespace {
class L2NormalizeKernel {
public:
  L2NormalizeKernel(KernelBuilder &k, L2NormalizeOp op)
      : k(k), op(op), type(cast<MemRefType>(op.getInput().getType())) {}
  void build();

private:
  void normalizeRow(Value input, Value output, Value row, bool vectors);

  KernelBuilder &k;
  L2NormalizeOp op;
  MemRefType type;
};
} // namespace

void L2NormalizeKernel::normalizeRow(Value input, Value output, Value row,
                                     bool vectors) {
  int64_t width = type.getShape().back();
  bool isKnown = ShapedType::isStatic(width);
  int64_t whole = vectors && isKnown ? width / k.lanes * k.lanes : 0;
  Value zero = k.index(0), border = k.index(whole);
  Value end = memref::DimOp::create(k.b, k.loc, input, 1);
  Value sum = k.scalar(0.0);
  if (whole) {
    Value squares =
        k.loop(zero, border, k.lanes, k.splat(0.0), [&](Value d, ValueRange c) {
          Value x = readVector(k, input, {row, d});
          return SmallVector<Value>{k.fma(x, x, c[0])};
        })[0];
    sum = vector::ReductionOp::create(k.b, k.loc, vector::CombiningKind::ADD,
                                      squares);
  }
  if (!isKnown || whole < width)
    sum = k.loop(border, end, 1, sum, [&](Value d, ValueRange c) {
      Value x = readScalar(k, input, {row, d});
      return SmallVector<Value>{k.plus(c[0], k.mul(x, x))};
    })[0];
  Value norm = math::SqrtOp::create(k.b, k.loc, sum);
  norm = arith::MaximumFOp::create(k.b, k.loc, norm,
                                   k.scalar(op.getEps().convertToDouble()));
  if (whole) {
    Value norms = k.splat(norm);
    k.forEach(zero, border, k.lanes, [&](Value d) {
      Value x = readVector(k, input, {row, d});
      writeVector(k, arith::DivFOp::create(k.b, k.loc, x, norms), output,
                  {row, d});
    });
  }
  if (!isKnown || whole < width)
    k.forEach(border, end, 1, [&](Value d) {
      Value x = readScalar(k, input, {row, d});
      writeScalar(k, arith::DivFOp::create(k.b, k.loc, x, norm), output,
                  {row, d});
    });
}

void L2NormalizeKernel::build() {
  forEachRow(k, op.getInput(), op.getOutput(), type.getRank() - 2,
             [&](Value input, Value output, Value row, bool vectors) {
               normalizeRow(input, output, row, vectors);
             });
}

LogicalResult lattn::lowerToVector(L2NormalizeOp op, Lowering &to) {
  to.outline<L2NormalizeOp>(op, "lattn_l2_normalize", 0,
                            getAccumulatorType(op.getInput().getType()),
                            [](KernelBuilder &k, L2NormalizeOp copy) {
                              L2NormalizeKernel(k, copy).build();
                            });
  return success();
}
