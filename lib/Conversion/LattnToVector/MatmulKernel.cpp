//===- MatmulKernel.cpp - Micro-kernel of matrix products -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C += A B, A and B packed:
//
//   for blocks of rows and columns           C in place, or staged
//     for blocks of products                 A packed: rows of unit stride
//       for panels of columns                B packed: one panel
//         for register blocks of rows        rows x vectors of sums
//
// What lies in memory as if it were packed is not copied. A is read one scalar
// at a time as the broadcast operand of an FMA. Only whole register blocks are
// computed, of half the vectors where that holds what a panel lacks: what of
// them lies beyond C is staged.

#include "MatmulKernel.h"
#include "KernelBuilder.h"
#include "PackTile.h"
#include "lattn/Target/MatmulBlock.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace lattn;

namespace {
class MatmulKernel {
public:
  MatmulKernel(KernelBuilder &k, KernelFunctions &functions, MatmulBlock block,
               Value a, Value b, Value c)
      : k(k), functions(functions), block(block), a(a), b(b), c(c),
        panel(block.vectors * k.lanes), rowTile(block.getRowTile()) {
    narrow = block.vectors > 2 ? panel / 2 : panel;
    // A tile and a panel in L2.
    constexpr int64_t rowBytes = 1024;
    int64_t bytes = k.element.getIntOrFloatBitWidth() / 8;
    depth = rowBytes / bytes;
    columnTile = llvm::alignTo(depth, panel);
  }
  void build();

private:
  Value extent(Value matrix, int64_t axis) {
    return memref::DimOp::create(k.b, k.loc, matrix, axis);
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
  Value corner(Value matrix, Value rows, Value columns) {
    OpFoldResult zero = k.b.getIndexAttr(0);
    return slice(matrix, zero, zero, rows, columns);
  }
  /// for (at = 0; at < extent; at += step) body(at, min(step, extent - at))
  void blocks(Value extent, int64_t step,
              function_ref<void(Value at, Value size)> body);
  void copy(Value source, Value target) {
    copyTile(k, functions, source, target, panel);
  }
  Value isInPlace(Value tile);
  Value isPacked(Value rowsOfA);
  Value isPanel(Value columnsOfB);
  Value getPackedA(Value rowsOfA);
  std::pair<Value, Value> getPanel(Value columnsOfB);
  void prefetch(Value panelOfB, Value next, Value row);
  void accumulate(Value target, Value row, Value column, Value rows,
                  Value columns);
  void multiply(Value target, Value tileOfA, Value rows, Value columns,
                Value firstColumn, Value firstProduct, Value products);
  void multiplyBlock(Value rowsOfA, Value panelOfB, Value sums, Value products,
                     int64_t vectors);

  KernelBuilder &k;
  KernelFunctions &functions;
  MatmulBlock block;
  Value a, b, c;
  int64_t panel;  // columns of a register block
  int64_t narrow; // columns of the narrowest one
  int64_t rowTile, columnTile, depth;
  Value packedA, packedB;
};
} // namespace

void MatmulKernel::blocks(Value extent, int64_t step,
                          function_ref<void(Value, Value)> body) {
  k.forEach(k.index(0), extent, step, [&](Value at) {
    Value rest = arith::SubIOp::create(k.b, k.loc, extent, at);
    body(at, arith::MinSIOp::create(k.b, k.loc, rest, k.index(step)));
  });
}

/// Sums of one register block, all in registers.
void MatmulKernel::multiplyBlock(Value rowsOfA, Value panelOfB, Value sums,
                                 Value products, int64_t vectors) {
  auto forAll =
      [&](function_ref<Value(Value row, Value column, int64_t at)> f) {
        SmallVector<Value> values;
        for (int64_t i = 0; i < block.rows; ++i)
          for (int64_t v = 0; v < vectors; ++v)
            values.push_back(
                f(k.index(i), k.index(v * k.lanes), i * vectors + v));
        return values;
      };
  SmallVector<Value> acc = forAll([&](Value row, Value column, int64_t) {
    return k.load(sums, {row, column});
  });
  acc = k.pairedLoop(products, acc, [&](Value p, ValueRange carried) {
    SmallVector<Value> row, next(carried);
    for (int64_t v = 0; v < vectors; ++v)
      row.push_back(k.load(panelOfB, {p, k.index(v * k.lanes)}));
    for (int64_t i = 0; i < block.rows; ++i) {
      Value x = k.splat(k.loadScalar(rowsOfA, {k.index(i), p}));
      for (int64_t v = 0; v < vectors; ++v) {
        Value &sum = next[i * vectors + v];
        sum = k.fma(x, row[v], sum);
      }
    }
    return next;
  });
  forAll([&](Value row, Value column, int64_t at) {
    k.store(acc[at], sums, {row, column});
    return Value();
  });
}

/// target += the packed rows of A times B[products, columns]
void MatmulKernel::multiply(Value target, Value tileOfA, Value rows,
                            Value columns, Value firstColumn,
                            Value firstProduct, Value products) {
  OpFoldResult zero = k.b.getIndexAttr(0),
               allRows = k.b.getIndexAttr(block.rows);
  blocks(columns, panel, [&](Value j, Value width) {
    Value panelOfB, next;
    std::tie(panelOfB, next) = getPanel(
        slice(b, firstProduct, k.add(firstColumn, j), products, width));
    auto multiplyRows = [&](int64_t size) {
      k.forEach(k.index(0), rows, block.rows, [&](Value i) {
        prefetch(panelOfB, next, i);
        Value rowsOfA = slice(tileOfA, i, zero, allRows, products);
        Value sums = slice(target, i, j, allRows, k.b.getIndexAttr(size));
        multiplyBlock(rowsOfA, panelOfB, sums, products, size / k.lanes);
      });
    };
    if (narrow == panel)
      return multiplyRows(panel);
    Value isWide = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ugt,
                                         width, k.index(narrow));
    k.ifThenElse(
        isWide, [&] { multiplyRows(panel); }, [&] { multiplyRows(narrow); });
  });
}

