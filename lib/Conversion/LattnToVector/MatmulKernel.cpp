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
//       for register blocks of rows          A in place, or packed
//         for panels                         rows x vectors of sums
//
// Rows of A of unit stride are read where they lie, and each of their scalars
// is broadcast. A panel that lies in memory as if it were packed is not copied.
// Only whole register blocks are computed, of half the vectors where that holds
// what a panel lacks: what of them lies beyond C is staged.

#include "MatmulKernel.h"
#include "PackTile.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

namespace {
class MatmulKernel {
public:
  MatmulKernel(KernelBuilder &k, KernelFunctions &functions, MatmulBlock block,
               MatmulTileOfB tile, ValueRange arguments)
      : k(k), functions(functions), block(block), a(arguments[0]),
        b(arguments[1]), c(arguments[2]), fresh(arguments[3]),
        panel(block.vectors * k.lanes) {
    int64_t line = getLineLanes(k.element);
    narrow = block.vectors > 2 ? panel / 2 : panel;
    depth = tile.lines * line;
    strideOfA = depth + line;
    panelRows = depth + 2;
    columnTile = llvm::alignTo(tile.columns, panel);
  }
  void build();

private:
  Value extent(Value matrix, int64_t axis) {
    return memref::DimOp::create(k.b, k.loc, matrix, axis);
  }
  Value isEqual(Value x, int64_t y) {
    return arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq, x,
                                 k.index(y));
  }
  Value both(Value x, Value y) {
    return arith::AndIOp::create(k.b, k.loc, x, y);
  }
  Value isMultiple(Value x, int64_t of) {
    return isEqual(arith::RemUIOp::create(k.b, k.loc, x, k.index(of)), 0);
  }
  /// The elements of `matrix` from (row, column) on, `rows` x `columns`.
  Value slice(Value matrix, OpFoldResult row, OpFoldResult column,
              OpFoldResult rows, OpFoldResult columns) {
    OpFoldResult one = k.b.getIndexAttr(1);
    return memref::SubViewOp::create(k.b, k.loc, matrix,
                                     SmallVector<OpFoldResult>{row, column},
                                     SmallVector<OpFoldResult>{rows, columns},
                                     SmallVector<OpFoldResult>{one, one});
  }
  /// The same from (0, 0) on.
  Value corner(Value matrix, OpFoldResult rows, OpFoldResult columns) {
    OpFoldResult zero = k.b.getIndexAttr(0);
    return slice(matrix, zero, zero, rows, columns);
  }
  bool isConverted(Value matrix) {
    return cast<MemRefType>(matrix.getType()).getElementType() != k.element;
  }
  static int64_t getLineLanes(Type element) {
    return 64 * 8 / element.getIntOrFloatBitWidth();
  }
  /// for (at = 0; at < extent; at += step) body(at, min(step, extent - at))
  void blocks(Value extent, Value step,
              function_ref<void(Value at, Value size)> body);
  void blocks(Value extent, int64_t step,
              function_ref<void(Value at, Value size)> body) {
    blocks(extent, k.index(step), body);
  }
  void copy(Value source, Value target) {
    copyTile(k, functions, source, target, panel);
  }
  Value choose(Value condition, function_ref<Value()> then,
               function_ref<Value()> otherwise);
  Value withPanels(Value matrix);
  Value getPackedA(Value rowsOfA);
  Value getPanels(Value columnsOfB);
  void packPanels(Value columnsOfB);
  void prefetch(Value sums, Value row, int64_t columns);
  Value getDepth();
  void accumulate(Value target, Value row, Value column, Value rows,
                  Value columns);
  void multiply(Value target, Value rowsOfA, Value panels, Value columns,
                Value start);
  void multiplyBlock(Value rowsOfA, Value panelOfB, Value sums, Value products,
                     Value start, int64_t vectors);
  Value getPanel(Value column) {
    Value number = arith::DivUIOp::create(k.b, k.loc, column, k.index(panel));
    return k.times(number, panelRows);
  }
  SmallVector<Value> multiplySteps(Value rowsOfA, Value panelOfB, Value first,
                                   int64_t count, ValueRange sums);
  void fillWithZeros();

  KernelBuilder &k;
  KernelFunctions &functions;
  MatmulBlock block;
  Value a, b, c, fresh;
  int64_t panel;      // columns of a register block
  int64_t narrow;     // columns of the narrowest one
  int64_t depth;      // products that are packed at a time, at most
  int64_t strideOfA;  // from row to row of A that is packed
  int64_t panelRows;  // from panel to panel: apart in the caches' sets
  int64_t columnTile; // columns that are packed at a time
  Value packedA, packedB, edge;
};
} // namespace

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

