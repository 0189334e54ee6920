//===- GradTiler.h - The loops of the gradients of attention ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADTILER_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADTILER_H

#include "AttentionExtents.h"
#include "KeyRuns.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// The place of a matrix's rows in an array of four axes.
struct Place {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
};

/// A chunk of queries of a batch: tiles that follow each other. Its sums hold
/// the gradients of the keys that they see, and of keys that no chunk sees.
struct GradChunk {
  mlir::Value number, firstTile, endTile, first, rows; // of queries
  mlir::Value begin, end;                              // of keys
  mlir::Value ownBegin, ownEnd; // of keys to which no other chunk adds
};

/// Sums over pairs for one array: (batch parts, key head parts, chunks, axes of
/// the array). Along each of these, the parts either have sums of their own, or
/// add to different elements.
struct PairSum {
  mlir::Value array;
  /// The array's axis along which parts add to different elements, if any.
  std::optional<unsigned> axes[3];
  llvm::SmallVector<mlir::Value> at; // of the part that is being built
  llvm::SmallVector<unsigned> order; // of the array's axes in the sums
  bool isRectangle; // what most tiles add to: see findRectangle
};

/// A tile of the queries of `heads` heads, which share keys.
struct HeadTile {
  mlir::Value number, first;
  mlir::OpFoldResult heads, rows;
};

/// The axes of a bias along which its map goes with queries and with keys, one
/// element a step, where no floor division or remainder wraps. Nothing for maps
/// that go otherwise.
struct RectangleAxes {
  unsigned query, key;
};
std::optional<RectangleAxes> findRectangle(mlir::AffineMap map);

/// The queries of all heads that share keys, if they may share a tile, or of
/// one head. None where the queries of a head have no tile of few queries.
std::optional<int64_t> countRowsOfGroup(AttentionGradOp op);

/// With what gradients have no kernel that puts features on the lanes; empty:
/// they have one.
llvm::StringRef findObstacleToFeatures(AttentionGradOp op);

/// Why `op` has no kernel with what its schedule puts on the lanes; empty: it
/// has one.
std::string findLanesError(AttentionGradOp op);
std::string findLanesError(AttentionJvpOp op);

/// The arrays of an attention_grad that have rows of all its queries.
struct GradRowArrays {
  /// As the op has them.
  GradRowArrays(mlir::OpBuilder &b, AttentionGradOp op);
  /// Those that `pad` pads for the op: one batch of packed rows.
  GradRowArrays(mlir::OpBuilder &b, AttentionGradOp op, PadSequencesOp pad);

  mlir::Value output, dOutput, lse, dLse;
  llvm::SmallVector<mlir::OpFoldResult> shape; // of lse
  PadSequencesOp pad;                          // null if they are not packed
};

/// rowsum(d_output * output) - d_lse of all rows, (batch, head, query).
mlir::Value buildRowSums(mlir::OpBuilder &b, AttentionGradOp op,
                         const GradRowArrays &arrays);

/// The gradient of the sinks, of such sums.
mlir::Value buildSinkGradient(mlir::OpBuilder &b, AttentionGradOp op,
                              const GradRowArrays &arrays, mlir::Value rowSums);

/// x * y, but 0 if x is 0.
mlir::Value multiplySeen(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                         mlir::Value y);

/// The score region of the steps of `op`, which also yields the derivative;
/// empty if there is none. An op of it without a derivative is an error.
llvm::LogicalResult buildGradScore(mlir::OpBuilder &b, AttentionGradOp op,
                                   mlir::Region &score);

/// Replaces `op` by grids of a GPU's blocks, for tiles of queries and for tiles
/// of keys; GradGrids.cpp.
llvm::LogicalResult tileGradOnGrids(mlir::RewriterBase &b, AttentionGradOp op,
                                    TileSizes sizes);

