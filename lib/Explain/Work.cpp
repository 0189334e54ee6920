//===- Work.cpp - What an entry's attention ops have to compute -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Explain/Work.h"
#include "KnownOperands.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Explain/Specialized.h"
#include "lattn/Target/AMXTile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

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
      AMXTile::chooseBlock(llvm::divideCeil(work.sizes.query, AMXTile::rows));
  AMXCycles step(work.sizes.key, vectors, work.headDim, work.valueDim);
  double count = work.sizes.key * vectors;
  products = step.products / count;
  loads = step.loads / count;
}

PeakKind lattn::getPeakKind(const AttentionWork &work) {
  if (work.kind == ElementKind::F64)
    return PeakKind::F64;
  switch (work.products) {
  case BF16Products::AMX:
    return PeakKind::AMX;
  case BF16Products::Dot:
    return PeakKind::BF16Dot;
  case BF16Products::EmulatedDot: // at least an FMA for each product
  case BF16Products::Widened:
    return PeakKind::F32;
  }
  llvm_unreachable("unknown products");
}

PeakKind lattn::getPeakKind(llvm::ArrayRef<AttentionWork> works,
                            llvm::ArrayRef<MatmulWork> matmuls) {
  std::optional<PeakKind> highest;
  auto consider = [&](PeakKind kind) {
    if (!highest || getSpeed(kind) > getSpeed(*highest))
      highest = kind;
  };
  for (const AttentionWork &work : works)
    consider(getPeakKind(work));
  for (const MatmulWork &matmul : matmuls)
    consider(matmul.kind);
  return highest.value_or(PeakKind::F32);
}

double lattn::getBound(const AttentionWork &work) {
  if (!work.executedPairs)
    return 0;
  double useful = work.visiblePairs / work.executedPairs;
  PeakKind kind = getPeakKind(work);
  double depth = work.headDim + work.valueDim;
  if (kind == PeakKind::AMX) // 16 x 16 x 32 multiply-adds in 16 cycles
    return useful * depth / 32 / AMXBound(work).get();
  double products = depth / (kind == PeakKind::BF16Dot ? 2 : 1);
  // Scores in f32 take as many FMAs as there are elements.
  double more =
      kind == PeakKind::BF16Dot && work.hasWideScores ? work.headDim / 2.0 : 0;
  return useful * products / (products + more + kExpInstructions);
}

double lattn::getBound(llvm::ArrayRef<AttentionWork> works,
                       llvm::ArrayRef<MatmulWork> matmuls, PeakKind kind) {
  double useful = 0, least = 0;
  auto add = [&](double flops, double bound, PeakKind own) {
    if (!bound)
      return;
    useful += flops;
    least += flops / bound * getSpeed(kind) / getSpeed(own);
  };
  for (const AttentionWork &work : works)
    add(work.getUsefulFlops(), getBound(work), getPeakKind(work));
  for (const MatmulWork &matmul : matmuls)
    add(matmul.flops, 1, matmul.kind);
  return least ? useful / least : 0;
}

