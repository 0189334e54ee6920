//===- SpecializeWarps.cpp - Warps that copy, warps that compute ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// On Hopper one thread keeps the copies of a whole block under way: a group of
// warps does that alone, with few registers, and leaves its own to the groups
// that compute.

#include "../StageShared/TiledRows.h"
#include "BoxSource.h"
#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSPECIALIZEWARPSPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using fragment::AnyNaNOp;
using fragment::LoadOp;
using fragment::MultiplyOp;
using fragment::TileType;
using fragment::WarpgroupMultiplyOp;
using fragment::WarpgroupWaitOp;

static constexpr int64_t kGroupThreads = 128;

/// Registers of a thread: of those that copy, and of those that compute; of
/// 65,536 of the multiprocessor's `blocks` blocks. None where nothing is known.
struct RegisterShares {
  int64_t copy, compute, blocks;
};
static std::optional<RegisterShares> getShares(int64_t groups) {
  switch (groups) { // that compute
  case 1:
    return RegisterShares{40, 216, 2};
  case 2:
    return RegisterShares{24, 240, 1};
  case 3:
    return RegisterShares{32, 160, 1};
  default:
    return std::nullopt;
  }
}

namespace {
/// A matrix on its way through shared memory: a stage for each of the tiles
/// that may be there at once.
struct Ring {
  BoxSource source;
  int64_t boxes, rows, stages;
  int64_t offset = 0; // bytes
  Value map;
  Value full, empty; // barriers, one for each stage

  int64_t getStageBytes() const { return boxes * rows * kBoxColumns * 2; }
};

/// Where a tile is in a ring.
struct Place {
  Value stage, parity; // index, i1
};

class Specializer {
public:
  Specializer(OpBuilder &b, gpu::LaunchOp launch, int64_t stages)
      : b(b), launch(launch), loc(launch.getLoc()), stages(stages) {}
  /// Whether the launch is of attention in tiles of 64 rows for four warps; if
  /// tensor maps alone are in the way, `reason` says why.
  LogicalResult analyze(std::string &reason);
  /// Whether tensor maps reach what the launch reads.
  Value buildCondition();
  void run();

private:
  FailureOr<Ring> addRing(Value matrix, int64_t rows, int64_t columns,
                          int64_t stages, std::string &reason);
  void createBarriers();
  void sinkQuery();
  void split();
  void produce(scf::IfOp roles);
  void consume(MultiplyOp multiply);
  Place getPlace(Value key, int64_t stages);
  Value getStageOffset(const Ring &ring, Value stage);
  Value getBoxes(const Ring &ring, Value stage);
  void fill(const Ring &ring, Value row, Place place);
  void waitFor(Value barriers, Value barrier, Value parity);
  void release(const Ring &ring, Value stage);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  OpBuilder &b;
  gpu::LaunchOp launch;
  Location loc;
  int64_t stages;
  SmallVector<scf::ForOp> loops; // each from where the one before ends
  int64_t step = 0, threads = 0, bytes = 0;
  LoadOp query;
  std::optional<Ring> queryRing, keyRing, valueRing;
  Value memory, thread;
  Operation *start = nullptr; // after which roles differ
};
} // namespace

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

FailureOr<Ring> Specializer::addRing(Value matrix, int64_t rows,
                                     int64_t columns, int64_t stages,
                                     std::string &reason) {
  FailureOr<BoxSource> source = findBoxSource(matrix, launch, reason);
  if (failed(source))
    return failure();
  Ring ring;
  ring.source = *source;
  ring.boxes = (columns + kBoxColumns - 1) / kBoxColumns;
  ring.rows = rows;
  ring.stages = stages;
  ring.offset = bytes;
  bytes += stages * ring.getStageBytes();
  return ring;
}

