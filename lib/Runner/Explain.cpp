//===- Explain.cpp - What attention ops cost and reach --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "TileChoices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::formatv;

static std::string formatPercent(double share) {
  return formatNumber(share * 100, 3) + " %";
}

static std::string formatFlops(double flops) {
  return formatNumber(flops / 1e9) + " GFLOP";
}

/// The bound of all ops together: their useful FLOPs over the time that the
/// bounds of each allow.
static double getTotalBound(ArrayRef<AttentionWork> works, double matmulFlops) {
  double useful = matmulFlops, least = matmulFlops;
  for (const AttentionWork &work : works)
    if (double bound = getBound(work)) {
      useful += work.getUsefulFlops();
      least += work.getUsefulFlops() / bound;
    }
  return least ? useful / least : 0;
}

double lattn::getUsefulFlops(ArrayRef<AttentionWork> works,
                             ArrayRef<MatmulWork> matmuls) {
  double flops = 0;
  for (const AttentionWork &work : works)
    flops += work.getUsefulFlops();
  for (const MatmulWork &matmul : matmuls)
    flops += matmul.flops;
  return flops;
}

void lattn::printRates(ArrayRef<AttentionWork> works,
                       ArrayRef<MatmulWork> matmuls, bool complete,
                       const Measurement &measurement, double peak,
                       llvm::raw_ostream &os) {
  double matmulFlops = 0;
  for (const MatmulWork &matmul : matmuls)
    matmulFlops += matmul.flops;
  double useful = getUsefulFlops(works, matmuls);
  bool isUpperBound = llvm::any_of(
      works, [](const AttentionWork &work) { return work.isUpperBound(); });
  double rate = useful / measurement.getMedian();
  std::string text = formatNumber(rate / 1e9) + " GFLOP/s useful";
  if (isUpperBound)
    text += " (upper bound: masks or lengths are computed)";
  if (!complete)
    text += " (without what has an unknown shape)";
  if (useful > 0)
    printRow(os, "rate", text);
  if (peak <= 0)
    return;
  printRow(os, "measured peak", formatNumber(peak / 1e9) + " GFLOP/s");
  double bound = getTotalBound(works, matmulFlops);
  if (useful > 0 && bound > 0)
    printRow(os, "reached",
             formatv("{0} of peak, {1} of the bound ({2} of peak)",
                     formatPercent(rate / peak),
                     formatPercent(rate / peak / bound), formatPercent(bound)));
}

static std::string describeKernel(const AttentionWork &work,
                                  const TargetInfo &target) {
  if (!work.queryTile)
    return "naive loops";
  unsigned bits = work.kind == ElementKind::F64 ? 64 : 32;
  return formatv("vector<{0}xf{1}>, queries on lanes, {2} registers{3}",
                 target.getLanes(bits), bits, target.vectorRegisters,
                 work.byAMX ? ", products by AMX" : "");
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
  if (work.queryTile)
    row("tiles", formatv("{0} queries, {1} keys{2}", work.queryTile,
                         work.keyTile, work.isTuned ? ", as measured" : ""));
  row("kernel", describeKernel(work, target) + " for " + target.cpu);
  if (work.valuesByPairs)
    row("products", "scores in f32, since rows were turned or normalised; "
                    "values by dot products of bf16");
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
  if (work.byAMX)
    row("least cycles", describeCycles(AMXBound(work)));
  row("bound", formatPercent(getBound(work)) +
                   (work.byAMX ? " of the AMX peak" : " of the FMA peak"));
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
