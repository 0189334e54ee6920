//===- WarpgroupOps.cpp - Verifiers of products by groups of warps --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace lattn::fragment;
using lattn::GPUTarget;

void lattn::fragment::createTileBarrier(OpBuilder &b, Location loc,
                                        int64_t threads) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  if (!isa<WarpSpecializeOp>(parent) &&
      !parent->getParentOfType<WarpSpecializeOp>()) {
    gpu::BarrierOp::create(b, loc);
    return;
  }
  Value barrier = arith::ConstantIntOp::create(b, loc, kTileBarrier, 32);
  Value members = arith::ConstantIntOp::create(b, loc, threads, 32);
  NVVM::BarrierOp::create(b, loc, Type(), barrier, members,
                          NVVM::BarrierReductionAttr(), Value());
}

void lattn::fragment::createBarrierOfGroup(OpBuilder &b, Location loc,
                                           Value group) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  };
  Value barrier = arith::IndexCastOp::create(b, loc, b.getI32Type(), group);
  barrier = arith::AddIOp::create(b, loc, barrier, constant(kGroupBarrier));
  NVVM::BarrierOp::create(b, loc, Type(), barrier, constant(kGroupThreads),
                          NVVM::BarrierReductionAttr(), Value());
}

/// Each group of four warps holds 64 rows.
static LogicalResult verifyGroups(Operation *op, TileType tile) {
  if (tile.getWarps() % kGroupWarps == 0 && tile.getRowGroups() == 1)
    return success();
  return op->emitOpError() << "expected 64 rows for each four warps, got "
                           << tile;
}

/// TMA tiles of shared memory with at least `rows` rows and `columns` columns.
static LogicalResult verifyTMATiles(Operation *op, MemRefType type,
                                    StringRef name, int64_t rows,
                                    int64_t columns) {
  if (!gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) ||
      !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getDimSize(2) != kTMATileColumns || type.getDimSize(1) % 8)
    return op->emitOpError() << "expected " << name
                             << " in TMA tiles of shared memory, of a multiple "
                                "of 8 rows and of 64 "
                                "columns, got "
                             << type;
  if (type.getDimSize(1) < rows ||
      kTMATileColumns * type.getDimSize(0) < columns)
    return op->emitOpError()
           << "expected at least " << rows << " rows and " << columns
           << " columns of " << name << ", got " << type;
  return success();
}

LogicalResult WarpgroupMultiplyOp::verify() {
  TileType tile = getType();
  if (tile.getPart() != Part::Accumulator || !tile.getElementType().isF32())
    return emitOpError() << "expected an accumulator of f32 as result, got "
                         << tile;
  if (getAccumulator() && getAccumulator().getType() != tile)
    return emitOpError() << "expected an accumulator of the result's type "
                         << tile << ", got " << getAccumulator().getType();
  if (failed(verifyGroups(*this, tile)))
    return failure();
  int64_t inner = getInner(), columns = tile.getColumns();
  if (inner < 16 || inner % 16)
    return emitOpError() << "expected inner to be a multiple of 16, got "
                         << inner;
  if (columns > kMostGroupColumns)
    return emitOpError() << "expected at most " << kMostGroupColumns
                         << " columns, got " << tile;
  MemRefType right = getRight().getType();
  if (failed(verifyTMATiles(*this, right, "right",
                            getTransposed() ? columns : inner,
                            getTransposed() ? inner : columns)))
    return failure();
  Type element = right.getElementType();
  if (auto left = dyn_cast<MemRefType>(getLeft().getType())) {
    if (left.getElementType() != element)
      return emitOpError() << "expected left of " << element << ", got "
                           << left;
    return verifyTMATiles(*this, left, "left", tile.getRows(), inner);
  }
  auto left = cast<TileType>(getLeft().getType());
  if (left.getPart() != Part::Operand || left.getElementType() != element ||
      left.getRows() != tile.getRows() || left.getWarps() != tile.getWarps() ||
      left.getColumns() != inner)
    return emitOpError() << "expected left to be an operand of "
                         << tile.getRows() << " rows, " << inner
                         << " columns and " << tile.getWarps() << " warps of "
                         << element << ", got " << left;
  return success();
}

