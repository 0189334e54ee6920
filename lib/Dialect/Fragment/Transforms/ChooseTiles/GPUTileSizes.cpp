//===- GPUTileSizes.cpp - What tiles of a GPU are bounded by --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPUTileSizes.h"
#include "../SpecializeWarps/Ring.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace lattn;

/// A larger head leaves no registers for scores beside its output.
static constexpr int64_t kMostHeadSize = 256;
/// Whether `loop` carries an array that an iteration writes elsewhere. On GPUs
/// it would need memory for each iteration.
static bool replacesArrays(scf::ForOp loop) {
  return llvm::any_of(
      llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()),
      [&](auto pair) {
        auto [carried, dest] = pair;
        while (auto op =
                   dest.template getDefiningOp<DestinationStyleOpInterface>())
          dest = op.getTiedOpOperand(cast<OpResult>(dest))->get();
        bool isElsewhere = loop.isDefinedOutsideOfLoop(dest) ||
                           dest.template getDefiningOp<tensor::EmptyOp>() ||
                           isa<BlockArgument>(dest);
        return isa<TensorType>(carried.getType()) && dest != carried &&
               isElsewhere;
      });
}

std::string lattn::getObstacle(AttentionOp op) {
  auto type = [](Value value) { return cast<ShapedType>(value.getType()); };
  Type element = type(op.getQuery()).getElementType();
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t headDim = type(op.getQuery()).getDimSize(3),
          valueDim = type(op.getValue()).getDimSize(3);
  if (!element.isF16() && !element.isBF16())
    os << "expected query, key and value of f16 or bf16, got " << element;
  else if (type(op.getKey()).getElementType() != element ||
           type(op.getValue()).getElementType() != element)
    os << "expected query, key and value of one element type, got " << element
       << ", " << type(op.getKey()).getElementType() << " and "
       << type(op.getValue()).getElementType();
  else if (ShapedType::isDynamic(headDim) || ShapedType::isDynamic(valueDim))
    os << "expected head sizes that are known";
  else if (headDim < 1 || valueDim < 1 || headDim > kMostHeadSize ||
           valueDim > kMostHeadSize)
    os << "expected head sizes of 1 to " << kMostHeadSize << ", got " << headDim
       << " and " << valueDim;
  else if (auto products = op.getEffectiveSchedule().getProducts())
    os << "the schedule's products = " << stringifyProducts(*products)
       << " are those of a CPU";
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop && text.empty();
       loop = loop->getParentOfType<scf::ForOp>())
    if (replacesArrays(loop))
      os << "it is in a loop, '" << loop->getName()
         << "', that carries an array: expected each iteration to write its "
            "result to that array, got another destination";
  return text;
}

/// Why the gradient of the bias has no kernel; empty where it has.
static std::string getObstacleToBias(AttentionGradOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  AffineMap map = op.getEffectiveBiasMap();
  if (!findBiasAxes(map))
    os << "the gradient of a bias has no GPU kernel for its map " << map
       << ": expected an axis of queries, then one of keys, and others of "
          "batches, of heads or of one element";
  else if (!op.getOrigin().empty())
    os << "the gradient of a bias has no GPU kernel with an origin yet";
  else if (op.getQuery().getDefiningOp<PadSequencesOp>() ||
           op.getKey().getDefiningOp<PadSequencesOp>())
    os << "the gradient of a bias has no GPU kernel for packed sequences yet";
  return text;
}

std::string lattn::getObstacle(AttentionGradOp op) {
  auto type = [](Value value) { return cast<ShapedType>(value.getType()); };
  std::string text;
  llvm::raw_string_ostream os(text);
  Type element = type(op.getQuery()).getElementType();
  std::pair<const char *, Value> operands[] = {{"query", op.getQuery()},
                                               {"key", op.getKey()},
                                               {"value", op.getValue()},
                                               {"d_output", op.getDOutput()}};
  for (auto [name, value] : operands) {
    Type given = type(value).getElementType();
    int64_t width = type(value).getDimSize(3);
    if (!given.isF16() && !given.isBF16())
      os << "expected " << name << " of f16 or bf16, got " << given;
    else if (given != element)
      os << "expected query and " << name << " of one element type, got "
         << element << " and " << given;
    else if (ShapedType::isDynamic(width))
      os << "expected a head size of " << name << " that is known";
    else if (width < 1 || width > kMostHeadSize)
      os << "expected head sizes of 1 to " << kMostHeadSize << ", got " << width
         << " of " << name;
    if (!text.empty())
      return text;
  }
  if (!WindowBounds(op.getEffectiveWindow()).getInverse())
    os << "expected a window whose bounds are chains of + c, * c, floordiv c "
          "and ceildiv c from the position on, got "
       << op.getEffectiveWindow();
  if (!op.getDCaptures().empty())
    os << "gradients of captured arrays have no GPU kernel yet";
  if (op.getDBias() && text.empty())
    os << getObstacleToBias(op);
  return text;
}

