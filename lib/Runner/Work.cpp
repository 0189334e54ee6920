//===- Work.cpp - What an entry's attention ops have to compute -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Work.h"
#include "Numbers.h"
#include "TileChoices.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Target/AMXTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace lattn;
using namespace mlir;

double AttentionWork::getLeastBytes() const {
  double rows = double(batches) * heads * queries * (headDim + valueDim) +
                double(batches) * kvHeads * keys * (headDim + valueDim);
  return rows * getElementSize(kind);
}

/// An exp costs as many vector instructions on the FMA ports as counted in the
/// kernel: subtract and scale, round, five of the polynomial, scale, and the
/// row's max and sum.
static constexpr double kExpInstructions = 10;

AMXBound::AMXBound(const AttentionWork &work) : exp(kExpInstructions / 2) {
  auto [rows, vectors] =
      AMXTile::chooseBlock(llvm::divideCeil(work.queryTile, AMXTile::rows));
  AMXCycles step(work.keyTile, vectors, work.headDim, work.valueDim);
  double count = work.keyTile * vectors;
  products = step.products / count;
  loads = step.loads / count;
}

double lattn::getBound(const AttentionWork &work) {
  if (!work.executedPairs)
    return 0;
  if (work.byAMX) {
    // Of 16 x 16 x 32 multiply-adds in 16 cycles.
    double least = (work.headDim + work.valueDim) / 32.0;
    return work.visiblePairs / work.executedPairs * least /
           AMXBound(work).get();
  }
  bool anyByPairs = work.byPairs || work.valuesByPairs;
  double least = (work.headDim + work.valueDim) / (anyByPairs ? 2.0 : 1.0);
  // Scores in f32 take as many FMAs as there are elements.
  double fmas = least + (work.valuesByPairs ? work.headDim / 2.0 : 0);
  return work.visiblePairs / work.executedPairs * least /
         (fmas + kExpInstructions);
}

namespace {

/// What the compiler chose for an op, by what it knew: it saw no run's shapes.
constexpr llvm::StringLiteral kParts = "lattn.parts", kTuned = "lattn.tuned";

/// A copy of the entry's module with this run's shapes.
class Specialized {
public:
  Specialized(func::FuncOp entry, llvm::ArrayRef<NumpyArray> arguments);
  /// Notes choices on the ops. Before specialize.
  LogicalResult noteChoices(llvm::ArrayRef<TileChoice> choices, int64_t parts);
  LogicalResult specialize();
  func::FuncOp getEntry() { return entry; }
  /// The argument that `value` is, or null.
  const NumpyArray *getArgument(Value value);

private:
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
  llvm::ArrayRef<NumpyArray> arguments;
};

} // namespace

Specialized::Specialized(func::FuncOp source,
                         llvm::ArrayRef<NumpyArray> arguments)
    : module(source->getParentOfType<ModuleOp>().clone()),
      entry(module->lookupSymbol<func::FuncOp>(source.getName())),
      arguments(arguments) {}

LogicalResult Specialized::noteChoices(llvm::ArrayRef<TileChoice> choices,
                                       int64_t parts) {
  PassManager pm(module->getContext());
  pm.addPass(createLattnRaiseMemRefsPass());
  pm.addPass(createLattnExpandLocalMHAPass());
  pm.addPass(createLattnExpandMultiheadAttentionPass());
  pm.addPass(createLattnExpandLocalAttentionPass());
  pm.addPass(createCanonicalizerPass());
  if (failed(pm.run(*module)))
    return failure();
  OpBuilder b(module->getContext());
  module->walk([&](AttentionOp op) {
    const TileChoice *choice = llvm::find_if(
        choices, [&](const TileChoice &c) { return c.loc == op.getLoc(); });
    if (choice == choices.end() || choice->kernel.empty())
      return;
    noteTileSizes(op, choice->sizes);
    if (choice->byPairs)
      noteProductsByPairs(op);
    if (choice->valuesByPairs)
      noteValuesByPairs(op);
    if (choice->byAMX)
      op->setAttr(AMXTile::kAttribute, b.getUnitAttr());
    if (choice->isTuned)
      op->setAttr(kTuned, b.getUnitAttr());
    int64_t count = parts ? parts : chooseParts(op, choice->sizes);
    op->setAttr(kParts, b.getI64IntegerAttr(count));
  });
  return success();
}

