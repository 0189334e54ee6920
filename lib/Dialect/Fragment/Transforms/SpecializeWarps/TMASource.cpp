//===- TMASource.cpp - Matrices that tensor maps reach --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TMASource.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace lattn;

static constexpr int64_t kAlignment = 16; // bytes, of addresses and strides

static int64_t getWidth(MemRefType type) {
  return type.getElementTypeBitWidth() / 8;
}

/// Axes of a subview's source that the result has, in order.
static SmallVector<unsigned> getKeptAxes(memref::SubViewOp view) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  SmallVector<unsigned> kept;
  for (unsigned axis = 0; axis < dropped.size(); ++axis)
    if (!dropped[axis])
      kept.push_back(axis);
  return kept;
}

/// What is known of an array when it is compiled.
static std::string getObstacle(const TMASource &source) {
  MemRefType type = source.getType();
  constexpr int64_t mostAxes = 5;
  if (type.getRank() > mostAxes)
    return "it is part of an array of more than 5 axes";
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return "its array has no strides";
  if (source.columnAxis.value_or(source.rowAxis) + 1 != type.getRank())
    return "its rows are not along the last axis of their array";
  auto misaligned = [&](int64_t elements) {
    return !ShapedType::isDynamic(elements) &&
           elements % (kAlignment / getWidth(type)) != 0;
  };
  if (strides.back() != 1 && !ShapedType::isDynamic(strides.back()))
    return "elements of a row are not neighbours";
  if (misaligned(offset))
    return "its array does not begin at a multiple of 16 bytes";
  if (llvm::is_contained(ArrayRef(strides).drop_back(), 0))
    return "its array repeats an axis (a stride of 0)";
  for (int64_t stride : ArrayRef(strides).drop_back())
    if (misaligned(stride) || (stride < 0 && !ShapedType::isDynamic(stride)))
      return "a stride of " + std::to_string(stride) +
             " elements is no multiple of 16 bytes";
  return "";
}

FailureOr<TMASource> lattn::findTMASource(Value view, gpu::LaunchOp launch,
                                          std::string &reason) {
  TMASource source;
  source.array = view;
  OpBuilder b(launch.getContext());
  auto rank = cast<MemRefType>(view.getType()).getRank();
  source.first.assign(rank, b.getIndexAttr(0));
  SmallVector<unsigned> axes = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  b.setInsertionPointAfterValue(view);
  while (launch.getBody().isAncestor(source.array.getParentRegion())) {
    Operation *op = source.array.getDefiningOp();
    if (auto cast = dyn_cast_or_null<memref::CastOp>(op)) {
      source.array = cast.getSource();
      continue;
    }
    auto view = dyn_cast_or_null<memref::SubViewOp>(op);
    if (!view || !view.hasUnitStride()) {
      reason = "it is no view of an array of the host's by offsets alone";
      return failure();
    }
    SmallVector<unsigned> kept = getKeptAxes(view);
    SmallVector<OpFoldResult> first = view.getMixedOffsets();
    for (auto [axis, inner] : llvm::zip_equal(kept, source.first)) {
      if (isZeroInteger(inner))
        continue;
      Value sum = arith::AddIOp::create(
          b, op->getLoc(),
          getValueOrCreateConstantIndexOp(b, op->getLoc(), first[axis]),
          getValueOrCreateConstantIndexOp(b, op->getLoc(), inner));
      first[axis] = sum;
    }
    for (unsigned &axis : axes)
      axis = kept[axis];
    source.first = first;
    source.array = view.getSource();
  }
  source.rowAxis = axes[0];
  if (rank > 1)
    source.columnAxis = axes[1];
  reason = getObstacle(source);
  if (reason.empty())
    return source;
  if (auto argument = dyn_cast<BlockArgument>(source.array))
    reason =
        "argument " + std::to_string(argument.getArgNumber()) + ": " + reason;
  return failure();
}

static SmallVector<int64_t> getTMATileShape(const TMASource &source,
                                            int64_t rows) {
  SmallVector<int64_t> shape(source.getType().getRank(), 1);
  shape[source.rowAxis] = rows;
  if (source.columnAxis)
    shape[*source.columnAxis] = kTMATileColumns;
  return shape;
}