static std::string print(Attribute attribute) {
  std::string text;
  if (!attribute)
    return "full";
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

/// Whether `loc` is that of the op at `source`, or of a copy where its function
/// was inlined.
static bool isAt(Location loc, Location source) {
  while (loc != source) {
    auto inlined = dyn_cast<CallSiteLoc>(loc);
    if (!inlined)
      return false;
    loc = inlined.getCallee();
  }
  return true;
}

/// What was chosen for `op`, whose shapes are a run's; null: naive loops.
static const TileChoice *findChoice(AttentionOp op,
                                    llvm::ArrayRef<TileChoice> choices) {
  // For any queries, and for one and few, where those have kernels of their
  // own.
  const TileChoice *any = nullptr, *few = nullptr, *one = nullptr;
  for (const TileChoice &choice : choices) {
    const TileChoice *&found = choice.isGrouped      ? one
                               : choice.isOfFeatures ? few
                                                     : any;
    if (!found && !choice.kernel.empty() && isAt(op.getLoc(), choice.loc))
      found = &choice;
  }
  int64_t queries = cast<ShapedType>(op.getQuery().getType())
                        .getDimSize(op.getPositionAxis());
  if (one && ((!any && !few) || queries == 1))
    return one;
  if (few && (!any || queries <= few->sizes.query))
    return few;
  return any;
}

/// Rows of a tile that its kernel takes at once.
static int64_t getRowGroup(const TileChoice &choice, const TargetInfo &target) {
  if (choice.isOfFeatures)
    return 1;
  int64_t lanes = std::max<int64_t>(1, target.getLanes(choice.isF64 ? 64 : 32));
  int64_t vectors = llvm::divideCeil(choice.sizes.query, lanes);
  AttentionBlock block =
      choice.products == BF16Products::AMX
          ? AMXTile::chooseBlock(vectors)
          : chooseAttentionBlock(target.vectorBits, target.vectorRegisters,
                                 vectors);
  return block.vectors * lanes;
}

/// What a mask hides of `shown`, nonzero: visible.
static std::vector<KeyRange> getHidden(llvm::ArrayRef<char> shown) {
  std::vector<KeyRange> hidden;
  for (auto [t, isVisible] : llvm::enumerate(shown)) {
    int64_t key = t;
    if (isVisible)
      continue;
    if (hidden.empty() || hidden.back().end != key)
      hidden.push_back({key, key});
    hidden.back().end = key + 1;
  }
  return hidden;
}

/// Pairs that the kernel computes for one head of the planned batch.
static double countExecuted(const TilePlan &plan, int64_t rowGroup,
                            const AttentionWork &work) {
  double executed = plan.countExecuted(rowGroup);
  if (!work.valueRows)
    return executed;
  TileSizes block = {work.valueRows, work.sizes.key};
  double ofValues =
      TilePlan(plan.getDomain(), block).countExecuted(work.valueRows);
  return (work.headDim * executed + work.valueDim * ofValues) /
         (work.headDim + work.valueDim);
}

/// Plans each batch and counts its pairs.
static void planBatches(AttentionOp op, Specialized &run, int64_t rowGroup,
                        AttentionWork &work) {
  KnownOperands operands(op, run, work);
  int64_t rows = work.isGrouped
                     ? work.heads / std::max<int64_t>(1, work.kvHeads)
                     : work.queries;
  TileDomain domain = {op.getEffectiveWindow(), rows,           work.keys, 0, 0,
                       work.isGrouped,          work.hasKeyMask};
  domain.keyOrigin = work.getOrigin()[3];
  llvm::ArrayRef<char> first;
  for (int64_t b = 0; b < work.batches; ++b) {
    domain.numKeys = std::clamp<int64_t>(operands.getLength(b), 0, work.keys);
    domain.offset = operands.getOffset(b, domain.numKeys);
    const TilePlan &plan =
        work.plans.emplace_back(domain, work.sizes, work.parts);
    llvm::ArrayRef<char> shown = operands.getMask(b);
    if (b == 0) {
      first = shown;
      work.hiddenKeys = getHidden(shown);
    }
    work.masksDiffer |= shown != first;
    work.visiblePairs += double(plan.countVisible(shown)) * work.planHeads;
    work.executedPairs += countExecuted(plan, rowGroup, work) * work.planHeads;
  }
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
  AttentionWork work = {};
  work.batches = query.getDimSize(0);
  work.heads = query.getDimSize(head);
  work.queries = query.getDimSize(position);
  work.headDim = query.getDimSize(3);
  work.kvHeads = key.getDimSize(head);
  work.keys = key.getDimSize(position);
  work.valueDim = value.getDimSize(3);
  work.kind = *getElementKind(query.getElementType());
  work.layout = op.isBnhd() ? "bnhd" : "bhnd";
  work.window = print(op.getEffectiveWindow());
  work.hasWindow = bool(op.getEffectiveWindow());
  work.hasKeyMask = bool(op.getKeyMask());
  return work;
}

static PeakKind getPeakKind(linalg::LinalgOp matmul, BF16Products bf16) {
  auto isBF16 = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isBF16();
  };
  if (getElementTypeOrSelf(matmul.getDpsInits()[0].getType()).isF64())
    return PeakKind::F64;
  return bf16 == BF16Products::Dot &&
                 llvm::all_of(matmul.getDpsInputs(), isBF16)
             ? PeakKind::BF16Dot
             : PeakKind::F32;
}

/// Multiplications and additions of linalg's matrix products.
static void findMatmuls(func::FuncOp entry, BF16Products bf16,
                        std::vector<MatmulWork> &matmuls, bool &complete) {
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
    matmuls.push_back({flops, ::getPeakKind(op, bf16)});
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
  llvm::Expected<TargetInfo> target = getTarget(options);
  if (!target)
    return target.takeError();
  Specialized run(entry, arguments);
  complete = true;
  std::vector<AttentionWork> works;
  // An operation may be invalid with these sizes. The call says so, at the
  // operation of the program: here composite operations are expanded.
  if (llvm::Error error = collectErrors(
          *entry.getContext(), [&] { return succeeded(run.specialize()); })) {
    llvm::consumeError(std::move(error));
    complete = false;
    return works;
  }
  run.getEntry().walk([&](AttentionOp op) {
    std::optional<AttentionWork> work = describe(op);
    if (!work) {
      complete = false;
      return;
    }
    int64_t rowGroup = 1;
    if (const TileChoice *choice = findChoice(op, *choices)) {
      static_cast<ChosenTiles &>(*work) = *choice;
      rowGroup = getRowGroup(*choice, *target);
    }
    work->planHeads = work->isGrouped ? work->kvHeads : work->heads;
    planBatches(op, run, rowGroup, *work);
    works.push_back(std::move(*work));
  });
  if (matmuls)
    findMatmuls(run.getEntry(), target->bf16, *matmuls, complete);
  return works;
}
