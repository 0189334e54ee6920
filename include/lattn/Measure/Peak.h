//===- Peak.h - The machine's measured FMA peak -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_MEASURE_PEAK_H
#define LATTN_MEASURE_PEAK_H

#include "lattn/Execution/Jit.h"
#include <atomic>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace lattn {

/// The operations of a peak: multiply-adds (FMA) of f32 or of f64, dot products
/// of pairs of bf16, or products of tiles of bf16.
enum class PeakKind { F32, F64, BF16Dot, AMX };

/// How many FLOPs an instruction of this kind may do in the time of one FMA of
/// f32: the true number, or more than any CPU does.
double getSpeed(PeakKind kind);
/// The name for reports, such as "FMA peak".
llvm::StringRef getPeakName(PeakKind kind);

/// Times a loop of independent vector instructions of this kind, on as many
/// threads as the work runs on. Take samples before and after the work that is
/// compared with the peak, because the clock rate changes.
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
  /// Nanoseconds of all threads in a sample. It is a pointer so that peaks can
  /// be moved.
  std::unique_ptr<std::atomic<int64_t>> busy =
      std::make_unique<std::atomic<int64_t>>(0);
};

/// The shares of the measured peak and of the bound that a rate reaches. 0
/// means that it is not known.
struct Reached {
  double bound, ofPeak = 0, ofBound = 0;

  /// `bound` is a share of the peak. It is above 1 if the work can reach a
  /// higher peak.
  Reached(double rate, double peak, double bound)
      : bound(bound), ofPeak(peak > 0 ? rate / peak : 0),
        ofBound(bound > 0 ? ofPeak / bound : 0) {}
  bool isBeyondPeak() const { return ofPeak > 1.02 * std::max(1.0, bound); }
  /// Whether the rate is higher than is possible. Then the measurement of the
  /// rate or of the peak was disturbed.
  bool isDisturbed() const { return isBeyondPeak() || ofBound > 1.05; }
  /// "80 % of peak, 90 % of the bound (89 % of peak)", with a note if that is
  /// not possible.
  std::string describe() const;
};

} // namespace lattn

#endif // LATTN_MEASURE_PEAK_H
