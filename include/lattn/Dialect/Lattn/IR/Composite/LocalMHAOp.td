//===- LocalMHAOp.td - Local attention with its projections -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td, after LocalAttentionOp.td.

#ifndef LATTN_DIALECT_LATTN_IR_LOCALMHAOP_TD
#define LATTN_DIALECT_LATTN_IR_LOCALMHAOP_TD

def Lattn_LocalMHAOp : Lattn_DestinationOp<"local_mha", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "local attention between projections, as LocalMHA computes it";
  let description = [{
    The LocalMHA module of the local-attention package, from input (B, N, E) to
    output (B, N, E), with H = `heads` heads of size Dh. `lattn-expand-local-mha`
    turns the op into matrix products, lattn.local_attention and other operations
    around them.

    Weights have PyTorch's layout of Linear, (out, in). `w_qkv` (3 * H * Dh, E)
    gives queries, keys and values, in this order, with heads outside. `w_out` (E, H
    * Dh) gives the output.

    - `norm_gain` (E), `norm_bias` (E): the input goes through a layer norm first.
    - `q_scale`, `k_scale` (Dh): queries and keys are L2-normalised and multiplied
      by these. The module then has `scale = 8.0 : f64` by default.
    - `w_gate` (H, E), `gate_bias` (H): the output of each head is multiplied by the
      sigmoid of this projection of the (normalised) input.

    All other operands and attributes are those of lattn.local_attention. The module
    sets `autopad`, `dim` to Dh and, by default, `exact_windowsize`.

    ```mlir
    %0 = lattn.local_mha input(%x : tensor<1x?x512xf32>)
           w_qkv(%qkv : tensor<1536x512xf32>) w_out(%o : tensor<512x512xf32>)
           outs(%e : tensor<1x?x512xf32>)
           {heads = 8 : i64, window_size = 256 : i64, causal, exact_windowsize,
            autopad, dim = 64 : i64}
    ```

    Source: LocalMHA of local-attention 1.11.2. Constraints: local_mha_c1 to
    local_mha_c8 in docs/spec.md.
  }];
  // local_mha_c7: Lattn_LocalAttributes
  let arguments = !con((ins
    Lattn_FloatArray:$input /*local_mha_c1*/,
    Lattn_FloatArray:$w_qkv /*local_mha_c2*/,
    Lattn_FloatArray:$w_out /*local_mha_c3*/,
    Optional<Lattn_FloatArray>:$norm_gain /*local_mha_c4*/,
    Optional<Lattn_FloatArray>:$norm_bias /*local_mha_c4*/,
    Optional<Lattn_FloatArray>:$q_scale /*local_mha_c5*/,
    Optional<Lattn_FloatArray>:$k_scale /*local_mha_c5*/,
    Optional<Lattn_FloatArray>:$w_gate /*local_mha_c6*/,
    Optional<Lattn_FloatArray>:$gate_bias /*local_mha_c6*/,
    Optional<Lattn_FloatArray>:$bias /*local_mha_c8*/,
    Optional<Lattn_MaskArray>:$key_mask /*local_mha_c8*/,
    Lattn_FloatArray:$output /*local_mha_c1*/,
    I64Attr:$heads /*local_mha_c2*/,
    DefaultValuedAttr<F64Attr, "1.0e-5">:$norm_eps /*local_mha_c4*/
  ), Lattn_LocalAttributes);
  let assemblyFormat = [{
    `input` `(` $input `:` type($input) `)`
    `w_qkv` `(` $w_qkv `:` type($w_qkv) `)`
    `w_out` `(` $w_out `:` type($w_out) `)`
    (`norm_gain` `(` $norm_gain^ `:` type($norm_gain) `)`)?
    (`norm_bias` `(` $norm_bias^ `:` type($norm_bias) `)`)?
    (`q_scale` `(` $q_scale^ `:` type($q_scale) `)`)?
    (`k_scale` `(` $k_scale^ `:` type($k_scale) `)`)?
    (`w_gate` `(` $w_gate^ `:` type($w_gate) `)`)?
    (`gate_bias` `(` $gate_bias^ `:` type($gate_bias) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    `outs` `(` $output `:` type($output) `)` attr-dict
  }];
  let extraClassDeclaration = Lattn_LocalDeclarations # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    /// W, the length of a block.
    int64_t getBlockLength() { return getWindowSize(); }
    /// Dh, the size of a head.
    int64_t getHeadSize() {
      auto type = ::llvm::cast<::mlir::ShapedType>(getWQkv().getType());
      return type.getDimSize(0) / (3 * static_cast<int64_t>(getHeads()));
    }
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_LOCALMHAOP_TD