/// Gives `argument` the shape of a run. What uses it sees the old type.
static void setShape(BlockArgument argument, llvm::ArrayRef<int64_t> shape) {
  auto type = dyn_cast<ShapedType>(argument.getType());
  if (!type || !type.hasRank() || type.hasStaticShape())
    return;
  Location loc = argument.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(argument.getOwner());
  argument.setType(cast<Type>(type.clone(shape)));
  if (isa<RankedTensorType>(type)) {
    auto cast = tensor::CastOp::create(b, loc, type, argument);
    argument.replaceAllUsesExcept(cast, cast);
    return;
  }
  auto cast = memref::CastOp::create(b, loc, type, argument);
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    auto raised = dyn_cast<bufferization::ToTensorOp>(user);
    if (!raised)
      continue;
    b.setInsertionPoint(raised);
    auto known = bufferization::ToTensorOp::create(
        b, loc, RankedTensorType::get(shape, type.getElementType()), argument,
        raised.getRestrict(), raised.getWritable());
    raised.replaceAllUsesWith(
        tensor::CastOp::create(b, loc, raised.getType(), known).getResult());
    raised.erase();
  }
  argument.replaceUsesWithIf(cast, [&](OpOperand &use) {
    return use.getOwner() != cast &&
           !isa<bufferization::ToTensorOp>(use.getOwner());
  });
}

LogicalResult Specialized::specialize() {
  for (auto [argument, array] :
       llvm::zip_equal(entry.getArguments(), arguments))
    setShape(argument, array.shape);
  Builder b(entry.getContext());
  entry.setType(b.getFunctionType(entry.getBody().getArgumentTypes(),
                                  entry.getResultTypes()));
  PassManager pm(module->getContext());
  pm.addPass(createInlinerPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(*module);
}

const NumpyArray *Specialized::getArgument(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &entry.front())
    return nullptr;
  return &arguments[argument.getArgNumber()];
}

namespace {

/// Counts the pairs of one op.
class PairCounter {
public:
  PairCounter(AttentionOp op, Specialized &run, AttentionWork &work)
      : op(op), work(work), window(op.getEffectiveWindow()) {
    lens = get(run, op.getKvLens(), "kv_lens");
    mask = get(run, op.getKeyMask(), "key_mask");
    if (Value offset = op.getOffset()) {
      APInt value(64, 0);
      if (matchPattern(offset, m_ConstantInt(&value)))
        constantOffset = value.getSExtValue();
      else
        offsets = get(run, offset, "offset");
    }
    if (!op.getOrigin().empty())
      work.unknown.push_back("origin");
  }

  void count() {
    for (int64_t b = 0; b < work.batches; ++b)
      countBatch(b);
  }

private:
  const NumpyArray *get(Specialized &run, Value value, StringRef name) {
    const NumpyArray *array = value ? run.getArgument(value) : nullptr;
    if (value && !array)
      work.unknown.push_back(name);
    return array;
  }

  static int64_t read(const NumpyArray &array, int64_t b) {
    return getInteger(array, array.shape.empty() ? 0 : b);
  }

  void countBatch(int64_t b);
  double countMasked(int64_t b, int64_t offset, int64_t numKeys);
  double countTiled(int64_t offset, int64_t numKeys);

  AttentionOp op;
  AttentionWork &work;
  WindowAttrInterface window;
  const NumpyArray *lens = nullptr, *mask = nullptr, *offsets = nullptr;
  std::optional<int64_t> constantOffset;
};

} // namespace

void PairCounter::countBatch(int64_t b) {
  int64_t length = lens ? read(*lens, b) : work.keys;
  int64_t offset = length - work.queries;
  if (constantOffset)
    offset = *constantOffset;
  else if (offsets)
    offset = read(*offsets, b);
  constexpr int64_t kMost = WindowAttr::kMaxExtent;
  offset = std::clamp(offset, -kMost, kMost);
  int64_t numKeys = std::clamp<int64_t>(length, 0, work.keys);
  work.places.push_back({offset, numKeys});
  double visible =
      mask ? countMasked(b, offset, numKeys)
           : countVisiblePairs(window, offset, work.queries, numKeys);
  work.visiblePairs += visible * work.heads;
  work.executedPairs += countTiled(offset, numKeys) * work.heads;
}

