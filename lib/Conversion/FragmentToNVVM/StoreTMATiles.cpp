//===- StoreTMATiles.cpp - Tiles to TMA tiles of shared memory ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn::fragment;

/// Stores pairs of neighbours. A warp has those of eight rows and four columns;
/// the swizzle puts them into different banks.
static LogicalResult convertStoreTMATiles(StoreTMATilesOp op,
                                          Registers<StoreTMATilesOp> adaptor,
                                          ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  TileType tile = op.getSource().getType();
  Type element = op.getTiles().getType().getElementType();
  auto pair = VectorType::get({2}, element);
  ThreadPlace place(b, loc);
  SmallVector<Value> rows = place.rows(tile);
  Value inChunk = arith::MulIOp::create(b, loc, place.inGroup, place.index(2));
  constexpr int64_t chunks = kTMATileColumns / kChunk; // of a TMA tile's row
  ValueRange registers = adaptor.getSource();
  for (int64_t i = 0, end = registers.size(); i < end; i += 2) {
    ElementPosition at = tile.getElement(i);
    int64_t chunk = at.column / 2;
    // A row's number modulo eight is that of its group of lanes.
    Value column =
        arith::XOrIOp::create(b, loc, place.group, place.index(chunk % chunks));
    column = arith::MulIOp::create(b, loc, column, place.index(kChunk));
    column = arith::AddIOp::create(b, loc, column, inChunk);
    Value both = packPair(b, loc, registers[i], registers[i + 1], element);
    both = LLVM::BitcastOp::create(b, loc, pair, both);
    vector::StoreOp::create(
        b, loc, both, op.getTiles(),
        ValueRange{place.index(chunk / chunks), rows[at.row], column},
        /*nontemporal=*/false, llvm::Align(4));
  }
  b.eraseOp(op);
  return success();
}

void lattn::fragment::populateStoreTMATilesPatterns(
    TypeConverter &converter, RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertStoreTMATiles);
}