/// `sums` and `count` products more, from `first` on.
SmallVector<Value> MatmulKernel::multiplySteps(Value rowsOfA, Value panelOfB,
                                               Value first, int64_t count,
                                               ValueRange sums) {
  SmallVector<Value> next(sums);
  int64_t vectors = sums.size() / block.rows;
  // Lanes of a vector along the products, where an FMA takes one as operand.
  bool byElement = block.byElement && count == k.lanes;
  SmallVector<Value> elements;
  for (int64_t i = 0; byElement && i < block.rows; ++i)
    elements.push_back(k.load(rowsOfA, {k.index(i), first}));
  for (int64_t at = 0; at < count; ++at) {
    Value p = k.add(first, at);
    SmallVector<Value> row;
    for (int64_t v = 0; v < vectors; ++v)
      row.push_back(k.load(panelOfB, {p, k.index(v * k.lanes)}));
    for (int64_t i = 0; i < block.rows; ++i) {
      Value x = byElement ? vector::ExtractOp::create(k.b, k.loc, elements[i],
                                                      ArrayRef<int64_t>{at})
                                .getResult()
                          : k.loadScalar(rowsOfA, {k.index(i), p});
      x = k.splat(x);
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = next[i * vectors + v];
        sum = k.fma(x, row[v], sum);
      }
    }
  }
  return next;
}

