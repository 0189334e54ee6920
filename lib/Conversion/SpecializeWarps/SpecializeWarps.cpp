//===- SpecializeWarps.cpp - Warps that copy, warps that compute ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// On Hopper one thread keeps the copies of a whole block under way: a group of
// warps does that alone, with few registers, and leaves its own to the groups
// that compute. It is ahead of them, also where a block has several items: keys
// of the next arrive while the last of this one are multiplied.

#include "../StageShared/TiledRows.h"
#include "Items.h"
#include "OutputBoxes.h"
#include "Ring.h"
#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

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

using fragment::kGroupThreads;

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
class Specializer {
public:
  Specializer(OpBuilder &b, gpu::LaunchOp launch, int64_t stages,
              int64_t multiprocessors)
      : b(b), launch(launch), loc(launch.getLoc()), stages(stages),
        multiprocessors(multiprocessors) {}
  /// Whether the launch is of attention in tiles of 64 rows for four warps; if
  /// tensor maps alone are in the way, `reason` says why.
  LogicalResult analyze(std::string &reason);
  /// Whether tensor maps reach what the launch reads.
  Value buildCondition();
  void run();

private:
  /// What a role carries from item to item: the number of tiles that went
  /// through the rings (i32), and whether that of queries was odd.
  struct Progress {
    Value tiles, queries;
  };
  LogicalResult findProducts();
  LogicalResult findRings(std::string &reason);
  LogicalResult findRepeat();
  LogicalResult findAddresses();
  void findTiles();
  FailureOr<Ring> addRing(Value matrix, int64_t rows, int64_t columns,
                          int64_t stages, std::string &reason);
  void prepareLaunch();
  void orderItems(Value words);
  Value countSteps(Value tile);
  void produce(Block *role);
  void consume(Block *role);
  void convert(MultiplyOp multiply, Value tilesBefore);
  void takeRepeatOut(const ItemLoop &itemLoop);
  void repeat();
  Value isAnyTile(Value first, Value last);
  Progress advance(Value first, Value last, Value any, Progress before);
  Place getPlace(Value key, Value first, Value tilesBefore);
  Place getQueryPlace(Value parity) { return {index(0), parity}; }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value i32(int64_t value) {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  }
  Value no() { return arith::ConstantIntOp::create(b, loc, 0, 1); }

  OpBuilder &b;
  gpu::LaunchOp launch;
  Location loc;
  int64_t stages, multiprocessors;
  SmallVector<Operation *> item; // what is done for one
  SmallVector<scf::ForOp> loops; // each from where the one before ends
  int64_t step = 0, warps = 0, bytes = 0;
  LoadOp query;
  TileType output;
  std::optional<Ring> queryRing, keyRing, valueRing;
  std::optional<OutputBoxes> outputBoxes;
  AnyNaNOp check;                         // whether an item is done again
  scf::IfOp again;                        // which does it
  llvm::SetVector<Operation *> addresses; // of what is copied, and bounds
  std::optional<RingBuilder> rings;
  Items items;
  bool walksItems = false; // blocks are fewer
  Value noted; // in shared memory, the first word: the items to do again
};
} // namespace

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

LogicalResult Specializer::findProducts() {
  for (auto loop : launch.getBody().front().getOps<scf::ForOp>())
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
  step = *constantStep;
  query = multiplies[0].getLeft().getDefiningOp<LoadOp>();
  output = multiplies[1].getType();
  warps = output.getWarps();
  return success(query && warps % 4 == 0 && output.getRowGroups() == 1 &&
                 output.getColumns() <= 256 && step <= 256);
}

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

LogicalResult Specializer::findRings(std::string &reason) {
  SmallVector<MultiplyOp> multiplies = getMultiplies(loops[0]);
  memref::SubViewOp keys = getTiledRows(multiplies[0], loops[0]);
  memref::SubViewOp values = getTiledRows(multiplies[1], loops[0]);
  if (!keys || !values)
    return failure();
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
  int64_t headDim = query.getType().getColumns();
  return failure(
      failed(add(queryRing, "query", query.getSource(), output.getRows(),
                 headDim, 1)) ||
      failed(add(keyRing, "key", keys.getSource(), step, headDim, stages)) ||
      failed(add(valueRing, "value", values.getSource(), step,
                 output.getColumns(), stages)));
}

