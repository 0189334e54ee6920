//===- CompositePasses.td - Expansion of composite ops -----*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_COMPOSITEPASSES_TD
#define LATTN_DIALECT_LATTN_TRANSFORMS_COMPOSITEPASSES_TD

include "mlir/Pass/PassBase.td"

def LattnExpandLocalMHAPass : Pass<"lattn-expand-local-mha"> {
  let summary = "turn local_mha into projections and local_attention";
  let description = [{
    The op becomes one matrix product for queries, keys and values,
    lattn.local_attention of views of its result (layout bnhd, so nothing is
    transposed), and a product for the output. The products read the weights in
    place. Layer norm, scales of queries and keys, and gates become linalg ops
    between them.

    ```mlir
    !x = tensor<1x?x32xf32>
    !w = tensor<32x32xf32>
    func.func @mha(%x: !x, %qkv: tensor<96x32xf32>, %w: !w, %o: !x) -> !x {
      %0 = lattn.local_mha input(%x : !x) w_qkv(%qkv : tensor<96x32xf32>)
          w_out(%w : !w) outs(%o : !x)
          {heads = 4 : i64, window_size = 16 : i64, causal, autopad}
      return %0 : !x
    }
    ```

    becomes

    ```
    %p = linalg.matmul ... ins(%rows, %qkv : ...
    %p3 = tensor.expand_shape %p ...
    %1 = tensor.extract_slice %p3[0, 0, 0] ...
    %q = tensor.expand_shape %1 ...
    %a = lattn.local_attention query(%q : ... layout = #lattn.layout<bnhd>
    %2 = tensor.collapse_shape %a [[0, 1], [2, 3]] ...
    %y = linalg.matmul ... ins(%2, %w : ...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def LattnExpandMultiheadAttentionPass
    : Pass<"lattn-expand-multihead-attention"> {
  let summary = "turn multihead_attention into projections and attention";
  let description = [{
    The op becomes matrix products for queries, keys, values and the output, and
    lattn.attention of views of their results. The products read the weights in place.
    Nothing is transposed (layout
    bnhd). With a state, attention reads the state (layout bhnd). xpos becomes
    lattn.rotary. linalg ops compute the inner layer norm, invert the mask, and write
    NaN to rows without visible keys. If the op returns weights,
    lattn.attention_scores stores them.

    ```mlir
    !x = tensor<1x?x32xf32>
    !w = tensor<32x32xf32>
    func.func @mha(%x: !x, %q: !w, %k: !w, %v: !w, %w: !w, %o: !x) -> !x {
      %0 = lattn.multihead_attention query(%x : !x) key(%x : !x) value(%x : !x)
          w_q(%q : !w) w_k(%k : !w) w_v(%v : !w) w_out(%w : !w) outs(%o : !x)
          {heads = 4 : i64, use_xpos}
      return %0 : !x
    }
    ```

    becomes

    ```
    %q1 = linalg.matmul ... ins(%rows, %q : ...
    %k1 = linalg.matmul ... ins(%rows, %k : ...
    %v1 = linalg.matmul ... ins(%rows, %v : ...
    %q2 = lattn.rotary ...
    %k2 = lattn.rotary ... downscale, ...
    %a = lattn.attention query(%q2 : ... key(%k2 : ... {layout = #lattn.layout<bnhd>}
    %1 = tensor.collapse_shape %a [[0, 1], [2, 3]] ...
    %y = linalg.matmul ... ins(%1, %w : ...
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def LattnExpandLocalAttentionPass : Pass<"lattn-expand-local-attention"> {
  let summary = "turn local_attention into attention and operations around it";
  let description = [{
    The op becomes lattn.attention with the window of its blocks, after
    lattn.l2_normalize (`shared_qk`) and lattn.rotary (`dim`). Two kinds of rows are
    corrected afterwards, by their log-sum-exp: rows that see keys of the padding
    (`autopad`), and rows that see no key. If the length is not known and there is no
    `autopad`, the program checks the length.

    ```mlir
    !t = tensor<1x8x?x64xf32>
    func.func @local(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
      %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
          outs(%o : !t) {window_size = 128 : i64, causal, autopad, dim = 64 : i64}
      return %0 : !t
    }
    ```

    becomes

    ```
    %q1 = lattn.rotary ins(%q : ...
    %k1 = lattn.rotary ins(%k : ...
    %0 = lattn.attention query(%q1 : ... key(%k1 : ... bucket = 128, back = 1>}
    ```
  }];
  let options = [
    Option<"whole", "whole", "bool", /*default=*/"false",
      "Only operations on whole arrays, which have derivatives and kernels of GPUs">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_COMPOSITEPASSES_TD