/// Asks for some of the rows from `next` on, which the next panel has if it
/// follows in memory: all of them in the blocks of rows of a tile.
void MatmulKernel::prefetch(Value panelOfB, Value next, Value row) {
  constexpr int64_t lineBytes = 64;
  int64_t lanes = lineBytes * 8 / k.element.getIntOrFloatBitWidth();
  int64_t count = llvm::divideCeil(depth * block.rows, rowTile);
  Value at = arith::DivUIOp::create(k.b, k.loc, row, k.index(block.rows));
  at = arith::MulIOp::create(k.b, k.loc, at, k.index(count));
  at = arith::AddIOp::create(k.b, k.loc, at, next);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t column = 0; column < panel; column += lanes)
      memref::PrefetchOp::create(
          k.b, k.loc, panelOfB, ValueRange{k.add(at, i), k.index(column)},
          /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

/// Whether sums can be added to `tile` as it lies, as IR.
Value MatmulKernel::isInPlace(Value tile) {
  Value condition = hasUnitStride(k, tile);
  for (int64_t axis : {0, 1}) {
    Value rest = arith::RemUIOp::create(k.b, k.loc, extent(tile, axis),
                                        k.index(axis ? narrow : block.rows));
    Value whole = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                        rest, k.index(0));
    condition = arith::AndIOp::create(k.b, k.loc, condition, whole);
  }
  return condition;
}

/// Whether the kernel can read `rowsOfA` as they lie, as IR: whole blocks of
/// rows that are not so far apart that they meet in the caches.
Value MatmulKernel::isPacked(Value rowsOfA) {
  constexpr int64_t page = 4096, most = 2 * page;
  int64_t bytes = k.element.getIntOrFloatBitWidth() / 8;
  auto both = [&](Value x, arith::CmpIPredicate predicate, Value y, Value z) {
    Value holds = arith::CmpIOp::create(k.b, k.loc, predicate, y, z);
    return arith::AndIOp::create(k.b, k.loc, x, holds).getResult();
  };
  Value rest = arith::RemUIOp::create(k.b, k.loc, extent(rowsOfA, 0),
                                      k.index(block.rows));
  Value stride = memref::ExtractStridedMetadataOp::create(k.b, k.loc, rowsOfA)
                     .getStrides()[0];
  Value inPage =
      arith::RemUIOp::create(k.b, k.loc, stride, k.index(page / bytes));
  Value condition = both(hasUnitStride(k, rowsOfA), arith::CmpIPredicate::eq,
                         rest, k.index(0));
  condition = both(condition, arith::CmpIPredicate::ne, inPage, k.index(0));
  return both(condition, arith::CmpIPredicate::ule, stride,
              k.index(most / bytes));
}