/// What does an item again, for values that are not finite.
LogicalResult Specializer::findRepeat() {
  auto checks = launch.getBody().front().getOps<AnyNaNOp>();
  if (checks.empty())
    return success();
  check = *checks.begin();
  if (!llvm::hasSingleElement(checks) || !check->hasOneUse())
    return failure();
  again = dyn_cast<scf::IfOp>(*check->user_begin());
  if (!again || again->getBlock() != check->getBlock() ||
      !llvm::hasSingleElement(*again.elseBlock()))
    return failure();
  return success(llvm::all_of(loops.back()->getUsers(), [&](Operation *user) {
    return user == check || again->isAncestor(user);
  }));
}

/// Whether all threads may do `op`: addresses, bounds, and what is read for
/// them.
static bool isForAll(Operation &op) {
  if (op.getNumRegions() ||
      llvm::any_of(op.getResultTypes(), llvm::IsaPred<TileType>))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(&op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

/// What the thread that copies has to know of an item.
LogicalResult Specializer::findAddresses() {
  llvm::SetVector<Value> wanted;
  wanted.insert(loops.front().getLowerBound());
  wanted.insert(loops.back().getUpperBound());
  for (Ring *ring : {&*queryRing, &*keyRing, &*valueRing})
    for (OpFoldResult offset : ring->source.first)
      if (auto value = dyn_cast<Value>(offset))
        wanted.insert(value);
  for (Operation &op :
       llvm::reverse(launch.getBody().front().without_terminator())) {
    if (llvm::none_of(op.getResults(),
                      [&](Value result) { return wanted.contains(result); }))
      continue;
    if (!isForAll(op))
      return failure();
    addresses.insert(&op);
    wanted.insert_range(op.getOperands());
  }
  return success();
}

/// Which tile of queries of a head an item is: its last index
/// (lattn-map-to-gpu).
void Specializer::findTiles() {
  Value block = launch.getBlockIds().x;
  items.all = items.tiles = launch.getGridSizeX();
  items.tile = block;
  items.queries = output.getRows();
  items.keys = step;
  for (Operation *user : block.getUsers()) {
    auto index = dyn_cast<arith::RemUIOp>(user);
    if (!index || index.getLhs() != block ||
        launch.getBody().isAncestor(index.getRhs().getParentRegion()))
      continue;
    items.tiles = index.getRhs();
    items.tile = index;
  }
}

LogicalResult Specializer::analyze(std::string &reason) {
  if (failed(findProducts()) || failed(findRings(reason)) ||
      failed(findRepeat()) || failed(findAddresses()))
    return failure();
  outputBoxes = findOutputBoxes(launch, output, *queryRing);
  findTiles();
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value Specializer::isAnyTile(Value first, Value last) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, first, last);
}

Specializer::Progress Specializer::advance(Value first, Value last, Value any,
                                           Progress before) {
  Value keys = arith::SubIOp::create(b, loc, last, first);
  keys = arith::IndexCastOp::create(b, loc, b.getI32Type(), keys);
  keys = arith::AddIOp::create(b, loc, keys, i32(step - 1));
  Value tiles = arith::DivUIOp::create(b, loc, keys, i32(step));
  tiles = arith::SelectOp::create(b, loc, any, tiles, i32(0));
  tiles = arith::AddIOp::create(b, loc, before.tiles, tiles);
  Progress next;
  // Of two rounds only the parities differ.
  next.tiles = arith::RemUIOp::create(b, loc, tiles, i32(2 * stages));
  next.queries = arith::XOrIOp::create(b, loc, before.queries, any);
  return next;
}

Place Specializer::getPlace(Value key, Value first, Value tilesBefore) {
  Value done = arith::SubIOp::create(b, loc, key, first);
  done = arith::IndexCastOp::create(b, loc, b.getI32Type(), done);
  done = arith::DivUIOp::create(b, loc, done, i32(step));
  done = arith::AddIOp::create(b, loc, done, tilesBefore);
  return rings->getPlace(done, stages);
}

//===----------------------------------------------------------------------===//
// The role that copies
//===----------------------------------------------------------------------===//

void Specializer::produce(Block *role) {
  b.setInsertionPointToStart(role);
  int64_t threads = 32 * warps;
  if (auto shares = getShares(threads / kGroupThreads))
    NVVM::SetMaxRegisterOp::create(b, loc, shares->copy,
                                   NVVM::SetMaxRegisterAction::decrease);
  Value one = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                    launch.getThreadIds().x, index(threads));
  auto leader = scf::IfOp::create(b, loc, one);
  b.setInsertionPointToStart(leader.thenBlock());
  ItemLoop itemLoop(b, launch, items, {i32(0), no()});
  Progress before = {itemLoop.getCarried()[0], itemLoop.getCarried()[1]};
  IRMapping mapping;
  mapping.map(launch.getBlockIds().x, itemLoop.getItem());
  for (Operation *op : item)
    if (addresses.contains(op))
      b.clone(*op, mapping);
  auto at = [&](BoxSource source) {
    for (OpFoldResult &offset : source.first)
      if (auto value = dyn_cast<Value>(offset))
        offset = mapping.lookupOrDefault(value);
    return source;
  };
  Value first = mapping.lookupOrDefault(loops.front().getLowerBound());
  Value last = mapping.lookupOrDefault(loops.back().getUpperBound());
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), value);
  };
  auto keys = scf::ForOp::create(b, loc, narrow(first), narrow(last), i32(step),
                                 before.tiles);
  Progress next;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(keys.getBody());
    Value key = keys.getInductionVar(), number = keys.getRegionIterArg(0);
    Value row = arith::IndexCastOp::create(b, loc, b.getIndexType(), key);
    Place place = rings->getPlace(number, stages);
    rings->fill(*keyRing, at(keyRing->source), row, place);
    // The queries before are wanted longer than the first stages of keys.
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, key,
                                          keys.getLowerBound());
    auto once = scf::IfOp::create(b, loc, isFirst);
    b.setInsertionPointToStart(once.thenBlock());
    rings->fill(*queryRing, at(queryRing->source), index(0),
                getQueryPlace(before.queries));
    b.setInsertionPointAfter(once);
    rings->fill(*valueRing, at(valueRing->source), row, place);
    Value another = arith::AddIOp::create(b, loc, number, i32(1));
    scf::YieldOp::create(b, loc, another);
  }
  // Of two rounds only the parities differ.
  next.tiles =
      arith::RemUIOp::create(b, loc, keys.getResult(0), i32(2 * stages));
  next.queries =
      arith::XOrIOp::create(b, loc, before.queries, isAnyTile(first, last));
  itemLoop.yield(b, {next.tiles, next.queries});
}

