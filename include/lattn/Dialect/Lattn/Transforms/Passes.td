//===- Passes.td - Passes of the lattn dialect -------------*- tablegen -*-===//
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
  let summary = "turn lattn ops on memrefs into ops on tensors over the same buffers";
  let description = [{
    Wraps lattn ops on memrefs: inputs by `bufferization.to_tensor`, results by
    `bufferization.materialize_in_destination`. Bufferization puts the buffers back
    without copies. Destinations must not overlap inputs. Memrefs of lattn and linalg
    ops are cast to the default memory space, where kernels have their scratch memory.

    ```mlir
    !m = memref<1x8x128x64xf32>
    func.func @global(%q: !m, %k: !m, %v: !m, %o: !m) {
      lattn.attention query(%q : !m) key(%k : !m) value(%v : !m) outs(%o : !m)
      return
    }
    ```

    becomes

    ```
    %tq = bufferization.to_tensor %q restrict : ...
    %to = bufferization.to_tensor %o restrict writable : ...
    %r = lattn.attention query(%tq : ... outs(%to : ...
    bufferization.materialize_in_destination %r in restrict writable %o : ...
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

include "lattn/Dialect/Lattn/Transforms/CompositePasses.td"
include "lattn/Dialect/Lattn/Transforms/DifferentiatePasses.td"
include "lattn/Dialect/Lattn/Transforms/QueryKeyPasses.td"
include "lattn/Dialect/Lattn/Transforms/RaisePasses.td"
include "lattn/Dialect/Lattn/Transforms/SequencePasses.td"

def LattnBranchFewQueriesPass : Pass<"lattn-branch-few-queries"> {
  let summary = "add branches for few queries where their number is not known";
  let description = [{
    Adds an `scf.if` with a branch for a single query, in which the types have one
    query. There `lattn-tile` puts the heads that share keys into one tile, and the
    window hides nothing between the first and the last key, as decoding needs it.
    The branch is added if heads are known to share keys, the number of queries is
    not known, and only the arrays depend on the head.

    With `few`, an attention whose number of queries is not known gets a branch for
    up to that many, with features on the lanes. Of packed sequences, the longest
    counts. `least_queries` of the schedule says that a branch is not needed. Upstream
    has no such pass.

    ```mlir
    !q = tensor<1x32x?x64xf32>
    !k = tensor<1x8x?x64xf32>
    func.func @attend(%q: !q, %k: !k, %v: !k, %o: !q) -> !q {
      %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q)
      return %0 : !q
    }
    ```

    becomes

    ```
    %0 = scf.if %isMany -> (tensor<1x32x?x64xf32>) {
      lattn.attention query(%q : tensor<1x32x?x64xf32>)
    } else {
      lattn.attention query(%one : tensor<1x32x1x64xf32>)
    ```
  }];
  let options = [
    Option<"gpu", "gpu", "bool", /*default=*/"false",
      "For a GPU, also if the number of heads is not known">,
    Option<"few", "few", "int64_t", /*default=*/"0",
      "Queries up to which features lie on the lanes (0: never)">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnConvertToOnlinePass : Pass<"lattn-convert-to-online"> {
  let summary = "turn attention into one step of online_attention and finalize";
  let description = [{
    lattn.attention becomes lattn.online_attention over all keys, which starts with
    the state of no keys (or of the sink alone), and lattn.finalize. Upstream's
    tiling can then tile the step, also along keys.

    ```mlir
    !t = tensor<1x8x128x64xbf16>
    func.func @global(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
      %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
          outs(%o : !t)
      return %0 : !t
    }
    ```

    becomes

    ```
    %acc = linalg.fill ins(%zero : f32) outs(... : tensor<1x8x128x64xf32>) ...
    %max = linalg.fill ins(%none : f32) outs(... : tensor<1x8x128xf32>) ...
    %sum = linalg.fill ins(%zero : f32) outs(... : tensor<1x8x128xf32>) ...
    %s:3 = lattn.online_attention query(%q : ... outs(%acc, %max, %sum : ...
    %r = lattn.finalize ins(%s#0, %s#1, %s#2 : ... outs(%o : ...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnChooseTilesPass : Pass<"lattn-choose-tiles"> {
  let summary = "choose the schedule of each attention by a cost model";
  let description = [{
    Chooses tile sizes, products and lanes of every `lattn.attention` and its
    derivatives: the `schedule`, which the tiling passes read. A cost model weighs
    the window, the head sizes and the layout against the CPU's registers and caches.
    Short windows want few queries in a tile, long ones many.

    The pass keeps the parts of a schedule that are already there. Products that the
    target and lanes that the op's kernels do not have are an error. A query tile
    is rounded up to whole vectors, with a remark, if queries lie on their lanes.
    `tuned` has measured tile sizes of kernels (`lattn-run --tune`). They replace the
    model's sizes, with a remark, unless `query-tile` or `key-tile` is given.

    ```mlir
    func.func @attend(%q: tensor<1x8x4096x64xf32>, %k: tensor<1x8x4096x64xf32>,
                      %v: tensor<1x8x4096x64xf32>, %o: tensor<1x8x4096x64xf32>)
        -> tensor<1x8x4096x64xf32> {
      %0 = lattn.attention query(%q : tensor<1x8x4096x64xf32>)
          key(%k : tensor<1x8x4096x64xf32>) value(%v : tensor<1x8x4096x64xf32>)
          outs(%o : tensor<1x8x4096x64xf32>)
          {window = #lattn.window<left = 256, right = 0>}
      return %0 : tensor<1x8x4096x64xf32>
    }
    ```

    becomes

    ```
    lattn.attention ... {schedule = #lattn.schedule<query_tile = 16, key_tile = 72>, window = ...
    ```
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"0",
      "Queries per tile; 0: chosen">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"0",
      "Keys per step; 0: chosen">,
    ListOption<"tuned", "tuned", "std::string",
      "Measured sizes: KERNEL=QUERIESxKEYS, ...">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"256",
      "Bits of a vector register">,
    Option<"registers", "registers", "int64_t", /*default=*/"16",
      "Vector registers">,
    Option<"bf16Dot", "bf16-dot", "bool", /*default=*/"false",
      "Compute products of bf16 by dot products of pairs">,
    Option<"amx", "amx", "bool", /*default=*/"false",
      "Compute products of bf16 by tiles of AMX where that is cheaper">,
    Option<"l1Bytes", "l1-bytes", "int64_t", /*default=*/"32768",
      "Bytes of the L1 data cache">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"524288",
      "Bytes of a core's L2 cache">
  ];
}

def LattnTilePass : Pass<"lattn-tile"> {
  let summary = "tile attention, and skip the keys that its window hides";
  let description = [{
    lattn.attention becomes an scf.forall over (batch, head, query tile). Each tile
    has a lattn.sweep_keys with three runs over key tiles: left edge (masked),
    interior (no mask), right edge (masked). Keys that the window or kv_lens hides
    from the whole tile are not visited. Queries are packed so that they lie on the
    lanes of vectors. After this pass there are no layouts, grouped heads or default
    offsets.

    ```mlir
    !q = tensor<1x8x?x64xf32>
    !kv = tensor<1x2x?x64xf32>
    func.func @local(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
      %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv)
          outs(%o : !q) {window = #lattn.window<left = 256, right = 0>}
      return %0 : !q
    }
    ```

    becomes

    ```
    scf.forall (%h, %i) in (8, %tiles) shared_outs(%out = %o) -> ... {
      %packed = lattn.pack_query ins(%rows : ...
      %state:3 = lattn.sweep_keys (%j, %size, ...) in (%begin edge %from interior %to edge %end) by 64 ...
        ... = lattn.online_attention query(%packed : ... window = ...
      %tile = lattn.finalize ins(%state#0, %state#1, %state#2 : ...
      tensor.parallel_insert_slice %tile into %out[0, %h, ...
    ```

    With `gpu` the loop is mapped to the blocks of a grid, and tiles hold queries in
    rows, unpacked, for `convert-lattn-to-fragment`.

    The head sizes must be known. An attention that cannot be tiled stays, with a
    warning that says why. It becomes naive loops, as in `lattn-to-loops`.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile: a multiple of the vector lanes">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"64",
      "Keys per step of the online softmax">,
    Option<"gpu", "gpu", "bool", /*default=*/"false",
      "Tiles for the blocks of a GPU">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnTileRowsPass : Pass<"lattn-tile-rows"> {
  let summary = "tile attention along (batch, query), each tile with all keys";
  let description = [{
    The simple tiling of `lattn-to-loops` has sequential loops over (batch, query
    tile). Each tile has all heads and keys, so the stored scores stay small. It uses
    no window geometry, so the results of the tiled kernels can be checked against
    it.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnTileGradPass : Pass<"lattn-tile-grad"> {
  let summary = "tile the gradients and tangents of attention";
  let description = [{
    lattn.attention_grad becomes a parallel loop over (batch, key head, chunk of
    queries). A step goes through the tiles of queries of its chunk, in order, and
    carries the gradients of the keys and values that they see. If there are few
    heads, each has several chunks, and a second loop adds their gradients of the
    same keys, in order. Only the shapes decide where a chunk ends, so every number
    of threads gives the same bits. Where all queries of a head fit one tile, parts
    of keys run in parallel, with the queries of as many heads a tile as fit.

    Each tile packs its queries and the gradients of their outputs, and sums the
    product of both for each row. Then it visits the keys that it sees
    (`lattn.sweep_keys`) by `lattn.attention_grad_step`.

    ```mlir
    !t = tensor<1x8x?x64xf32>
    func.func @grad(%q: !t, %k: !t, %v: !t, %o: !t, %l: tensor<1x8x?xf32>,
                    %do: !t) -> (!t, !t, !t) {
      %0:3 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t)
          output(%o : !t) lse(%l : tensor<1x8x?xf32>) d_output(%do : !t)
          outs(%q, %k, %v : !t, !t, !t)
          {window = #lattn.window<left = 256, right = 0>}
      return %0#0, %0#1, %0#2 : !t, !t, !t
    }
    ```

    becomes

    ```
    %r:5 = scf.forall (%h, %c) in (8, %chunks) shared_outs(%dq = %q, %dk = %k, %dv = %v, ...) -> ... {
      %sums:3 = scf.for %head = ... iter_args(...
        scf.for %tile = ... iter_args(...
          %packed = lattn.pack_query ins(%queries : ...
          lattn.sweep_keys (%j, %size, ...) in (%begin edge %from interior %to edge %end) by 64 ...
            ... = lattn.attention_grad_step query(%queries : ... window = ...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice ... into %dk[0, %h, %own, ...
    scf.forall (%h, %c, %block) in (8, %others, %blocks) shared_outs(%dk = %r#1, %dv = %r#2) -> ... {
      scf.for %before = ... iter_args(...
        ... = tensor.extract_slice %r#3[0, %h, %before, 1, ...
    ```

    With `gpu`, blocks sum tiles of queries, which sweep keys, and tiles of keys,
    which sweep the queries that see them.
    lattn.attention_jvp becomes a parallel loop over (batch, head, tile of queries),
    as in `lattn-tile`, with steps of `lattn.attention_jvp_step`. With `whole-keys`
    it becomes attention and loops over blocks of queries.

    With `whole-keys`, loops are sequential, and each tile takes all keys in one step
    of linalg ops, without window geometry, as for `lattn-to-loops`. So it does, with
    a warning, for an op whose head sizes are not known.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile of an op without a schedule">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"64",
      "Keys per step of an op without a schedule">,
    Option<"wholeKeys", "whole-keys", "bool", /*default=*/"false",
      "All keys in one step, and all loops sequential">,
    Option<"gpu", "gpu", "bool", /*default=*/"false", "Grids of a GPU's blocks">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnSplitKVPass : Pass<"lattn-split-kv"> {
  let summary = "split attention along keys into parts that run in parallel";
  let description = [{
    This is for few queries over many keys. lattn.attention becomes two parallel
    loops. The first runs over parts of the keys, and each part writes its state (acc,
    max, sum) to a workspace. The second joins the parts of each row, in their
    order, by lattn.merge and lattn.finalize. The number of parts is given, or it
    follows from the shape and from `slots`. Results do not depend on which thread
    runs which part.

    With `gpu`, a block computes a tile of a part, and a thread an element of the
    output. If sizes are not known, the number of parts is computed at the launch, and
    a single part needs no workspace. `lattn-tile` tiles each attention that is not
    split.

    ```mlir
    !q = tensor<1x2x1x64xf32>
    !kv = tensor<1x2x4096x64xf32>
    func.func @decode(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
      %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv)
          outs(%o : !q)
      return %0 : !q
    }
    ```

    becomes

    ```
    %parts:3 = scf.forall (%part, %h) in (4, 2) shared_outs(%accs = ...
      %state:3 = lattn.sweep_keys (%j, %size, ...) in (%begin interior %from edge %end) by 64 ...
        ... = lattn.online_attention ...
      %rows:3 = lattn.finalize ins(%state#0, %state#1, %state#2 : ...
      tensor.parallel_insert_slice %rows#0 into %accs[%part, 0, %h, ...
    scf.forall (%h1) in (2) shared_outs(%out = %o) -> ... {
      %acc = tensor.extract_slice %parts#0[0, 0, %h1, ... [4, 1, 1, ...
      %all:3 = lattn.merge ins(%acc, %max, %sum : ...
      %r = lattn.finalize ins(%all#0, %all#1, %all#2 : ...
    ```
  }];
  let options = [
    Option<"parts", "parts", "int64_t", /*default=*/"0",
      "Number of parts; 0: chosen from the shape; if that is not known, 1 on a "
      "CPU, and computed at the launch on a GPU">,
    Option<"slots", "slots", "int64_t", /*default=*/"0",
      "Tiles that run at once; 0: 64 on a CPU; a GPU needs a number">,
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile: a multiple of the vector lanes">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"64",
      "Keys per step of the online softmax">,
    Option<"gpu", "gpu", "bool", /*default=*/"false",
      "Tiles for the blocks of a GPU">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnDecomposePass : Pass<"lattn-decompose"> {
  let summary = "turn lattn ops into linalg ops, and loops over keys into scf.for";
  let description = [{
    Makes the simple form, in which scores are stored. It converts lattn.attention to
    its online form first. The pipelines use `ops=sweep_keys` to turn the runs of
    `lattn.sweep_keys` into loops, after the last pass that needs the runs. The
    lattn.finalize of a merged state is decomposed together with lattn.merge.
  }];
  let options = [
    ListOption<"ops", "ops", "std::string",
      "Names of the ops to decompose, e.g. merge; default: all">
  ];
  let dependentDialects = [
    "::lattn::LattnDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnDecomposeLinalgPass : Pass<"lattn-decompose-linalg"> {
  let summary = "decompose linalg ops that upstream cannot turn into loops";
  let description = [{
    Upstream's own methods decompose linalg.softmax and the ops of Winograd's
    convolution. linalg.pack and linalg.unpack become a pad, a transpose and changes of
    shape. The pass works on tensors. Ops that have no such form stay.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnCheckSizesPass : Pass<"lattn-check-sizes", "::mlir::ModuleOp"> {
  let summary = "add functions that check sizes before a call";
  let description = [{
    Adds a check function for each public function. It takes the same arguments, in
    the form of the C interface. It returns null, or a message if the sizes contradict
    each other. The ops' verifiers check known sizes; this function checks the others
    at run time. It does not check sizes that do not follow from those of arguments.
    The pipelines do not run this pass. A program that compiles a function runs it, and
    calls the check function first.

    ```mlir
    !t = tensor<1x1x?x8xf32>
    func.func @attention(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
      %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
          outs(%o : !t)
      return %0 : !t
    }
    ```

    becomes that and

    ```
    func.func @lattn_check_sizes_attention(%q: !llvm.ptr, ...
      scf.if ...
        func.call @lattn_check_array(...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnPrefetchTilesPass : Pass<"lattn-prefetch-tiles"> {
  let summary = "prefetch rows of the next query tile in the steps over keys";
  let description = [{
    Works on a `lattn.sweep_keys` between a `lattn.pack_query` and its
    `lattn.finalize`, on buffers. Each of the first steps prefetches some rows of the
    output tile and of the next query tile, and those of their tangents. Upstream has
    no pass that places `memref.prefetch`.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_TD
