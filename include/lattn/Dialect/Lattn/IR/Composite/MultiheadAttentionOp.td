//===- MultiheadAttentionOp.td - Attention with its projections -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td.

#ifndef LATTN_DIALECT_LATTN_IR_MULTIHEADATTENTIONOP_TD
#define LATTN_DIALECT_LATTN_IR_MULTIHEADATTENTIONOP_TD

def Lattn_MultiheadAttentionOp : Lattn_DestinationOp<"multihead_attention", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "attention between projections, as MultiheadAttention computes it";
  let description = [{
    The MultiheadAttention module of TorchScale and zeta, from query (B, T, E),
    key (B, S, Ek) and value (B, S, Ev) to output (B, T, Eo), with H = `heads`
    heads of size Dh. `lattn-expand-multihead-attention` turns the op into matrix
    products, lattn.attention and other operations around them.

    Weights have PyTorch's layout of Linear, (out, in): `w_q` (H * Dh, E), `w_k`
    (H * Dh, Ek), `w_v` (H * Dh, Ev), `w_out` (Eo, H * Dh). Each may have a bias:
    `b_q`, `b_k`, `b_v` (H * Dh), `b_out` (Eo).

    - `subln_gain`, `subln_bias` (H * Dh): the output of attention goes through a
      layer norm before w_out.
    - `prev_key`, `prev_value` (B, H, P, Dh): projected keys and values of earlier
      calls, which come before those of this call. `next_key`, `next_value` (B, H, P
      + S, Dh) get both, for the next call. S' is P + S.
    - `key_padding_mask` (B, S'): true hides the key.
    - `window`, `causal`: those of lattn.attention. The modules do not have them.
    - `attn_mask`, `rel_pos`: broadcastable to (B, H, T, S'), added to the scores.
      With attn_mask, NaN counts as 0 and infinities as the largest numbers.
    - `use_xpos`: queries and keys are rotated and scaled by their position
      (interleaved, base `xpos_scale_base`). With a state, queries stand at S' - 1
      and after, unless `is_first_step`.
    - `dropout` (p, seed, offset): as in lattn.attention.
    - `weights` (H, B, T, S'): a second destination, which gets the weights before
      dropout.
    - `scale`: factor of the queries, default Dh^-0.5.

    A row without visible keys is NaN, as in the modules.

    ```mlir
    %0 = lattn.multihead_attention query(%x : tensor<1x?x512xf32>)
           key(%x : tensor<1x?x512xf32>) value(%x : tensor<1x?x512xf32>)
           w_q(%q : tensor<512x512xf32>) w_k(%k : tensor<512x512xf32>)
           w_v(%v : tensor<512x512xf32>) w_out(%o : tensor<512x512xf32>)
           outs(%e : tensor<1x?x512xf32>) {heads = 8 : i64, use_xpos, causal}
    ```

    Source: MultiheadAttention of torchscale 0.3.0; Wang et al., Foundation
    Transformers (2022), for the inner layer norm. Constraints:
    multihead_attention_c1 to multihead_attention_c11 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatArray:$query /*multihead_attention_c1*/,
    Lattn_FloatArray:$key /*multihead_attention_c1*/,
    Lattn_FloatArray:$value /*multihead_attention_c1*/,
    Lattn_FloatArray:$w_q /*multihead_attention_c2*/,
    Lattn_FloatArray:$w_k /*multihead_attention_c3*/,
    Lattn_FloatArray:$w_v /*multihead_attention_c3*/,
    Lattn_FloatArray:$w_out /*multihead_attention_c3*/,
    Optional<Lattn_FloatArray>:$b_q /*multihead_attention_c4*/,
    Optional<Lattn_FloatArray>:$b_k /*multihead_attention_c4*/,
    Optional<Lattn_FloatArray>:$b_v /*multihead_attention_c4*/,
    Optional<Lattn_FloatArray>:$b_out /*multihead_attention_c4*/,
    Optional<Lattn_FloatArray>:$subln_gain /*multihead_attention_c5*/,
    Optional<Lattn_FloatArray>:$subln_bias /*multihead_attention_c5*/,
    Optional<Lattn_FloatArray>:$prev_key /*multihead_attention_c6*/,
    Optional<Lattn_FloatArray>:$prev_value /*multihead_attention_c6*/,
    Optional<Lattn_MaskArray>:$key_padding_mask /*multihead_attention_c7*/,
    Optional<Lattn_FloatArray>:$attn_mask /*multihead_attention_c8*/,
    Optional<Lattn_FloatArray>:$rel_pos /*multihead_attention_c8*/,
    Variadic<AnyType>:$dropout /*multihead_attention_c9*/,
    Lattn_FloatArray:$output /*multihead_attention_c1*/,
    Optional<Lattn_FloatArray>:$weights /*multihead_attention_c10*/,
    Optional<Lattn_FloatArray>:$next_key /*multihead_attention_c6*/,
    Optional<Lattn_FloatArray>:$next_value /*multihead_attention_c6*/,
    I64Attr:$heads /*multihead_attention_c2*/,
    OptionalAttr<F64Attr>:$scale /*multihead_attention_c11*/,
    DefaultValuedAttr<F64Attr, "1.0e-5">:$subln_eps /*multihead_attention_c5*/,
    UnitAttr:$use_xpos /*multihead_attention_c11*/,
    DefaultValuedAttr<F64Attr, "512.0">:$xpos_scale_base /*multihead_attention_c11*/,
    UnitAttr:$is_first_step /*multihead_attention_c6*/,
    OptionalAttr<Lattn_WindowAttrInterface>:$window,
    UnitAttr:$causal
  );
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    `w_q` `(` $w_q `:` type($w_q) `)`
    `w_k` `(` $w_k `:` type($w_k) `)`
    `w_v` `(` $w_v `:` type($w_v) `)`
    `w_out` `(` $w_out `:` type($w_out) `)`
    (`b_q` `(` $b_q^ `:` type($b_q) `)`)?
    (`b_k` `(` $b_k^ `:` type($b_k) `)`)?
    (`b_v` `(` $b_v^ `:` type($b_v) `)`)?
    (`b_out` `(` $b_out^ `:` type($b_out) `)`)?
    (`subln_gain` `(` $subln_gain^ `:` type($subln_gain) `)`)?
    (`subln_bias` `(` $subln_bias^ `:` type($subln_bias) `)`)?
    (`prev_key` `(` $prev_key^ `:` type($prev_key) `)`)?
    (`prev_value` `(` $prev_value^ `:` type($prev_value) `)`)?
    (`key_padding_mask` `(` $key_padding_mask^ `:` type($key_padding_mask) `)`)?
    (`attn_mask` `(` $attn_mask^ `:` type($attn_mask) `)`)?
    (`rel_pos` `(` $rel_pos^ `:` type($rel_pos) `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    `outs` `(` $output `:` type($output) `)`
    (`weights` `(` $weights^ `:` type($weights) `)`)?
    (`next_key` `(` $next_key^ `:` type($next_key) `)`)?
    (`next_value` `(` $next_value^ `:` type($next_value) `)`)?
    attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
    /// Dh, the size of a head.
    int64_t getHeadSize() {
      auto type = ::llvm::cast<::mlir::ShapedType>(getWQ().getType());
      return type.getDimSize(0) / static_cast<int64_t>(getHeads());
    }
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_MULTIHEADATTENTIONOP_TD
