//===- WarpgroupOps.cpp - Verifiers of products by groups of warps --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Roles.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace lattn;
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

LogicalResult LoadTMATilesOp::verify() {
  TileType tile = getType();
  if (tile.getPart() != Part::Operand ||
      tile.getElementType() != getTiles().getType().getElementType())
    return emitOpError() << "expected an operand of "
                         << getTiles().getType().getElementType() << ", got "
                         << tile;
  if (failed(verifyGroups(*this, tile)))
    return failure();
  return verifyTMATiles(*this, getTiles().getType(), "tiles", tile.getRows(),
                        tile.getColumns());
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

void WarpSpecializeOp::build(OpBuilder &b, OperationState &state,
                             ArrayRef<int64_t> warps,
                             ArrayRef<int64_t> registers, bool persistent) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.warps = b.getDenseI64ArrayAttr(warps);
  if (!registers.empty())
    properties.registers = b.getDenseI64ArrayAttr(registers);
  if (persistent)
    properties.persistent = b.getUnitAttr();
  for (size_t i = 0; i < warps.size(); ++i)
    state.addRegion()->emplaceBlock();
}

/// warps(8, registers = 240) { ... } warps(4, registers = 24) { ... }
ParseResult
fragment::parseRoles(OpAsmParser &parser,
                     SmallVectorImpl<std::unique_ptr<Region>> &roles,
                     DenseI64ArrayAttr &warps, DenseI64ArrayAttr &registers) {
  SmallVector<int64_t> counts, asked;
  while (succeeded(parser.parseOptionalKeyword("warps"))) {
    Region &role = *roles.emplace_back(std::make_unique<Region>());
    if (parser.parseLParen() || parser.parseInteger(counts.emplace_back()))
      return failure();
    if (succeeded(parser.parseOptionalComma()) &&
        (parser.parseKeyword("registers") || parser.parseEqual() ||
         parser.parseInteger(asked.emplace_back())))
      return failure();
    if (parser.parseRParen() || parser.parseRegion(role))
      return failure();
    if (role.empty())
      role.emplaceBlock();
  }
  warps = parser.getBuilder().getDenseI64ArrayAttr(counts);
  if (!asked.empty())
    registers = parser.getBuilder().getDenseI64ArrayAttr(asked);
  return success();
}

void fragment::printRoles(OpAsmPrinter &printer, WarpSpecializeOp op,
                          MutableArrayRef<Region> roles,
                          DenseI64ArrayAttr warps,
                          DenseI64ArrayAttr registers) {
  for (auto [i, role] : llvm::enumerate(roles)) {
    printer << (i ? " warps(" : "warps(") << warps[i];
    if (registers)
      printer << ", registers = " << registers[i];
    printer << ") ";
    printer.printRegion(role);
  }
}

LogicalResult WarpSpecializeOp::verify() {
  constexpr int64_t least = GPUTarget::leastSetRegisters,
                    most = GPUTarget::mostSetRegisters,
                    unit = GPUTarget::registerUnit;
  if (getRoles().size() < 2 || getWarps().size() != getRoles().size())
    return emitOpError(
               "expected a number of warps for each of 2 or more roles, "
               "got ")
           << getWarps().size() << " for " << getRoles().size();
  int64_t all = 0;
  for (int64_t warps : getWarps()) {
    if (warps < 1 || warps % kGroupWarps)
      return emitOpError("expected a multiple of ")
             << kGroupWarps << " warps in each role, got " << warps;
    all += warps;
  }
  ArrayRef<int64_t> registers = getRegisters().value_or(ArrayRef<int64_t>());
  if (getRegisters() && registers.size() != getRoles().size())
    return emitOpError("expected registers of all roles or of none");
  for (int64_t asked : registers)
    if (asked < least || asked > most || asked % unit)
      return emitOpError("expected a multiple of ")
             << unit << " from " << least << " to " << most
             << " as a role's registers, got " << asked;
  int64_t threads = GPUTarget::warpThreads * all;
  if (threads > GPUTarget::mostBlockThreads)
    return emitOpError("expected at most ")
           << GPUTarget::mostBlockThreads << " threads in a block, got "
           << threads;
  return success();
}

std::optional<int64_t> WarpSpecializeOp::getBlockRegisters() {
  if (!getRegisters())
    return std::nullopt;
  int64_t all = 0;
  for (auto [warps, registers] : llvm::zip_equal(getWarps(), *getRegisters()))
    all += GPUTarget::warpThreads * warps * registers;
  return all;
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