/// The head size of `array` in whole fragments.
static int64_t getWidth(Value array) {
  return llvm::alignTo(cast<ShapedType>(array.getType()).getDimSize(3), 16);
}

/// A tile's scores and the weights made of them are registers, beside those of
/// the output, of which a large head leaves few. A bias, a mask or a region
/// takes registers, too, beside the addresses of a large query head.
int64_t lattn::getStep(AttentionOp op) {
  bool modified = op.getBias() || op.getKeyMask() || !op.getScore().empty();
  int64_t widest = getWidth(op.getValue());
  if (modified)
    widest = std::max(widest, getWidth(op.getQuery()));
  return widest > 128 ? 32 : 64;
}

/// Instructions of a warp that has `groups` of 16 rows, for all keys of its
/// rows. docs/GPU.md counts those of a step: groups share what a step loads.
static double countInstructions(AttentionOp op, TileSizes sizes,
                                int64_t groups) {
  constexpr double step = 147, stepOfGroup = 266, edgeOfGroup = 120;
  constexpr double tile = 300, tileOfGroup = 500;
  TilePlan plan(getTypicalDomain(op), sizes);
  TileSteps steps = plan.countSteps();
  return (steps.full + steps.masked) * (step + groups * stepOfGroup) +
         steps.masked * groups * edgeOfGroup +
         plan.getNumTiles() * (tile + groups * tileOfGroup);
}

int64_t lattn::chooseRows(AttentionOp op, int64_t warps, int64_t key) {
  constexpr int64_t rows = 16, mostWarps = 4, mostColumns = 64, mostKeys = 64;
  int64_t widest = std::max(getWidth(op.getQuery()), getWidth(op.getValue()));
  bool modified = op.getBias() || op.getKeyMask() || !op.getScore().empty() ||
                  !op.getDropout().empty();
  // Others spill registers, or have not been timed.
  if (modified || warps > mostWarps || widest > mostColumns || key > mostKeys)
    return rows * warps;
  double one = countInstructions(op, {rows * warps, key}, 1);
  double two = countInstructions(op, {2 * rows * warps, key}, 2);
  return two < one ? 2 * rows * warps : rows * warps;
}

int64_t lattn::chooseRows(AttentionGradOp, int64_t warps, int64_t) {
  return 16 * warps;
}

int64_t lattn::getStagedBytes(AttentionOp op, TileSizes sizes, int64_t stages) {
  int64_t head = getWidth(op.getQuery()), value = getWidth(op.getValue());
  int64_t columns = head + value + (hasBiasTiles(op) ? sizes.query : 0);
  return 2 * (sizes.query * head + stages * sizes.key * columns);
}

/// Scores and their gradients take registers beside the sums of a block's rows.
int64_t lattn::getStep(AttentionGradOp op) {
  int64_t widths = getWidth(op.getQuery()) + getWidth(op.getValue());
  return widths <= 128 ? 32 : 16;
}

/// Two matrices of a tile's rows stay, and two of a step's positions come, with
/// their numbers.
int64_t lattn::getStagedBytes(AttentionGradOp op, TileSizes sizes,
                              int64_t stages) {
  int64_t widths = getWidth(op.getQuery()) + getWidth(op.getValue());
  int64_t sums = 2 * 4 * stages * sizes.key; // lse and sums of rows, in f32
  // Steps of a bias's gradient read the tile's rows anew.
  int64_t rowStages = op.getDBias() ? stages : 1;
  return 2 * widths * (rowStages * sizes.query + stages * sizes.key) + sums;
}

int64_t lattn::getSharedBytes(AttentionGradOp op, TileSizes sizes,
                              int64_t stages) {
  int64_t head = getWidth(op.getQuery()), value = getWidth(op.getValue());
  auto bytes = [&](int64_t rows) {
    return getStageBytes(rows, head) + getStageBytes(rows, value);
  };
  int64_t vector = llvm::alignTo(4 * sizes.key, kVectorAlignment);
  return bytes(sizes.query) + stages * (bytes(sizes.key) + 2 * vector);
}

/// Two groups of 64 rows. With 64 positions a step, products of 64 rows take
/// the time that shared memory takes to read their operands; sums of heads of
/// 128 leave registers for no more.
TileSizes lattn::chooseGroupSizes(AttentionGradOp op, TileSizes wanted,
                                  WarpgroupBlock block) {
  constexpr int64_t groups = 2, mostPositions = 64;
  TileSizes sizes = wanted;
  if (!sizes.query)
    sizes.query = groups * fragment::kGroupRows;
  if (!sizes.key)
    for (sizes.key = mostPositions;
         sizes.key > 16 &&
         getSharedBytes(op, sizes, block.stages) > block.sharedBytes;)
      sizes.key -= 16;
  return sizes;
}
