//===- Transforms.h - The passes' work as functions -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_TRANSFORMS_H
#define LATTN_DIALECT_LATTN_TRANSFORMS_TRANSFORMS_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Target/TileSizes.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
template <typename> class OwningOpRef;
class RewriterBase;
} // namespace mlir

namespace lattn {
class ReportingRewriter;

/// The axis of a bias that (batch, head, query, key) is the index of, if any.
using BiasAxes = std::array<std::optional<unsigned>, 4>;
/// Those of a bias map on GPUs, where queries and keys have an axis each, in
/// this order, and each other axis is that of batches, of heads, or has one
/// element. None for another map.
std::optional<BiasAxes> findBiasAxes(mlir::AffineMap map);

/// Replaces an op on memrefs by one on tensors over its buffers.
mlir::LogicalResult raiseMemRefs(mlir::RewriterBase &rewriter,
                                 mlir::DestinationStyleOpInterface op);

/// Replaces `op` (on tensors) by projections and local_attention.
mlir::LogicalResult expandLocalMHA(mlir::RewriterBase &rewriter, LocalMHAOp op);

/// Replaces `op` (on tensors) by projections and attention.
mlir::LogicalResult expandMultiheadAttention(mlir::RewriterBase &rewriter,
                                             MultiheadAttentionOp op);

/// Replaces `op` (on tensors) by attention and the operations around it. With
/// `whole`, only operations on whole arrays remain, which have derivatives and
/// kernels of GPUs.
mlir::LogicalResult expandLocalAttention(mlir::RewriterBase &rewriter,
                                         LocalAttentionOp op,
                                         bool whole = false);

/// Tiles `op` (on tensors) into blocks of queries that rotate and normalise
/// their own queries and keys. If that is not possible, `rewriter` gets the
/// reason.
mlir::LogicalResult fuseQueryKey(mlir::RewriterBase &rewriter, AttentionOp op,
                                 int64_t block);

/// Cuts each attention_grad of rows with xpos scales into segments, whose
/// scales stay bounded. Where that is not possible, a remark says why.
void cutXposGradients(ReportingRewriter &rewriter, mlir::Operation *root);

/// Replaces `op` (on tensors) by rotate_pairs and a table for all its rows.
mlir::LogicalResult rotaryToTable(mlir::RewriterBase &rewriter, RotaryOp op);

/// Replaces `op` (on tensors), whose heads share keys and whose number of
/// queries is not known, by two branches: one for a single query, and one for
/// any number. For a GPU it does so also if heads are not known to share keys.
/// Returns the op for any number.
mlir::FailureOr<AttentionOp> branchOneQuery(mlir::RewriterBase &rewriter,
                                            AttentionOp op, bool gpu = false);

/// Replaces `op` (on tensors), whose number of queries is not known, by two
/// branches: one for up to `few` queries, with features on the lanes, and one
/// for more. Returns the op for more queries.
mlir::FailureOr<AttentionOp> branchFewQueries(mlir::RewriterBase &rewriter,
                                              AttentionOp op, int64_t few);

/// Replaces `op` (on tensors) by one online step over all keys and finalize.
/// Returns the online step.
mlir::FailureOr<OnlineAttentionOp> convertToOnline(mlir::RewriterBase &rewriter,
                                                   AttentionOp op);

/// The properties of the target CPU that the cost of a tile depends on.
struct TileModel {
  int64_t vectorBits = 256, registers = 16;
  int64_t l1Bytes = 32 * 1024, l2Bytes = 512 * 1024;
  bool hasBF16Dot = false; // products of pairs at the cost of one
  bool hasAMX = false;     // and products of tiles
};

/// The cheapest sizes for `op`, with the products of its schedule. Sizes of
/// `wanted` other than 0 are fixed.
TileSizes chooseTileSizes(AttentionOp op, const TileModel &model,
                          TileSizes wanted = {0, 0});

/// The properties that a kernel for `op` is specialised on, as text of letters,
/// digits, '.', '_' and '-'. Empty if its head sizes are not known.
std::string getKernelName(AttentionOp op);

/// Sizes that were measured for such a kernel, if any.
std::optional<TileSizes> getTunedTileSizes(AttentionOp op,
                                           const TunedTiles &tuned);

/// How tiles hold queries and their state: packed (queries on the lanes of
/// vectors), mixed (the queries packed, the state in rows), in rows (features
/// on the lanes), or in rows for blocks of a GPU.
enum class TileForm { Packed, Mixed, Rows, GPU };

/// Whether a tile may hold one query of each of several heads. That needs two
/// things: all queries have one position, and scores depend on the head only
/// through query and key (on a CPU also through a sink).
bool canGroupHeads(AttentionOp op, TileForm form);

/// The form of `op`'s tiles on a CPU, by its schedule.
TileForm getCPUTileForm(AttentionOp op);

/// Replaces `op` (on tensors) by a loop over tiles. If that is not possible,
/// `rewriter` gets the reason.
mlir::LogicalResult tileAttention(mlir::RewriterBase &rewriter, AttentionOp op,
                                  TileSizes sizes,
                                  TileForm form = TileForm::Packed);

/// Replaces `op` (on tensors) by parallel loops over tiles and `parts` parts of
/// the keys, and a merge of the parts in their order. `parts` need not be a
/// constant.
mlir::LogicalResult splitKV(mlir::RewriterBase &rewriter, AttentionOp op,
                            TileSizes sizes, mlir::OpFoldResult parts,
                            TileForm form = TileForm::Packed);

/// When keys are split. There are as many parts as fill the `slots` that tiles
/// leave free.
struct SplitRule {
  int64_t slots;       // tiles that a large machine runs at once
  int64_t keysPerPart; // a part of fewer keys costs more than it saves
  int64_t mostParts;   // each part has its own state
  static SplitRule forCPU() { return {64, 1024, 65536}; }
  static SplitRule forGPU(int64_t slots) { return {slots, 256, 64}; }
};

/// The number of parts for a shape on a CPU; 1 if extents are not known.
int64_t chooseParts(AttentionOp op, TileSizes sizes);

/// The prefix of functions that check the sizes of another function's
/// arguments. The other function's name follows.
constexpr llvm::StringLiteral kSizeCheckPrefix = "lattn_check_sizes_";

/// A module with functions that check sizes before a call of `source`'s public
/// functions. Null if `source` cannot be inlined. `source` does not change.
mlir::OwningOpRef<mlir::ModuleOp> makeSizeChecks(mlir::ModuleOp source);

/// Replaces an op by linalg ops.
mlir::LogicalResult decompose(mlir::RewriterBase &rewriter,
                              mlir::Operation *op);

/// Replaces a linalg op (on tensors) for which upstream has no loops by ops for
/// which it has.
mlir::LogicalResult decomposeLinalg(mlir::RewriterBase &rewriter,
                                    mlir::Operation *op);

/// Registers how one-shot bufferization treats lattn's ops.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

/// Gives lattn's ops DifferentiableOpInterface.
void registerDifferentiableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);
/// Does so for lattn.rotary alone.
void attachRotaryDerivatives(mlir::MLIRContext &context);
void attachSequenceDerivatives(mlir::MLIRContext &context);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_TRANSFORMS_H