/// Builds the loops of one attention_grad.
class GradTiler : AttentionExtents {
public:
  GradTiler(mlir::OpBuilder &b, AttentionGradOp op, TileSizes sizes,
            bool wholeKeys);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> run();
  /// The step that `run` built.
  AttentionGradStepOp getStep() { return step; }

private:
  mlir::Value index(mlir::OpFoldResult value);
  mlir::Value constant(double value);
  mlir::Value filled(llvm::ArrayRef<mlir::OpFoldResult> shape, double value);
  mlir::AffineMap map(llvm::ArrayRef<unsigned> loops, unsigned count) {
    return mlir::AffineMap::getMultiDimMapWithTargets(count, loops,
                                                      b.getContext());
  }
  /// Axes (batch, head, position, feature) in the op's layout.
  llvm::SmallVector<mlir::OpFoldResult>
  inLayout(llvm::SmallVector<mlir::OpFoldResult> axes) {
    if (op.isBnhd())
      std::swap(axes[1], axes[2]);
    return axes;
  }
  /// `count` positions of one head from `first` on, as a matrix.
  Place getRows(mlir::Value array, mlir::OpFoldResult batch,
                mlir::OpFoldResult head, mlir::OpFoldResult first,
                mlir::OpFoldResult count);
  mlir::Value take(mlir::Value array, const Place &place);
  mlir::Value put(mlir::Value matrix, mlir::Value array, const Place &place);
  mlir::Value takeVector(mlir::Value array, mlir::Value head, mlir::Value first,
                         mlir::Value count);
  mlir::Value takeFront(mlir::Value matrix, mlir::OpFoldResult rows);
  mlir::Value putFront(mlir::Value part, mlir::Value whole);
  /// `matrix` in the element type of `like`, which is overwritten if that is
  /// another type.
  mlir::Value convert(mlir::Value matrix, mlir::Value like);

  // GradChunks.cpp
  void chooseChunks();
  void chooseParts();
  bool isCut(); // whether there may be more chunks than one
  mlir::Value getFirstRow(mlir::Value number);
  mlir::Value getFirstKey(mlir::Value chunk);
  mlir::Value getLastKey(mlir::Value chunk);
  GradChunk getChunk(mlir::Value number);
  /// The results of the loop over all chunks.
  llvm::SmallVector<mlir::Value> runInSequence();
  llvm::SmallVector<mlir::Value> runInParallel();
  /// Ends the body with each place of `next`, which is all of an array.
  void yieldPlaces(mlir::scf::ForallOp forall,
                   llvm::SmallVector<mlir::Value> next,
                   llvm::ArrayRef<Place> places);
  llvm::SmallVector<Place> getPlaces(mlir::ValueRange gradients,
                                     mlir::Value firstBatch,
                                     mlir::Value firstHead);
  llvm::SmallVector<mlir::Value> buildPart(mlir::ValueRange gradients,
                                           mlir::Value firstBatch,
                                           mlir::Value firstHead);
  mlir::Value takeKeys(mlir::Value matrix, mlir::Value origin,
                       mlir::Value first, mlir::Value end);
  mlir::Value takeShared(mlir::Value shared, mlir::Value number, int64_t side,
                         mlir::OpFoldResult first, mlir::OpFoldResult count,
                         Place &place);
  mlir::Value putOwnKeys(mlir::Value sums, mlir::Value gradient);
  mlir::Value putSharedKeys(mlir::Value sums, mlir::Value shared);
  void mergeSharedKeys(llvm::SmallVector<mlir::Value> &results);
  mlir::Value sumSharedKeys(mlir::Value shared, mlir::Value first,
                            mlir::Value count);

  // GradFewQueries.cpp
  /// Whether all queries of a head fit one tile, and how many heads then do.
  bool chooseHeadTiles();
  HeadTile getHeadTile(mlir::Value number);
  mlir::Value takeQueryOfHeads(mlir::Value array, const HeadTile &tile,
                               mlir::OpFoldResult query);
  mlir::Value takeQueriesOfHeads(mlir::Value array, const HeadTile &tile);
  TileKeyValues findKeysOfPart();
  llvm::SmallVector<mlir::Value> buildHeadTile(mlir::Value number,
                                               mlir::ValueRange carried);
  llvm::SmallVector<mlir::Value> runPartsOfKeys();
  mlir::Value addParts(mlir::Value parts, mlir::Value head);
  mlir::Value mergePartsOfKeys(mlir::Value parts);
  llvm::SmallVector<mlir::Value> runFewQueries();