LogicalResult Specializer::analyze(std::string &reason) {
  Block &body = launch.getBody().front();
  for (auto loop : body.getOps<scf::ForOp>())
    if (!getMultiplies(loop).empty())
      loops.push_back(loop);
  if (loops.empty())
    return failure();
  for (size_t i = 1; i < loops.size(); ++i)
    if (loops[i - 1].getUpperBound() != loops[i].getLowerBound() ||
        loops[i - 1].getStep() != loops[i].getStep())
      return failure();
  std::optional<int64_t> constantStep = getConstantIntValue(loops[0].getStep());
  SmallVector<MultiplyOp> multiplies = getMultiplies(loops[0]);
  if (!constantStep || multiplies.size() != 2 ||
      !multiplies[0].getTransposed() || multiplies[1].getTransposed())
    return failure();
  memref::SubViewOp keys = getTiledRows(multiplies[0], loops[0]);
  memref::SubViewOp values = getTiledRows(multiplies[1], loops[0]);
  if (!keys || !values)
    return failure();
  step = *constantStep;
  query = multiplies[0].getLeft().getDefiningOp<LoadOp>();
  TileType output = multiplies[1].getType();
  if (!query || output.getWarps() % 4 || output.getRowGroups() != 1 ||
      output.getColumns() > 256 || step > 256)
    return failure();
  threads = 32 * output.getWarps();
  int64_t headDim = query.getType().getColumns();
  auto add = [&](std::optional<Ring> &ring, const char *name, Value matrix,
                 int64_t rows, int64_t columns, int64_t stages) {
    std::string why;
    FailureOr<Ring> added = addRing(matrix, rows, columns, stages, why);
    if (failed(added)) {
      reason = std::string(name) + ": " + why;
      return failure();
    }
    ring = *added;
    return success();
  };
  return failure(
      failed(add(queryRing, "query", query.getSource(), output.getRows(),
                 headDim, 1)) ||
      failed(add(keyRing, "key", keys.getSource(), step, headDim, stages)) ||
      failed(add(valueRing, "value", values.getSource(), step,
                 output.getColumns(), stages)));
}

//===----------------------------------------------------------------------===//
// Shared memory and its barriers
//===----------------------------------------------------------------------===//

void Specializer::createBarriers() {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  Value first =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, index(0));
  auto create = [&](const Ring &ring, int64_t arrivals) -> Value {
    auto type =
        nvgpu::MBarrierGroupType::get(b.getContext(), space, ring.stages);
    Value barriers = nvgpu::MBarrierCreateOp::create(b, loc, type);
    for (int64_t stage = 0; stage < ring.stages; ++stage)
      nvgpu::MBarrierInitOp::create(b, loc, barriers, index(arrivals),
                                    index(stage), first);
    return barriers;
  };
  for (Ring *ring : {&*queryRing, &*keyRing, &*valueRing}) {
    ring->full = create(*ring, 1);
    if (ring != &*queryRing) // each warp says that it has read
      ring->empty = create(*ring, threads / 32);
  }
  NVVM::FenceMbarrierInitOp::create(b, loc);
  start = gpu::BarrierOp::create(b, loc);
}

Place Specializer::getPlace(Value key, int64_t stages) {
  Value done = arith::SubIOp::create(b, loc, key, loops[0].getLowerBound());
  done = arith::DivUIOp::create(b, loc, done, index(step));
  Value round = arith::DivUIOp::create(b, loc, done, index(stages));
  Value odd = arith::AndIOp::create(b, loc, round, index(1));
  Place place;
  place.stage = arith::RemUIOp::create(b, loc, done, index(stages));
  place.parity =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, odd, index(0));
  return place;
}

Value Specializer::getStageOffset(const Ring &ring, Value stage) {
  Value at =
      b.createOrFold<arith::MulIOp>(loc, stage, index(ring.getStageBytes()));
  return b.createOrFold<arith::AddIOp>(loc, at, index(ring.offset));
}

Value Specializer::getBoxes(const Ring &ring, Value stage) {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto type = MemRefType::get({ring.boxes, ring.rows, kBoxColumns},
                              ring.source.getType().getElementType(),
                              MemRefLayoutAttrInterface(), space);
  return memref::ViewOp::create(b, loc, type, memory,
                                getStageOffset(ring, stage), ValueRange());
}

void Specializer::waitFor(Value barriers, Value barrier, Value parity) {
  constexpr int64_t ticks = 10'000'000; // before it is asked again
  nvgpu::MBarrierTryWaitParityOp::create(b, loc, barriers, parity, index(ticks),
                                         barrier);
}