//===----------------------------------------------------------------------===//
// The role that computes
//===----------------------------------------------------------------------===//

/// A product with a tile of keys or of values, which is waited for, and then
/// its stage released.
void Specializer::convert(MultiplyOp multiply, Value tilesBefore) {
  bool isKey = multiply.getTransposed();
  const Ring &ring = isKey ? *keyRing : *valueRing;
  b.setInsertionPoint(multiply);
  auto loop = multiply->getParentOfType<scf::ForOp>();
  Place place = getPlace(loop.getInductionVar(), loops.front().getLowerBound(),
                         tilesBefore);
  rings->waitFor(ring.full, place);
  Value left =
      isKey ? rings->getBoxes(*queryRing, index(0)) : multiply.getLeft();
  int64_t inner = multiply.getLeft().getType().getColumns();
  Value product = WarpgroupMultiplyOp::create(
      b, loc, multiply.getType(), left, rings->getBoxes(ring, place.stage),
      isKey ? Value() : multiply.getAccumulator(), inner, isKey);
  SmallVector<Value> waited = {product};
  if (!isKey) // its registers are read until then
    waited.push_back(left);
  auto wait = WarpgroupWaitOp::create(b, loc, waited, /*pending=*/0);
  rings->release(ring, place.stage);
  multiply.replaceAllUsesWith(wait.getResult(0));
  multiply.erase();
}

