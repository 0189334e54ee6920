//===- TileToForall.h - Tiles of an op as a parallel loop --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_TRANSFORMS_TILETOFORALL_H
#define LATTN_LIB_TRANSFORMS_TILETOFORALL_H

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"

namespace lattn {

/// Tiles an op into an scf.forall that counts tiles from 0 by 1, the form that
/// lattn-outline-parallel takes. There are `counts` tiles of size `tile` in
/// each loop. 0 is for loops that are not tiled.
inline mlir::FailureOr<mlir::scf::SCFTilingResult>
tileToForall(mlir::RewriterBase &rewriter, mlir::TilingInterface op,
             llvm::ArrayRef<mlir::OpFoldResult> counts,
             llvm::ArrayRef<mlir::OpFoldResult> tile) {
  mlir::scf::SCFTilingOptions options;
  options.setNumThreads(counts);
  options.setLoopType(mlir::scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(tile);
  auto tiled = mlir::scf::tileUsingSCF(rewriter, op, options);
  if (failed(tiled))
    return rewriter.notifyMatchFailure(op, "it cannot be tiled");
  return tiled;
}

} // namespace lattn

#endif // LATTN_LIB_TRANSFORMS_TILETOFORALL_H
