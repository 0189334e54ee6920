//===- Peak.h - The machine's measured FMA peak -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_PEAK_H
#define LATTN_LIB_RUNNER_PEAK_H

#include "lattn/Execution/Jit.h"
#include <atomic>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace lattn {

/// What the peak is of: FMAs of f32 or f64, dot products of pairs of bf16,
/// products of tiles of bf16.
enum class PeakKind { F32, F64, BF16Dot, AMX };

/// FLOPs of a vector register's width in the time of an f32 FMA, or more than
/// any CPU does.
double getSpeed(PeakKind kind);
/// "FMA peak" and so on.
llvm::StringRef getPeakName(PeakKind kind);

/// A loop of independent such instructions on vectors, timed on as many threads
/// as work runs on. Take samples before and after what is compared with it:
/// clocks change.
class Peak {
public:
  static llvm::Expected<Peak> create(mlir::MLIRContext &context,
                                     const TargetInfo &target, PeakKind kind);
  /// About 60 milliseconds.
  void sample();
  /// The best sample's FLOP/s.
  double get() const { return best; }
  PeakKind getKind() const { return kind; }

private:
  static void runRanges(void *self, int64_t begin, int64_t end);

  std::unique_ptr<Jit> jit;
  PackedFunction packed = nullptr;
  PeakKind kind = PeakKind::F32;
  int64_t lanes = 1;
  double best = 0;
  /// Nanoseconds of all threads in a sample; a pointer, so that peaks move.
  std::unique_ptr<std::atomic<int64_t>> busy =
      std::make_unique<std::atomic<int64_t>>(0);
};

} // namespace lattn

#endif // LATTN_LIB_RUNNER_PEAK_H