/// Notes in shared memory that this item is to be done again, in the bit of its
/// number, which one of 32 has: no register is held for it, and nobody waits.
void Specializer::takeRepeatOut(const ItemLoop &itemLoop) {
  b.setInsertionPoint(check);
  Value isNaN =
      fragment::HasNaNOp::create(b, loc, b.getI1Type(), check.getSource());
  auto note = scf::IfOp::create(b, loc, isNaN);
  b.setInsertionPointToStart(note.thenBlock());
  Value bit = arith::AndIOp::create(b, loc, itemLoop.getNumber(), i32(31));
  bit = arith::ShLIOp::create(b, loc, i32(1), bit);
  memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::ori, bit, noted,
                              index(0));
  again.replaceAllUsesWith(
      cast<scf::YieldOp>(again.elseBlock()->getTerminator()).getOperands());
  again.erase();
  check.erase();
}

/// A loop over the items that were noted: by now nothing is on its way to
/// shared memory, which serves as for earlier GPUs.
void Specializer::repeat() {
  if (outputBoxes) // on their way to where the items are stored again
    NVVM::CpAsyncBulkWaitGroupOp::create(b, loc, 0, /*read=*/UnitAttr());
  fragment::createBarrierOf(b, loc, 32 * warps);
  Value seen = memref::LoadOp::create(b, loc, noted, index(0));
  auto ifAny = [&](Value bits) {
    Value any =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bits, i32(0));
    auto choice = scf::IfOp::create(b, loc, any);
    b.setInsertionPointToStart(choice.thenBlock());
  };
  ifAny(seen);
  ItemLoop itemLoop(b, launch, items, {});
  Value bit = arith::AndIOp::create(b, loc, itemLoop.getNumber(), i32(31));
  bit = arith::ShLIOp::create(b, loc, i32(1), bit);
  ifAny(arith::AndIOp::create(b, loc, seen, bit));
  // What the one before read is not needed any more.
  fragment::createBarrierOf(b, loc, 32 * warps);
  IRMapping mapping;
  mapping.map(launch.getBlockIds().x, itemLoop.getItem());
  for (Operation *op : item) {
    if (op == again) {
      for (Operation &inner : again.thenBlock()->without_terminator())
        b.clone(inner, mapping);
      auto yield = cast<scf::YieldOp>(again.thenBlock()->getTerminator());
      for (auto [result, value] :
           llvm::zip_equal(again.getResults(), yield.getOperands()))
        mapping.map(result, mapping.lookupOrDefault(value));
      continue;
    }
    if (op != check && !llvm::is_contained(loops, op))
      b.clone(*op, mapping);
  }
  itemLoop.yield(b, {});
}

