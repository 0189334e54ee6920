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

/// "prefix0, prefix1, ..." with `suffix` behind each.
static std::string list(const char *prefix, const std::string &suffix) {
  std::string text;
  for (int64_t i = 0; i < kAccumulators; ++i)
    text += formatv("{0}{1}{2}{3}", i ? ", " : "", prefix, i, suffix).str();
  return text;
}

static std::string list(const std::string &type) {
  std::string text;
  for (int64_t i = 0; i < kAccumulators; ++i)
    text += (i ? ", " : "") + type;
  return text;
}

/// void peak(i64 iterations, ptr vector): a = a * x + x for all accumulators a;
/// of pairs, a = a + x[0] x[0] + x[1] x[1].
static std::string buildSource(int64_t lanes, PeakKind kind) {
  std::string type =
      formatv("vector<{0}x{1}>", lanes, kind == PeakKind::F64 ? "f64" : "f32")
          .str();
  std::string pairs = formatv("vector<{0}xbf16>", 2 * lanes).str();
  std::string steps, sums;
  for (int64_t i = 0; i < kAccumulators; ++i) {
    if (kind == PeakKind::BF16Dot)
      steps += formatv("  %b{0} = llvm.call_intrinsic "
                       "\"llvm.x86.avx512bf16.dpbf16ps.{3}\"(%a{0}, %p, %p) : "
                       "({1}, {2}, {2}) -> {1}\n",
                       i, type, pairs, 32 * lanes);
    else
      steps += formatv("  %b{0} = llvm.intr.fmuladd(%a{0}, %x, %x) : "
                       "({1}, {1}, {1}) -> {1}\n",
                       i, type);
    sums += formatv("  llvm.store volatile %b{0}, %vector : {1}, !llvm.ptr\n",
                    i, type);
  }
  std::string copies;
  for (int64_t i = 0; i < kAccumulators; ++i)
    copies += formatv("{0}%x", i ? ", " : "");
  return "llvm.func @_mlir_ciface_peak(%n: i64, %vector: !llvm.ptr) {\n"
         "  %zero = llvm.mlir.constant(0 : i64) : i64\n"
         "  %one = llvm.mlir.constant(1 : i64) : i64\n"
         "  %x = llvm.load %vector : !llvm.ptr -> " +
         type + "\n  %p = llvm.load %vector : !llvm.ptr -> " +
         (kind == PeakKind::BF16Dot ? pairs : type) +
         "\n  llvm.br ^loop(%zero, " + copies + " : i64, " + list(type) +
         ")\n^loop(%i: i64, " + list("%a", ": " + type) + "):\n" + steps +
         "  %next = llvm.add %i, %one : i64\n"
         "  %more = llvm.icmp \"slt\" %next, %n : i64\n"
         "  llvm.cond_br %more, ^loop(%next, " +
         list("%b", "") + " : i64, " + list(type) + "), ^done\n^done:\n" +
         sums + "  llvm.return\n}\n";
}

/// The same of tiles: four sums, as kernels have them. All rows are `vector`.
static std::string buildAMXSource() {
  return R"(llvm.func @_mlir_ciface_peak(%n: i64, %vector: !llvm.ptr) {
  %rows = llvm.mlir.constant(16 : i16) : i16
  %bytes = llvm.mlir.constant(64 : i16) : i16
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %vector, %zero) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %s = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%rows, %bytes) : (i16, i16) -> !llvm.x86_amx
  llvm.br ^loop(%zero, %s, %s, %s, %s : i64, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
^loop(%i: i64, %a0: !llvm.x86_amx, %a1: !llvm.x86_amx, %a2: !llvm.x86_amx, %a3: !llvm.x86_amx):
  %b0 = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %a0, %x, %x) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
  %b1 = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %a1, %x, %x) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
  %b2 = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %a2, %x, %x) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
  %b3 = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %a3, %x, %x) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next, %b0, %b1, %b2, %b3 : i64, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx), ^done
^done:
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %vector, %zero, %b0) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %vector, %zero, %b1) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %vector, %zero, %b2) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %vector, %zero, %b3) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  llvm.return
})";
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
      kind == PeakKind::AMX ? buildAMXSource() : buildSource(peak.lanes, kind),
      &context);
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
