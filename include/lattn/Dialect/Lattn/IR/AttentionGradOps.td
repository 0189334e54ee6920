//===- AttentionGradOps.td - Gradients of attention --------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td, whose constraints and classes it uses.

#ifndef LATTN_DIALECT_LATTN_IR_ATTENTIONGRADOPS_TD
#define LATTN_DIALECT_LATTN_IR_ATTENTIONGRADOPS_TD

def Lattn_AttentionGradOp : Lattn_DestinationOp<"attention_grad", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "gradients of lattn.attention";
  let description = [{
    Computes the gradients of query, key and value of the `lattn.attention` with the
    same operands and attributes. It takes that op's output and log-sum-exp, and the
    gradients of both:

        p     = exp(score - lse)              the weights, 0 for hidden keys
        r     = rowsum(d_output * output) - d_lse
        ds    = p * (d_output.value - r)      of the scores
        d_query = scale * ds key    d_key = scale * ds^T query
        d_value = p^T d_output

    - The compiler differentiates a score region: ds above is the gradient of what
      the region yields.
    - Dropout drops the same weights as in the forward pass.
    - Hidden pairs, and rows without visible keys, give 0, whatever their operands
      hold.
    - The gradient of a head of keys or values that several query heads share is the
      sum over these heads.
    - `d_sink`, `d_bias` and `d_captures` are optional destinations. `d_captures`
      has one for each captured array of floats, in their order. An absent `d_lse`
      is 0.
    - All sums are in f32 (f64 for f64). Their order depends only on the shapes and
      the target.

    ```mlir
    %r:3 = lattn.attention_grad query(%q : tensor<1x8x?x64xf32>)
             key(%k : tensor<1x8x?x64xf32>) value(%v : tensor<1x8x?x64xf32>)
             output(%o : tensor<1x8x?x64xf32>) lse(%l : tensor<1x8x?xf32>)
             d_output(%do : tensor<1x8x?x64xf32>)
             outs(%dq, %dk, %dv : tensor<1x8x?x64xf32>, tensor<1x8x?x64xf32>,
                  tensor<1x8x?x64xf32>)
             {window = #lattn.window<left = 256, right = 0>}
    ```

    Source: Dao et al., FlashAttention (2022), Algorithm 4. Constraints:
    attention_grad_c1 to attention_grad_c7 in docs/spec.md.
  }];
  let arguments = !con(Lattn_ScoreOperands, (ins
    Optional<Lattn_FloatArray>:$sink /*attention_grad_c1*/,
    Variadic<AnyType>:$dropout /*attention_grad_c1*/,
    Lattn_FloatArray:$output /*attention_grad_c2*/,
    Lattn_AccArray:$lse /*attention_grad_c3*/,
    Lattn_FloatArray:$d_output /*attention_grad_c2*/,
    Optional<Lattn_AccArray>:$d_lse /*attention_grad_c3*/,
    Lattn_FloatArray:$d_query /*attention_grad_c4*/,
    Lattn_FloatArray:$d_key /*attention_grad_c4*/,
    Lattn_FloatArray:$d_value /*attention_grad_c4*/,
    Optional<Lattn_FloatArray>:$d_sink /*attention_grad_c5*/,
    Optional<Lattn_FloatArray>:$d_bias /*attention_grad_c5*/,
    Variadic<Lattn_FloatArray>:$d_captures /*attention_grad_c7*/
  ), Lattn_ScoreAttributes, (ins
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
      /*attention_grad_c1*/,
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*attention_grad_c1*/
  ));
  let regions = (region AnyRegion:$score);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`kv_lens` `(` $kv_lens^ `:` type($kv_lens) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`sink` `(` $sink^ `:` type($sink) `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `output` `(` $output `:` type($output) `)`
    `lse` `(` $lse `:` type($lse) `)`
    `d_output` `(` $d_output `:` type($d_output) `)`
    (`d_lse` `(` $d_lse^ `:` type($d_lse) `)`)?
    `outs` `(` $d_query `,` $d_key `,` $d_value `:` type($d_query) `,`
      type($d_key) `,` type($d_value) (`,` $d_sink^ `:` type($d_sink))? `)`
    (`d_bias` `(` $d_bias^ `:` type($d_bias) `)`)?
    (`d_captures` `(` $d_captures^ `:` type($d_captures) `)`)?
    attr-dict (`score` $score^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
    bool isBnhd() { return getLayout() == Layout::BNHD; }
    /// Axis of heads, and of positions, in all arrays but lse and d_lse.
    unsigned getHeadAxis() { return isBnhd() ? 2 : 1; }
    unsigned getPositionAxis() { return isBnhd() ? 1 : 2; }
    /// Those of the schedule, else widened ones.
    Products getProducts();
    /// The captures that d_captures are the gradients of.
    ::llvm::SmallVector<::mlir::Value> getFloatCaptures();
  }];
}

def Lattn_AttentionGradStepOp : Lattn_DestinationOp<"attention_grad_step", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "the contribution of a tile of queries and keys to the gradients";
  let description = [{
    Adds the contribution of one tile of queries and keys, of one head, to the
    gradients of query, key and value. query (q, d) and d_output (q, v) are the
    tile's rows, key (k, d) and value (k, v) its keys. lse and row_sums (r of
    `lattn.attention_grad`) have an element for each query. A query whose lse is
    +inf contributes nothing.

    - lse, row_sums and d_query may be longer than query along q. The rest is
      padding, with +inf in lse.
    - `packed` holds query and d_output once more, transposed by
      `lattn.pack_query` with scale 1, as CPU kernels read them: widened, or in
      bf16 where the schedule's products are `dot`.
    - The score region gets a score. It yields the new score and the derivative of
      the new score by the one that it got.
    - `pairs` (products, d_scores), (k, q), are destinations for query . key and for
      the gradient of what the region yields. They are 0 where a pair contributes
      nothing.
    - `origin` and `offset` are as in `lattn.online_attention`. `dropout` is (p,
      seed, offset, heads).
    - `edge` is false if no pair of the step is hidden, so that a kernel needs no
      mask. Without it, pairs may be hidden.

    ```mlir
    %s:3 = lattn.attention_grad_step query(%q : tensor<16x64xf32>)
             key(%k : tensor<64x64xf32>) value(%v : tensor<64x64xf32>)
             lse(%l : tensor<16xf32>) row_sums(%r : tensor<16xf32>)
             d_output(%do : tensor<16x64xf32>)
             outs(%dq, %dk, %dv : tensor<16x64xf32>, tensor<64x64xf32>,
                  tensor<64x64xf32>)
    ```

    Source: Dao et al., FlashAttention (2022), Algorithm 4. Constraints:
    attention_grad_step_c1 to attention_grad_step_c7 in docs/spec.md.
  }];
  let arguments = !con(Lattn_ScoreOperands, (ins
    Variadic<AnyType>:$dropout /*attention_grad_step_c4*/,
    Lattn_AccArray:$lse /*attention_grad_step_c2*/,
    Lattn_AccArray:$row_sums /*attention_grad_step_c2*/,
    Lattn_FloatArray:$d_output /*attention_grad_step_c1*/,
    Variadic<Lattn_FloatArray>:$packed /*attention_grad_step_c3*/,
    Optional<I1>:$edge,
    Lattn_AccArray:$d_query /*attention_grad_step_c2*/,
    Lattn_AccArray:$d_key /*attention_grad_step_c1*/,
    Lattn_AccArray:$d_value /*attention_grad_step_c1*/,
    Variadic<Lattn_AccArray>:$pairs /*attention_grad_step_c7*/
  ), Lattn_ScoreAttributes, (ins
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*attention_grad_step_c5*/
  ));
  let regions = (region AnyRegion:$score /*attention_grad_step_c6*/);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`kv_lens` `(` $kv_lens^ `:` type($kv_lens) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `lse` `(` $lse `:` type($lse) `)`
    `row_sums` `(` $row_sums `:` type($row_sums) `)`
    `d_output` `(` $d_output `:` type($d_output) `)`
    (`packed` `(` $packed^ `:` type($packed) `)`)?
    (`edge` `(` $edge^ `)`)?
    `outs` `(` $d_query `,` $d_key `,` $d_value `:` type($d_query) `,`
      type($d_key) `,` type($d_value) `)` (`pairs` `(` $pairs^ `:` type($pairs) `)`)?
    attr-dict (`score` $score^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
    /// Those of the schedule, else widened ones.
    Products getProducts();
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_ATTENTIONGRADOPS_TD
