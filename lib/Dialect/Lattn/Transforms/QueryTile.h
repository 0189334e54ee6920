//===- QueryTile.h - One tile of queries and its runs over key tiles -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_QUERYTILE_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_QUERYTILE_H

#include "AttentionExtents.h"
#include "KeyRuns.h"
#include "PackedSequences.h"
#include "SoftmaxState.h"

namespace lattn {

/// Whether scores depend on the head through query and key alone.
bool canShareTile(AttentionOp op, TileForm form);
/// The mapping of a loop over (batch, head, tile) to the blocks of a GPU.
mlir::ArrayAttr getBlockMapping(mlir::Builder &b);
/// Whether a bias or a score region is the same for all heads and queries.
bool isSameForAllRows(AttentionOpInterface op);

/// Values that are computed once for all tiles of an attention. If tiles
/// consist of the heads that share keys, `queries` are those of a group, and
/// `heads` those of the keys.
struct TiledAttention : AttentionExtents {
  TiledAttention(mlir::OpBuilder &b, AttentionOp op, TileSizes sizes,
                 TileForm form = TileForm::Packed);

  /// Fails for a GPU where tiles of keys do not lie in one page.
  mlir::LogicalResult requirePages(mlir::RewriterBase &rewriter) const;

  AttentionOp op;
  TileSizes sizes;
  TileForm form;
  int64_t headDim, valueDim;
  /// Whether a tile consists of the heads that share keys.
  bool grouped;
  /// On GPUs a step reads a key mask as bits, which cost little.
  MaskedSteps getMaskedSteps() const {
    return form == TileForm::GPU ? MaskedSteps::All : MaskedSteps::Edges;
  }
  /// Whether products are of pairs of bf16. Then the packed query stays narrow
  /// and unscaled.
  bool byPairs;
  /// The value axis of acc: 0 in packed tiles, whose lanes are queries.
  int64_t getValueAxis() const { return form == TileForm::Packed ? 0 : 1; }
  /// Whether queries are packed. Otherwise they are rows.
  bool isPacked() const {
    return form == TileForm::Packed || form == TileForm::Mixed;
  }
  /// Whether the tile's query holds scaled elements.
  bool isScaled() const { return isPacked() && !byPairs; }
  /// Whether a step reads its keys and values by the table of their pages, of
  /// which it may take several.
  bool byTable;
  /// Steps over keys in pages begin at its multiples, as far as no first key
  /// forbids it, so that one that reads no table stays in its page. 0 if keys
  /// are in no pages, or gathered.
  int64_t keyUnit;
  /// Queries and keys that are read where packed sequences lie; `batches` is
  /// then 1, and a tile finds its sequence, the op's batch.
  PackedQueries packedQueries;
  PadSequencesOp packedKeys;
  mlir::OpFoldResult queryTiles;
  mlir::Value offset;                     // explicit; null without a window
  llvm::SmallVector<mlir::Value> dropout; // explicit
};

/// Builds the body of one query tile inside a loop over (batch, head, tile).
class QueryTile {
public:
  QueryTile(mlir::OpBuilder &b, const TiledAttention &whole, mlir::Value batch,
            mlir::Value head, mlir::Value tile);

  /// Keys that the tile visits, all in [0, keys].
  TileKeyValues getKeys();
  /// `keys` cut to part `part` of `parts`, whole key tiles each.
  TileKeyValues getPart(TileKeyValues keys, mlir::Value part,
                        mlir::OpFoldResult parts);

  /// (acc, max, sum) before any key; with the op's sink if `withSink`.
  llvm::SmallVector<mlir::Value> emptyState(bool withSink);
  /// The state after the runs over `keys`: left edge, interior, right edge.
  llvm::SmallVector<mlir::Value> run(TileKeyValues keys,
                                     llvm::ArrayRef<mlir::Value> state);
  /// Finalizes the state into the tile's place in `dests`: output, and lse or
  /// max and sum. These are loop-carried destinations of the scf.forall that
  /// contains `b`. With `part`, that is their first axis.
  void finalize(llvm::ArrayRef<mlir::Value> state, mlir::ValueRange dests,
                mlir::Value part = {});

protected:
  /// Finds the tile's batch and rows: by its number, or of packed sequences.
  void placeRows(mlir::Value tile);
  void placePackedRows(mlir::Value tile);
  /// Finds the keys of the batch.
  void placeKeys();
  mlir::Value buildOffsetOfPackedKeys();
  /// The place of the tile's rows in an array like query, of width `width`, or,
  /// with `width` 0, in the log-sum-exp.
  void getRows(int64_t width,
               llvm::SmallVectorImpl<mlir::OpFoldResult> &offsets,
               llvm::SmallVectorImpl<mlir::OpFoldResult> &sizes);
  /// The tile's rows of `array`, which is query or its tangent. They are packed
  /// if the query is.
  mlir::Value getQueryRows(mlir::Value array);
  /// All keys of one head of `array`, of width `width`. Of gathered pages the
  /// op, or the pool if steps read the table.
  mlir::Value getMatrix(mlir::Value array, int64_t width);
  /// `size` rows from `key` on of such a matrix.
  mlir::Value sliceKeys(mlir::Value matrix, mlir::Value key, mlir::Value size);
  mlir::Value slicePages(GatherPagesOp gather, mlir::Value key,
                         mlir::Value size);
  /// The pages of the batch's keys or values for one head, [page, row, width];
  /// and their table.
  mlir::Value getPool(GatherPagesOp gather, int64_t width);
  mlir::Value getTable(GatherPagesOp gather);
  llvm::SmallVector<mlir::Value> getGlobalOrigin(mlir::Value key);
  /// The window of a step. Null if the tile's queries stand at one position,
  /// because then it hides no key between the first and the last.
  WindowAttrInterface getStepWindow();
  llvm::SmallVector<mlir::Value> step(mlir::Value key, mlir::Value size,
                                      mlir::ValueRange state);
  mlir::Value index(mlir::OpFoldResult value);
  mlir::Value index(int64_t value);
  mlir::Value global(mlir::Value local, unsigned coordinate);

  mlir::OpBuilder &b;
  const TiledAttention &whole;
  AttentionOp op;
  mlir::Location loc;
  mlir::Value batch, head, kvHead, firstHead, firstQuery, rows;
  /// Where the rows lie in the arrays: apart from batch and firstQuery where
  /// sequences are packed.
  mlir::OpFoldResult batchInArrays, rowInArrays;
  mlir::OpFoldResult numKeys;
  mlir::Value firstKey; // of packed keys
  mlir::Value query, keyMatrix, valueMatrix, offset;
  mlir::Value table; // of pages, if steps read it
};

/// The attention of which `op` gives the tangent, to the same destinations.
AttentionOp buildPrimal(mlir::OpBuilder &b, AttentionJvpOp op);

/// The score region of the steps of `op`; empty if there is none. An op of its
/// region without a derivative is an error.
mlir::LogicalResult buildJvpScore(mlir::OpBuilder &b, AttentionJvpOp op,
                                  mlir::Region &score);
/// `score` is that of `buildJvpScore`.
mlir::LogicalResult tileAttentionJvp(mlir::RewriterBase &rewriter,
                                     AttentionJvpOp op, TileSizes sizes,
                                     mlir::Region &score);

/// The number of parts of an attention, as a number or a value, and whether
/// there may be more than one.
struct PartCount {
  mlir::OpFoldResult parts;
  bool mayBeMany;
};
PartCount countParts(mlir::OpBuilder &b, const TiledAttention &whole,
                     const SplitRule &rule);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_QUERYTILE_H
