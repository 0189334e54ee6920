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
  let summary = "tile matrix products for the matmul kernel";
  let description = [{
    linalg.matmul and linalg.batch_matmul (any contraction with one dimension
    each of rows, columns and products, such as a matmul whose indexing maps
    transpose an operand) -> scf.forall over (batch, row tile, column tile),
    where tiles of rows are all about equal, and the fewest that give `shares`
    threads as many tiles each: each tile packs its part of the right operand.
    A product in a scf.forall is a tile already. Up to 8 rows are cut into more
    tiles of columns, since they are bound by reading the weight. Products are
    not cut: results do not depend on who computes a tile. A fill of the
    destination is done tile by tile. Floats up to f64 whose products are
    of the destination's width, or f32 if that is narrower; others stay, with a
    remark that says why.

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
      "Number of threads to share the tiles evenly; tiles keep at least 96 rows">,
    Option<"rowUnit", "row-unit", "int64_t", /*default=*/"1",
      "What the rows of a tile are a multiple of">,
    Option<"columnUnit", "column-unit", "int64_t", /*default=*/"1",
      "What the columns of a tile are a multiple of">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnFuseRowsPass : Pass<"lattn-fuse-rows"> {
  let summary = "tile chains of token-wise work by blocks of rows";
  let description = [{
    Work on tokens that depend on no other token (matrix products with weights,
    biases, residuals, norms, elementwise functions: linalg on tensors) becomes
    one scf.forall over blocks of rows of the last op. Each block computes what
    it needs of the ops before, in buffers of its own that stay in the caches.
    Results that other ops read after the last one are returned, too. A chain has
    a matrix product and another op, or no product but one op or more whose
    results have rows: all axes of the last result but its last. Other ops stay
    as they are, with a remark where a chain reads their rows and cannot take
    them. Slices of columns and reshapes of features belong to a chain.
    Elementwise work and reductions on (batch, row, feature) first go over the
    rows of products of merged batches. Axes of extent 1 that a reduction kept
    are dropped first, and a product reads a transposed weight as it lies.
    Known to have less than two blocks of rows, a chain stays as it is; where
    that is not known, it has a second branch.

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
      "Rows of a block, unless they would not fit">,
    Option<"rowUnit", "row-unit", "int64_t", /*default=*/"6",
      "Fewer rows are a multiple">,
    Option<"shares", "shares", "int64_t", /*default=*/"2",
      "Number of threads to share the blocks evenly">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"1048576",
      "Size of the cache that a block's rows are at most a few times as large as">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnSeparateStartsPass : Pass<"lattn-separate-starts"> {
  let summary = "each sum starts with a fill of its own";
  let description = [{
    linalg.fill and linalg.broadcast of an empty tensor that several operations
    start their sums with are copied for each of them. Bufferization would fill
    one buffer and copy it.
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LattnPromoteScratchPass : Pass<"lattn-promote-scratch"> {
  let summary = "buffers of known size in parallel loops go to the stack";
  let description = [{
    memref.alloc of static size directly in the body of an `scf.forall` becomes
    memref.alloca. Upstream's promote-buffers-to-stack promotes in sequential
    loops too, where the stack would grow with every iteration; here
    `lattn-outline-parallel` makes them the work function's own.

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
      "Largest buffer to promote">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LattnOutlineParallelPass
    : Pass<"lattn-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "scf.forall on buffers becomes calls of lattn_parallel_for";
  let description = [{
    The body of every bufferized `scf.forall` becomes a function of a range of
    work items; captured values travel in a struct. Buffers of known size inside
    are the function's stack. `lattn_parallel_for(body, context, items)` runs
    them. With `parallel=false` the caller runs all of them.

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
  let summary = "strided copies and f32 to bf16 without library calls";
  let description = [{
    Operations that upstream lowers to calls which compiled code must not need: a
    copy between strided buffers (`memrefCopy`), `arith.truncf` to bf16, whose
    upstream expansion ends in a select that LLVM turns into `__truncsfbf2`, and
    `cf.assert`, which aborts the process: it becomes a call of `lattn_fail` with
    the message, which whoever called the code is told.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def LattnCheckLoweredPass : Pass<"lattn-check-lowered"> {
  let summary = "an error for each op that a pipeline does not lower";
  let description = [{
    Every op that is not of the LLVM dialect, of NVVM or of `dialects` is an error
    at its place, once for each name and function. So a pipeline names what no
    pass of it lowers and does not succeed with it. With `bufferizable`, before
    bufferization, so are ops on tensors that cannot be bufferized.
  }];
  let options = [
    ListOption<"dialects", "dialects", "std::string",
      "Further dialects whose ops may be there, outside of GPU modules">,
    Option<"bufferizable", "bufferizable", "bool", /*default=*/"false",
      "Ops on tensors must be able to become ops on buffers">
  ];
}

#endif // LATTN_TRANSFORMS_PASSES_TD
