//===- StoreTile.cpp - Tiles to global memory -----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentToNVVM.h"
#include "GlobalMatrix.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn::fragment;

/// One value for each row, by the first of its four threads.
static void storeRows(OpBuilder &b, Location loc, TileType tile,
                      ValueRange registers, Value dest) {
  ThreadPlace place(b, loc);
  Value size = memref::DimOp::create(b, loc, dest, 0);
  Value firstOfGroup = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             place.inGroup, place.index(0));
  for (auto [row, value] : llvm::zip_equal(place.rows(tile), registers)) {
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, row, size);
    Value mine = arith::AndIOp::create(b, loc, inside, firstOfGroup);
    auto guard = scf::IfOp::create(b, loc, mine);
    OpBuilder::InsertionGuard inserted(b);
    b.setInsertionPointToStart(guard.thenBlock());
    memref::StoreOp::create(b, loc, value, dest, row);
  }
}

/// An accumulator, in elements of `dest`.
namespace {
class TileStore {
public:
  TileStore(OpBuilder &b, Location loc, TileType tile, ValueRange registers,
            Value dest);
  void run();

private:
  void storeChunks();
  void storePairs();
  void storeElements();
  void transposeQuad(MutableArrayRef<Value> registers);
  /// Where `row` and `column` are within dest.
  void storeWithin(Value row, Value column, function_ref<void()> store);
  /// Stores neighbours of one row at once.
  void storeVector(Value vector, Value row, Value column);

  OpBuilder &b;
  Location loc;
  TileType tile;
  SmallVector<Value> registers;
  Type element;
  int64_t knownColumns; // of dest
  bool byChunks;        // of 16 bytes, else by pairs
  GlobalMatrix dest;
  Value dense;
  ThreadPlace place;
  SmallVector<Value> rows, columns;
};
} // namespace

static bool areChunksWhole(Value dest) {
  auto type = cast<MemRefType>(dest.getType());
  return type.getElementTypeBitWidth() == 16 && !type.isDynamicDim(1) &&
         type.getDimSize(1) % kChunk == 0;
}

static int64_t getStoreBytes(Value dest) {
  int64_t width = getElementTypeOrSelf(dest.getType()).getIntOrFloatBitWidth();
  return areChunksWhole(dest) ? 16 : 2 * width / 8;
}

TileStore::TileStore(OpBuilder &b, Location loc, TileType tile,
                     ValueRange registers, Value dest)
    : b(b), loc(loc), tile(tile), registers(registers),
      element(getElementTypeOrSelf(dest.getType())),
      knownColumns(cast<ShapedType>(dest.getType()).getDimSize(1)),
      byChunks(areChunksWhole(dest)), dest(b, loc, dest, getStoreBytes(dest)),
      place(b, loc), rows(place.rows(tile)), columns(place.columns(tile)) {
  if (element != tile.getElementType())
    for (Value &value : this->registers)
      value = arith::TruncFOp::create(b, loc, element, value);
}

void TileStore::storeWithin(Value row, Value column,
                            function_ref<void()> store) {
  auto less = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
  };
  Value inside = less(row, dest.sizes[0]);
  // Chunks are taken by fours.
  int64_t covered =
      byChunks ? (tile.getColumns() + 31) / 32 * 32 : tile.getColumns();
  if (knownColumns != covered)
    inside = arith::AndIOp::create(b, loc, inside, less(column, dest.sizes[1]));
  auto guard = scf::IfOp::create(b, loc, inside);
  OpBuilder::InsertionGuard inserted(b);
  b.setInsertionPointToStart(guard.thenBlock());
  store();
}

void TileStore::storeVector(Value vector, Value row, Value column) {
  int64_t elements = cast<VectorType>(vector.getType()).getNumElements();
  llvm::Align alignment(elements * element.getIntOrFloatBitWidth() / 8);
  vector::StoreOp::create(b, loc, vector, dense, ValueRange{row, column},
                          /*nontemporal=*/false, alignment);
}

