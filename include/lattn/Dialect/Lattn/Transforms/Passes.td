//===- Passes.td - Passes of the lattn dialect -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_TD
#define LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LattnRaiseMemRefsPass : Pass<"lattn-raise-memrefs"> {
  let summary = "lattn ops on memrefs become ops on tensors over those buffers";
  let description = [{
    Wraps every lattn op on memrefs: inputs are read through
    `bufferization.to_tensor`, results go to their destinations through
    `bufferization.materialize_in_destination`. Tiling then has one form to
    handle; bufferization puts the buffers back without copies. Destinations
    must not overlap inputs.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def LattnConvertToOnlinePass : Pass<"lattn-convert-to-online"> {
  let summary = "attention becomes one online_attention step and finalize";
  let description = [{
    lattn.attention -> lattn.online_attention over all keys, from the state of
    no keys (or of the sink alone), and lattn.finalize. Upstream tiling then
    applies to the online op, along keys too.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnTilePass : Pass<"lattn-tile"> {
  let summary = "clip attention to its window and tile it";
  let description = [{
    lattn.attention -> scf.forall over (batch, head, query tile) of three runs
    of lattn.online_attention over key tiles: left edge (masked), interior (no
    mask), right edge (masked). Keys that the window or kv_lens hide from the
    whole tile are not visited. Queries are packed so that they lie on vector
    lanes; layout, grouped heads and explicit positions are resolved here:
    nothing below knows them.

    The head sizes must be known. An attention that cannot be tiled stays, with
    a warning that says why: it goes the way of `lattn-to-loops`.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile: a multiple of the vector lanes">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"64",
      "Keys per step of the online softmax">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnTileRowsPass : Pass<"lattn-tile-rows"> {
  let summary = "tile attention along (batch, head, query) without clipping keys";
  let description = [{
    The dull tiling of `lattn-to-loops`: sequential loops over (batch, head,
    query tile), each with all keys, so that the materialised scores stay small.
    It asks no window geometry, which the fast path's numbers are checked
    against.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnSplitKVPass : Pass<"lattn-split-kv"> {
  let summary = "split attention along keys into parts that run in parallel";
  let description = [{
    lattn.attention -> scf.forall over parts of the keys, each an online softmax
    of its own, lattn.merge in the order of the parts, lattn.finalize. For few
    queries over many keys. The number of parts is given or a function of the
    shape; results do not depend on who runs which part.
  }];
  let options = [
    Option<"parts", "parts", "int64_t", /*default=*/"0",
      "Number of parts; 0: chosen from the shape where it is known, else 1">,
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile: a multiple of the vector lanes">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"64",
      "Keys per step of the online softmax">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnDecomposePass : Pass<"lattn-decompose"> {
  let summary = "lattn ops become linalg ops";
  let description = [{
    The dull form: scores are materialised. lattn.attention is converted to its
    online form first.
  }];
  let options = [
    ListOption<"ops", "ops", "std::string",
      "Names of the ops to decompose, e.g. merge; default: all">
  ];
  let dependentDialects = [
    "::lattn::LattnDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_TD