static MemRefType getTMATileType(const TMASource &source, int64_t rows) {
  auto space = gpu::AddressSpaceAttr::get(
      source.array.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  return MemRefType::get(getTMATileShape(source, rows),
                         source.getType().getElementType(),
                         MemRefLayoutAttrInterface(), space);
}

Value lattn::createTensorMap(OpBuilder &b, Location loc,
                             const TMASource &source, int64_t rows) {
  auto type = nvgpu::TensorMapDescriptorType::get(
      b.getContext(), getTMATileType(source, rows),
      source.columnAxis ? nvgpu::TensorMapSwizzleKind::SWIZZLE_128B
                        : nvgpu::TensorMapSwizzleKind::SWIZZLE_NONE,
      nvgpu::TensorMapL2PromoKind::L2PROMO_128B,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  auto unranked = UnrankedMemRefType::get(source.getType().getElementType(),
                                          source.getType().getMemorySpace());
  Value array = memref::CastOp::create(b, loc, unranked, source.array);
  SmallVector<Value> shape;
  for (int64_t extent : getTMATileShape(source, rows))
    shape.push_back(arith::ConstantIndexOp::create(b, loc, extent));
  return nvgpu::TmaCreateDescriptorOp::create(b, loc, type, array, shape);
}

/// A copy of `value` for the block of `b`, of pure ops, if the value's own
/// block is inside of that block.
static Value bringOut(OpBuilder &b, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() == b.getBlock() || !isPure(op) ||
      !b.getBlock()->findAncestorOpInBlock(*op))
    return value;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, bringOut(b, operand));
  return b.clone(*op, mapping)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

namespace {
/// What tensor maps depend on: numbers of elements, and a pointer.
struct Extents {
  SmallVector<Value> sizes, strides;
  Value offset, pointer; // null if they are multiples of what maps need
};
} // namespace

/// An array that the program allocates itself need not exist yet.
static Extents getExtents(OpBuilder &b, Location loc, Value array) {
  auto alloc = array.getDefiningOp<memref::AllocOp>();
  if (!alloc) {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, array);
    return {SmallVector<Value>(metadata.getSizes()),
            SmallVector<Value>(metadata.getStrides()), metadata.getOffset(),
            memref::ExtractAlignedPointerAsIndexOp::create(b, loc, array)};
  }
  Extents extents;
  for (OpFoldResult size : alloc.getMixedSizes())
    extents.sizes.push_back(
        bringOut(b, getValueOrCreateConstantIndexOp(b, loc, size)));
  Value stride = arith::ConstantIndexOp::create(b, loc, 1);
  for (Value size : llvm::reverse(extents.sizes)) {
    extents.strides.insert(extents.strides.begin(), stride);
    stride = arith::MulIOp::create(b, loc, stride, size);
  }
  return extents;
}

Value lattn::buildFits(OpBuilder &b, Location loc, const TMASource &source) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Extents extents = getExtents(b, loc, source.array);
  ArrayRef<Value> sizes = extents.sizes, strides = extents.strides;
  // An or of all that must be a multiple of 16 bytes.
  Value bits = extents.pointer ? extents.pointer : constant(0);
  auto require = [&](Value elements) {
    Value bytes = arith::MulIOp::create(b, loc, elements,
                                        constant(getWidth(source.getType())));
    bits = arith::OrIOp::create(b, loc, bits, bytes);
  };
  if (extents.offset)
    require(extents.offset);
  for (Value stride : strides.drop_back())
    require(stride);
  bits = arith::AndIOp::create(b, loc, bits, constant(kAlignment - 1));
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, bits,
                                     constant(0));
  auto also = [&](arith::CmpIPredicate predicate, Value a, Value limit) {
    Value holds = arith::CmpIOp::create(b, loc, predicate, a, limit);
    fits = arith::AndIOp::create(b, loc, fits, holds);
  };
  also(arith::CmpIPredicate::eq, strides.back(), constant(1));
  constexpr int64_t mostStride = int64_t(1) << 40; // bytes
  for (Value stride : strides.drop_back()) {
    also(arith::CmpIPredicate::ne, stride, constant(0)); // heads are expanded
    also(arith::CmpIPredicate::ult, stride,
         constant(mostStride / getWidth(source.getType())));
  }
  constexpr int64_t mostSize = int64_t(1) << 31; // coordinates are of 32 bits
  for (Value size : sizes) {
    also(arith::CmpIPredicate::sgt, size, constant(0));
    also(arith::CmpIPredicate::slt, size, constant(mostSize));
  }
  return fits;
}

/// Calls `build` with the view of each TMA tile, `tileBytes` apart, and where
/// its columns, from `row` of the source on, begin in the array, the innermost
/// coordinate first.
static void forEachTMATile(OpBuilder &b, Location loc, const TMASource &source,
                           MemRefType type, Value row, Value memory,
                           Value offset, int64_t tiles, int64_t tileBytes,
                           function_ref<void(Value, ValueRange)> build) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<Value> at;
  for (OpFoldResult first : source.first)
    at.push_back(getValueOrCreateConstantIndexOp(b, loc, first));
  if (row)
    at[source.rowAxis] = arith::AddIOp::create(b, loc, at[source.rowAxis], row);
  Value column = at.back();
  for (int64_t tile = 0; tile < tiles; ++tile) {
    if (source.columnAxis)
      at.back() = arith::AddIOp::create(b, loc, column,
                                        constant(tile * kTMATileColumns));
    Value start =
        arith::AddIOp::create(b, loc, offset, constant(tile * tileBytes));
    Value view =
        memref::ViewOp::create(b, loc, type, memory, start, ValueRange());
    build(view, llvm::to_vector(llvm::reverse(at)));
  }
}

void lattn::buildTMACopy(OpBuilder &b, Location loc, const TMASource &source,
                         const TMACopy &copy) {
  MemRefType type = getTMATileType(source, copy.rows);
  forEachTMATile(b, loc, source, type, /*row=*/{}, copy.memory, copy.offset,
                 copy.tiles, type.getNumElements() * getWidth(type),
                 [&](Value tile, ValueRange at) {
                   nvgpu::TmaAsyncLoadOp::create(
                       b, loc, tile, copy.barriers, copy.map, at, copy.barrier,
                       /*multicastMask=*/Value(), /*predicate=*/Value());
                 });
}

void lattn::buildTMAStore(OpBuilder &b, Location loc, const TMASource &dest,
                          const TMAStore &store) {
  forEachTMATile(b, loc, dest, getTMATileType(dest, store.rows), store.row,
                 store.memory, store.offset, store.tiles, store.tileBytes,
                 [&](Value tile, ValueRange at) {
                   nvgpu::TmaAsyncStoreOp::create(b, loc, tile, store.map, at,
                                                  /*predicate=*/Value());
                 });
}
