//===- Passes.td - Passes without ops of lattn -------------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TRANSFORMS_PASSES_TD
#define LATTN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LattnTileMatmulPass : Pass<"lattn-tile-matmul"> {
  let summary = "tile matrix products";
  let description = [{
    A matrix product becomes an scf.forall over (batch, row tile, column tile). The
    pass takes linalg.matmul, linalg.batch_matmul and every other contraction with one
    dimension of rows, one of columns and one that is summed over. An operand may be
    transposed by its indexing map. Elements are floats of up to 64 bits. Products are
    computed in the destination's type, or in f32 if that is narrower. Other products
    stay, with a remark that says why.

    - Tiles of rows have about equal sizes. Each tile packs its part of the right
      operand, so there are few tiles: just enough to give each of `shares` threads
      the same number.
    - A product inside an scf.forall is a tile already.
    - Products of up to 8 rows have more tiles of columns, because the time to read
      the weight bounds them.
    - Sums are not cut, so results do not depend on which thread computes a tile.
    - A fill of the destination is done tile by tile.

    ```mlir
    !x = tensor<?x512xf32>
    !w = tensor<512x1536xf32>
    !y = tensor<?x1536xf32>
    func.func @project(%x: !x, %w: !w, %y: !y) -> !y {
      %0 = linalg.matmul ins(%x, %w : !x, !w) outs(%y : !y) -> !y
      return %0 : !y
    }
    ```

    becomes

    ```
    scf.forall (%i, %j) in (%tiles, 6) shared_outs(%out = %y) -> ... {
      %rows = tensor.extract_slice %x[
      %columns = tensor.extract_slice %w[
      %tile = linalg.matmul ins(%rows, %columns : ...
      tensor.parallel_insert_slice %tile into %out[
    ```
  }];
  let options = [
    Option<"rowTile", "row-tile", "int64_t", /*default=*/"4096",
      "Most rows per tile">,
    Option<"columnTile", "column-tile", "int64_t", /*default=*/"256",
      "Most columns per tile">,
    Option<"shares", "shares", "int64_t", /*default=*/"16",
      "Number of threads that share the tiles evenly; a tile has at least 96 rows">,
    Option<"rowUnit", "row-unit", "int64_t", /*default=*/"1",
      "A tile has a multiple of this number of rows">,
    Option<"columnUnit", "column-unit", "int64_t", /*default=*/"1",
      "A tile has a multiple of this number of columns">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnFuseRowsPass : Pass<"lattn-fuse-rows"> {
  let summary = "fuse chains of token-wise work, and tile them by blocks of rows";
  let description = [{
    Token-wise work is linalg on tensors in which no token depends on another: matrix
    products with weights, biases, residuals, norms, elementwise functions. A chain of
    such ops becomes one scf.forall over blocks of rows of the last op. Each block
    computes the rows of the earlier ops that it needs, in its own buffers, which stay
    in the caches. Results that later ops read are returned, too.

    - A chain has a matrix product and another op, or at least one op whose results
      have rows. The last axis of the last result has features. All others are rows.
    - Slices of columns and reshapes of features belong to a chain.
    - Other ops stay as they are. A remark names an op whose rows a chain reads and
      that the chain cannot include.
    - Elementwise work and reductions on (batch, row, feature) are first rewritten to
      the rows of products that merge batches. Axes of extent 1 that a reduction kept
      are dropped first. A product reads a transposed weight in place.
    - A chain with fewer than two blocks of rows stays as it is. If the number of rows
      is not known, the chain gets a second branch for few rows.

    ```mlir
    !x = tensor<?x512xf32>
    !h = tensor<?x2048xf32>
    func.func @up(%x: !x, %w: tensor<512x2048xf32>, %h: !h) -> !h {
      %0 = linalg.matmul ins(%x, %w : !x, tensor<512x2048xf32>) outs(%h : !h) -> !h
      %1 = linalg.exp ins(%0 : !h) outs(%h : !h) -> !h
      return %1 : !h
    }
    ```

    becomes

    ```
    scf.forall (%i) in (%blocks) shared_outs(%out = %h) -> ... {
      %rows = tensor.extract_slice %x[
      %product = linalg.matmul ins(%rows, %w : ...
      %exp = linalg.exp ins(%product : ...
      tensor.parallel_insert_slice %exp into %out[
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"96",
      "Rows of a block; fewer if they would not fit the cache">,
    Option<"rowUnit", "row-unit", "int64_t", /*default=*/"6",
      "Blocks with fewer rows have a multiple of this number">,
    Option<"shares", "shares", "int64_t", /*default=*/"2",
      "Number of threads that share the blocks evenly">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"1048576",
      "Size of the cache: the rows of a block are at most a few times as large">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnSeparateStartsPass : Pass<"lattn-separate-starts"> {
  let summary = "give each sum its own fill";
  let description = [{
    Copies a linalg.fill or linalg.broadcast of an empty tensor for each operation
    that starts its sum with it. Otherwise bufferization fills one buffer and copies
    it.
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LattnSplitStridedViewsPass : Pass<"lattn-split-strided-views"> {
  let summary = "make two views of one that has strides and drops axes";
  let description = [{
    A memref.subview that has strides and drops axes becomes one that has strides and
    one that drops axes. Upstream finds the axes that a view drops by the strides of
    its types, and fails if the view itself has strides.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LattnPromoteScratchPass : Pass<"lattn-promote-scratch"> {
  let summary = "put buffers of known size on the stack";
  let description = [{
    A memref.alloc of static size in the body of an `scf.forall` becomes a
    memref.alloca, and one in a loop inside, too, if no other operation passes it on
    (loops, branches, returns): all iterations share it. `lattn-outline-parallel` moves
    it to the entry of the work function. With `function-bytes`, buffers in the entry
    block of a function become memref.alloca, too, on the same condition. Upstream's
    promote-buffers-to-stack also promotes in sequential loops, in their bodies,
    where the stack would grow in every iteration.

    ```mlir
    func.func private @use(memref<16xf32>)
    func.func @scratch(%n: index) {
      scf.forall (%i) in (%n) {
        %0 = memref.alloc() : memref<16xf32>
        func.call @use(%0) : (memref<16xf32>) -> ()
        memref.dealloc %0 : memref<16xf32>
      }
      return
    }
    ```

    becomes

    ```
    scf.forall (%i) in (%n) {
      %s = memref.alloca() : memref<16xf32>
      func.call @use(%s) : (memref<16xf32>) -> ()
    }
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"262144",
      "Largest buffer to promote in a loop">,
    Option<"functionBytes", "function-bytes", "int64_t", /*default=*/"0",
      "How many bytes of a function's own buffers to promote">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LattnOutlineParallelPass
    : Pass<"lattn-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "turn scf.forall on buffers into calls of lattn_parallel_for";
  let description = [{
    The body of every bufferized `scf.forall` becomes a function of a range of work
    items. A struct holds the captured values. Buffers of known size in the body lie
    on the function's stack. `lattn_parallel_for(body, context, items)` runs the
    items. With `parallel=false` the caller runs all of them. Loops may begin
    anywhere and have any step.

    ```mlir
    func.func @fill(%a: memref<?xf32>, %x: f32, %n: index) {
      scf.forall (%i) in (%n) {
        memref.store %x, %a[%i] : memref<?xf32>
      }
      return
    }
    ```

    becomes

    ```
    func.func @fill(%a: memref<?xf32>, %x: f32, %n: index) {
      %f = constant @fill_parallel : (!llvm.ptr, i64, i64) -> ()
      %context = llvm.alloca %one x !llvm.struct<(f32, ...
      llvm.store %x, %field : f32, !llvm.ptr
      %body = builtin.unrealized_conversion_cast %f : ...
      call @lattn_parallel_for(%body, %context, %items) : ...
    func.func private @fill_parallel(%c: !llvm.ptr, %begin: i64, %end: i64) {
      %y = llvm.load ... -> f32
      scf.for %item = %from to %to step %c1 {
        memref.store %y, %b[%item] : memref<?xf32>
    ```
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"true",
      "Call lattn_parallel_for; else run the items in order">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LattnExpandLibraryCallsPass
    : Pass<"lattn-expand-library-calls", "::mlir::ModuleOp"> {
  let summary = "replace operations that would need a library call";
  let description = [{
    Compiled code must not need a library for these operations:

    - a copy between strided buffers, which upstream lowers to `memrefCopy`;
    - `arith.truncf` to bf16, whose upstream expansion ends in a select that LLVM
      turns into `__truncsfbf2`;
    - `cf.assert`, which aborts the process. It becomes a call of `lattn_fail` with
      the message, which reaches the caller of the compiled code.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def LattnSplitOpenAxesPass : Pass<"lattn-split-open-axes"> {
  let summary = "replace views that split an axis by several open extents";
  let description = [{
    Upstream's `expand-strided-metadata` lowers a `memref.expand_shape` with one open
    extent for each axis of its source. This pass lowers those with more:

    ```
    %1 = memref.expand_shape %0 [[0, 1]] output_shape [%a, %b]
        : memref<?xf32> into memref<?x?xf32>
    ```

    becomes

    ```
    %base, %offset, %size, %stride = memref.extract_strided_metadata %0
    %1 = memref.reinterpret_cast %base to offset: [0], sizes: [%a, %b],
        strides: [%b, 1] : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
}

def LattnDeallocatePass : Pass<"lattn-deallocate", "::mlir::ModuleOp"> {
  let summary = "free buffers in the functions that own some";
  let description = [{
    Runs upstream's `buffer-deallocation-pipeline`, but only on functions that own a
    buffer: those that allocate one, get one from a call or return one. Kernels are
    most of a program and own none. Upstream's passes would go through them eight
    times and change nothing.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnRunWherePass : Pass<"lattn-run-where"> {
  let summary = "run a pipeline where ops of some kinds are";
  let description = [{
    Runs a pipeline only on those functions, or other ops that the pipeline is for, that
    have one of the given ops inside. A conversion goes through all ops several times
    even if it finds nothing to convert; this pass looks at each once. With

    ```
    lattn-run-where{ops=complex,ub.poison pipeline=func.func(convert-complex-to-standard)}
    ```

    functions without an op of the dialect `complex` and without `ub.poison` stay as
    they are.
  }];
  let options = [
    ListOption<"ops", "ops", "std::string", "Names of ops, and of dialects">,
    Option<"text", "pipeline", "std::string", /*default=*/"",
      "The pipeline, with its anchor: func.func(...)">
  ];
}

def LattnHidePrivatePass : Pass<"lattn-hide-private", "::mlir::ModuleOp"> {
  let summary = "give private functions of the LLVM dialect internal linkage";
  let description = [{
    Private functions of two object files may have the same name, among them those
    that the pipelines make. Other object files and programs do not see them.

    ```mlir
    llvm.func @helper() attributes {sym_visibility = "private"} {
      llvm.return
    }
    ```

    becomes

    ```
    llvm.func internal @helper() attributes {sym_visibility = "private"} {
    ```
  }];
}

def LattnCheckLoweredPass : Pass<"lattn-check-lowered"> {
  let summary = "report each op that no pass has lowered";
  let description = [{
    Reports an error, at its location, for every op that does not belong to the LLVM
    dialect, to NVVM or to `dialects`. Each name is reported once in a function. With
    `bufferizable`, the pass also reports ops on tensors that cannot be bufferized; this
    is for use before bufferization.
  }];
  let options = [
    ListOption<"dialects", "dialects", "std::string",
      "Further dialects whose ops may be there, outside of GPU modules">,
    Option<"bufferizable", "bufferizable", "bool", /*default=*/"false",
      "Report ops on tensors that cannot be bufferized">
  ];
}

#endif // LATTN_TRANSFORMS_PASSES_TD
