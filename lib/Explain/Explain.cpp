//===- Explain.cpp - What attention ops cost and reach --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Explain/Explain.h"
#include "lattn/Measure/Table.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::formatv;

static std::string formatFlops(double flops) {
  return formatNumber(flops / 1e9) + " GFLOP";
}

/// How products of bf16 are made.
static std::string describeProducts(const AttentionWork &work) {
  if (work.hasWideScores)
    return "scores in f32, since rows were turned or normalised; values by dot "
           "products of bf16";
  switch (work.products) {
  case BF16Products::AMX:
    return "AMX tiles of bf16";
  case BF16Products::Dot:
    return "dot products of bf16 pairs (AVX512-BF16)";
  case BF16Products::EmulatedDot:
    return "dot products of bf16 pairs, emulated";
  case BF16Products::Widened:
    return "bf16 widened to f32";
  }
  llvm_unreachable("unknown products");
}

static std::string describeKernel(const AttentionWork &work,
                                  const TargetInfo &target) {
  if (!work.sizes.query)
    return "naive loops";
  unsigned bits = work.kind == ElementKind::F64 ? 64 : 32;
  return formatv("vector<{0}xf{1}>, {2} on lanes, {3} registers",
                 target.getLanes(bits), bits,
                 work.isOfFeatures ? "features"
                 : work.valueRows  ? "queries, then features of values,"
                 : work.isGrouped  ? "heads that share keys"
                                   : "queries",
                 target.vectorRegisters);
}

static std::string describeCycles(const AMXBound &bound) {
  return formatv("{0} a key and 16 queries: exp {1}, AMX {2}, tile loads {3} "
                 "beside it",
                 formatNumber(bound.get(), 3), formatNumber(bound.exp, 3),
                 formatNumber(bound.products, 3), formatNumber(bound.loads, 3));
}

std::vector<Row> lattn::explainWork(const AttentionWork &work,
                                    const TargetInfo &target) {
  std::vector<Row> rows;
  auto row = [&](const char *label, const std::string &value) {
    rows.emplace_back(label, value);
  };
  row("shape", formatv("B {0}, H {1} over {2}, N {3}, M {4}, D {5}, Dv {6}, "
                       "{7}, {8}",
                       work.batches, work.heads, work.kvHeads, work.queries,
                       work.keys, work.headDim, work.valueDim,
                       getElementName(work.kind), work.layout));
  row("window", work.window);
  if (work.origin) {
    auto [batch, head, query, key] = *work.origin;
    row("origin", formatv("batch {0}, head {1}, query {2}, key {3}", batch,
                          head, query, key));
  }
  if (work.sizes.query)
    row("tiles", formatv("{0} queries, {1} keys{2}", work.sizes.query,
                         work.sizes.key, work.isTuned ? ", as measured" : ""));
  row("kernel", describeKernel(work, target) + " for " + target.cpu);
  if (work.kind == ElementKind::BF16 || work.hasWideScores)
    row("products", describeProducts(work));
  row("useful", formatFlops(work.getUsefulFlops()) +
                    (work.isUpperBound() ? " at most" : ""));
  double executed = work.getExecutedFlops();
  row("executed",
      formatFlops(executed) +
          (executed > 0
               ? ", useful/executed " +
                     formatNumber(work.visiblePairs / work.executedPairs, 3)
               : ""));
  row("memory traffic", formatBytes(work.getLeastBytes()) + " at least");
  if (work.products == BF16Products::AMX)
    row("least cycles", describeCycles(AMXBound(work)));
  row("bound", formatPercent(getBound(work)) + " of the " +
                   getPeakName(getPeakKind(work)).str());
  return rows;
}

void lattn::printExplanation(ArrayRef<AttentionWork> works,
                             const TargetInfo &target, llvm::raw_ostream &os) {
  for (auto [i, work] : llvm::enumerate(works)) {
    os << formatv("attention {0}\n", i);
    for (const auto &[label, value] : explainWork(work, target))
      printRow(os, "  " + label, value);
  }
}

void lattn::printOps(mlir::func::FuncOp entry, llvm::raw_ostream &os) {
  llvm::MapVector<llvm::StringRef, int64_t> counts;
  for (mlir::func::FuncOp function : findReached(entry))
    function.getBody().walk<mlir::WalkOrder::PreOrder>(
        [&](mlir::Operation *op) {
          if (!op->hasTrait<mlir::OpTrait::IsTerminator>())
            ++counts[op->getName().getStringRef()];
          return mlir::isa<mlir::linalg::LinalgOp>(op)
                     ? mlir::WalkResult::skip()
                     : mlir::WalkResult::advance();
        });
  auto texts = llvm::map_range(counts, [](const auto &entry) {
    return entry.first.str() +
           (entry.second > 1 ? formatv(" ({0})", entry.second).str() : "");
  });
  os << formatv("no attention to explain in '{0}'; its ops: {1}\n",
                entry.getName(),
                counts.empty() ? "none" : llvm::join(texts, ", "));
}