  void startBatch(mlir::Value number);
  mlir::Value buildSums(mlir::Value array);
  /// Zeros in a buffer of their own.
  mlir::Value ownZeros(llvm::ArrayRef<mlir::OpFoldResult> shape);
  llvm::SmallVector<mlir::Value> buildGradients();
  llvm::SmallVector<mlir::Value> buildChunk(mlir::ValueRange gradients);
  llvm::SmallVector<mlir::Value> buildTile(mlir::Value head, mlir::Value tile,
                                           mlir::ValueRange carried);
  llvm::SmallVector<mlir::Value> buildStep(mlir::Value head, mlir::Value first,
                                           llvm::ArrayRef<mlir::Value> rows,
                                           mlir::Value key, mlir::Value size,
                                           mlir::ValueRange state);
  /// Gradients of the bias and of captured arrays, if they are asked for. They
  /// are summed pair by pair, in the accumulator type.
  void choosePairSums();
  bool hasPairSums() { return !pairSums.empty(); }
  bool areApart(unsigned axis);
  /// Whether all parts may have sums of their own.
  mlir::Value arePairSumsSmall();
  llvm::SmallVector<mlir::Value> buildPairSums();
  Place getPlace(const PairSum &sum, mlir::Value firstBatch,
                 mlir::Value firstHead);
  llvm::SmallVector<mlir::Value> mergePairSums(mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> addPairs(mlir::Value head, mlir::Value first,
                                          mlir::Value key, mlir::Value keyCount,
                                          mlir::Value queryCount,
                                          mlir::ValueRange pairs,
                                          mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> addPair(Coordinates at, mlir::Value product,
                                         mlir::Value gradient,
                                         mlir::ValueRange sums);
  mlir::Value addRectangle(const Coordinates &at, mlir::Value keyCount,
                           mlir::Value queryCount, mlir::Value gradients,
                           mlir::Value sum,
                           llvm::function_ref<mlir::Value()> addOthers);
  mlir::Value addElement(mlir::Value sum, mlir::ValueRange at, mlir::Value x);
  mlir::Value toGlobal(mlir::Value local, unsigned coordinate);
  mlir::Value buildLse(mlir::Value given, mlir::Value count);
  mlir::Value buildRowSums(mlir::Value output, mlir::Value dOutput,
                           mlir::Value dLse, mlir::Value count);
  /// Appends query and d_output, the first two, as `lattn.pack_query` makes
  /// them, unless kernels take rows.
  void packRows(llvm::SmallVectorImpl<mlir::Value> &rows);

  mlir::OpBuilder &b;
  AttentionGradOp op;
  mlir::Location loc;
  mlir::FloatType type;
  TileSizes sizes;
  bool wholeKeys;
  mlir::Region score; // of a step: also yields its derivative by the score
  AttentionGradStepOp step;
  mlir::Value zero, one;
  mlir::Value group; // heads of queries for each head of keys
  mlir::Value offset;
  llvm::SmallVector<mlir::Value> dropout;
  mlir::Value chunks, chunkTiles, tiles; // of queries
  mlir::OpFoldResult sharedKeys; // at most, between a chunk and the next
  /// The parts of the loop over (batch, key head, chunk), and how many batches
  /// and key heads a part has.
  mlir::OpFoldResult parts[3], partSizes[2];
  llvm::SmallVector<PairSum> pairSums;
  /// Of few queries: how many there are, heads of a tile, and tiles of a group.
  int64_t fewQueries = 0, headsOfTile = 1;
  bool areRows = false; // with features on the lanes, which need no packing
  mlir::OpFoldResult headTiles, keyParts;
  GradChunk chunk;           // the one that is being built
  mlir::Value batch, kvHead; // of the loop that is being built
  mlir::Value rowOffset;     // of the batch
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADTILER_H