/// Of thread t of four, register s becomes register t of thread s.
void TileStore::transposeQuad(MutableArrayRef<Value> registers) {
  for (int64_t distance : {1, 2}) {
    Value bit =
        arith::AndIOp::create(b, loc, place.inGroup, place.index(distance));
    Value upper = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit,
                                        place.index(0));
    auto select = [&](Value x, Value y) -> Value {
      return arith::SelectOp::create(b, loc, upper, x, y);
    };
    for (int64_t i = 0; i < 4; ++i) {
      if (i & distance)
        continue;
      Value &low = registers[i], &high = registers[i + distance];
      Value sent = select(low, high), kept = select(high, low);
      Value got = gpu::ShuffleOp::create(b, loc, sent, distance, 32,
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
      low = select(got, kept);
      high = select(kept, got);
    }
  }
}

/// The four threads of a row each take a chunk of four neighbours.
void TileStore::storeChunks() {
  int64_t blocks = tile.getColumns() / 8;
  auto four = VectorType::get({4}, b.getI32Type());
  auto chunk = VectorType::get({kChunk}, element);
  Value nothing = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value first =
      arith::MulIOp::create(b, loc, place.inGroup, place.index(kChunk));
  for (size_t rowIndex = 0; rowIndex < rows.size(); ++rowIndex)
    for (int64_t block = 0; block < blocks; block += 4) {
      SmallVector<Value> quad(4, nothing);
      for (int64_t i = 0; i < std::min<int64_t>(4, blocks - block); ++i) {
        int64_t at = (rowIndex / 2 * blocks + block + i) * 4 + rowIndex % 2 * 2;
        Value pair = vector::FromElementsOp::create(
            b, loc, VectorType::get({2}, element),
            ValueRange{registers[at], registers[at + 1]});
        quad[i] = LLVM::BitcastOp::create(b, loc, b.getI32Type(), pair);
      }
      transposeQuad(quad);
      Value row = rows[rowIndex], column = place.add(first, block * 8);
      storeWithin(row, column, [&] {
        Value bits = vector::FromElementsOp::create(b, loc, four, quad);
        storeVector(vector::BitCastOp::create(b, loc, chunk, bits), row,
                    column);
      });
    }
}

void TileStore::storePairs() {
  for (size_t i = 0; i < registers.size(); i += 2) {
    ElementPosition at = tile.getElement(i);
    storeWithin(rows[at.row], columns[at.column], [&] {
      Value pair = vector::FromElementsOp::create(
          b, loc, VectorType::get({2}, element),
          ValueRange{registers[i], registers[i + 1]});
      storeVector(pair, rows[at.row], columns[at.column]);
    });
  }
}

void TileStore::storeElements() {
  for (auto [i, value] : llvm::enumerate(registers)) {
    ElementPosition at = tile.getElement(i);
    Value row = rows[at.row], column = columns[at.column], element = value;
    storeWithin(row, column, [&] {
      memref::StoreOp::create(b, loc, element, dest.matrix,
                              ValueRange{row, column});
    });
  }
}

void TileStore::run() {
  Value together = dest.aligned;
  if (!byChunks) { // pairs are in a row together where their number is even
    Value odd = arith::RemUIOp::create(b, loc, dest.sizes[1], place.index(2));
    Value even = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, odd,
                                       place.index(0));
    together = arith::AndIOp::create(b, loc, together, even);
  }
  auto choice = scf::IfOp::create(b, loc, together, /*else=*/true);
  OpBuilder::InsertionGuard inserted(b);
  b.setInsertionPointToStart(choice.thenBlock());
  dense = dest.getDense();
  byChunks ? storeChunks() : storePairs();
  b.setInsertionPointToStart(choice.elseBlock());
  storeElements();
}

static LogicalResult convertStore(StoreOp op, Registers<StoreOp> adaptor,
                                  ConversionPatternRewriter &b) {
  TileType tile = op.getSource().getType();
  ValueRange registers = adaptor.getSource();
  if (tile.isRow())
    storeRows(b, op.getLoc(), tile, registers, op.getDest());
  else
    TileStore(b, op.getLoc(), tile, registers, op.getDest()).run();
  b.eraseOp(op);
  return success();
}

void lattn::fragment::populateStorePatterns(TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertStore);
}
