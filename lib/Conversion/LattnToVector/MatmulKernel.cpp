//===- MatmulKernel.cpp - Micro-kernel of matrix products -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C += A B, or C = A B where C is fresh. A and B are packed:
//
//   for blocks of rows and columns           C in place, or staged
//     for blocks of products                 B packed: panels of columns, in L2
//       for chunks of rows                   A in place, or packed
//         for register blocks of rows
//           for panels                       rows x vectors of sums
//
// Rows of A of unit stride are read where they lie, and each of their scalars
// is broadcast. Of an A whose columns have unit stride, a chunk is transposed
// in squares of whole vectors. A panel that lies in memory as if it were packed
// is not copied. Only whole register blocks are computed, of half the vectors
// where that holds what a panel lacks: what of them lies beyond C is staged.
//
// With dot products of bf16, a lane holds a pair of products: A as it lies, B
// with two of its rows interleaved.

#include "MatmulBuilder.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;
using namespace lattn;

static bool isBF16(Value matrix) {
  return getElementTypeOrSelf(matrix.getType()).isBF16();
}

MatmulKernel::MatmulKernel(KernelBuilder &k, KernelFunctions &functions,
                           MatmulBlock block, MatmulTileOfB tile,
                           BF16Products bf16, ValueRange arguments)
    : k(k), functions(functions), block(block), packed(k.element), group(1),
      a(arguments[0]), b(arguments[1]), c(arguments[2]), fresh(arguments[3]),
      panel(block.vectors * k.lanes) {
  bool areDots = bf16 == BF16Products::Dot || bf16 == BF16Products::EmulatedDot;
  if (areDots && k.element.isF32() && isBF16(a) && isBF16(b)) {
    pairs.emplace(k, bf16);
    packed = k.b.getBF16Type();
    group = 2;
  }
  int64_t line = getLineLanes(k.element);
  narrow = block.vectors > 2 ? panel / 2 : panel;
  depth = group * tile.lines * line;
  strideOfA = depth + group * line;
  panelRows = tile.lines * line + 2;
  columnTile = llvm::alignTo(tile.columns, panel);
  chunkRows = std::lcm(block.rows, k.lanes);
}

void MatmulKernel::blocks(Value extent, Value step,
                          function_ref<void(Value, Value)> body) {
  auto loop = scf::ForOp::create(k.b, k.loc, k.index(0), extent, step);
  OpBuilder::InsertionGuard guard(k.b);
  k.b.setInsertionPointToStart(loop.getBody());
  Value at = loop.getInductionVar();
  Value rest = arith::SubIOp::create(k.b, k.loc, extent, at);
  body(at, arith::MinSIOp::create(k.b, k.loc, rest, step));
}