/// A tile's rows, on their way when its stage is free.
void Specializer::fill(const Ring &ring, Value row, Place place) {
  if (ring.empty) {
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
    // The stages are free at first, as if a round before had ended.
    Value before = arith::XOrIOp::create(b, loc, place.parity, yes);
    waitFor(ring.empty, place.stage, before);
  }
  nvgpu::MBarrierArriveExpectTxOp::create(b, loc, ring.full,
                                          index(ring.getStageBytes()),
                                          place.stage, /*predicate=*/Value());
  BoxCopy copy;
  copy.map = ring.map;
  copy.row = row;
  copy.boxes = ring.boxes;
  copy.rows = ring.rows;
  copy.memory = memory;
  copy.offset = getStageOffset(ring, place.stage);
  copy.barriers = ring.full;
  copy.barrier = place.stage;
  buildBoxCopy(b, loc, ring.source, copy);
}

/// Tells that this warp has read a stage.
void Specializer::release(const Ring &ring, Value stage) {
  Value lane = arith::RemUIOp::create(b, loc, thread, index(32));
  Value first =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
  auto guard = scf::IfOp::create(b, loc, first);
  OpBuilder::InsertionGuard inserted(b);
  b.setInsertionPointToStart(guard.thenBlock());
  auto token = nvgpu::MBarrierTokenType::get(b.getContext());
  nvgpu::MBarrierArriveOp::create(b, loc, token, ring.empty, stage);
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Whether all threads may do `op`: addresses, bounds, and what is read for
/// them. What follows belongs to the warps that compute.
static bool isForAll(Operation &op) {
  if (op.getNumRegions() ||
      llvm::any_of(op.getResultTypes(), llvm::IsaPred<TileType>))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(&op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

void Specializer::produce(scf::IfOp roles) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(roles.thenBlock());
  if (auto shares = getShares(threads / kGroupThreads))
    NVVM::SetMaxRegisterOp::create(b, loc, shares->copy,
                                   NVVM::SetMaxRegisterAction::decrease);
  Value one = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread,
                                    index(threads));
  auto leader = scf::IfOp::create(b, loc, one);
  b.setInsertionPointToStart(leader.thenBlock());
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  fill(*queryRing, index(0), {index(0), no});
  auto loop = scf::ForOp::create(b, loc, loops.front().getLowerBound(),
                                 loops.back().getUpperBound(), index(step));
  b.setInsertionPointToStart(loop.getBody());
  Place place = getPlace(loop.getInductionVar(), stages);
  fill(*keyRing, loop.getInductionVar(), place);
  fill(*valueRing, loop.getInductionVar(), place);
}

/// A product with a tile of keys or of values, which is waited for, and then
/// its stage released.
void Specializer::consume(MultiplyOp multiply) {
  bool isKey = multiply.getTransposed();
  const Ring &ring = isKey ? *keyRing : *valueRing;
  b.setInsertionPoint(multiply);
  auto loop = multiply->getParentOfType<scf::ForOp>();
  Place place = getPlace(loop.getInductionVar(), stages);
  waitFor(ring.full, place.stage, place.parity);
  Value left = isKey ? getBoxes(*queryRing, index(0)) : multiply.getLeft();
  int64_t inner = multiply.getLeft().getType().getColumns();
  Value product = WarpgroupMultiplyOp::create(
      b, loc, multiply.getType(), left, getBoxes(ring, place.stage),
      isKey ? Value() : multiply.getAccumulator(), inner, isKey);
  SmallVector<Value> waited = {product};
  if (!isKey) // its registers are read until then
    waited.push_back(left);
  auto wait = WarpgroupWaitOp::create(b, loc, waited, /*pending=*/0);
  release(ring, place.stage);
  multiply.replaceAllUsesWith(wait.getResult(0));
  multiply.erase();
}

/// What repeats the work for values that are not finite reads the queries by
/// itself: seldom, so that nobody waits for them otherwise.
void Specializer::sinkQuery() {
  if (query->use_empty())
    return query->erase();
  Operation *user = *query->user_begin();
  Operation *repeat = launch.getBody().front().findAncestorOpInBlock(*user);
  Block *block = user->getBlock();
  while (block->getParentOp() != repeat)
    block = block->getParentOp()->getBlock();
  query->moveBefore(&block->front());
}

void Specializer::split() {
  Block &body = launch.getBody().front();
  llvm::SetVector<Operation *> own;
  bool reads = true; // nothing before may have written
  for (Operation &op : llvm::make_range(std::next(start->getIterator()),
                                        body.getTerminator()->getIterator())) {
    bool isOwn = !isForAll(op) || (!reads && !isMemoryEffectFree(&op)) ||
                 llvm::any_of(op.getOperands(), [&](Value operand) {
                   return own.contains(operand.getDefiningOp());
                 });
    if (isOwn)
      own.insert(&op);
    reads &= !isOwn || isa<fragment::SplatOp>(op);
  }
  b.setInsertionPoint(body.getTerminator());
  Value isProducer = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                           thread, index(threads));
  auto roles = scf::IfOp::create(b, loc, isProducer, /*else=*/true);
  for (Operation *op : own)
    op->moveBefore(roles.elseBlock()->getTerminator());
  b.setInsertionPointToStart(roles.elseBlock());
  if (auto shares = getShares(threads / kGroupThreads))
    NVVM::SetMaxRegisterOp::create(b, loc, shares->compute,
                                   NVVM::SetMaxRegisterAction::increase);
  Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
  waitFor(queryRing->full, index(0), no);
  b.setInsertionPoint(roles);
  produce(roles);
}