/// Asks for `columns` elements of a row of sums.
void MatmulKernel::prefetch(Value sums, Value row, int64_t columns) {
  for (int64_t at = 0; at < columns; at += getLineLanes(k.element))
    memref::PrefetchOp::create(k.b, k.loc, sums, ValueRange{row, k.index(at)},
                               /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
}

/// sums += rowsOfA panelOfB, or = if `start` holds, all in registers. Their
/// places are asked for meanwhile, a row at a time: all at once, they would
/// take the buffers that the panel comes through.
void MatmulKernel::multiplyBlock(Value rowsOfA, Value panelOfB, Value sums,
                                 Value products, Value start, int64_t vectors) {
  constexpr int64_t stretch = 64; // products
  int64_t steps = block.byElement ? k.lanes : 2;
  SmallVector<Value> zeros(block.rows * vectors, k.splat(0.0));
  SmallVector<Value> acc =
      k.loop(k.index(0), products, stretch, zeros,
             [&](Value first, ValueRange carried) {
               Value row = arith::MinUIOp::create(
                   k.b, k.loc,
                   arith::DivUIOp::create(k.b, k.loc, first, k.index(stretch)),
                   k.index(block.rows - 1));
               prefetch(sums, row, vectors * k.lanes);
               Value rest = arith::SubIOp::create(k.b, k.loc, products, first);
               Value count =
                   arith::MinSIOp::create(k.b, k.loc, rest, k.index(stretch));
               return k.loopBySteps(
                   count, steps, carried,
                   [&](Value p, int64_t count, ValueRange carried) {
                     return multiplySteps(rowsOfA, panelOfB, k.add(first, p),
                                          count, carried);
                   });
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
  blocks(columns, panel, [&](Value j, Value width) {
    Value panelOfB =
        slice(panels, getPanel(j), zero, products, k.b.getIndexAttr(panel));
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
// Packing
//===----------------------------------------------------------------------===//

/// `matrix`, whose rows lie one after the other as those of a panel do.
Value MatmulKernel::withPanels(Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  int64_t any = ShapedType::kDynamic;
  auto rows =
      MemRefType::get({any, panel}, k.element,
                      StridedLayoutAttr::get(k.b.getContext(), any, {panel, 1}),
                      type.getMemorySpace());
  auto whole = memref::ExtractStridedMetadataOp::create(k.b, k.loc, matrix);
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, rows, whole.getBaseBuffer(), OpFoldResult(whole.getOffset()),
      SmallVector<OpFoldResult>{extent(matrix, 0), k.b.getIndexAttr(panel)},
      SmallVector<OpFoldResult>{k.b.getIndexAttr(panel), k.b.getIndexAttr(1)});
}

/// Rows of A with unit stride: where they lie, if they are a whole block.
Value MatmulKernel::getPackedA(Value rowsOfA) {
  auto pack = [&] {
    copy(rowsOfA, packedA);
    Value packed =
        corner(packedA, k.b.getIndexAttr(block.rows), extent(rowsOfA, 1));
    return asUnitStride(k, castToAnyTile(k, packed));
  };
  if (isConverted(rowsOfA))
    return pack();
  Value inPlace =
      both(hasUnitStride(k, rowsOfA), isEqual(extent(rowsOfA, 0), block.rows));
  return choose(inPlace, [&] { return asUnitStride(k, rowsOfA); }, pack);
}

/// Panels of B: as they lie, where that is one with the columns of a register
/// block, its rows one after the other.
Value MatmulKernel::getPanels(Value columnsOfB) {
  auto pack = [&] {
    packPanels(columnsOfB);
    return withPanels(packedB);
  };
  if (isConverted(columnsOfB))
    return pack();
  auto whole = memref::ExtractStridedMetadataOp::create(k.b, k.loc, columnsOfB);
  Value width = whole.getSizes()[1];
  Value isOne = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ule,
                                      width, k.index(panel));
  Value isPanel = both(
      both(isOne, hasUnitStride(k, columnsOfB)),
      both(isEqual(whole.getStrides()[0], panel), isMultiple(width, narrow)));
  return choose(isPanel, [&] { return withPanels(columnsOfB); }, pack);
}

/// Where rows have unit stride, one after the other through all whole panels:
/// each page is visited once.
void MatmulKernel::packPanels(Value columnsOfB) {
  Value products = extent(columnsOfB, 0), columns = extent(columnsOfB, 1);
  Value zero = k.index(0);
  auto copyPanels = [&](Value from) {
    k.forEach(from, columns, panel, [&](Value j) {
      Value rest = arith::SubIOp::create(k.b, k.loc, columns, j);
      Value width = arith::MinSIOp::create(k.b, k.loc, rest, k.index(panel));
      copy(slice(columnsOfB, zero, j, products, width),
           slice(packedB, getPanel(j), zero, products, width));
    });
  };
  k.ifThenElse(
      hasUnitStride(k, columnsOfB),
      [&] {
        Value rows = asUnitStride(k, columnsOfB);
        Value whole = arith::SubIOp::create(
            k.b, k.loc, columns,
            arith::RemUIOp::create(k.b, k.loc, columns, k.index(panel)));
        k.forEach(zero, products, 1, [&](Value p) {
          k.forEach(zero, whole, panel, [&](Value j) {
            Value row = k.add(getPanel(j), p);
            for (int64_t at = 0; at < panel; at += k.lanes) {
              Value vector = k.load(rows, {p, k.add(j, at)});
              k.store(convertFloat(k, vector, k.vector), packedB,
                      {row, k.index(at)});
            }
          });
        });
        copyPanels(whole);
      },
      [&] { copyPanels(zero); });
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
                   getLineLanes(k.element));
}

/// target += A[rows] B[columns], products in their order.
void MatmulKernel::accumulate(Value target, Value row, Value column, Value rows,
                              Value columns) {
  blocks(extent(a, 1), getDepth(), [&](Value p, Value products) {
    Value panels = getPanels(slice(b, p, column, products, columns));
    Value start = both(fresh, isEqual(p, 0));
    blocks(rows, block.rows, [&](Value i, Value height) {
      Value rowsOfA = getPackedA(slice(a, k.add(row, i), p, height, products));
      Value sums = slice(target, i, k.b.getIndexAttr(0), height, columns);
      multiply(sums, rowsOfA, panels, columns, start);
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
  packedA = k.scratch({block.rows, strideOfA});
  packedB = k.scratch({columnTile / panel * panelRows, panel});
  edge = k.scratch({block.rows, panel});
  Value staged = k.scratch({stagedRows, stagedColumns});
  k.ifThenElse(both(fresh, isEqual(extent(a, 1), 0)), [&] { fillWithZeros(); });
  Value inPlace =
      isConverted(c)
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
          isConverted(c)
              ? stage()
              : choose(inPlace, [&] { return asUnitStride(k, tile); }, stage);
      accumulate(target, row, column, rows, columns);
      k.ifThenElse(inPlace, [] {}, [&] { copy(part, tile); });
    });
  });
}

void lattn::buildMatmulKernel(KernelBuilder &k, KernelFunctions &functions,
                              MatmulBlock block, MatmulTileOfB tile,
                              ValueRange arguments) {
  MatmulKernel(k, functions, block, tile, arguments).build();
}