/// Whether `columnsOfB` lie in a panel, enough of them for a register block.
Value MatmulKernel::isPanel(Value columnsOfB) {
  Value stride =
      memref::ExtractStridedMetadataOp::create(k.b, k.loc, columnsOfB)
          .getStrides()[0];
  Value rest = arith::RemUIOp::create(k.b, k.loc, extent(columnsOfB, 1),
                                      k.index(narrow));
  Value condition = hasUnitStride(k, columnsOfB);
  for (auto [value, expected] : {std::pair(stride, panel), {rest, 0}}) {
    Value holds = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                        value, k.index(expected));
    condition = arith::AndIOp::create(k.b, k.loc, condition, holds);
  }
  return condition;
}

Value MatmulKernel::getPackedA(Value rowsOfA) {
  auto pack = [&] {
    copy(rowsOfA, packedA);
    return asUnitStride(k, castToAnyTile(k, packedA));
  };
  if (cast<MemRefType>(rowsOfA.getType()).getElementType() != k.element)
    return pack();
  return scf::IfOp::create(
             k.b, k.loc, isPacked(rowsOfA),
             [&](OpBuilder &, Location) {
               scf::YieldOp::create(k.b, k.loc, asUnitStride(k, rowsOfA));
             },
             [&](OpBuilder &, Location) {
               scf::YieldOp::create(k.b, k.loc, pack());
             })
      .getResult(0);
}

/// A panel, its rows one after the other; and the row from which on the next
/// one may follow in memory, 0 if it does not.
std::pair<Value, Value> MatmulKernel::getPanel(Value columnsOfB) {
  auto type = cast<MemRefType>(columnsOfB.getType());
  int64_t any = ShapedType::kDynamic;
  auto panelType = MemRefType::get(
      {any, panel}, k.element,
      StridedLayoutAttr::get(k.b.getContext(), any, {panel, 1}));
  auto pack = [&]() -> Value {
    copy(columnsOfB, packedB);
    return memref::CastOp::create(k.b, k.loc, panelType, packedB);
  };
  if (type.getElementType() != k.element)
    return {pack(), k.index(0)};
  auto inPlace = [&]() -> Value {
    auto whole =
        memref::ExtractStridedMetadataOp::create(k.b, k.loc, columnsOfB);
    return memref::ReinterpretCastOp::create(
        k.b, k.loc, panelType, whole.getBaseBuffer(),
        OpFoldResult(whole.getOffset()),
        SmallVector<OpFoldResult>{whole.getSizes()[0], k.b.getIndexAttr(panel)},
        SmallVector<OpFoldResult>{k.b.getIndexAttr(panel),
                                  k.b.getIndexAttr(1)});
  };
  auto chosen = scf::IfOp::create(
      k.b, k.loc, isPanel(columnsOfB),
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(k.b, k.loc,
                             ValueRange{inPlace(), extent(columnsOfB, 0)});
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(k.b, k.loc, ValueRange{pack(), k.index(0)});
      });
  return {chosen.getResult(0), chosen.getResult(1)};
}

/// target += A[rows] B[columns], products in their order
void MatmulKernel::accumulate(Value target, Value row, Value column, Value rows,
                              Value columns) {
  blocks(extent(a, 1), depth, [&](Value p, Value products) {
    Value tileOfA = getPackedA(slice(a, row, p, rows, products));
    multiply(target, tileOfA, rows, columns, column, p, products);
  });
}

void MatmulKernel::build() {
  packedA = k.scratch({rowTile, depth});
  packedB = k.scratch({depth, panel});
  Value staged = k.scratch({rowTile, columnTile});
  blocks(extent(c, 0), rowTile, [&](Value row, Value rows) {
    blocks(extent(c, 1), columnTile, [&](Value column, Value columns) {
      Value tile = slice(c, row, column, rows, columns);
      Value part = corner(staged, rows, columns);
      if (cast<MemRefType>(c.getType()).getElementType() != k.element) {
        copy(tile, part);
        accumulate(staged, row, column, rows, columns);
        copy(part, tile);
        return;
      }
      Value inPlace = isInPlace(tile);
      auto target = scf::IfOp::create(
          k.b, k.loc, inPlace,
          [&](OpBuilder &, Location) {
            scf::YieldOp::create(k.b, k.loc, asUnitStride(k, tile));
          },
          [&](OpBuilder &, Location) {
            copy(tile, part);
            scf::YieldOp::create(k.b, k.loc,
                                 asUnitStride(k, castToAnyTile(k, staged)));
          });
      accumulate(target.getResult(0), row, column, rows, columns);
      k.ifThenElse(inPlace, [] {}, [&] { copy(part, tile); });
    });
  });
}

