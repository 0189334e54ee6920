//===- TileChoices.h - Tile sizes of a program's attention ops --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXPLAIN_TILECHOICES_H
#define LATTN_EXPLAIN_TILECHOICES_H

#include "lattn/Execution/Program.h"
#include "lattn/Target/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace lattn {

/// How an attention op is cut and computed.
struct ChosenTiles {
  TileSizes sizes = {0, 0}; // 0: it runs as naive loops
  bool isTuned = false;     // as measured, not by the cost model
  BF16Products products = BF16Products::Widened; // for bf16
  bool hasWideScores = false; // only values use those; scores are f32
  bool isGrouped = false;     // a tile holds the heads that share keys
  bool isOfFeatures = false;  // features on the lanes, not queries
  int64_t valueRows = 0;      // queries of a block that reads values, if mixed
  int64_t parts = 1;          // of the keys, by lattn-split-kv
};

/// What lattn-choose-tiles does to an attention op.
struct TileChoice : ChosenTiles {
  mlir::Location loc;                    // of the op in the source
  std::string kernel;                    // empty: runs as loops, without tiles
  bool isGiven = false;                  // by the source
  bool isF64 = false;                    // computes in f64
  int64_t mostQueries = 0, mostKeys = 0; // 0: not known
};

/// `entry` and what it calls.
llvm::SetVector<mlir::func::FuncOp> findReached(mlir::func::FuncOp entry);

/// The target of `options`, with the products of bf16 that they ask for.
llvm::Expected<TargetInfo> getTarget(const CompileOptions &options);

/// The choices for the ops that `entry` reaches, in the form that the pipeline
/// gives them.
llvm::Expected<std::vector<TileChoice>>
findTileChoices(mlir::func::FuncOp entry, const CompileOptions &options);

} // namespace lattn

#endif // LATTN_EXPLAIN_TILECHOICES_H
