//===- QueryKeyPasses.td - Work on rows before attention ---*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_QUERYKEYPASSES_TD
#define LATTN_DIALECT_LATTN_TRANSFORMS_QUERYKEYPASSES_TD

include "mlir/Pass/PassBase.td"

def LattnFuseQueryKeyPass : Pass<"lattn-fuse-query-key"> {
  let summary = "fuse rotary and l2_normalize into attention's blocks of queries";
  let description = [{
    Tiles an attention whose query or key comes from lattn.rotary or
    lattn.l2_normalize into blocks of queries. Each block rotates and normalises its
    queries and keys in scratch memory of a known size. So no array as long as the
    sequence is stored, and a key is rotated once for all query tiles of a block.
    Positions count from the block's first key: the table of angles has as many rows
    as the window is wide, and xpos scales stay bounded.

    The window must be bounded, and positions must start at constants. Otherwise the
    ops stay, with a remark that says why.

    The gradients of an attention whose rows have xpos scales are computed in
    segments of queries, whose scales count from the middle of their keys.

    With `stage`, every attention of many queries and a bounded window is cut into
    blocks, whose keys and values go through lattn.stage_rows.

    ```mlir
    !t = tensor<1x8x?x64xf32>
    func.func @local(%q: !t, %k: !t, %v: !t, %o: !t, %e: !t) -> !t {
      %zero = arith.constant 0 : i64
      %q1 = lattn.rotary ins(%q : !t) outs(%e : !t) {dim = 64 : i64}
      %k1 = lattn.rotary ins(%k : !t) outs(%e : !t) {dim = 64 : i64}
      %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
          offset(%zero : i64) outs(%o : !t)
          {window = #lattn.window<left = 128, right = 0>}
      return %0 : !t
    }
    ```

    becomes

    ```
    %table = arith.constant dense<...> : tensor<384x2x32xf32>
    scf.forall (%h, %i) in (8, %blocks) shared_outs(%out = %o) -> ... {
      %q1 = lattn.rotate_pairs ins(%rows, %table : ...
      %k1 = lattn.rotate_pairs ins(%keys, %table : ...
      %tile = lattn.attention query(%q1 : ... key(%k1 : ... origin(
      tensor.parallel_insert_slice %tile into %out
    ```
  }];
  let options = [
    Option<"block", "block", "int64_t", /*default=*/"256",
      "Queries per block; fewer where xpos scales would overflow">,
    Option<"xposOnly", "xpos-only", "bool", /*default=*/"false",
      "Fuse only rotations with xpos scales">,
    Option<"stage", "stage", "bool", /*default=*/"false",
      "Stage each block's keys and values">,
    Option<"keepBF16", "keep-bf16", "bool", /*default=*/"false",
      "Stage rows of bf16 as bf16; rotated rows are f32 in any case "
      "(`products = dot_values`)">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LattnNarrowRowsPass : Pass<"lattn-narrow-rows"> {
  let summary = "round computed rows for tensor cores";
  let description = [{
    Tensor cores multiply f16 or bf16. Rows of query and key of lattn.attention, and of
    query, key and d_output of lattn.attention_grad, that the program computes in f32, beside a value of f16 or
    bf16, are rounded to the value's type: by the lattn.rotary or lattn.l2_normalize
    that makes them, or by an operation after another one. Rows that come from outside
    of the function stay as they are.

    xpos scales grow with the position. If the type can't hold them, the pass fails; if
    the number of positions is not known, the program checks it.

    ```mlir
    !t = tensor<1x8x64x64xbf16>
    !w = tensor<1x8x64x64xf32>
    func.func @attend(%q: !t, %k: !t, %v: !t, %rows: !w, %o: !t) -> !t {
      %0 = lattn.rotary ins(%q : !t) outs(%rows : !w) {dim = 64 : i64}
      %1 = lattn.attention query(%0 : !w) key(%k : !t) value(%v : !t) outs(%o : !t)
      return %1 : !t
    }
    ```

    becomes

    ```
    %0 = lattn.rotary ins(%q : ... outs(%empty : tensor<1x8x64x64xbf16>)
    %1 = lattn.attention query(%0 : tensor<1x8x64x64xbf16>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LattnRotaryToTablePass : Pass<"lattn-rotary-to-table"> {
  let summary = "turn rotary into a table of angles and rotate_pairs";
  let description = [{
    A lattn.rotary that no other pass has fused becomes lattn.rotate_pairs with a table
    of its cosines and sines (times the xpos scales). The program computes the table in
    f64. It has a row for each position.

    ```mlir
    !t = tensor<1x8x?x64xf32>
    func.func @turn(%x: !t, %o: !t) -> !t {
      %0 = lattn.rotary ins(%x : !t) outs(%o : !t) {dim = 64 : i64}
      return %0 : !t
    }
    ```

    becomes

    ```
    %cosines = linalg.generic
    %sines = linalg.generic
    %0 = lattn.rotate_pairs ins(%x, %table : tensor<1x8x?x64xf32>, tensor<?x2x32xf32>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_QUERYKEYPASSES_TD