/// Pointers and strides are known at the launch only.
Value Specializer::buildCondition() {
  Value fit;
  for (Ring *ring : {&*queryRing, &*keyRing, &*valueRing}) {
    Value fits = buildFits(b, loc, ring->source);
    fit = fit ? arith::AndIOp::create(b, loc, fit, fits).getResult() : fits;
  }
  return fit;
}

void Specializer::run() {
  b.setInsertionPoint(launch);
  for (Ring *ring : {&*queryRing, &*keyRing, &*valueRing})
    ring->map = createTensorMap(b, loc, ring->source, ring->rows);
  launch.getBlockSizeXMutable().assign(index(threads + kGroupThreads));
  Value total = arith::ConstantIntOp::create(b, loc, bytes, 32);
  launch.getDynamicSharedMemorySizeMutable().assign(total);
  b.setInsertionPointToStart(&launch.getBody().front());
  thread = launch.getThreadIds().x;
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  memory = gpu::DynamicSharedMemoryOp::create(
      b, loc,
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                      MemRefLayoutAttrInterface(), space));
  createBarriers();
  for (scf::ForOp loop : loops)
    for (MultiplyOp multiply : getMultiplies(loop))
      consume(multiply);
  sinkQuery();
  split();
}

/// Launches that multiply, of those that `reachable` chooses.
static SmallVector<gpu::LaunchOp> getLaunches(fragment::ReachableOp reachable) {
  SmallVector<gpu::LaunchOp> launches;
  for (Operation *user : reachable->getUsers())
    if (auto choice = dyn_cast<scf::IfOp>(user))
      choice.getThenRegion().walk([&](gpu::LaunchOp launch) {
        if (launch.walk([](MultiplyOp) { return WalkResult::interrupt(); })
                .wasInterrupted())
          launches.push_back(launch);
      });
  return launches;
}

namespace {
struct SpecializeWarps
    : lattn::impl::LattnSpecializeWarpsPassBase<SpecializeWarps> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<fragment::ReachableOp> choices;
    getOperation()->walk(
        [&](fragment::ReachableOp op) { choices.push_back(op); });
    OpBuilder b(&getContext());
    for (fragment::ReachableOp op : choices)
      specialize(b, op);
  }

  /// Specializes what `reachable` chooses, if all of it can be.
  void specialize(OpBuilder &b, fragment::ReachableOp reachable) {
    SmallVector<Specializer, 0> specializers;
    bool reaches = true;
    for (gpu::LaunchOp launch : getLaunches(reachable)) {
      specializers.emplace_back(b, launch, stages);
      std::string reason;
      if (succeeded(specializers.back().analyze(reason)))
        continue;
      launch.emitRemark("tensor maps cannot reach its arrays, so the kernel is "
                        "that of earlier GPUs: ")
          << (reason.empty() ? "they are multiplied in no chain of loops"
                             : reason);
      reaches = false;
    }
    Location loc = reachable.getLoc();
    b.setInsertionPoint(reachable);
    Value fits = arith::ConstantIntOp::create(b, loc, reaches, 1);
    for (Specializer &specializer : specializers) {
      if (!reaches)
        break;
      b.setInsertionPoint(reachable);
      fits = arith::AndIOp::create(b, loc, fits, specializer.buildCondition());
      specializer.run();
    }
    reachable.replaceAllUsesWith(fits);
    reachable.erase();
  }
};
} // namespace