void Specializer::consume(Block *role) {
  b.setInsertionPointToStart(role);
  if (auto shares = getShares(32 * warps / kGroupThreads))
    NVVM::SetMaxRegisterOp::create(b, loc, shares->compute,
                                   NVVM::SetMaxRegisterAction::increase);
  ItemLoop itemLoop(b, launch, items, {i32(0), no()});
  Progress before = {itemLoop.getCarried()[0], itemLoop.getCarried()[1]};
  if (check) {
    b.setInsertionPoint(role->getTerminator());
    repeat();
  }
  for (Operation *op : item) {
    op->moveBefore(itemLoop.getBody(), itemLoop.getBody()->end());
    op->walk([&](Operation *inner) {
      inner->replaceUsesOfWith(launch.getBlockIds().x, itemLoop.getItem());
    });
  }
  if (check)
    takeRepeatOut(itemLoop);
  Value first = loops.front().getLowerBound();
  Value last = loops.back().getUpperBound();
  b.setInsertionPoint(loops.front());
  Value any = isAnyTile(first, last);
  auto guard = scf::IfOp::create(b, loc, any);
  b.setInsertionPointToStart(guard.thenBlock());
  rings->waitFor(queryRing->full, getQueryPlace(before.queries));
  for (scf::ForOp loop : loops)
    for (MultiplyOp multiply : getMultiplies(loop))
      convert(multiply, before.tiles);
  b.setInsertionPointAfter(loops.back());
  if (outputBoxes)
    storeByBoxes(b, launch, *outputBoxes, *rings, *queryRing, any);
  rings->release(*queryRing, index(0), any);
  query->erase();
  b.setInsertionPointToEnd(itemLoop.getBody());
  Progress next = advance(first, last, any, before);
  itemLoop.yield(b, {next.tiles, next.queries});
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// Pointers and strides are known at the launch only.
Value Specializer::buildCondition() {
  Value fit;
  for (Ring *ring : {&*queryRing, &*keyRing, &*valueRing}) {
    Value fits = buildFits(b, loc, ring->source);
    fit = fit ? arith::AndIOp::create(b, loc, fit, fits).getResult() : fits;
  }
  if (outputBoxes)
    fit = arith::AndIOp::create(b, loc, fit,
                                buildFits(b, loc, outputBoxes->dest));
  return fit;
}

void Specializer::prepareLaunch() {
  b.setInsertionPoint(launch);
  for (Ring *ring : {&*queryRing, &*keyRing, &*valueRing})
    ring->map = createTensorMap(b, loc, ring->source, ring->rows);
  if (outputBoxes)
    outputBoxes->map =
        createTensorMap(b, loc, outputBoxes->dest, fragment::kGroupRows);
  auto shares = getShares(32 * warps / kGroupThreads);
  int64_t most = multiprocessors * (shares ? shares->blocks : 1);
  // Parts of the keys are no more than blocks that run at a time.
  FlatSymbolRefAttr kernel = launch.getFunctionAttr();
  bool isPart = kernel && kernel.getValue().ends_with("_split");
  walksItems = most && !isPart;
  if (walksItems)
    launch.getGridSizeXMutable().assign(
        b.createOrFold<arith::MinSIOp>(loc, items.all, index(most)));
  launch.getBlockSizeXMutable().assign(index(32 * warps + kGroupThreads));
  launch.getDynamicSharedMemorySizeMutable().assign(i32(bytes + 4 * kWords));
}

/// Steps over keys of a tile of the first head, and batch.
Value Specializer::countSteps(Value tile) {
  IRMapping mapping;
  mapping.map(launch.getBlockIds().x, index(0));
  mapping.map(items.tile, tile);
  for (Operation *op : item)
    if (addresses.contains(op) && op != items.tile.getDefiningOp())
      b.clone(*op, mapping);
  Value first = mapping.lookupOrDefault(loops.front().getLowerBound());
  Value last = mapping.lookupOrDefault(loops.back().getUpperBound());
  Value keys = arith::SubIOp::create(b, loc, last, first);
  keys = arith::MaxSIOp::create(b, loc, keys, index(0));
  return arith::CeilDivUIOp::create(b, loc, keys, index(step));
}

/// Tells the block which items it has: one thread does, for all, and no
/// register holds it.
void Specializer::orderItems(Value words) {
  items.order = words;
  Value last = arith::SubIOp::create(b, loc, items.tiles, index(1));
  Value ofFirst = countSteps(index(0));
  storeOrder(b, launch, items, ofFirst, countSteps(last));
}

void Specializer::run() {
  prepareLaunch();
  Block &body = launch.getBody().front();
  for (Operation &op : body.without_terminator())
    item.push_back(&op);
  b.setInsertionPointToStart(&body);
  rings.emplace(b, launch, warps);
  noted = rings->create({&*queryRing, &*keyRing, &*valueRing}, bytes,
                        [&](Value words) {
                          if (walksItems)
                            orderItems(words);
                        });
  Value copies =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                            launch.getThreadIds().x, index(32 * warps));
  auto roles = scf::IfOp::create(b, loc, copies, /*else=*/true);
  produce(roles.thenBlock());
  consume(roles.elseBlock());
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
      specializers.emplace_back(b, launch, stages, multiprocessors);
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