/// then() if `condition` holds, else otherwise(): matrices of one type.
Value MatmulKernel::choose(Value condition, function_ref<Value()> then,
                           function_ref<Value()> otherwise) {
  return scf::IfOp::create(
             k.b, k.loc, condition,
             [&](OpBuilder &, Location) {
               scf::YieldOp::create(k.b, k.loc, then());
             },
             [&](OpBuilder &, Location) {
               scf::YieldOp::create(k.b, k.loc, otherwise());
             })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Register blocks
//===----------------------------------------------------------------------===//

/// `sums` and the products in row `step` of the panel; of pairs only one if
/// `isLast`. The rows of A are broadcast from memory, or where `elements` has
/// vectors of them, from element `at` of these.
SmallVector<Value> MatmulKernel::multiplyStep(Value rowsOfA, Value panelOfB,
                                              Value step, ValueRange sums,
                                              bool isLast,
                                              ArrayRef<Value> elements,
                                              int64_t at) {
  BlockProduct product(k, pairs);
  SmallVector<Value> row;
  for (int64_t v = 0; v < int64_t(sums.size()) / block.rows; ++v)
    row.push_back(product.load(panelOfB, step, k.index(v * k.lanes)));
  Value first = product.getPlace(step);
  auto getElement = [&](int64_t i) -> Value {
    if (elements.empty())
      return product.broadcast(rowsOfA, {k.index(i), first}, isLast);
    return k.splat(vector::ExtractOp::create(k.b, k.loc, elements[i], at));
  };
  return product.add(sums, getElement, row);
}

/// `sums` and the products in `count` rows of the panel, from `first` on.
SmallVector<Value> MatmulKernel::multiplySteps(Value rowsOfA, Value panelOfB,
                                               Value first, int64_t count,
                                               ValueRange sums) {
  SmallVector<Value> next(sums), elements;
  // Lanes of a vector along the products, where an FMA takes one as operand.
  bool byElement = !pairs && block.byElement && count == k.lanes;
  for (int64_t i = 0; byElement && i < block.rows; ++i)
    elements.push_back(k.load(rowsOfA, {k.index(i), first}));
  for (int64_t at = 0; at < count; ++at)
    next = multiplyStep(rowsOfA, panelOfB, k.add(first, at), next,
                        /*isLast=*/false, elements, at);
  return next;
}

/// Prefetches `columns` elements of a row of sums.
void MatmulKernel::prefetch(Value sums, Value row, int64_t columns) {
  for (int64_t at = 0; at < columns; at += getLineLanes(k.element))
    memref::PrefetchOp::create(k.b, k.loc, sums, ValueRange{row, k.index(at)},
                               /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
}

/// sums += rowsOfA panelOfB, or = if `start` holds, all in registers. Their
/// places are prefetched meanwhile, a row at a time: all at once, they would
/// take the buffers that the panel comes through.
void MatmulKernel::multiplyBlock(Value rowsOfA, Value panelOfB, Value sums,
                                 Value products, Value start, int64_t vectors) {
  constexpr int64_t stretch = 64; // rows of the panel
  int64_t steps = block.byElement && !pairs ? k.lanes : 2;
  Value rows =
      k.b.createOrFold<arith::DivUIOp>(k.loc, products, k.index(group));
  SmallVector<Value> zeros(block.rows * vectors, k.splat(0.0));
  SmallVector<Value> acc = k.loop(
      k.index(0), rows, stretch, zeros, [&](Value first, ValueRange carried) {
        Value row = arith::MinUIOp::create(
            k.b, k.loc,
            arith::DivUIOp::create(k.b, k.loc, first, k.index(stretch)),
            k.index(block.rows - 1));
        prefetch(sums, row, vectors * k.lanes);
        Value rest = arith::SubIOp::create(k.b, k.loc, rows, first);
        Value count =
            arith::MinSIOp::create(k.b, k.loc, rest, k.index(stretch));
        return k.loopBySteps(count, steps, carried,
                             [&](Value p, int64_t count, ValueRange carried) {
                               return multiplySteps(rowsOfA, panelOfB,
                                                    k.add(first, p), count,
                                                    carried);
                             });
      });
  if (pairs) // of an odd number of products
    acc = k.loop(k.times(rows, 2), products, 1, acc,
                 [&](Value, ValueRange carried) {
                   return multiplyStep(rowsOfA, panelOfB, rows, carried,
                                       /*isLast=*/true);
                 });
  auto storeAll = [&](function_ref<Value(Value sum, ValueRange at)> finish) {
    for (auto [number, sum] : llvm::enumerate(acc)) {
      SmallVector<Value> at = {k.index(number / vectors),
                               k.index(number % vectors * k.lanes)};
      k.store(finish(sum, at), sums, at);
    }
  };
  k.ifThenElse(
      start, [&] { storeAll([](Value sum, ValueRange) { return sum; }); },
      [&] {
        storeAll([&](Value sum, ValueRange at) {
          return k.plus(k.load(sums, at), sum);
        });
      });
}

/// target, rows of a register block, += `rowsOfA` times the panels of B.
void MatmulKernel::multiply(Value target, Value rowsOfA, Value panels,
                            Value columns, Value start) {
  OpFoldResult zero = k.b.getIndexAttr(0);
  Value height = extent(target, 0), products = extent(rowsOfA, 1);
  Value rows =
      k.b.createOrFold<arith::CeilDivUIOp>(k.loc, products, k.index(group));
  blocks(columns, panel, [&](Value j, Value width) {
    Value panelOfB =
        slice(panels, getPanel(j), zero, rows, k.b.getIndexAttr(group * panel));
    auto multiplyColumns = [&](int64_t size) {
      Value isWhole =
          both(isEqual(height, block.rows), isMultiple(width, size));
      Value inside = slice(target, zero, j, height, width);
      Value part = corner(edge, height, width);
      Value sums = choose(
          isWhole, [&] { return asUnitStride(k, inside); },
          [&] {
            copy(inside, part);
            return asUnitStride(k, castToAnyTile(k, part));
          });
      multiplyBlock(rowsOfA, panelOfB, sums, products, start, size / k.lanes);
      k.ifThenElse(isWhole, [] {}, [&] { copy(part, inside); });
    };
    if (narrow == panel)
      return multiplyColumns(panel);
    Value isWide = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ugt,
                                         width, k.index(narrow));
    k.ifThenElse(
        isWide, [&] { multiplyColumns(panel); },
        [&] { multiplyColumns(narrow); });
  });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Products that are packed at a time: parts that are about equal.
Value MatmulKernel::getDepth() {
  Value all = extent(a, 1), one = k.index(1);
  auto ceilDiv = [&](Value x, Value y) {
    return arith::CeilDivUIOp::create(k.b, k.loc, x, y);
  };
  Value parts =
      arith::MaxUIOp::create(k.b, k.loc, ceilDiv(all, k.index(depth)), one);
  return k.alignUp(arith::MaxUIOp::create(k.b, k.loc, ceilDiv(all, parts), one),
                   getLineLanes(packed));
}

/// target += A[rows] B[columns], products in their order.
void MatmulKernel::accumulate(Value target, Value row, Value column, Value rows,
                              Value columns) {
  blocks(extent(a, 1), getDepth(), [&](Value p, Value products) {
    Value panels = getPanels(slice(b, p, column, products, columns));
    Value start = both(fresh, isEqual(p, 0));
    blocks(rows, chunkRows, [&](Value first, Value chunkHeight) {
      Value chunk =
          getChunkOfA(slice(a, k.add(row, first), p, chunkHeight, products));
      OpFoldResult zero = k.b.getIndexAttr(0);
      blocks(chunkHeight, block.rows, [&](Value i, Value height) {
        Value rowsOfA = getPackedA(slice(chunk, i, zero, height, products));
        Value sums = slice(target, k.add(first, i), zero, height, columns);
        multiply(sums, rowsOfA, panels, columns, start);
      });
    });
  });
}

/// Of a sum of no products.
void MatmulKernel::fillWithZeros() {
  auto type = cast<MemRefType>(c.getType()).getElementType();
  Value zero = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
  k.forEach(k.index(0), extent(c, 0), 1, [&](Value i) {
    k.forEach(k.index(0), extent(c, 1), 1, [&](Value j) {
      memref::StoreOp::create(k.b, k.loc, zero, c, ValueRange{i, j});
    });
  });
}

void MatmulKernel::build() {
  // Of sums of which C has too few bits, or in another order.
  constexpr int64_t stagedRows = 192;
  int64_t stagedColumns =
      std::min<int64_t>(columnTile, llvm::alignTo(256, panel));
  packedA = k.scratch({block.rows, strideOfA}, packed);
  chunkOfA = k.scratch({chunkRows, strideOfA}, packed);
  packedB = k.scratch({columnTile / panel * panelRows, group * panel}, packed);
  if (pairs)
    square = k.scratch({squareRows, panel}, packed);
  edge = k.scratch({block.rows, panel});
  Value staged = k.scratch({stagedRows, stagedColumns});
  k.ifThenElse(both(fresh, isEqual(extent(a, 1), 0)), [&] { fillWithZeros(); });
  Value inPlace =
      getElement(c) != k.element
          ? arith::ConstantIntOp::create(k.b, k.loc, 0, 1).getResult()
          : hasUnitStride(k, c);
  auto sizeOf = [&](Value whole, int64_t part) {
    return arith::SelectOp::create(k.b, k.loc, inPlace, whole, k.index(part));
  };
  Value allRows = arith::MaxSIOp::create(k.b, k.loc, extent(c, 0), k.index(1));
  Value rowStep = sizeOf(allRows, stagedRows),
        columnStep = sizeOf(k.index(columnTile), stagedColumns);
  blocks(extent(c, 0), rowStep, [&](Value row, Value rows) {
    blocks(extent(c, 1), columnStep, [&](Value column, Value columns) {
      Value tile = slice(c, row, column, rows, columns);
      Value part = corner(staged, rows, columns);
      auto stage = [&] {
        copy(tile, part);
        return asUnitStride(k, castToAnyTile(k, part));
      };
      Value target =
          getElement(c) != k.element
              ? stage()
              : choose(inPlace, [&] { return asUnitStride(k, tile); }, stage);
      accumulate(target, row, column, rows, columns);
      k.ifThenElse(inPlace, [] {}, [&] { copy(part, tile); });
    });
  });
}

void lattn::buildMatmulKernel(KernelBuilder &k, KernelFunctions &functions,
                              MatmulBlock block, MatmulTileOfB tile,
                              BF16Products bf16, ValueRange arguments) {
  MatmulKernel(k, functions, block, tile, bf16, arguments).build();
}
