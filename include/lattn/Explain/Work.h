//===- Work.h - What an entry's attention ops have to compute ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXPLAIN_WORK_H
#define LATTN_EXPLAIN_WORK_H

#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Explain/TileChoices.h"
#include "lattn/Measure/Peak.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lattn {

/// One lattn.attention with the shapes of this run.
struct AttentionWork : ChosenTiles {
  int64_t batches, heads, kvHeads, queries, keys, headDim, valueDim;
  ElementKind kind;
  std::string layout, window;  // as in the source
  double visiblePairs = 0;     // (query, key) pairs over batches and heads
  double executedPairs = 0;    // plus pairs that tiles compute in vain
  std::vector<TilePlan> plans; // for each batch; each of `planHeads` heads
  int64_t planHeads;
  bool hasWindow = false;
  bool hasKeyMask = false;
  std::vector<KeyRange> hiddenKeys; // by the key mask of batch 0
  bool masksDiffer = false;         // in other batches they differ
  /// If the op is a tile of a larger one: its first (batch, head, query, key).
  std::optional<std::array<int64_t, 4>> origin;
  std::array<int64_t, 4> getOrigin() const {
    return origin.value_or(std::array<int64_t, 4>{});
  }
  /// Names of operands whose values are computed. Masks and lengths among them
  /// count as if they hid nothing.
  llvm::SmallVector<llvm::StringRef> unknown;
  bool isUpperBound() const { return !unknown.empty(); }

  double getUsefulFlops() const {
    return 2 * (headDim + valueDim) * visiblePairs;
  }
  double getExecutedFlops() const {
    return 2 * (headDim + valueDim) * executedPairs;
  }
  /// The bytes of all arrays, each counted once.
  double getLeastBytes() const;
};

/// One matrix product with the shapes of this run.
struct MatmulWork {
  double flops;
  PeakKind kind; // the peak that it can reach
};

/// The attention ops that `entry` reaches. Each counts once, also inside of a
/// loop. `complete` becomes false if some could not be counted. `matmuls`, if
/// given, gets the matrix products of linalg.
llvm::Expected<std::vector<AttentionWork>>
findWork(mlir::func::FuncOp entry, llvm::ArrayRef<NumpyArray> arguments,
         const CompileOptions &options, bool &complete,
         std::vector<MatmulWork> *matmuls = nullptr);

/// Cycles of a core for one key and 16 queries with AMX.
struct AMXBound {
  double exp, products, loads;
  explicit AMXBound(const AttentionWork &work);
  double get() const { return exp + std::max(products, loads); }
};

/// The peak that bounds this work: that of its products' instructions.
PeakKind getPeakKind(const AttentionWork &work);
/// The highest peak that a part of the work can reach.
PeakKind getPeakKind(llvm::ArrayRef<AttentionWork> works,
                     llvm::ArrayRef<MatmulWork> matmuls);

/// The largest share of its own peak that this work can reach: useful over
/// executed operations, times the time of the products over the time of
/// products and exp.
double getBound(const AttentionWork &work);
/// The bound of all work together, as a share of the peak `kind`.
double getBound(llvm::ArrayRef<AttentionWork> works,
                llvm::ArrayRef<MatmulWork> matmuls, PeakKind kind);

} // namespace lattn

#endif // LATTN_EXPLAIN_WORK_H