LogicalResult WarpgroupWaitOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands, DictionaryAttr,
    OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult WarpgroupWaitOp::verify() {
  constexpr int64_t most = 7; // what the instruction can say
  if (getPending() < 0 || getPending() > most)
    return emitOpError() << "expected 0 to " << most << " pending, got "
                         << getPending();
  for (Type type : getInputs().getTypes())
    if (failed(verifyGroups(*this, cast<TileType>(type))))
      return failure();
  return success();
}

LogicalResult StoreTMATilesOp::verify() {
  TileType tile = getSource().getType();
  if (tile.getPart() != Part::Accumulator || !tile.getElementType().isF32())
    return emitOpError() << "expected an accumulator of f32, got " << tile;
  if (failed(verifyGroups(*this, tile)))
    return failure();
  return verifyTMATiles(*this, getTiles().getType(), "room for the tile",
                        tile.getRows(), tile.getColumns());
}

LogicalResult WarpSpecializeOp::verify() {
  constexpr int64_t least = GPUTarget::leastSetRegisters,
                    most = GPUTarget::mostSetRegisters,
                    unit = GPUTarget::registerUnit;
  auto verifyRole = [&](StringRef role, int64_t warps,
                        std::optional<int64_t> registers) -> LogicalResult {
    if (warps % kGroupWarps)
      return emitOpError("expected a multiple of ")
             << kGroupWarps << " warps as " << role << "s, got " << warps;
    if (registers &&
        (*registers < least || *registers > most || *registers % unit))
      return emitOpError("expected a multiple of ")
             << unit << " from " << least << " to " << most << " as the "
             << role << "s' registers, got " << *registers;
    return success();
  };
  if (failed(verifyRole("producer", getProducers(), getProducerRegisters())) ||
      failed(verifyRole("consumer", getConsumers(), getConsumerRegisters())))
    return failure();
  if (getProducerRegisters().has_value() != getConsumerRegisters().has_value())
    return emitOpError("expected registers of both roles or of none");
  int64_t threads = GPUTarget::warpThreads * (getProducers() + getConsumers());
  if (threads > GPUTarget::mostBlockThreads)
    return emitOpError("expected at most ")
           << GPUTarget::mostBlockThreads << " threads in a block, got "
           << threads;
  return success();
}

std::optional<int64_t> WarpSpecializeOp::getBlockRegisters() {
  if (!getProducerRegisters())
    return std::nullopt;
  return GPUTarget::warpThreads * (getProducers() * *getProducerRegisters() +
                                   getConsumers() * *getConsumerRegisters());
}

static LogicalResult verifyPingPong(Operation *op, int64_t groups) {
  constexpr int64_t most = kGroupBarrier - kPingPongBarrier;
  if (groups >= 2 && groups <= most)
    return success();
  return op->emitOpError() << "expected 2 to " << most << " groups, got "
                           << groups;
}

LogicalResult PingPongWaitOp::verify() {
  return verifyPingPong(*this, getGroups());
}
LogicalResult PingPongArriveOp::verify() {
  return verifyPingPong(*this, getGroups());
}

LogicalResult TensorMapParameterOp::verify() {
  auto argument = dyn_cast<BlockArgument>(getArgument());
  Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
  if (isa_and_nonnull<FunctionOpInterface>(owner) &&
      argument.getOwner()->isEntryBlock())
    return success();
  return emitOpError("expected an argument of the kernel");
}

LogicalResult ReachableOp::verify() {
  for (Operation *user : getResult().getUsers())
    if (user->getName().getStringRef() != "scf.if")
      return emitOpError() << "expected to be the condition of 'scf.if', got '"
                           << user->getName() << "'";
  return success();
}
