//===- Peak.cpp - The machine's measured FMA peak -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Measure/Peak.h"
#include "lattn/Measure/Table.h"
#include "lattn/Runtime/Parallel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <ctime>
#include <iterator>

using namespace lattn;
using llvm::Expected;
using llvm::formatv;

double lattn::getSpeed(PeakKind kind) {
  switch (kind) {
  case PeakKind::F64:
    return 0.5;
  case PeakKind::F32:
    return 1;
  case PeakKind::BF16Dot:
    return 2;
  case PeakKind::AMX:
    return 16;
  }
  llvm_unreachable("unknown kind");
}

llvm::StringRef lattn::getPeakName(PeakKind kind) {
  switch (kind) {
  case PeakKind::F64:
  case PeakKind::F32:
    return "FMA peak";
  case PeakKind::BF16Dot:
    return "peak of bf16 dot products";
  case PeakKind::AMX:
    return "AMX peak";
  }
  llvm_unreachable("unknown kind");
}

/// Two ports of a latency of four or five cycles; with the factors they fit 16
/// registers.
static constexpr int64_t kAccumulators = 12;
static constexpr int64_t kIterations = 300'000; // of a range
static constexpr int64_t kRangesPerThread = 32;

namespace {
/// Instructions on independent sums: `step` makes %b$ of the sum %a$, which
/// begins as %s; $ is its number.
struct Instructions {
  int64_t sums;
  std::string type, setup, step, store;
};
} // namespace

/// a = a * x + x; of pairs, a = a + x[0] x[0] + x[1] x[1].
static Instructions getInstructions(PeakKind kind, int64_t lanes) {
  if (kind == PeakKind::AMX) // as many sums as kernels; all rows are `vector`
    return {
        4, "!llvm.x86_amx",
        R"(%rows = llvm.mlir.constant(16 : i16) : i16
  %bytes = llvm.mlir.constant(64 : i16) : i16
  %x = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %vector, %zero) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %s = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%rows, %bytes) : (i16, i16) -> !llvm.x86_amx)",
        R"(llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %a$, %x, %x) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx)",
        R"(llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %vector, %zero, %b$) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ())"};
  bool isF64 = kind == PeakKind::F64, isDot = kind == PeakKind::BF16Dot;
  std::string type = formatv("vector<{0}x{1}>", lanes, isF64 ? "f64" : "f32");
  std::string factors =
      isDot ? formatv("vector<{0}xbf16>", 2 * lanes).str() : type;
  std::string name = isDot ? formatv("llvm.call_intrinsic "
                                     "\"llvm.x86.avx512bf16.dpbf16ps.{0}\"",
                                     32 * lanes)
                                 .str()
                           : "llvm.intr.fmuladd";
  return {
      kAccumulators, type,
      formatv("%s = llvm.load %vector : !llvm.ptr -> {0}\n"
              "  %x = llvm.load %vector : !llvm.ptr -> {1}",
              type, factors),
      formatv("{0}(%a$, %x, %x) : ({1}, {2}, {2}) -> {1}", name, type, factors),
      formatv("llvm.store volatile %b$, %vector : {0}, !llvm.ptr", type)};
}

/// void peak(i64 iterations, ptr vector)
static std::string buildSource(const Instructions &loop) {
  auto each = [&](const std::string &text, const char *separator = ", ") {
    std::string all;
    for (int64_t i = 0; i < loop.sums; ++i) {
      all += i ? separator : "";
      for (char c : text)
        all += c == '$' ? std::to_string(i) : std::string(1, c);
    }
    return all;
  };
  std::string types = " : i64, " + each(loop.type);
  return R"(llvm.func @_mlir_ciface_peak(%n: i64, %vector: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  )" + loop.setup +
         "\n  llvm.br ^loop(%zero, " + each("%s") + types +
         ")\n^loop(%i: i64, " + each("%a$: " + loop.type) + "):\n" +
         each("  %b$ = " + loop.step, "\n") + R"(
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next, )" +
         each("%b$") + types + "), ^done\n^done:\n" + each(loop.store, "\n") +
         "\n  llvm.return\n}\n";
}

/// FLOPs of an iteration.
static double getFlops(PeakKind kind, int64_t lanes) {
  if (kind == PeakKind::AMX)
    return 4 * 2.0 * 16 * 16 * 32;
  return (kind == PeakKind::BF16Dot ? 4.0 : 2.0) * lanes * kAccumulators;
}

Expected<Peak> Peak::create(mlir::MLIRContext &context,
                            const TargetInfo &target, PeakKind kind) {
  Peak peak;
  peak.kind = kind;
  peak.lanes = target.getLanes(kind == PeakKind::F64 ? 64 : 32);
  context.getOrLoadDialect("llvm");
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      buildSource(getInstructions(kind, peak.lanes)), &context);
  if (!module)
    return llvm::createStringError("cannot build the loop for the FMA peak");
  auto object = compileToObject(*module, target);
  if (!object)
    return object.takeError();
  Expected<std::unique_ptr<Jit>> jit = Jit::load(std::move(*object));
  if (!jit)
    return jit.takeError();
  peak.jit = std::move(*jit);
  Expected<PackedFunction> packed = peak.jit->lookupPacked("peak");
  if (!packed)
    return packed.takeError();
  peak.packed = *packed;
  return peak;
}

/// Nanoseconds that this thread ran: what other programs take does not count.
static int64_t getThreadTime() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

void Peak::runRanges(void *self, int64_t begin, int64_t end) {
  // a = a / 2 + 1 / 2: the numbers neither grow nor become denormal; of pairs
  // they grow by 1 / 2.
  alignas(64) float f32[16];
  alignas(64) double f64[8];
  alignas(64) uint16_t bf16[32];
  std::fill(std::begin(f32), std::end(f32), 0.5f);
  std::fill(std::begin(f64), std::end(f64), 0.5);
  std::fill(std::begin(bf16), std::end(bf16), 0x3F00);
  Peak &peak = *static_cast<Peak *>(self);
  void *vectors[] = {f32, f64, bf16, bf16};
  void *vector = vectors[int(peak.kind)];
  int64_t iterations = kIterations * (end - begin);
  void *arguments[] = {&iterations, vector};
  int64_t before = getThreadTime();
  peak.packed(arguments);
  *peak.busy += getThreadTime() - before;
}

void Peak::sample() {
  int64_t ranges = lattn_get_num_threads() * kRangesPerThread;
  for (int i = 0; i < 3; ++i) {
    *busy = 0;
    lattn_parallel_for(runRanges, this, ranges);
    double seconds = 1e-9 * *busy / lattn_get_num_threads();
    double flops = getFlops(kind, lanes) * kIterations * ranges;
    best = std::max(best, flops / seconds);
  }
}

std::string Reached::describe() const {
  std::string text = formatv("{0} of peak, {1} of the bound ({2} of peak)",
                             formatPercent(ofPeak), formatPercent(ofBound),
                             formatPercent(bound));
  if (isDisturbed())
    text += formatv("; no program can reach more than {0}: the measurement was "
                    "disturbed",
                    isBeyondPeak() ? "the peak" : "the bound");
  return text;
}
