//===- TilePlanIRTest.cpp - The plan of tiles against lattn-tile -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Evaluates the bounds of the loops that lattn-tile and lattn-split-kv write:
// they must be the runs of the plan.

#include "../Dialect/WindowSweep.h"
#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/InitAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using namespace mlir;

namespace {

/// Folds index arithmetic, given what block arguments hold.
class Evaluator {
public:
  explicit Evaluator(MLIRContext *context) : b(context) {}
  void set(Value argument, int64_t value) {
    known[argument] = b.getIndexAttr(value);
  }
  int64_t get(Value value) {
    auto integer = dyn_cast_or_null<IntegerAttr>(evaluate(value));
    EXPECT_TRUE(integer) << "not a constant";
    return integer ? integer.getInt() : 0;
  }

private:
  Attribute evaluate(Value value) {
    if (Attribute attribute = known.lookup(value))
      return attribute;
    Operation *op = value.getDefiningOp();
    if (!op)
      return {};
    // The default offset of each batch, of which there is one.
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      if (auto made = extract.getTensor().getDefiningOp<tensor::GenerateOp>()) {
        set(made.getBody().getArgument(0), 0);
        return evaluate(made.getBody().front().getTerminator()->getOperand(0));
      }
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(evaluate(operand));
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.empty())
      return {};
    auto attribute = dyn_cast<Attribute>(results[0]);
    return attribute ? attribute : evaluate(cast<Value>(results[0]));
  }

  Builder b;
  DenseMap<Value, Attribute> known;
};

/// (first key, end, whether there is a mask) of each run that is not empty;
/// one without a mask continues the one before it.
using Runs = std::vector<std::tuple<int64_t, int64_t, bool>>;

void add(Runs &runs, int64_t begin, int64_t end, bool masked) {
  if (begin >= end)
    return;
  if (!masked && !runs.empty() && !std::get<2>(runs.back()))
    std::get<1>(runs.back()) = end;
  else
    runs.push_back({begin, end, masked});
}

class TilePlanIR : public ::testing::Test {
protected:
  TilePlanIR() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The runs of each tile, part after part.
  std::vector<Runs> tile(const std::string &text, WindowAttrInterface window,
                         TileSizes sizes, int64_t parts) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    AttentionOp op;
    module->walk([&](AttentionOp found) { op = found; });
    if (window)
      op.setWindowAttr(window);
    IRRewriter rewriter(&context);
    EXPECT_TRUE(succeeded(parts == 1 ? tileAttention(rewriter, op, sizes)
                                     : splitKV(rewriter, op, sizes,
                                               rewriter.getIndexAttr(parts))));
    scf::ForallOp forall;
    module->walk<WalkOrder::PreOrder>([&](scf::ForallOp found) {
      forall = found;
      return WalkResult::interrupt();
    });
    std::vector<Runs> tiles(
        getConstantIntValue(forall.getMixedUpperBound().back()).value_or(0));
    for (auto [i, runs] : llvm::enumerate(tiles))
      for (int64_t part = 0; part < parts; ++part)
        llvm::append_range(runs, getRuns(forall, i, part));
    return tiles;
  }

  Runs getRuns(scf::ForallOp forall, int64_t tile, int64_t part) {
    Evaluator evaluator(&context);
    SmallVector<Value> ivs = forall.getInductionVars();
    for (Value iv : ivs)
      evaluator.set(iv, 0);
    evaluator.set(ivs.front(), part);
    evaluator.set(ivs.back(), tile);
    Runs runs;
    SweepKeysOp sweep = *forall.getBody()->getOps<SweepKeysOp>().begin();
    auto step = *sweep.getBody().getOps<OnlineAttentionOp>().begin();
    bool hides = step.getWindow() || step.getKeyMask();
    for (auto [i, run] : llvm::enumerate(sweep.getRunKinds()))
      add(runs, evaluator.get(sweep.getBounds()[i]),
          evaluator.get(sweep.getBounds()[i + 1]),
          hides && run == SweepRun::Edge);
    return runs;
  }

  MLIRContext context;
};

Runs getPlanned(const TilePlan &plan, int64_t tile) {
  Runs runs;
  for (const KeyRun &run : plan.getTile(tile).runs)
    runs.push_back(
        {run.keys.begin, run.keys.end, run.kind != RunKind::Interior});
  return runs;
}

constexpr char kText[] = R"(
func.func @f(%q: tensor<1x{0}x{1}x4xf32>, %k: tensor<1x1x{2}x4xf32>,
             %mask: tensor<1x{2}xi1>) -> tensor<1x{0}x{1}x4xf32> {{
  %lens = arith.constant dense<{3}> : tensor<1xi32>
  %offset = arith.constant {4} : i64
  %0 = lattn.attention query(%q : tensor<1x{0}x{1}x4xf32>)
      key(%k : tensor<1x1x{2}x4xf32>) value(%k : tensor<1x1x{2}x4xf32>) {5}
      outs(%q : tensor<1x{0}x{1}x4xf32>)
  return %0 : tensor<1x{0}x{1}x4xf32>
})";

TEST_F(TilePlanIR, SweepsAreTheRunsOfThePlan) {
  std::mt19937 random(20261123);
  auto below = [&](int64_t n) { return int64_t(random() % n); };
  for (const TestWindow &window : sweepWindows(&context)) {
    bool grouped = !below(4), hasMask = !below(4), hasLens = below(2),
         hasOffset = below(2);
    int64_t parts = below(3) ? 1 : 3;
    int64_t rows = 1 + below(14), keys = 1 + below(40);
    TileSizes sizes = {1 + below(6), 1 + below(7)};
    int64_t length = below(50) - 4, offset = below(70) - 30;
    std::string operands =
        hasMask
            ? llvm::formatv("key_mask(%mask : tensor<1x{0}xi1>) ", keys).str()
            : "";
    operands += hasLens ? "kv_lens(%lens : tensor<1xi32>) " : "";
    operands += hasOffset ? "offset(%offset : i64)" : "";
    std::string text =
        llvm::formatv(kText, grouped ? rows : 1, grouped ? 1 : rows, keys,
                      length, offset, operands);
    SCOPED_TRACE(testing::Message()
                 << window.text << " in tiles of " << sizes.query << " x "
                 << sizes.key << ", " << parts << " parts" << text);
    // One query a head is a tile of heads.
    grouped |= rows == 1;
    int64_t numKeys = hasLens ? std::clamp<int64_t>(length, 0, keys) : keys;
    if (!hasOffset)
      offset = numKeys - (grouped ? 1 : rows);
    TilePlan plan({window.attr, rows, keys, numKeys, offset, grouped, hasMask},
                  sizes, parts);
    std::vector<Runs> tiles = tile(text, window.attr, sizes, parts);
    ASSERT_EQ(int64_t(tiles.size()), plan.getNumTiles());
    for (auto [i, runs] : llvm::enumerate(tiles))
      ASSERT_EQ(runs, getPlanned(plan, i)) << "tile " << i;
  }
}

} // namespace