/// Visible pairs where a mask hides some keys.
double PairCounter::countMasked(int64_t b, int64_t offset, int64_t numKeys) {
  std::vector<int64_t> before(numKeys + 1);
  for (int64_t t = 0; t < numKeys; ++t)
    before[t + 1] = before[t] + (getInteger(*mask, b * work.keys + t) != 0);
  double pairs = 0;
  for (int64_t q = 0; q < work.queries; ++q) {
    KeyRange keys = getVisibleKeys(window, offset + q, numKeys);
    if (keys.size())
      pairs += before[keys.end] - before[keys.begin];
  }
  return pairs;
}

/// Pairs that tiles compute: all lanes against every touched key.
double PairCounter::countTiled(int64_t offset, int64_t numKeys) {
  if (!work.queryTile)
    return double(work.queries) * work.keys;
  double pairs = 0;
  for (int64_t q = 0; q < work.queries; q += work.queryTile) {
    int64_t last = std::min(q + work.queryTile, work.queries) - 1;
    TileKeys keys = getTileKeys(window, offset + q, offset + last, numKeys);
    pairs += double(work.queryTile) * keys.touched.size();
  }
  return pairs;
}

static std::string print(Attribute attribute) {
  std::string text;
  if (!attribute)
    return "full";
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

/// Shapes and names; nothing where a shape is not known.
static std::optional<AttentionWork> describe(AttentionOp op) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  auto value = cast<ShapedType>(op.getValue().getType());
  if (!query.hasStaticShape() || !key.hasStaticShape() ||
      !value.hasStaticShape())
    return std::nullopt;
  unsigned head = op.getHeadAxis(), position = op.getPositionAxis();
  AttentionWork work;
  work.batches = query.getDimSize(0);
  work.heads = query.getDimSize(head);
  work.queries = query.getDimSize(position);
  work.headDim = query.getDimSize(3);
  work.kvHeads = key.getDimSize(head);
  work.keys = key.getDimSize(position);
  work.valueDim = value.getDimSize(3);
  work.kind = *getElementKind(query.getElementType());
  work.byPairs = areProductsByPairs(op);
  work.valuesByPairs = areValuesByPairs(op);
  work.byAMX = op->hasAttr(AMXTile::kAttribute);
  work.layout = op.isBnhd() ? "bnhd" : "bhnd";
  work.window = print(op.getEffectiveWindow());
  work.geometry = op.getEffectiveWindow();
  work.hasKeyMask = bool(op.getKeyMask());
  TileSizes tiles = getTileSizes(op, {0, 0});
  work.queryTile = tiles.query;
  work.keyTile = tiles.key;
  work.isTuned = op->hasAttr(kTuned);
  if (auto parts = op->getAttrOfType<IntegerAttr>(kParts))
    work.parts = parts.getInt();
  return work;
}

/// Multiplications and additions of linalg's matrix products.
static void findMatmuls(func::FuncOp entry, std::vector<MatmulWork> &matmuls,
                        bool &complete) {
  entry.walk([&](linalg::LinalgOp op) {
    if (!linalg::isaContractionOpInterface(op))
      return;
    if (op.hasDynamicShape()) {
      complete = false;
      return;
    }
    double flops = 2;
    for (int64_t extent : op.getStaticLoopRanges())
      flops *= extent;
    Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
    matmuls.push_back({flops, element.isF64()});
  });
}

llvm::Expected<std::vector<AttentionWork>>
lattn::findWork(func::FuncOp entry, llvm::ArrayRef<NumpyArray> arguments,
                const CompileOptions &options, bool &complete,
                std::vector<MatmulWork> *matmuls) {
  llvm::Expected<std::vector<TileChoice>> choices =
      findTileChoices(entry, options);
  if (!choices)
    return choices.takeError();
  Specialized run(entry, arguments);
  complete = true;
  std::vector<AttentionWork> works;
  if (llvm::Error error = collectErrors(*entry.getContext(), [&] {
        return succeeded(run.noteChoices(*choices, options.parts)) &&
               succeeded(run.specialize());
      }))
    return error;
  run.getEntry().walk([&](AttentionOp op) {
    std::optional<AttentionWork> work = describe(op);
    if (!work) {
      complete = false;
      return;
    }
    PairCounter(op, run, *work).count();
    works.push_back(std::move(*work));
  });
  if (matmuls)
    findMatmuls(run.getEntry(), *matmuls, complete);
  return works;
}