//===----------------------------------------------------------------------===//
// From linalg
//===----------------------------------------------------------------------===//

/// The matrix of `operand` at `batch`, its axes in the order of `rows` and
/// `columns`, which are dimensions of the op.
static Value getMatrix(KernelBuilder &k, linalg::LinalgOp op,
                       OpOperand *operand, ArrayRef<unsigned> batchDims,
                       ValueRange batch, unsigned rows, unsigned columns) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  auto positionOf = [&](unsigned dim) {
    return *map.getResultPosition(k.b.getAffineDimExpr(dim));
  };
  // Not a subview of lower rank: axes of size 1 would leave open which go.
  auto whole =
      memref::ExtractStridedMetadataOp::create(k.b, k.loc, operand->get());
  Value offset = whole.getOffset();
  for (auto [dim, at] : llvm::zip_equal(batchDims, batch)) {
    Value skipped = arith::MulIOp::create(k.b, k.loc, at,
                                          whole.getStrides()[positionOf(dim)]);
    offset = arith::AddIOp::create(k.b, k.loc, offset, skipped);
  }
  auto pick = [&](ValueRange values) -> SmallVector<OpFoldResult> {
    return {values[positionOf(rows)], values[positionOf(columns)]};
  };
  auto type = cast<MemRefType>(operand->get().getType());
  int64_t any = ShapedType::kDynamic;
  auto matrix =
      MemRefType::get({any, any}, type.getElementType(),
                      StridedLayoutAttr::get(k.b.getContext(), any, {any, any}),
                      type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, matrix, whole.getBaseBuffer(), OpFoldResult(offset),
      pick(whole.getSizes()), pick(whole.getStrides()));
}

LogicalResult lattn::lowerMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                                 VectorUnit unit, KernelFunctions &functions) {
  if (!op.hasPureBufferSemantics())
    return rewriter.notifyMatchFailure(op, "is not on buffers");
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  auto elementOf = [](Value value) {
    return cast<MemRefType>(value.getType()).getElementType();
  };
  auto isMatrix = [&](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && isa<FloatType>(type.getElementType()) &&
           type.getRank() == int64_t(dims->batch.size()) + 2;
  };
  if (!linalg::isaContractionOpInterface(op) || failed(dims) ||
      dims->m.size() != 1 || dims->n.size() != 1 || dims->k.size() != 1 ||
      !llvm::all_of(op->getOperands(), isMatrix))
    return rewriter.notifyMatchFailure(
        op, "is no matrix product of floats for each batch");
  OpOperand *a = op.getDpsInputOperand(0), *b = op.getDpsInputOperand(1),
            *c = op.getDpsInitOperand(0);
  Type element = elementOf(c->get()).isF64() ? rewriter.getF64Type()
                                             : Type(rewriter.getF32Type());
  rewriter.setInsertionPoint(op);
  KernelBuilder k(rewriter, op.getLoc(), element, unit.getLanes(element));
  SmallVector<Range> domain = op.createLoopRanges(rewriter, k.loc);
  SmallVector<Value> batch;
  OpBuilder::InsertionGuard guard(rewriter);
  for (unsigned dim : dims->batch) {
    Value extent =
        getValueOrCreateConstantIndexOp(rewriter, k.loc, domain[dim].size);
    auto loop =
        scf::ForOp::create(rewriter, k.loc, k.index(0), extent, k.index(1));
    rewriter.setInsertionPointToStart(loop.getBody());
    batch.push_back(loop.getInductionVar());
  }
  unsigned m = dims->m[0], n = dims->n[0], p = dims->k[0];
  SmallVector<Value> operands = {getMatrix(k, op, a, dims->batch, batch, m, p),
                                 getMatrix(k, op, b, dims->batch, batch, p, n),
                                 getMatrix(k, op, c, dims->batch, batch, m, n)};
  std::string name =
      llvm::formatv("lattn_matmul_{0}_{1}_{2}", elementOf(a->get()),
                    elementOf(b->get()), elementOf(c->get()));
  MatmulBlock block = chooseMatmulBlock(unit.registers);
  func::FuncOp function = functions.getOrCreate(
      k.loc, name, ValueRange(operands).getTypes(),
      [&](OpBuilder &builder, ValueRange arguments) {
        KernelBuilder inner(builder, k.loc, element, k.lanes);
        MatmulKernel(inner, functions, block, arguments[0], arguments[1],
                     arguments[2])
            .build();
      });
  func::CallOp::create(rewriter, k.loc, function, operands);
  rewriter.eraseOp(op);
  return success();
}
