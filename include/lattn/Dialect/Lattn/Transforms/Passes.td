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
  let summary = "lattn ops on memrefs become ops on tensors over those buffers";
  let description = [{
    Wraps every lattn op on memrefs: inputs are read through
    `bufferization.to_tensor`, results go to their destinations through
    `bufferization.materialize_in_destination`. Tiling then has one form to
    handle; bufferization puts the buffers back without copies. Destinations
    must not overlap inputs.

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

def LattnBranchFewQueriesPass : Pass<"lattn-branch-few-queries"> {
  let summary = "attention of any number of queries gets branches for few";
  let description = [{
    Where heads are known to share keys, the number of queries is not known, and
    nothing but the arrays depends on the head: scf.if on one query, in whose
    branch the types say so. There
    `lattn-tile` puts the heads that share keys into one tile, and the window
    hides nothing between the first and the last key: what decoding needs. With
    `few`, an attention whose queries are not known gets a branch for up to so
    many, with features on the lanes. Upstream has no such versioning.

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
      "For a GPU, also where heads are not known">,
    Option<"few", "few", "int64_t", /*default=*/"0",
      "Queries up to which features lie on the lanes (0: never)">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnConvertToOnlinePass : Pass<"lattn-convert-to-online"> {
  let summary = "attention becomes one online_attention step and finalize";
  let description = [{
    lattn.attention -> lattn.online_attention over all keys, from the state of
    no keys (or of the sink alone), and lattn.finalize. Upstream tiling then
    applies to the online op, along keys too.

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
  let summary = "give every attention the schedule that costs least";
  let description = [{
    Completes the `schedule` of every `lattn.attention`, for `lattn-split-kv`
    and `lattn-tile`. A cost model weighs the window, the head sizes and the
    layout against the CPU's registers and caches: small windows want few
    queries in a tile, long ones many. Upstream knows neither the window nor the
    kernel.

    What a schedule says already stays; products that the target does not have
    are an error. Queries lie on the lanes of vectors: a query tile that is asked
    for is rounded up to whole vectors, with a remark.
    `tuned` are sizes found by measuring
    (`lattn-run --tune`), by kernel; they go before the model's, with a remark,
    where `query-tile` and `key-tile` do not say otherwise.

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
      "Products of bf16 may be dot products of pairs">,
    Option<"amx", "amx", "bool", /*default=*/"false",
      "or by tiles of AMX where that is cheaper">,
    Option<"l1Bytes", "l1-bytes", "int64_t", /*default=*/"32768",
      "Bytes of the first data cache">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"524288",
      "Bytes of a core's second cache">
  ];
}

def LattnTilePass : Pass<"lattn-tile"> {
  let summary = "clip attention to its window and tile it";
  let description = [{
    lattn.attention -> scf.forall over (batch, head, query tile) of a
    lattn.sweep_keys with three runs over key tiles: left edge (masked), interior
    (no mask), right edge (masked). Keys that the window or kv_lens hide from the
    whole tile are not visited. Queries are packed so that they lie on vector
    lanes; layout, grouped heads and explicit positions are resolved here:
    nothing below knows them.

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

    With `gpu` the loop is mapped to the blocks of a grid and tiles hold queries
    in rows, unpacked: `convert-lattn-to-fragment` takes them.

    The head sizes must be known. An attention that cannot be tiled stays, with
    a warning that says why: it goes the way of `lattn-to-loops`.
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
  let summary = "tile attention along (batch, query) without clipping keys";
  let description = [{
    The dull tiling of `lattn-to-loops`: sequential loops over (batch,
    query tile), each with all heads and keys, so that the materialised scores
    stay small. It asks no window geometry: the numbers of the fast path, which
    does, are checked against it.
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
    lattn.attention_grad -> a loop over (batch, key head, chunk of queries), whose
    steps run in parallel. Each carries the gradients of the keys and values that
    its chunk sees through the tiles of queries that read them, in their order.
    Where there are few heads, each head has several chunks of queries. A second
    loop adds the chunks' gradients of the same keys, in the order of the chunks.
    Only the shapes decide where a chunk ends, so the result is the same bit for
    bit for every number of threads. A tile of queries packs its queries and their
    output's gradients, sums their products with the output, and sweeps over the
    keys it sees (`lattn.sweep_keys`) by `lattn.attention_grad_step`. The schedule
    of the op says how large tiles are; the options are for ops that have none.

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

    lattn.attention_jvp -> a parallel loop over (batch, head, tile of queries), as
    `lattn-tile` does it, whose steps are `lattn.attention_jvp_step`. With
    `whole-keys` it becomes attention and loops over blocks of queries.

    With `whole-keys`, loops are sequential, and each tile takes all keys in one
    step, which masks alone hide and linalg ops compute: no window geometry is
    asked. `lattn-to-loops` does that, and it is what becomes of an op whose head
    sizes are not known, with a warning.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"16",
      "Queries per tile of an op without a schedule">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"64",
      "Keys per step of an op without a schedule">,
    Option<"wholeKeys", "whole-keys", "bool", /*default=*/"false",
      "All keys in one step, and all loops sequential">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnSplitKVPass : Pass<"lattn-split-kv"> {
  let summary = "split attention along keys into parts that run in parallel";
  let description = [{
    For few queries over many keys. lattn.attention becomes two parallel loops:
    one over parts of the keys, each of which writes its output and log-sum-exp
    to a workspace, and one that joins the parts of each row, in their order, by
    lattn.merge and lattn.finalize. The number of parts is given or a function of
    the shape and of `slots`; results do not depend on who runs which part.

    With `gpu` a part's tile is a block's and an element of the output a thread's.
    Where sizes are not known the number is computed at the launch, and one part
    goes without a workspace. `lattn-tile` takes what is not split.

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
    %parts:2 = scf.forall (%part, %h) in (4, 2) shared_outs(%outputs = ...
      %state:3 = lattn.sweep_keys (%j, %size, ...) in (%begin interior %from edge %end) by 64 ...
        ... = lattn.online_attention ...
      %rows:2 = lattn.finalize ins(%state#0, %state#1, %state#2 : ...
      tensor.parallel_insert_slice %rows#0 into %outputs[%part, 0, %h, ...
    scf.forall (%h1) in (2) shared_outs(%out = %o) -> ... {
      %output = tensor.extract_slice %parts#0[0, 0, %h1, ... [4, 1, 1, ...
      %sum:3 = lattn.merge ins(%output, %lse, %ones : ...
      %r = lattn.finalize ins(%sum#0, %sum#1, %sum#2 : ...
    ```
  }];
  let options = [
    Option<"parts", "parts", "int64_t", /*default=*/"0",
      "Number of parts; 0: chosen from the shape; where that is not known 1 on a "
      "CPU, and a number computed at the launch on a GPU">,
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
  let summary = "lattn ops become linalg ops, and loops over keys scf.for";
  let description = [{
    The dull form: scores are materialised. lattn.attention is converted to its
    online form first. `ops=sweep_keys` alone is how the pipelines make loops of
    the runs of `lattn.sweep_keys`, when no pass needs to know them any more. A
    merged state's lattn.finalize goes with lattn.merge.
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
  let summary = "linalg ops that upstream makes no loops of become those it does";
  let description = [{
    On tensors: linalg.softmax and the ops of Winograd's convolution, by upstream's
    own decompositions, and linalg.pack and linalg.unpack, which become a pad, a
    transpose and changes of shape. Ops that have no such form stay.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnCheckSizesPass : Pass<"lattn-check-sizes", "::mlir::ModuleOp"> {
  let summary = "functions that check sizes before a call";
  let description = [{
    Adds to each public function one that takes the same arguments, as functions
    for C take them, and returns null, or a message where sizes contradict each
    other: what the ops' verifiers ask of sizes, of those that are known when the
    code is called. Sizes that do not follow from those of arguments are not
    checked. What compiles functions adds these and calls them first; the
    pipelines do not.

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
        llvm.call @lattn_describe_sizes(...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnPrefetchTilesPass : Pass<"lattn-prefetch-tiles"> {
  let summary = "steps over keys prefetch rows of the next query tile";
  let description = [{
    In a `lattn.sweep_keys` between a `lattn.pack_query` and its `lattn.finalize`
    on buffers, the first steps prefetch some rows each of the output tile and of
    the next query tile. Upstream has no pass that places `memref.prefetch`.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_TD
